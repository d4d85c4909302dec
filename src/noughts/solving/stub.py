"""The rules of a tiny game, which stand in for real ones in the source of the sweep.

Players take one or two matches from a heap of five in turn; whoever takes the last one wins. A position is the number
of matches left.
"""

__all__ = ["code", "images", "initial", "moves", "play", "position", "result", "tier"]

Position = tuple[int]

choices = 2


def initial() -> Position:
    """Return the heap of five."""
    return (5,)


def position(code: int) -> Position:
    """Return the position of a code."""
    return (code,)


def moves(position: Position) -> int:
    """Return how many matches can be taken, a bit each."""
    return 3 if position[0] >= 2 else position[0]


def play(position: Position, move: int) -> Position:
    """Return the position after some matches are taken."""
    return (position[0] - move,)


def result(position: Position) -> int:  # noqa: ARG001 - the signature of rules
    """Return what an empty heap is worth to the player to move."""
    return -1


def code(position: Position) -> int:
    """Return the number of matches."""
    return position[0]


def images(position: Position) -> int:  # noqa: ARG001
    """Return 1: there is no symmetry."""
    return 1


def tier(position: Position) -> int:
    """Return how many matches are gone."""
    return 5 - position[0]
