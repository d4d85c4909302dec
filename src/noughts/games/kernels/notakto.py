"""The rules of notakto, for a kernel. A position is (crosses,): nine bits a board, the first board lowest."""

from noughts.bits import count

__all__ = ["expand", "initial", "key", "order", "play", "plies", "score_bounds"]

Position = tuple[int]

BOARDS = 1
"""How many boards there are; a kernel of another number replaces it."""

longest = 7 * BOARDS
choices = 9 * BOARDS
ALL = 0b111_111_111
LINES = (0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100)
DEAD = tuple(int(any(held & line == line for line in LINES)) for held in range(ALL + 1))
"""For each board, 1 if there is a line on it."""
TURNS = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8),
    (2, 5, 8, 1, 4, 7, 0, 3, 6),
    (8, 7, 6, 5, 4, 3, 2, 1, 0),
    (6, 3, 0, 7, 4, 1, 8, 5, 2),
    (2, 1, 0, 5, 4, 3, 8, 7, 6),
    (0, 3, 6, 1, 4, 7, 2, 5, 8),
    (6, 7, 8, 3, 4, 5, 0, 1, 2),
    (8, 5, 2, 7, 4, 1, 6, 3, 0),
)
KIND = tuple(
    ALL if DEAD[held] else min(sum(1 << turn[cell] for cell in range(9) if held >> cell & 1) for turn in TURNS)
    for held in range(ALL + 1)
)
"""What all symmetric images of a board share; dead boards are all alike."""
key_bits = 9 * BOARDS + 5


def initial() -> Position:
    """Return the empty boards."""
    return (0,)


def plies(position: Position) -> int:
    """Return how many crosses there are."""
    return count(position[0])


def expand(position: Position) -> int:
    """Return the empty cells of live boards."""
    crosses = position[0]
    found = 0
    for start in range(0, 9 * BOARDS, 9):
        board = crosses >> start & ALL
        if not DEAD[board]:
            found |= (ALL ^ board) << start
    return found


def play(position: Position, move: int) -> Position:
    """Return the boards with a cross on a cell; the other player is to move."""
    return (position[0] | move,)


def score_bounds(position: Position) -> tuple[int, int]:
    """Return the score twice if all boards are dead, which wins; else the lowest and highest score that is possible."""
    soon = longest + 1 - plies(position)
    if expand(position) == 0:
        return soon, soon
    return 1 - soon, soon - 2


def order(position: Position, move: int) -> int:
    """Return how promising a move is: one that kills no board keeps the game open."""
    crosses = position[0] | move
    alive = 0
    for start in range(0, 9 * BOARDS, 9):
        alive += 1 - DEAD[crosses >> start & ALL]
    return alive


def key(position: Position) -> int:
    """Return a number that only positions share which are alike: boards in any order, each turned in any way."""
    crosses = position[0]
    low = middle = high = 0
    for start in range(0, 9 * BOARDS, 9):
        kind = KIND[crosses >> start & ALL]
        if kind > high:
            low, middle, high = middle, high, kind
        elif kind > middle:
            low, middle = middle, kind
        else:
            low = kind
    return ((low << 9 | middle) << 9 | high) << 5 | count(crosses)
