"""The family of Connect Four: stones dropped into columns, four (or K) in a row win.

`connect:5x4` is 5 columns by 4 rows; `connect:7x6,5` has another length of line.
"""

import os
from collections.abc import Iterator
from functools import cached_property

from noughts.board import Board
from noughts.capabilities import Kernel
from noughts.errors import BadPosition, IllegalAction
from noughts.game import MAX, MIN
from noughts.games.lines import KERNELS, Line, LineGame, Marks, quoted, straight_lines, turns_of

__all__ = ["DropGame", "make"]

LARGEST = 12

APART = 96
"""Bits between two boards in one number: no bit is moved so far by three steps in any direction."""

BOOKS = {(7, 6, 4): "connect-four.book"}
"""The opening books that there are, by columns, rows, and how many in a row."""


class DropGame(LineGame):
    """A game of lines in which an action is a column, and the stone falls to its lowest empty cell.

    Cells are numbered in reading order, so the lowest row holds the highest numbers.
    """

    any_cell = False

    def __init__(self, title: str, columns: int, rows: int, in_a_row: int) -> None:
        mirror_only = [turn for turn in turns_of(columns, rows) if turn[0] in (1, columns) and _upright(turn, columns)]
        super().__init__(
            title, columns, rows, straight_lines(columns, rows, in_a_row), marks=("X", "O"), turns=mirror_only
        )
        self._in_a_row = in_a_row
        self._upwards = {
            column: [row * columns + column for row in reversed(range(rows))] for column in range(1, columns + 1)
        }
        self._column_mask = {column: sum(1 << cell - 1 for cell in self._upwards[column]) for column in self._upwards}
        self._top_bit = {column: 1 << column - 1 for column in self._upwards}
        self.book = _path_of(BOOKS.get((columns, rows, in_a_row)))
        self.preferred = sorted(self._upwards, key=lambda column: abs(2 * column - columns - 1))

    def actions(self, state: Marks) -> list[int]:
        """Return the columns that are not full, from the left."""
        if state.lined:
            return []
        taken = state.first | state.second
        return [column for column, bit in self._top_bit.items() if not taken & bit]

    def result(self, state: Marks, action: int) -> Marks:
        """Return the board with the mover's stone on top of the column."""
        if not isinstance(action, int) or action not in self._upwards:
            raise IllegalAction(f"{action!r} is not a column; columns are 1 to {self.columns}")
        if state.lined:
            raise IllegalAction(f"column {action} cannot be played: the game is over in {self.diagram(state)}")
        cell = self._landing(state, action)
        if cell is None:
            raise IllegalAction(f"column {action} is full in {self.diagram(state)}")
        return self._placed(state, cell)

    def action_at(self, state: Marks, cell: int) -> int | None:
        """Return the column if the cell is where its next stone lands."""
        column = (cell - 1) % self.columns + 1
        return column if self._landing(state, column) == cell else None

    def board(self, state: Marks) -> Board:
        """Return the board's cells, those of completed lines lit; a click on any empty cell plays its column."""
        actions = self.actions(state)
        return tuple(
            tuple(
                cell._replace(plays=(column,)) if column in actions and not cell.mark else cell
                for column, cell in enumerate(row, 1)
            )
            for row in super().board(state)
        )

    def action_name(self, action: int) -> str:
        """Return the column's number."""
        return str(action)

    def line_name(self, line: Line) -> str:
        """Return a description of where a line runs, from the left; rows count from the bottom.

        >>> game = make("7x6")
        >>> [game.line_name(line) for line in ((39, 40, 41, 42), (21, 28, 35, 42), (15, 23, 31, 39), (18, 24, 30, 36))]
        ['columns 4-7 of row 1', 'rows 1-4 of column 7', 'columns 1-4 down from row 4', 'columns 1-4 up from row 1']
        """
        places = sorted(self._place(cell) for cell in line)
        (column, row), (last_column, last_row) = places[0], places[-1]
        if column == last_column:
            return f"rows {row}-{last_row} of column {column}"
        columns = f"columns {column}-{last_column}"
        if row == last_row:
            return f"{columns} of row {row}"
        return f"{columns} {'up' if row < last_row else 'down'} from row {row}"

    def _place(self, cell: int) -> tuple[int, int]:
        """Return the column of a cell, and its row from the bottom."""
        return (cell - 1) % self.columns + 1, self.rows - (cell - 1) // self.columns

    def _cells_to_take(self, state: Marks) -> dict[int, int]:
        landings = ((column, self._landing(state, column)) for column in self.actions(state))
        return {column: cell for column, cell in landings if cell is not None}

    def split_actions(self, text: str) -> list[str]:
        """Return the columns of a position; up to nine columns may be written without spaces, as in `4453`."""
        words = text.replace(",", " ").split()
        return [sign for word in words for sign in word] if self.columns <= 9 else words

    def kernel(self) -> Kernel | None:
        """Return the kernel's rules, for boards that fit in 63 bits with an extra row; None for larger ones."""
        if self.columns * (self.rows + 1) > 63:
            return None
        shape = {"COLUMNS": self.columns, "ROWS": self.rows, "IN_A_ROW": self._in_a_row}
        return Kernel(KERNELS + "connect.py", self._packed, shape, action=self._column)

    def solver(self) -> Kernel | None:
        """Return the rules for all positions, for boards that fit in 63 bits with an extra row; else None."""
        if self.columns * (self.rows + 1) > 63:
            return None
        shape = {"COLUMNS": self.columns, "ROWS": self.rows, "IN_A_ROW": self._in_a_row}
        return Kernel(KERNELS + "connect_solver.py", self._mine_and_taken, shape)

    def _mine_and_taken(self, state: Marks) -> tuple[int, int]:
        """Return the stones of the player to move, and all stones, as bits in columns."""
        first, second = self._upright_bits(state.first), self._upright_bits(state.second)
        return (first if self.player(state) == MAX else second), first | second

    def symmetries(self, state: Marks) -> Iterator[Marks]:
        """Yield the board, and its mirror image."""
        yield state
        if self.columns > 1:
            yield Marks(self._mirrored(state.first), self._mirrored(state.second), state.lined)

    def _mirrored(self, cells: int) -> int:
        """Return the mirror image of a set of cells, row by row."""
        found, reversed_row, columns = 0, self._reversed_row, self.columns
        for shift in range(0, columns * self.rows, columns):
            found |= reversed_row[cells >> shift & len(reversed_row) - 1] << shift
        return found

    @cached_property
    def _reversed_row(self) -> list[int]:
        """The mirror image of every set of cells in a row."""
        return [int(f"{cells:0{self.columns}b}"[::-1], 2) for cells in range(1 << self.columns)]

    def _column(self, move: int) -> int:
        """Return the column that a move of the kernel plays."""
        return (move.bit_length() - 1) // (self.rows + 1) + 1

    def _packed(self, state: Marks) -> tuple[int, int, int, int]:
        if self._in_a_row != 4:
            mine, theirs, my_wins, their_wins = (self._upright_bits(cells) for cells in super()._packed(state))
            return mine, mine | theirs, my_wins, their_wins
        # The same by bit operations, which are quicker than looking at every line, for both players at once.
        first, second, _ = state
        board = self._upright_board
        stones = self._upright_bits(first, second)
        wins = self._completing(stones)
        taken = (stones | stones >> APART) & board
        empty = board ^ taken
        if first.bit_count() == second.bit_count():
            return stones & board, taken, wins & empty, wins >> APART & empty
        return stones >> APART, taken, wins >> APART & empty, wins & empty

    def _completing(self, stones: int) -> int:
        """Return the cells that would complete four in a row, and perhaps bits that are not empty cells."""
        up = self.rows + 1
        found = stones << 1 & stones << 2 & stones << 3
        for step in (up - 1, up, up + 1):
            before, after = stones << step, stones >> step
            found |= before & stones << 2 * step & (stones << 3 * step | after)
            found |= after & stones >> 2 * step & (stones >> 3 * step | before)
        return found

    def _upright_bits(self, cells: int, others: int = 0) -> int:
        """Return a set of cells with the bits of a column next to each other, the lowest first, and one left empty.

        Another set of cells can be added, `APART` bits higher.
        """
        found, row_bits = 0, (1 << self.columns) - 1
        for shift, row, other_row in self._upright_rows:
            found |= row[cells >> shift & row_bits] | other_row[others >> shift & row_bits]
        return found

    @cached_property
    def _upright_board(self) -> int:
        """The cells of the board, as bits in columns."""
        return self._upright_bits((1 << self.columns * self.rows) - 1)

    @cached_property
    def _upright_rows(self) -> list[tuple[int, list[int], list[int]]]:
        """For each row, from the highest down: where its cells begin, and the bits in columns for every set of them.

        These bits come twice: as they are, and `APART` bits higher.
        """
        columns = [1 << (self.rows + 1) * column for column in range(self.columns)]
        spread = [sum(bit for n, bit in enumerate(columns) if cells >> n & 1) for cells in range(1 << self.columns)]
        found = []
        for down in range(self.rows):
            row = [bits << self.rows - 1 - down for bits in spread]
            found.append((down * self.columns, row, [bits << APART for bits in row]))
        return found

    def _landing(self, state: Marks, column: int) -> int | None:
        """Return the lowest empty cell of a column, or None if it is full."""
        height = ((state.first | state.second) & self._column_mask[column]).bit_count()
        return self._upwards[column][height] if height < self.rows else None

    def _reachable(self, first: int, second: int, diagram: str) -> Marks:
        """Return the state if some order of play leads to it, found by taking stones off; else raise BadPosition."""
        state = super()._reachable(first, second, diagram)
        for column, cells in self._upwards.items():
            stones = [(first | second) >> cell - 1 & 1 for cell in cells]
            if stones != sorted(stones, reverse=True):
                raise BadPosition(f"a stone hangs in the air in column {column}: {quoted(diagram)}")
        seen: set[tuple[int, int]] = set()
        waiting = [(first, second)]
        while waiting:
            pair = waiting.pop()
            if pair == (0, 0):
                return state
            if pair in seen:
                continue
            seen.add(pair)
            waiting.extend(self._before(Marks(*pair)))
        raise BadPosition(f"no order of play leads to these stones: {quoted(diagram)}")

    def _before(self, state: Marks) -> list[tuple[int, int]]:
        """Return the boards one stone earlier in which the game was not over."""
        last_mover = MIN if state.first.bit_count() == state.second.bit_count() else MAX
        held = state.first if last_mover == MAX else state.second
        earlier = []
        for cells in self._upwards.values():
            height = sum((state.first | state.second) >> cell - 1 & 1 for cell in cells)
            bit = 1 << cells[height - 1] - 1 if height else 0
            if held & bit:
                pair = (state.first & ~bit, state.second & ~bit)
                if not self.completed(Marks(*pair)):
                    earlier.append(pair)
        return earlier


def _upright(turn: tuple[int, ...], columns: int) -> bool:
    """Say whether a symmetry keeps every cell in its row, so that stones still fall downwards."""
    return all((to - 1) // columns == cell // columns for cell, to in enumerate(turn))


def _path_of(book: str | None) -> str | None:
    """Return the path of a book among those that come with the games; None if it is not there."""
    if book is None:
        return None
    path = os.path.join(os.path.dirname(__file__), "books", book)
    return path if os.path.exists(path) else None


def make(arguments: str) -> DropGame:
    """Return the game for `WxH` or `WxH,K`: width, height, and how many in a row (4 unless given).

    >>> make("5x4").title
    'Connect 4 on 5 x 4'
    """
    size, comma, in_a_row = arguments.partition(",")
    width, _, height = size.partition("x")
    words = (width.strip(), height.strip(), in_a_row.strip() if comma else "4")
    if not all(word.isdecimal() for word in words):
        raise ValueError("give width x height, and how many in a row if not 4")
    columns, rows, length = map(int, words)
    if not (1 <= columns <= LARGEST and 1 <= rows <= LARGEST and 1 <= length <= LARGEST):
        raise ValueError(f"width, height and length are 1 to {LARGEST}")
    return DropGame(f"Connect {length} on {columns} x {rows}", columns, rows, length)
