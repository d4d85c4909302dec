"""Reversi, also known as Othello: surround the other player's discs to turn them over.

The rules, on a board of N x N squares, N even, 4 to 8:

1. Black, who is MAX, begins. Two discs of each colour lie on the four squares of the centre, equal colours
   on a diagonal, the upper left one white.
2. A player places a disc so that one or more straight runs of the other's discs, in any of the eight
   directions, lie between it and another disc of the player's own. All discs of those runs change colour.
3. Whoever can place no such disc passes; nobody else may.
4. When neither can place a disc the game is over, with or without empty squares.
5. Discs are counted, and only discs: empty squares belong to nobody. The utility is Black's discs less White's.

Squares are named by column letter and row number, counted from the top left: `c4`.
"""

import re
from operator import lshift, rshift
from typing import NamedTuple

from noughts.bits import word
from noughts.board import Board, Cell, text
from noughts.capabilities import Kernel
from noughts.errors import BadPosition, IllegalAction, shown
from noughts.game import MAX, MIN
from noughts.games.lines import KERNELS, quoted

__all__ = ["PASS", "Discs", "Reversi", "make"]

PASS = 0
"""The action of a player who can place no disc. Every other action is the number of a square, from 1."""

CORNER_WORTH = 30
"""The value of a corner in the heuristic, in available moves."""

SIGN = re.compile(r"[a-z][1-8]|[^\s|+\[\]-]", re.IGNORECASE)
"""One square of a diagram: the name of a square that can be played, or a single character."""


class Discs(NamedTuple):
    """A state: the squares of Black and of White as sets of bits, and who is to move.

    Square n is bit n - 1, and squares are numbered in reading order, so on a board of 4 x 4:

        a1 b1 c1 d1         bit  0  1  2  3
        a2 b2 c2 d2         bit  4  5  6  7
        a3 b3 c3 d3         bit  8  9 10 11
        a4 b4 c4 d4         bit 12 13 14 15

    One step right, down, down-right or down-left is a shift to the left by 1, N, N + 1 or N - 1; a shift to the
    right is the step back.
    """

    black: int
    white: int
    mover: int = MAX


class Reversi:
    """Reversi on a board of `size` x `size` squares."""

    def __init__(self, size: int = 8) -> None:
        if size not in (4, 6, 8):
            raise ValueError("a board of reversi has 4, 6 or 8 squares a side")
        self.size = size
        self.title = f"Reversi on {size} x {size}"
        self.marks = ("B", "W")
        self.squares = range(1, size * size + 1)
        # Every disc but the first four is placed once, and a pass always comes between two placements.
        self.longest = 2 * (len(self.squares) - 4) - 1
        self.utility_range = (-len(self.squares), len(self.squares))
        self.preferred = [*sorted(self.squares, key=self._reluctance), PASS]
        self._full = (1 << len(self.squares)) - 1
        self._left = sum(1 << size * row for row in range(size))
        self._right = self._left << size - 1
        # A run that is turned ends before the edge it runs towards. So runs across or along a diagonal hold no disc
        # of the outer columns, and leaving these out keeps shifts from going round into the next row.
        inner = self._full & ~self._left & ~self._right
        self._axes = ((1, inner), (size, self._full), (size + 1, inner), (size - 1, inner))
        corner = 1 | 1 << size - 1
        self._corners = corner | corner << size * (size - 1)
        middle = size // 2
        upper_left = (middle - 1) * size + middle
        white, black = (1 | 1 << size + 1) << upper_left - 1, (1 << 1 | 1 << size) << upper_left - 1
        self._start = Discs(black, white)

    # The six functions.

    def initial(self) -> Discs:
        """Return the board with four discs on it, Black to move."""
        return self._start

    def player(self, state: Discs) -> int:
        """Return MAX for Black, MIN for White."""
        return state.mover

    def actions(self, state: Discs) -> list[int]:
        """Return the squares on which the mover can place a disc, lowest first; PASS if there are none."""
        own, other = _by_mover(state)
        found = self._placements(own, other)
        if found:
            return [square for square in self.squares if found >> square - 1 & 1]
        return [PASS] if self._placements(other, own) else []

    def result(self, state: Discs, action: int) -> Discs:
        """Return the board with a disc placed and the runs it surrounds turned over, or with a pass made."""
        own, other = _by_mover(state)
        if action == PASS and isinstance(action, int):
            if self.actions(state) != [PASS]:
                raise IllegalAction(f"nobody may pass in {self.diagram(state)}")
            return state._replace(mover=-state.mover)
        if not isinstance(action, int) or action not in self.squares:
            raise IllegalAction(
                f"{action!r} is not a square; squares are 1 to {len(self.squares)}, and {PASS} is a pass"
            )
        disc = 1 << action - 1
        if disc & (own | other):
            raise IllegalAction(f"{self.action_name(action)} is taken in {self.diagram(state)}")
        turned = self._turned(disc, own, other)
        if not turned:
            raise IllegalAction(f"{self.action_name(action)} turns no disc over in {self.diagram(state)}")
        own, other = own | disc | turned, other ^ turned
        return Discs(own, other, MIN) if state.mover == MAX else Discs(other, own, MAX)

    def terminal(self, state: Discs) -> bool:
        """Say whether neither player can place a disc."""
        return not (self._placements(state.black, state.white) or self._placements(state.white, state.black))

    def utility(self, state: Discs) -> int:
        """Return Black's discs less White's."""
        return state.black.bit_count() - state.white.bit_count()

    # The two functions that everything above uses.

    def _placements(self, own: int, other: int) -> int:
        """Return the empty squares on which a disc of `own` would turn discs of `other`, as a set of bits."""
        found = 0
        for amount, inner in self._axes:
            between = other & inner
            ahead, behind = own << amount & between, own >> amount & between
            for _ in range(self.size - 3):  # a run has at most size - 2 squares, and one is already found
                ahead |= ahead << amount & between
                behind |= behind >> amount & between
            found |= ahead << amount | behind >> amount
        return found & self._full & ~(own | other)

    def _turned(self, disc: int, own: int, other: int) -> int:
        """Return the discs of `other` that a disc of `own`, placed as this one bit says, turns over."""
        turned = 0
        for amount, inner in self._axes:
            between = other & inner
            for step in (lshift, rshift):
                run, front = 0, step(disc, amount)
                while front & between:
                    run |= front
                    front = step(front, amount)
                if front & own:
                    turned |= run
        return turned

    # Optional functions.

    def key(self, state: Discs) -> int:
        """Return both sets of squares and the mover as one number."""
        return (state.black << len(self.squares) | state.white) << 1 | (state.mover == MIN)

    def symmetries(self, state: Discs) -> list[Discs]:
        """Return the symmetric images of the board: itself, both diagonal reflections, and half a turn."""
        images = zip(self._images(state.black), self._images(state.white), strict=True)
        return [Discs(black, white, state.mover) for black, white in images]

    def _images(self, squares: int) -> list[int]:
        """Return the four symmetric images of a set of squares, computed on its binary digits."""
        bits = format(squares, f"0{len(self.squares)}b")
        mirrored = "".join(bits[column :: self.size] for column in range(self.size))
        return [int(image, 2) for image in (bits, bits[::-1], mirrored, mirrored[::-1])]

    def heuristic(self, state: Discs) -> int:
        """Return a guess from corners, which can never be turned, and from the number of available moves.

        Discs are not counted: before the end, having many of them is not an advantage.
        """
        black, white = state.black, state.white
        corners = (black & self._corners).bit_count() - (white & self._corners).bit_count()
        choices = self._placements(black, white).bit_count() - self._placements(white, black).bit_count()
        return CORNER_WORTH * corners + choices

    def tier(self, state: Discs) -> int:
        """Return twice the number of discs, and one more if the mover can place one: a pass raises it, too."""
        own, other = _by_mover(state)
        return 2 * (own | other).bit_count() + bool(self._placements(own, other))

    def kernel(self) -> Kernel:
        """Return the kernel's rules."""
        return Kernel(KERNELS + "reversi.py", self._packed, {"SIZE": self.size})

    def _packed(self, state: Discs) -> tuple[int, int, int]:
        """Return a state as the kernel has it."""
        own, other = _by_mover(state)
        return word(own), word(other), word(self._placements(own, other))

    def _reluctance(self, square: int) -> int:
        """Return the rank of a square: corners, other edges, the inside, and last squares that give a corner away."""
        row, column = divmod(square - 1, self.size)
        from_edges = sorted(min(place, self.size - 1 - place) for place in (row, column))
        gives_corner_away = {(0, 0): 0, (0, 1): 3, (1, 1): 4}
        return gives_corner_away.get((from_edges[0], from_edges[1]), 1 if from_edges[0] == 0 else 2)

    def action_name(self, action: int) -> str:
        """Return the column letter and row number of a square, or `pass`."""
        if action == PASS:
            return "pass"
        row, column = divmod(action - 1, self.size)
        return f"{'abcdefgh'[column]}{row + 1}"

    def action_aliases(self, action: int) -> list[str]:
        """Return a square's number, which is accepted too."""
        return [] if action == PASS else [str(action)]

    def board(self, state: Discs) -> Board:
        """Return the squares. Those without a disc have an action only if the mover can play there now."""
        actions = self.actions(state)
        cells = []
        for square in self.squares:
            mark = self._mark(state, square)
            cells.append(Cell(mark, square if mark or square in actions else None))
        return tuple(tuple(cells[start : start + self.size]) for start in range(0, len(cells), self.size))

    def _mark(self, state: Discs, square: int) -> str:
        if state.black >> square - 1 & 1:
            return self.marks[0]
        return self.marks[1] if state.white >> square - 1 & 1 else ""

    def draw(self, state: Discs) -> str:
        """Return the board as text, and below it who is to move, which the discs do not show."""
        return f"{text(self.board(state), name=self.action_name)}\n{self._mover_mark(state)} to move"

    def diagram(self, state: Discs) -> str:
        """Return the board on one line, then who is to move: `..../.WB./.BW./.... b`; `parse` reads it back."""
        rows = ("".join(cell.mark or "." for cell in row) for row in self.board(state))
        return f"{'/'.join(rows)} {self._mover_mark(state).lower()}"

    def _mover_mark(self, state: Discs) -> str:
        return self.marks[0 if state.mover == MAX else 1]

    def parse(self, diagram: str) -> Discs:
        """Read a board and who is to move: `..../.WB./.BW./.... b`, or a drawing.

        In a drawing, squares that can be played show their names. If that determines who is to move, the last word may
        be missing. Unreachable boards are refused if the centre is not occupied, if a disc is not connected to it, or
        if there are four discs other than at the start. Other unreachable boards are accepted.
        """
        rows = [SIGN.findall(row) for row in diagram.strip().removesuffix("to move").replace("/", "\n").split("\n")]
        rows = [row for row in rows if row]
        word = ""
        if len(rows) == self.size + 1 and len(rows[-1]) == 1:
            word = rows.pop()[0]
        elif rows and len(rows[-1]) == self.size + 1:
            word = rows[-1].pop()
        if len(rows) != self.size or any(len(row) != self.size for row in rows):
            raise BadPosition(f"a board here has {self.size} rows of {self.size} squares: {quoted(diagram)}")
        black, white, named = self._read([sign for row in rows for sign in row])
        self._check_reachable(black, white, diagram)
        return self._with_mover(black, white, named, word)

    def _read(self, signs: list[str]) -> tuple[int, int, int]:
        """Return the squares of Black, those of White, and those that show their names, as sets of bits."""
        held = dict.fromkeys((*self.marks, "."), 0)
        named = 0
        for square, sign in zip(self.squares, signs, strict=True):
            if sign.upper() in held:
                held[sign.upper()] |= 1 << square - 1
            elif sign.lower() == self.action_name(square):
                named |= 1 << square - 1
            else:
                raise BadPosition(f"{shown(sign)} is not a disc; use {' and '.join(self.marks)}, and . for empty")
        return held[self.marks[0]], held[self.marks[1]], named

    def _check_reachable(self, black: int, white: int, diagram: str) -> None:
        discs, centre = black | white, self._start.black | self._start.white
        if discs & centre != centre:
            raise BadPosition(f"the four squares of the centre are never empty: {quoted(diagram)}")
        reached = centre
        while (grown := self._with_neighbours(reached) & discs) != reached:
            reached = grown
        if reached != discs:
            raise BadPosition(f"every disc hangs together with the centre: {quoted(diagram)}")
        if discs == centre and (black, white) != self._start[:2]:
            raise BadPosition(f"with four discs there is only {self.diagram(self._start)}")

    def _with_neighbours(self, squares: int) -> int:
        wide = squares | (squares & ~self._right) << 1 | (squares & ~self._left) >> 1
        return (wide | wide << self.size | wide >> self.size) & self._full

    def _with_mover(self, black: int, white: int, named: int, word: str) -> Discs:
        """Return the state with the mover that the last word and the named squares determine."""
        candidates = [Discs(black, white, mover) for mover in (MAX, MIN)]
        if (black | white).bit_count() == 4:
            candidates = [self._start]
        if named:
            candidates = [state for state in candidates if self._placements(*_by_mover(state)) == named]
            if not candidates:
                raise BadPosition("the squares that bear their names are not those that one player can play")
        begins, follows = (mark.lower() for mark in self.marks)
        if word:
            if word.lower() not in (begins, follows):
                raise BadPosition(f"{shown(word)} is nobody; end with {begins} or {follows}, who is to move")
            candidates = [state for state in candidates if self._mover_mark(state).lower() == word.lower()]
        if not candidates:
            raise BadPosition(f"{word.upper()} cannot be to move there")
        if len(candidates) > 1:
            raise BadPosition(f"who is to move? End the diagram with a space and {begins} or {follows}")
        return candidates[0]


def _by_mover(state: Discs) -> tuple[int, int]:
    """Return the squares of the player to move and those of the other."""
    return (state.black, state.white) if state.mover == MAX else (state.white, state.black)


def make(arguments: str) -> Reversi:
    """Return reversi on a board of the given size, by default 8.

    >>> make("4").title, make("").title
    ('Reversi on 4 x 4', 'Reversi on 8 x 8')
    """
    if arguments not in ("", "4", "6", "8"):
        raise ValueError("the size is 4, 6 or 8, as in reversi:6")
    return Reversi(int(arguments or 8))
