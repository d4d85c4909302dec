"""The lines that a breaker still has to stop, and the memory that its search works in.

A line is *open* while the breaker has no stone on it; its *rest* is the cells that the maker still needs. Lines that
cannot matter are left out: those whose rest contains another's, and those through *twins*, two cells that are on the
same open lines: when the maker takes one of them, the breaker takes the other.

Cells are bits. A board is an array of numbers: the slots below, then the lines, and then tables for the search.
"""

from array import array
from collections.abc import Sequence

from noughts.bits import Memory, count, place, read, write

__all__ = [
    "AT_BACKS",
    "AT_COMMON",
    "AT_LINES",
    "AT_PAIRS",
    "AT_TABLE",
    "AT_TURNS",
    "AT_UNPAIRED",
    "CELLS",
    "ENTRY",
    "KEY",
    "LIMIT",
    "LINES",
    "MOST_CELLS",
    "NODES",
    "OPEN",
    "PAIRS",
    "STOP",
    "TABLE_SIZE",
    "TRIES",
    "TURN",
    "TURNS",
    "WORTHY",
    "ZERO",
    "ZONE",
    "breaker_board",
    "completing",
    "forced",
    "forcing",
    "gather",
    "heaviest",
    "is_stopped",
    "rests_at",
    "union",
    "weigh",
    "weights_at",
]

LINES, NODES, LIMIT, STOP, TABLE_SIZE, TRIES, PAIRS, OPEN, ZERO, TURNS, CELLS = range(11)
"""Slots: how many lines there are; nodes, their limit, and whether to stop; the size of the table; what was tried for a
pairing and how many pairs it has; all cells of open lines; 0, since a constant would be compiled in; how many
symmetries and cells there are."""
AT_LINES, AT_TABLE, AT_REST, AT_PAIRS, AT_WEIGHTS, AT_TURNS, AT_BACKS, AT_COMMON, AT_UNPAIRED = range(11, 20)
"""Where the lines begin, the table, the rests of open lines and two weights of cells for each ply, pairs, where each
symmetry moves each cell, as a bit, and from where; what all rests through a cell have in common; and for each number of
pairs, the lines that have none yet."""
ZONE, KEY, TURN, WORTHY = 20, 21, 23, 24
"""The cells that the last result depends on; the key of a position, in two numbers, and the symmetry that leads to it;
the cells that are worth a stone of the maker."""
SLOTS = 25

MOST_CELLS = 62
"""The most cells that fit in a number."""

WEIGHT = 1 << 40
"""The weight of a line; each empty cell halves it."""

ENTRY = 4
"""Numbers in an entry of the table: two for the key, what is known with its depth, and the zone."""


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
    board[AT_BACKS] = len(board)
    board.extend(1 << turn.index(cell) for turn in turns for cell in range(cells))
    plies = MOST_CELLS + 2
    sizes = {
        AT_REST: (plies + 1) * len(lines),
        AT_PAIRS: plies,
        AT_WEIGHTS: plies * 128,
        AT_COMMON: 64,
        AT_UNPAIRED: (MOST_CELLS // 2 + 2) * len(lines),
        AT_TABLE: ENTRY * table_size,
    }
    for slot, size in sizes.items():
        board[slot] = len(board)
        board.frombytes(bytes(8 * size))
    return board


def rests_at(board: Memory, ply: int) -> int:
    """Return where the rests of a ply are."""
    at: int = read(board, AT_REST) + ply * read(board, LINES)
    return at


def weights_at(board: Memory, ply: int) -> int:
    """Return where the weights of a ply are."""
    at: int = read(board, AT_WEIGHTS) + ply * 128
    return at


def gather(board: Memory, maker: int, breaker: int, ply: int) -> int:
    """List the rests of the lines that matter, the shortest first, and return how many there are.

    If the maker can complete a line at once, only such lines are listed. OPEN holds the cells of all that are listed,
    WORTHY those that are worth a stone of the maker, and the pairs of twins are left in the board.
    """
    rests = rests_at(board, ply)
    spare = rests + read(board, LINES)
    some, longest = 0, 0
    write(board, PAIRS, 0)
    for index in range(read(board, AT_LINES), read(board, AT_LINES) + read(board, LINES)):
        line = read(board, index)
        if line & breaker == 0:
            rest = line & ~maker
            write(board, spare + some, rest)
            longest = max(longest, count(rest))
            some += 1
    found = 0
    for need in range(1, longest + 1):
        for index in range(spare, spare + some):
            rest = read(board, index)
            if count(rest) == need:
                write(board, rests + found, rest)
                found += without_others(board, rests, found, rest)
        if need == 1 and found > 0:
            break
    before = -1
    while before != found:
        before = found
        compare_cells(board, rests, found)
        found = drop_twins(board, rests, found)
    cells, empty = 0, union(board, rests, found)
    for index in range(read(board, AT_LINES), read(board, AT_LINES) + read(board, LINES)):
        line = read(board, index)
        if line & breaker == 0 and line & ~maker & ~empty == 0:
            cells |= line
    write(board, OPEN, cells)
    return found


def without_others(board: Memory, rests: int, found: int, rest: int) -> int:
    """Return 1 if a rest contains no other, else 0: to stop the other stops this one, too."""
    for index in range(rests, rests + found):
        if read(board, index) & ~rest == 0:
            return 0
    return 1


def compare_cells(board: Memory, rests: int, found: int) -> None:
    """Find out for each cell which other cells are on all lines through it.

    If there is one, the maker would rather take that; WORTHY holds the cells without any.
    """
    common, cells = read(board, AT_COMMON), 0
    for index in range(rests, rests + found):
        rest = read(board, index)
        left = rest
        while left:
            cell = left & -left
            left ^= cell
            at = common + place(cell)
            write(board, at, read(board, at) & rest if cells & cell else rest)
        cells |= rest
    worthy = 0
    while cells:
        cell = cells & -cells
        cells ^= cell
        if read(board, common + place(cell)) == cell:
            worthy |= cell
    write(board, WORTHY, worthy)


def drop_twins(board: Memory, rests: int, found: int) -> int:
    """Pair cells that are on the same lines, leave out these lines, and return how many are left."""
    common, twins = read(board, AT_COMMON), 0
    left = union(board, rests, found) & ~read(board, WORTHY)
    while left:
        cell = left & -left
        left ^= cell
        mates = read(board, common + place(cell)) & left
        while mates:
            mate = mates & -mates
            mates ^= mate
            if read(board, common + place(mate)) & cell:
                left ^= mate
                twins |= cell | mate
                write(board, read(board, AT_PAIRS) + read(board, PAIRS), cell | mate)
                write(board, PAIRS, read(board, PAIRS) + 1)
                break
    if twins == 0:
        return found
    kept = 0
    for index in range(rests, rests + found):
        rest = read(board, index)
        if rest & twins == 0:
            write(board, rests + kept, rest)
            kept += 1
    return kept


def union(board: Memory, rests: int, found: int) -> int:
    """Return all cells of some rests."""
    cells = 0
    for index in range(rests, rests + found):
        cells |= read(board, index)
    return cells


def completing(board: Memory, own: int, other: int) -> int:
    """Return the cells that complete a line of one player; the cells of these lines are left in ZONE."""
    cells, zone = 0, 0
    for index in range(read(board, AT_LINES), read(board, AT_LINES) + read(board, LINES)):
        line = read(board, index)
        rest = line & ~own
        if line & other == 0 and rest & (rest - 1) == 0:
            cells |= rest
            zone |= line
    write(board, ZONE, zone)
    return cells


def forced(board: Memory, maker: int, breaker: int, cell: int) -> int:
    """Return the cells that would complete a line after the maker's stone on a cell."""
    cells = 0
    for index in range(read(board, AT_LINES), read(board, AT_LINES) + read(board, LINES)):
        line = read(board, index)
        if line & breaker == 0 and line & cell:
            rest = line & ~maker & ~cell
            if rest & (rest - 1) == 0:
                cells |= rest
    return cells


def forcing(board: Memory, maker: int, breaker: int) -> int:
    """Return the cells where a stone of the breaker would threaten to complete a line of its own."""
    cells = 0
    for index in range(read(board, AT_LINES), read(board, AT_LINES) + read(board, LINES)):
        line = read(board, index)
        if line & maker == 0 and count(line & ~breaker) == 2:
            cells |= line & ~breaker
    return cells


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


def is_stopped(board: Memory) -> bool:
    """Return whether as many nodes were visited as may be, or the search is to stop."""
    return bool(read(board, NODES) >= read(board, LIMIT) or read(board, STOP) != 0)
