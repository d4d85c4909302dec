"""Domineering: First lays dominoes upright, Second flat; whoever finds no place for one loses.

A state is (taken, turn): the covered cells, cell n as bit n, rows from the top; and 0 if First is to move, else 1.
"""

from noughts.bits import count, place

SIZE = 6
STEPS = (SIZE, 1)  # from a domino's first cell to its second: downwards, to the right
BOARD = (1 << SIZE * SIZE) - 1
LAST_COLUMN = sum(1 << n for n in range(SIZE - 1, SIZE * SIZE, SIZE))
STARTS = (BOARD >> SIZE, BOARD ^ LAST_COLUMN)  # where the first cell can be

longest = SIZE * SIZE // 2
key_bits = SIZE * SIZE
choices = SIZE * (SIZE - 1)


# The rules, which can be compiled. A move is the bit of a domino's first cell.


def places(taken, turn):
    return STARTS[turn] & ~(taken | taken >> STEPS[turn])


def expand(position):
    taken, turn = position
    return places(taken, turn)


def play(position, move):
    taken, turn = position
    return taken | move | move << STEPS[turn], 1 - turn


def plies(position):
    return count(position[0]) // 2


def key(position):
    return position[0]  # as many dominoes as there are say whose turn it is


def score_bounds(position):
    taken, turn = position
    soon = longest + 1 - plies(position)  # what it scores to win here and now
    if places(taken, turn) == 0:
        return -soon, -soon  # lost here and now
    if places(taken, 1 - turn) == 0:
        return soon - 1, soon - 1  # any domino wins
    return 2 - soon, soon - 1


def order(position, move):
    taken, turn = play(position, move)
    return count(places(taken, 1 - turn)) - count(places(taken, turn))


# The six functions, by the same rules.


def initial():
    return 0, 0


def player(state):
    return -1 if state[1] else +1


def actions(state):
    return [1 << n for n in range(SIZE * SIZE) if expand(state) >> n & 1]


def result(state, action):
    return play(state, action)


def terminal(state):
    return expand(state) == 0


def utility(state):
    return -player(state)


def action_name(action):
    row, column = divmod(place(action), SIZE)
    return f"{'abcdefgh'[column]}{row + 1}"


def draw(state):
    cells = ["#" if state[0] >> n & 1 else "." for n in range(SIZE * SIZE)]
    return "\n".join(" ".join(cells[start : start + SIZE]) for start in range(0, SIZE * SIZE, SIZE))
