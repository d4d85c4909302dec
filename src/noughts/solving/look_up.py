"""Looking children up among the positions of a tier: what is the same for all games that are solved natively."""

from noughts.bits import Memory, read, shift_right, write

__all__ = ["GOES_ON", "index", "settle"]

GOES_ON = 1 << 40
"""The result of a position in which the game is not over."""


def index(codes: Memory, count: int, places: Memory, size: int, shift: int) -> int:
    """Write where the codes begin whose distance from the first is at least n << shift, for n up to the size."""
    first: int = read(codes, 0)
    at = 0
    for number in range(size):
        while at < count and shift_right(read(codes, at) - first, shift) < number:
            at += 1
        write(places, number, at)
    write(places, size, count)
    return size


def settle(
    children: Memory,
    parents: Memory,
    number: int,
    codes: Memory,
    count: int,
    places: Memory,
    shift: int,
    scores: Memory,
    best: Memory,
) -> int:
    """Raise the best scores of the parents of those children that are among some codes; return how many are.

    `scores` are those of the codes, for the player to move there; `best` are those of the parents, likewise.
    """
    first: int = read(codes, 0)
    last: int = read(codes, count - 1)
    found = 0
    for at in range(number):
        child: int = read(children, at)
        if child < first or child > last:
            continue
        bucket = shift_right(child - first, shift)
        low: int = read(places, bucket)
        high: int = read(places, bucket + 1)
        while low < high:
            middle = shift_right(low + high, 1)
            if read(codes, middle) < child:
                low = middle + 1
            else:
                high = middle
        if read(codes, low) != child:
            continue
        parent: int = read(parents, at)
        score: int = read(scores, low)
        if parent & 1 == 0:
            score = -score
        score += (score < 0) - (score > 0)
        parent = shift_right(parent, 1)
        if score > read(best, parent):
            write(best, parent, score)
        found += 1
    return found
