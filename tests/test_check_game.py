"""The checker, on games with one mistake planted in each, and on games that have none."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

import noughts
from noughts import MAX, MIN
from noughts.cli import lint
from noughts.errors import NoughtsError
from noughts.games.lines import LineGame, Marks, straight_lines
from noughts.games.tictactoe import TIC_TAC_TOE as GAME
from noughts.testing import Problem, check_game
from tests.helpers import altered


def only_problem(game: Any, **options: Any) -> Problem:
    report = check_game(game, **options)
    assert [problem.kind for problem in report.problems][1:] == [], report
    assert not report.ok
    return report.problems[0]


def lists() -> SimpleNamespace:
    """Tic-tac-toe on a list of nine, as beginners write it, without a mistake."""

    def winner(board: list[str]) -> int:
        for line in GAME.lines:
            marks = {board[cell - 1] for cell in line}
            if len(marks) == 1 and " " not in marks:
                return MAX if marks == {"X"} else MIN
        return 0

    def player(board: list[str]) -> int:
        return MAX if board.count("X") == board.count("O") else MIN

    def terminal(board: list[str]) -> bool:
        return winner(board) != 0 or " " not in board

    def result(board: list[str], cell: int) -> list[str]:
        return [*board[:cell], "X" if player(board) == MAX else "O", *board[cell + 1 :]]

    return SimpleNamespace(
        initial=lambda: [" "] * 9,
        player=player,
        actions=lambda board: [] if terminal(board) else [cell for cell in range(9) if board[cell] == " "],
        result=result,
        terminal=terminal,
        utility=winner,
    )


@pytest.mark.parametrize(
    "game",
    [
        GAME,
        GAME.with_marks(("O", "X")),
        LineGame("misère", 3, 3, GAME.lines, misere=True),
        LineGame("4 x 3", 4, 3, straight_lines(4, 3, 3)),
        lists(),
        noughts.load("examples/matches.py"),
    ],
    ids=["tic-tac-toe", "O begins", "misère", "4 x 3", "lists", "matches"],
)
@pytest.mark.parametrize("positions", [1_500, pytest.param(6_000, marks=pytest.mark.long)])
def test_good_games_pass(game: Any, positions: int) -> None:
    """The long run sees all positions of most of them."""
    report = check_game(game, positions=positions)
    assert report.ok, report


def test_all_positions_are_counted() -> None:
    report = check_game(lists())
    assert (report.positions, report.complete) == (5478, True)
    assert report.summary == "no problem in all 5,478 positions"
    partial = check_game(GAME, positions=100)
    assert not partial.complete
    assert "not all" in partial.summary


def drop_stones(width: int, height: int) -> Any:
    """A game of dropped stones: what an action does depends on when it is played."""
    line_game = LineGame("drop", width, height, straight_lines(width, height, 3))

    def cell(state: Marks, column: int) -> int | None:
        taken = state.first | state.second
        free = (row * width + column for row in reversed(range(height)))
        return next((place for place in free if not taken >> place - 1 & 1), None)

    return altered(
        line_game,
        actions=lambda state: [column for column in range(1, width + 1) if not state.lined and cell(state, column)],
        result=lambda state, column: line_game.result(state, cell(state, column) or 0),
    )


def test_games_in_which_order_matters_are_not_suspected_of_draws_on_the_last_cell() -> None:
    report = check_game(drop_stones(3, 4))
    assert report.ok, report
    assert report.complete


def mutating_result(board: list[str], cell: int) -> list[str]:
    board[cell] = "X" if board.count("X") == board.count("O") else "O"
    return board


def shuffled(state: Marks) -> list[int]:
    actions = GAME.actions(state)
    SHUFFLE.shuffle(actions)
    return actions


SHUFFLE = Random(5)


def failing(state: Marks) -> list[int]:
    return GAME.actions(state) if (state.first | state.second) != 0b11 else [{}["no"]]  # type: ignore[index]


FULL = (1 << 9) - 1


def shift(held: int) -> int:
    return (held << 1 | held >> 8) & FULL


PLANTED: dict[str, tuple[Callable[[], Any], str, str, str]] = {
    # name: the game, the kind of problem, the position that shows it, words of the message
    "result changes its argument": (
        lambda: altered(lists(), result=mutating_result),
        "changes-argument",
        "",
        "result(state, 0) changed the state it was given",
    ),
    "unstable actions": (lambda: altered(GAME, actions=shuffled), "unstable-actions", "", "and then"),
    "duplicate actions": (
        lambda: altered(GAME, actions=lambda state: GAME.actions(state) * 2),
        "duplicate-actions",
        "",
        "offers 1 twice",
    ),
    "names that do not tell actions apart": (
        lambda: altered(GAME, action_name=lambda cell: str(cell % 5)),
        "duplicate-actions",
        "",
        "two different actions are both named 1",
    ),
    "dead end": (
        lambda: altered(
            GAME, offering=["board"], actions=lambda state: [] if state.first == 0b1001 else GAME.actions(state)
        ),
        "dead-end",
        "1 2 4",
        "there is nothing to play, yet terminal(state) is False",
    ),
    "actions after the end": (
        lambda: altered(lists(), actions=lambda board: [cell for cell in range(9) if board[cell] == " "]),
        "actions-after-end",
        "0 1 3 2 6",
        "the game is over, yet actions(state) offers 4 5 7 8",
    ),
    "utility out of range": (
        lambda: altered(GAME, utility=lambda state: 10 * GAME.utility(state)),
        "utility-range",
        "1 2 4 3 7",
        "utility(state) is 10, outside -1 to 1",
    ),
    "utility of the wrong sign": (
        lambda: altered(GAME, utility=lambda state: -GAME.utility(state)),
        "utility-sign",
        "1 2 4 3 7",
        "MAX made the last move and utility(state) is -1",
    ),
    "utility in the mover's view": (
        lambda: altered(GAME, utility=lambda state: -1 if state.lined else 0),
        "utility-sign",
        "1 2 4 3 7",
        "it has that sign in every decided game",
    ),
    "utility 1 for whoever wins": (
        lambda: altered(GAME, utility=lambda state: 1 if state.lined else 0),
        "utility-sign",
        "",
        "MIN made the last move and utility(state) is 1",
    ),
    "a wrong misere": (
        lambda: altered(GAME, misere=True),
        "utility-sign",
        "1 2 4 3 7",
        "the player who decides it wins",
    ),
    "key that merges different states": (
        lambda: altered(GAME, key=lambda state: state.first | state.second),
        "key-merges",
        "",
        "and so has the different state after",
    ),
    "key that merges symmetric states": (
        lambda: altered(GAME, key=lambda state: min(map(GAME.key, GAME.symmetries(state)))),
        "key-merges",
        "3",
        "",
    ),
    "an invalid symmetry": (
        lambda: altered(
            GAME,
            offering=["key"],
            symmetries=lambda state: [state, Marks(state.second, state.first, state.lined)],
        ),
        "symmetry",
        "1",
        "",
    ),
    "symmetry that shifts the board": (
        lambda: altered(
            GAME,
            offering=["key"],
            symmetries=lambda state: [state, Marks(shift(state.first), shift(state.second), state.lined)],
        ),
        "symmetry",
        "",
        "symmetries(state) holds a state",
    ),
    "a game that can go on for ever": (
        lambda: SimpleNamespace(
            initial=lambda: 2,
            player=lambda place: MAX if place % 2 else MIN,
            actions=lambda place: [] if place in (0, 5) else ["left", "right"],
            result=lambda place, action: place + (1 if action == "right" else -1),
            terminal=lambda place: place in (0, 5),
            utility=lambda place: -1 if place else 1,
        ),
        "endless",
        "left right",
        "the position after the start is repeated",
    ),
    "a game that grows for ever": (
        lambda: SimpleNamespace(
            initial=lambda: 0,
            player=lambda n: MAX if n % 2 == 0 else MIN,
            actions=lambda _: [1, 2],
            result=lambda n, action: n + action,
            terminal=lambda _: False,
            utility=lambda _: 0,
        ),
        "endless",
        "",
        "play still goes on after",
    ),
    "longer than it says": (lambda: altered(GAME, longest=8), "endless", "", "still goes on after 8 moves"),
    "a win on the last cell taken for a draw": (
        lambda: altered(GAME, utility=lambda state: 0 if state.first | state.second == FULL else GAME.utility(state)),
        "last-cell-draw",
        "",
        "ends in a draw, yet the same action decides the game in",
    ),
    "a win on the last cell taken for a draw, on a list": (
        lambda: altered(lists(), utility=lambda board: 0 if " " not in board else lists().utility(board)),
        "last-cell-draw",
        "",
        "ends in a draw, yet the same action decides the game in",
    ),
    "player by name": (lambda: altered(GAME, player=lambda _: "X"), "player", "", "player(state) returned 'X'"),
    "terminal without a return": (
        lambda: altered(GAME, terminal=lambda state: GAME.terminal(state) or None),
        "terminal",
        "",
        "terminal(state) returned None",
    ),
    "utility without a return": (
        lambda: altered(GAME, utility=lambda _: None),
        "utility",
        "1 2 4 3 7",
        "utility(state) returned None",
    ),
    "result without a return": (lambda: altered(GAME, result=lambda *_: None), "result", "", "returned None"),
    "actions that raise": (
        lambda: altered(GAME, actions=failing),
        "raises",
        "1 2",
        "actions(state) raised KeyError: 'no'",
    ),
    "a start that changes": (
        lambda: altered(GAME, initial=iter([Marks(1), Marks(2), Marks(4)]).__next__),
        "unstable-start",
        "",
        "two different states",
    ),
    "a key that cannot be hashed": (lambda: altered(GAME, key=list), "key", "", "TypeError"),
    "a key that changes": (lambda: altered(GAME, key=lambda _: object()), "key", "", "different each time"),
}


@pytest.mark.parametrize(("make", "kind", "position", "words"), PLANTED.values(), ids=list(PLANTED))
def test_planted_mistakes_are_found(make: Callable[[], Any], kind: str, position: str, words: str) -> None:
    game = make()
    problem = only_problem(game)
    assert problem.kind == kind
    assert words in problem.message
    assert problem.advice
    assert "\n" not in problem.message + problem.advice
    if position:
        assert problem.position == position


@pytest.mark.parametrize("name", ["a win on the last cell taken for a draw", "dead end", "actions after the end"])
def test_the_counterexample_can_be_replayed(name: str) -> None:
    """The position of a problem is notation: replayed, it shows the very mistake."""
    game = PLANTED[name][0]()
    problem = only_problem(game)
    state = noughts.replay(game, problem.position)
    if name == "a win on the last cell taken for a draw":
        assert GAME.utility(state) != 0
        assert game.utility(state) == 0
    elif name == "dead end":
        assert not game.terminal(state)
        assert not list(game.actions(state))
    else:
        assert game.terminal(state)
        assert list(game.actions(state))


def test_mistakes_beyond_the_first_positions_are_found_by_games_of_chance() -> None:
    late = altered(GAME, utility=lambda state: 7 * GAME.utility(state))
    assert only_problem(late, positions=50).kind == "utility-range"


def test_a_report_reads_well() -> None:
    report = check_game(PLANTED["dead end"][0]())
    assert str(report).splitlines() == [
        "1 problem in all 5,457 positions",
        "",
        "1. dead-end: there is nothing to play, yet terminal(state) is False (seen in 7 positions)",
        "   Return True from terminal(state), or offer an action such as a pass.",
        "   after 1 2 4:",
        "    X | O | 3",
        "   ---+---+---",
        "    X | 5 | 6",
        "   ---+---+---",
        "    7 | 8 | 9",
    ]


def test_long_lines_are_cut_short_for_people_and_kept_whole_for_programs() -> None:
    problem = only_problem(PLANTED["a game that grows for ever"][0]())
    length = len(problem.position.split())
    assert length > 1000
    assert problem.where.endswith(f" ... ({length:,} actions)")


def test_a_broken_drawing_is_a_finding_and_shown_without_it() -> None:
    problem = only_problem(altered(GAME, draw=lambda _: 1 / 0))
    assert problem.message == "draw(state) raised ZeroDivisionError: division by zero"
    assert problem.drawing.startswith("Marks(")


class Cached:
    """A state that knows when it equals another, and keeps what it found out beside that."""

    def __init__(self, board: tuple[str, ...]) -> None:
        self.board = board
        self.found: list[int] | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cached) and self.board == other.board

    def __hash__(self) -> int:
        return hash(self.board)


@dataclass(frozen=True)
class Frozen:
    board: tuple[str, ...]

    @cached_property
    def empty(self) -> list[int]:
        return [cell for cell, mark in enumerate(self.board) if mark == " "]


def wrapped(make: Any, empty: Callable[[Any], list[int]]) -> SimpleNamespace:
    """Tic-tac-toe on lists, with the board inside a state of another kind."""
    plain = lists()
    return SimpleNamespace(
        initial=lambda: make((" ",) * 9),
        player=lambda state: plain.player(list(state.board)),
        actions=lambda state: [] if plain.terminal(list(state.board)) else empty(state),
        result=lambda state, cell: make(tuple(plain.result(list(state.board), cell))),
        terminal=lambda state: plain.terminal(list(state.board)),
        utility=lambda state: plain.utility(list(state.board)),
    )


def remember(state: Cached) -> list[int]:
    if state.found is None:
        state.found = [cell for cell, mark in enumerate(state.board) if mark == " "]
    return state.found


def with_history() -> SimpleNamespace:
    """Tic-tac-toe whose state is the list of moves, and whose key forgets their order, rightly."""
    return SimpleNamespace(
        initial=lambda: (),
        player=lambda moves: MAX if len(moves) % 2 == 0 else MIN,
        actions=lambda moves: GAME.actions(noughts.replay(GAME, moves)),
        result=lambda moves, cell: (*moves, cell),
        terminal=lambda moves: GAME.terminal(noughts.replay(GAME, moves)),
        utility=lambda moves: GAME.utility(noughts.replay(GAME, moves)),
        key=lambda moves: (frozenset(moves[::2]), frozenset(moves[1::2])),
    )


def pursuit() -> SimpleNamespace:
    """One side can only catch the other or fail to: MAX can never win, and the game says so."""
    return SimpleNamespace(
        initial=lambda: (0, 4, 0),
        player=lambda state: MAX if state[2] % 2 == 0 else MIN,
        actions=lambda state: [-1, 1],
        result=lambda state, step: (
            (max(0, min(4, state[0] + step)), state[1], state[2] + 1)
            if state[2] % 2 == 0
            else (state[0], max(0, min(4, state[1] + step)), state[2] + 1)
        ),
        terminal=lambda state: state[0] == state[1] or state[2] == 8,
        utility=lambda state: -1 if state[0] == state[1] else 0,
        utility_range=(-1, 0),
    )


@pytest.mark.parametrize(
    "make",
    [
        lambda: wrapped(Cached, remember),
        lambda: wrapped(Frozen, lambda state: state.empty),
        with_history,
        lambda: altered(
            pursuit(),
            offering=["utility_range"],
            actions=lambda state: [] if pursuit().terminal(state) else [-1, 1],
        ),
        lambda: drop_stones(4, 3),
    ],
    ids=["own cache", "cached_property", "history with a key", "only one side can win", "dropped stones"],
)
def test_right_games_that_look_suspicious_pass(make: Callable[[], Any]) -> None:
    report = check_game(make(), positions=1500)
    assert report.ok, report


def random_result(state: Marks, _: int) -> Marks:
    return GAME.result(state, SHUFFLE.choice(GAME.actions(state)))


def sorting(board: list[str]) -> bool:
    over: bool = lists().terminal(board)
    if over:
        board.sort()
    return over


MORE_PLANTED: dict[str, tuple[Callable[[], Any], str, str]] = {
    "terminal changes its argument": (
        lambda: altered(lists(), terminal=sorting),
        "changes-argument",
        "terminal(state) changed",
    ),
    "result by chance": (lambda: altered(GAME, result=random_result), "unstable-result", "two different states"),
    "player nought at the end": (
        lambda: altered(GAME, player=lambda state: 0 if GAME.terminal(state) else GAME.player(state)),
        "player-at-end",
        "player(state) returned 0",
    ),
    "early lines scored for MAX": (
        lambda: altered(
            GAME,
            utility=lambda state: (
                1 if state.lined and (state.first | state.second).bit_count() < 7 else GAME.utility(state)
            ),
        ),
        "utility-sign",
        "yet by the same player it ends in",
    ),
    "symmetries that return nothing": (lambda: altered(GAME, symmetries=lambda _: None), "raises", "symmetries(state)"),
    "symmetries without the state itself": (lambda: altered(GAME, symmetries=lambda _: []), "symmetry", "itself"),
    "action_name that raises": (lambda: altered(GAME, action_name=lambda: ""), "raises", "the name of the action 1"),
    "names with a blank": (lambda: altered(GAME, action_name=lambda n: f"cell {n}"), "action-name", "'cell 1'"),
    "board of texts": (lambda: altered(GAME, board=lambda _: [["X"]]), "raises", "rows of noughts.board.Cell"),
    "invalid bounds": (
        lambda: altered(GAME, utility_bounds=lambda _: (0, 0)),
        "utility_bounds",
        "yet best play ends in 1",
    ),
    "plies counted wrongly": (
        lambda: altered(GAME, plies=lambda state: state.first.bit_count()),
        "plies",
        "plies(state) is 1 after 2",
    ),
    "an invalid canonical key": (
        lambda: altered(GAME, canonical=lambda state: state.first.bit_count()),
        "canonical",
        "which is worth something else",
    ),
    "a message of two lines": (lambda: altered(GAME, actions=two_lines), "raises", "ValueError: one / two"),
    "leaves the program": (lambda: altered(GAME, actions=lambda _: sys.exit("bye")), "raises", "SystemExit: bye"),
}


def two_lines(_: Marks) -> list[int]:
    raise ValueError("one\ntwo")


@pytest.mark.parametrize(("make", "kind", "words"), MORE_PLANTED.values(), ids=list(MORE_PLANTED))
def test_more_planted_mistakes_are_found(make: Callable[[], Any], kind: str, words: str) -> None:
    problem = only_problem(make())
    assert problem.kind == kind
    assert words in problem.message
    assert "\n" not in problem.message


def test_a_long_game_that_ends_is_not_endless() -> None:
    pile = SimpleNamespace(
        initial=lambda: (9_000, MAX),
        player=lambda state: state[1],
        actions=lambda state: [n for n in (1, 2, 3) if n <= state[0]],
        result=lambda state, n: (state[0] - n, -state[1]),
        terminal=lambda state: state[0] == 0,
        utility=lambda state: -state[1],
    )
    assert check_game(pile, positions=100).ok


def test_time_is_limited_if_asked_for() -> None:
    report = check_game(LineGame("large", 7, 7, straight_lines(7, 7, 5)), positions=10**9, seconds=0.2)
    assert not report.complete
    assert report.ok, report


@pytest.mark.parametrize("seconds", ["-1", "nan"])
def test_lint_refuses_an_invalid_time(seconds: str) -> None:
    """Otherwise nothing is checked, and lint says that there is no problem."""
    with pytest.raises(NoughtsError, match="--seconds must be 0, which sets no limit, or a number above 0"):
        lint.run(["tic-tac-toe", "--seconds", seconds])


def test_lint_takes_0_seconds_for_no_limit_like_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert lint.run(["nim:1,2", "--seconds", "0"]) == 0
    assert capsys.readouterr().out == "nim:1,2: no problem in all 8 positions\n"


def test_many_actions_are_no_hindrance() -> None:
    wide = SimpleNamespace(
        initial=lambda: (),
        player=lambda state: MAX if len(state) % 2 == 0 else MIN,
        actions=lambda state: range(20_000) if len(state) < 2 else [],
        result=lambda state, action: (*state, action),
        terminal=lambda state: len(state) == 2,
        utility=lambda state: 1 if state[0] > state[1] else -1,
    )
    assert check_game(wide, positions=300, seconds=2).ok


@pytest.mark.parametrize("notation", ["misere", "connect:3x3,3"])
def test_a_game_that_is_not_free_and_says_so(notation: str) -> None:
    game: Any = noughts.load(notation)
    problem = only_problem(altered(game, ["misere"], lineup=lambda state: game.lineup(state)._replace(is_free=True)))
    assert problem.kind == "lineup"
    assert "says that the game is free, but" in problem.message
