"""Proofs that a player cannot complete a line: the other, the breaker, answers every stone and stops every line.

The maker wants a line; the breaker only has to stop lines. The search ends where the empty cells of all lines that are
still open can be *paired*: disjoint pairs, one inside each line. From there on the breaker takes the other cell of a
pair whenever the maker takes one. A depth limits how many replies the breaker chooses freely before that; it is raised
step by step.

**Zones.** Each result comes with the cells it depends on. The maker's win needs some empty cells, so only replies on
them can refute it.

**The breaker's own lines** are looked at if that is asked for: with a stone that threatens to complete one, the breaker
forces the maker's next stone, and the game ends if it completes one. Then the zone of a proof has the cells of the
lines it used. The maker may also disturb these, so it tries stones there, too; any other stone is like a pass.
"""

from noughts.bits import Memory, count, place, read, spread, write
from noughts.compiled.breaker_lines import (
    AT_BACKS,
    AT_COMMON,
    AT_PAIRS,
    AT_TABLE,
    AT_TURNS,
    CELLS,
    ENTRY,
    KEY,
    NODES,
    OPEN,
    PAIRS,
    TABLE_SIZE,
    TURN,
    TURNS,
    WORTHY,
    ZERO,
    ZONE,
    completing,
    forced,
    forcing,
    gather,
    heaviest,
    is_stopped,
    rests_at,
    union,
    weigh,
    weights_at,
)
from noughts.compiled.breaker_pairs import look_for_pairs

__all__ = ["HOLDS", "LOST", "PAIR", "REPLY", "SEARCH", "UNKNOWN", "run"]

SEARCH, REPLY, PAIR = 0, 1, 2
"""The tasks of `run`: search to a depth, find the reply to a stone, find a pairing and leave it in the board."""

LOST, UNKNOWN, HOLDS = 0, 1, 2
"""What is known about a position: the maker completes a line, nothing, or the breaker stops all."""

REPLIES = 8
"""How many replies to a stone may fail before it is given up; those that are proven to lose do not count."""


def crossing(board: Memory, rests: int, found: int) -> int:
    """Return the cells of two lines that need 2 stones and cross, so that the maker completes one; 0 if none do."""
    for index in range(rests, rests + found):
        rest = read(board, index)
        if count(rest) > 2:
            break
        for other in range(rests, index):
            if read(board, other) & rest:
                cells: int = read(board, other) | rest
                return cells
    return 0


def entry_of(board: Memory, mine: int, rest: int) -> int:
    """Return the place of a position in the table; KEY is the same for all symmetric positions, TURN leads to it.

    A position is given as two sets of cells which tell everything that matters.
    """
    best_mine, best_rest, best_turn = mine, rest, -1
    for turn in range(read(board, TURNS)):
        other = turned(board, AT_TURNS, turn, rest)
        if other <= best_rest:
            other_mine = turned(board, AT_TURNS, turn, mine)
            if other < best_rest or other_mine < best_mine:
                best_rest, best_mine, best_turn = other, other_mine, turn
    write(board, KEY, best_mine)
    write(board, KEY + 1, best_rest)
    write(board, TURN, best_turn)
    place_in_table = spread(best_mine * 31 ^ best_rest) & (read(board, TABLE_SIZE) - 1)
    entry: int = read(board, AT_TABLE) + ENTRY * place_in_table
    return entry


def turned(board: Memory, table: int, turn: int, cells: int) -> int:
    """Return some cells as a symmetry moves them, or moves them back; -1 is the symmetry that moves nothing."""
    if turn < 0:
        return cells
    places, found = read(board, table) + turn * read(board, CELLS), 0
    while cells:
        found |= read(board, places + place(cells))
        cells &= cells - 1
    return found


def holds(board: Memory, maker: int, breaker: int, depth: int, ply: int, own: int) -> int:
    """Return HOLDS if the breaker can stop every line, with the maker to move; LOST if it cannot, else UNKNOWN.

    If `own` is 1, the breaker's own lines count, too, and LOST means only that none of its replies that were tried
    holds. The zone of the result is left in ZONE. If NODES reaches LIMIT or STOP is set, the search was stopped: it
    returns UNKNOWN, and stores nothing more.
    """
    write(board, NODES, read(board, NODES) + 1)
    if is_stopped(board):
        return UNKNOWN
    # 1. No line is open, or one is completed at once.
    found, rests = gather(board, maker, breaker, ply), rests_at(board, ply)
    zone, must = 0, 0
    write(board, ZONE, zone)
    if found == 0:
        return HOLDS
    if count(read(board, rests)) == 1:
        write(board, ZONE, read(board, rests))
        return LOST
    if own:
        must = completing(board, breaker, maker)
        if must & (must - 1):
            return HOLDS
        zone = read(board, ZONE)
    if must == 0:
        crossed = crossing(board, rests, found)
        if crossed:
            write(board, ZONE, crossed)
            return LOST
    cells, worthy = union(board, rests, found), read(board, WORTHY)
    # 2. Ask the table.
    held, left = (maker, breaker) if own else (read(board, OPEN) & maker, cells)
    entry = entry_of(board, held, left)
    mine, rest, turn = read(board, KEY), read(board, KEY + 1), read(board, TURN)
    fresh = True
    if read(board, entry) == mine and read(board, entry + 1) == rest and read(board, entry + 2) >> 2 & 1 == own:
        known, searched = read(board, entry + 2) & 3, (read(board, entry + 2) >> 3) - 1
        if searched >= 0 and (known != UNKNOWN or searched >= depth):
            write(board, ZONE, turned(board, AT_BACKS, turn, read(board, entry + 3)))
            return int(known)
        fresh = searched < 0
    # 3. Look for a pairing; else every stone of the maker needs a reply.
    known = UNKNOWN
    if own:
        if holds(board, maker, breaker, depth, ply, read(board, ZERO)) == HOLDS:
            known, zone = HOLDS, 0
    elif fresh and look_for_pairs(board, rests, found) == 1:
        known = HOLDS
    if known == UNKNOWN:
        known = HOLDS
        weights, tried, empty = weights_at(board, ply), 0, ~(maker | breaker)
        weigh(board, weights, rests, found, tried)
        left = must if must else worthy
        while left and known == HOLDS:
            cell = heaviest(board, weights, left)
            tried |= cell
            # 4. Reply where the maker would complete a line, or else on the heaviest cells.
            replies = forced(board, maker, breaker, cell)
            if replies:
                if replies & (replies - 1) == 0:
                    known = holds(board, maker | cell, breaker | replies, depth, ply + 1, own)
                else:
                    known = LOST
                    write(board, ZONE, replies)
                needed = read(board, ZONE) | cell | replies
            elif depth <= 0:
                known = UNKNOWN
                needed = 0
            else:
                known, needed, failed = LOST, cell, 0
                replies = cells & ~cell
                if own:
                    replies |= forcing(board, maker | cell, breaker)
                weigh(board, weights + 64, rests, found, cell)
                while replies and known != HOLDS and failed < REPLIES:
                    reply = heaviest(board, weights + 64, replies)
                    replies ^= reply
                    after = holds(board, maker | cell, breaker | reply, depth - 1, ply + 1, own)
                    if after == HOLDS:
                        known = HOLDS
                    elif after == LOST:
                        needed |= read(board, ZONE) | reply
                        if own == 0:
                            replies &= read(board, ZONE)
                    else:
                        known = UNKNOWN
                        failed += 1
            if known == HOLDS:
                zone |= read(board, ZONE)
                if own:
                    left = 0 if must else (worthy | zone & empty) & ~tried
                else:
                    left ^= cell
            elif known == LOST:
                zone = needed
    if is_stopped(board):
        return UNKNOWN
    if known == HOLDS and own == 0:
        zone = 0
    write(board, entry, mine)
    write(board, entry + 1, rest)
    write(board, entry + 2, (max(depth, 0) + 1) << 3 | own << 2 | known)
    write(board, entry + 3, turned(board, AT_TURNS, turn, zone))
    write(board, ZONE, zone)
    return known


def reply_to(board: Memory, maker: int, breaker: int, stone: int) -> int:
    """Return a reply to a stone with which the breaker holds after the fewest free replies, or 0 if none is found."""
    replies = forced(board, maker, breaker, stone)
    if replies:
        return replies
    root = read(board, ZERO)
    found, rests = gather(board, maker, breaker, root), rests_at(board, root)
    # First the twin, or the cells that are on all lines of the stone.
    cells, first = union(board, rests, found), 0
    for index in range(read(board, AT_PAIRS), read(board, AT_PAIRS) + read(board, PAIRS)):
        if read(board, index) & stone:
            first = read(board, index) ^ stone
    if cells & stone:
        first = read(board, read(board, AT_COMMON) + place(stone)) & ~stone
    weights, replies = weights_at(board, root) + 64, (first | cells | forcing(board, maker | stone, breaker)) & ~stone
    weigh(board, weights, rests, found, stone)
    for depth in range(read(board, CELLS)):
        left = replies
        while left and not is_stopped(board):
            reply = heaviest(board, weights, left & first if left & first else left)
            left ^= reply
            if holds(board, maker | stone, breaker | reply, depth, root + 1, root + 1) == HOLDS:
                return reply
    return 0


def run(board: Memory, task: int, maker: int, breaker: int, number: int) -> int:
    """Do one of the tasks; there is one entry for all, since numba cannot keep two that share a recursive function."""
    root = read(board, ZERO)
    if task == SEARCH:
        return holds(board, maker, breaker, number, root, root + 1)
    if task == REPLY:
        return reply_to(board, maker, breaker, number)
    found = gather(board, maker, breaker, root)
    return HOLDS if look_for_pairs(board, rests_at(board, root), found) == 1 else UNKNOWN
