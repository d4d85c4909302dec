"""The rules of a small board with lines, for a kernel. They leave out no move and foresee no result.

So plain minimax visits every node of the game. A position is (mine, theirs), and cell n is bit n - 1.
"""

from noughts.bits import count

__all__ = ["expand", "initial", "key", "play", "plies", "score_bounds"]

Position = tuple[int, int]

# The values of tic-tac-toe; a kernel of another board replaces them.
MISERE = 0
longest = 9
LINES = (0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100)

FULL = (1 << longest) - 1
HAS_LINE = tuple(int(any(cells & line == line for line in LINES)) for cells in range(FULL + 1))
"""For each set of cells, 1 if there is a line in it."""
key_bits = 2 * longest
choices = longest


def initial() -> Position:
    """Return the empty board."""
    return 0, 0


def plies(position: Position) -> int:
    """Return how many cells are taken."""
    return count(position[0] | position[1])


def expand(position: Position) -> int:
    """Return the empty cells."""
    return FULL ^ position[0] ^ position[1]


def play(position: Position, move: int) -> Position:
    """Return the position after a mark on a cell; the other player is to move."""
    return position[1], position[0] | move


def score_bounds(position: Position) -> tuple[int, int]:
    """Return the score twice if the game is over, else the lowest and highest score that is possible."""
    mine, theirs = position
    if HAS_LINE[theirs & FULL]:
        soon = longest + 1 - count(mine | theirs)
        score = soon if MISERE else -soon
        return score, score
    if mine | theirs == FULL:
        return 0, 0
    return -longest, longest


def key(position: Position) -> int:
    """Return a number that no other position has."""
    return position[0] << longest | position[1]
