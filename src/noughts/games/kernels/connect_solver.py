"""Every position of a game in which stones drop into columns, for a solver of all of them.

A position is (mine, taken): the stones of the player to move, and all stones. A column has one bit more than rows:

        6 13 20           bit 6 of the first column is always 0 in `mine` and `taken`
        5 12 19
        4 11 18
        3 10 17
        2  9 16
        1  8 15
        0  7 14 ...

In a code, a column has the stones of the player to move, and one more bit right above its highest stone. So the code
says where stones are, too.
"""

__all__ = ["code", "images", "initial", "moves", "play", "position", "result"]

Position = tuple[int, int]

COLUMNS = 7
ROWS = 6
IN_A_ROW = 4

HEIGHT = ROWS + 1
BOTTOM = sum(1 << HEIGHT * column for column in range(COLUMNS))
BOARD = BOTTOM * ((1 << ROWS) - 1)
COLUMN = (1 << HEIGHT) - 1
LOWER = BOTTOM * ((1 << ROWS) - 1)
"""All bits but the highest of each column: what may be shifted down from the bit above."""
LOWER_BY_2 = BOTTOM * ((1 << max(0, HEIGHT - 2)) - 1)
LOWER_BY_4 = BOTTOM * ((1 << max(0, HEIGHT - 4)) - 1)
LOWER_BY_8 = BOTTOM * ((1 << max(0, HEIGHT - 8)) - 1)

choices = COLUMNS


def initial() -> Position:
    """Return the empty board."""
    return 0, 0


def position(code: int) -> Position:
    """Return the position of a code."""
    filled = code | code >> 1 & LOWER
    filled |= filled >> 2 & LOWER_BY_2
    filled |= filled >> 4 & LOWER_BY_4
    filled |= filled >> 8 & LOWER_BY_8
    taken = filled >> 1 & LOWER
    return code & taken, taken


def moves(position: Position) -> int:
    """Return the cells on which a stone can land; none if the game is over."""
    mine, taken = position
    theirs = mine ^ taken
    for step in (1, HEIGHT - 1, HEIGHT, HEIGHT + 1):
        run = theirs
        for away in range(1, IN_A_ROW):
            run &= theirs >> away * step
        if run:
            return 0
    return (taken + BOTTOM) & BOARD


def result(position: Position) -> int:
    """Return what a finished game is worth to the player to move: a full board without a line is a draw."""
    mine, taken = position
    theirs = mine ^ taken
    for step in (1, HEIGHT - 1, HEIGHT, HEIGHT + 1):
        run = theirs
        for away in range(1, IN_A_ROW):
            run &= theirs >> away * step
        if run:
            return -1
    return 0


def play(position: Position, move: int) -> Position:
    """Return the position after a stone on a cell; the other player is to move."""
    mine, taken = position
    return mine ^ taken, taken | move


def own_code(position: Position) -> int:
    """Return the code of a position as it is."""
    return position[0] | position[1] + BOTTOM


def mirrored(code: int) -> int:
    """Return the code of the mirror image."""
    found = 0
    for column in range(COLUMNS):
        found |= (code >> HEIGHT * column & COLUMN) << HEIGHT * (COLUMNS - 1 - column)
    return found


def code(position: Position) -> int:
    """Return the code of a position or of its mirror image, whichever is lower."""
    own = own_code(position)
    return min(own, mirrored(own))


def images(position: Position) -> int:
    """Return how many different symmetric images there are: 1 or 2."""
    own = own_code(position)
    return 1 if own == mirrored(own) else 2
