"""The native search of a game's six functions: is the score of a state at least this high?

As it stands, it searches the smallest of games, by the functions in `stub`. `noughts.plain.build` makes a copy of it
for each game, together with `memory` and the translated functions of the game, and has numba compile it.

Scores are those of `noughts.score`, on a scale of `MOST_PLIES`, for the player to move. Plies count from the state, so
going up the tree takes a point off a win and adds one to a loss. Everything that a search returns or stores is a proven
bound. A win in more plies has a lower score, and no end is nearer than the next ply. So a search for a win in few plies
looks no further ahead than that, and what it finds is proven all the same.
"""

from noughts.bits import Memory, read, shift_right, write
from noughts.compiled.deep_layout import HIGH, LIMIT, LOW, NODES, SIZE, SURE, UNIT, VALUE
from noughts.plain.layout import (
    CHOICE,
    CODES,
    DESCRIBE,
    FREE,
    GROW,
    HIGHEST,
    HISTORY,
    IN_ORDER,
    INPUT,
    KEY,
    LEAST,
    LOWEST,
    MOST,
    MOST_ACTIONS,
    PLIES,
    SEARCH,
    UNIT_SCORE,
    WORDS,
)
from noughts.plain.stub import (
    code_of,
    flatten,
    game_actions,
    game_choices,
    game_player,
    game_result,
    game_utility,
    new,
    pack,
    unpack,
)

__all__ = ["look"]

arity = 1
"""States are in memory, not in arguments."""


def visit(m: Memory) -> int:
    """Count a node; raise TimeoutError if the limit is reached."""
    nodes: int = read(m, NODES) + 1
    write(m, NODES, nodes)
    if nodes >= read(m, LIMIT):
        raise TimeoutError("the limit is reached")
    return nodes


def mover_of(m: Memory, state: int) -> int:
    """Return who is to move."""
    mover = game_player(m, state)
    if mover != 1 and mover != -1:
        raise ValueError("a player that is neither 1 nor -1")
    return mover


def end_score(m: Memory, state: int) -> int:
    """Return the score of a finished state for MAX, one ply earlier."""
    utility = game_utility(m, state)
    if utility < read(m, LEAST) or utility > read(m, MOST):
        raise ValueError("a utility that is not within its range")
    return utility * UNIT_SCORE - (1 if utility > 0 else -1 if utility < 0 else 0)


def make_key(m: Memory, state: int) -> int:
    """Write the key of a state to free memory, and the bucket of the table after it; return where it is."""
    key: int = read(m, FREE)
    words: int = read(m, WORDS)
    write(m, FREE, key + words + 1)
    write(m, KEY, key)
    pack(m, state)
    write(m, key + words, bucket_of(m, key))
    return key


def bucket_of(m: Memory, key: int) -> int:
    """Return the first of the two entries that a key may have in the table."""
    words: int = read(m, WORDS)
    found = 0
    for place in range(words):
        found = (found ^ read(m, key + place)) * -7046029254386353131
        found ^= shift_right(found, 29) & 34359738367
    size: int = read(m, SIZE)
    return (found & (size - 1)) * 2 * (words + 3)


def holds(m: Memory, table: Memory, entry: int, key: int) -> bool:
    """Return whether an entry of the table is that of a key."""
    words: int = read(m, WORDS)
    if read(table, entry + words + 2) == 0:
        return False
    for place in range(words):  # noqa: SIM110 - numba compiles no generators in all()
        if read(table, entry + place) != read(m, key + place):
            return False
    return True


def entry_of(m: Memory, table: Memory, key: int) -> int:
    """Return the entry of a key in the table, or -1."""
    words: int = read(m, WORDS)
    bucket: int = read(m, key + words)
    if holds(m, table, bucket, key):
        return bucket
    second = bucket + words + 3
    return second if holds(m, table, second, key) else -1


def store(m: Memory, table: Memory, key: int, low: int, high: int, choice: int, nodes: int) -> int:
    """Store proven bounds of a score; where another entry must go, it is the one with less effort."""
    words: int = read(m, WORDS)
    entry, effort = entry_of(m, table, key), 1
    while effort < nodes:
        effort *= 2
    if entry >= 0:
        low, high = max(low, read(table, entry + words)), min(high, read(table, entry + words + 1))
        if low > high:
            raise ValueError("bounds that contradict each other")
    else:
        entry = read(m, key + words)
        if shift_right(read(table, entry + words + 2), 16) > effort:
            entry += words + 3
        else:
            for place in range(words + 3):
                write(table, entry + words + 3 + place, read(table, entry + place))
        for place in range(words):
            write(table, entry + place, read(m, key + place))
    write(table, entry + words, low)
    write(table, entry + words + 1, high)
    write(table, entry + words + 2, effort * 65536 + choice)
    return 0


def ranks_of(m: Memory, choices: int, size: int, first: int, mover: int) -> int:
    """Return where the ranks of actions are: how often each was good enough elsewhere, and the first one above all."""
    ranks: int = new(m, size) + 3
    for number in range(size):
        code = code_of(m, read(m, read(m, choices + 2) + number)) * 2 + (mover > 0)
        write(m, ranks + number, read(m, HISTORY + (code & (CODES - 1))))
    if 0 <= first < size:
        write(m, ranks + first, 1 << 60)
    return ranks


def next_choice(m: Memory, ranks: int, size: int, first: int, number: int) -> int:
    """Return which action to try next, after `number` others: by rank, or without ranks in the order of the game."""
    if ranks == 0:
        if number <= first < size:
            return number - 1 if number else first
        return number
    pick = 0
    for each in range(1, size):
        if read(m, ranks + each) > read(m, ranks + pick):
            pick = each
    write(m, ranks + pick, -1)
    return pick


def search(
    m: Memory, table: Memory, state: int, mover: int, target: int, ply: int, key: int, entry: int, choices: int
) -> int:
    """Return a bound of the score of an unfinished state: a lower one, of at least `target`, or else an upper one.

    Requires that what is known of the state, from its entry in the table if that is not -1, leaves open which of the
    two. `choices` are its actions, or -1 if they are yet to be found.
    """
    nodes: int = read(m, NODES)
    if ply >= read(m, PLIES):
        raise RecursionError("a game of too many plies")
    # 1. No end is nearer than the next ply, and the table may know more.
    least: int = read(m, LOWEST) if mover > 0 else -read(m, HIGHEST)
    most: int = read(m, HIGHEST) if mover > 0 else -read(m, LOWEST)
    low, high, first = least, most, -1
    words: int = read(m, WORDS)
    if entry >= 0:
        low, high = max(low, read(table, entry + words)), min(high, read(table, entry + words + 1))
        first = (read(table, entry + words + 2) & 65535) - 1
    # 2. Rank the actions.
    if choices < 0:
        choices = game_actions(m, state)
    size: int = read(m, choices)
    if size == 0 or size > MOST_ACTIONS:
        raise ValueError("no action, or too many")
    in_order: int = read(m, IN_ORDER)
    ranks = 0 if in_order else ranks_of(m, choices, size, first, mover)
    # 3. Try them until one reaches the target.
    mark: int = read(m, FREE)
    aim = target + 1 if target > 0 else target - 1
    best, choice = -(1 << 60), 0
    for number in range(size):
        pick = next_choice(m, ranks, size, first, number)
        move: int = read(m, read(m, choices + 2) + pick)
        child = game_result(m, state, move)
        visit(m)
        # a. Is it finished? What the table holds is not. If all unfinished states do, or none, that is enough to know.
        is_open = least < aim <= most
        beyond, known = 0, -1
        if is_open:
            beyond = make_key(m, child)
            known = entry_of(m, table, beyond)
        after = game_choices(m, child) if known < 0 else -1
        if after == 0:
            score = mover * end_score(m, child)
        else:
            # b. What is known of it, for the player who moves, or can be found?
            found = most if aim > most else least
            if is_open:
                other = mover_of(m, child)
                wanted = aim if other == mover else 1 - aim
                is_known = 0
                if known >= 0:
                    found = read(table, known + words)
                    is_known = 1
                    if found < wanted:
                        found = read(table, known + words + 1)
                        is_known = 1 if found < wanted else 0
                if is_known == 0:
                    found = search(m, table, child, other, wanted, ply + 1, beyond, known, after)
                found = found if other == mover else -found
            score = found - (1 if found > 0 else -1 if found < 0 else 0)
        write(m, FREE, mark)
        # c. Is it enough?
        if score > best:
            best, choice = score, pick + 1
            if best >= target:
                if in_order == 0:
                    code = code_of(m, move) * 2 + (mover > 0)
                    place = HISTORY + (code & (CODES - 1))
                    write(m, place, read(m, place) + size)
                break
    # 4. Store what is proven now.
    if best >= target:
        low = max(low, best)
    else:
        high = min(high, best)
    store(m, table, key, low, high, choice, read(m, NODES) - nodes + 1)
    return best


def search_root(m: Memory, table: Memory, state: int, mover: int, target: int, ply: int) -> int:
    """Return a bound of the score of an unfinished state, as `search` does, but look first what is known already.

    CHOICE is then the action that reaches the target.
    """
    visit(m)
    low: int = read(m, LOWEST) if mover > 0 else -read(m, HIGHEST)
    high: int = read(m, HIGHEST) if mover > 0 else -read(m, LOWEST)
    if high < target:
        return high
    if low >= target:
        return low
    key = make_key(m, state)
    words: int = read(m, WORDS)
    entry = entry_of(m, table, key)
    found = 0
    is_known = 0
    if entry >= 0:
        found = read(table, entry + words)
        is_known = 1
        if found < target:
            found = read(table, entry + words + 1)
            is_known = 1 if found < target else 0
    if is_known == 0:
        choices = game_choices(m, state)  # as in `search`; numba would compile another version for a literal -1
        found = search(m, table, state, mover, target, ply, key, entry, choices)
        entry = entry_of(m, table, key)
    if found >= target and entry >= 0:
        write(m, CHOICE, read(table, entry + words + 2) & 65535)
    return found


def describe(m: Memory, out: Memory) -> int:
    """Write what the functions say of a state; return how many numbers that is.

    These are: whether it is finished, who is to move, the utility or the number of actions; then for each action where
    it leads, as the numbers of that state.
    """
    state = unpack(m, INPUT)
    choices = game_choices(m, state)
    write(out, 0, 1 if choices == 0 else 0)
    write(out, 1, game_player(m, state))
    if choices == 0:
        write(out, 2, game_utility(m, state))
        return 3
    if choices < 0:
        choices = game_actions(m, state)
    size: int = read(m, choices)
    write(out, 2, size)
    used = 3
    for number in range(size):
        mark: int = read(m, FREE)
        numbers = flatten(m, game_result(m, state, read(m, read(m, choices + 2) + number)), INPUT)
        for place in range(numbers):
            write(out, used + place, read(m, INPUT + place))
        used += numbers
        write(m, FREE, mark)
    return used


def grow(m: Memory, old: Memory, table: Memory) -> int:
    """Copy the entries of a smaller table, whose number is in INPUT."""
    words: int = read(m, WORDS)
    key: int = read(m, FREE)
    for number in range(read(m, INPUT)):
        entry = number * (words + 3)
        last: int = read(old, entry + words + 2)
        if last != 0:
            for place in range(words):
                write(m, key + place, read(old, entry + place))
            write(m, key + words, bucket_of(m, key))
            store(
                m,
                table,
                key,
                read(old, entry + words),
                read(old, entry + words + 1),
                last & 65535,
                shift_right(last, 16),
            )
    return 1


def look(task: int, target: int, table: Memory, m: Memory) -> int:
    """Search the state in INPUT; VALUE is then a bound of its score times `UNIT`, and SURE says which.

    Or do another task of `layout`, for which `target` is where memory begins that the task needs.
    """
    if task == DESCRIBE:
        return describe(m, target)
    if task == GROW:
        return grow(m, target, table)
    state = unpack(m, INPUT)
    ply = task - SEARCH  # numba would compile another version for a literal 0, which cannot be cached
    found = search_root(m, table, state, mover_of(m, state), target, ply)
    write(m, VALUE, found * UNIT)
    write(m, SURE, LOW if found >= target else HIGH)
    return 1
