"""The rules of any board with lines, for a kernel: `mnk`, a torus, a cube, misère or not. Lines are data.

A position is (mine, theirs, my_completing, their_completing): the cells of the player to move and of the opponent, and
the empty cells that would complete a line of each. Cell n of the game is bit n - 1.
"""

from noughts.bits import count, place

__all__ = ["expand", "finish", "initial", "key", "order", "play", "plies", "score_bounds"]

Position = tuple[int, int, int, int]

# The values of tic-tac-toe; a kernel of another board replaces them.
MISERE = 0
longest = 9
LINES = (0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100)
THROUGH = (0, 3, 6, 0, 4, 0, 5, 7, 1, 3, 1, 4, 6, 7, 1, 5, 2, 3, 7, 2, 4, 2, 5, 6)
"""The numbers of the lines through cell 1, those through cell 2, and so on."""
FIRST = (0, 3, 5, 8, 10, 14, 16, 19, 21, 24)
"""Where the lines of each cell begin in `THROUGH`; the last number is where they end."""
TURNS = (2, 5, 8, 1, 4, 7, 0, 3, 6)
"""The symmetries of the board, one after the other: where each cell goes."""
TURNED_UNTIL = 4
"""Up to this many plies, a position and its symmetric images share a key."""

FULL = (1 << longest) - 1
key_bits = 2 * longest
choices = longest


def initial() -> Position:
    """Return the empty board."""
    return 0, 0, 0, 0


def plies(position: Position) -> int:
    """Return how many cells are taken."""
    return count(position[0] | position[1])


def expand(position: Position) -> int:
    """Return the cells worth a mark: only those that stop a line, if any; in misère all that do not lose at once."""
    mine, theirs, my_completing, their_completing = position
    empty = FULL ^ mine ^ theirs
    if MISERE:
        return empty & ~my_completing
    return their_completing if their_completing else empty


def play(position: Position, move: int) -> Position:
    """Return the position after a mark on a cell; the other player is to move."""
    mine, theirs, my_completing, their_completing = position
    mine |= move
    my_completing &= ~move
    cell = place(move)
    for index in range(FIRST[cell], FIRST[cell + 1]):
        rest = LINES[THROUGH[index]] & ~mine
        if rest & (rest - 1) == 0 and rest & theirs == 0:
            my_completing |= rest
    return theirs, mine, their_completing & ~move, my_completing


def score_bounds(position: Position) -> tuple[int, int]:
    """Return the lowest and highest score that the position can have."""
    mine, theirs, my_completing, their_completing = position
    marks = count(mine | theirs)
    if MISERE:
        empty = FULL ^ mine ^ theirs
        if empty and empty & ~my_completing == 0:  # every move completes a line and loses
            return marks - longest, marks - longest
        low, high = marks + 2 - longest, longest - 1 - marks
    else:
        if my_completing:
            return longest - marks, longest - marks
        if their_completing & (their_completing - 1):  # only one of the two lines can be stopped
            return marks + 1 - longest, marks + 1 - longest
        low, high = marks + 3 - longest, longest - 2 - marks
    low, high = min(low, 0), max(high, 0)  # near the end, there is no time left for a win
    # A player whose lines are all blocked cannot complete one.
    mine_open = theirs_open = 0
    for line in LINES:
        mine_open |= line & theirs == 0
        theirs_open |= line & mine == 0
        if mine_open & theirs_open:
            return low, high
    if MISERE:
        return low * mine_open, high * theirs_open
    return low * theirs_open, high * mine_open


def finish(position: Position) -> int:
    """Return a best move where the bounds are equal: a win, else a cell that stops one, else any; 0 if none."""
    mine, theirs, my_completing, their_completing = position
    empty = FULL ^ mine ^ theirs
    best = empty & ~my_completing if MISERE else my_completing
    if best == 0:
        best = 0 if MISERE else their_completing
    if best == 0:
        best = empty
    return best & -best


def order(position: Position, move: int) -> int:
    """Return how promising a cell is: open lines through it, with more weight the more marks they have."""
    mine, theirs, _, _ = position
    cell = place(move)
    total = 0
    for index in range(FIRST[cell], FIRST[cell + 1]):
        line = LINES[THROUGH[index]]
        if line & theirs == 0:
            total += 3 << 2 * count(line & mine)
        if line & mine == 0:
            total += 2 << 2 * count(line & theirs)
    return -total if MISERE else total


def key(position: Position) -> int:
    """Return a number that no other position has; near the start, the smallest of those of all symmetric images."""
    mine, theirs, _, _ = position
    least = mine << longest | theirs
    if count(mine | theirs) > TURNED_UNTIL:
        return least
    for start in range(0, len(TURNS), longest):
        turned = 0
        left = mine
        while left:
            turned |= 1 << TURNS[start + place(left)] + longest
            left &= left - 1
        left = theirs
        while left:
            turned |= 1 << TURNS[start + place(left)]
            left &= left - 1
        least = min(least, turned)
    return least
