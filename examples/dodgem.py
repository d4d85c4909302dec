"""Dodgem: drive your cars off the far side of the board. Who gets all of theirs off first wins.

First's cars start at the left and leave at the right, Second's start at the bottom and leave at the top. A car moves
one square forwards or sideways, never backwards. Who leaves the other player no move loses. Positions can repeat, since
cars can move sideways to and fro. Play without an end is a draw.
"""

SIZE = 3

OFF = -1


def initial():
    # The squares of both players' cars, numbered by rows from the top left, and who is to move.
    first = tuple(SIZE * row for row in range(SIZE - 1))
    second = tuple(SIZE * (SIZE - 1) + column for column in range(1, SIZE))
    return first, second, 1


def player(state):
    return state[2]


def actions(state):
    first, second, mover = state
    found = []
    if max(first) == OFF or max(second) == OFF:
        return found
    for square in first if mover == 1 else second:
        if square == OFF:
            continue
        row, column = divmod(square, SIZE)
        for down, right in ((0, 1), (-1, 0), (1, 0)) if mover == 1 else ((-1, 0), (0, -1), (0, 1)):
            r, c = row + down, column + right
            if (mover == 1 and c == SIZE) or (mover == -1 and r == -1):
                found.append((square, OFF))
            elif 0 <= r < SIZE and 0 <= c < SIZE and SIZE * r + c not in first + second:
                found.append((square, SIZE * r + c))
    return found


def result(state, action):
    first, second, mover = state
    start, end = action
    if mover == 1:
        first = tuple(sorted(end if square == start else square for square in first))
    else:
        second = tuple(sorted(end if square == start else square for square in second))
    return first, second, -mover


def terminal(state):
    return not actions(state)


def utility(state):
    first, second, mover = state
    if max(first) == OFF:
        return 1
    if max(second) == OFF:
        return -1
    return mover  # the player to move is blocked, and wins


def name(square):
    return "off" if square == OFF else "abcdefgh"[square % SIZE] + str(SIZE - square // SIZE)


def action_name(action):
    return f"{name(action[0])}-{name(action[1])}"


def draw(state):
    first, second, _ = state
    signs = ["1" if square in first else "2" if square in second else "." for square in range(SIZE * SIZE)]
    rows = [" ".join([str(SIZE - row), *signs[SIZE * row : SIZE * (row + 1)]]) for row in range(SIZE)]
    return "\n".join([*rows, "  " + " ".join("abcdefgh"[:SIZE])])
