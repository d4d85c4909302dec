"""Pairings: disjoint pairs of empty cells, one in each line, so that the breaker can answer in the same pair.

It takes a search to find them, since a cell can be in one pair only; the search gives up after some tries.
"""

from noughts.bits import Memory, count, place, read, write
from noughts.compiled.breaker_lines import AT_PAIRS, AT_UNPAIRED, LINES, PAIRS, TRIES, union

__all__ = ["look_for_pairs"]

MOST_TRIES = 100
"""How many pairs are tried before it is given up to find a pairing."""


def look_for_pairs(board: Memory, rests: int, found: int) -> int:
    """Return 1 if disjoint pairs of empty cells can be chosen, one in each line, else 0; leave them in the board."""
    # Lines that share no two cells need a pair each.
    apart, first = 0, read(board, AT_UNPAIRED)
    for index in range(rests, rests + found):
        rest = read(board, index)
        alone = True
        for other in range(first, first + apart):
            both = read(board, other) & rest
            if both & (both - 1):
                alone = False
                break
        if alone:
            write(board, first + apart, rest)
            apart += 1
    if 2 * apart > count(union(board, rests, found)):
        return 0
    for index in range(found):
        write(board, first + index, read(board, rests + index))
    write(board, TRIES, 0)
    return paired(board, first, found, read(board, PAIRS))


def paired(board: Memory, lines: int, left: int, pairs: int) -> int:
    """Return 1 if the lines that are left can be paired, in addition to some pairs, else 0."""
    write(board, PAIRS, pairs)
    if left == 0:
        return 1
    write(board, TRIES, read(board, TRIES) + 1)
    if read(board, TRIES) > MOST_TRIES:
        return 0
    # Take the line with the fewest free cells; the pairs that stop most lines come first.
    chosen = read(board, lines)
    for index in range(lines + 1, lines + left):
        if count(read(board, index)) < count(chosen):
            chosen = read(board, index)
    after, last = lines + read(board, LINES), 1 << 40
    while True:
        best = -1
        firsts = chosen
        while firsts:
            first = firsts & -firsts
            firsts ^= first
            seconds = firsts
            while seconds:
                second = seconds & -seconds
                seconds ^= second
                rank = stopped_by(board, first | second, lines, left) << 12 | place(first) << 6 | place(second)
                if best < rank < last:
                    best = rank
        if best < 0:
            return 0
        last = best
        pair = 1 << (best >> 6 & 63) | 1 << (best & 63)
        kept = without(board, lines, left, pair, after)
        if kept >= 0:
            write(board, read(board, AT_PAIRS) + pairs, pair)
            if paired(board, after, kept, pairs + 1) == 1:
                return 1


def without(board: Memory, lines: int, left: int, pair: int, after: int) -> int:
    """List the free cells of the lines that a pair does not stop; return how many there are, -1 if one has too few."""
    kept = 0
    for index in range(lines, lines + left):
        line = read(board, index)
        if pair & ~line:
            line &= ~pair
            if line & (line - 1) == 0:
                return -1
            write(board, after + kept, line)
            kept += 1
    return kept


def stopped_by(board: Memory, pair: int, lines: int, left: int) -> int:
    """Return how many lines contain a pair."""
    number = 0
    for index in range(lines, lines + left):
        if pair & ~read(board, index) == 0:
            number += 1
    return number
