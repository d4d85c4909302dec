"""The rules of a board with lines and up to 126 cells, for a deep kernel: a cube of 4 or 5, a large `mnk`.

A position is (mine, theirs, my_completing, their_completing, balance), where each of the first four is a set of cells
in two numbers: the cells of the player to move and of the opponent, and the empty cells that would complete a line of
each. Cell n of the game is bit n - 1; from cell 64 on, it is in the second number. `balance` says who is ahead, by open
lines, in the view of the player to move. A move is the number of a bit.
"""

from noughts.bits import count

__all__ = ["evaluate", "expand", "initial", "key", "order", "play", "plies_left", "score_bounds"]

Position = tuple[int, int, int, int, int, int, int, int, int]

# The values of tic-tac-toe; a kernel of another board replaces them.
MISERE = 0
longest = 9
LINES = (0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100)
"""The cells of each line that are in the first number."""
MORE = (0, 0, 0, 0, 0, 0, 0, 0)
"""The cells of each line that are in the second number."""
THROUGH = (0, 3, 6, 0, 4, 0, 5, 7, 1, 3, 1, 4, 6, 7, 1, 5, 2, 3, 7, 2, 4, 2, 5, 6)
"""The numbers of the lines through cell 1, those through cell 2, and so on."""
FIRST = (0, 3, 5, 8, 10, 14, 16, 19, 21, 24)
"""Where the lines of each cell begin in `THROUGH`; the last number is where they end."""

choices = longest
WORD = 63
FULL = (1 << min(longest, WORD)) - 1
FULL_MORE = (1 << max(0, longest - WORD)) - 1
SIGN = -1 if MISERE else 1
FARTHEST = 16_000
"""The highest guess."""


def initial() -> Position:
    """Return the empty board."""
    return 0, 0, 0, 0, 0, 0, 0, 0, 0


def expand(position: Position) -> tuple[int, int]:
    """Return the cells worth a mark: only those that stop a line, if any; in misère all that do not lose at once."""
    empty, more_empty = FULL ^ position[0] ^ position[2], FULL_MORE ^ position[1] ^ position[3]
    if MISERE:
        return empty & ~position[4], more_empty & ~position[5]
    if position[6] | position[7]:
        return position[6], position[7]
    return empty, more_empty


def weight(marks: int) -> int:
    """Return what an open line with some marks counts."""
    return 1 << 2 * marks


def play(position: Position, move: int) -> Position:
    """Return the position after a mark on a cell; the other player is to move."""
    mine, more_mine, theirs, more_theirs, completing, more_completing, their_completing, more_their, balance = position
    bit = 1 << move if move < WORD else 0
    more_bit = 1 << move - WORD if move >= WORD else 0
    completing &= ~bit
    more_completing &= ~more_bit
    for index in range(FIRST[move], FIRST[move + 1]):
        line, more = LINES[THROUGH[index]], MORE[THROUGH[index]]
        held = count(line & mine) + count(more & more_mine)
        lost = count(line & theirs) + count(more & more_theirs)
        if lost == 0:
            balance += SIGN * (weight(held + 1) - weight(held))
            rest, more_rest = line & ~(mine | bit), more & ~(more_mine | more_bit)
            if count(rest) + count(more_rest) == 1:
                completing |= rest
                more_completing |= more_rest
        if held == 0:
            balance += SIGN * weight(lost)
    return (
        theirs,
        more_theirs,
        mine | bit,
        more_mine | more_bit,
        their_completing & ~bit,
        more_their & ~more_bit,
        completing,
        more_completing,
        -balance,
    )


def plies_left(position: Position) -> int:
    """Return how many cells are empty."""
    return longest - count(position[0] | position[2]) - count(position[1] | position[3])


def score_bounds(position: Position) -> tuple[int, int]:
    """Return the lowest and highest score that the position can have; plies count from here."""
    left = plies_left(position)
    if left == 0:
        return 0, 0
    mine = count(position[4]) + count(position[5])
    if MISERE:
        if mine == left:  # every move completes a line and loses
            return -longest, -longest
        low, high = (2 - longest if left >= 3 else 0), (longest - 1 if left >= 2 else 0)
    else:
        if mine:
            return longest, longest
        if count(position[6]) + count(position[7]) > 1:  # only one of the two lines can be stopped
            return 1 - longest, 1 - longest
        low, high = (3 - longest if left >= 4 else 0), (longest - 2 if left >= 3 else 0)
    if 2 * left > longest:
        return low, high
    # A player whose lines are all blocked cannot complete one.
    mine_open = theirs_open = 0
    for index in range(len(LINES)):
        line, more = LINES[index], MORE[index]
        mine_open |= (line & position[2] | more & position[3]) == 0
        theirs_open |= (line & position[0] | more & position[1]) == 0
        if mine_open & theirs_open:
            return low, high
    if MISERE:
        return low * mine_open, high * theirs_open
    return low * theirs_open, high * mine_open


def order(position: Position, move: int) -> int:
    """Return how promising a cell is: open lines through it, with more weight the more marks they have."""
    mine, more_mine, theirs, more_theirs = position[0], position[1], position[2], position[3]
    total = 0
    for index in range(FIRST[move], FIRST[move + 1]):
        line, more = LINES[THROUGH[index]], MORE[THROUGH[index]]
        if (line & theirs | more & more_theirs) == 0:
            total += 3 * weight(count(line & mine) + count(more & more_mine))
        if (line & mine | more & more_mine) == 0:
            total += 2 * weight(count(line & theirs) + count(more & more_theirs))
    return SIGN * total


def key(position: Position) -> tuple[int, int, int, int]:
    """Return the cells of both players."""
    return position[0], position[1], position[2], position[3]


def evaluate(position: Position) -> int:
    """Return a guess who is ahead: by open lines, with more weight the more marks they have."""
    return min(FARTHEST, max(-FARTHEST, position[8]))
