"""The rules of Connect Four and its family, for a kernel: stones in columns, a line of `IN_A_ROW` wins.

Each column has one bit more than it has rows, so that no line runs over the edge. On 7 x 6 the bits are

     .  .  .  .  .  .  .       6 13 20 27 34 41 48     always empty
     o  o  o  o  o  o  o       5 12 19 26 33 40 47     the highest row
     :  :  :  :  :  :  :       :
     o  o  o  o  o  o  o       0  7 14 21 28 35 42     the lowest row

A position is (mine, taken, my_wins, their_wins): the stones of the player to move, all stones, and the empty cells
that would complete a line of the player to move and of the opponent, whether a stone can be placed there now or not.

A move that completes a line ends the game and is never played: `score_bounds` knows the score of the position before
it. A move that lets the opponent complete a line is not played either: `expand` leaves it out, and `score_bounds` knows
when no other is left. `finish` has the best moves in such positions.
"""

from noughts.bits import count, place

__all__ = ["expand", "finish", "foresee", "initial", "key", "order", "play", "plies", "score_bounds"]

Position = tuple[int, int, int, int]

COLUMNS = 7
ROWS = 6
IN_A_ROW = 4

HEIGHT = ROWS + 1
BOTTOM = sum(1 << HEIGHT * column for column in range(COLUMNS))
COLUMN = (1 << ROWS) - 1
BOARD = BOTTOM * COLUMN
ODD_ROWS = BOTTOM * sum(1 << row for row in range(0, ROWS, 2))
EVEN_ROWS = BOARD ^ ODD_ROWS
longest = COLUMNS * ROWS
key_bits = COLUMNS * HEIGHT
choices = COLUMNS
MIRRORED_UNTIL = longest // 4
"""Up to this many stones, a position and its mirror image share a key. Later, both rarely occur in one search."""
CENTRAL = tuple(2 * min(column, COLUMNS - 1 - column) + (2 * column < COLUMNS) for column in range(COLUMNS))
"""The rank of each column by itself: the nearer to the centre, the higher."""


def initial() -> Position:
    """Return the empty board."""
    return 0, 0, 0, 0


def plies(position: Position) -> int:
    """Return how many stones there are."""
    return count(position[1])


def expand(position: Position) -> int:
    """Return the cells worth a stone: only the forced one if there is one, and none right below the opponent's win."""
    _, taken, _, their_wins = position
    possible = (taken + BOTTOM) & BOARD
    forced = possible & their_wins
    if forced:
        possible = forced
    return possible & ~(their_wins >> 1)


def play(position: Position, move: int) -> Position:
    """Return the position after a stone on a cell; the other player is to move."""
    mine, taken, _, their_wins = position
    mine |= move
    taken |= move
    return taken ^ mine, taken, their_wins & ~move, winning_cells(mine, taken)


def winning_cells(stones: int, taken: int) -> int:
    """Return the empty cells that would complete a line of some stones; in a column, only the one on top."""
    found = BOARD
    for below in range(1, IN_A_ROW):
        found &= stones << below
    for step in (HEIGHT - 1, HEIGHT, HEIGHT + 1):
        found |= completing(stones, step)
    return found & (BOARD ^ taken)


def completing(cells: int, step: int) -> int:
    """Return the cells that would complete a line in one direction: all other cells of the line are in the set."""
    if IN_A_ROW == 4:  # the same as below, in fewer operations
        two_before = cells << step & cells << 2 * step
        two_after = cells >> step & cells >> 2 * step
        return two_before & (cells << 3 * step | cells >> step) | two_after & (cells << step | cells >> 3 * step)
    found = 0
    for gap in range(IN_A_ROW):
        line = BOARD
        for away in range(-gap, IN_A_ROW - gap):
            if away < 0:
                line &= cells << -away * step
            elif away > 0:
                line &= cells >> away * step
        found |= line
    return found


def completing_any(cells: int) -> int:
    """Return the cells that would complete a line of the set in any direction, also in the middle of a column."""
    return (
        completing(cells, 1) | completing(cells, HEIGHT - 1) | completing(cells, HEIGHT) | completing(cells, HEIGHT + 1)
    )


def score_bounds(position: Position) -> tuple[int, int]:
    """Return the lowest and highest score that the position can have."""
    _, taken, my_wins, their_wins = position
    stones = count(taken)
    possible = (taken + BOTTOM) & BOARD
    if possible & my_wins:
        return longest - stones, longest - stones
    forced = possible & their_wins
    if forced:
        if forced & (forced - 1):
            return stones + 1 - longest, stones + 1 - longest
        possible = forced
    if possible & ~(their_wins >> 1) == 0 and possible:
        return stones + 1 - longest, stones + 1 - longest
    if stones >= longest - 2:
        return 0, 0
    return min(stones + 3 - longest, 0), longest - 2 - stones


def finish(position: Position) -> int:
    """Return a best move where the bounds are equal: a win, else a stone in the way of one, else any; 0 if none."""
    _, taken, my_wins, their_wins = position
    possible = (taken + BOTTOM) & BOARD
    best = possible & my_wins
    if best == 0:
        best = possible & their_wins
    if best == 0:
        best = possible & ~(their_wins >> 1)
    if best == 0:
        best = possible
    return best & -best


def foresee(position: Position, beta: int) -> tuple[int, int]:
    """Return bounds from a plan that a player can follow to the end, whatever the opponent does, if `beta` needs them.

    On a board with an even number of rows, a player who answers each stone with one right above it gets every cell of
    an even row (the second, the fourth and so on) in the columns with an even number of empty cells. In the other
    columns the next cell is in an even row. These `odd_ones` are paired: the player answers one of a pair with the
    other, so the opponent gets one of each pair. Then the opponent can only complete lines of cells in odd rows and
    of these, and every cell of an even row that completes the player's own line is taken in the end.
    """
    mine, taken, my_wins, their_wins = position
    if ROWS % 2:
        return -longest, longest
    theirs = taken ^ mine
    empty = BOARD ^ taken
    odd_ones = (taken + BOTTOM) & EVEN_ROWS
    pairs = count(odd_ones) >> 1
    if count(taken) % 2 == 0:
        # The first player is to move, so the second can answer each stone.
        if beta > -ROWS:
            base = mine | empty & ODD_ROWS
            if not has_line(base) and can_pair(base, odd_ones, pairs):
                return -longest, -latest(their_wins & EVEN_ROWS & ~odd_ones)
        return -longest, longest
    # The second player is to move: after a stone on one of the odd ones, each stone of the first can be answered.
    if beta <= ROWS:
        base = theirs | empty & ODD_ROWS
        if pairs <= 1 and not has_line(base):
            wins = completing_any(base) & odd_ones
            if pairs == 0 or wins & (wins - 1) == 0:
                return latest(my_wins & EVEN_ROWS & ~odd_ones), longest
    # Or the first player has a winning cell in an odd row of a column whose next cell is even, and answers each stone
    # right above it: in the end the second player has to play below the winning cell.
    if beta > -ROWS and pairs <= 1:
        wins = their_wins & ODD_ROWS & ~BOTTOM
        while wins:
            win = wins & -wins
            wins ^= win
            column = COLUMN << place(win) // HEIGHT * HEIGHT
            if column & odd_ones:
                below = column & (win - 1)
                base = mine | empty & ODD_ROWS & ~column | empty & EVEN_ROWS & below
                others = odd_ones & ~column
                if not has_line(base) and not (others and completing_any(base) & others):
                    return -longest, -latest(win)
    return -longest, longest


def can_pair(base: int, odd_ones: int, pairs: int) -> bool:
    """Return whether the odd ones can be paired so that the base and any one of each pair never hold a line."""
    if completing_any(base) & odd_ones:
        return False
    if pairs <= 1 or not has_line(base | odd_ones):
        return True
    if pairs > 2:
        return False
    first = odd_ones & -odd_ones
    rest = odd_ones ^ first
    second = rest & -rest
    rest ^= second
    third = rest & -rest
    fourth = rest ^ third
    with_first = completing_any(base | first)
    with_second = completing_any(base | second)
    with_third = completing_any(base | third)
    if not (with_first | with_second) & (third | fourth):  # pair the first two, and the last two
        return True
    if not (with_first | with_third) & (second | fourth):
        return True
    return not (with_first & (second | third) or (with_second | with_third) & fourth)


def latest(cells: int) -> int:
    """Return the score of a player who wins on one of the cells even if all other columns are filled first."""
    for row in range(1, ROWS):
        if cells & BOTTOM << row:
            return ROWS - row
    return 0


def has_line(cells: int) -> bool:
    """Return whether a set of cells holds a line."""
    for step in (1, HEIGHT - 1, HEIGHT, HEIGHT + 1):
        run = cells
        for away in range(1, IN_A_ROW):
            run &= cells >> away * step
        if run:
            return True
    return False


def order(position: Position, move: int) -> int:
    """Return how promising a move is: by the winning cells that it makes, then by its column.

    A winning cell counts twice, unless it wins for the opponent too or is right above another one, so that play may
    never reach it. A move that forces an immediate answer counts one less.
    """
    _, taken, theirs, made = play(position, move)
    lasting = made & ~((made | theirs) << 1) & ~theirs
    at_once = made & (taken + BOTTOM)
    return (count(made) + count(lasting) - (at_once != 0)) * 16 + CENTRAL[place(move) // HEIGHT]


def key(position: Position) -> int:
    """Return a number that no other position has.

    A column of n stones has the value 2**n - 1 in `taken`, and at most that in `mine`. So the sum determines n, and
    with it `mine`. Near the start, a position and its mirror image have the same key.
    """
    own = position[0] + position[1]
    if count(position[1]) > MIRRORED_UNTIL:
        return own
    mirrored = 0
    for column in range(COLUMNS):
        mirrored = mirrored << HEIGHT | own >> HEIGHT * column & (1 << HEIGHT) - 1
    return min(own, mirrored)
