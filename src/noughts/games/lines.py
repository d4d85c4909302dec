"""Games of lines: two players place marks in turn on a board, and a completed line decides the game.

Boards, lines and marks are data. Tic-tac-toe is one instance; another board is another instance.
"""

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from functools import cached_property
from itertools import accumulate, product
from string import ascii_lowercase
from typing import NamedTuple

from noughts.board import Board, Cell
from noughts.capabilities import Kernel, Lineup
from noughts.errors import BadPosition, IllegalAction, counted, one_line, shown
from noughts.game import MAX, MIN

__all__ = ["Line", "LineGame", "Marks", "Turn", "quoted", "read_rows", "shifts_of", "straight_lines", "turns_of"]

KERNELS = __file__.removesuffix("lines.py") + "kernels/"
"""The folder of the kernels' rules."""

LARGEST_KERNEL = 31
"""The most cells of a board that a kernel solves: its key has twice as many bits."""

LARGEST_DEEP_KERNEL = 126
"""The most cells of a board with a kernel: it has two numbers of 63 bits for a set of cells."""

PLAIN_KERNEL = 9
"""The most cells of a board whose kernel uses the general rules for boards."""

Line = tuple[int, ...]
"""The cells of a winning line."""

Turn = tuple[int, ...]
"""A rotation or reflection of a board: where each cell goes, in order of the cells."""


class Marks(NamedTuple):
    """A state: the cells of the player who began and of the one who followed, as sets of bits.

    Cell n is bit n - 1, and cells are numbered in reading order, so on a board of 3 x 3:

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


def straight_lines(columns: int, rows: int, in_a_row: int, torus: bool = False) -> tuple[Line, ...]:
    """Return every straight run of `in_a_row` cells: across, down, and along both diagonals.

    On a torus, runs that leave the board at one edge continue at the opposite one.

    >>> straight_lines(3, 3, 3)
    ((1, 2, 3), (4, 5, 6), (7, 8, 9), (1, 4, 7), (2, 5, 8), (3, 6, 9), (1, 5, 9), (3, 5, 7))
    """
    lines: dict[frozenset[int], Line] = {}
    for right, down in ((1, 0), (0, 1), (1, 1), (-1, 1)):
        for row, column in product(range(rows), range(columns)):
            run = [(row + down * i, column + right * i) for i in range(in_a_row)]
            if torus:
                run = [(r % rows, c % columns) for r, c in run]
            if all(0 <= r < rows and 0 <= c < columns for r, c in run) and len(set(run)) == in_a_row:
                line = tuple(r * columns + c + 1 for r, c in run)
                lines.setdefault(frozenset(line), line)
    return tuple(lines.values())


def turns_of(columns: int, rows: int) -> list[Turn]:
    """Return the rotations and reflections of a board."""
    grid = [[row * columns + column + 1 for column in range(columns)] for row in range(rows)]
    turned: dict[Turn, None] = {}
    for _ in range(4):
        for view in (grid, [row[::-1] for row in grid]):
            if len(view) == rows:
                turned[tuple(cell for row in view for cell in row)] = None
        grid = [list(row) for row in zip(*grid[::-1], strict=True)]
    return list(turned)


def shifts_of(turn: Turn, columns: int) -> Iterator[Turn]:
    """Yield a turned board shifted by every number of rows and columns, as a torus can be."""
    rows = [turn[start : start + columns] for start in range(0, len(turn), columns)]
    for down, right in product(range(len(rows)), range(columns)):
        shifted = (row[right:] + row[:right] for row in rows[down:] + rows[:down])
        yield tuple(cell for row in shifted for cell in row)


class LineGame:
    """Place marks in turn; whoever completes a line wins (`misere`: loses). A full board is a draw.

    `marks` are the marks of the player who begins, who is MAX, and of the other. `turns` are the symmetries of the
    board; those that do not map lines to lines are dropped. On a `torus`, shifts are symmetries too. Cells are named by
    their numbers, or with `coordinates` by column letter and row number. `layer` is how many rows are drawn together.
    """

    any_cell = True
    """Whether a player may take any empty cell."""

    def __init__(
        self,
        title: str,
        columns: int,
        rows: int,
        lines: Sequence[Line],
        *,
        marks: tuple[str, str] = ("X", "O"),
        misere: bool = False,
        turns: Sequence[Turn] | None = None,
        torus: bool = False,
        coordinates: bool = False,
        layer: int | None = None,
        preferred: Sequence[int] | None = None,
    ) -> None:
        self.title = title
        self.columns, self.rows = columns, rows
        self.lines = tuple(lines)
        self.marks = marks
        self.misere = misere
        self.cells = range(1, columns * rows + 1)
        self.longest = len(self.cells)
        self._full = (1 << len(self.cells)) - 1
        self._masks = tuple(_bits(line) for line in self.lines)
        self._masks_through = {cell: tuple(m for m in self._masks if m >> cell - 1 & 1) for cell in self.cells}
        given = turns_of(columns, rows) if turns is None else turns
        self._kept_turns = [turn for turn in given if _keeps(self.lines, turn)]
        self._torus = torus
        self._coordinates = coordinates
        self._layer = layer or rows
        self.preferred = sorted(self.cells, key=self._lines_lost) if preferred is None else list(preferred)

    def with_marks(self, marks: tuple[str, str]) -> "LineGame":
        """Return the same game with other marks."""
        other = copy(self)
        other.marks = marks
        return other

    @cached_property
    def _turns(self) -> list[Turn]:
        """The symmetries that map lines to lines. All shifts of a torus do, but a large torus has thousands."""
        if not self._torus:
            return self._kept_turns
        return list(dict.fromkeys(shifted for turn in self._kept_turns for shifted in shifts_of(turn, self.columns)))

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
            raise IllegalAction(f"{action!r} is not a cell; cells are 1 to {len(self.cells)}")
        if state.lined:
            raise IllegalAction(f"cell {action} cannot be played: the game is over in {self.diagram(state)}")
        if (state.first | state.second) >> action - 1 & 1:
            raise IllegalAction(f"cell {action} is taken in {self.diagram(state)}")
        return self._placed(state, action)

    def terminal(self, state: Marks) -> bool:
        """Say whether a line is complete or the board is full."""
        return state.lined or state.first | state.second == self._full

    def utility(self, state: Marks) -> int:
        """Return 1 if MAX won, -1 if MIN won, 0 for a draw."""
        if not state.lined:
            return 0
        line_maker = -self.player(state)
        return -line_maker if self.misere else line_maker

    def _placed(self, state: Marks, cell: int) -> Marks:
        """Return the board with the mover's mark on a cell, which must be empty."""
        first, second, _ = state
        bit = 1 << cell - 1
        if first.bit_count() == second.bit_count():
            first = placed = first | bit
        else:
            second = placed = second | bit
        for mask in self._masks_through[cell]:
            if placed & mask == mask:
                return Marks(first, second, True)
        return Marks(first, second, False)

    # Optional functions.

    def key(self, state: Marks) -> int:
        """Return both sets of cells as one number; whether a line is complete follows from them."""
        return state.first << self.longest | state.second

    def symmetries(self, state: Marks) -> Iterator[Marks]:
        """Yield every symmetric image of the board; a torus has thousands."""
        for turn in self._turns:
            yield Marks(_turned(state.first, turn), _turned(state.second, turn), state.lined)

    def utility_bounds(self, state: Marks) -> tuple[int, int]:
        """Return the lowest and highest utility still possible: a player whose lines are all blocked cannot win."""
        first, second, _ = state
        first_can = second_can = False
        for mask in self._masks:
            if not mask & second:
                first_can = True
                if second_can:
                    break
            if not mask & first:  # a line that is still empty is open to both
                second_can = True
                if first_can:
                    break
        if self.misere:
            first_can, second_can = second_can, first_can
        return -1 if second_can else 0, 1 if first_can else 0

    def plies(self, state: Marks) -> int:
        """Return how many cells are taken."""
        return (state.first | state.second).bit_count()

    def heuristic(self, state: Marks) -> int:
        """Return MAX's open lines minus MIN's; a line with more marks weighs more."""
        first, second, _ = state
        total = 0
        for mask in self._masks:
            if not mask & second:
                total += 1 << 2 * (mask & first).bit_count()
            if not mask & first:
                total -= 1 << 2 * (mask & second).bit_count()
        return -total if self.misere else total

    def kernel(self) -> Kernel | None:
        """Return the kernel's rules, for boards on which a set of cells fits in two numbers; else None."""
        if len(self.cells) > LARGEST_DEEP_KERNEL:
            return None
        shared: dict[str, int | tuple[int, ...]] = {
            "MISERE": int(self.misere),
            "longest": self.longest,
            "LINES": self._masks,
        }
        if len(self.cells) <= PLAIN_KERNEL:
            return Kernel(KERNELS + "board.py", _movers, shared, action=int.bit_length)
        through = [[n for n, mask in enumerate(self._masks) if mask >> cell - 1 & 1] for cell in self.cells]
        shared["THROUGH"] = tuple(n for numbers in through for n in numbers)
        shared["FIRST"] = (0, *accumulate(map(len, through)))
        if len(self.cells) > LARGEST_KERNEL:
            first, more = zip(*map(_in_two, self._masks), strict=True)
            return Kernel(KERNELS + "wide_lines.py", self._packed_wide, {**shared, "LINES": first, "MORE": more})
        turned_cells = tuple(to - 1 for turn in self._turns for to in turn)
        return Kernel(
            KERNELS + "lines.py",
            self._packed,
            {
                **shared,
                "TURNS": turned_cells,
                # Symmetry costs time: the more images there are, the fewer plies use it.
                "TURNED_UNTIL": max(1, self.longest // 3 - len(self._turns) // 12),
            },
            action=int.bit_length,  # cell n is bit n - 1
        )

    def solver(self) -> Kernel | None:
        """Return the rules for all positions, for boards whose positions fit in a number of 62 bits; else None."""
        if len(self.cells) > LARGEST_KERNEL:
            return None
        turned_cells = tuple(to - 1 for turn in self._turns for to in turn)
        parameters: dict[str, int | tuple[int, ...]] = {
            "MISERE": int(self.misere),
            "CELLS": self.longest,
            "LINES": self._masks or (1 << 62,),
            "TURNS": turned_cells,
        }
        return Kernel(KERNELS + "lines_solver.py", _movers, parameters)

    def _packed(self, state: Marks) -> tuple[int, int, int, int]:
        mine, theirs = _movers(state)
        return mine, theirs, self._lasts(mine, theirs), self._lasts(theirs, mine)

    def _packed_wide(self, state: Marks) -> tuple[int, ...]:
        balance = self.heuristic(state) * self.player(state)
        return (*(half for cells in self._packed(state) for half in _in_two(cells)), balance)

    def _lasts(self, own: int, other: int) -> int:
        """Return the empty cells that would complete a line of one player."""
        found = 0
        for mask in self._masks:
            rest = mask & ~own
            if rest & (rest - 1) == 0 and not rest & other:  # one bit or none
                found |= rest
        return found

    def lineup(self, state: Marks) -> Lineup[int]:
        """Return the lines, the cells that each player holds, and the cell that each action takes."""
        first, second = (frozenset(n for n in self.cells if held >> n - 1 & 1) for held in state[:2])
        cells = self._cells_to_take(state)
        return Lineup(self.lines, {MAX: first, MIN: second}, cells, self.any_cell and not self.misere)

    def _cells_to_take(self, state: Marks) -> dict[int, int]:
        return {cell: cell for cell in self.actions(state)}

    def line_name(self, line: Line) -> str:
        """Return the cells of a line, by their names."""
        return "-".join(self.action_name(cell) for cell in line)

    def action_name(self, action: int) -> str:
        """Return a cell's number, or its column letter and row number."""
        if not self._coordinates:
            return str(action)
        row, column = divmod(action - 1, self.columns)
        return f"{ascii_lowercase[column]}{row + 1}"

    def action_aliases(self, action: int) -> list[str]:
        """Return a cell's number, which is always accepted."""
        return [str(action)]

    def board(self, state: Marks) -> Board:
        """Return the board's cells, those of completed lines lit, with a gap between layers."""
        lit = {cell for line in self.completed(state) for cell in line}
        cells = [Cell(self.mark(state, cell), self.action_at(state, cell), cell in lit) for cell in self.cells]
        rows: list[tuple[Cell, ...]] = []
        for row in range(self.rows):
            if row and row % self._layer == 0:
                rows.append(())
            rows.append(tuple(cells[row * self.columns : (row + 1) * self.columns]))
        return tuple(rows)

    def action_at(self, _: Marks, cell: int) -> int | None:
        """Return the action that puts a mark on a cell: the cell itself."""
        return cell

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
        return "/".join("".join(cell.mark or "." for cell in row) for row in self.board(state) if row)

    def parse(self, diagram: str) -> Marks:
        """Read a board: `O.X/.X./...`, or rows as they are drawn. Only boards that play can reach are read."""
        rows = read_rows(diagram, self.columns)
        if len(rows) != self.rows or any(len(row) != self.columns for row in rows):
            raise BadPosition(
                f"a board here has {counted(self.rows, 'row')} of {counted(self.columns, 'cell')}: {quoted(diagram)}"
            )
        begins, follows = (mark.lower() for mark in self.marks)
        held = {begins: 0, follows: 0}
        for cell, mark in zip(self.cells, (mark for row in rows for mark in row), strict=True):
            if mark.lower() in held:
                held[mark.lower()] |= 1 << cell - 1
            elif mark not in ("", ".", "_") and not mark.isdigit() and mark.lower() != self.action_name(cell):
                raise BadPosition(f"{mark!r} is not a mark; use {self.marks[0]}, {self.marks[1]} and . for empty")
        return self._reachable(held[begins], held[follows], diagram)

    def _reachable(self, first: int, second: int, diagram: str) -> Marks:
        """Return the state if some order of play leads to it, else raise BadPosition."""
        lead = first.bit_count() - second.bit_count()
        begins, follows = self.marks
        if lead not in (0, 1):
            raise BadPosition(
                f"{begins} begins and {follows} follows, so {begins} has as many marks or one more: {quoted(diagram)}"
            )
        lines = self.completed(Marks(first, second))
        if lines:
            # One mark, placed last, must have completed them all.
            common = first if lead else second
            for line in lines:
                common &= _bits(line)
            if not common:
                raise BadPosition(f"play would have ended before these lines were made: {quoted(diagram)}")
        return Marks(first, second, bool(lines))

    def _lines_lost(self, cell: int) -> int:
        """Return how many lines do not pass through a cell; the fewer, the better the cell."""
        return len(self.lines) - len(self._masks_through[cell])


def _movers(state: Marks) -> tuple[int, int]:
    """Return the cells of the player to move, and of the other."""
    first, second, _ = state
    return (first, second) if first.bit_count() == second.bit_count() else (second, first)


def _in_two(cells: int) -> tuple[int, int]:
    """Return a set of up to 126 cells as two numbers of 63 bits, the lower one first."""
    return cells & (1 << 63) - 1, cells >> 63


def _bits(cells: Iterable[int]) -> int:
    return sum(1 << cell - 1 for cell in cells)


def _turned(held: int, turn: Turn) -> int:
    return sum(1 << to - 1 for bit, to in enumerate(turn) if held >> bit & 1)


def _keeps(lines: Sequence[Line], turn: Turn) -> bool:
    before = {frozenset(line) for line in lines}
    return {frozenset(turn[cell - 1] for cell in line) for line in lines} == before


def read_rows(diagram: str, columns: int = 0) -> list[list[str]]:
    """Return the rows of a diagram, each a list with one text for each cell; gaps and rules between rows are skipped.

    Cells are separated by bars, or are one letter each; on a board of one column a row is a cell.
    """
    return [
        [cell.strip(" []") for cell in line.split("|")] if "|" in line or columns == 1 else list(line.strip())
        for line in diagram.replace("/", "\n").splitlines()
        if set(line.strip()) - set("-+")
    ]


def quoted(diagram: str) -> str:
    """Return a diagram in quotes, for a message."""
    return shown(one_line(diagram), 60)
