"""Lint finds functions that do not answer the same about the same state, wherever they are."""

import random
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import noughts
from noughts import MAX, MIN
from noughts.board import Cell
from noughts.testing import Problem, check_game
from tests.helpers import altered
from tests.test_check_game import only_problem

NIM: Any = noughts.load("nim:2,2")
SMALL: Any = noughts.load("mnk:3,2,3")
MATCHES = Path("examples/matches.py").read_text(encoding="utf-8")


def wavering(right: Callable[..., Any], wrong: Callable[[Any], Any], nth: int) -> Callable[..., Any]:
    """Return a function that is wrong at every nth call."""
    calls = count(1)
    return lambda *given: wrong(right(*given)) if next(calls) % nth == 0 else right(*given)


def by_chance(right: Callable[..., Any], wrong: Callable[[Any], Any]) -> Callable[..., Any]:
    chance = random.Random(1)
    return lambda *given: wrong(right(*given)) if chance.random() < 0.3 else right(*given)


WRONG: dict[str, Callable[[Any], Any]] = {
    "player": lambda mover: -mover,
    "actions": lambda actions: list(actions)[::-1],
    "result": lambda state: state._replace(mover=-state.mover),
    "terminal": lambda over: not over,
    "utility": lambda utility: -utility,
}


@pytest.mark.parametrize("how", ["chance", 2, 7])
@pytest.mark.parametrize("name", WRONG)
def test_lint_finds_each_of_the_six_that_changes_from_call_to_call(name: str, how: str | int) -> None:
    right = getattr(NIM, name)
    function = by_chance(right, WRONG[name]) if isinstance(how, str) else wavering(right, WRONG[name], how)
    changed: dict[str, Any] = {name: function}
    report = check_game(altered(NIM, **changed))
    assert f"unstable-{name}" in [problem.kind for problem in report.problems], report


def test_both_values_are_shown_in_the_position() -> None:
    problem = only_problem(altered(NIM, utility=wavering(NIM.utility, WRONG["utility"], 2)))
    assert problem.kind == "unstable-utility"
    assert problem.message in ("utility(state) is 1, and asked again -1", "utility(state) is -1, and asked again 1")
    assert noughts.load("nim:2,2").terminal(noughts.replay(NIM, problem.position))


def test_lint_finds_a_turn_that_is_kept_outside_the_state() -> None:
    """The player who moves is a variable that `result` changes: right as long as a game is played straight on."""
    turn = [MAX]

    def initial() -> int:
        turn[0] = MAX
        return 6

    def result(left: int, taken: int) -> int:
        turn[0] = -turn[0]
        return left - taken

    game = SimpleNamespace(
        initial=initial,
        player=lambda _: turn[0],
        actions=lambda left: [n for n in (1, 2) if n <= left],
        result=result,
        terminal=lambda left: left == 0,
        utility=lambda _: -turn[0],
    )
    assert [problem.kind for problem in check_game(game).problems][-1].startswith("unstable-")


def offering(**functions: Any) -> Any:
    """A small board with capabilities that are right, but for those given."""
    return altered(SMALL, offering=("key", "action_name", "longest"), **functions)


def tagged(wrong: Any) -> Callable[[Any], Any]:
    return lambda _: wrong


PLANTED: dict[str, tuple[Callable[[], Any], str]] = {
    "draw": (lambda: offering(draw=wavering(SMALL.diagram, tagged("?"), 7)), "draw"),
    "board": (lambda: offering(board=wavering(SMALL.board, tagged(((Cell("?"),),)), 7)), "board"),
    "symmetries": (
        lambda: offering(symmetries=wavering(SMALL.symmetries, lambda images: list(images)[:1], 7)),
        "symmetries",
    ),
    "canonical": (lambda: offering(canonical=wavering(SMALL.key, lambda key: key + 1, 7)), "canonical"),
    "plies": (lambda: offering(plies=wavering(SMALL.plies, lambda plies: plies + 1, 7)), "plies"),
    "heuristic": (lambda: offering(heuristic=wavering(SMALL.heuristic, lambda guess: guess + 1, 7)), "heuristic"),
    "utility_bounds": (
        lambda: offering(utility_bounds=wavering(SMALL.utility_bounds, tagged((-1, 1)), 7)),
        "utility_bounds",
    ),
    "action_name": (
        lambda: offering(action_name=wavering(SMALL.action_name, lambda name: f"{name}x", 7)),
        "action_name",
    ),
    "action_aliases": (
        lambda: offering(action_aliases=wavering(SMALL.action_aliases, tagged(["z"]), 7)),
        "action_aliases",
    ),
    "lineup": (
        lambda: offering(lineup=wavering(SMALL.lineup, lambda found: found._replace(lines=()), 7)),
        "lineup",
    ),
}


@pytest.mark.parametrize(("make", "name"), PLANTED.values(), ids=list(PLANTED))
def test_lint_finds_each_capability_that_changes_from_call_to_call(make: Callable[[], Any], name: str) -> None:
    report = check_game(make())
    assert f"unstable-{name}" in [problem.kind for problem in report.problems], report


def test_lint_finds_a_capability_that_changes_the_state() -> None:
    def clearing(pile: list[int]) -> int:
        pile.clear()
        return 0

    game = SimpleNamespace(
        initial=lambda: [3],
        player=lambda pile: MAX if len(pile) % 2 else MIN,
        actions=lambda pile: [1, 2] if len(pile) < 4 else [],
        result=lambda pile, n: [*pile, n],
        terminal=lambda pile: len(pile) >= 4,
        utility=lambda pile: sum(pile) % 2,
        utility_range=(0, 1),
        heuristic=clearing,
    )
    problem = only_problem(game)
    assert (problem.kind, problem.position) == ("changes-argument", "")
    assert problem.message.startswith("heuristic(state) changed the state")


def problem_of_file(folder: Path, source: str) -> Problem:
    path = folder / "mygame.py"
    path.write_text(source, encoding="utf-8")
    return only_problem(noughts.load(str(path)))


def test_lint_finds_what_depends_on_the_order_of_a_set_of_texts(tmp_path: Path) -> None:
    names = "[n for n in sorted(range(1, 11), key=lambda n: hash(f'take {n} of them')) if n <= state[0]]"
    problem = problem_of_file(tmp_path, MATCHES.replace("[n for n in (1, 2, 3) if n <= state[0]]", names))
    assert problem.kind == "unstable-actions"
    assert "here, and in another process [" in problem.message


def test_lint_finds_what_chance_decides_when_the_file_is_loaded(tmp_path: Path) -> None:
    drawn = "\n\nTAG = random.random()\n\n\ndef draw(state):\n    return f'{state} {TAG}'\n"
    problem = problem_of_file(tmp_path, "import random\n" + MATCHES + drawn)
    assert problem.kind == "unstable-draw"
    assert "in another process" in problem.message


def test_lint_finds_a_cache_that_leaks(tmp_path: Path) -> None:
    """It is kept by how many matches are left, so that whoever asks first decides for all."""
    cached = "return CACHE.setdefault(state[0], state[1] if state[0] > 5 else len(CACHE) % 2 * 2 - 1)\n\n\nCACHE = {}"
    problem = problem_of_file(tmp_path, MATCHES.replace("return state[1]", cached, 1))
    assert problem.kind == "unstable-player"
    assert "in another process" in problem.message


@pytest.mark.parametrize(
    "clock",
    ["time.time() // 43200 % 2", "datetime.datetime.now().hour // 12", "time.monotonic_ns() // 10**9 // 43200 % 2"],
)
def test_lint_finds_what_depends_on_the_time_of_day(tmp_path: Path, clock: str) -> None:
    source = MATCHES.replace("return -state[1]", f"return -state[1] if {clock} else state[1]")
    problem = problem_of_file(tmp_path, f"import datetime\nimport time\n{source}\nmisere = bool({clock}) is False\n")
    assert problem.kind == "unstable-utility"
    assert "at another time of day" in problem.message


def test_lint_finds_a_file_that_does_not_load_twice(tmp_path: Path) -> None:
    marker = f"import os\n\nif os.path.exists({str(tmp_path / 'there')!r}):\n    raise ValueError('again')\n"
    marker += f"open({str(tmp_path / 'there')!r}, 'w').close()\n"
    problem = problem_of_file(tmp_path, marker + MATCHES)
    assert problem.kind == "unstable-start"
    assert "ValueError: again" in problem.message


def test_with_little_time_no_process_is_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError

    monkeypatch.setattr("subprocess.run", refuse)
    path = tmp_path / "mygame.py"
    path.write_text(MATCHES, encoding="utf-8")
    assert check_game(noughts.load(str(path)), seconds=100).ok


def test_right_files_answer_the_same_in_another_process(tmp_path: Path) -> None:
    """States with random numbers of their own, sets of texts that are sorted, and a file that prints."""
    source = "import random\nprint('hello')\nTAGS = [random.random() for _ in range(20)]\n" + MATCHES.replace(
        "return 10, +1", "return 10, +1, frozenset({'a', 'b'}), TAGS[0]"
    ).replace("left, mover = state", "left, mover, names, _ = state").replace(
        "return left - action, -mover", "return left - action, -mover, names, TAGS[left]"
    )
    path = tmp_path / "mygame.py"
    path.write_text(source, encoding="utf-8")
    report = check_game(noughts.load(str(path)))
    assert report.ok, report


def test_time_is_no_hindrance_where_it_only_passes() -> None:
    started = time.monotonic()
    assert check_game(altered(NIM, terminal=lambda state: time.monotonic() >= started and NIM.terminal(state))).ok
