"""Wild tic-tac-toe: on three by three, whoever moves chooses the mark.

1. In turn, each player puts either an X or an O on any empty cell.
2. Whoever completes a line of three equal marks wins, whoever placed the others.
3. A full board without such a line is a draw.

An action is written as the cell and the mark, `5x` or `5o`. Marks belong to nobody, so the players are
called First and Second, and whose turn it is follows from the number of marks.

>>> from noughts.notation import replay
>>> game = make("")
>>> print(game.diagram(replay(game, "5x 1o 9o")))
O../.X./..O
"""

from itertools import chain
from typing import NamedTuple

from noughts.board import Board, Cell
from noughts.capabilities import Kernel
from noughts.errors import BadPosition, IllegalAction, shown
from noughts.game import MAX, MIN
from noughts.games.lines import KERNELS, Marks, quoted, read_rows
from noughts.games.notakto import TURNED
from noughts.games.tictactoe import TIC_TAC_TOE

__all__ = ["WILD", "Placed", "Wild", "make"]


class Placed(NamedTuple):
    """A state: the cells that hold an X and those that hold an O, as sets of bits.

    Cell n is bit n - 1, and cells are numbered in reading order:

         1 | 2 | 3         bit 0   bit 1   bit 2
        ---+---+---
         4 | 5 | 6         bit 3   bit 4   bit 5
        ---+---+---
         7 | 8 | 9         bit 6   bit 7   bit 8
    """

    crosses: int = 0
    noughts: int = 0
    lined: bool = False
    """Whether the mark placed last completed a line."""


CELLS = range(1, 10)
PLACEMENTS = {f"{cell}{mark}": (cell, mark) for cell in CELLS for mark in "xo"}
"""What each action places: the cell, and the mark."""
EVERY_CELL = 0b111_111_111


class Wild:
    """The game. Its board, lines and symmetries are those of tic-tac-toe; only the choice of marks differs."""

    title = "Wild tic-tac-toe"
    marks = ("First", "Second")
    longest = len(CELLS)
    preferred = tuple(f"{cell}{mark}" for cell in TIC_TAC_TOE.preferred for mark in "xo")

    # The six functions.

    def initial(self) -> Placed:
        """Return the empty board."""
        return Placed()

    def player(self, state: Placed) -> int:
        """Return MAX, who begins, while the number of marks is even."""
        return MIN if (state.crosses | state.noughts).bit_count() % 2 else MAX

    def actions(self, state: Placed) -> list[str]:
        """Return each empty cell with either mark, lowest cell first, X before O."""
        if state.lined:
            return []
        taken = state.crosses | state.noughts
        return [action for action, (cell, _) in PLACEMENTS.items() if not taken >> cell - 1 & 1]

    def result(self, state: Placed, action: str) -> Placed:
        """Return the board with the chosen mark on the chosen cell."""
        if not isinstance(action, str) or action not in PLACEMENTS:
            raise IllegalAction(f"{action!r} is not an action in {self.diagram(state)}; play 1x to 9x or 1o to 9o")
        if self.terminal(state):
            raise IllegalAction(f"{action} cannot be played: the game is over in {self.diagram(state)}")
        cell, mark = PLACEMENTS[action]
        crosses, noughts, _ = state
        bit = 1 << cell - 1
        if (crosses | noughts) & bit:
            raise IllegalAction(f"{action} cannot be played: cell {cell} is taken in {self.diagram(state)}")
        if mark == "x":
            crosses = equal = crosses | bit
        else:
            noughts = equal = noughts | bit
        return Placed(crosses, noughts, bool(TIC_TAC_TOE.completed(Marks(equal))))

    def terminal(self, state: Placed) -> bool:
        """Say whether a line is complete or the board is full."""
        return state.lined or state.crosses | state.noughts == EVERY_CELL

    def utility(self, state: Placed) -> int:
        """Return 1 if MAX completed a line, -1 if MIN did, 0 for a draw."""
        return -self.player(state) if state.lined else 0

    # Optional functions.

    def key(self, state: Placed) -> int:
        """Return both sets of cells as one number; whether a line is complete follows from them."""
        return state.crosses << len(CELLS) | state.noughts

    def symmetries(self, state: Placed) -> list[Placed]:
        """Return the board turned and reflected in all 8 ways, each also with X and O exchanged."""
        turned = list(zip(TURNED[state.crosses], TURNED[state.noughts], strict=True))
        exchanged = [(noughts, crosses) for crosses, noughts in turned]
        return [Placed(crosses, noughts, state.lined) for crosses, noughts in turned + exchanged]

    def tier(self, state: Placed) -> int:
        """Return how many cells are taken."""
        return (state.crosses | state.noughts).bit_count()

    def kernel(self) -> Kernel:
        """Return the kernel's rules."""
        return Kernel(KERNELS + "wild.py", lambda state: (state.crosses, state.noughts))

    def action_name(self, action: str) -> str:
        """Return the action, which is also its name."""
        return action

    def board(self, state: Placed) -> Board:
        """Return the board's cells, those of completed lines lit.

        Two actions play on a cell, so it shows the number that both begin with.
        """
        actions = self.actions(state)

        def wild(cell: Cell) -> Cell:
            plays = tuple(action for action in actions if PLACEMENTS[action][0] == cell.action)
            return cell._replace(action=str(cell.action), plays=plays)

        return tuple(tuple(map(wild, row)) for row in TIC_TAC_TOE.board(Marks(*state)))

    def diagram(self, state: Placed) -> str:
        """Return the board on one line, rows separated by `/`; `parse` reads it back."""
        return TIC_TAC_TOE.diagram(Marks(*state))

    def parse(self, diagram: str) -> Placed:
        """Read a board: `O../.X./..O`, or rows as they are drawn. Boards that play cannot reach are refused.

        Any board without a line can be reached, in any order of its marks. In a board with lines, one mark,
        placed last, must have completed them all.
        """
        rows = read_rows(diagram)
        if [len(row) for row in rows] != [3, 3, 3]:
            raise BadPosition(f"a board here has 3 rows of 3 cells: {quoted(diagram)}")
        held = {"X": 0, "O": 0}
        for cell, mark in zip(CELLS, chain.from_iterable(rows), strict=True):
            if mark.upper() in held:
                held[mark.upper()] |= 1 << cell - 1
            elif mark not in ("", ".", "_", str(cell)):  # in a drawing, an empty cell shows its number
                raise BadPosition(f"{shown(mark)} is not a mark; use X, O and . for empty")
        marks = Marks(held["X"], held["O"])
        lines = TIC_TAC_TOE.completed(marks)
        if lines and not set(CELLS).intersection(*lines):
            raise BadPosition(f"play would have ended before these lines were made: {quoted(diagram)}")
        return Placed(marks.first, marks.second, bool(lines))


WILD = Wild()


def make(arguments: str) -> Wild:
    """Return the game, which takes no arguments."""
    if arguments:
        raise ValueError("wild takes no arguments")
    return WILD
