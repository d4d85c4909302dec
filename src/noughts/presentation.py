"""Five conventions for tic-tac-toe, as data on top of one engine.

Programs and lessons differ in who is MAX, what a win scores, whether depth counts, who begins, and how
the board is stored. None of that changes the game: a presentation converts such a board into the engine's
state, and the engine's score into the number of the convention.

>>> page = PRESENTATIONS["page"]
>>> rows = [["O", "O", None], ["X", "X", None], ["X", None, None]]
>>> page.score(rows, to_move="O"), page.best(rows, to_move="O")
(9, 3)
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

from noughts.board import NUMBERED, Style, text
from noughts.engine import analyse
from noughts.errors import BadPosition, shown
from noughts.games.lines import LineGame, Marks
from noughts.games.tictactoe import TIC_TAC_TOE
from noughts.search.answer import Answer

__all__ = ["PRESENTATIONS", "PRODUCT", "Encoding", "Presentation", "line_product"]


class Encoding(NamedTuple):
    """How a board is stored: nine marks in reading order, "X", "O" or empty, to that form and back."""

    write: Callable[[Sequence[str]], Any]
    read: Callable[[Any], Sequence[str]]


PRODUCT = {"": 2, "X": 3, "O": 5}
"""Numbers for cells, chosen so that the product over a line shows what is on it: 18 is X, X and an empty cell."""


def line_product(cells: Sequence[int], line: Sequence[int]) -> int:
    """Return the product over a line, on a board of ten numbers whose first is unused."""
    first, second, third = (cells[cell] for cell in line)
    return first * second * third


def _none_for_empty(mark: str) -> str | None:
    return mark or None


ROWS_OF_ROWS = Encoding(
    write=lambda marks: [[_none_for_empty(mark) for mark in marks[start : start + 3]] for start in (0, 3, 6)],
    read=lambda rows: [mark or "" for row in rows for mark in row],
)
PRODUCTS = Encoding(
    write=lambda marks: [0, *(PRODUCT[mark] for mark in marks)],
    read=lambda cells: [{number: mark for mark, number in PRODUCT.items()}[cell] for cell in cells[1:]],
)
FLAT = Encoding(
    write=lambda marks: [mark or " " for mark in marks],
    read=lambda cells: [cell.strip() for cell in cells],
)


class Presentation(NamedTuple):
    """One convention. Boards are in its own encoding; `to_move` is a mark."""

    max_mark: str
    """The mark of the player who wants a high score."""
    begins: str
    win: int
    depth_counts: bool
    encoding: Encoding
    style: Style = NUMBERED

    def score(self, board: Any, to_move: str) -> int:
        """Return the minimax score of a board as this convention counts it: in the view of its MAX.

        Where depth counts, a win that is n plies away scores `win - n`, and a loss `n - win`.
        """
        answer = self.analyse(board, to_move)
        assert answer.margin is not None
        size = self.win - (answer.distance or 0) if self.depth_counts else self.win
        return answer.margin * size * (1 if to_move == self.max_mark else -1)

    def best(self, board: Any, to_move: str) -> int:
        """Return the lowest of the best cells, 1 to 9, for the mark to move."""
        best = self.analyse(board, to_move).best
        if not best:
            raise BadPosition("the game is over on this board, so there is no best cell")
        return best[0]

    def play(self, board: Any, cell: int, to_move: str) -> Any:
        """Return a new board with the mark on the cell; the given board does not change."""
        game, state = self.state(board, to_move)
        return self.board(game, game.result(state, cell))

    def draw(self, board: Any, to_move: str) -> str:
        """Draw the board as this convention prints it."""
        game, state = self.state(board, to_move)
        return text(game.board(state), self.style)

    def after(self, *cells: int) -> Any:
        """Return the board after the cells were played in turn, by the player who begins first."""
        board, to_move = self.encoding.write([""] * 9), self.begins
        for cell in cells:
            board = self.play(board, cell, to_move)
            to_move = "O" if to_move == "X" else "X"
        return board

    def analyse(self, board: Any, to_move: str) -> Answer[int]:
        """Return the engine's answer about a board."""
        return analyse(*self.state(board, to_move))

    def board(self, game: LineGame, state: Marks) -> Any:
        """Return an engine state as this convention stores it."""
        return self.encoding.write([game.mark(state, cell) for cell in game.cells])

    def state(self, board: Any, to_move: str) -> tuple[LineGame, Marks]:
        """Return the engine's game and state for a board.

        Who began follows from the marks and whose turn it is: with as many of each, the one to move did.
        """
        try:
            marks = list(self.encoding.read(board))
        except (LookupError, TypeError, AttributeError):
            raise BadPosition(f"this is not a board of the convention: {shown(repr(board), 60)}") from None
        other = {"X": "O", "O": "X"}.get(to_move)
        if other is None:
            raise BadPosition(f"{to_move!r} cannot be to move; it must be X or O")
        level = marks.count("X") == marks.count("O")
        game = _with_marks((to_move, other) if level else (other, to_move))
        rows = ("".join(mark or "." for mark in marks[start : start + 3]) for start in (0, 3, 6))
        return game, game.parse("/".join(rows))


@cache
def _with_marks(marks: tuple[str, str]) -> LineGame:
    """Return the game with these marks, always the same one, so that what its engine learns is kept."""
    return TIC_TAC_TOE.with_marks(marks)


PRESENTATIONS = {
    # Immutable rows of rows, O is MAX and begins, 10 for a win.
    "rows": Presentation(
        max_mark="O",
        begins="O",
        win=10,
        depth_counts=False,
        encoding=ROWS_OF_ROWS,
        style=Style(blank=" ", margin=("", ""), joint=" | ", rule="---", cross="", trim=False),
    ),
    # A web page: the computer is O and MAX, the person begins with X, 10 less the depth for a win.
    "page": Presentation(max_mark="O", begins="X", win=10, depth_counts=True, encoding=ROWS_OF_ROWS),
    # The formal model: X is MAX and begins, utilities are 1, 0 and -1.
    "formal": Presentation(max_mark="X", begins="X", win=1, depth_counts=False, encoding=FLAT),
    # Numbers 2, 3 and 5 in cells 1 to 9: the computer is X and MAX, the person begins with O.
    "product": Presentation(
        max_mark="X",
        begins="O",
        win=1,
        depth_counts=False,
        encoding=PRODUCTS,
        style=Style(blank="_", margin=("", " "), joint="", rule=None, trim=False),
    ),
    # A console program: the person is X and MAX and begins; empty cells show their number.
    "console": Presentation(max_mark="X", begins="X", win=1, depth_counts=False, encoding=FLAT),
}
