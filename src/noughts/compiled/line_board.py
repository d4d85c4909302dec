"""A board of lines whose counts follow each stone: how many stones of each player every line has, and what that means.

A line is open to a player while the other has no stone on it. It *needs* as many stones as it still has empty cells.
For each player and cell the board counts the open lines through the cell by their need, so that threats are looked up:
a stone on a line that needs 1 wins, a stone on a line that needs 2 forces the reply, and two of those win.

A board is one array of numbers. Compiled functions get its address, interpreted ones the array itself. It begins with
the slots below; those named `AT_` hold where a table begins. Players are 0 and 1; cells count from 0.
"""

from array import array
from collections.abc import Iterable, Sequence
from itertools import accumulate

from noughts.bits import Memory, poll, read, write

__all__ = ["Board", "centrality", "change", "completing", "new_board", "place_all", "stopped", "visit"]

Board = Memory

CELLS, LENGTH, LINES = 0, 1, 2
"""How many cells there are, how many of them make a line, and how many lines there are."""

AT_LINES = 3
"""The cells of line 0, those of line 1, and so on."""
AT_THROUGH, AT_FIRST = 4, 5
"""The lines through cell 0, those through cell 1, and so on; and where the lines of each cell begin."""
AT_WEIGHTS = 6
"""What an open line is worth, by its need."""
AT_RANDOM = 7
"""A random number for each player and cell; sums of them tell positions apart, well enough for a guess."""
AT_OWNERS = 8
"""For each cell: 0 if it is empty, 1 or 2 if player 0 or 1 holds it."""
AT_COUNTS = 9
"""For each player and line: how many stones it has there."""
AT_NEEDS = 10
"""For each player, cell and need: how many open lines through the cell need that many stones."""
AT_VALUES = 11
"""For each player and cell: the worth of all open lines through it."""
AT_ZONES = 12
"""For each level of a threat search and each cell: whether a stone of the defender there may refute the win."""
AT_FOUND = 13
"""For each cell: what is known about a move there; or the stones to place."""
AT_MOVES = 14
"""For each ply of a search: the cells to try, and how promising they are."""
AT_TABLE = 15
"""The table of positions: key, score, and move of each."""

VALUE, ONES, TWOS = 16, 18, 20
"""For each player: the worth of all open lines, how many need 1 stone, and how many need 2."""
NODES, LIMIT, HASH = 22, 23, 24
"""Nodes visited, how many may be visited, and the sum of the random numbers of all stones."""
TABLE_SIZE, BEST, DEPTH, SCORE = 25, 26, 27, 28
"""Positions in the table; and what a search found: the best cell, how far it looked ahead, and its score."""
FIRST, STOP = 29, 30
"""The first cell of a win by forcing replies; and whether the search is to stop."""
ZERO = 31
"""Always 0. A constant argument would make numba compile a recursive function once more, and then not keep it."""
AT_CENTRALITY = 32
"""For each cell: how central it is, from 0 to 1000."""
SLOTS = 33

LEVELS = 48
"""Levels of threat searches and plies of searches that there is room for."""
WIDTH = 24
"""The most cells that are tried in one position."""
ENTRY = 3
"""Numbers in an entry of the table of positions."""

WEIGHTS = (0, 4000, 600, 100, 15, 2, 1)
"""What an open line is worth, by its need; a line that needs more is worth nothing yet."""


def new_board(cells: int, lines: Sequence[Sequence[int]], table_size: int = 1) -> "array[int]":
    """Return an empty board; all lines must have the same length, and the table's size must be a power of 2."""
    length = len(lines[0])
    through: list[list[int]] = [[] for _ in range(cells)]
    for number, line in enumerate(lines):
        for cell in line:
            through[cell].append(number)
    weights = [WEIGHTS[need] if need < len(WEIGHTS) else 0 for need in range(length + 1)]
    no_needs = [0] * length
    tables: dict[int, Iterable[int]] = {
        AT_LINES: (cell for line in lines for cell in line),
        AT_THROUGH: (number for numbers in through for number in numbers),
        AT_FIRST: (0, *accumulate(map(len, through))),
        AT_WEIGHTS: weights,
        AT_RANDOM: _random_numbers(2 * cells),
        AT_CENTRALITY: centrality(cells, lines),
        AT_OWNERS: [0] * cells,
        AT_COUNTS: [0] * (2 * len(lines)),
        AT_NEEDS: (need for numbers in through * 2 for need in (*no_needs, len(numbers))),
        AT_VALUES: [len(numbers) * weights[length] for numbers in through * 2],
        AT_ZONES: [0] * (LEVELS * cells),
        AT_FOUND: [0] * cells,
        AT_MOVES: [0] * (2 * LEVELS * WIDTH),
        AT_TABLE: array("q", bytes(8 * ENTRY * table_size)),
    }
    board = array("q", [0] * SLOTS)
    for slot, numbers in tables.items():
        board[slot] = len(board)
        board.extend(numbers)
    board[CELLS], board[LENGTH], board[LINES] = cells, length, len(lines)
    for player in (0, 1):
        board[VALUE + player] = len(lines) * weights[length]
        board[ONES + player], board[TWOS + player] = len(lines) * (length == 1), len(lines) * (length == 2)
    board[LIMIT], board[TABLE_SIZE] = 1 << 62, table_size
    return board


def centrality(cells: int, lines: Sequence[Sequence[int]]) -> list[int]:
    """Return how central each cell is, from 0 to 1000: those with most lines to cells with most lines, and so on."""
    weights = [1] * cells
    for _ in range(8):
        sums = [0] * cells
        for line in lines:
            total = sum(weights[cell] for cell in line)
            for cell in line:
                sums[cell] += total
        weights = sums
    most = max(weights)
    return [1000 * weight // most for weight in weights]


def _random_numbers(count: int) -> list[int]:
    """Return numbers of 62 bits that look random and are the same each time."""
    found, state = [], 88172645463325252
    for _ in range(count):
        for shift in (13, -7, 17):
            state ^= (state << shift if shift > 0 else state >> -shift) & (1 << 64) - 1
        found.append(state >> 2)
    return found


def owner(board: Board, cell: int) -> int:
    """Return 0 for an empty cell, 1 or 2 for one that player 0 or 1 holds."""
    found: int = read(board, read(board, AT_OWNERS) + cell)
    return found


def lines_needing(board: Board, player: int, cell: int, need: int) -> int:
    """Return how many lines through a cell are open to a player and need that many stones."""
    place = (player * read(board, CELLS) + cell) * (read(board, LENGTH) + 1) + need
    found: int = read(board, read(board, AT_NEEDS) + place)
    return found


def add(board: Board, place: int, number: int) -> None:
    """Add a number to one of the board's."""
    write(board, place, read(board, place) + number)


def change(board: Board, cell: int, player: int, sign: int) -> None:
    """Place a player's stone on an empty cell (`sign` 1), or take it away again (`sign` -1)."""
    cells, length, other = read(board, CELLS), read(board, LENGTH), 1 - player
    write(board, read(board, AT_OWNERS) + cell, player + 1 if sign > 0 else 0)
    write(board, HASH, read(board, HASH) ^ read(board, read(board, AT_RANDOM) + player * cells + cell))
    mine = read(board, AT_COUNTS) + player * read(board, LINES)
    theirs = read(board, AT_COUNTS) + other * read(board, LINES)
    start = read(board, AT_FIRST) + cell
    for index in range(read(board, start), read(board, start + 1)):
        line = read(board, read(board, AT_THROUGH) + index)
        if sign < 0:
            add(board, mine + line, -1)
        before, against = read(board, mine + line), read(board, theirs + line)
        if sign > 0:
            add(board, mine + line, 1)
        if against == 0:
            recount(board, line, player, length - before, -sign)
            recount(board, line, player, length - before - 1, sign)
        if before == 0:  # until now, the line was open to the other player
            recount(board, line, other, length - against, -sign)


def recount(board: Board, line: int, player: int, need: int, sign: int) -> None:
    """Add an open line with a need to all that is counted for a player (`sign` 1), or take it away (`sign` -1)."""
    length = read(board, LENGTH)
    weight = sign * read(board, read(board, AT_WEIGHTS) + need)
    add(board, VALUE + player, weight)
    if need == 1:
        add(board, ONES + player, sign)
    elif need == 2:
        add(board, TWOS + player, sign)
    start, values, needs = read(board, AT_LINES) + line * length, read(board, AT_VALUES), read(board, AT_NEEDS) + need
    for index in range(start, start + length):
        place = player * read(board, CELLS) + read(board, index)
        add(board, values + place, weight)
        add(board, needs + place * (length + 1), sign)


def completing(board: Board, player: int, after: int) -> int:
    """Return the first empty cell above `after` that completes a line of a player; -1 if there is none."""
    if read(board, ONES + player) == 0:
        return -1
    for cell in range(after + 1, read(board, CELLS)):
        if lines_needing(board, player, cell, 1) > 0 and owner(board, cell) == 0:
            return cell
    return -1


def visit(board: Board) -> None:
    """Count a node, and let an interpreted board check the limits."""
    add(board, NODES, 1)
    poll(board)


def stopped(board: Board) -> bool:
    """Return whether as many nodes were visited as may be, or the search is to stop."""
    return bool(read(board, NODES) >= read(board, LIMIT) or read(board, STOP) != 0)


def place_all(board: Board) -> None:
    """Make the board hold the stones in its table of what was found, and no others; then clear that table."""
    for cell in range(read(board, CELLS)):
        held, wanted = owner(board, cell), read(board, read(board, AT_FOUND) + cell)
        write(board, read(board, AT_FOUND) + cell, 0)
        if held != wanted:
            if held:
                change(board, cell, held - 1, -1)
            if wanted:
                change(board, cell, wanted - 1, 1)
