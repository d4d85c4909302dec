"""The translated functions of a tiny game, which stand in for real ones in the source of the search.

Players take one or two matches from a heap of five in turn; whoever takes the last one wins. A state is the number of
matches left, times the player to move.
"""

from noughts.bits import Memory, read, write
from noughts.plain.layout import KEY, SLOTS
from noughts.plain.memory import append, new, put

__all__ = [
    "code_of",
    "flatten",
    "game_actions",
    "game_choices",
    "game_player",
    "game_result",
    "game_terminal",
    "game_utility",
    "new",
    "pack",
    "unpack",
]


def game_player(m: Memory, state: int) -> int:  # noqa: ARG001 - the signature of translated functions
    """Return who is to move."""
    return 1 if state > 0 else -1


def game_terminal(m: Memory, state: int) -> int:  # noqa: ARG001
    """Return whether the heap is empty: 100 or -100 then stands for it."""
    return 1 if abs(state) == 100 else 0


def game_utility(m: Memory, state: int) -> int:  # noqa: ARG001
    """Return who has won: the player who is not to move."""
    return -1 if state > 0 else 1


def game_actions(m: Memory, state: int) -> int:
    """Return where the list of actions is."""
    found = new(m, 2)
    for take in range(1, min(2, abs(state)) + 1):
        append(m, found, take)
    return found


def game_choices(m: Memory, state: int) -> int:
    """Return 0 for a finished state, else where its actions are, or -1 if they are yet to be found."""
    return 0 if game_terminal(m, state) else -1


def game_result(m: Memory, state: int, move: int) -> int:  # noqa: ARG001
    """Return the state after an action."""
    left = abs(state) - move
    return (-1 if state > 0 else 1) * (left or 100)


def code_of(m: Memory, move: int) -> int:  # noqa: ARG001
    """Return a number for an action."""
    return move


def pack(m: Memory, state: int) -> int:
    """Add a state to the key that is being made."""
    write(m, read(m, KEY), put(m, SLOTS, state, 0))
    return 0


def flatten(m: Memory, state: int, at: int) -> int:
    """Write the numbers of a state; return how many there are."""
    write(m, at, state)
    return 1


def unpack(m: Memory, at: int) -> int:
    """Return a state from its numbers."""
    state: int = read(m, at)
    return state
