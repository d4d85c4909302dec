"""Notakto: both players place X, on one to three boards of three by three, and whoever makes the last line loses.

1. In turn, each player puts an X on an empty cell of a live board. Both play X.
2. A board with three in a row is dead: nothing is placed on it any more.
3. Whoever kills the last live board loses. There are no draws.

Boards are a, b and c, so that `b5` is the centre of the second one; on a single board `5` will do.
Whose turn it is follows from the number of marks.

>>> from noughts.notation import replay
>>> game = make("2")
>>> print(game.diagram(replay(game, "a1 b5 a9")))
X../.../..X//.../.X./...

With one board the first player wins, with two the second, with three the first: Plambeck and Whitehead,
The Secrets of Notakto: Winning at X-only Tic-Tac-Toe, 2013.
"""

from collections.abc import Iterator
from itertools import chain, permutations
from typing import NamedTuple

from noughts.board import Board, Cell
from noughts.capabilities import Kernel
from noughts.errors import BadPosition, IllegalAction, shown
from noughts.game import MAX, MIN
from noughts.games.lines import KERNELS, Marks, quoted, read_rows
from noughts.games.tictactoe import TIC_TAC_TOE

__all__ = ["DEAD", "MOST_BOARDS", "TURNED", "Boards", "Notakto", "make"]

MOST_BOARDS = 3
"""Each board multiplies the number of positions by about 450: three boards have 91 million."""

CELLS = range(1, 10)
EVERY_BOARD = range(1 << len(CELLS))


class Boards(NamedTuple):
    """A state: for each board, the cells that hold an X, as a set of bits.

    Cell n is bit n - 1, and cells are numbered in reading order:

         1 | 2 | 3         bit 0   bit 1   bit 2
        ---+---+---
         4 | 5 | 6         bit 3   bit 4   bit 5
        ---+---+---
         7 | 8 | 9         bit 6   bit 7   bit 8
    """

    crosses: tuple[int, ...]


# One board has only 512 fillings, so facts about boards are looked up in tables.

DEAD = frozenset(board for board in EVERY_BOARD if TIC_TAC_TOE.completed(Marks(board)))
"""The boards with three in a row."""
TURNED = tuple(tuple(image.first for image in TIC_TAC_TOE.symmetries(Marks(board))) for board in EVERY_BOARD)
"""The 8 symmetric images of each board, always in the same order."""
LOWEST_TURN = tuple(map(min, TURNED))
"""The image that represents all eight."""


class Notakto:
    """The game on some number of boards. The player who begins is MAX."""

    marks = ("First", "Second")
    misere = True

    def __init__(self, boards: int = 1) -> None:
        if not 1 <= boards <= MOST_BOARDS:
            raise ValueError(f"there can be 1 to {MOST_BOARDS} boards, not {boards}")
        self.title = "Notakto" if boards == 1 else f"Notakto on {boards} boards"
        self.boards = range(boards)
        # A live board holds at most 6 marks, and the seventh kills it.
        self.longest = 7 * boards
        letters = "abc"[:boards]
        self._placements = {f"{letter}{cell}": (board, cell) for board, letter in enumerate(letters) for cell in CELLS}
        self.preferred = tuple(f"{letter}{cell}" for cell in TIC_TAC_TOE.preferred for letter in letters)
        self._orders = tuple(permutations(self.boards))

    # The six functions.

    def initial(self) -> Boards:
        """Return the empty boards."""
        return Boards((0,) * len(self.boards))

    def player(self, state: Boards) -> int:
        """Return MAX, who begins, while the number of marks is even."""
        return MIN if sum(map(int.bit_count, state.crosses)) % 2 else MAX

    def actions(self, state: Boards) -> list[str]:
        """Return the empty cells of live boards, board by board."""
        return [
            action
            for action, (board, cell) in self._placements.items()
            if state.crosses[board] not in DEAD and not state.crosses[board] >> cell - 1 & 1
        ]

    def result(self, state: Boards, action: str) -> Boards:
        """Return the boards with an X on the cell."""
        if not isinstance(action, str) or action not in self._placements:
            names = list(self._placements)
            raise IllegalAction(
                f"{action!r} is not a cell in {self.diagram(state)}; cells are {names[0]} to {names[-1]}"
            )
        if self.terminal(state):
            raise IllegalAction(f"{action} cannot be played: the game is over in {self.diagram(state)}")
        board, cell = self._placements[action]
        crosses, bit = state.crosses[board], 1 << cell - 1
        if crosses in DEAD:
            raise IllegalAction(f"{action} cannot be played: board {action[0]} is dead in {self.diagram(state)}")
        if crosses & bit:
            raise IllegalAction(f"{action} cannot be played: the cell is taken in {self.diagram(state)}")
        return Boards((*state.crosses[:board], crosses | bit, *state.crosses[board + 1 :]))

    def terminal(self, state: Boards) -> bool:
        """Say whether every board is dead."""
        return DEAD.issuperset(state.crosses)

    def utility(self, state: Boards) -> int:
        """Return 1 if MAX won and -1 if MIN did: not the player who killed the last board, but who would be next."""
        return self.player(state)

    # Optional functions.

    def key(self, state: Boards) -> int:
        """Return all boards as one number, 9 bits a board, the first board highest."""
        number = 0
        for crosses in state.crosses:
            number = number << len(CELLS) | crosses
        return number

    def symmetries(self, state: Boards) -> Iterator[Boards]:
        """Yield the boards in every order, all with the same rotation or reflection: 8, 16 or 48 images.

        Each board could be turned separately, which makes up to 8 * 8 * 8 * 6 = 3,072 images on three boards:
        listing them costs more than it saves. `canonical` covers all of them.
        """
        for order in self._orders:
            views = [TURNED[state.crosses[board]] for board in order]
            for turned in zip(*views, strict=True):
                yield Boards(turned)

    def canonical(self, state: Boards) -> Boards:
        """Return the symmetric image with the lowest key, in any order of boards, each turned separately."""
        return Boards(tuple(sorted(LOWEST_TURN[crosses] for crosses in state.crosses)))

    def tier(self, state: Boards) -> int:
        """Return how many crosses there are."""
        return sum(map(int.bit_count, state.crosses))

    def kernel(self) -> Kernel:
        """Return the kernel's rules."""
        return Kernel(KERNELS + "notakto.py", _packed, {"BOARDS": len(self.boards)})

    def action_name(self, action: str) -> str:
        """Return the action, which is also its name."""
        return action

    def action_aliases(self, action: str) -> list[str]:
        """Return the cell's number without a letter, if there is only one board."""
        return [action[1:]] if len(self.boards) == 1 else []

    def board(self, state: Boards) -> Board:
        """Return the boards below each other with a gap between, their lines lit; a dead board offers no action."""
        rows: list[tuple[Cell, ...]] = []
        for letter, crosses in zip("abc", state.crosses, strict=False):
            if rows:
                rows.append(())
            for row in TIC_TAC_TOE.board(Marks(crosses)):
                playable = crosses not in DEAD
                rows.append(tuple(_lettered(cell, letter, playable) for cell in row))
        return tuple(rows)

    def diagram(self, state: Boards) -> str:
        """Return the boards on one line, rows separated by `/` and boards by `//`; `parse` reads it back."""
        return "//".join(TIC_TAC_TOE.diagram(Marks(crosses)) for crosses in state.crosses)

    def parse(self, diagram: str) -> Boards:
        """Read boards: `X../.X./...//.../.../...`, or rows as drawn. Positions that play cannot reach are refused.

        Boards are independent, so each is checked alone: one without a line can be reached in any order of its marks,
        and in one with lines a single mark must have completed them all.
        """
        rows = read_rows(diagram)
        if [len(row) for row in rows] != [3] * 3 * len(self.boards):
            raise BadPosition(f"here are {3 * len(self.boards)} rows of 3 cells: {quoted(diagram)}")
        crosses = [0 for _ in self.boards]
        for (name, (board, cell)), mark in zip(self._placements.items(), chain.from_iterable(rows), strict=True):
            if mark.upper() == "X":
                crosses[board] |= 1 << cell - 1
            elif mark.lower() not in (
                "",
                ".",
                "_",
                name,
                *self.action_aliases(name),
            ):  # in a drawing, an empty cell shows its name
                raise BadPosition(f"{shown(mark)} is not a mark of cell {name}; use X, and . for empty")
        for board in crosses:
            lines = TIC_TAC_TOE.completed(Marks(board))
            if lines and not set(CELLS).intersection(*lines):
                raise BadPosition(f"a board was dead before these lines were made: {quoted(diagram)}")
        return Boards(tuple(crosses))


def _packed(state: Boards) -> tuple[int]:
    """Return a state as the kernel has it: nine bits a board, the first board lowest."""
    return (sum(crosses << len(CELLS) * board for board, crosses in enumerate(state.crosses)),)


def _lettered(cell: Cell, letter: str, playable: bool) -> Cell:
    """Return a cell of tic-tac-toe as one of a lettered board; an empty cell of a dead board has no action."""
    return cell._replace(action=f"{letter}{cell.action}" if playable or cell.mark else None)


def make(arguments: str) -> Notakto:
    """Return the game on the given number of boards, by default one.

    >>> make("3").title
    'Notakto on 3 boards'
    """
    by_number = {str(boards): boards for boards in range(1, MOST_BOARDS + 1)} | {"": 1}
    number = arguments.strip()
    if number not in by_number:
        raise ValueError(f"the number of boards is 1 to {MOST_BOARDS}, not {shown(arguments)}")
    return Notakto(by_number[number])
