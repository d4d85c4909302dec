"""What a solve found: positions, wins, draws and losses by tier, and the longest win."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from noughts.score import Value, value_of

__all__ = ["Solved", "Tally", "TierCount"]


class TierCount(NamedTuple):
    """The positions of one tier, for the player to move; counted without symmetry."""

    tier: int
    stored: int
    """Positions up to symmetry."""
    positions: int | None
    """None if the game does not say which states are symmetric, but only which key they share; so for the others."""
    wins: int | None
    draws: int | None
    losses: int | None
    ends: int | None
    """Positions in which the game is over."""
    longest: int | None
    """The longest win, in plies; None if there is no win."""

    def without_counts(self) -> "TierCount":
        """Return the same with only what is known up to symmetry."""
        return self._replace(positions=None, wins=None, draws=None, losses=None, ends=None)


class Solved(NamedTuple):
    """A game whose every position is solved and kept in a table."""

    directory: str
    game: str
    score: int
    """The utility of the initial position for the player to move."""
    distance: int | None
    """Plies to the end under best play; None for a draw."""
    tiers: tuple[TierCount, ...]
    bytes: int
    """The size of the table."""
    seconds: float
    """How long it took this time; less if a run that was interrupted had done a part."""

    @property
    def value(self) -> Value:
        """The value of the initial position, for the player to move."""
        return value_of(self.score)

    @property
    def stored(self) -> int:
        """Positions up to symmetry."""
        return sum(each.stored for each in self.tiers)

    @property
    def positions(self) -> int | None:
        """Positions without symmetry."""
        return _total(each.positions for each in self.tiers)

    @property
    def longest(self) -> int | None:
        """The longest win, in plies."""
        return max((each.longest for each in self.tiers if each.longest is not None), default=None)


class Tally:
    """Counts the positions of a part."""

    def __init__(self) -> None:
        self.stored = self.positions = self.wins = self.draws = self.losses = self.ends = 0
        self.longest = -1
        self.known = True
        """Whether it is known how many symmetric images there are of every position."""

    def add(self, utility: int, distance: int, images: int, is_end: bool) -> None:
        """Count a position, given for the player to move."""
        self.stored += 1
        self.known &= images > 0
        self.positions += images
        self.ends += images * is_end
        if utility > 0:
            self.wins += images
            self.longest = max(self.longest, distance)
        elif utility < 0:
            self.losses += images
        else:
            self.draws += images

    def facts(self) -> dict[str, int | None]:
        """Return the counts."""
        counted = {name: getattr(self, name) for name in ("positions", "wins", "draws", "losses", "ends")}
        if not self.known:
            counted = dict.fromkeys(counted)
        return {"stored": self.stored, **counted, "longest": None if self.longest < 0 else self.longest}


def tier_count(tier: int, parts: Iterable[dict[str, Any]]) -> TierCount:
    """Return the counts of a tier, from those of its parts."""
    tallies = list(parts)
    totals = {
        name: _total(each[name] for each in tallies)
        for name in ("stored", "positions", "wins", "draws", "losses", "ends")
    }
    longest = max((each["longest"] for each in tallies if each["longest"] is not None), default=None)
    return TierCount(tier, longest=longest, **totals)  # type: ignore[arg-type]


def _total(counts: Iterable[int | None]) -> int | None:
    """Return a sum; None if any number is not known."""
    total = 0
    for each in counts:
        if each is None:
            return None
        total += each
    return total
