"""Four in a row on 4 x 4 cells, as a person would write it first: six functions on a tuple of cells, nothing else."""

SIZE = 4


def lines():
    rows = [[SIZE * row + column for column in range(SIZE)] for row in range(SIZE)]
    columns = [list(column) for column in zip(*rows, strict=True)]
    diagonals = [[(SIZE + 1) * n for n in range(SIZE)], [(SIZE - 1) * (n + 1) for n in range(SIZE)]]
    return rows + columns + diagonals


LINES = lines()


def initial():
    return (0,) * (SIZE * SIZE), +1


def player(state):
    return state[1]


def actions(state):
    return [cell for cell in range(SIZE * SIZE) if state[0][cell] == 0]


def result(state, action):
    cells, mover = state
    return cells[:action] + (mover,) + cells[action + 1 :], -mover


def has_line(cells, mover):
    return any(all(cells[cell] == mover for cell in line) for line in LINES)


def terminal(state):
    cells, mover = state
    return has_line(cells, -mover) or all(cells)


def utility(state):
    cells, mover = state
    return -mover if has_line(cells, -mover) else 0
