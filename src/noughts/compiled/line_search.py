"""Alpha-beta on a board of lines, for a good guess: few cells in each position, threats first, deeper step by step.

What it returns is a guess, also where it sees a win: it tries only the most promising cells, and its table tells
positions apart by a hash. `threats` has the searches that prove something.

Scores take the view of the player to move. A win in n plies scores `WON` - n.
"""

from noughts.bits import read, write
from noughts.compiled.line_board import (
    AT_CENTRALITY,
    AT_FOUND,
    AT_MOVES,
    AT_TABLE,
    AT_VALUES,
    BEST,
    CELLS,
    DEPTH,
    ENTRY,
    HASH,
    LEVELS,
    LIMIT,
    NODES,
    SCORE,
    TABLE_SIZE,
    TWOS,
    VALUE,
    WIDTH,
    ZERO,
    Board,
    change,
    completing,
    lines_needing,
    owner,
    place_all,
    stopped,
    visit,
)
from noughts.compiled.threats import fours, survey, zone_at

__all__ = ["DEEPEN", "FOURS", "PLACE", "SURVEY", "WON", "run"]

WON = 1_000_000
FAR = 900_000
"""Scores beyond this are wins, and scores below minus this are losses."""

PLACE, SURVEY, FOURS, DEEPEN = 0, 1, 2, 3
"""The tasks of `run`."""

EXACT, AT_LEAST, AT_MOST = 0, 1, 2
"""How a score in the table relates to the true one."""

INNER_WIDTH = 14
"""How many cells are tried below the root."""

LEAF_PLIES, LEAF_NODES = 15, 60
"""How far a leaf is searched for a win by forcing replies."""

QUIET = 6
"""How many plies beyond the depth a search follows threats."""

FIRST_RANK = 1 << 60
"""The rank of what was best before, which is tried first."""

LAST_LEVEL = LEVELS - 2
"""The deepest ply of a search."""


def run(board: Board, task: int, player: int, first: int, second: int) -> int:
    """Do one of the tasks; there is one entry for all, since numba cannot keep two that share a recursive function."""
    if task == PLACE:
        place_all(board)
        return 0
    if task == SURVEY:
        return survey(board, player, first, second)
    if task == FOURS:
        return fours(board, player, first, second)
    return deepen(board, player, first)


def deepen(board: Board, player: int, deepest: int) -> int:
    """Look further and further ahead; leave the best cell of the deepest search that was finished in the board.

    It goes on from DEPTH, with what was best before in front. Only cells without a mark in the table of what was found
    are tried: the others are known to lose. Returns the depth.
    """
    count, zero = root_moves(board, player), read(board, ZERO)
    moves = read(board, AT_MOVES)
    for depth in range(read(board, DEPTH) + 1, min(deepest, LAST_LEVEL - QUIET) + 1):
        alpha, best, best_index = zero - WON, -1, 0
        for index in range(count):
            cell = read(board, moves + index)
            change(board, cell, player, 1)
            score = -search(board, 1 - player, depth - 1, zero - WON, -alpha, zero + 1)
            change(board, cell, player, -1)
            if stopped(board):
                break
            if score > alpha:
                alpha, best, best_index = score, cell, index
        if best >= 0 and (not stopped(board) or best_index > 0 or read(board, DEPTH) == 0):
            write(board, BEST, best)
            write(board, SCORE, alpha)
            for index in range(best_index, 0, -1):
                write(board, moves + index, read(board, moves + index - 1))
            write(board, moves, best)
        if stopped(board):
            break
        write(board, DEPTH, depth)
        if alpha > FAR or alpha < -FAR:
            break
    depth_reached: int = read(board, DEPTH)
    return depth_reached


def root_moves(board: Board, player: int) -> int:
    """List the most promising cells that are not known to lose; return how many there are.

    On an empty board that is the most central one alone.
    """
    found, before = read(board, AT_FOUND), read(board, BEST)
    most, count = WIDTH if read(board, HASH) != 0 else 1, 0
    for cell in range(read(board, CELLS)):
        if owner(board, cell) == 0 and read(board, found + cell) == 0:
            rank = FIRST_RANK if cell == before else promise(board, player, cell)
            count = insert(board, 0, count, most, cell, rank)
    if before >= 0 and read(board, found + before) != 0:
        write(board, DEPTH, 0)  # it is known to lose by now, so the others are to be compared again
    return count


def promise(board: Board, player: int, cell: int) -> int:
    """Return how promising a cell is: the worth of the lines through it, one's own a little more than the other's.

    Of equals, the central one comes first.
    """
    values, cells = read(board, AT_VALUES), read(board, CELLS)
    mine, theirs = read(board, values + player * cells + cell), read(board, values + (1 - player) * cells + cell)
    total: int = (5 * mine + 4 * theirs) * 1024 + read(board, read(board, AT_CENTRALITY) + cell)
    return total


def insert(board: Board, ply: int, count: int, most: int, cell: int, rank: int) -> int:
    """Insert a cell into the moves of a ply, the highest rank first, and return how many there are; keep `most`."""
    moves = read(board, AT_MOVES) + 2 * WIDTH * ply
    at = count
    if count == most:
        at = count - 1
        if read(board, moves + WIDTH + at) >= rank:
            return count
    while at > 0 and read(board, moves + WIDTH + at - 1) < rank:
        write(board, moves + at, read(board, moves + at - 1))
        write(board, moves + WIDTH + at, read(board, moves + WIDTH + at - 1))
        at -= 1
    write(board, moves + at, cell)
    write(board, moves + WIDTH + at, rank)
    return min(count + 1, most)


def search(board: Board, player: int, depth: int, alpha: int, beta: int, ply: int) -> int:
    """Return a score of a position: exact between `alpha` and `beta`, else a bound; as far as this search sees."""
    other = 1 - player
    visit(board)
    if stopped(board):
        return 0
    # 1. Lines that can be completed decide at once, or leave one move.
    if completing(board, player, -1) >= 0:
        return WON - ply - 1
    must = completing(board, other, -1)
    if must >= 0:
        if completing(board, other, must) >= 0:
            return ply + 2 - WON
        if ply >= LAST_LEVEL:
            return 0
        change(board, must, player, 1)
        score = -search(board, other, depth, -beta, -alpha, ply + 1)
        change(board, must, player, -1)
        return score
    # 2. Two lines that need 2 stones and cross: a win in 3 plies.
    if double(board, player) >= 0:
        return WON - ply - 3
    threat = double(board, other)
    # 3. At the horizon, look for a win by forcing replies; follow threats a little further.
    if depth <= 0 and (threat < 0 or depth <= -QUIET or ply >= LAST_LEVEL):
        return leaf(board, player, ply)
    # 4. Ask the table.
    entry = read(board, AT_TABLE) + ENTRY * ((read(board, HASH) ^ player) & (read(board, TABLE_SIZE) - 1))
    known = -1
    if read(board, entry) == read(board, HASH) ^ player:
        word = read(board, entry + 1)
        known = read(board, entry + 2)
        kind, score = word & 3, (word >> 16) - 2 * WON
        if score > FAR:
            score -= ply
        elif score < -FAR:
            score += ply
        if (word >> 2 & 255) - 64 >= depth and (
            kind == EXACT or (kind == AT_LEAST and score >= beta) or (kind == AT_MOST and score <= alpha)
        ):
            return int(score)
    # 5. Try the cells, the most promising first.
    count = inner_moves(board, player, ply, threat, known)
    moves = read(board, AT_MOVES) + 2 * WIDTH * ply
    best, best_cell, first_alpha = -WON, -1, alpha
    for index in range(count):
        cell = read(board, moves + index)
        change(board, cell, player, 1)
        score = alpha
        if index > 0:
            score = -search(board, other, depth - 1, -alpha - 1, -alpha, ply + 1)
        if index == 0 or alpha < score < beta:
            score = -search(board, other, depth - 1, -beta, -alpha, ply + 1)
        change(board, cell, player, -1)
        if stopped(board):
            return 0
        if score > best:
            best, best_cell = score, cell
            alpha = max(alpha, score)
            if alpha >= beta:
                break
    if best_cell < 0:
        return 0  # the board is full
    # 6. Remember it. Wins and losses are stored with their distance from here.
    kind = AT_LEAST if best >= beta else AT_MOST if best <= first_alpha else EXACT
    stored = best + ply if best > FAR else best - ply if best < -FAR else best
    write(board, entry, read(board, HASH) ^ player)
    write(board, entry + 1, (stored + 2 * WON) << 16 | (depth + 64) << 2 | kind)
    write(board, entry + 2, best_cell)
    return best


def leaf(board: Board, player: int, ply: int) -> int:
    """Return the score of a leaf: a win by forcing replies if a short search finds one, else the worth of the lines."""
    if read(board, TWOS + player) > 1:
        limit, zero = read(board, LIMIT), read(board, ZERO)
        write(board, LIMIT, min(limit, read(board, NODES) + LEAF_NODES))
        took = fours(board, player, zero + LEAF_PLIES, zero + LEVELS - 1)
        write(board, LIMIT, limit)
        if took > 0:
            return WON - ply - took
    mine, theirs = read(board, VALUE + player), read(board, VALUE + 1 - player)
    score: int = mine + mine // 4 - theirs
    return score


def double(board: Board, player: int) -> int:
    """Return a cell where a stone makes two lines that need 1, on different cells; -1 if there is none."""
    if read(board, TWOS + player) < 2:
        return -1
    zone = zone_at(board, LEVELS - 2)
    for cell in range(read(board, CELLS)):
        if lines_needing(board, player, cell, 2) > 1 and owner(board, cell) == 0:
            change(board, cell, player, 1)
            first = completing(board, player, -1)
            second = completing(board, player, first)
            change(board, cell, player, -1)
            if second >= 0:
                write(board, zone, first)
                write(board, zone + 1, second)
                return cell
    return -1


def inner_moves(board: Board, player: int, ply: int, threat: int, known: int) -> int:
    """List the cells to try, and return how many there are.

    Against a threat to win in 3 plies, at `threat`, only these help: its three cells, and stones that force a reply.
    """
    zone = zone_at(board, LEVELS - 2)
    first, second = read(board, zone), read(board, zone + 1)
    count = 0
    for cell in range(read(board, CELLS)):
        if owner(board, cell) != 0:
            continue
        forces = lines_needing(board, player, cell, 2) > 0
        if threat >= 0 and not forces and cell != threat and cell != first and cell != second:
            continue
        rank = promise(board, player, cell)
        if cell == known:
            rank = FIRST_RANK
        count = insert(board, ply, count, INNER_WIDTH, cell, rank)
    return count
