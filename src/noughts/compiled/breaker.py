"""Proofs that a player cannot complete a line: the other, the breaker, answers every stone and stops every line.

The maker wants a line; the breaker only stops lines, and its own lines do not count. If the breaker can stop all of
them, the maker cannot win the real game either, where it also has to look after the breaker's lines. The search ends
where the empty cells of all lines that are still open can be *paired*: disjoint pairs, one inside each line. From
there on the breaker takes the other cell of a pair whenever the maker takes one.

Cells are bits. A board is an array of numbers: the slots below, then the lines, and then tables for the search.
"""

from array import array
from collections.abc import Sequence

from noughts.bits import Memory, count, place, read, spread, write

__all__ = ["MOST_CELLS", "breaker_board", "holds", "run"]

LINES, NODES, LIMIT, STOP, TABLE_SIZE, TRIES, PAIRS, OPEN, ZERO = range(9)
"""Slots: how many lines there are; nodes, their limit, and whether to stop; the size of the table; what was tried for a
pairing and how many pairs it has; all cells of open lines; and 0, since a constant would be compiled in."""
AT_LINES, AT_TABLE, AT_REST, AT_PAIRS, AT_WEIGHTS = range(9, 14)
"""Where the lines begin, the table, the empty cells of open lines and the weights of cells for each ply, and pairs."""
SLOTS = 16

MOST_CELLS = 62
"""The most cells that fit in a number."""

MOST_TRIES = 200
"""How many pairs are tried before it is given up to find a pairing."""

REPLIES = 6
"""How many replies to a stone are tried; with more, fewer proofs would fail, but failing would take longer."""

WEIGHT = 1 << 40
"""The weight of a line; each empty cell halves it."""

ENTRY = 3
"""Numbers in an entry of the table: the maker's cells, the empty cells, and whether the breaker holds, plus 1."""


def breaker_board(lines: Sequence[int], table_size: int = 1 << 20) -> "array[int]":
    """Return the memory for proofs about lines, which are sets of bits."""
    board = array("q", [0] * SLOTS)
    board[LINES], board[LIMIT], board[TABLE_SIZE] = len(lines), 1 << 62, table_size
    board[AT_LINES] = len(board)
    board.extend(lines)
    plies = MOST_CELLS + 2
    sizes = {AT_REST: plies * len(lines), AT_PAIRS: plies, AT_WEIGHTS: plies * 64, AT_TABLE: ENTRY * table_size}
    for slot, size in sizes.items():
        board[slot] = len(board)
        board.frombytes(bytes(8 * size))
    return board


def gather(board: Memory, maker: int, breaker: int, ply: int) -> int:
    """List the empty cells of every line that is open to the maker, none of which contains another; return how many."""
    rests = read(board, AT_REST) + ply * read(board, LINES)
    found, cells = 0, 0
    for index in range(read(board, LINES)):
        line = read(board, read(board, AT_LINES) + index)
        if line & breaker == 0:
            cells |= line
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
    write(board, OPEN, cells)
    return found


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


def holds(board: Memory, maker: int, breaker: int, ply: int) -> int:
    """Return 1 if the breaker can stop every line, with the maker to move; 0 if that was not found.

    If NODES reaches LIMIT or STOP is set, the search was stopped: it returns 0, and stores nothing more.
    """
    write(board, NODES, read(board, NODES) + 1)
    if read(board, NODES) >= read(board, LIMIT) or read(board, STOP) != 0:
        return 0
    # 1. No line is open, or one can be completed.
    found = gather(board, maker, breaker, ply)
    if found == 0:
        return 1
    rests, weights = read(board, AT_REST) + ply * read(board, LINES), read(board, AT_WEIGHTS) + ply * 64
    empty = 0
    for index in range(rests, rests + found):
        empty |= read(board, index)
        if count(read(board, index)) == 1:
            return 0
    # 2. Ask the table. The cells of open lines tell which lines are open.
    mine, rest = maker & read(board, OPEN), read(board, OPEN) & ~maker
    mixed = spread(mine * 31 ^ rest) & (read(board, TABLE_SIZE) - 1)
    entry = read(board, AT_TABLE) + ENTRY * mixed
    if read(board, entry) == mine and read(board, entry + 1) == rest and read(board, entry + 2) != 0:
        return int(read(board, entry + 2) - 1)
    # 3. Look for a pairing.
    write(board, TRIES, 0)
    known = paired(board, empty, ply, found, read(board, ZERO))
    # 4. Else the breaker needs a reply to every stone of the maker: where a line is about to be completed, or else one
    #    of the heaviest cells.
    if known == 0:
        known = 1
        weigh(board, weights, rests, found, 0)
        left = empty
        while left and known == 1:
            cell = heaviest(board, weights, left)
            left ^= cell
            if dominated(board, weights, rests, found, cell):
                continue
            known = 0
            weigh(board, weights + 64, rests, found, cell)
            replies = forced(board, rests, found, cell)
            tries = 1 if replies else REPLIES
            if replies & (replies - 1):  # two lines to stop
                break
            if replies == 0:
                replies = empty & ~cell
            while replies and tries and known == 0:
                reply = heaviest(board, weights + 64, replies)
                replies ^= reply
                tries -= 1
                known = holds(board, maker | cell, breaker | reply, ply + 1)
    if read(board, NODES) >= read(board, LIMIT) or read(board, STOP) != 0:
        return 0
    write(board, entry, mine)
    write(board, entry + 1, rest)
    write(board, entry + 2, known + 1)
    return known


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


def run(board: Memory, maker: int, breaker: int, pairs_only: int) -> int:
    """Return 1 if the breaker can stop every line, with the maker to move; 0 if that was not found.

    With `pairs_only` 1, it only looks for a pairing, and leaves that in the board.
    """
    root = read(board, ZERO)
    if pairs_only == 0:
        return holds(board, maker, breaker, root)
    found = gather(board, maker, breaker, root)
    empty = 0
    for index in range(read(board, AT_REST), read(board, AT_REST) + found):
        empty |= read(board, index)
    write(board, TRIES, 0)
    return paired(board, empty, root, found, root)
