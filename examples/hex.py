"""Hex: First joins the top and the bottom edge with stones, Second the left and the right edge."""

SIZE = 4


def initial():
    return (0,) * (SIZE * SIZE), +1  # whose stone is in each cell, row by row, and who is to move


def player(state):
    return state[1]


def actions(state):
    if terminal(state):
        return []
    board, _ = state
    return [cell for cell in range(SIZE * SIZE) if board[cell] == 0]


def result(state, action):
    board, mover = state
    return board[:action] + (mover,) + board[action + 1 :], -mover


def neighbours(cell):
    row, column = divmod(cell, SIZE)
    around = [
        (row - 1, column),
        (row - 1, column + 1),
        (row, column - 1),
        (row, column + 1),
        (row + 1, column - 1),
        (row + 1, column),
    ]
    return [r * SIZE + c for r, c in around if 0 <= r < SIZE and 0 <= c < SIZE]


NEIGHBOURS = [neighbours(cell) for cell in range(SIZE * SIZE)]


def has_joined(board, who):
    step, other = (1, SIZE) if who == 1 else (SIZE, 1)  # along the player's own edge, and across the board
    found = [cell * step for cell in range(SIZE) if board[cell * step] == who]
    for cell in found:
        if cell // other % SIZE == SIZE - 1:
            return True
        for near in NEIGHBOURS[cell]:
            if board[near] == who and near not in found:
                found.append(near)
    return False


def terminal(state):
    board, mover = state
    return has_joined(board, -mover)  # only the player who has just moved can have won


def utility(state):
    return -state[1]
