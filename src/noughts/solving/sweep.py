"""The loops of native solving: over all positions of a part, and over all children of them.

As it stands, it sweeps the smallest of games, by the rules in `stub`. `noughts.solving.plans` makes a copy of it for
each game, together with its rules, and has numba compile it. Memory is the address of an array of numbers of 64 bits.
"""

from noughts.bits import Memory, read, shift_right, write
from noughts.solving.stub import code, images, initial, moves, play, position, result

__all__ = ["begin", "expand", "index", "settle"]

arity = 1
"""What kernels of searches have; positions are in memory here."""

GOES_ON = 1 << 40
"""The result of a position in which the game is not over."""


def expand(codes: Memory, start: int, end: int, children: Memory, fits: int, parents: Memory, results: Memory) -> int:
    """Write the codes of the children of some positions, and which of these each belongs to; return how many.

    Stops before a position whose children may not fit. The first number of `results` then says where it stopped; from
    the second one on are the results, and how many images there are. Where `parents` is 0, only children are written.
    """
    found, at = 0, start
    while at < end:
        here = position(read(codes, at))
        choices = moves(here)
        left = choices
        needed = 0
        while left:
            left &= left - 1
            needed += 1
        if found + needed > fits:
            break
        if parents:
            write(results, 1 + 2 * (at - start), GOES_ON if choices else result(here))
            write(results, 2 + 2 * (at - start), images(here))
        while choices:
            move = choices & -choices
            choices ^= move
            write(children, found, code(play(here, move)))
            if parents:
                write(parents, found, at - start)
            found += 1
        at += 1
    write(results, 0, at)
    return found


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

    `scores` are those of the codes, for the player to move there, who is the opponent.
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
        score: int = -read(scores, low)
        score += (score < 0) - (score > 0)
        parent: int = read(parents, at)
        if score > read(best, parent):
            write(best, parent, score)
        found += 1
    return found


def begin() -> int:
    """Return the code of the initial position."""
    return code(initial())
