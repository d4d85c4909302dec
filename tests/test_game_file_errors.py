"""A game file may raise anything, anywhere: one line says where, and the exit code is 2."""

import json
import os
import signal
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

import noughts
from noughts.cli import main
from noughts.testing import check_game
from noughts.web.handlers import Handlers, digest_of
from tests.helpers import TIMEOUT, altered

MATCHES = Path("examples/matches.py").read_text(encoding="utf-8")

RAISED = {
    # what is called, and what it is called in the line that a person reads
    "raise StopIteration": "StopIteration",
    "raise GeneratorExit": "GeneratorExit",
    "raise MemoryError": "MemoryError",
    "raise SystemExit(0)": "SystemExit: 0",
    "raise KeyboardInterrupt": "KeyboardInterrupt",
    "raise Own('one\\ntwo')": "Own: one / two",
    "raise Mute": "Mute",
    "calls_itself()": "RecursionError: maximum recursion depth exceeded",
    "calls_itself_by_map(0)": "RecursionError: maximum recursion depth exceeded",
}

HELPERS = """

class Own(BaseException):
    pass


class Mute(Exception):
    def __str__(self):
        raise ValueError("says nothing")


def calls_itself():
    return calls_itself()


def calls_itself_by_map(n):
    return list(map(calls_itself_by_map, [n + 1]))


def fail(state):
    if state[0] <= MOST:
        {raised}
"""

COMMANDS = [
    "analyse",
    "analyse --method minimax",
    "analyse --method proof",
    "analyse --method alphabeta",
    "analyse --method mcts --nodes 100",
    "explain",
    "tree",
    "tree --search minimax",
    "count",
    "openings",
    "play --you random --opponent perfect",
]


def failing(folder: Path, function: str, raised: str, most: int) -> str:
    """Write a game one of whose functions fails once no more than `most` matches are left; return its path."""
    given = {"initial": "", "result": "state, action"}.get(function, "state")
    source = MATCHES.replace(f"def {function}(", f"def right_{function}(")
    source += HELPERS.format(raised=raised) + f"\n\nMOST = {most}\n"
    source += f"\n\ndef {function}({given}):\n    fail({'state' if given else '(0,)'})\n"
    source += f"    return right_{function}({given})\n"
    path = folder / "mygame.py"
    path.write_text(source, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("raised", RAISED)
def test_whatever_a_game_file_raises_gets_one_line(
    raised: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In every function, at the start and half-way, in every command: never a traceback, never a silent exit code 0."""
    monkeypatch.setattr("sys.stdin", StringIO())
    for function in ("initial", "player", "actions", "result", "terminal", "utility"):
        for most in (99, 3) if function != "initial" else (99,):
            path = failing(tmp_path, function, raised, most)
            for command in COMMANDS:
                name, *options = command.split()
                code = main([name, path, *options])
                said = capsys.readouterr()
                assert (code, said.err.count("\n")) == (2, 1), (function, most, command, said.err)
                assert RAISED[raised] in said.err, (function, most, command)
                assert "line " in said.err, (function, most, command)
                assert path in said.err, (function, most, command)


@pytest.mark.parametrize("raised", RAISED)
def test_lint_finds_whatever_a_game_file_raises(
    raised: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for function in ("initial", "player", "actions", "result", "terminal", "utility"):
        path = failing(tmp_path, function, raised, 99 if function == "initial" else 3)
        assert main(["lint", path, "--json"]) == 1
        (problem,) = json.loads(capsys.readouterr().out)["problems"]
        assert (problem["kind"], problem["fatal"]) == ("raises", True)
        assert f"{function}(" in problem["message"]
        assert f"raised {RAISED[raised]}" in problem["message"]
        assert "(line " in problem["message"]


@pytest.mark.parametrize("raised", RAISED)
def test_a_file_that_raises_while_it_is_loaded(raised: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = failing(tmp_path, "utility", raised, 99)
    with open(path, "a", encoding="utf-8") as file:
        file.write("\n\nfail((0,))\n")
    assert main(["analyse", path]) == 2
    said = capsys.readouterr().err
    assert f"{path} cannot be loaded: line " in said
    assert said.endswith(f": {RAISED[raised]}\n")


@pytest.mark.parametrize("raised", [each for each in RAISED if "MemoryError" not in each])
def test_a_web_worker_survives_whatever_a_game_file_raises(raised: str, tmp_path: Path) -> None:
    """It answers with the line, and the next question as if nothing had been."""
    path = failing(tmp_path, "result", raised, 3)
    answers = Handlers({"./mygame.py": (path, digest_of(path))})
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # as in a worker
    try:
        for kind, more in (("analyse", {}), ("explain", {"action": None}), ("move", {"player": "perfect", "seed": 1})):
            values: dict[str, Any] = {"game": "./mygame.py", "position": "", "nodes": 1000, **more}
            reply = answers.answer(kind, values)
            assert reply.status == 500
            assert json.loads(reply.body)["error"].startswith("this game is broken: line ")
            assert RAISED[raised] in json.loads(reply.body)["error"]
        assert answers.answer("position", {"game": "./mygame.py", "position": "1", "after": False}).status == 200
    finally:
        signal.signal(signal.SIGINT, before)


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))
from noughts.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize("raised", ["calls_itself()", "calls_itself_by_map(0)"])
def test_endless_recursion_takes_neither_the_stack_nor_the_memory(raised: str, tmp_path: Path) -> None:
    """Even deep in a long game, where the search itself has gone through thousands of calls."""
    path = failing(tmp_path, "result", raised, 3)
    source = (
        Path(path).read_text(encoding="utf-8").replace("return 10, +1", "return 3000, +1").replace("(1, 2, 3)", "(1,)")
    )
    Path(path).write_text(source, encoding="utf-8")
    command = [sys.executable, "-c", LIMITED, "analyse", path, "--method", "alphabeta"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "RecursionError" in done.stderr


def test_a_long_game_is_still_searched_to_its_end(tmp_path: Path) -> None:
    source = MATCHES.replace("return 10, +1", "return 5000, +1").replace("(1, 2, 3)", "(1,)")
    path = tmp_path / "long.py"
    path.write_text(source, encoding="utf-8")
    game = noughts.load(str(path))
    limit = sys.getrecursionlimit()
    assert noughts.alphabeta(game).distance == 5000
    assert sys.getrecursionlimit() == limit


def test_a_game_too_long_for_any_search_is_told_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("noughts.search.recursion_limit.MOST", 10_000)
    source = MATCHES.replace("return 10, +1", "return 4000, +1").replace("(1, 2, 3)", "(1,)")
    path = tmp_path / "long.py"
    path.write_text(source, encoding="utf-8")
    assert main(["analyse", str(path), "--method", "alphabeta"]) == 2
    assert "too long to be searched: it still goes on after " in capsys.readouterr().err


def test_ctrl_c_within_a_game_file_is_still_ctrl_c(tmp_path: Path, noughts_command: str) -> None:
    """It comes while a function of the file runs, and is not taken for an error of the file."""
    path = tmp_path / "slow.py"
    waits = "def terminal(state):\n    print('here', file=sys.stderr, flush=True)\n    time.sleep(100)\n"
    path.write_text(
        MATCHES.replace("def terminal(", "def right_terminal(") + "\n\nimport sys, time\n\n\n" + waits, encoding="utf-8"
    )
    with subprocess.Popen([noughts_command, "tree", str(path)], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "here\n"
        os.kill(process.pid, signal.SIGINT)
        assert (process.stderr.read(), process.wait(TIMEOUT)) == ("", 130)


def test_ctrl_c_is_ctrl_c_for_those_who_use_the_library() -> None:
    """Without the command's mark on Ctrl-C, no KeyboardInterrupt is taken for a finding."""

    def interrupted(_: Any) -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check_game(altered(noughts.load("tic-tac-toe"), terminal=interrupted))
