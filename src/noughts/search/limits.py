"""Limits of a search, and the budget that counts nodes and time against them."""

import sys
from collections.abc import Callable
from time import perf_counter
from typing import NamedTuple

from noughts.search.answer import Stopped

__all__ = ["Budget", "Limits", "OutOfBudget"]


class Limits(NamedTuple):
    """Limits of a search; None is no limit. `cancel` is called now and then, and stops the search by returning True."""

    nodes: int | None = None
    seconds: float | None = None
    cancel: Callable[[], bool] | None = None
    depth: int | None = None
    """How many plies ahead to look."""


class OutOfBudget(Exception):
    """Raised inside a search to end it; callers of a search never see it."""

    def __init__(self, stopped: Stopped) -> None:
        super().__init__(stopped)
        self.stopped = stopped


class Budget:
    """Counts the nodes and the time of one search against its limits."""

    def __init__(self, limits: Limits = Limits()) -> None:  # noqa: B008 - immutable
        self.limits = limits
        if limits.depth is not None and limits.depth < 1:
            raise ValueError("a search looks at least 1 ply ahead")
        self._started = perf_counter()
        self._spent: Stopped | None = None
        self._every_node = limits.seconds is not None or limits.cancel is not None
        """Whether there is more to check at a node than the number of nodes."""
        self._most = sys.maxsize if limits.nodes is None else limits.nodes
        self.nodes = 0

    @property
    def seconds(self) -> float:
        """The seconds since the search began."""
        return perf_counter() - self._started

    @property
    def left(self) -> Limits:
        """The limits that are left."""
        return self.part()

    def part(self, share: float = 1.0, *, most_nodes: int | None = None) -> Limits:
        """Return a share of what is left of nodes and time, and no more than `most_nodes` nodes."""
        nodes, seconds, cancel, depth = self.limits
        if nodes is None and seconds is None and most_nodes is None:
            return self.limits
        nodes_left = None if nodes is None else max(0, int((nodes - self.nodes) * share))
        if most_nodes is not None:
            nodes_left = most_nodes if nodes_left is None else min(most_nodes, nodes_left)
        seconds_left = None if seconds is None else max(0.0, (seconds - self.seconds) * share)
        return Limits(nodes_left, seconds_left, cancel, depth)

    @property
    def stopped(self) -> Stopped | None:
        """Which limit has been reached; None if none has."""
        self._spent = self._spent or self._exhausted()
        return self._spent

    def add(self, nodes: int) -> None:
        """Add the nodes of a search that had its own budget."""
        self.nodes += nodes

    def visit(self) -> None:
        """Count a node, or raise OutOfBudget if a limit has been reached; once raised, always raised."""
        if self._every_node or self.nodes >= self._most or self._spent is not None:
            self._spent = self._spent or self._exhausted()
            if self._spent is not None:
                raise OutOfBudget(self._spent)
        self.nodes += 1

    def check(self) -> None:
        """Raise OutOfBudget if the time is up or the search is cancelled; for long work on a single node."""
        self._spent = self._spent or self._too_late()
        if self._spent is not None:
            raise OutOfBudget(self._spent)

    def _exhausted(self) -> Stopped | None:
        # Checked at every node, since a game's functions may be slow; the check costs next to nothing.
        return "node limit" if self.nodes >= self._most else self._too_late()

    def _too_late(self) -> Stopped | None:
        _, seconds, cancel, _ = self.limits
        if seconds is not None and perf_counter() - self._started >= seconds:
            return "deadline"
        if cancel is not None and cancel():
            return "cancelled"
        return None
