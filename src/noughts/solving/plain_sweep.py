"""The loop over all positions of a part for a game in plain Python: like `sweep`, by its six functions, translated.

A state is a number of memory, as in `noughts.plain.search`. Its code is made of the numbers that it consists of: each
has a slot of four words, with the lowest value that it may have, a mask of as many bits as it takes, and, in the last
word, where in the code these bits are. A number that does not fit is noted, and the code is then -1.
"""

from noughts.bits import Memory, read, shift_left, shift_right, write
from noughts.plain.layout import FREE, HISTORY, INPUT, SLOTS, WIDEN, WORDS
from noughts.plain.stub import (
    flatten,
    game_actions,
    game_player,
    game_result,
    game_terminal,
    game_utility,
    new,
    unpack,
)
from noughts.solving.look_up import GOES_ON
from noughts.solving.plain_stub import game_images, game_tier

__all__ = ["begin", "expand"]

arity = 1
"""What kernels of searches have; positions are in memory here."""


def state_of(m: Memory, code: int, numbers: int) -> int:
    """Return the state that has a code."""
    for number in range(numbers):
        slot = SLOTS + 4 * number
        write(m, INPUT + number, (shift_right(code, read(m, slot + 3)) & read(m, slot + 1)) + read(m, slot))
    return unpack(m, INPUT)


def own_code(m: Memory, state: int) -> int:
    """Return the code of a state as it is; -1 if a number does not fit."""
    numbers, found = flatten(m, state, INPUT), 0
    for number in range(numbers):
        slot = SLOTS + 4 * number
        value: int = read(m, INPUT + number)
        beyond = value - read(m, slot)
        if beyond & ~read(m, slot + 1):
            seen = HISTORY + 2 * number
            write(m, seen, min(value, read(m, seen)))
            write(m, seen + 1, max(value, read(m, seen + 1)))
            write(m, WIDEN, 1)
            found = -1
        elif found >= 0:
            found |= shift_left(beyond, read(m, slot + 3))
    return found


def code_of_images(m: Memory, state: int) -> int:
    """Return the lowest code of all symmetric images."""
    images = game_images(m, state)
    first: int = read(m, images + 2)
    least = own_code(m, read(m, first))
    for place in range(1, read(m, images)):
        least = min(least, own_code(m, read(m, first + place)))
    return least


def count_images(m: Memory, state: int) -> int:
    """Return how many different symmetric images there are."""
    images = game_images(m, state)
    first, size = read(m, images + 2), read(m, images)
    seen = new(m, size) + 3
    found = 0
    for place in range(size):
        code = own_code(m, read(m, first + place))
        is_new = 1
        for other in range(found):
            if read(m, seen + other) == code:
                is_new = 0
        if is_new:
            write(m, seen + found, code)
            found += 1
    return found


def result_of(m: Memory, state: int) -> int:
    """Return what a finished game is worth to the player to move."""
    return game_player(m, state) * game_utility(m, state)


def expand(
    codes: Memory,
    start: int,
    end: int,
    children: Memory,
    fits: int,
    tiers: Memory,
    parents: Memory,
    results: Memory,
    m: Memory,
) -> int:
    """Write the codes of the children of some positions, their tiers, and to which of these they belong.

    As `sweep.expand` does.
    """
    found, at = 0, start
    free: int = read(m, FREE)
    numbers: int = read(m, WORDS)
    while at < end:
        state = state_of(m, read(codes, at), numbers)
        over = 1 if game_terminal(m, state) != 0 else 0
        size = 0
        choices = 0
        if over == 0:
            choices = game_actions(m, state)
            size = read(m, choices)
            if size == 0:
                raise ValueError("no action, though the game is not over")
        if found + size > fits:
            write(m, FREE, free)
            break
        mover = game_player(m, state)
        mark: int = read(m, FREE)
        if parents:
            write(results, 1 + 2 * (at - start), result_of(m, state) if over else GOES_ON)
            write(results, 2 + 2 * (at - start), count_images(m, state))
            write(m, FREE, mark)
        for number in range(size):
            child = game_result(m, state, read(m, read(m, choices + 2) + number))
            write(children, found, code_of_images(m, child))
            if tiers:
                write(tiers, found, game_tier(m, child))
            if parents:
                write(parents, found, 2 * (at - start) + (game_player(m, child) == mover))
            found += 1
            write(m, FREE, mark)
        write(m, FREE, free)
        at += 1
    write(results, 0, at)
    return found


def begin(m: Memory) -> int:
    """Return the code of the state whose numbers are in memory."""
    return code_of_images(m, unpack(m, INPUT))
