"""Which method answers: the kernel where it is worth loading and can run; without numba, the interpreted searches."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import noughts
from noughts.capabilities import resolve
from noughts.engine import Engine
from noughts.errors import BrokenGame
from noughts.search.limits import Limits
from noughts.sources.interpreted import GLANCE_DEPTH
from noughts.sources.kernel import INSTALL
from tests.command import Noughts
from tests.compiled.positions import exact, in_stones, listed, native
from tests.helpers import TIMEOUT

WITHOUT_NUMBA = "import sys\nsys.modules['numba'] = None\n"
"""As if it were not installed: it can neither be found nor imported."""

MIDDLE, SCORE = listed("connect_four_middle.txt")[4]
LARGE = "171466613341436771"
"""Connect Four after 18 plies: too much for a memo, easy for a kernel."""


def python(code: str, env: dict[str, str], typed: str = "") -> "subprocess.CompletedProcess[str]":
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, input=typed, capture_output=True, text=True, timeout=TIMEOUT
    )
    assert "Traceback" not in done.stdout + done.stderr, done.stderr
    return done


def cli(*args: str, before: str = "") -> str:
    return f"{before}from noughts.cli import main\nimport sys\nsys.exit(main({list(args)!r}))"


def third_party(code: str) -> str:
    return f"{code}\nimport sys\nprint('imported:', sorted({{'numba', 'numpy', 'llvmlite'}} & set(sys.modules)))"


def test_small_games_are_solved_without_importing_numba(clean_env: dict[str, str]) -> None:
    code = third_party(
        "import noughts\nprint(noughts.analyse(noughts.load('tic-tac-toe')).method)\n"
        "print(noughts.analyse(noughts.load('misere')).method)\n"
        "print(noughts.value(noughts.load('tic-tac-toe')).method)"
    )
    assert python(code, clean_env).stdout.splitlines() == ["memo", "memo", "memo", "imported: []"]


@pytest.mark.parametrize("args", [["play", "tic-tac-toe"], ["play", "connect-four"], ["games"], ["--help"]])
def test_play_and_help_import_neither_numba_nor_numpy(clean_env: dict[str, str], args: list[str]) -> None:
    code = f"from noughts.cli import main\ntry:\n    main({args!r})\nexcept SystemExit:\n    pass"
    done = python(third_party(code), clean_env, typed="4\nhint\n5\nq\n" if args[1:] == ["tic-tac-toe"] else "q\n")
    assert done.stdout.splitlines()[-1] == "imported: []"


def test_a_kernel_answers_where_a_memo_cannot() -> None:
    game = noughts.load("connect-four")
    for moves, score in listed("connect_four_middle.txt")[1:4]:
        state = noughts.replay(game, moves)
        answer = noughts.analyse(game, state)
        assert (answer.method, answer.proven) == ("kernel", True)
        truth = native("connect-four").ask(state)
        assert answer[:5] == truth[:5]
        assert answer.actions == truth.actions
        assert noughts.value(game, state)[:3] == truth[:3]
        assert in_stones(exact(native("connect-four").solver, native("connect-four").pack(state))) == score


def test_a_depth_or_few_nodes_leave_the_kernel_out() -> None:
    game = noughts.load("connect-four")
    state = noughts.replay(game, LARGE)
    assert Engine(game).analyse(state, limits=Limits(depth=4)).method == "deepening"
    assert Engine(game).analyse(state, limits=Limits(nodes=3_000)).method != "kernel"


def test_without_numba_the_interpreted_searches_answer(clean_env: dict[str, str]) -> None:
    """The same value by another method; only slower."""
    late = "2643276112242265744411455"
    code = (
        f"{WITHOUT_NUMBA}import noughts\ngame = noughts.load('connect-four')\n"
        f"answer = noughts.analyse(game, noughts.replay(game, {late!r}))\n"
        "print(answer.method, answer.value, answer.distance, answer.best)"
    )
    truth = native("connect-four").ask(noughts.replay(noughts.load("connect-four"), late))
    method, rest = python(code, clean_env).stdout.strip().split(" ", 1)
    assert method in ("memo", "alphabeta", "deepening")
    assert rest == f"{truth.value} {truth.distance} {truth.best}"


def test_without_numba_an_unproven_answer_names_the_way_to_a_faster_one(clean_env: dict[str, str]) -> None:
    hint = (
        f"This game has a kernel, which searches it much faster: {INSTALL}\n"
        "To search for as long as it takes: noughts analyse connect:7x6,5 --value --seconds 0\n"
    )
    asked = ("analyse", "connect:7x6,5", "--seconds", "1")
    done = python(cli(*asked, before=WITHOUT_NUMBA), clean_env)
    assert (done.returncode, done.stderr) == (0, hint)
    assert "Not known. A guess, looking " in done.stdout
    assert INSTALL not in done.stdout
    done = python(cli(*asked, "--json", before=WITHOUT_NUMBA), clean_env)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["method"] in ("alphabeta", "deepening")
    proven = python(cli("analyse", "tic-tac-toe", before=WITHOUT_NUMBA), clean_env)
    assert (proven.returncode, proven.stderr) == (0, "")
    deep = python(cli("analyse", "reversi:8", "--seconds", "1", before=WITHOUT_NUMBA), clean_env)
    assert (deep.returncode, deep.stderr) == (0, hint.replace("connect:7x6,5", "reversi:8"))


def test_with_numba_nothing_is_recommended(noughts_command: str, clean_env: dict[str, str]) -> None:
    done = Noughts(noughts_command, clean_env)("analyse", "connect-four", "--nodes", "3000")
    assert (done.returncode, done.stderr) == (0, "")


def one_line(done: "subprocess.CompletedProcess[str]", complaint: str) -> None:
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert complaint in done.stderr


def test_the_kernel_by_name_without_numba(clean_env: dict[str, str]) -> None:
    asked = ("analyse", "connect-four", "--method", "kernel")
    one_line(python(cli(*asked, before=WITHOUT_NUMBA), clean_env), f"a kernel needs numba: {INSTALL}")
    one_line(python(cli(*asked, "--json", before=WITHOUT_NUMBA), clean_env), INSTALL)


def test_a_game_without_a_kernel(noughts_command: str, clean_env: dict[str, str]) -> None:
    done = Noughts(noughts_command, clean_env)("analyse", "nim:40,40", "--method", "kernel")
    one_line(done, "the game has no kernel")
    with pytest.raises(BrokenGame, match="the game has no kernel, and its functions are not compiled: its states: "):
        noughts.kernel(noughts.load("nim:40,40"))


def test_depth_does_not_go_with_a_kernel(noughts_command: str, clean_env: dict[str, str]) -> None:
    done = Noughts(noughts_command, clean_env)("analyse", "connect-four", "--method", "kernel", "--depth", "3")
    one_line(done, "--depth does not go with kernel")


def test_the_kernel_on_the_command_line(noughts_command: str, clean_env: dict[str, str]) -> None:
    """As JSON and as text, with one thread and two; nothing but the answer is printed."""
    assert native("connect-four").solver.bytes
    command = Noughts(noughts_command, clean_env)
    truth = native("connect-four").ask(noughts.replay(noughts.load("connect-four"), MIDDLE))
    for more in ([], ["--threads", "1"], ["--threads", "2", "--table-mib", "1"]):
        done = command("analyse", "connect-four", MIDDLE, "--method", "kernel", "--json", *more)
        assert (done.returncode, done.stderr, done.stdout.count("\n")) == (0, "", 1)
        facts: dict[str, Any] = json.loads(done.stdout)
        assert (facts["value"], facts["distance"], facts["proven"]) == (truth.value, truth.distance, True)
        assert facts["best"] == [str(action) for action in truth.best]
        assert [each["value"] for each in facts["actions"]] == [each.value for each in truth.actions]
    text = command("analyse", "connect-four", MIDDLE, "--method", "kernel")
    assert (text.returncode, text.stderr) == (0, "")
    assert f"{truth.distance} moves" in text.stdout
    assert "kernel: to the end" in text.stdout
    over = command("analyse", "connect-four", "1212121", "--method", "kernel", "--json")
    assert json.loads(over.stdout)["distance"] == 0


@pytest.mark.parametrize("threads", ["0", "-1", "x"])
def test_a_wrong_number_of_threads(threads: str, noughts_command: str, clean_env: dict[str, str]) -> None:
    one_line(Noughts(noughts_command, clean_env)("analyse", "connect-four", "--threads", threads), "threads")


def test_without_jit_there_is_one_line_or_an_answer(clean_env: dict[str, str], tmp_path: Path) -> None:
    """NUMBA_DISABLE_JIT, which is for debugging, never leads to a traceback."""
    env = {**clean_env, "NUMBA_DISABLE_JIT": "1", "NOUGHTS_CACHE": str(tmp_path)}
    done = python(cli("analyse", "tic-tac-toe", "5 1 3", "--method", "kernel"), env)
    assert done.returncode in (0, 2)
    assert done.stderr.count("\n") == (done.returncode == 2)


def test_a_kernel_that_does_not_finish_leaves_enough_for_looking_ahead() -> None:
    """Otherwise the guess would rest on the few plies that were searched before it."""
    game = resolve(noughts.load("connect-four"))._replace(book=None)
    answer = Engine(game, threads=1).analyse(limits=Limits(nodes=400_000))
    assert (answer.proven, answer.stopped, answer.method) == (False, "node limit", "deepening")
    assert answer.depth is not None
    assert answer.depth > GLANCE_DEPTH


def test_solving_a_small_game_completes_and_a_large_one_is_given_up() -> None:
    small = Engine(noughts.load("tic-tac-toe"))
    assert small.solve(10.0)
    assert small.ask(noughts.load("tic-tac-toe").initial()).nodes == 0, "it is known by then"
    assert not Engine(noughts.load("mnk:4,4,4")).solve(10.0)
    assert not Engine(noughts.load("tic-tac-toe")).solve(0.0)
