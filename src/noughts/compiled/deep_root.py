"""The root of a deep search: iterative deepening over its children for a guess, and null windows for a proof."""

from collections.abc import Callable
from typing import NamedTuple

from noughts.compiled.deep_layout import FULL, HIGH, LOW, UNIT
from noughts.compiled.deep_solver import Run
from noughts.compiled.rules import Position
from noughts.score import one_ply_later
from noughts.search.alphabeta import Wanted
from noughts.search.limits import OutOfBudget

__all__ = ["Child", "RootSearch"]

ASPIRATION = 120
"""How far a guess may be from that of the last depth before its window must be widened."""

NEAR_END = 12
"""When the depth comes this close to the number of plies that are left, it is worth trying to search to the end."""

TO_SOLVE = 3
"""A search to the end may take this many times the nodes of all deepening before it; then deepening goes on."""


class Child(NamedTuple):
    """A child of the root, and the bounds of its score that the rules know, in the view of the player to move there."""

    position: Position | None
    """None if the game is over."""
    same_player: bool
    """Whether the player of the root moves again."""
    low: int
    high: int

    @property
    def bounds(self) -> tuple[int, int]:
        """The bounds of the score of moving there, for the player of the root."""
        low, high = (self.low, self.high) if self.same_player else (-self.high, -self.low)
        return one_ply_later(low), one_ply_later(high)


class RootSearch:
    """Values the children of a position, for its mover: proven bounds of each, and which one looks best.

    `low` and `high` are proven at any time, also after a stop; scores count plies from the root.
    """

    def __init__(self, run: Run, children: list[Child], most: int, plies_left: int) -> None:
        self._run = run
        self._children = children
        self._most = most
        self._plies_left = plies_left
        self.low = [child.bounds[0] for child in children]
        self.high = [child.bounds[1] for child in children]
        self._values = [low * UNIT if low == high else 0 for low, high in zip(self.low, self.high, strict=True)]
        """The latest value of each child, which says in what order to search them."""
        self._order = list(range(len(children)))
        self.best = max(self._order, key=self._values.__getitem__)
        """The child that looks best."""
        self.depth = 0
        """How many plies ahead every line was searched."""
        self._deepening_nodes = 0

    @property
    def least(self) -> int:
        """The proven lower bound of the root's score."""
        return max(self.low)

    @property
    def highest(self) -> int:
        """The proven upper bound of the root's score."""
        return max(self.high)

    def is_settled(self, wanted: Wanted) -> bool:
        """Return whether everything that is wanted is proven."""
        if wanted == "all":
            return self.low == self.high
        if self.least < self.highest:
            return False
        return wanted == "one" or all(
            low == high or high < self.least for low, high in zip(self.low, self.high, strict=True)
        )

    def search(self, wanted: Wanted, report: Callable[[], None], deepest: int, *, unlimited: bool) -> None:
        """Deepen and prove until everything that is wanted is proven; raise OutOfBudget if a limit comes first.

        `report` is called after each depth. Where no limit will stop it, the proof may take as long as it needs.
        """
        for depth in range(1, deepest + 1):
            if self.is_settled("one"):
                break
            before = self._run.nodes
            self._deepen(depth)
            self._deepening_nodes += self._run.nodes - before
            self.depth = depth
            report()
            if self._plies_left - depth <= NEAR_END and self._has_proven(wanted, unlimited):
                break
        self._prove(wanted)

    def _has_proven(self, wanted: Wanted, unlimited: bool) -> bool:
        """Try to prove what is wanted with a share of the nodes; return whether that is done."""
        run = self._run
        run.most_nodes = None if unlimited else run.nodes + TO_SOLVE * self._deepening_nodes
        try:
            self._prove(wanted)
        except OutOfBudget:
            run.most_nodes = None
            run.check()  # if it was a limit of the question, it ends here
            return False
        finally:
            run.most_nodes = None
        return True

    def _deepen(self, depth: int) -> None:
        """Search all children to a depth: the one that looked best first, the others with null windows."""
        infinite = (self._most + 1) * UNIT
        best = -infinite
        self._order.sort(key=lambda number: -self._values[number])  # a stable sort
        for number in self._order:
            if self.high[number] < self.least:
                continue
            if self.low[number] == self.high[number]:
                value = self.low[number] * UNIT
            elif best == -infinite:
                value = self._aspire(number, depth)
            else:
                value = self._value(number, best, best + 1, depth)
                if value > best:
                    value = self._value(number, best, infinite, depth)
            self._values[number] = value
            if value > best:
                best = value
                self.best = number
            else:  # only an upper bound: it must not look as good as the best
                self._values[number] = min(value, best - 1)

    def _aspire(self, number: int, depth: int) -> int:
        """Value a child with a window around its last value, and wider where that was too narrow."""
        infinite, before = (self._most + 1) * UNIT, self._values[number]
        alpha, beta = (before - ASPIRATION, before + ASPIRATION) if depth > 1 else (-infinite, infinite)
        while True:
            value = self._value(number, alpha, beta, depth)
            if alpha < value < beta:
                return value
            if value <= alpha:
                if alpha == -infinite:
                    return value
                alpha = -infinite
            else:
                if beta == infinite:
                    return value
                beta = infinite

    def _value(self, number: int, alpha: int, beta: int, depth: int) -> int:
        """Search a child, `depth` plies from the root, and note what is proven; all values in the root's view."""
        child = self._children[number]
        assert child.position is not None
        window = (_later(alpha), _later(beta)) if child.same_player else (-_later(beta), -_later(alpha))
        value, sure = self._run.value(child.position, *window, depth - 1)
        if not child.same_player:
            value, sure = -value, sure >> 1 | (sure & 1) << 1
        value = _earlier(value)
        if sure & LOW:
            self.low[number] = max(self.low[number], value // UNIT)
        if sure & HIGH:
            self.high[number] = min(self.high[number], value // UNIT)
        return value

    def _reaches(self, number: int, score: int) -> bool:
        """Search to the end whether a child scores at least `score`."""
        if self.low[number] < score <= self.high[number]:
            self._values[number] = self._value(number, score * UNIT - 1, score * UNIT, FULL + 1)
        return self.low[number] >= score

    def _prove(self, wanted: Wanted) -> None:
        """Search to the end until everything that is wanted is proven; raise OutOfBudget if a limit comes first."""
        self._order.sort(key=lambda number: (number != self.best, -self._values[number]))
        # 1. Who wins?
        for score in (1, 0):
            if self.least < score <= self.highest:
                any(self._reaches(number, score) for number in self._order)
        # 2. What is the score?
        first = True
        for number in self._order:
            if self.high[number] > self.least:
                if first or self._reaches(number, self.least + 1):
                    self._exactly(number, self.least)
                first = False
        # 3. Which other actions have the same score, and which scores have the rest?
        if wanted != "one":
            for number in self._order:
                self._reaches(number, self.least)
        if wanted == "all":
            for number in self._order:
                self._exactly(number, -self._most)
        self.best = max(self._order, key=self.low.__getitem__)

    def _exactly(self, number: int, above: int) -> None:
        """Find the exact score of a child, or that it is at most `above`."""
        low, high = max(above, self.low[number]), self.high[number]
        if low < high:
            self._value(number, low * UNIT, high * UNIT, FULL + 1)


def _earlier(value: int) -> int:
    """Return a value as it is seen one ply earlier: a guess does not change."""
    return one_ply_later(value // UNIT) * UNIT if abs(value) >= UNIT else value


def _later(value: int) -> int:
    """Return the end of a window as it is seen one ply later."""
    return value + UNIT if value >= UNIT else value - UNIT if value <= -UNIT else value
