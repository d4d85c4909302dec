"""In which order to ask whether a score is at least this high, until it is exact."""

from collections.abc import Callable
from typing import Protocol

from noughts.score import Scale

__all__ = ["Narrowed", "narrow"]

CHEAP = 4
"""Steps get longer as long as a step takes no more than so many times the nodes of the one before."""


class Narrowed(Protocol):
    """A score between proven bounds, for the player to move."""

    @property
    def low(self) -> int:
        """The proven lower bound."""

    @property
    def high(self) -> int:
        """The proven upper bound."""

    @property
    def nodes(self) -> int:
        """How many nodes the searches took so far."""

    def ask(self, score: int) -> None:
        """Find out whether the score is at least this: one of the bounds becomes tighter."""


def narrow(bounds: Narrowed, scale: Scale, *, margins: bool, same_length: bool, report: Callable[[int], None]) -> None:
    """Ask until the score is exact: about wins and losses in few plies first, since a search for these is short.

    Where margins count, the margin comes first. Where all games have the same length, who wins comes first. `report` is
    called after each step, with the number of plies that it looked ahead.
    """
    unit = scale.longest + 1

    def ask(score: int) -> None:
        if bounds.low < score <= bounds.high:
            bounds.ask(score)

    # 1. By how much?
    while margins and scale.utility(bounds.low) < scale.utility(bounds.high):
        utility = (scale.utility(bounds.low) + scale.utility(bounds.high) + 1) // 2
        ask((utility - 1) * unit + 1 if utility > 0 else utility * unit)
        report(0)
    # 2. Who wins? First by looking a few plies ahead, and then more.
    plies = scale.longest if same_length else 1
    step, before, spent = 2, bounds.nodes, 0
    while bounds.low < bounds.high and bounds.low <= 0 <= bounds.high:
        ask(unit - plies)  # a win in so many plies
        ask(plies + 2 - unit if plies < scale.longest else 0)  # no loss in one ply more
        report(plies)
        if bounds.nodes > before:  # not where it was known from an earlier question
            last, spent, before = spent, bounds.nodes - before, bounds.nodes
            step = 2 if spent > CHEAP * last else 2 * step
        plies = min(plies + step, scale.longest)
    # 3. How soon?
    while bounds.low < bounds.high:
        ask(bounds.low + 1 if bounds.low > 0 else bounds.high)
        report(0)
