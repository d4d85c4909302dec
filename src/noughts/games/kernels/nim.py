"""The rules of nim, for a kernel: heaps of 63 stones in all at most.

A position is (heaps,), seven bits a heap, the first heap lowest. A move is a bit: those of the first heap come first,
one for each number of stones that can be taken from it, then those of the second heap, and so on.
"""

from noughts.bits import place

__all__ = ["evaluate", "expand", "initial", "key", "play", "plies_left", "score_bounds"]

Position = tuple[int]

# The values of three heaps; a kernel of other heaps replaces them.
SIZES = (3, 4, 5)
MISERE = 0

longest = sum(SIZES)
choices = longest
FIRST = tuple(sum(SIZES[:heap]) for heap in range(len(SIZES) + 1))
"""Where the moves of each heap begin."""
HEAP_OF = tuple(heap for heap, size in enumerate(SIZES) for _ in range(size))
"""From which heap each move takes stones."""
WIN = longest + 1


def initial() -> Position:
    """Return the full heaps."""
    return (sum(size << 7 * heap for heap, size in enumerate(SIZES)),)


def expand(position: Position) -> int:
    """Return what can be taken from each heap."""
    moves = 0
    for heap in range(len(SIZES)):
        moves |= (1 << (position[0] >> 7 * heap & 127)) - 1 << FIRST[heap]
    return moves


def play(position: Position, move: int) -> Position:
    """Return the heaps after some stones are taken; the other player is to move."""
    number = place(move)
    heap = HEAP_OF[number]
    return (position[0] - (number - FIRST[heap] + 1 << 7 * heap),)


def score_bounds(position: Position) -> tuple[int, int]:
    """Return the score twice if no stone is left; else the lowest and highest score that is possible."""
    if position[0] == 0:
        return (WIN, WIN) if MISERE else (-WIN, -WIN)
    return 1 - WIN, WIN - 1


def plies_left(position: Position) -> int:
    """Return how many stones are left."""
    total = 0
    for heap in range(len(SIZES)):
        total += position[0] >> 7 * heap & 127
    return total


def key(position: Position) -> int:
    """Return a number that no other position has."""
    return position[0]


def evaluate(position: Position) -> int:
    """Return a guess who is ahead: heaps with the xor 0 are lost, unless all that is left are single stones."""
    mixed = 0
    for heap in range(len(SIZES)):
        mixed ^= position[0] >> 7 * heap & 127
    return 1000 if mixed else -1000
