"""The memory layout of a kernel: what each word of its table and of a thread's workspace holds.

The kernel, the solver and the table use these constants. They are compiled into kernels, so the text of this file is
part of a kernel's digest.

**A word of the table** is a whole key and a bound of its position's score:

    | key without its lowest spare bits | score + longest + 1 | 1 if the bound is an upper one, 0 if a lower one |
                                         code bits, all but 1  1 bit

Where key and score need more than a word, the lowest bits of the key, the *spare bits*, are not stored. They choose the
part of the table in which the word is.

**A workspace** is the memory of one thread. First come the slots below: its orders, its counters and its results. Then
comes a frame for each ply from the root: a rank for each child that waits to be searched, and then the children.
"""

__all__ = [
    "BOUNDS",
    "BROKEN",
    "BUSY",
    "CHILDREN",
    "CUTOFF",
    "DEEPEST",
    "EACH",
    "FOLLOW",
    "FRAMES",
    "HIGH",
    "LARGEST",
    "LIMIT",
    "LOW",
    "MARKS",
    "MOST_CHOICES",
    "MOVE",
    "NODES",
    "PAIR",
    "PLAYED",
    "SIZE",
    "SOLVE",
    "SPLIT",
    "STORED",
    "VALUE",
    "WORD",
    "code_bits",
    "frame_words",
    "spare_bits",
    "workspace_words",
]

WORD = 8
"""Bytes of a word."""

MOST_CHOICES = 63
"""The most moves of any position: moves are bits of a number of 63 bits."""

NODES = 0
"""Nodes visited, since the workspace was made."""
LIMIT = 1
"""The search stops when NODES reaches this. To stop it at once, write 0 here."""
SIZE = 2
"""Entries of the table in use."""
LARGEST = 3
"""Entries that this search may double the table to."""
STORED = 4
"""Entries stored since the table was empty."""
PAIR = 5
"""1 if a word may also be beside its own place in the table, 0 if the table is too small for that."""
SPLIT = 6
"""Plies from the root in which a thread avoids positions that another one is searching."""
DEEPEST = 7
"""The deepest ply of this search, or BROKEN."""
LOW = 8
HIGH = 9
"""The proven bounds of the root's score."""
MOVE = 10
"""A move whose score is at least LOW, or 0."""
CUTOFF = 11
"""The move at the root that reached beta in the search under way, or 0."""
BUSY = 12
"""The address of the marks: the positions that threads are searching."""
PLAYED = 13
"""Moves played, since the workspace was made."""
FRAMES = 14
"""Where the frames begin."""

BROKEN = 1 << 20
"""DEEPEST of a search whose rules broke a promise: a game of more plies than `longest`, a position that is not over but
has no move, more moves than `choices`, a key of more than `key_bits` bits, or a score beyond the scale."""

SOLVE = 0
"""The task to tighten the bounds of a position, LOW and HIGH, in a window; returns 1, or 0 if it was stopped."""
VALUE = 1
"""The same, and then to find a best move, MOVE, if the search came across none."""
EACH = 2
"""The task to tighten the bounds of several positions, in memory; takes and returns the step to begin with."""
FOLLOW = 3
"""The task to write a line of best play to memory, from a position with a given score; returns how many moves."""
CHILDREN = 4
"""The task to list moves and children in the first frame; returns how many there are."""

BOUNDS = 2
"""Words before each position in the memory of EACH: its lower and its upper bound."""

MARKS = (1 << 12) - 1
"""The mask of a mark's index: each mark holds the key of one position that a thread is searching."""


def code_bits(longest: int) -> int:
    """Return how many bits of a word of the table the score takes, together with the kind of bound.

    >>> code_bits(42)
    8
    """
    return (2 * (longest + 1)).bit_length() + 1


def spare_bits(longest: int, key_bits: int) -> int:
    """Return how many bits of a key do not fit in a word of the table, and choose a part of the table instead.

    >>> spare_bits(42, 49), spare_bits(25, 63)
    (0, 7)
    """
    return max(0, key_bits + code_bits(longest) - 63)


def frame_words(choices: int, arity: int) -> int:
    """Return the size of a frame: for each child a rank, and the `arity` numbers of its position."""
    return choices * (1 + arity)


def workspace_words(longest: int, choices: int, arity: int) -> int:
    """Return the size of a workspace. Its last frame has room for rules that have more moves than they promise."""
    return FRAMES + (longest + 2) * frame_words(choices, arity) + frame_words(MOST_CHOICES, arity)
