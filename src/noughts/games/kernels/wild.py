"""The rules of wild tic-tac-toe, for a kernel.

A position is (crosses, noughts). A move is the bit of a cell for a cross; for a nought, that bit nine places higher.
"""

from noughts.bits import count

__all__ = ["expand", "initial", "key", "play", "plies", "score_bounds"]

Position = tuple[int, int]

longest = 9
choices = 18
key_bits = 18
ALL = 0b111_111_111
LINES = (0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100)
HAS_LINE = tuple(int(any(held & line == line for line in LINES)) for held in range(ALL + 1))
"""For each set of cells, 1 if there is a line in it."""


def initial() -> Position:
    """Return the empty board."""
    return 0, 0


def plies(position: Position) -> int:
    """Return how many cells are taken."""
    return count(position[0] | position[1])


def expand(position: Position) -> int:
    """Return each empty cell with either mark."""
    empty = ALL ^ position[0] ^ position[1]
    return empty << 9 | empty


def play(position: Position, move: int) -> Position:
    """Return the board with a mark on a cell; the other player is to move."""
    return position[0] | move & ALL, position[1] | move >> 9


def score_bounds(position: Position) -> tuple[int, int]:
    """Return the score twice if the game is over, else the lowest and highest score that is possible."""
    crosses, noughts = position
    soon = longest + 1 - count(crosses | noughts)
    if HAS_LINE[crosses & ALL] or HAS_LINE[noughts & ALL]:
        return -soon, -soon
    if crosses | noughts == ALL:
        return 0, 0
    return min(0, 2 - soon), soon - 1


def key(position: Position) -> int:
    """Return a number that no other position has."""
    return position[0] << 9 | position[1]
