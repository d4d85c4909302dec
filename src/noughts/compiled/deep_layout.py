"""The memory layout of a deep kernel: what its table and a thread's workspace hold.

The kernel and the code that runs it use these constants. They are compiled into kernels, so the text of this file is
part of a kernel's digest.

**An entry of the table** is a sequence number, the whole key, and a word of what is known about the position:

    | sequence | key, one word or more | value | depth | move + 1 | kind | sure |
                                         36      12      11         2      2 bits

A thread that writes an entry first makes the sequence number odd, and at last even again. A thread that reads one
believes it only if the sequence number is even and has not changed meanwhile. So what is read is always what one thread
has written, for exactly that key.

**A value** is a score on the kernel's scale times `UNIT`, if it is proven; a guess is between minus and plus `UNIT`. So
every proven win beats every guess, and every guess beats every proven loss.

**A workspace** is the memory of one thread. First come the slots below, then a counter for each move, then a frame for
each ply from the root: for each child a rank, a move, and the position.
"""

__all__ = [
    "BROKEN",
    "BUSY",
    "DEEPEST",
    "EXACT",
    "FULL",
    "HIGH",
    "HISTORY",
    "LIMIT",
    "LOW",
    "LOWER",
    "MARKS",
    "MOST_MOVES",
    "MOST_SCORE",
    "NODES",
    "NO_MOVE",
    "SIZE",
    "SLOTS",
    "SPLIT",
    "SURE",
    "UNIT",
    "UPPER",
    "VALUE",
    "WORD_MOVES",
    "entry_words",
    "frame_words",
    "workspace_words",
]

UNIT = 1 << 14
"""What one point of a score counts in a value. A guess is smaller."""

FULL = (1 << 12) - 1
"""The depth of a search to the end of the game, less one for each ply."""

MOST_SCORE = 1 << 20
"""The highest score that fits in an entry of the table."""

WORD_MOVES = 63
"""How many moves a word of `expand` can have."""

MOST_MOVES = 1023
"""How many moves there can be in all."""

NO_MOVE = -1

LOWER, UPPER, EXACT = 1, 2, 3
"""The kinds of bounds in the table: how a value relates to that of a complete search of the same depth."""

LOW, HIGH = 1, 2
"""The bits of what is sure, whatever the depth: that the true score is at least the value, or at most the value."""

NODES = 0
"""Nodes visited, since the workspace was made."""
LIMIT = 1
"""The search stops when NODES reaches this. To stop it at once, write 0 here."""
SIZE = 2
"""Entries of the table."""
SPLIT = 3
"""Plies from the root in which a thread avoids positions that another one is searching."""
DEEPEST = 4
"""The deepest ply of this search, or BROKEN."""
VALUE = 5
SURE = 6
"""The result of a search."""
BUSY = 7
"""The address of the marks: the positions that threads are searching."""
SLOTS = 8
HISTORY = SLOTS
"""Where the counters of moves begin."""

BROKEN = 1 << 20
"""DEEPEST of a search whose rules broke a promise."""

MARKS = (1 << 12) - 1
"""The mask of a mark's index: each mark holds the hash of one position that a thread is searching."""


def entry_words(key_words: int) -> int:
    """Return the size of an entry of the table."""
    return key_words + 2


def frame_words(choices: int, arity: int) -> int:
    """Return the size of a frame: for each child a rank, a move, and the `arity` numbers of its position."""
    return choices * (2 + arity)


def workspace_words(longest: int, choices: int, arity: int, move_words: int) -> int:
    """Return the size of a workspace."""
    return HISTORY + move_words * WORD_MOVES + (longest + 2) * frame_words(choices, arity)
