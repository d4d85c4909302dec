"""Dots and Boxes: draw a line; whoever closes a box gets it and draws again; the most boxes win."""

SIZE = 2
LINES = 2 * SIZE * (SIZE + 1)  # the horizontal lines row by row, then the vertical ones


def sides(row, column):
    top = row * SIZE + column
    left = SIZE * (SIZE + 1) + row * (SIZE + 1) + column
    return top, top + SIZE, left, left + 1


BOXES = [sides(row, column) for row in range(SIZE) for column in range(SIZE)]


def initial():
    return (0,) * LINES, 0, +1  # which lines are drawn, First's lead in boxes, and who is to move


def player(state):
    return state[2]


def actions(state):
    return [line for line in range(LINES) if not state[0][line]]


def result(state, action):
    lines, lead, mover = state
    lines = lines[:action] + (1,) + lines[action + 1 :]
    closed = sum(1 for box in BOXES if action in box and all(lines[side] for side in box))
    return lines, lead + mover * closed, mover if closed else -mover


def terminal(state):
    return all(state[0])


def utility(state):
    lead = state[1]
    return (lead > 0) - (lead < 0)
