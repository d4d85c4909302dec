"""Three men's morris: place three men each, then slide them along the lines of the board; three in a row win.

Men can be slid to and fro, so positions can repeat. Play without an end is a draw.
"""

marks = ("X", "O")

LINES = ((1, 2, 3), (4, 5, 6), (7, 8, 9), (1, 4, 7), (2, 5, 8), (3, 6, 9), (1, 5, 9), (3, 5, 7))

NEXT = {
    1: (2, 4, 5),
    2: (1, 3, 5),
    3: (2, 5, 6),
    4: (1, 5, 7),
    5: (1, 2, 3, 4, 6, 7, 8, 9),
    6: (3, 5, 9),
    7: (4, 5, 8),
    8: (5, 7, 9),
    9: (5, 6, 8),
}


def initial():
    return "." * 9, "X"  # what is on points 1 to 9, and who is to move


def player(state):
    return 1 if state[1] == "X" else -1


def actions(state):
    points, mover = state
    if has_won(state):
        return []
    empty = [point for point in range(1, 10) if points[point - 1] == "."]
    if points.count(mover) < 3:
        return empty  # place a man
    own = [point for point in range(1, 10) if points[point - 1] == mover]
    return [10 * start + end for start in own for end in NEXT[start] if end in empty]  # 52 slides a man from 5 to 2


def result(state, action):
    points, mover = state
    start, end = divmod(action, 10)
    board = list(points)
    if start:
        board[start - 1] = "."
    board[end - 1] = mover
    return "".join(board), "O" if mover == "X" else "X"


def has_won(state):
    points, mover = state
    before = "O" if mover == "X" else "X"  # whoever has just moved
    return any(all(points[point - 1] == before for point in line) for line in LINES)


def terminal(state):
    return not actions(state)


def utility(state):
    return -player(state)  # the other player has three in a row, or this one cannot move


def draw(state):
    a, b, c, d, e, f, g, h, i = state[0]
    return f"{a}-{b}-{c}\n|\\|/|\n{d}-{e}-{f}\n|/|\\|\n{g}-{h}-{i}"


TURNS = ((7, 4, 1, 8, 5, 2, 9, 6, 3), (3, 2, 1, 6, 5, 4, 9, 8, 7))  # a quarter turn, and a reflection


def symmetries(state):
    points, mover = state
    images = [points]
    for _ in range(3):
        images.append("".join(images[-1][point - 1] for point in TURNS[0]))
    images += ["".join(image[point - 1] for point in TURNS[1]) for image in images]
    return [(image, mover) for image in images]
