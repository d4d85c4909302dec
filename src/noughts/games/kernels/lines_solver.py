"""Every position of a board with lines, for a solver of all of them: `mnk`, a torus, a cube, misère or not.

A position is (mine, theirs): the cells of the player to move and of the opponent. Cell n of the game is bit n - 1. A
code has the cells of the player to move in its higher half.
"""

__all__ = ["code", "images", "initial", "moves", "play", "position", "result"]

Position = tuple[int, int]

# The values of tic-tac-toe; another board replaces them.
MISERE = 0
CELLS = 9
LINES = (0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100)
TURNS = (2, 5, 8, 1, 4, 7, 0, 3, 6)
"""The symmetries of the board, one after the other: where each cell goes. The board as it is may be left out."""

FULL = (1 << CELLS) - 1
CHUNK = 8
CHUNKS = -(-CELLS // CHUNK)
CHUNK_BITS = (1 << CHUNK) - 1
TURN_WORDS = CHUNKS << CHUNK
"""How many entries of `TURNED` each symmetry has."""


def _turned_chunks() -> tuple[int, ...]:
    """Return where every set of eight cells goes, for each symmetry and each eight cells."""
    found: list[int] = []
    for start in range(0, len(TURNS), CELLS):
        for chunk in range(CHUNKS):
            cells = [1 << TURNS[start + cell] for cell in range(chunk * CHUNK, min(CELLS, (chunk + 1) * CHUNK))]
            sums = [0]
            for bit in cells:
                sums += [each | bit for each in sums]
            found += sums + [0] * ((1 << CHUNK) - len(sums))
    return tuple(found)


TURNED = _turned_chunks()
SYMMETRIES = len(TURNS) // CELLS
choices = CELLS


def initial() -> Position:
    """Return the empty board."""
    return 0, 0


def position(code: int) -> Position:
    """Return the position of a code."""
    return code >> CELLS, code & FULL


def has_line(cells: int) -> int:
    """Return 1 if a set of cells holds a line, else 0."""
    for line in LINES:
        if cells & line == line:
            return 1
    return 0


def moves(position: Position) -> int:
    """Return the empty cells; none if the game is over."""
    mine, theirs = position
    return 0 if has_line(theirs) else FULL ^ mine ^ theirs


def result(position: Position) -> int:
    """Return what a finished game is worth to the player to move."""
    if has_line(position[1]):
        return 1 if MISERE else -1
    return 0


def play(position: Position, move: int) -> Position:
    """Return the position after a mark on a cell; the other player is to move."""
    return position[1], position[0] | move


def turned(cells: int, symmetry: int) -> int:
    """Return where a set of cells goes."""
    found = 0
    start = symmetry * TURN_WORDS
    for chunk in range(CHUNKS):
        found |= TURNED[start + (cells >> CHUNK * chunk & CHUNK_BITS)]
        start += 1 << CHUNK
    return found


def code(position: Position) -> int:
    """Return the lowest code of all symmetric images."""
    mine, theirs = position
    least = mine << CELLS | theirs
    for symmetry in range(SYMMETRIES):
        other = turned(mine, symmetry)
        if other <= least >> CELLS:
            least = min(least, other << CELLS | turned(theirs, symmetry))
    return least


def images(position: Position) -> int:
    """Return how many different symmetric images there are: all symmetries, divided by those that change nothing."""
    mine, theirs = position
    same = every = 0
    for symmetry in range(SYMMETRIES):
        every += 1
        same += turned(mine, symmetry) == mine and turned(theirs, symmetry) == theirs
    return every // same if same else 1
