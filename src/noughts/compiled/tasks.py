"""What Python asks a kernel to do in one call: value a position, value many of them, list children, follow a line.

A call from Python costs as much as a search of some dozens of nodes, so each task does all that a short question needs.
`build` compiles this file together with the search in `kernel`. All tasks go through one function, since everything
that a compiled function calls is compiled with it.

Like the search, a task stops when NODES reaches LIMIT, and what it has proven by then is true.
"""

from typing import Any

from noughts.bits import Memory, count, read, read_like, write, write_all
from noughts.compiled.kernel import OFFSET, arity, broken, choices, longest, look_up, search, solve
from noughts.compiled.layout import BOUNDS, CHILDREN, EACH, FOLLOW, FRAMES, HIGH, LIMIT, LOW, MOVE, NODES, VALUE
from noughts.compiled.stub_rules import expand, key, order, play, score_bounds

__all__ = ["answer"]


def answer(task: int, position: Any, low: int, high: int, memory: Memory, table: Memory, workspace: Memory) -> int:
    """Do a task of `layout`, which says what the numbers mean and what is returned."""
    if task == CHILDREN:
        return list_children(position, workspace)
    if task == FOLLOW:
        return follow(position, low, memory, table, workspace)
    if task == EACH:
        return value_each(position, low, high, memory, table, workspace)
    finished = solve(position, low, high, table, workspace)
    score = read(workspace, LOW)
    if task == VALUE and read(workspace, MOVE) == 0 and score == read(workspace, HIGH):
        write(workspace, MOVE, best_move(position, score, table, workspace))
    return finished


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


def value_each(sample: Any, step: int, number: int, memory: Memory, table: Memory, workspace: Memory) -> int:
    """Tighten the bounds of several positions: first who wins each, then how fast; return the step that was stopped.

    Each position in memory comes after its two bounds. It takes two steps for each position: first one for each, then
    another one for each. So it returns twice the number of positions when all scores are exact.
    """
    while step < 2 * number:
        at = step % number * (BOUNDS + arity)
        low, high = read(memory, at), read(memory, at + 1)
        if low < high:
            write(workspace, LOW, low)
            write(workspace, HIGH, high)
            window = 1 if step < number else OFFSET
            finished = solve(read_like(sample, memory, at + BOUNDS), -window, window, table, workspace)
            write(memory, at, read(workspace, LOW))
            write(memory, at + 1, read(workspace, HIGH))
            if not finished:
                return step
        step += 1
    return step


def follow(position: Any, score: int, memory: Memory, table: Memory, workspace: Memory) -> int:
    """Write best play from a position with a known score to memory; return how many moves it has.

    It goes on until the rules know the score of a position, since they may leave out its best moves, or to the limit.
    """
    moves = 0
    while moves < longest:
        move = best_move(position, score, table, workspace)
        if move == 0:
            break
        write(memory, moves, move)
        position, score = play(position, move), -score
        moves += 1
    return moves


def best_move(position: Any, score: int, table: Memory, workspace: Memory) -> int:
    """Return a move of a position whose score is known that reaches it, or 0 if the limit stops the search for it.

    Also returns 0 if the rules know the score. The rules and the table are asked about all children before any search.
    """
    low, high = score_bounds(position)
    if low == high:
        return 0
    moves = expand(position)
    unknown = 0
    while moves > 0:
        move = moves & -moves
        moves ^= move
        child = play(position, move)
        low, high = score_bounds(child)
        if -high >= score:
            return move
        if -low >= score:
            unknown |= move
    moves = unknown
    while moves:
        move = moves & -moves
        moves ^= move
        known = look_up(table, key(play(position, move)), workspace)
        if known:
            bound = OFFSET - (known >> 1)
            if known & 1 and bound >= score:
                return move
            if known & 1 == 0 and bound < score:
                unknown ^= move
    one = count(1)  # 1, but no constant, or numba would compile the search twice
    while unknown:
        move = most_promising(position, unknown)
        unknown ^= move
        reached = -search(play(position, move), 1 - score, table, workspace, one)
        if read(workspace, NODES) >= read(workspace, LIMIT):
            return 0
        if reached >= score:
            return move
    return 0


def most_promising(position: Any, moves: int) -> int:
    """Return the move that the rules want to be tried first."""
    best = moves & -moves
    moves ^= best
    while moves:
        move = moves & -moves
        moves ^= move
        if order(position, move) > order(position, best):
            best = move
    return best
