"""Looking children up among the positions of a tier: what is the same for all games that are solved natively.

A table has codes and scores, each entry at the first free place from where its code is spread to. An entry is one word,
with the score in so many of the lowest bits; or two, where both do not fit into one: then these bits are 0.
"""

from noughts.bits import Memory, prefetch, read, shift_left, shift_right, spread, write

__all__ = ["GOES_ON", "fill", "settle", "start", "tell"]

GOES_ON = 1 << 40
"""The result of a position in which the game is not over."""

WORST = -(1 << 60)
"""What is less than any score."""

EMPTY = -1
"""What a table has where there is nothing."""

BATCH = 32
"""How many children are looked up together, so that memory is fetched for all of them at once."""

SETTLED = -1
"""What is written in place of a child whose parent has got its score."""


def fill(codes: Memory, scores: Memory, count: int, table: Memory, size: int, bits: int) -> int:
    """Add some codes and their scores to a table of 2**size entries, all of which are -1 at first."""
    mask = shift_left(1, size) - 1
    for begin in range(0, count, BATCH):
        end = min(count, begin + BATCH)
        for at in range(begin, end):
            entry = shift_right(spread(read(codes, at)), 32 - size)
            prefetch(table, entry if bits else 2 * entry)
        for at in range(begin, end):
            code: int = read(codes, at)
            entry = shift_right(spread(code), 32 - size)
            if bits:
                while read(table, entry) != EMPTY:
                    entry = entry + 1 & mask
                write(table, entry, shift_left(code, bits) | read(scores, at))
            else:
                while read(table, 2 * entry) != EMPTY:
                    entry = entry + 1 & mask
                write(table, 2 * entry, code)
                write(table, 2 * entry + 1, read(scores, at))
    return count


def start(results: Memory, count: int, base: int, best: Memory) -> int:
    """Write what positions are worth before their children are known: the ends their scores, others less than any.

    A score is a utility times the base, made less by the distance.
    """
    for at in range(count):
        end: int = read(results, 1 + 2 * at)
        write(best, at, WORST if end == GOES_ON else end * base)
    return count


def settle(
    children: Memory,
    parents: Memory,
    number: int,
    first: int,
    last: int,
    table: Memory,
    size: int,
    bits: int,
    lowest: int,
    best: Memory,
) -> int:
    """Raise the best scores of the parents of those children that are in a table; return how many are.

    These children are then marked as settled. The table has codes from the first one to the last. Its scores are those
    for the player to move there, less the lowest; `best` are those of the parents, likewise.
    """
    mask, ones = shift_left(1, size) - 1, shift_left(1, bits) - 1
    found = 0
    for begin in range(0, number, BATCH):
        end = min(number, begin + BATCH)
        for at in range(begin, end):
            entry = shift_right(spread(read(children, at)), 32 - size)
            prefetch(table, entry if bits else 2 * entry)
        for at in range(begin, end):
            child: int = read(children, at)
            if child < first or child > last:
                continue
            entry = shift_right(spread(child), 32 - size)
            score = 0
            if bits:
                word: int = read(table, entry)
                while word != EMPTY and shift_right(word, bits) != child:
                    entry = entry + 1 & mask
                    word = read(table, entry)
                score = word & ones
            else:
                word = read(table, 2 * entry)
                while word != EMPTY and word != child:
                    entry = entry + 1 & mask
                    word = read(table, 2 * entry)
                score = read(table, 2 * entry + 1)
            if word == EMPTY:
                continue
            score += lowest
            write(children, at, SETTLED)
            parent: int = read(parents, at)
            if parent & 1 == 0:
                score = -score
            score += (score < 0) - (score > 0)
            parent = shift_right(parent, 1)
            if score > read(best, parent):
                write(best, parent, score)
            found += 1
    return found


def tell(
    best: Memory, results: Memory, count: int, base: int, utilities: Memory, distances: Memory, tally: Memory
) -> int:
    """Write the utility and distance of each position, and add them to a tally, as images.

    The tally has all positions, wins, draws, losses, ends, how often it is not known how many images a position has,
    the longest win, and the largest score in size.
    """
    wins = draws = losses = ends = unknown = 0
    longest: int = read(tally, 6)
    largest: int = read(tally, 7)
    for at in range(count):
        score: int = read(best, at)
        images: int = read(results, 2 + 2 * at)
        size = abs(score)
        utility = 1 if 0 < size <= base else (size + base - 1) // base
        distance = utility * base - size
        write(utilities, at, utility if score > 0 else -utility)
        write(distances, at, distance)
        largest = max(largest, size)
        unknown += images <= 0
        if score > 0:
            wins += images
            longest = max(longest, distance)
        elif score < 0:
            losses += images
        else:
            draws += images
        if read(results, 1 + 2 * at) != GOES_ON:
            ends += images
    for place, number in enumerate((wins + draws + losses, wins, draws, losses, ends, unknown)):
        write(tally, place, read(tally, place) + number)
    write(tally, 6, longest)
    write(tally, 7, largest)
    return count
