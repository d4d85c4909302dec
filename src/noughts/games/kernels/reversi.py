"""The rules of reversi, for a kernel: boards of 4, 6 or 8 squares a side.

A position is (own, other, moves): the discs of the player to move, those of the opponent, and the squares on which the
player to move can place a disc. Square n of the game is bit n - 1. On 8 x 8 the last square is bit 63, so a set with it
is a negative number; everything else about such sets is as usual.

A move is the number of a bit, and `PASS` is a pass.
"""

from noughts.bits import count, word

__all__ = ["evaluate", "expand", "initial", "key", "order", "play", "plies_left", "score_bounds"]

Position = tuple[int, int, int]

SIZE = 8

CELLS = SIZE * SIZE
longest = 2 * (CELLS - 4) - 1
utility_range = (-CELLS, CELLS)
choices = CELLS - 4

PASS = 64
FIRST_WORD = (1 << 63) - 1
"""The squares that are in the first word of `expand`; the last square of 8 x 8 and the pass are in the second."""

BOARD = word((1 << CELLS) - 1)
LEFT = sum(1 << SIZE * row for row in range(SIZE))
COLUMNS_WITHIN = ((1 << CELLS) - 1) & ~LEFT & ~(LEFT << SIZE - 1)
"""All columns but the outer ones. A run that is turned ends before the edge it runs towards."""
ROWS_WITHIN = ((1 << CELLS - SIZE) - 1) & ~((1 << SIZE) - 1)
WITHIN = COLUMNS_WITHIN & ROWS_WITHIN

WIN = longest + 1
"""What a margin of one disc scores."""


def _discs_at(*squares: tuple[int, int]) -> int:
    """Return the set of squares given by row and column from one corner, and the same from the other corners."""
    found = 0
    for row, column in squares:
        for down in (row, SIZE - 1 - row):
            for right in (column, SIZE - 1 - column):
                found |= 1 << down * SIZE + right
    return word(found)


CORNERS = _discs_at((0, 0))
DIAGONAL = _discs_at((1, 1))
"""The squares that give a corner away along a diagonal."""
BESIDE = _discs_at((0, 1), (1, 0))
"""The squares next to a corner on an edge."""
TO_CORNER = tuple(
    (row // (SIZE // 2) * (SIZE - 1)) * SIZE + column // (SIZE // 2) * (SIZE - 1)
    for row in range(SIZE)
    for column in range(SIZE)
)
"""The corner of each square's quarter of the board."""
QUARTERS = tuple(
    word(sum(1 << square for square in range(CELLS) if TO_CORNER[square] == corner))
    for corner in (0, SIZE - 1, CELLS - SIZE, CELLS - 1)
)
QUARTER = tuple((0, SIZE - 1, CELLS - SIZE, CELLS - 1).index(corner) for corner in TO_CORNER)
"""Which quarter each square is in."""
DISCS = tuple(word(1 << square) for square in range(CELLS))
RANKS = tuple(96 if disc & CORNERS else -40 if disc & DIAGONAL else -20 if disc & BESIDE else 0 for disc in DISCS) + (
    0,
) * (PASS + 1 - CELLS)
"""What a move is worth by its square alone."""

PARITY_UNTIL = 18
"""With at most this many empty squares, moves into quarters with an odd number of them come first."""


def initial() -> Position:
    """Return the board with four discs on it."""
    upper_left = (SIZE // 2 - 1) * SIZE + SIZE // 2 - 1
    white, black = (1 | 1 << SIZE + 1) << upper_left, (1 << 1 | 1 << SIZE) << upper_left
    return black, white, placements(black, white)


def size(squares: int) -> int:
    """Return how many squares there are in a set."""
    return count(squares & FIRST_WORD) + (squares < 0)


def forward(discs: int, between: int, step: int) -> int:
    """Return the runs of `between` that begin one step after the discs, in the direction of higher bits."""
    run = discs << step & between
    run |= run << step & between
    pairs = between & between << step
    run |= run << 2 * step & pairs
    return run | run << 2 * step & pairs


def backward(discs: int, between: int, step: int) -> int:
    """Return the runs of `between` that begin one step before the discs."""
    run = discs >> step & between
    run |= run >> step & between
    pairs = between & between >> step
    run |= run >> 2 * step & pairs
    return run | run >> 2 * step & pairs


def placements(own: int, other: int) -> int:
    """Return the empty squares on which a disc of `own` would turn discs of `other`."""
    across, down, along = other & COLUMNS_WITHIN, other & ROWS_WITHIN, other & WITHIN
    found = forward(own, across, 1) << 1 | backward(own, across, 1) >> 1
    found |= forward(own, down, SIZE) << SIZE | backward(own, down, SIZE) >> SIZE
    found |= forward(own, along, SIZE + 1) << SIZE + 1 | backward(own, along, SIZE + 1) >> SIZE + 1
    found |= forward(own, along, SIZE - 1) << SIZE - 1 | backward(own, along, SIZE - 1) >> SIZE - 1
    return word(found & BOARD & ~(own | other))


def forward_run(disc: int, own: int, between: int, step: int) -> int:
    """Return the run from a disc that ends at one of `own`; 0 if there is none."""
    run = forward(disc, between, step)
    return run if word(run << step & own) else 0


def backward_run(disc: int, own: int, between: int, step: int) -> int:
    """Return the run before a disc that ends at one of `own`; 0 if there is none."""
    run = backward(disc, between, step)
    return run if run >> step & own else 0


def turned(disc: int, own: int, other: int) -> int:
    """Return the discs of `other` that a disc of `own` turns over."""
    across, down, along = other & COLUMNS_WITHIN, other & ROWS_WITHIN, other & WITHIN
    found = forward_run(disc, own, across, 1) | backward_run(disc, own, across, 1)
    found |= forward_run(disc, own, down, SIZE) | backward_run(disc, own, down, SIZE)
    found |= forward_run(disc, own, along, SIZE + 1) | backward_run(disc, own, along, SIZE + 1)
    return found | forward_run(disc, own, along, SIZE - 1) | backward_run(disc, own, along, SIZE - 1)


def expand(position: Position) -> tuple[int, int]:
    """Return the squares on which a disc can be placed; a pass if there are none."""
    moves = position[2]
    if moves == 0:
        return 0, 1 << PASS - 63
    return moves & FIRST_WORD, 1 if moves < 0 else 0


def play(position: Position, move: int) -> Position:
    """Return the position after a disc is placed or a pass is made; the other player is to move."""
    own, other, _ = position
    if move == PASS:
        return other, own, placements(other, own)
    disc = DISCS[move]
    runs = turned(disc, own, other)
    own, other = own | disc | runs, other ^ runs
    return other, own, placements(other, own)


def score_bounds(position: Position) -> tuple[int, int]:
    """Return the score twice if neither player can place a disc; else the lowest and highest there is."""
    own, other, moves = position
    if moves == 0 and placements(other, own) == 0:
        margin = (size(own) - size(other)) * WIN
        return margin, margin
    return 1 - CELLS * WIN, CELLS * WIN - 1


def plies_left(position: Position) -> int:
    """Return how many squares are empty."""
    return CELLS - size(position[0] | position[1])


def key(position: Position) -> tuple[int, int]:
    """Return both sets of discs."""
    return position[0], position[1]


def order(position: Position, move: int, child: Position) -> int:
    """Return how promising a move is: the fewer replies it leaves the better; then by its square, and by parity."""
    replies = child[2]
    total = RANKS[move] - 12 * (size(replies) + size(replies & CORNERS))
    if move != PASS:
        empty = BOARD & ~(position[0] | position[1])
        if size(empty) <= PARITY_UNTIL and size(empty & QUARTERS[QUARTER[move]]) % 2:
            total += 10
    return total


def around(squares: int) -> int:
    """Return the neighbours of a set of squares, without those beyond an edge; the set itself may be among them."""
    wide = squares & BOARD & ~(LEFT_EDGE)
    row = squares | wide >> 1 & NOT_LAST | word((squares & NOT_RIGHT) << 1)
    return word((row | row << SIZE | row >> SIZE & NOT_LAST_ROW) & BOARD)


LEFT_EDGE = LEFT
NOT_RIGHT = ((1 << CELLS) - 1) & ~(LEFT << SIZE - 1)
NOT_LAST = (1 << CELLS - 1) - 1
NOT_LAST_ROW = (1 << CELLS - SIZE) - 1


def evaluate(position: Position) -> int:
    """Return a guess who is ahead: by moves, by squares that invite them, by corners and what leads to them."""
    own, other, moves = position
    empty = BOARD & ~(own | other)
    left = size(empty)
    theirs = placements(other, own)
    mine, replies = size(moves), size(theirs)
    # 1. Moves at hand, and empty squares next to the opponent's discs, where moves may arise.
    total = 24 * (mine - replies) + 10 * (size(around(other) & empty) - size(around(own) & empty))
    if mine == 0:
        total -= 60
    if replies == 0:
        total += 60
    # 2. Corners; discs that are safe along an edge; squares that give a corner away.
    total += 260 * (size(own & CORNERS) - size(other & CORNERS))
    total += 80 * (size(moves & CORNERS) - size(theirs & CORNERS))
    total += 45 * (size(safe(own)) - size(safe(other)))
    open_corners = around(empty & CORNERS)
    total -= 75 * (size(own & DIAGONAL & open_corners) - size(other & DIAGONAL & open_corners))
    total -= 25 * (size(own & BESIDE & open_corners) - size(other & BESIDE & open_corners))
    # 3. Near the end, who has the last move, and how many discs there are.
    if left <= 12:
        total += (13 - left) * 4 * (size(own) - size(other))
    return total + (30 if left % 2 else -30)


def safe(discs: int) -> int:
    """Return the discs on edges that nobody can turn, since all up to a corner are of the same colour."""
    right = down = left = up = discs & CORNERS
    for _ in range(SIZE - 2):
        right |= word((right & NOT_RIGHT) << 1) & discs & EDGES
        left |= (left & ~LEFT_EDGE) >> 1 & NOT_LAST & discs & EDGES
        down |= word(down << SIZE & BOARD) & discs & EDGES
        up |= up >> SIZE & NOT_LAST_ROW & discs & EDGES
    return right | down | left | up


EDGES = word(((1 << CELLS) - 1) & ~WITHIN)
