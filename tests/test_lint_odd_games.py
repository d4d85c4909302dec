"""What lint says, and does not say, of games that are right but unusual; and of heuristics and drawings."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import noughts
from noughts import MAX, MIN
from noughts.game import FUNCTIONS
from noughts.testing import check_game
from tests.helpers import altered
from tests.test_check_game import only_problem

SMALL: Any = noughts.load("mnk:4,3,3")


def two_passes(coins: tuple[int, ...], lead: int, first: int) -> SimpleNamespace:
    """Players take coins of these values or pass; two passes running end the game, and who has more wins.

    MAX begins with a `lead`. A pass that decides the game early may end in a draw later, when nothing else is left.
    """

    def points(state: Any) -> int:
        won: int = sum(coin if player == MAX else -coin for player, coin in state[0])
        return lead + won

    return SimpleNamespace(
        initial=lambda: ((), 0, first),
        player=lambda state: state[2],
        actions=lambda state: (
            [] if state[1] == 2 else [*(coin for coin in coins if coin not in [taken for _, taken in state[0]]), "pass"]
        ),
        result=lambda state, action: (
            (state[0], state[1] + 1, -state[2]) if action == "pass" else ((*state[0], (state[2], action)), 0, -state[2])
        ),
        terminal=lambda state: state[1] == 2,
        utility=lambda state: (points(state) > 0) - (points(state) < 0),
    )


def stop_at_will() -> SimpleNamespace:
    """Each adds 1 or 2 in turn or says stop; once nothing can be added only stop is left, and it always ends it."""
    return SimpleNamespace(
        initial=lambda: (0, 0, MAX),
        player=lambda state: state[2],
        actions=lambda state: [] if state[1] < 0 else [n for n in ("add1", "add2") if state[1] < 3] + ["stop"],
        result=lambda state, action: (
            (state[0], -1, -state[2])
            if action == "stop"
            else (state[0] + state[2] * int(action[-1]), state[1] + 1, -state[2])
        ),
        terminal=lambda state: state[1] < 0,
        utility=lambda state: (state[0] > 0) - (state[0] < 0),
    )


def double_moves() -> SimpleNamespace:
    """Matches in which each player moves twice running."""
    return SimpleNamespace(
        initial=lambda: (7, 0),
        player=lambda state: MAX if state[1] // 2 % 2 == 0 else MIN,
        actions=lambda state: [n for n in (1, 2) if n <= state[0]],
        result=lambda state, n: (state[0] - n, state[1] + 1),
        terminal=lambda state: state[0] == 0,
        utility=lambda state: MAX if (state[1] - 1) // 2 % 2 == 0 else MIN,
    )


def one_sided(**more: Any) -> SimpleNamespace:
    """MAX wins if the sum is 5, else it is a draw; either may have made the last move."""
    return SimpleNamespace(
        initial=lambda: (),
        player=lambda moves: MAX if len(moves) % 2 == 0 else MIN,
        actions=lambda moves: [] if sum(moves) >= 5 else [1, 2],
        result=lambda moves, n: (*moves, n),
        terminal=lambda moves: sum(moves) >= 5,
        utility=lambda moves: 1 if sum(moves) == 5 else 0,
        **more,
    )


def alone(**more: Any) -> SimpleNamespace:
    """One player always moves, and either makes it or does not."""
    return SimpleNamespace(
        initial=lambda: (),
        player=lambda _: MAX,
        actions=lambda moves: [] if len(moves) == 3 else [1, 2, 3],
        result=lambda moves, n: (*moves, n),
        terminal=lambda moves: len(moves) == 3,
        utility=lambda moves: 1 if sum(moves) == 6 else -1,
        **more,
    )


def matches_with(
    make: Callable[[int, int], Any], read: Callable[[Any], tuple[int, int]], generate: bool = False
) -> Any:
    """Matches whose states are of some kind."""

    def actions(state: Any) -> Iterator[int]:
        yield from (n for n in (1, 2) if n <= read(state)[0])

    return SimpleNamespace(
        initial=lambda: make(6, MAX),
        player=lambda state: read(state)[1],
        actions=actions if generate else lambda state: set(actions(state)),
        result=lambda state, n: make(read(state)[0] - n, -read(state)[1]),
        terminal=lambda state: read(state)[0] == 0,
        utility=lambda state: -read(state)[1],
    )


@dataclass
class Pile:
    left: int
    mover: int


def over(utility: int) -> SimpleNamespace:
    """A game that is over before it begins."""
    return SimpleNamespace(
        initial=lambda: 0,
        player=lambda _: MAX,
        actions=lambda _: [],
        result=lambda state, _: state,
        terminal=lambda _: True,
        utility=lambda _: utility,
    )


RIGHT: dict[str, Callable[[], Any]] = {
    "ends by two passes": lambda: two_passes((1,), -1, MIN),
    "ends by two passes, with several coins": lambda: two_passes((3, 2, 1), 0, MAX),
    "ends when somebody says stop": stop_at_will,
    "double moves": double_moves,
    "one side cannot win, declared": lambda: one_sided(utility_range=(0, 1)),
    "one side cannot win and is to move last, declared": lambda: altered(
        one_sided(), player=lambda moves: MIN, utility_range=(0, 1)
    ),
    "the other side cannot win, declared": lambda: altered(
        one_sided(), utility=lambda moves: -1 if sum(moves) == 5 else 0, utility_range=(-1, 0)
    ),
    "margins": lambda: altered(one_sided(), utility=lambda moves: sum(moves) - 5, utility_range=(0, 1)),
    "large margins": lambda: altered(
        double_moves(), utility=lambda state: 700 * double_moves().utility(state), utility_range=(-700, 700)
    ),
    "one player alone": alone,
    "no move at all": lambda: over(0),
    "won before it begins": lambda: over(1),
    "a single move": lambda: noughts.load("mnk:1,1,1"),
    "states that are lists": lambda: matches_with(lambda *state: list(state), tuple),
    "states that are dicts": lambda: matches_with(
        lambda left, mover: {"left": left, "mover": mover}, lambda state: (state["left"], state["mover"])
    ),
    "states that are texts": lambda: matches_with(
        lambda left, mover: "*" * left + "+-"[mover < 0], lambda state: (len(state) - 1, 1 if state[-1] == "+" else -1)
    ),
    "states that are sets": lambda: matches_with(
        lambda left, mover: {*range(left), "max" if mover == MAX else "min"},
        lambda state: (len(state) - 1, MAX if "max" in state else MIN),
    ),
    "states that are dataclasses": lambda: matches_with(Pile, lambda pile: (pile.left, pile.mover)),
    "generators of actions": lambda: matches_with(lambda *state: state, tuple, generate=True),
    "a player at the end who is nobody's": lambda: matches_with(lambda *state: state, tuple),
}


@pytest.mark.parametrize("make", RIGHT.values(), ids=list(RIGHT))
def test_right_games_that_are_unusual_get_no_alarm(make: Callable[[], Any]) -> None:
    report = check_game(make(), seconds=100)
    assert report.ok, report


@pytest.mark.parametrize(
    "name",
    ["nim:2,2", "wild", "notakto", "reversi:4", "connect:3x3,3", pytest.param("ultimate", marks=pytest.mark.long)],
)
def test_built_in_games_get_no_alarm(name: str) -> None:
    report = check_game(noughts.load(name), positions=100, seconds=100)
    assert report.ok, report


def test_a_game_in_which_one_side_cannot_win_is_asked_what_to_declare() -> None:
    problem = only_problem(one_sided())
    assert problem.kind == "utility-sign"
    assert "MIN never wins" in problem.message
    assert "If MIN cannot win in this game, declare it: utility_range = (0, 1)" in problem.advice
    other = only_problem(altered(one_sided(), utility=lambda moves: -1 if sum(moves) == 5 else 0))
    assert "If MAX cannot win in this game, declare it: utility_range = (-1, 0)" in other.advice
    misere = only_problem(altered(alone(), utility=lambda moves: -1 if sum(moves) == 6 else 0))
    assert "utility_range = (-1, 0); or misere = True" in misere.advice


# Heuristics


@pytest.mark.parametrize(
    ("heuristic", "kind", "words"),
    [
        (lambda state: 100 // (state.first | state.second), "raises", "heuristic(state) raised ZeroDivisionError"),
        (lambda _: None, "heuristic", "is None, which is not a number"),
        (lambda _: "5", "heuristic", "which is not a number"),
        (lambda _: float("nan"), "heuristic", "is nan, which is not below a million"),
        (lambda _: float("inf"), "heuristic", "is inf, which is not below a million"),
        (lambda _: 1_000_000, "heuristic", "is 1000000, which is not below a million"),
        (lambda _: -(10**400), "heuristic", "which is no"),
        (lambda _: 0.5, "heuristic", "is 0.5, which is cut to 0"),
    ],
)
def test_lint_finds_a_heuristic_that_fails_on_the_empty_board(
    heuristic: Callable[[Any], Any], kind: str, words: str
) -> None:
    problem = only_problem(altered(SMALL, heuristic=heuristic), positions=50)
    assert (problem.kind, problem.position) == (kind, "")
    assert words in problem.message


def test_lint_finds_a_heuristic_that_fails_far_from_the_start() -> None:
    late = altered(SMALL, heuristic=lambda state: 1 // (5 - state.first.bit_count()), longest=12)
    assert only_problem(late, positions=200).message.startswith("heuristic(state) raised ZeroDivisionError")


def test_right_heuristics_pass() -> None:
    for heuristic in (SMALL.heuristic, lambda _: 999_999, lambda _: -3.0, lambda _: True):
        assert check_game(altered(SMALL, heuristic=heuristic), positions=50).ok


# Reading drawings back


def drawn(state: Any) -> str:
    return str(SMALL.diagram(state)).replace("/", "\n")


def upside_down(text: str) -> Any:
    return SMALL.parse("/".join(reversed(text.replace("/", "\n").split("\n"))))


def mirrored(text: str) -> Any:
    return SMALL.parse("/".join(row[::-1] for row in text.replace("/", "\n").split("\n")))


@pytest.mark.parametrize("parse", [upside_down, mirrored])
@pytest.mark.parametrize("how", ["draw", "diagram", "rows"])
def test_lint_finds_a_parse_that_reads_its_own_drawing_upside_down(parse: Callable[[str], Any], how: str) -> None:
    def only_one_line(text: str) -> Any:
        if "\n" in text:
            raise noughts.BadPosition("rows are separated by /")
        return parse(text)

    ways: dict[str, dict[str, Any]] = {
        "draw": {"draw": drawn, "parse": parse},
        "diagram": {"draw": lambda state: str(hash(state)), "diagram": SMALL.diagram, "parse": parse},
        "rows": {"draw": drawn, "parse": only_one_line},
    }
    problem = only_problem(altered(SMALL, **ways[how]), positions=100)
    assert problem.kind == "parse"
    assert "of this position as another: " in problem.message
    state = noughts.replay(SMALL, problem.position)
    assert parse(drawn(state)) != state


def test_lint_finds_a_parse_that_forgets_whose_turn_it_is() -> None:
    game = SimpleNamespace(
        initial=lambda: (5, MAX),
        player=lambda state: state[1],
        actions=lambda state: [n for n in (1, 2) if n <= state[0]],
        result=lambda state, n: (state[0] - n, -state[1]),
        terminal=lambda state: state[0] == 0,
        utility=lambda state: -state[1],
        draw=lambda state: "*" * state[0],
        parse=lambda text: (len(text), MAX),
    )
    problem = only_problem(game)
    assert problem.kind == "parse"
    assert "in which the other player is to move" in problem.message


def test_lint_finds_a_parse_that_refuses_some_positions() -> None:
    def parse(text: str) -> Any:
        if text.startswith("X"):
            raise ValueError("no X in the corner")
        return SMALL.parse(text.replace("\n", "/"))

    problem = only_problem(altered(SMALL, draw=drawn, parse=parse), positions=100)
    assert problem.kind == "parse"
    assert problem.message.endswith("refuses this one: ValueError: no X in the corner")


def test_a_parse_of_another_notation_is_passed_over() -> None:
    def parse(text: str) -> Any:
        raise noughts.BadPosition("write it as you would in a letter")

    assert check_game(altered(SMALL, draw=drawn, parse=parse), positions=50).ok


def test_a_drawing_need_not_tell_how_play_came_there() -> None:
    """The state holds the last cell too, which no drawing shows and no rule looks at."""
    six = {name: (lambda state, name=name: getattr(SMALL, name)(state[0])) for name in FUNCTIONS[1:]}
    game = SimpleNamespace(
        **six
        | {
            "initial": lambda: (SMALL.initial(), None),
            "result": lambda state, cell: (SMALL.result(state[0], cell), cell),
            "draw": lambda state: drawn(state[0]),
            "parse": lambda text: (SMALL.parse(text.replace("\n", "/")), None),
        }
    )
    report = check_game(game, positions=60)
    assert report.ok, report


def test_the_examples_get_no_alarm() -> None:
    for path in sorted(Path("examples").glob("*.py")):
        report = check_game(noughts.load(str(path)), positions=200, seconds=100)
        assert report.ok, report
