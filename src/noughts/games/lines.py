"""Games of lines: two players place marks in turn on a board, and a completed line decides.

Boards, lines and marks are data. Tic-tac-toe is one instance; another board is another instance.
"""

from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple

from noughts.board import Board, Cell
from noughts.errors import BadPosition, IllegalAction
from noughts.game import MAX, MIN

__all__ = ["LineGame", "Marks", "straight_lines"]

Line = tuple[int, ...]


class Marks(NamedTuple):
    """A state: the cells of the player who began and of the one who followed, as sets of bits.

    Cell n is bit n - 1, and cells are numbered as one reads, so on a board of 3 x 3:

         1 | 2 | 3         bit 0   bit 1   bit 2
        ---+---+---
         4 | 5 | 6         bit 3   bit 4   bit 5
        ---+---+---
         7 | 8 | 9         bit 6   bit 7   bit 8
    """

    first: int = 0
    second: int = 0
    lined: bool = False
    """Whether the mark placed last completed a line."""


def straight_lines(columns: int, rows: int, in_a_row: int) -> tuple[Line, ...]:
    """Return every straight run of `in_a_row` cells: across, down, and along both diagonals.

    >>> straight_lines(3, 3, 3)
    ((1, 2, 3), (4, 5, 6), (7, 8, 9), (1, 4, 7), (2, 5, 8), (3, 6, 9), (1, 5, 9), (3, 5, 7))
    """
    lines = []
    for right, down in ((1, 0), (0, 1), (1, 1), (-1, 1)):
        for row, column in product(range(rows), range(columns)):
            end_row, end_column = row + down * (in_a_row - 1), column + right * (in_a_row - 1)
            if 0 <= end_row < rows and 0 <= end_column < columns:
                start, step = row * columns + column + 1, down * columns + right
                lines.append(tuple(start + step * i for i in range(in_a_row)))
    return tuple(lines)


class LineGame:
    """Place marks in turn; whoever completes a line wins (`misere`: loses). A full board is a draw.

    `marks` are the marks of the player who begins, who is MAX, and of the one who follows.
    """

    def __init__(
        self,
        title: str,
        columns: int,
        rows: int,
        lines: Sequence[Line],
        marks: tuple[str, str] = ("X", "O"),
        misere: bool = False,
    ) -> None:
        self.title = title
        self.columns, self.rows = columns, rows
        self.lines = tuple(lines)
        self.marks = marks
        self.misere = misere
        self.cells = range(1, columns * rows + 1)
        self.longest = len(self.cells)
        self.preferred = sorted(self.cells, key=self._distance_from_centre)
        self._full = (1 << len(self.cells)) - 1
        masks = {line: sum(1 << cell - 1 for cell in line) for line in self.lines}
        self._masks = tuple(masks.values())
        self._masks_through = {cell: tuple(mask for line, mask in masks.items() if cell in line) for cell in self.cells}
        self._turns = self._symmetric_turns()

    def with_marks(self, marks: tuple[str, str]) -> "LineGame":
        """Return the same game, begun with other marks."""
        return LineGame(self.title, self.columns, self.rows, self.lines, marks, self.misere)

    # The six functions.

    def initial(self) -> Marks:
        """Return the empty board."""
        return Marks()

    def player(self, state: Marks) -> int:
        """Return MAX, who begins, while both have placed equally many marks."""
        return MAX if state.first.bit_count() == state.second.bit_count() else MIN

    def actions(self, state: Marks) -> list[int]:
        """Return the empty cells, lowest first."""
        if state.lined:
            return []
        taken = state.first | state.second
        return [cell for cell in self.cells if not taken >> cell - 1 & 1]

    def result(self, state: Marks, action: int) -> Marks:
        """Return the board with the mover's mark on the cell."""
        if not isinstance(action, int) or action not in self.cells:
            raise IllegalAction(f"{action!r} is no cell; cells are 1 to {len(self.cells)}")
        if state.lined:
            raise IllegalAction(f"cell {action} cannot be played: the game is over in {self.diagram(state)}")
        first, second, _ = state
        bit = 1 << action - 1
        if (first | second) & bit:
            raise IllegalAction(f"cell {action} is taken in {self.diagram(state)}")
        if self.player(state) == MAX:
            first = placed = first | bit
        else:
            second = placed = second | bit
        return Marks(first, second, any(placed & mask == mask for mask in self._masks_through[action]))

    def terminal(self, state: Marks) -> bool:
        """Say whether a line is complete or the board is full."""
        return state.lined or state.first | state.second == self._full

    def utility(self, state: Marks) -> int:
        """Return 1 if MAX won, -1 if MIN won, 0 for a draw."""
        if not state.lined:
            return 0
        line_maker = -self.player(state)
        return -line_maker if self.misere else line_maker

    # What it offers beyond them.

    def key(self, state: Marks) -> int:
        """Return both sets of cells as one number; whether a line is complete follows from them."""
        return state.first << len(self.cells) | state.second

    def symmetries(self, state: Marks) -> list[Marks]:
        """Return the board turned and reflected in every way that keeps its lines."""
        return [Marks(_turn(state.first, turn), _turn(state.second, turn), state.lined) for turn in self._turns]

    def board(self, state: Marks) -> Board:
        """Return the board's cells, those of completed lines lit."""
        lit = {cell for line in self.completed(state) for cell in line}
        cells = [Cell(self.mark(state, cell), cell, cell in lit) for cell in self.cells]
        return tuple(tuple(cells[start : start + self.columns]) for start in range(0, len(cells), self.columns))

    def mark(self, state: Marks, cell: int) -> str:
        """Return the mark on a cell, or nothing if it is empty."""
        if state.first >> cell - 1 & 1:
            return self.marks[0]
        return self.marks[1] if state.second >> cell - 1 & 1 else ""

    def completed(self, state: Marks) -> list[Line]:
        """Return the lines that one player holds entirely."""
        return [
            line
            for line, mask in zip(self.lines, self._masks, strict=True)
            if mask in (state.first & mask, state.second & mask)
        ]

    def diagram(self, state: Marks) -> str:
        """Return the board on one line, rows separated by `/`; `parse` reads it back."""
        return "/".join("".join(cell.mark or "." for cell in row) for row in self.board(state))

    def parse(self, diagram: str) -> Marks:
        """Read a board: `O.X/.X./...`, or rows as they are drawn. Only boards that play can reach are read."""
        held: dict[str, int] = dict.fromkeys(self.marks, 0)
        rows = _read_rows(diagram)
        if len(rows) != self.rows or any(len(row) != self.columns for row in rows):
            raise BadPosition(f"a board here has {self.rows} rows of {self.columns} cells: {_one_line(diagram)}")
        for cell, mark in zip(self.cells, (mark for row in rows for mark in row), strict=True):
            if mark in held:
                held[mark] |= 1 << cell - 1
            elif mark:
                raise BadPosition(f"{mark!r} is no mark; use {self.marks[0]}, {self.marks[1]} and . for empty")
        return self._reachable(held[self.marks[0]], held[self.marks[1]], diagram)

    def _reachable(self, first: int, second: int, diagram: str) -> Marks:
        """Return the state if some order of play leads to it, else raise BadPosition."""
        lead = first.bit_count() - second.bit_count()
        begins, follows = self.marks
        if lead not in (0, 1):
            raise BadPosition(
                f"{begins} begins and {follows} follows, so {begins} has as many marks or one more:"
                f" {_one_line(diagram)}"
            )
        lines = self.completed(Marks(first, second))
        if lines:
            # One mark, placed last, must have completed them all.
            common = (first if lead else second) & self._full
            for line in lines:
                common &= sum(1 << cell - 1 for cell in line)
            if not common:
                raise BadPosition(f"play would have ended before these lines were made: {_one_line(diagram)}")
        return Marks(first, second, bool(lines))

    def _distance_from_centre(self, cell: int) -> int:
        row, column = divmod(cell - 1, self.columns)
        return (2 * row - self.rows + 1) ** 2 + (2 * column - self.columns + 1) ** 2

    def _symmetric_turns(self) -> list[list[int]]:
        """Return, as lists of where each cell goes, the turns of the board that map lines to lines."""
        wide, high = self.columns, self.rows
        grid = [[row * wide + column + 1 for column in range(wide)] for row in range(high)]
        turned: dict[tuple[int, ...], None] = {}
        for _ in range(4):
            for view in (grid, [row[::-1] for row in grid]):
                if len(view) == high:
                    turned[tuple(cell for row in view for cell in row)] = None
            grid = [list(row) for row in zip(*grid[::-1], strict=True)]
        lines = {frozenset(line) for line in self.lines}
        return [
            list(turn) for turn in turned if {frozenset(turn[cell - 1] for cell in line) for line in lines} == lines
        ]


def _turn(held: int, turn: Iterable[int]) -> int:
    return sum(1 << to - 1 for bit, to in enumerate(turn) if held >> bit & 1)


def _read_rows(diagram: str) -> list[list[str]]:
    """Split a diagram into rows of marks, an empty cell as an empty text; rules between rows are passed over."""
    rows = []
    for line in diagram.strip("\n").replace("/", "\n").splitlines():
        cells = [cell.strip(" []") for cell in line.split("|")] if "|" in line else list(line.strip())
        if set(line.strip()) - set("-+"):
            rows.append(["" if cell in ("", ".", "_") or cell.isdigit() else cell.upper() for cell in cells])
    return rows


def _one_line(diagram: str) -> str:
    return repr(" / ".join(diagram.split("\n"))[:60])
