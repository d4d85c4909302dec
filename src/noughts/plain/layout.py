"""The memory of a native search of a game's six functions: one array of numbers of 64 bits.

First come the slots of `noughts.compiled.deep_layout`, and then those below; then where each number of a state goes in
a key, a state that Python asks about, a counter for each action, the constants of the game, and the free memory.

**An entry of the table** is the whole key, the proven bounds of the score for the player to move, and the best action
with the effort that was spent, which is 0 for an empty entry:

    | key, one word or more | low | high | effort, action |
                                           47     16 bits
"""

__all__ = [
    "CHOICE",
    "CODES",
    "CONSTANTS",
    "DESCRIBE",
    "END",
    "FREE",
    "GROW",
    "HIGHEST",
    "HISTORY",
    "INPUT",
    "IN_ORDER",
    "KEY",
    "LAYOUT",
    "LEAST",
    "LOWEST",
    "MOST",
    "MOST_ACTIONS",
    "MOST_NUMBERS",
    "MOST_PLIES",
    "PLIES",
    "SEARCH",
    "SLOTS",
    "UNIT_SCORE",
    "WIDEN",
    "WORDS",
    "entry_words",
]

FREE = 8
"""Where the free memory begins."""
END = 9
"""Where it ends."""
KEY = 10
"""Where the key is that is being made."""
WIDEN = 11
"""The slot in which a number of a state did not fit."""
WORDS = 12
"""How many words a key has."""
LEAST, MOST = 13, 14
"""The lowest and the highest utility."""
LOWEST, HIGHEST = 15, 16
"""The lowest and the highest score of an unfinished state, in MAX's view."""
PLIES = 17
"""How many plies a search may look ahead."""
CHOICE = 19
"""The action, counted from 1, that was best at the root; 0 if none is known."""
IN_ORDER = 20
"""Whether to try actions in the game's own order; else those first that were good enough elsewhere."""
LAYOUT = 18
"""The number of the layout of keys."""

SLOTS = 64
"""Where the description of each number of a state begins; each takes four words."""
MOST_NUMBERS = 700
"""How many numbers a state may have."""
INPUT = SLOTS + 4 * MOST_NUMBERS
"""Where Python writes the numbers of a state."""
HISTORY = INPUT + MOST_NUMBERS
"""Where the counters of actions begin."""
CODES = 4096
"""How many counters there are."""
CONSTANTS = HISTORY + CODES
"""Where the constants of the game begin."""

MOST_PLIES = 1000
"""The longest game that is searched; each ply takes some of a thread's stack."""
UNIT_SCORE = MOST_PLIES + 1
"""The score of a win by 1 at once: the scale is that of a game of at most MOST_PLIES plies."""

MOST_ACTIONS = (1 << 16) - 2

SEARCH, DESCRIBE, GROW = 0, 1, 2
"""What Python may ask for: a search, what the functions say of a state, or a copy of the table into a larger one."""


def entry_words(words: int) -> int:
    """Return the size of an entry of the table."""
    return words + 3
