"""Functions that a translated game has besides those of `noughts.plain.stub`, which stand in for real ones."""

from noughts.bits import Memory
from noughts.plain.memory import append, new

__all__ = ["game_images", "game_tier"]


def game_images(m: Memory, state: int) -> int:
    """Return where the list of symmetric images is."""
    found = new(m, 1)
    append(m, found, state)
    return found


def game_tier(m: Memory, state: int) -> int:  # noqa: ARG001 - the signature of translated functions
    """Return the tier of a state."""
    return 5 - abs(state)
