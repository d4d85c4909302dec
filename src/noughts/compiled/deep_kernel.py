"""The deep search that is compiled for each game: principal variation search, to a depth or to the end of the game.

As it stands, it searches the smallest of games, by the rules in `deep_stub`. `noughts.compiled.build` makes a copy of
it for each game, puts the functions and constants of the game's own rules in place of these, and has numba compile it.

**Values** take the view of the player to move. A proven value is a score times `UNIT`; a guess is smaller than `UNIT`.
Plies count from the position, so going up the tree takes a point off a win and adds one to a loss; the sign changes
only if the player does. `deep_layout` says more.

**What is sure.** Each value comes with two bits: LOW, if the true score is certainly at least the value, and HIGH, if
it is certainly at most the value. A finished game has both, a guess has neither. The value of a node is that of its
best move; it is a sure lower bound if that of the move is one, and a sure upper bound if all moves were valued and each
value is one. So it does not matter for a proof how deep any move was searched, or whether its depth was reduced.

**The table and the workspace** are described in `deep_layout`.
"""

from typing import Any

from noughts.bits import (
    Memory,
    claim,
    count,
    place,
    read,
    read_in_order,
    read_like,
    spread,
    write,
    write_all,
    write_in_order,
)
from noughts.compiled.deep_layout import (
    BROKEN,
    BUSY,
    DEEPEST,
    EXACT,
    FULL,
    HIGH,
    HISTORY,
    LIMIT,
    LOW,
    LOWER,
    MARKS,
    MOST_MOVES,
    NO_MOVE,
    NODES,
    SIZE,
    SPLIT,
    SURE,
    UNIT,
    UPPER,
    VALUE,
    WORD_MOVES,
    entry_words,
    frame_words,
)
from noughts.compiled.deep_stub import (
    after,
    bounds,
    evaluate,
    is_same_player,
    moves_of,
    plies_left,
    rank,
    words_of,
)

__all__ = ["known_move", "look", "search"]

# Those of the stub; `build` puts a game's own in their place.
longest = 5
most = 1
choices = 2
arity = 1
key_words = 1
move_words = 1

ENTRY = entry_words(key_words)
FRAMES = HISTORY + move_words * WORD_MOVES
FRAME = frame_words(choices, arity)
WORST = -(most + 1) * (longest + 1) * UNIT

NEAR_END = 5
"""A search to the end does without the table when at most this many plies are left."""

FAR_FROM_END = 9
"""A search to the end asks the table about all children first when at least this many plies are left."""

ALL_AT_FULL_DEPTH = 3
"""How many moves are searched at full depth before later ones are reduced."""

MANY = 10
"""After this many moves, depth is reduced by two."""

TOP = 1 << 60
"""The rank of the move that the table has."""

LARGEST_RANK = 1 << 40
COUNTED = 6
"""How many bits of a rank are for the counter of a move."""


def index_of(position: Any, size: int) -> int:
    """Return the place of a position in the table; its entry is there or beside it."""
    return hash_of(position) * size >> 32


def hash_of(position: Any) -> int:
    """Return 32 bits that depend on all bits of a position's key."""
    mixed = 0
    for word in words_of(position):
        mixed ^= word
        mixed = spread(mixed ^ mixed >> 29)
    return mixed


def has_key(table: Memory, at: int, position: Any) -> bool:
    """Return whether an entry of the table has the key of a position."""
    for word in words_of(position):
        at += 1
        if read_in_order(table, at) != word:
            return False
    return True


def look_up(table: Memory, position: Any, workspace: Memory) -> int:
    """Return what the table knows about a position, as one number; 0 if it knows nothing."""
    size = read(workspace, SIZE)
    index = index_of(position, size)
    for _ in range(2):
        at = index * ENTRY
        sequence = read_in_order(table, at)
        if sequence & 1 == 0 and has_key(table, at, position):
            found: int = read_in_order(table, at + ENTRY - 1)
            if read_in_order(table, at) == sequence and found:
                return found
        if size & 1 == 0:
            index ^= 1
    return 0


def store(
    table: Memory, position: Any, value: int, depth: int, move: int, kind: int, sure: int, workspace: Memory
) -> None:
    """Store a value of a position. What was there moves beside it, unless it is the same position."""
    size = read(workspace, SIZE)
    index = index_of(position, size)
    at = index * ENTRY
    sequence = read_in_order(table, at)
    if sequence & 1:
        return  # another thread is writing it
    same = has_key(table, at, position)
    if same and read_in_order(table, at + ENTRY - 1) & (LOW | HIGH) == LOW | HIGH and sure != LOW | HIGH:
        return
    if not claim(table, at, sequence):
        return
    if not same and size & 1 == 0:
        beside = (index ^ 1) * ENTRY
        other = read_in_order(table, beside)
        if other & 1 == 0 and claim(table, beside, other):
            for word in range(1, ENTRY):
                write_in_order(table, beside + word, read_in_order(table, at + word))
            write_in_order(table, beside, other + 2)
    place_of_word = at
    for word in words_of(position):
        place_of_word += 1
        write_in_order(table, place_of_word, word)
    known = ((value << 12 | depth) << 11 | move + 1) << 4 | kind << 2 | sure
    write_in_order(table, place_of_word + 1, known)
    write_in_order(table, at, sequence + 2)


def earlier(value: int) -> int:
    """Return a value as it is seen one ply earlier: a proven end is then one ply further away."""
    return value - UNIT if value >= UNIT else value + UNIT if value <= -UNIT else value


def later(value: int) -> int:
    """Return the end of a window as it is seen one ply later."""
    return value + UNIT if value >= UNIT else value - UNIT if value <= -UNIT else value


def swapped(sure: int) -> int:
    """Return what is sure of a value after its sign has changed."""
    return sure >> 1 | (sure & 1) << 1


def guess(position: Any) -> int:
    """Return the rules' own guess who is ahead, which is never as good as a proven win."""
    return min(UNIT - 1, max(1 - UNIT, evaluate(position)))


def broken(workspace: Memory) -> tuple[int, int]:
    """Stop the search, since the rules broke a promise. The return value means nothing."""
    write(workspace, DEEPEST, BROKEN)
    write(workspace, LIMIT, 0)
    return 0, 0


def counted(workspace: Memory, move: int) -> int:
    """Return how often a move has proved good, as a number of COUNTED bits."""
    found: int = read(workspace, HISTORY + move)
    return min((1 << COUNTED) - 1, found)


def count_good(workspace: Memory, move: int, depth: int) -> None:
    """Count a move that was good enough; if a counter gets too high, halve all."""
    now = read(workspace, HISTORY + move) + min(depth, 8)
    write(workspace, HISTORY + move, now)
    if now >= 1 << COUNTED + 1:
        for at in range(HISTORY, HISTORY + move_words * WORD_MOVES):
            write(workspace, at, read(workspace, at) >> 1)


def search(
    position: Any, alpha: int, beta: int, depth: int, ply: int, table: Memory, workspace: Memory
) -> tuple[int, int]:
    """Return the value of a position whose own bounds leave its score open, `depth` plies ahead, and what is sure.

    If the value is at most `alpha`, that of a complete search is at most this; if at least `beta`, at least this; else
    it is exactly this. What is sure holds for the true score, whatever the depth. With a depth of more than `longest`
    plies, everything is. If NODES reaches LIMIT, the search was stopped: the result means nothing and is not stored.
    """
    # 1. Count the node, and stop at the limit or at the horizon.
    nodes = read(workspace, NODES) + 1
    write(workspace, NODES, nodes)
    if nodes >= read(workspace, LIMIT):
        return 0, 0
    if depth <= 0:
        return guess(position), 0
    write(workspace, DEEPEST, max(read(workspace, DEEPEST), ply))
    if ply > longest:
        return broken(workspace)
    # 2. Ask the table.
    to_end = depth > longest
    left = plies_left(position)
    tabled = left > NEAR_END if to_end else depth > 1
    hint = NO_MOVE
    if tabled:
        known = look_up(table, position, workspace)
        if known:
            value, sure, kind = known >> 27, known & 3, known >> 2 & 3
            hint = (known >> 4 & 2047) - 1
            if (
                sure == LOW | HIGH
                or (sure & LOW and value >= beta)
                or (sure & HIGH and value <= alpha)
                or (
                    known >> 15 & FULL >= depth
                    and (kind == EXACT or (kind == LOWER and value >= beta) or (kind == UPPER and value <= alpha))
                )
            ):
                return value, sure
    # 3. Play every move before searching any child: the bounds of a child may settle the question. The other children
    #    wait, the most promising first.
    best, best_move, best_low, all_high = WORST, NO_MOVE, 0, HIGH
    floor = alpha
    frame = FRAMES + ply * FRAME
    numbers = frame + choices
    children = numbers + choices
    waiting = moves = first = 0
    for word in moves_of(position):
        if word < 0:
            return broken(workspace)
        rest = word
        while rest:
            move = first + place(rest)
            rest &= rest - 1
            moves += 1
            if moves > choices:
                return broken(workspace)
            child = after(position, move)
            low, high = bounds(child)
            if not is_same_player(position, child):
                low, high = -high, -low
            low, high = earlier(low * UNIT), earlier(high * UNIT)
            if low >= beta:
                if tabled:
                    store(table, position, low, min(depth, FULL), move, LOWER, LOW, workspace)
                return low, LOW
            if low == high or high <= alpha:
                if high > best:
                    best, best_move, best_low = high, move, LOW if low == high else 0
                elif high == best and low == high:
                    best_low = LOW
                alpha = max(alpha, low)
                continue
            ranked = TOP
            if move != hint:
                ranked = min(LARGEST_RANK, max(-LARGEST_RANK, rank(position, move, child)))
                ranked = (ranked << COUNTED | counted(workspace, move)) << 10 | waiting
            else:
                ranked = TOP | waiting
            at = frame + waiting
            while at > frame and read(workspace, at - 1) < ranked:
                write(workspace, at, read(workspace, at - 1))
                at -= 1
            write(workspace, at, ranked)
            write(workspace, numbers + waiting, move)
            write_all(workspace, children + arity * waiting, child)
            waiting += 1
        first += WORD_MOVES
    if moves == 0:
        return broken(workspace)
    # 4. Far from the end of the game, ask the table about all children before searching any to the end.
    if to_end and left >= FAR_FROM_END:
        for index in range(waiting):
            slot = read(workspace, frame + index) & MOST_MOVES
            child = read_like(position, workspace, children + arity * slot)
            known = look_up(table, child, workspace)
            if known:
                value, sure = known >> 27, known & 3
                if not is_same_player(position, child):
                    value, sure = -value, swapped(sure)
                if sure & LOW and earlier(value) >= beta:
                    store(table, position, earlier(value), FULL, read(workspace, numbers + slot), LOWER, LOW, workspace)
                    return earlier(value), LOW
    # 5. Search them: the first with the whole window, the others with a null window, and again if they may be better.
    #    Late moves are searched less deep, and again if they may be better. Near the root, children that another thread
    #    is searching come last: they may soon be known.
    shared = ply < read(workspace, SPLIT) and (to_end or depth > 2)
    again = False
    index = later_ones = 0
    searched = 0
    while waiting:
        if index == waiting:
            waiting, later_ones, index, again = later_ones, 0, 0, True
            continue
        ranked = read(workspace, frame + index)
        slot = ranked & MOST_MOVES
        move = read(workspace, numbers + slot)
        child = read_like(position, workspace, children + arity * slot)
        index += 1
        mark = hashed = 0
        if shared:
            hashed = hash_of(child) + 1
            mark = hashed & MARKS
            if searched and not again and read(read(workspace, BUSY), mark) == hashed:
                write(workspace, frame + later_ones, ranked)
                later_ones += 1
                continue
            write(read(workspace, BUSY), mark, hashed)
        less = 0
        if searched >= ALL_AT_FULL_DEPTH and depth >= 3 and not to_end and left > depth:
            less = 2 if searched >= MANY and depth >= 5 else 1
        top = beta if searched == 0 else alpha + 1
        same = is_same_player(position, child)
        value, sure = WORST, 0
        while True:
            if same:
                value, sure = search(child, later(alpha), later(top), depth - 1 - less, ply + 1, table, workspace)
            else:
                value, sure = search(child, -later(top), -later(alpha), depth - 1 - less, ply + 1, table, workspace)
                value, sure = -value, swapped(sure)
            value = earlier(value)
            if value <= alpha or (less == 0 and (top == beta or value >= beta)):
                break
            if read(workspace, NODES) >= read(workspace, LIMIT):
                break
            if less:
                less = 0
            else:
                top = beta
        if shared:
            write(read(workspace, BUSY), mark, 0)
        if read(workspace, NODES) >= read(workspace, LIMIT):
            return 0, 0
        searched += 1
        if value > best:
            best, best_move, best_low = value, move, sure & LOW
        elif value == best:
            best_low |= sure & LOW
        all_high &= sure
        if best >= beta:
            count_good(workspace, move, depth)
            if tabled:
                store(table, position, best, min(depth, FULL), best_move, LOWER, best_low, workspace)
            return best, best_low
        alpha = max(alpha, best)
    kind = EXACT if best > floor else UPPER
    if tabled:
        store(table, position, best, min(depth, FULL), best_move, kind, best_low | all_high, workspace)
    return best, best_low | all_high


def look(position: Any, alpha: int, beta: int, depth: int, table: Memory, workspace: Memory) -> int:
    """Search a position; leave the value in VALUE and what is sure in SURE. Return 1 if it finished, 0 if stopped."""
    root = count(0)  # 0, but no constant, or numba would compile the search twice
    value, sure = search(position, alpha, beta, depth, root, table, workspace)
    if read(workspace, NODES) >= read(workspace, LIMIT):
        return 0
    write(workspace, VALUE, value)
    write(workspace, SURE, sure)
    return 1


def known_move(position: Any, table: Memory, workspace: Memory) -> int:
    """Return the best move of a position that the table has, or NO_MOVE."""
    return (look_up(table, position, workspace) >> 4 & 2047) - 1
