"""What a kernel has proven about a position, and how far a search has got."""

from typing import NamedTuple

from noughts.search.answer import Stopped

__all__ = ["BROKEN_RULES", "Found", "Running"]

BROKEN_RULES = (
    "its kernel breaks a promise: it has no move in a game that is not over, more moves than `choices`, a key of more"
    " than `key_bits` bits, a score beyond `longest` + 1, or plays on for more than `longest` plies"
)


class Found(NamedTuple):
    """What a kernel has proven about a position's score, in the mover's view on the kernel's scale."""

    low: int
    high: int
    """Proven bounds: `low <= score <= high` is always true, also after a stop. They are equal if the score is exact."""
    move: int | None
    """A move, as a bit of the rules, that scores at least `low`; None if the search did not need one to prove `low`."""
    nodes: int
    stopped: Stopped
    """Why the search ended: "done" if the bounds leave nothing open in the window that was asked about."""


class Running(NamedTuple):
    """The progress of a search: what it has spent, the bounds proven by now, and the deepest ply it has looked at."""

    nodes: int
    seconds: float
    low: int
    high: int
    deepest: int
    place: int = 0
    """Which position it is about, if the search is for several."""
