"""The search that is compiled for each game: alpha-beta with null windows and an exact table.

As it stands, it searches the smallest of games, by the rules in `stub_rules`. `noughts.compiled.build` makes a copy of
it for each game, puts the functions and constants of the game's own rules in place of these, and has numba compile it.

**Scores** take the view of the player to move. A game that ends after n plies scores `longest + 1 - n` for the winner,
the negative of it for the loser, 0 for a draw. Plies are counted from the start of the game, so a score does not depend
on the position from which it is seen: going up the tree, it only changes its sign.

**The table** is an array of words. Each holds a whole key and a bound of its position's score, so nothing is ever
returned for another position; `layout` has a picture. A word is read and written at once, so threads can share the
table. It starts small, so that a short search stays in the processor's cache, and is doubled in place when it is full.

**The workspace** is the memory of one thread; `layout` lists its slots.
"""

from typing import Any

from noughts.bits import Memory, count, prefetch, read, read_like, spread, write, write_all
from noughts.compiled.layout import (
    BROKEN,
    BUSY,
    CUTOFF,
    DEEPEST,
    FRAMES,
    HIGH,
    LARGEST,
    LIMIT,
    LOW,
    MARKS,
    MOVE,
    NODES,
    PAIR,
    PLAYED,
    SIZE,
    SPLIT,
    STORED,
    code_bits,
    frame_words,
    spare_bits,
)
from noughts.compiled.stub_rules import expand, foresee, key, order, play, plies, score_bounds

__all__ = ["grow", "minimax", "search", "solve"]

# Those of the stub; `build` puts a game's own in their place.
longest = 5
key_bits = 6
choices = 2
arity = 2

OFFSET = longest + 1
CODE_BITS = code_bits(longest)
SPARE = spare_bits(longest, key_bits)
WORST = -longest - 2

NEAR_END = longest // 3
"""When at most this many plies are left, it no longer pays to ask the table about all children first."""

FRAME = frame_words(choices, arity)


def index_of(key_: int, size: int) -> int:
    """Return the place of a key in the table; its word is there or beside it."""
    part = size >> SPARE
    return (key_ & (1 << SPARE) - 1) * part + (spread(key_ >> SPARE) * part >> 32)


def look_up(table: Memory, key_: int, workspace: Memory) -> int:
    """Return the lower bits of a position's word in the table: its score and kind of bound; 0 if it is not there."""
    index = index_of(key_, read(workspace, SIZE))
    word: int = read(table, index)
    if word >> CODE_BITS != key_ >> SPARE:
        word = read(table, index ^ read(workspace, PAIR))
        if word >> CODE_BITS != key_ >> SPARE:
            return 0
    return word & (1 << CODE_BITS) - 1


def store(table: Memory, key_: int, score: int, is_upper: int, workspace: Memory) -> None:
    """Store a bound of a position's score. The word that was there moves beside it, over an older one."""
    if score < -OFFSET or score > OFFSET:  # its bits would change the key
        broken(0, workspace)
        return
    index = index_of(key_, read(workspace, SIZE))
    before = read(table, index)
    if before >> CODE_BITS != key_ >> SPARE:
        write(workspace, STORED, read(workspace, STORED) + 1)
        if read(workspace, STORED) > read(workspace, SIZE) and read(workspace, SIZE) < read(workspace, LARGEST):
            grow(table, workspace)
            index = index_of(key_, read(workspace, SIZE))
            before = read(table, index)
        if before:
            write(table, index ^ read(workspace, PAIR), before)
    write(table, index, (key_ >> SPARE) << CODE_BITS | (score + OFFSET) << 1 | is_upper)


def broken(beta: int, workspace: Memory) -> int:
    """Stop the search, since the rules broke a promise. The return value means nothing."""
    write(workspace, DEEPEST, BROKEN)
    write(workspace, LIMIT, 0)
    return beta


def grow(table: Memory, workspace: Memory) -> None:
    """Double the part of the table in use: a word at place i or beside it moves to 2i, to 2i + 1, or beside these."""
    size = read(workspace, SIZE)
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
    write(workspace, SIZE, 2 * size)


def search(position: Any, beta: int, table: Memory, workspace: Memory, ply: int) -> int:
    """Say whether a position scores at least `beta`; return a score that is a lower bound if so, else an upper one.

    Requires that the position's own bounds leave the question open. If NODES reaches LIMIT, the search was stopped: the
    result means nothing, and nothing is stored. At the root (`ply` 0), the move that reaches `beta` is left in CUTOFF.
    """
    # 1. Count the node, and stop at the limit.
    nodes = read(workspace, NODES) + 1
    write(workspace, NODES, nodes)
    write(workspace, DEEPEST, max(read(workspace, DEEPEST), ply))
    moves = expand(position)
    if nodes >= read(workspace, LIMIT):
        return beta
    if ply > longest or moves <= 0 or count(moves) > choices:  # which would go beyond the workspace
        return broken(beta, workspace)
    # 2. A single move: search it, without a table entry for this position.
    if moves & (moves - 1) == 0:
        child = play(position, moves)
        write(workspace, PLAYED, read(workspace, PLAYED) + 1)
        if ply == 0:  # in case it reaches beta
            write(workspace, CUTOFF, moves)
        low, high = score_bounds(child)
        if -high >= beta:
            return -high
        if -low < beta:
            return -low
        return -search(child, 1 - beta, table, workspace, ply + 1)
    # 3. Ask the table, and then the rules for bounds that take longer. A key that is too long could equal another one.
    if key(position) >> key_bits:
        return broken(beta, workspace)
    known = look_up(table, key(position), workspace)
    if known:
        score = (known >> 1) - OFFSET
        if (score < beta) == (known & 1):
            return score
    low, high = foresee(position, beta)
    if low >= beta:
        return low
    if high < beta:
        return high
    # 4. Play every move before searching any child: the bounds of a child may settle the question. The other children
    #    wait, the most promising first, while their words are fetched from the table.
    best = WORST
    frame = FRAMES + ply * FRAME
    children = frame + choices
    waiting = 0
    while moves:
        move = moves & -moves
        moves ^= move
        child = play(position, move)
        write(workspace, PLAYED, read(workspace, PLAYED) + 1)
        low, high = score_bounds(child)
        if -high >= beta:
            store(table, key(position), -high, 0, workspace)
            if ply == 0:
                write(workspace, CUTOFF, move)
            return -high
        if -low < beta:
            best = max(best, -low)
            continue
        prefetch(table, index_of(key(child), read(workspace, SIZE)))
        rank = order(position, move) << 6 | waiting
        at = frame + waiting
        while at > frame and read(workspace, at - 1) < rank:
            write(workspace, at, read(workspace, at - 1))
            at -= 1
        write(workspace, at, rank)
        write_all(workspace, children + arity * waiting, child)
        waiting += 1
    # 5. Far from the end, ask the table about all children before searching any.
    shared = ply < read(workspace, SPLIT)
    if shared or longest - plies(position) > NEAR_END:
        left = 0
        for index in range(waiting):
            rank = read(workspace, frame + index)
            child = read_like(position, workspace, children + arity * (rank & 63))
            known = look_up(table, key(child), workspace)
            if known:
                score = OFFSET - (known >> 1)
                if (score >= beta) == (known & 1):
                    if score >= beta:
                        store(table, key(position), score, 0, workspace)
                        if ply == 0:
                            write(workspace, CUTOFF, move_to(child, position))
                        return score
                    best = max(best, score)
                    continue
            write(workspace, frame + left, rank)
            left += 1
        waiting = left
    # 6. Search them. Near the root, children that another thread is searching come last: they may soon be known.
    again = False
    while waiting:
        later = 0
        for index in range(waiting):
            rank = read(workspace, frame + index)
            child = read_like(position, workspace, children + arity * (rank & 63))
            mark = 0
            if shared:
                mark = spread(key(child)) & MARKS
                if index and not again and read(read(workspace, BUSY), mark) == key(child):
                    write(workspace, frame + later, rank)
                    later += 1
                    continue
                write(read(workspace, BUSY), mark, key(child))
            score = -search(child, 1 - beta, table, workspace, ply + 1)
            if shared:
                write(read(workspace, BUSY), mark, 0)
            if read(workspace, NODES) >= read(workspace, LIMIT):
                return beta
            if score >= beta:
                store(table, key(position), score, 0, workspace)
                if ply == 0:
                    write(workspace, CUTOFF, move_to(child, position))
                return score
            best = max(best, score)
        waiting, again = later, True
    store(table, key(position), best, 1, workspace)
    return best


def move_to(child: Any, position: Any) -> int:
    """Return the move that leads from a position to a child of it."""
    moves = expand(position)
    while moves & (moves - 1) and play(position, moves & -moves) != child:
        moves &= moves - 1
    return moves & -moves


def solve(position: Any, low: int, high: int, table: Memory, workspace: Memory) -> int:
    """Tighten the proven bounds of a position's score until they leave nothing open between `low` and `high`.

    The bounds are in the workspace, as LOW and HIGH; what is there at the start must be true. MOVE is a move that
    scores at least LOW, or 0 if none is known. All three are true at any time, so they are the result of a search that
    is stopped as well. Returns 1 if it has finished, 0 if it was stopped.

    It first finds out who wins, and then step by step how fast.
    """
    root = count(0)  # 0, but no constant, or numba would compile the search twice
    least, most = score_bounds(position)
    if least > read(workspace, LOW):
        write(workspace, LOW, least)
        write(workspace, MOVE, 0)
    write(workspace, HIGH, min(most, read(workspace, HIGH)))
    low, high = max(low, read(workspace, LOW)), min(high, read(workspace, HIGH))
    while low < high:
        beta = low + 1 if low >= 0 else 1 if high > 0 else high
        write(workspace, CUTOFF, 0)
        score = search(position, beta, table, workspace, root)
        if read(workspace, NODES) >= read(workspace, LIMIT):
            return 0
        if score >= beta:
            low = score
            write(workspace, LOW, score)
            write(workspace, MOVE, read(workspace, CUTOFF))
        else:
            high = score
            write(workspace, HIGH, score)
    return 1


def minimax(position: Any, workspace: Memory) -> int:
    """Return the score of a position by plain minimax over its whole tree."""
    write(workspace, NODES, read(workspace, NODES) + 1)
    low, high = score_bounds(position)
    return low if low == high else best_of_all(position, workspace)


def best_of_all(position: Any, workspace: Memory) -> int:
    """Return the score of an unfinished position by plain minimax; terminal children are scored without recursing."""
    best = WORST
    moves = expand(position)
    write(workspace, NODES, read(workspace, NODES) + count(moves))
    while moves:
        move = moves & -moves
        moves ^= move
        child = play(position, move)
        low, high = score_bounds(child)
        best = max(best, -low if low == high else -best_of_all(child, workspace))
    return best
