"""What Python asks a kernel to do in one call: value a position, value many of them, list children, follow a line.

A call from Python costs as much as a search of some dozens of nodes, so each task does all that a short question needs.
`build` compiles this file together with the search in `kernel`. Python calls one function for all tasks, and others are
compiled into it, since each function that is compiled by itself takes the search through the compiler again.

Like the search, a task stops when NODES reaches LIMIT, and what it has proven by then is true.
"""

from typing import Any

from noughts.bits import Memory, count, read, read_like, write, write_all
from noughts.compiled.kernel import OFFSET, arity, broken, choices, longest, look_up, search, solve
from noughts.compiled.layout import BOUNDS, CHILDREN, EACH, FOLLOW, FRAMES, HIGH, LIMIT, LOW, MOVE, NODES, VALUE
from noughts.compiled.stub_rules import expand, finish, key, order, play, plies, score_bounds

__all__ = ["answer"]

INLINED = ("solve", "list_children", "tighten", "follow", "best_move")
"""Functions that are compiled as part of their callers."""


def answer(task: int, position: Any, low: int, high: int, memory: Memory, table: Memory, workspace: Memory) -> int:
    """Do a task of `layout`, which says what the numbers mean and what is returned."""
    if task == CHILDREN:
        return list_children(position, workspace)
    returned, first = 0, 0
    if task != FOLLOW:
        returned = tighten(task, position, low, high, memory, table, workspace)
        low = read(workspace, LOW)
        if task != VALUE or read(workspace, MOVE) or low < read(workspace, HIGH):
            return returned
        high, memory, first = 1, workspace, MOVE
    moves = follow(position, low, high, memory, first, table, workspace)
    return moves if task == FOLLOW else returned


def list_children(position: Any, workspace: Memory) -> int:
    """List the moves of a position and the positions after them in the first frame; return how many there are.

    Lists nothing if the rules know the score: they may then leave out every move.
    """
    low, high = score_bounds(position)
    if low == high:
        return 0
    moves = expand(position)
    if moves <= 0 or count(moves) > choices:
        return broken(0, workspace)
    number = 0
    while moves:
        move = moves & -moves
        moves ^= move
        write(workspace, FRAMES + number, move)
        write_all(workspace, FRAMES + choices + arity * number, play(position, move))
        number += 1
    return number


def tighten(task: int, position: Any, low: int, high: int, memory: Memory, table: Memory, workspace: Memory) -> int:
    """Tighten the bounds of a position in the window from `low` to `high`; return 1 if it has finished, 0 if stopped.

    For the task EACH, the same for `high` positions in memory, each after its two bounds: first who wins each, and then
    how fast. That is two steps for each position. Returns the step at which it was stopped; `low` is the first one.
    """
    step, number = low, high
    while True:
        at = 0
        if task == EACH:
            if step >= 2 * number:
                return step
            at = step % number * (BOUNDS + arity)
            high = 1 if step < number else OFFSET
            low = -high
            position = read_like(position, memory, at + BOUNDS)
            write(workspace, LOW, read(memory, at))
            write(workspace, HIGH, read(memory, at + 1))
            if read(memory, at) == read(memory, at + 1):  # a finished game, perhaps, which has no position
                step += 1
                continue
        finished = solve(position, low, high, table, workspace)
        if task != EACH:
            return finished
        write(memory, at, read(workspace, LOW))
        write(memory, at + 1, read(workspace, HIGH))
        if not finished:
            return step
        step += 1


def follow(position: Any, score: int, most: int, memory: Memory, at: int, table: Memory, workspace: Memory) -> int:
    """Write best play from a position with a known score to memory; return how many moves it has, at most `most`.

    It goes on to the end of the game or to the limit; or until the rules know the score of a position, but no move.
    """
    moves = 0
    while moves < most:
        low, high = score_bounds(position)
        move = finish(position) if low == high else best_move(position, score, table, workspace)
        if move == 0:
            break
        write(memory, at + moves, move)
        moves += 1
        if abs(score) == longest - plies(position):  # the game is over, and the rules may not have such a position
            break
        position, score = play(position, move), -score
    return moves


def best_move(position: Any, score: int, table: Memory, workspace: Memory) -> int:
    """Return a move of a position with a known score that reaches it, or 0 if the limit stops the search for one.

    Requires a position whose score the rules do not know. They and the table are asked about all children before one
    is searched, the most promising first.
    """
    one = count(1)  # 1, but no constant, or numba would compile the search twice
    unknown = expand(position)
    while unknown > 0:
        moves = unknown
        first = 0
        highest = 0
        while moves:
            move = moves & -moves
            moves ^= move
            child = play(position, move)
            low, high = score_bounds(child)
            known = look_up(table, key(child), workspace)
            if known & 1:
                high = min(high, (known >> 1) - OFFSET)
            elif known:
                low = max(low, (known >> 1) - OFFSET)
            if -high >= score:
                return move
            rank = order(position, move)
            if -low < score:
                unknown ^= move
            elif first == 0 or rank > highest:
                first, highest = move, rank
        if first == 0:
            return 0
        reached = -search(play(position, first), 1 - score, table, workspace, one)
        if read(workspace, NODES) >= read(workspace, LIMIT):
            return 0
        if reached >= score:
            return first
        unknown ^= first
    return 0
