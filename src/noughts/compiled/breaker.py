"""Proofs that a player cannot complete a line: the other, the breaker, answers every stone and stops every line.

The maker wants a line; the breaker only stops lines, and its own lines do not count. If the breaker can stop all of
them, the maker cannot win the real game either, where it also has to look after the breaker's lines. The search ends
where the empty cells of all lines that are still open can be *paired*: disjoint pairs, one inside each line. From
there on the breaker takes the other cell of a pair whenever the maker takes one. A depth limits how many replies the
breaker chooses freely before that; it is raised step by step.

Cells are bits. A board is an array of numbers: the slots below, then the lines, and then tables for the search.
"""

from array import array
from collections.abc import Sequence

from noughts.bits import Memory, count, place, read, spread, write

__all__ = ["HOLDS", "LOST", "MOST_CELLS", "UNKNOWN", "breaker_board", "run"]

LINES, NODES, LIMIT, STOP, TABLE_SIZE, TRIES, PAIRS, OPEN, ZERO, TURNS, CELLS = range(11)
"""Slots: how many lines there are; nodes, their limit, and whether to stop; the size of the table; what was tried for a
pairing and how many pairs it has; all cells of open lines; 0, since a constant would be compiled in; how many
symmetries and cells there are."""
AT_LINES, AT_TABLE, AT_REST, AT_PAIRS, AT_WEIGHTS, AT_TURNS = range(11, 17)
"""Where the lines begin, the table, the empty cells of open lines and two weights of cells for each ply, pairs, and
where each symmetry moves each cell, as a bit."""
SLOTS = 20

LOST, UNKNOWN, HOLDS = 0, 1, 2
"""What is known about a position: the maker completes a line, nothing, or the breaker stops all."""

MOST_CELLS = 62
"""The most cells that fit in a number."""

MOST_TRIES = 200
"""How many pairs are tried before it is given up to find a pairing."""

REPLIES = 12
"""How many replies to a stone may fail before it is given up; those that are proven to lose do not count."""

WEIGHT = 1 << 40
"""The weight of a line; each empty cell halves it."""

ENTRY = 4
"""Numbers in an entry of the table: the maker's cells, the empty cells, what is known plus 1, and the depth."""


def breaker_board(
    cells: int, lines: Sequence[int], turns: Sequence[Sequence[int]] = (), table_size: int = 1 << 20
) -> "array[int]":
    """Return the memory for proofs about lines, which are sets of bits; `turns` say where symmetries move each cell."""
    board = array("q", [0] * SLOTS)
    board[LINES], board[LIMIT], board[TABLE_SIZE] = len(lines), 1 << 62, table_size
    board[TURNS], board[CELLS] = len(turns), cells
    board[AT_LINES] = len(board)
    board.extend(lines)
    board[AT_TURNS] = len(board)
    board.extend(1 << to for turn in turns for to in turn)
    plies = MOST_CELLS + 2
    sizes = {AT_REST: plies * len(lines), AT_PAIRS: plies, AT_WEIGHTS: plies * 128, AT_TABLE: ENTRY * table_size}
    for slot, size in sizes.items():
        board[slot] = len(board)
        board.frombytes(bytes(8 * size))
    return board


def gather(board: Memory, maker: int, breaker: int, ply: int) -> int:
    """List the empty cells of every line that is open to the maker, none of which contains another; return how many.

    A line with two cells that are on no other is stopped by that pair, and left out. OPEN holds the cells of the rest.
    """
    rests = read(board, AT_REST) + ply * read(board, LINES)
    found = 0
    for index in range(read(board, LINES)):
        line = read(board, read(board, AT_LINES) + index)
        if line & breaker == 0:
            rest = line & ~maker
            kept, covered = 0, False
            for other in range(found):
                each = read(board, rests + other)
                if each & ~rest == 0:  # stopping the other stops this one
                    covered = True
                    break
                if rest & ~each == 0:
                    continue
                write(board, rests + kept, each)
                kept += 1
            if not covered:
                write(board, rests + kept, rest)
                found = kept + 1
    write(board, PAIRS, 0)
    before = -1
    while before != found:
        before = found
        found = drop_private(board, rests, found)
    empty, cells = union(board, rests, found), 0
    for index in range(read(board, LINES)):
        line = read(board, read(board, AT_LINES) + index)
        if line & breaker == 0 and line & ~maker & ~empty == 0:
            cells |= line
    write(board, OPEN, cells)
    return found


def drop_private(board: Memory, rests: int, found: int) -> int:
    """Leave out the lines with two cells that are on no other line; return how many lines are left."""
    once, twice = 0, 0
    for index in range(rests, rests + found):
        rest = read(board, index)
        twice |= once & rest
        once |= rest
    kept = 0
    for index in range(rests, rests + found):
        rest = read(board, index)
        private = rest & ~twice
        if private & (private - 1):
            first = private & -private
            private ^= first
            write(board, read(board, AT_PAIRS) + read(board, PAIRS), first | (private & -private))
            write(board, PAIRS, read(board, PAIRS) + 1)
        else:
            write(board, rests + kept, rest)
            kept += 1
    return kept


def union(board: Memory, rests: int, found: int) -> int:
    """Return all empty cells of the lines."""
    cells = 0
    for index in range(rests, rests + found):
        cells |= read(board, index)
    return cells


def paired(board: Memory, free: int, ply: int, found: int, pairs: int) -> int:
    """Return 1 if disjoint pairs of free cells can be chosen, one in each line, else 0; leave them in the board."""
    rests, at = read(board, AT_REST) + ply * read(board, LINES), read(board, AT_PAIRS)
    least, chosen = 99, 0
    for index in range(found):
        rest = read(board, rests + index)
        stopped = False
        for number in range(pairs):
            if read(board, at + number) & ~rest == 0:
                stopped = True
                break
        if not stopped and count(rest & free) < least:
            least, chosen = count(rest & free), rest & free
    write(board, PAIRS, pairs)
    if least == 99:
        return 1
    write(board, TRIES, read(board, TRIES) + 1)
    if least < 2 or read(board, TRIES) > MOST_TRIES:
        return 0
    # The pairs that stop most lines come first.
    last = 1 << 40
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
                rank = stopped_by(board, first | second, rests, found) << 12 | place(first) << 6 | place(second)
                if best < rank < last:
                    best = rank
        if best < 0:
            return 0
        last = best
        pair = 1 << (best >> 6 & 63) | 1 << (best & 63)
        write(board, at + pairs, pair)
        if paired(board, free & ~pair, ply, found, pairs + 1) == 1:
            return 1


def stopped_by(board: Memory, pair: int, rests: int, found: int) -> int:
    """Return how many lines contain a pair."""
    number = 0
    for index in range(rests, rests + found):
        if pair & ~read(board, index) == 0:
            number += 1
    return number


def at_once(board: Memory, rests: int, found: int) -> int:
    """Return LOST if the maker, who is to move, completes a line by the second stone from now, else UNKNOWN."""
    once, twice = 0, 0
    for index in range(rests, rests + found):
        rest = read(board, index)
        if count(rest) < 2:
            return LOST
        if count(rest) == 2:
            twice |= once & rest
            once |= rest
    return LOST if twice else UNKNOWN


def entry_of(board: Memory, maker: int, ply: int) -> int:
    """Return the place of a position in the table, after `gather`; its key, the same for all symmetric positions, is
    left among the weights of the ply: the cells of open lines that the maker holds, and those that are empty.

    Together they tell which lines are open, and so everything that matters.
    """
    best_rest = read(board, OPEN) & ~maker
    best_mine = read(board, OPEN) & maker
    mine, rest, cells = best_mine, best_rest, read(board, CELLS)
    for turn in range(read(board, TURNS)):
        places = read(board, AT_TURNS) + turn * cells
        other = moved(board, places, rest)
        if other <= best_rest:
            turned = moved(board, places, mine)
            if other < best_rest or turned < best_mine:
                best_rest, best_mine = other, turned
    key = read(board, AT_WEIGHTS) + ply * 128
    write(board, key, best_mine)
    write(board, key + 1, best_rest)
    place_in_table = spread(best_mine * 31 ^ best_rest) & (read(board, TABLE_SIZE) - 1)
    entry: int = read(board, AT_TABLE) + ENTRY * place_in_table
    return entry


def moved(board: Memory, places: int, cells: int) -> int:
    """Return some cells as a symmetry moves them."""
    found = 0
    while cells:
        found |= read(board, places + place(cells))
        cells &= cells - 1
    return found


def holds(board: Memory, maker: int, breaker: int, depth: int, ply: int) -> int:
    """Return HOLDS if the breaker can stop every line, with the maker to move; LOST if it cannot, else UNKNOWN.

    If NODES reaches LIMIT or STOP is set, the search was stopped: it returns UNKNOWN, and stores nothing more.
    """
    write(board, NODES, read(board, NODES) + 1)
    if stopped(board):
        return UNKNOWN
    # 1. No line is open, or one can be completed at once.
    found = gather(board, maker, breaker, ply)
    rests = read(board, AT_REST) + ply * read(board, LINES)
    if found == 0:
        return HOLDS
    if at_once(board, rests, found) == LOST:
        return LOST
    # 2. Ask the table.
    entry = entry_of(board, maker, ply)
    weights = read(board, AT_WEIGHTS) + ply * 128
    mine, rest = read(board, weights), read(board, weights + 1)
    fresh = True
    if read(board, entry) == mine and read(board, entry + 1) == rest and read(board, entry + 2) != 0:
        known = read(board, entry + 2) - 1
        if known != UNKNOWN or read(board, entry + 3) >= depth:
            return int(known)
        fresh = False
    # 3. Look for a pairing; else every stone of the maker needs a reply.
    known = UNKNOWN
    if fresh:
        write(board, TRIES, 0)
        if paired(board, union(board, rests, found), ply, found, read(board, PAIRS)) == 1:
            known = HOLDS
    if known == UNKNOWN and depth > 0:
        known, left = HOLDS, union(board, rests, found)
        weigh(board, weights, rests, found, 0)
        while left and known == HOLDS:
            cell = heaviest(board, weights, left)
            left ^= cell
            if dominated(board, weights, rests, found, cell):
                continue
            # 4. Reply where the maker would complete a line, or else on the heaviest cells.
            known, failed = LOST, 0
            replies = forced(board, rests, found, cell)
            if replies:
                if replies & (replies - 1) == 0:
                    known = holds(board, maker | cell, breaker | replies, depth, ply + 1)
                continue
            weigh(board, weights + 64, rests, found, cell)
            replies = union(board, rests, found) & ~cell
            while replies and known != HOLDS and failed < REPLIES:
                reply = heaviest(board, weights + 64, replies)
                replies ^= reply
                after = holds(board, maker | cell, breaker | reply, depth - 1, ply + 1)
                if after != LOST:
                    known = after
                    failed += 1
    if stopped(board):
        return UNKNOWN
    write(board, entry, mine)
    write(board, entry + 1, rest)
    write(board, entry + 2, known + 1)
    write(board, entry + 3, depth)
    return known


def stopped(board: Memory) -> bool:
    """Return whether as many nodes were visited as may be, or the search is to stop."""
    return bool(read(board, NODES) >= read(board, LIMIT) or read(board, STOP) != 0)


def weigh(board: Memory, weights: int, rests: int, found: int, cell: int) -> None:
    """Weigh each cell by the open lines through it, after the maker's stone on `cell`, if that is not 0."""
    for index in range(weights, weights + 64):
        write(board, index, 0)
    for index in range(rests, rests + found):
        rest = read(board, index) & ~cell
        weight = WEIGHT >> count(rest)
        while rest:
            at = weights + place(rest)
            write(board, at, read(board, at) + weight)
            rest &= rest - 1


def heaviest(board: Memory, weights: int, cells: int) -> int:
    """Return the heaviest of some cells, as a bit."""
    best, most = 0, -1
    while cells:
        cell = cells & -cells
        cells ^= cell
        weight = read(board, weights + place(cell))
        if weight > most:
            best, most = cell, weight
    return best


def dominated(board: Memory, weights: int, rests: int, found: int, cell: int) -> bool:
    """Return whether another cell is on all open lines of this one: then the maker would rather take that."""
    common = -1
    for index in range(rests, rests + found):
        if read(board, index) & cell:
            common &= read(board, index)
    common &= ~cell
    weight = read(board, weights + place(cell))
    while common:
        other = common & -common
        common ^= other
        heavier = read(board, weights + place(other))
        if heavier > weight or (heavier == weight and other < cell):
            return True
    return False


def forced(board: Memory, rests: int, found: int, cell: int) -> int:
    """Return the cells that would complete a line after the maker's stone on a cell."""
    cells = 0
    for index in range(rests, rests + found):
        rest = read(board, index)
        if rest & cell and count(rest) == 2:
            cells |= rest ^ cell
    return cells


def run(board: Memory, maker: int, breaker: int, depth: int) -> int:
    """Return what is known about a position with the maker to move, by a search to a depth.

    With a negative depth, it only looks for a pairing, and leaves that in the board.
    """
    root = read(board, ZERO)
    if depth >= 0:
        return holds(board, maker, breaker, depth, root)
    found = gather(board, maker, breaker, root)
    write(board, TRIES, 0)
    cells = union(board, read(board, AT_REST), found)
    return HOLDS if paired(board, cells, root, found, read(board, PAIRS)) == 1 else UNKNOWN
