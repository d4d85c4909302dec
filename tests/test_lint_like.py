"""`noughts lint --like GAME`: where a game plays otherwise than one that is known to be right."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import noughts
from noughts.cli import main
from noughts.errors import NoughtsError
from noughts.testing import Report, check_game
from tests.helpers import altered

TIC_TAC_TOE: Any = noughts.load("tic-tac-toe")

BOARD = """
def initial():
    return [[None] * 3 for _ in range(3)]


def player(board):
    return 1 if sum(mark is not None for row in board for mark in row) % 2 == 0 else -1


def actions(board):
    if terminal(board):
        return set()
    return {(row, column) for row in range(3) for column in range(3) if board[row][column] is None}


def result(board, action):
    row, column = action
    new = [list(row) for row in board]
    new[row][column] = "X" if player(board) == 1 else "O"
    return new


LINES = [[(n, 0), (n, 1), (n, 2)] for n in range(3)] + [[(0, n), (1, n), (2, n)] for n in range(3)]
LINES += [[(0, 0), (1, 1), (2, 2)]]
LINES += [[(0, 2), (1, 1), (2, 0)]]


def winner(board):
    for line in LINES:
        marks = {board[row][column] for row, column in line}
        if len(marks) == 1 and None not in marks:
            return marks.pop()
    return None


def full(board):
    return all(mark is not None for row in board for mark in row)


def terminal(board):
    return winner(board) is not None or full(board)


def utility(board):
    return {"X": 1, "O": -1, None: 0}[winner(board)]
"""
"""Tic-tac-toe as students of a well-known course write it: actions are a set of pairs."""


def lint(folder: Path, source: str, capsys: pytest.CaptureFixture[str], positions: int = 700) -> dict[str, Any]:
    """Lint a file with --like, and return its JSON by kind of problem."""
    path = folder / "mine.py"
    path.write_text(source, encoding="utf-8")
    code = main(
        ["lint", str(path), "--like", "tic-tac-toe", "--json", "--seconds", "100", "--positions", str(positions)]
    )
    facts: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert code == (0 if facts["ok"] else 1)
    return {"compared": facts["compared"], **{problem["kind"]: problem for problem in facts["problems"]}}


@pytest.mark.long
def test_a_right_file_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = lint(tmp_path, BOARD, capsys, 20_000)
    assert list(found) == ["compared"]
    assert found["compared"] == (
        "compared with tic-tac-toe in all 5,478 positions, actions matched by sorted order"
        " (0-0=1 0-1=2 0-2=3 1-0=4 1-1=5 1-2=6 2-0=7 2-1=8 2-2=9)"
    )


def test_a_forgotten_diagonal_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And shown by a line that the file itself replays."""
    source = BOARD.replace("LINES += [[(0, 0), (1, 1), (2, 2)]]\n", "")
    problem = lint(tmp_path, source, capsys)["like-terminal"]
    assert problem["message"] == "the file says it is not over, tic-tac-toe says X has won (0-0 1-1 2-2)"
    game = noughts.load(str(tmp_path / "mine.py"))
    state = noughts.replay(game, problem["position"])
    assert state[0][0] == state[1][1] == state[2][2] == "X"


def test_a_full_board_that_is_scored_before_the_win_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    right = 'return {"X": 1, "O": -1, None: 0}[winner(board)]'
    problem = lint(tmp_path, BOARD.replace(right, f"if full(board):\n        return 0\n    {right}"), capsys)[
        "like-utility"
    ]
    assert problem["message"].startswith("the file says it is a draw, tic-tac-toe says X has won (")
    assert problem["advice"] == "utility(state) must be 1 here."
    assert len(problem["position"].split()) == 9


def test_a_win_of_o_that_is_not_scored_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    problem = lint(tmp_path, BOARD.replace('"O": -1', '"O": 0'), capsys)["like-utility"]
    assert problem["message"].startswith("the file says it is a draw, tic-tac-toe says O has won (")


def compared(like: Any = TIC_TAC_TOE, **changes: Any) -> Report:
    return check_game(altered(TIC_TAC_TOE, **changes), positions=300, seconds=100, like=like)


def renamed(names: dict[int, Any], order: list[int]) -> dict[str, Any]:
    """Tic-tac-toe whose actions are called otherwise, and listed in another order."""
    back = {name: cell for cell, name in names.items()}

    def actions(state: Any) -> list[Any]:
        legal = TIC_TAC_TOE.actions(state)
        return [names[cell] for cell in order if cell in legal]

    return {"actions": actions, "result": lambda state, name: TIC_TAC_TOE.result(state, back[name])}


IN_ORDER = list(range(1, 10))
BY_COLUMNS = [1, 4, 7, 2, 5, 8, 3, 6, 9]
COMPASS = dict(zip(IN_ORDER, ["NW", "N", "NE", "W", "mid", "E", "SW", "S", "SE"], strict=True))


@pytest.mark.parametrize(
    ("names", "order", "how"),
    [
        ({cell: cell for cell in IN_ORDER}, IN_ORDER, "by name"),
        ({cell: cell for cell in IN_ORDER}, [9, 1, 8, 2, 7, 3, 6, 4, 5], "by name"),
        ({cell: cell - 1 for cell in IN_ORDER}, IN_ORDER, "by order (0=1 1=2 "),
        ({cell: divmod(cell - 1, 3) for cell in IN_ORDER}, BY_COLUMNS, "by order (0-0=1 1-0=2 "),
        ({cell: "abcdefghi"[cell - 1] for cell in IN_ORDER}, [9, 1, 8, 2, 7, 3, 6, 4, 5], "by sorted order (a=1 b=2 "),
        (COMPASS, IN_ORDER, "by order (NW=1 "),
        (COMPASS, [5, 1, 2, 9, 3, 8, 4, 7, 6], "by structure ("),
    ],
    ids=["1-9", "1-9 in disorder", "0-8", "pairs by columns", "letters in disorder", "compass", "compass in disorder"],
)
def test_the_correspondence_of_actions_is_found(names: dict[int, Any], order: list[int], how: str) -> None:
    report = compared(**renamed(names, order))
    assert report.ok, report
    assert f"actions matched {how}" in report.compared


def test_a_difference_is_told_in_the_names_of_the_game() -> None:
    """A mistake does not hide the correspondence."""
    changes = renamed({cell: cell - 1 for cell in IN_ORDER}, IN_ORDER)
    report = compared(
        **changes, utility=lambda state: 0 if state.first & 0b111 == 0b111 else TIC_TAC_TOE.utility(state)
    )
    assert "actions matched by order (0=1 " in report.compared
    problem = next(problem for problem in report.problems if problem.kind == "like-utility")
    assert problem.message == "the game says it is a draw, Tic-tac-toe says X has won (0-1-2)"


PLANTED: dict[str, tuple[dict[str, Callable[..., Any]], str, str]] = {
    "the wrong player": (
        {"player": lambda state: 1 if state.first.bit_count() < 2 else TIC_TAC_TOE.player(state)},
        "like-player",
        "the game says X is to move, Tic-tac-toe says O is",
    ),
    "a cell that is never offered": (
        {"actions": lambda state: [cell for cell in TIC_TAC_TOE.actions(state) if cell != 9 or not state.first]},
        "like-actions",
        "the game does not offer 9, which is legal there",
    ),
    "a board too small": (
        {"actions": lambda state: [cell for cell in TIC_TAC_TOE.actions(state) if cell != 9]},
        "like-actions",
        "the game does not offer 9",
    ),
    "the size of the utility": (
        {"utility": lambda state: 2 * TIC_TAC_TOE.utility(state), "utility_range": (-2, 2)},  # type: ignore[dict-item]
        "like-utility",
        "the game says utility is -2, Tic-tac-toe says O has won (",
    ),
    "the sign of the utility": (
        {"utility": lambda state: -TIC_TAC_TOE.utility(state)},
        "like-utility",
        "the game says X has won, Tic-tac-toe says O has won (",
    ),
    "over too soon": (
        {
            "terminal": lambda state: TIC_TAC_TOE.terminal(state) or state.second.bit_count() == 4,
            "actions": lambda state: [] if state.second.bit_count() == 4 else TIC_TAC_TOE.actions(state),
        },
        "like-terminal",
        "the game says it is a draw, Tic-tac-toe says it is not over",
    ),
}


@pytest.mark.parametrize(("changes", "kind", "message"), PLANTED.values(), ids=list(PLANTED))
def test_every_kind_of_difference_is_found(changes: dict[str, Any], kind: str, message: str) -> None:
    problems = {problem.kind: problem for problem in compared(**changes).problems}
    assert message in problems[kind].message


def test_players_may_have_the_other_sign() -> None:
    """The computer's O as MAX, as in many a lesson: the same game, and told so."""
    signs = {name: (lambda state, name=name: -getattr(TIC_TAC_TOE, name)(state)) for name in ("player", "utility")}
    report = compared(**signs)
    assert report.ok, report
    assert report.compared.endswith("actions matched by name; its MAX is MIN there")


def test_games_on_other_boards_are_told_apart() -> None:
    report = compared("connect:4x4", **renamed(COMPASS, IN_ORDER))
    assert [problem.kind for problem in report.problems] == ["like-actions"]
    assert "no correspondence was found" in report.problems[0].message
    assert report.compared == "not compared with connect:4x4: no correspondence of actions was found"


@pytest.mark.parametrize("name", ["reversi:4", "nim:2,3", "notakto", "connect:4x3,3"])
def test_every_game_is_like_itself(name: str) -> None:
    """Actions may turn up later that there were none of at the start."""
    six = noughts.load(name)
    offered = {each: getattr(six, each) for each in ("utility_range", "misere", "action_name") if hasattr(six, each)}
    report = check_game(altered(six, **offered), positions=200, seconds=100, like=name)
    assert report.ok, report
    assert "actions matched by name" in report.compared


def test_a_reference_that_is_none_gets_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "tic-tac-toe", "--like", "tictactoe"]) == 2
    assert "did you mean tic-tac-toe?" in capsys.readouterr().err
    with pytest.raises(NoughtsError):
        check_game(TIC_TAC_TOE, like="no-such-game")


def test_the_report_says_how_it_was_compared(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "nim:2,2", "--like", "nim:2,2", "--seconds", "100"]) == 0
    assert capsys.readouterr().out.splitlines()[1] == (
        "(compared with nim:2,2 in all 14 positions, actions matched by name)"
    )
    assert main(["lint", "nim:2,2", "--seconds", "100", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["compared"] == ""
