"""How much a search may spend, and the one place that counts it."""

from collections.abc import Callable
from time import perf_counter
from typing import NamedTuple

from noughts.search.answer import Stopped

__all__ = ["Budget", "Limits", "OutOfBudget"]


class Limits(NamedTuple):
    """What a search may spend; None sets no limit. `cancel` is asked now and then, and stops it by True."""

    nodes: int | None = None
    seconds: float | None = None
    cancel: Callable[[], bool] | None = None
    depth: int | None = None
    """How many plies ahead to look."""


class OutOfBudget(Exception):
    """Raised inside a search to leave it; never seen outside."""

    def __init__(self, stopped: Stopped) -> None:
        super().__init__(stopped)
        self.stopped = stopped


class Budget:
    """Counts the nodes and the time of one search against its limits."""

    def __init__(self, limits: Limits = Limits()) -> None:  # noqa: B008 - immutable
        self._limits = limits
        if limits.depth is not None and limits.depth < 1:
            raise ValueError("a search looks at least 1 ply ahead")
        self._started = perf_counter()
        self._spent: Stopped | None = None
        self.nodes = 0

    @property
    def seconds(self) -> float:
        """Return the time since the search began."""
        return perf_counter() - self._started

    @property
    def left(self) -> Limits:
        """Return what is left of the limits."""
        return self.part()

    def part(self, share: float = 1.0, *, most_nodes: int | None = None) -> Limits:
        """Return a share of what is left of nodes and time, and no more than `most_nodes` nodes."""
        nodes, seconds, cancel, depth = self._limits
        if nodes is None and seconds is None and most_nodes is None:
            return self._limits
        nodes_left = None if nodes is None else max(0, int((nodes - self.nodes) * share))
        if most_nodes is not None:
            nodes_left = most_nodes if nodes_left is None else min(most_nodes, nodes_left)
        seconds_left = None if seconds is None else max(0.0, (seconds - self.seconds) * share)
        return Limits(nodes_left, seconds_left, cancel, depth)

    @property
    def stopped(self) -> Stopped | None:
        """Why nothing may be spent any more; None while something is left."""
        self._spent = self._spent or self._exhausted()
        return self._spent

    def add(self, nodes: int) -> None:
        """Count nodes that a search with its own budget has visited."""
        self.nodes += nodes

    def visit(self) -> None:
        """Count a node, or raise OutOfBudget if there is nothing left to spend on it; from then on always."""
        self._spent = self._spent or self._exhausted()
        if self._spent is not None:
            raise OutOfBudget(self._spent)
        self.nodes += 1

    def check(self) -> None:
        """Raise OutOfBudget if the time is up or somebody cancelled: for long work on one node, which counts none."""
        self._spent = self._spent or self._too_late()
        if self._spent is not None:
            raise OutOfBudget(self._spent)

    def _exhausted(self) -> Stopped | None:
        # Asked at every node, since a game's own functions may be slow; looking costs next to nothing.
        nodes = self._limits.nodes
        return "node limit" if nodes is not None and self.nodes >= nodes else self._too_late()

    def _too_late(self) -> Stopped | None:
        _, seconds, cancel, _ = self._limits
        if seconds is not None and perf_counter() - self._started >= seconds:
            return "deadline"
        if cancel is not None and cancel():
            return "cancelled"
        return None
