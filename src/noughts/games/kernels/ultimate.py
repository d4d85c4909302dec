"""The rules of ultimate tic-tac-toe, for a kernel.

A position is (low_mine, high_mine, low_theirs, high_theirs, fields): the cells of the player to move and of the
opponent, nine bits a field, fields 1 to 6 in the low numbers and 7 to 9 in the high ones; and four sets of nine bits:

    | playable: the fields in which the player to move may play | full | their fields | my fields |

where full are the fields that are full and won by nobody. A move is the number of a cell, 9 a field.
"""

from noughts.bits import count, place

__all__ = ["evaluate", "expand", "initial", "key", "order", "play", "plies_left", "score_bounds"]

Position = tuple[int, int, int, int, int]

longest = 81
choices = 81

ALL = 0b111_111_111
LINES = (0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100)
HAS_LINE = tuple(int(any(held & line == line for line in LINES)) for held in range(ALL + 1))
"""For each set of places, 1 if there is a line in it."""
CAN_WIN = tuple(int(any(not lost & line for line in LINES)) for lost in range(ALL + 1))
"""For each set of fields that a player can no longer win, 1 if there is a line without them."""
LOW_FIELDS = 6
WIN = longest + 1

COMPLETING = tuple(
    sum(1 << cell for cell in range(9) if not held >> cell & 1 and HAS_LINE[held | 1 << cell])
    for held in range(ALL + 1)
)
"""For each set of places, those that would complete a line."""


def _standing(mine: int, theirs: int) -> int:
    """Return how well a player stands in a field: by lines that are open, with more weight for two in a line."""
    worth = (0, 3, 14)
    total = 0
    for line in LINES:
        if not line & theirs:
            total += worth[min(2, (line & mine).bit_count())]
        if not line & mine:
            total -= worth[min(2, (line & theirs).bit_count())]
    return total + (mine >> 4 & 1) - (theirs >> 4 & 1)


TERNARY: tuple[int, ...] = tuple(sum(3**cell for cell in range(9) if held >> cell & 1) for held in range(ALL + 1))
"""Each set of cells as a number in base 3, with the digit 1 for each of them."""


def _standings() -> tuple[int, ...]:
    """Return how well a player stands in a field, for each filling of it as a number in base 3."""
    found = [0] * 3**9
    for mine in range(ALL + 1):
        theirs = rest = ALL & ~mine
        while True:
            found[TERNARY[mine] + 2 * TERNARY[theirs]] = _standing(mine, theirs)
            if theirs == 0:
                break
            theirs = theirs - 1 & rest
    return tuple(found)


STANDING = _standings()
IMPORTANCE = (6, 4, 6, 4, 8, 4, 6, 4, 6)
"""How much each field counts: it grows with the lines through it."""


def initial() -> Position:
    """Return the empty board, on which every field may be played in."""
    return 0, 0, 0, 0, ALL << 27


def cells_of(low: int, high: int, field: int) -> int:
    """Return the cells of a player in a field."""
    return (low >> 9 * field if field < LOW_FIELDS else high >> 9 * (field - LOW_FIELDS)) & ALL


def standing(mine: int, theirs: int) -> int:
    """Return how well a player stands in a field."""
    return STANDING[TERNARY[mine] + 2 * TERNARY[theirs]]


def expand(position: Position) -> tuple[int, int]:
    """Return the empty cells of the fields that may be played in; a cell of a line that wins the game comes alone."""
    low_mine, high_mine, low_theirs, high_theirs, fields = position
    playable, my_fields = fields >> 27, fields & ALL
    first = second = 0
    winning = COMPLETING[my_fields]
    left = playable
    while left:
        field = place(left)
        left &= left - 1
        mine = cells_of(low_mine, high_mine, field)
        empty = ALL & ~(mine | cells_of(low_theirs, high_theirs, field))
        if winning >> field & 1 and COMPLETING[mine] & empty:  # wins the game
            cell = COMPLETING[mine] & empty
            bit = 9 * field + place(cell)
            return (1 << bit, 0) if bit < 63 else (0, 1 << bit - 63)
        if field < 7:
            first |= empty << 9 * field
        else:
            second |= empty << 9 * field - 63
    return first, second


def play(position: Position, move: int) -> Position:
    """Return the position after a mark on a cell; the other player is to move."""
    low_mine, high_mine, low_theirs, high_theirs, fields = position
    field, cell = move // 9, move % 9
    my_fields, their_fields, full = fields & ALL, fields >> 9 & ALL, fields >> 18 & ALL
    if field < LOW_FIELDS:
        low_mine |= 1 << move
    else:
        high_mine |= 1 << move - 9 * LOW_FIELDS
    mine = cells_of(low_mine, high_mine, field)
    if HAS_LINE[mine]:
        my_fields |= 1 << field
    elif mine | cells_of(low_theirs, high_theirs, field) == ALL:
        full |= 1 << field
    open_fields = ALL & ~(my_fields | their_fields | full)
    if HAS_LINE[my_fields]:
        open_fields = 0
    playable = open_fields & 1 << cell
    if playable == 0:
        playable = open_fields
    return low_theirs, high_theirs, low_mine, high_mine, ((playable << 9 | full) << 9 | my_fields) << 9 | their_fields


def score_bounds(position: Position) -> tuple[int, int]:
    """Return the score twice if the game is over, else the lowest and highest score that is possible."""
    fields = position[4]
    mine, theirs, full = fields & ALL, fields >> 9 & ALL, fields >> 18 & ALL
    if HAS_LINE[theirs]:
        return -WIN, -WIN
    if fields >> 27 == 0:
        return 0, 0
    low = -WIN + 2 if CAN_WIN[mine | full] else 0
    return low, WIN - 1 if CAN_WIN[theirs | full] else 0


def plies_left(position: Position) -> int:
    """Return how many cells of open fields are empty."""
    low_mine, high_mine, low_theirs, high_theirs, fields = position
    closed = fields & ALL | fields >> 9 & ALL | fields >> 18 & ALL
    total = 0
    for field in range(9):
        if not closed >> field & 1:
            total += 9 - count(cells_of(low_mine | low_theirs, high_mine | high_theirs, field))
    return total


def key(position: Position) -> tuple[int, int, int]:
    """Return the cells of both players, and which fields may be played in; the rest follows from them."""
    low_mine, high_mine, low_theirs, high_theirs, fields = position
    return low_mine | (fields >> 27) << 54, low_theirs, high_mine << 27 | high_theirs


def order(position: Position, move: int, child: Position) -> int:
    """Return how promising a move is: fields that it wins, lines that it makes, and where it sends the opponent."""
    fields, after = position[4], child[4]
    field, cell = move // 9, move % 9
    mine = cells_of(position[0], position[1], field)
    theirs = cells_of(position[2], position[3], field)
    total = standing(mine | 1 << cell, theirs) - standing(mine, theirs)
    if after >> 9 & ALL != fields & ALL:  # it wins the field
        total += 60 + 8 * IMPORTANCE[field]
    if COMPLETING[theirs] >> cell & 1:  # it stops a line there
        total += 20
    playable = after >> 27
    if playable & (playable - 1):  # the opponent may play anywhere
        total -= 40
    elif playable:
        sent = place(playable)
        total -= standing(cells_of(child[0], child[1], sent), cells_of(child[2], child[3], sent)) // 2
        if COMPLETING[cells_of(child[0], child[1], sent)] & ~cells_of(child[2], child[3], sent):
            total -= 40
    return total


def evaluate(position: Position) -> int:
    """Return a guess who is ahead: by the standing in each open field, and with more weight among the fields."""
    low_mine, high_mine, low_theirs, high_theirs, fields = position
    mine, theirs, full, playable = fields & ALL, fields >> 9 & ALL, fields >> 18 & ALL, fields >> 27
    closed = mine | theirs | full
    total = 0
    for line in LINES:
        if line & (theirs | full) == 0:
            held = count(line & mine)
            total += 40 + 120 * held + 200 * (held == 2)
        if line & (mine | full) == 0:
            held = count(line & theirs)
            total -= 40 + 120 * held + 200 * (held == 2)
    for field in range(9):
        if not closed >> field & 1:
            stands = standing(cells_of(low_mine, high_mine, field), cells_of(low_theirs, high_theirs, field))
            total += stands * (
                IMPORTANCE[field] + 6 * (COMPLETING[mine] >> field & 1 | COMPLETING[theirs] >> field & 1)
            )
    if playable & (playable - 1):
        total += 60
    return total // 2
