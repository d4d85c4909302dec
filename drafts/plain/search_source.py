"""The native search of a game's six functions: alpha-beta with a table that holds whole keys.

The text of this file is compiled together with `runtime.py` and the translated functions of a game. Scores are those of
`noughts.score`, for the player to move. `c` holds the settings and the counters of a search, at the places below.
"""

NODES, LIMIT, LONGEST, DEEPEST = 0, 1, 2, 3
WORDS, KEY, MASK, LEAST, MOST, BEST = 9, 10, 11, 12, 13, 14
LOWER, UPPER, EXACT = 1, 2, 3
SHIFT = 1 << 44


def visit(c):
    c[NODES] += 1
    if c[NODES] > c[LIMIT]:
        raise TimeoutError("the limit is reached")


def end_score(c, utility, plies):
    if utility < c[LEAST] or utility > c[MOST]:
        raise ValueError("a utility that is not within its range")
    return utility * (c[LONGEST] + 1) - plies * utility


def checked_player(m, state):
    who = player(m, state)
    if who != 1 and who != -1:
        raise ValueError("a player that is neither 1 nor -1")
    return who


def place_of(m, c, t, state):
    """Write the key of a state at `c[KEY]`, and return the bucket that it belongs to."""
    words, key = c[WORDS], c[KEY]
    for i in range(words):
        m[key + i] = 0
    c[6] = 0
    c[7] = 0
    pack(m, c, state)
    h = 0
    for i in range(words):
        h = (h ^ m[key + i]) * -7046029254386353131
        h ^= (h >> 29) & 34359738367
    return (h & c[MASK]) * 2 * (words + 1)


def is_at(m, c, t, slot):
    words, key = c[WORDS], c[KEY]
    if t[slot + words] == 0:
        return 0
    for i in range(words):
        if t[slot + i] != m[key + i]:
            return 0
    return 1


def store(m, c, t, slot, score, bound, best):
    """Store a result in the first slot of its bucket; what was there moves to the second."""
    words, key = c[WORDS], c[KEY]
    if is_at(m, c, t, slot) == 0:
        for i in range(words + 1):
            t[slot + words + 1 + i] = t[slot + i]
        for i in range(words):
            t[slot + i] = m[key + i]
    if best > 16383:
        best = 0
    t[slot + words] = (score + SHIFT) * 65536 + best * 4 + bound


def earlier(score):
    """Return a score as seen one ply later, when the end is nearer."""
    return score + 1 if score > 0 else score - 1 if score < 0 else 0


def later(score):
    return score - 1 if score > 0 else score + 1 if score < 0 else 0


def search(m, c, t, history, state, mover, alpha, beta, ply):
    """Return the score of an unfinished state for the player to move; the same contract as `AlphaBeta.search`."""
    visit(c)
    if ply > c[DEEPEST]:
        raise RecursionError("a game is too long")
    # 1. No end is nearer than one ply.
    least, most = (c[LEAST], c[MOST]) if mover > 0 else (-c[MOST], -c[LEAST])
    if most >= 0:
        high = end_score(c, most * mover, 1) * mover
        if high <= alpha:
            return high
    if least <= 0:
        low = end_score(c, least * mover, 1) * mover
        if low >= beta:
            return low
    # 2. Look the position up in the table.
    words = c[WORDS]
    slot = place_of(m, c, t, state)
    first = -1
    for each in range(2):
        here = slot + each * (words + 1)
        if is_at(m, c, t, here) != 0:
            packed = t[here + words]
            bound, score = packed & 3, packed // 65536 - SHIFT
            if bound == EXACT or (bound == LOWER and score >= beta) or (bound == UPPER and score <= alpha):
                if score != 0 and (c[LONGEST] + 1 - abs(score)) + ply > c[LONGEST]:
                    raise RecursionError("a game is too long")
                return score
            first = packed // 4 & 16383
            break
    # 3. Try the actions, in the order of what they are worth.
    start = m[0]
    choices = actions(m, state)
    size = m[choices]
    if size == 0:
        raise ValueError("no action in an unfinished state")
    ranks = new(m, 2 * size) + 3
    items = m[choices + 2]
    for i in range(size):
        m[ranks + 2 * i] = history[action_code(m, m[items + i], i) & 4095]
        m[ranks + 2 * i + 1] = i
    if 0 <= first < size:
        m[ranks + 2 * first] = 1 << 60
    mark = m[0]
    best, best_action = -(1 << 50), 0
    floor = alpha
    for tried in range(size):
        pick = tried
        for i in range(tried + 1, size):
            if m[ranks + 2 * i] > m[ranks + 2 * pick]:
                pick = i
        number = m[ranks + 2 * pick + 1]
        if pick != tried:
            m[ranks + 2 * pick] = m[ranks + 2 * tried]
            m[ranks + 2 * pick + 1] = m[ranks + 2 * tried + 1]
        action = m[m[choices + 2] + number]
        score = child_score(m, c, t, history, state, mover, action, max(floor, best), beta, ply)
        m[0] = mark
        if score > best:
            best, best_action = score, number
            if best >= beta:
                code = action_code(m, action, number) & 4095
                history[code] += 1 + (size - tried)
                break
    m[0] = start
    # 4. Store the result.
    slot = place_of(m, c, t, state)
    store(m, c, t, slot, best, UPPER if best <= floor else LOWER if best >= beta else EXACT, best_action)
    m[0] = start
    return best


def child_score(m, c, t, history, state, mover, action, alpha, beta, ply):
    """Return the score of an action for the player who takes it."""
    child = result(m, state, action)
    mark = m[0]
    ended = terminal(m, child)
    m[0] = mark
    if ended != 0:
        visit(c)
        found = end_score(c, utility(m, child), 1)
        m[0] = mark
        return mover * found
    next_mover = checked_player(m, child)
    m[0] = mark
    if next_mover == mover:
        return later(search(m, c, t, history, child, mover, earlier(alpha), earlier(beta), ply + 1))
    return later(-search(m, c, t, history, child, next_mover, -earlier(beta), -earlier(alpha), ply + 1))


def search_root(m, c, t, history, state, alpha, beta):
    """Return the score of an unfinished state, or one of its bounds outside the window."""
    top = m[0]
    mover = checked_player(m, state)
    score = search(m, c, t, history, state, mover, alpha, beta, 0)
    m[0] = top
    return score


def search_action(m, c, t, history, state, number, alpha, beta):
    """Return the score of the action with this number, for the player who takes it."""
    top = m[0]
    mover = checked_player(m, state)
    choices = actions(m, state)
    score = child_score(m, c, t, history, state, mover, item(m, choices, number), alpha, beta, 0)
    m[0] = top
    return score


def describe(m, c, state, number):
    """Return what the functions say of a state, to be compared: see `noughts.plain.native`.

    The place of a sequence: whether the game is over, the mover, the utility or the number of actions, the actions, and
    the state after one of them.
    """
    found = new(m, 5)
    m[found] = 5
    m[found + 3] = terminal(m, state)
    m[found + 4] = player(m, state)
    m[found + 6] = 0
    m[found + 7] = 0
    if m[found + 3] != 0:
        m[found + 5] = utility(m, state)
        return found
    choices = actions(m, state)
    m[found + 5] = m[choices]
    m[found + 6] = choices
    m[found + 7] = result(m, state, item(m, choices, number))
    return found
