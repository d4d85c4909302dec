"""King and rook against king, on a small board: White mates, and Black is safe if the rook is lost or it is stalemate.

Kings and rook can go to and fro, so positions can repeat. Play without an end is a draw.
"""

SIZE = 5

marks = ("White", "Black")

LOST = -1


def initial():
    # The squares of White's king and rook and of Black's king, numbered by rows from a1, and who is to move.
    return 0, 1, SIZE * SIZE // 2, 1


def player(state):
    return state[3]


def king_steps(square):
    row, column = divmod(square, SIZE)
    for r in range(max(row - 1, 0), min(row + 2, SIZE)):
        for c in range(max(column - 1, 0), min(column + 2, SIZE)):
            if (r, c) != (row, column):
                yield SIZE * r + c


def rook_reaches(rook, blocker):
    row, column = divmod(rook, SIZE)
    for up, right in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        r, c = row + up, column + right
        while 0 <= r < SIZE and 0 <= c < SIZE and SIZE * r + c != blocker:
            yield SIZE * r + c
            r += up
            c += right


def is_attacked(square, king, rook):
    return square in king_steps(king) or (rook not in (LOST, square) and square in rook_reaches(rook, king))


def actions(state):
    king, rook, black, mover = state
    if rook == LOST:
        return []
    if mover == -1:
        return [("K", to) for to in king_steps(black) if to != king and not is_attacked(to, king, rook)]
    safe = [to for to in king_steps(king) if to != rook and to not in king_steps(black) and to != black]
    return [("K", to) for to in safe] + [("R", to) for to in rook_reaches(rook, king) if to != black]


def result(state, action):
    king, rook, black, mover = state
    piece, to = action
    if mover == -1:
        return king, LOST if to == rook else rook, to, 1
    return (to, rook, black, -1) if piece == "K" else (king, to, black, -1)


def terminal(state):
    return not actions(state)


def utility(state):
    king, rook, black, mover = state
    return 1 if mover == -1 and rook != LOST and is_attacked(black, king, rook) else 0


def action_name(action):
    piece, to = action
    return f"{piece}{'abcdefgh'[to % SIZE]}{to // SIZE + 1}"


def draw(state):
    king, rook, black, _ = state
    signs = {rook: "R", king: "K", black: "k"}
    rows = [[signs.get(SIZE * row + column, ".") for column in range(SIZE)] for row in range(SIZE)]
    lines = [f"{row + 1} {' '.join(rows[row])}" for row in reversed(range(SIZE))]
    return "\n".join([*lines, "  " + " ".join("abcdefgh"[:SIZE])])


def symmetries(state):
    king, rook, black, mover = state
    images = []
    for turn in range(8):
        moved = []
        for square in (king, rook, black):
            row, column = divmod(square, SIZE)
            row = SIZE - 1 - row if turn & 1 else row
            column = SIZE - 1 - column if turn & 2 else column
            if turn & 4:
                row, column = column, row
            moved.append(LOST if square == LOST else SIZE * row + column)
        images.append((*moved, mover))
    return images
