"""Isolation: move like a chess queen; the square that you leave is closed; whoever cannot move loses."""

SIZE = 4


def initial():
    # The squares that are closed, where First and Second are, and who is to move.
    return (0,) * (SIZE * SIZE), SIZE // 2, SIZE * (SIZE - 1) + (SIZE - 1) // 2, +1


def player(state):
    return state[3]


def actions(state):
    closed, first, second, mover = state
    here = first if mover == 1 else second
    row, column = here // SIZE, here % SIZE
    found = []
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            r, c = row + down, column + right
            while 0 <= r < SIZE and 0 <= c < SIZE:
                square = r * SIZE + c
                if closed[square] or square in (first, second):
                    break
                found.append(square)
                r += down
                c += right
    return found


def result(state, action):
    closed, first, second, mover = state
    here = first if mover == 1 else second
    closed = closed[:here] + (1,) + closed[here + 1 :]
    if mover == 1:
        return closed, action, second, -mover
    return closed, first, action, -mover


def terminal(state):
    return not actions(state)


def utility(state):
    return -state[3]  # the player to move cannot
