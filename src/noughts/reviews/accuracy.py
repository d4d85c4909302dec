"""Accuracy: how many of a player's decisions were right."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from noughts.reviews.marks import Mark

__all__ = ["Accuracy", "accuracy_of"]

POINTS: dict[Mark, float] = {"good": 1.0, "inaccuracy": 0.5, "mistake": 0.0}
"""What a decision scores; moves with other marks are not counted."""


class Accuracy(NamedTuple):
    """How well a player decided, where a worse move was possible."""

    decisions: int
    """The moves that count: those with a proven mark, in positions where some move is worse than the best."""
    points: float
    """A good move scores 1, an inaccuracy a half, a mistake nothing."""
    inaccuracies: int
    mistakes: int
    doubtful: int
    unknown: int

    @property
    def percent(self) -> int | None:
        """The points of all that were possible, in per cent, rounded down; None if there was nothing to decide."""
        return int(100 * self.points / self.decisions) if self.decisions else None


def accuracy_of(moves: Iterable[tuple[Mark, bool]]) -> Accuracy:
    """Return the accuracy of moves, each given by its mark and whether it was a decision.

    >>> accuracy_of([("good", True), ("good", False), ("inaccuracy", True), ("mistake", True)]).percent
    50
    """
    moves = list(moves)
    marks = Counter(mark for mark, _ in moves)
    counted = [POINTS[mark] for mark, decision in moves if decision and mark in POINTS]
    return Accuracy(
        len(counted), sum(counted), marks["inaccuracy"], marks["mistake"], marks["doubtful"], marks["unknown"]
    )
