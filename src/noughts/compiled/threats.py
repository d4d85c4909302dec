"""Threat search on a board of lines: wins within a number of plies, proven against every defence.

**Why few moves suffice.** In these games a further stone never harms its owner. So a move wins within n plies only if
it would also win within n - 2 after it if the opponent passed. That settles which moves are worth trying. And if it
would win after a pass, the only replies that can refute it are those that interfere with that win: a stone on one of
the cells that it needs, its *zone*, or on a line that the opponent could complete in the time that is left. These are
all tried. So the answers are proofs, in both directions: a win that is found is one, and where none is found, there is
none within that many plies.
"""

from noughts.bits import read, write
from noughts.compiled.line_board import (
    AT_FOUND,
    AT_ZONES,
    CELLS,
    FIRST,
    LENGTH,
    TWOS,
    ZERO,
    Board,
    change,
    completing,
    lines_needing,
    owner,
    stopped,
    visit,
)

__all__ = ["attack", "fours", "survey"]

FAILS, WINS, FORCES, MAY_WIN = 0, 1, 2, 3
"""What a stone does at once."""


def attack(board: Board, player: int, plies: int, level: int, only: int) -> int:
    """Return a cell with which a player, who is to move, wins within `plies` plies, or -1 if there is none.

    With `only`, a cell, only that one is tried, and only for a win in exactly that many plies; the caller knows that
    there is no shorter one. If it is the number of cells, all are tried. The zone of the win is left at `level`. If the
    search was stopped, the result means nothing.
    """
    other, zone, cells = 1 - player, zone_at(board, level), read(board, CELLS)
    chosen = only < cells
    visit(board)
    if stopped(board):
        return -1
    # 1. Complete a line; if the opponent is about to complete one, only a stone there can win.
    cell = completing(board, player, -1)
    if cell >= 0:
        clear_zone(board, zone)
        write(board, zone + cell, 1)
        return cell
    must = completing(board, other, -1)
    if must >= 0 and completing(board, other, must) >= 0:
        return -1
    # 2. Look for the shortest win.
    for within in range(plies if chosen else 3, plies + 1, 2):
        if within == 3 and read(board, TWOS + player) < 2:
            continue
        for cell in range(cells):
            if (chosen and cell != only) or (must >= 0 and cell != must) or owner(board, cell):
                continue
            if must < 0 and not may_help(board, player, cell, within):
                continue
            # 3. Place the stone. A forced reply is the only one; else try every reply that may interfere.
            kind = start(board, player, cell, within, zone)
            won = kind == WINS
            if kind == FORCES:
                reply = completing(board, player, -1)
                change(board, reply, other, 1)
                won = attack(board, player, within - 2, level + 1, cells) >= 0
                change(board, reply, other, -1)
                add_zone(board, zone, 1)
            elif kind == MAY_WIN and attack(board, player, within - 2, level + 1, cells) >= 0:
                won = True
                add_zone(board, zone, 1)
                reply = next_reply(board, other, -1, (within - 1) // 2, zone)
                while won and reply >= 0:
                    change(board, reply, other, 1)
                    won = attack(board, player, within - 2, level + 1, cells) >= 0
                    change(board, reply, other, -1)
                    add_zone(board, zone, 2)  # 2, so that these are not tried as replies
                    reply = next_reply(board, other, reply, (within - 1) // 2, zone)
            change(board, cell, player, -1)
            if stopped(board):
                return -1
            if won:
                settle_zone(board, zone)
                return cell
    return -1


def may_help(board: Board, player: int, cell: int, within: int) -> bool:
    """Return whether a stone on an empty cell can be the first of a win within some plies, if there is no shorter win.

    It must be on a line that can be completed in that time, or on one of the opponent's that could be completed first.
    For a win in 3 plies, it must be on two lines that need 2 stones.
    """
    if within == 3:
        return lines_needing(board, player, cell, 2) > 1
    for need in range(2, min((within + 1) // 2, read(board, LENGTH)) + 1):
        if lines_needing(board, player, cell, need) > 0:
            return True
    for need in range(2, min((within - 3) // 2, read(board, LENGTH)) + 1):
        if lines_needing(board, 1 - player, cell, need) > 0:
            return True
    return False


def start(board: Board, player: int, cell: int, within: int, zone: int) -> int:
    """Place a stone, begin the zone of its win, and return what it does at once.

    Requires that the player cannot complete a line, and that this stone stops the opponent from completing one.
    """
    change(board, cell, player, 1)
    clear_zone(board, zone)
    write(board, zone + cell, 1)
    first = completing(board, player, -1)
    if first < 0:
        return MAY_WIN if within > 3 else FAILS
    write(board, zone + first, 1)
    second = completing(board, player, first)
    if second < 0:
        return FORCES if within > 3 else FAILS
    write(board, zone + second, 1)
    return WINS


def next_reply(board: Board, defender: int, after: int, stones: int, zone: int) -> int:
    """Return the first cell above `after` where a stone may refute a win, or -1 if there is none."""
    for cell in range(after + 1, read(board, CELLS)):
        if interferes(board, defender, cell, stones, zone):
            return cell
    return -1


def interferes(board: Board, defender: int, cell: int, stones: int, zone: int) -> bool:
    """Return whether a defender's stone may refute a win: in its zone, or on a line that `stones` can complete."""
    if owner(board, cell) != 0:
        return False
    if read(board, zone + cell) == 1:
        return True
    for need in range(1, min(stones, read(board, LENGTH)) + 1):
        if lines_needing(board, defender, cell, need) > 0:
            return True
    return False


def zone_at(board: Board, level: int) -> int:
    """Return where the zone of a level is."""
    place: int = read(board, AT_ZONES) + level * read(board, CELLS)
    return place


def clear_zone(board: Board, zone: int) -> None:
    """Empty a zone."""
    for place in range(zone, zone + read(board, CELLS)):
        write(board, place, 0)


def add_zone(board: Board, zone: int, mark: int) -> None:
    """Add the cells of the zone one level below, which get `mark` unless they are marked already."""
    cells = read(board, CELLS)
    for place in range(zone, zone + cells):
        if read(board, place + cells) != 0 and read(board, place) == 0:
            write(board, place, mark)


def settle_zone(board: Board, zone: int) -> None:
    """Mark all cells of a zone in the same way: from outside, they are all cells where a stone may interfere."""
    for place in range(zone, zone + read(board, CELLS)):
        if read(board, place) != 0:
            write(board, place, 1)


def survey(board: Board, player: int, done: int, most: int) -> int:
    """Find out which moves of a player win within `most` plies, and which lose within one more.

    In the board's table of what was found, each cell gets the distance of a win, or minus the distance of a loss; 0 if
    it is neither. All distances are exact. It stops at the first win, or when all moves lose. `done` plies have been
    examined before; the return value is how many have been examined in full now.
    """
    cells, other, found, root = read(board, CELLS), 1 - player, read(board, AT_FOUND), read(board, ZERO)
    for within in range(done + 1 + done % 2, most + 1, 2):
        # 1. Which moves win? If the opponent is about to complete a line, all others are known to lose by now.
        won = False
        for cell in range(cells):
            if owner(board, cell) != 0 or read(board, found + cell) != 0:
                continue
            if within == 1:
                wins = lines_needing(board, player, cell, 1) > 0
            else:
                wins = attack(board, player, within, root, cell) == cell
            if stopped(board):
                return done
            if wins:
                write(board, found + cell, within)
                won = True
        if won:
            return within
        # 2. Which moves lose? If the opponent would win after a pass, all that do not interfere.
        left = True
        if attack(board, other, within, root, cells) >= 0:
            left = False
            for cell in range(cells):
                if owner(board, cell) != 0 or read(board, found + cell) != 0:
                    continue
                lost = True
                if interferes(board, player, cell, (within + 1) // 2, zone_at(board, 0)):
                    change(board, cell, player, 1)
                    lost = attack(board, other, within, root + 1, cells) >= 0
                    change(board, cell, player, -1)
                if stopped(board):
                    return done
                if lost:
                    write(board, found + cell, -within - 1)
                else:
                    left = True
        if stopped(board):
            return done
        done = within
        if not left:
            break
    return done


def fours(board: Board, player: int, plies: int, level: int) -> int:
    """Return within how many plies a player, who is to move, wins by forcing every reply, or 0 if that is not found.

    Each of the player's stones threatens to complete a line. The cells of the win are marked in the zone at `level`,
    and the first of them is in FIRST.
    """
    other, zone = 1 - player, zone_at(board, level)
    visit(board)
    first = completing(board, player, -1)
    if first >= 0:
        clear_zone(board, zone)
        write(board, zone + first, 1)
        write(board, FIRST, first)
        return 1
    must = completing(board, other, -1)
    if plies < 3 or stopped(board) or (must >= 0 and completing(board, other, must) >= 0):
        return 0
    if read(board, TWOS + player) == 0:
        return 0
    for cell in range(read(board, CELLS)):
        if lines_needing(board, player, cell, 2) == 0 or owner(board, cell) != 0 or (must >= 0 and cell != must):
            continue
        change(board, cell, player, 1)
        first = completing(board, player, -1)
        second = completing(board, player, first)
        took = 0
        if second >= 0:
            took = 3
            clear_zone(board, zone)
        elif plies > 3:
            change(board, first, other, 1)
            took = fours(board, player, plies - 2, level)
            change(board, first, other, -1)
            took += 2 * (took > 0)
        change(board, cell, player, -1)
        if took > 0:
            write(board, zone + cell, 1)
            write(board, zone + first, 1)
            write(board, zone + max(first, second), 1)
            write(board, FIRST, cell)
            return took
        if stopped(board):
            return 0
    return 0
