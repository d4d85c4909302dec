"""The search that is compiled: alpha-beta with null windows, over an exact table, for any game's rules.

As it stands, this is a slow search of Connect Four. `noughts.compiled.build` makes a copy of it for each game, puts the
functions and constants of the game's own rules in place of those of Connect Four, and has numba compile it.

**Scores** take the view of the player to move. A game that ends after n plies scores `longest + 1 - n` for the winner,
the negative of it for the loser, 0 for a draw. Plies are counted from the start of the game, and so a score does not
depend on the position from which it is seen: going up the tree, it only changes its sign.

**The table** is an array of words, each a whole key and what is known of its position, so nothing is ever returned for
another position; as one word is read and written at once, threads can share it. Where key and score need more than a
word, the lowest bits of the key are not stored, but say in which part of the table to look.

    | key without its lowest SPARE bits | score + OFFSET | 1 if it is an upper bound, 0 if a lower one |
                                         SCORE_BITS        1 bit

The table starts small, so that a short search stays in the processor's cache, and is doubled in place when it is full.

**The desk** is the memory of one thread: what it is told and what it counts, then a frame for each ply, with the
positions that wait there to be searched.
"""

from typing import Any

from noughts.bits import Memory, count, prefetch, read, read_like, spread, write, write_all
from noughts.games.kernels.connect import bounds, expand, foresee, key, order, play, plies

__all__ = ["grow", "minimax", "search", "solve"]

longest = 42
key_bits = 49
choices = 7
arity = 4

OFFSET = longest + 1
SCORE_BITS = (2 * OFFSET).bit_length()
CODE_BITS = SCORE_BITS + 1
SPARE = max(0, key_bits + CODE_BITS - 63)
WORST = -longest - 2

NEAR_END = longest // 3
"""So many plies before the last possible one, asking the table about all positions that follow no longer pays."""

MARKS = (1 << 12) - 1
"""Of the positions that threads are at work on, this many places remember one each."""

# The places on a desk.
NODES, LIMIT, SIZE, LARGEST, STORED, PAIR, SPLIT, DEEPEST, LOW, HIGH, BUSY, PLAYED, FRAMES = range(13)

BROKEN = 1 << 20
"""The deepest ply of a search whose rules broke a promise: they go on for longer than `longest`, have no move in a game
that is not over, more moves than `choices`, a key of more than `key_bits` bits, or a score beyond the scale."""

FRAME = choices * (1 + arity)
"""Words of a frame: a rank for each position that waits, and the positions."""

MOST_WORDS = 63 * (1 + arity)
"""Of a frame, if rules have more moves than they say."""


def index_of(key_: int, size: int) -> int:
    """Return where the table has a key, if it has it there and not beside it."""
    part = size >> SPARE
    return (key_ & (1 << SPARE) - 1) * part + (spread(key_ >> SPARE) * part >> 32)


def look_up(table: Memory, key_: int, desk: Memory) -> int:
    """Return what the table knows of a position: 0 for nothing, else the lower bits of its word."""
    index = index_of(key_, read(desk, SIZE))
    word: int = read(table, index)
    if word >> CODE_BITS != key_ >> SPARE:
        word = read(table, index ^ read(desk, PAIR))
        if word >> CODE_BITS != key_ >> SPARE:
            return 0
    return word & (1 << CODE_BITS) - 1


def store(table: Memory, key_: int, score: int, is_upper: int, desk: Memory) -> None:
    """Keep a bound of a position's score; of the two places it can have, the older is given up."""
    if score < -OFFSET or score > OFFSET:  # it would spill into the key
        broken(0, desk)
        return
    index = index_of(key_, read(desk, SIZE))
    before = read(table, index)
    if before >> CODE_BITS != key_ >> SPARE:
        write(desk, STORED, read(desk, STORED) + 1)
        if read(desk, STORED) > read(desk, SIZE) and read(desk, SIZE) < read(desk, LARGEST):
            grow(table, desk)
            index = index_of(key_, read(desk, SIZE))
            before = read(table, index)
        if before:
            write(table, index ^ read(desk, PAIR), before)
    write(table, index, (key_ >> SPARE) << CODE_BITS | (score + OFFSET) << 1 | is_upper)


def broken(beta: int, desk: Memory) -> int:
    """Stop the search, since the rules broke a promise; return what means nothing."""
    write(desk, DEEPEST, BROKEN)
    write(desk, LIMIT, 0)
    return beta


def grow(table: Memory, desk: Memory) -> None:
    """Double the part of the table in use: a word at place i, or beside it, goes to 2i or 2i + 1, or beside."""
    size = read(desk, SIZE)
    part = size >> SPARE
    for pair in range(size // 2 - 1, -1, -1):
        first, second = read(table, 2 * pair), read(table, 2 * pair + 1)
        for index in range(4 * pair, 4 * pair + 4):
            write(table, index, 0)
        for word in (second, first):
            if word:
                home = index_of((word >> CODE_BITS) << SPARE | 2 * pair // part, 2 * size)
                if read(table, home):
                    write(table, home ^ 1, read(table, home))
                write(table, home, word)
    write(desk, SIZE, 2 * size)


def search(position: Any, beta: int, table: Memory, desk: Memory, ply: int) -> int:
    """Say whether a position scores at least `beta`; return a score that is a lower bound if so, else an upper one.

    The bounds of the position do not settle the question. Out of budget, the result means nothing; the desk says so,
    and nothing is stored.
    """
    # 1. Count, and see whether to go on.
    nodes = read(desk, NODES) + 1
    write(desk, NODES, nodes)
    write(desk, DEEPEST, max(read(desk, DEEPEST), ply))
    moves = expand(position)
    if nodes >= read(desk, LIMIT):
        return beta
    if ply > longest or moves <= 0 or count(moves) > choices:  # or they would lead us beyond our memory
        return broken(beta, desk)
    # 2. If there is no choice, there is nothing to keep.
    if moves & (moves - 1) == 0:
        child = play(position, moves)
        write(desk, PLAYED, read(desk, PLAYED) + 1)
        low, high = bounds(child)
        if -high >= beta:
            return -high
        if -low < beta:
            return -low
        return -search(child, 1 - beta, table, desk, ply + 1)
    # 3. Ask the table, and then the rules for what is harder to see. A key that is too long would be taken for another.
    if key(position) >> key_bits:
        return broken(beta, desk)
    known = look_up(table, key(position), desk)
    if known:
        score = (known >> 1) - OFFSET
        if (score < beta) == (known & 1):
            return score
    low, high = foresee(position, beta)
    if low >= beta:
        return low
    if high < beta:
        return high
    # 4. Look at all positions that follow, before any is searched: the rules may settle the question. The others wait,
    #    the most promising first, while their words are fetched from the table.
    best = WORST
    frame = FRAMES + ply * FRAME
    children = frame + choices
    waiting = 0
    while moves:
        move = moves & -moves
        moves ^= move
        child = play(position, move)
        write(desk, PLAYED, read(desk, PLAYED) + 1)
        low, high = bounds(child)
        if -high >= beta:
            store(table, key(position), -high, 0, desk)
            return -high
        if -low < beta:
            best = max(best, -low)
            continue
        prefetch(table, index_of(key(child), read(desk, SIZE)))
        rank = order(position, move) << 6 | waiting
        at = frame + waiting
        while at > frame and read(desk, at - 1) < rank:
            write(desk, at, read(desk, at - 1))
            at -= 1
        write(desk, at, rank)
        write_all(desk, children + arity * waiting, child)
        waiting += 1
    # 5. While much is left to play, ask the table about all of them before any is searched.
    shared = ply < read(desk, SPLIT)
    if shared or longest - plies(position) > NEAR_END:
        left = 0
        for index in range(waiting):
            rank = read(desk, frame + index)
            child = read_like(position, desk, children + arity * (rank & 63))
            known = look_up(table, key(child), desk)
            if known:
                score = OFFSET - (known >> 1)
                if (score >= beta) == (known & 1):
                    if score >= beta:
                        store(table, key(position), score, 0, desk)
                        return score
                    best = max(best, score)
                    continue
            write(desk, frame + left, rank)
            left += 1
        waiting = left
    # 6. Search them. Near the root, what another thread is busy with comes last, since it may soon be known.
    again = False
    while waiting:
        later = 0
        for index in range(waiting):
            rank = read(desk, frame + index)
            child = read_like(position, desk, children + arity * (rank & 63))
            mark = 0
            if shared:
                mark = spread(key(child)) & MARKS
                if index and not again and read(read(desk, BUSY), mark) == key(child):
                    write(desk, frame + later, rank)
                    later += 1
                    continue
                write(read(desk, BUSY), mark, key(child))
            score = -search(child, 1 - beta, table, desk, ply + 1)
            if shared:
                write(read(desk, BUSY), mark, 0)
            if read(desk, NODES) >= read(desk, LIMIT):
                return beta
            if score >= beta:
                store(table, key(position), score, 0, desk)
                return score
            best = max(best, score)
        waiting, again = later, True
    store(table, key(position), best, 1, desk)
    return best


def solve(position: Any, low: int, high: int, table: Memory, desk: Memory) -> int:
    """Return the score of a position if it lies between `low` and `high`; below or above, that limit.

    First it asks who wins, then step by step how fast. While it runs, the desk shows how far it has come; out of budget
    it returns WORST.
    """
    root = count(0)  # 0, but no constant, or numba would compile the search twice
    least, most = bounds(position)
    low, high = max(low, least), min(high, most)
    while low < high:
        write(desk, LOW, low)
        write(desk, HIGH, high)
        beta = low + 1 if low >= 0 else 1 if high > 0 else high
        score = search(position, beta, table, desk, root)
        if read(desk, NODES) >= read(desk, LIMIT):
            return WORST
        if score >= beta:
            low = score
        else:
            high = score
    return low


def minimax(position: Any, desk: Memory) -> int:
    """Return the score of a position by plain minimax over every position that can follow."""
    write(desk, NODES, read(desk, NODES) + 1)
    low, high = bounds(position)
    return low if low == high else best_of_all(position, desk)


def best_of_all(position: Any, desk: Memory) -> int:
    """Return the score of an unfinished position by plain minimax; ends are seen to before they are gone into."""
    best = WORST
    moves = expand(position)
    write(desk, NODES, read(desk, NODES) + count(moves))
    while moves:
        move = moves & -moves
        moves ^= move
        child = play(position, move)
        low, high = bounds(child)
        best = max(best, -low if low == high else -best_of_all(child, desk))
    return best
