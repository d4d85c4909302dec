"""The loops of native solving: over all positions of a part, and over all children of them.

As it stands, it sweeps the smallest of games, by the rules in `stub`. `noughts.solving.plans` makes a copy of it for
each game, together with its rules, and has numba compile it. Memory is the address of an array of numbers of 64 bits.
"""

from noughts.bits import Memory, count, read, write
from noughts.solving.look_up import GOES_ON
from noughts.solving.stub import code, images, initial, moves, play, position, result, tier

__all__ = ["begin", "expand"]

arity = 1
"""What kernels of searches have; positions are in memory here."""


def expand(
    codes: Memory,
    start: int,
    end: int,
    children: Memory,
    fits: int,
    tiers: Memory,
    parents: Memory,
    results: Memory,
    m: Memory,  # noqa: ARG001 - what translated functions need
) -> int:
    """Write the codes of the children of some positions, their tiers, and to which of these they belong.

    Returns how many children there are. Stops before a position whose children do not fit; the first number of
    `results` says where it stopped. From the second one on are the results of the positions, for the player to move,
    and how many images there are. Where `tiers` or `parents` are 0, they are left out, and `results` with the latter. A
    parent is twice its place, and one more if the same player moves there again.
    """
    found, at = 0, start
    while at < end:
        here = position(read(codes, at))
        choices = moves(here)
        if found + count(choices) > fits:
            break
        if parents:
            write(results, 1 + 2 * (at - start), GOES_ON if choices else result(here))
            write(results, 2 + 2 * (at - start), images(here))
        while choices:
            move = choices & -choices
            choices ^= move
            child = play(here, move)
            write(children, found, code(child))
            if tiers:
                write(tiers, found, tier(child))
            if parents:
                write(parents, found, 2 * (at - start))
            found += 1
        at += 1
    write(results, 0, at)
    return found


def begin(m: Memory) -> int:  # noqa: ARG001
    """Return the code of the initial position."""
    return code(initial())
