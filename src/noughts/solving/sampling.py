"""Estimates how many positions the later tiers of a game have, from a sample of them.

A population of positions goes up tier by tier from the last tier that is known completely. Each of them stands for a
number of positions, its weight. It moves to one of its children, chosen at random; there its weight is multiplied by
the number of children, and divided by the number of the child's parents. So whatever parents lead to a position, they
share in it, and together it counts once: on average the weights in a tier add up to the number of its positions,
however often they are met. Before the next step the population is drawn anew by weight, which keeps weights equal.
"""

from collections.abc import Callable, Hashable
from math import inf
from random import Random
from typing import Any, NamedTuple

from noughts.capabilities import ResolvedGame
from noughts.solving.first_tiers import FirstTiers, TierSize, identity_of, images_of
from noughts.solving.take_back import TakeBack

__all__ = ["Climb", "Climber"]


class Climb(NamedTuple):
    """What one population found."""

    tiers: tuple[TierSize, ...]
    missed: float
    """Which share of parents were not found where they are known to be, added up over the tiers."""


class Climber:
    """Sends populations up the tiers of a game."""

    def __init__(self, game: ResolvedGame[Any, Any], first: FirstTiers, back: TakeBack) -> None:
        self._game, self._first, self._back = game, first, back
        self._identity = identity_of(game)
        self._tier_of = game.tier or game.plies
        self._last = first.tiers[-1].tier

    def climb(self, size: int, random: Random, check: Callable[[], None] = lambda: None, most: float = inf) -> Climb:
        """Return the sizes of the tiers above the known ones, as one population of this size finds them.

        It goes no further once there are more than `most`.
        """
        frontier = self._first.frontier
        states = random.sample(frontier, size) if len(frontier) > size else list(frontier)
        waiting: dict[int, list[tuple[Any, float]]] = {}
        missed = self._step(states, len(frontier) / len(states), self._last, waiting, random)
        found: list[TierSize] = []
        while waiting and sum(each.stored for each in found) <= most:
            check()
            tier = min(waiting)
            weighted = waiting.pop(tier)
            total = sum(weight for _, weight in weighted)
            states = _drawn(weighted, total, size, random)
            found.append(self._size(tier, total, states))
            missed += self._step(states, total / len(states), tier, waiting, random)
        return Climb(tuple(found), missed)

    def _size(self, tier: int, total: float, states: list[Any]) -> TierSize:
        """Return the size of a tier, of whose positions some states are a sample."""
        share = sum(1 / images_of(self._game, state) for state in states) / len(states)
        return TierSize(tier, None if self._game.canonical else total, total * share)

    def _step(
        self, states: list[Any], weight: float, tier: int, waiting: dict[int, list[tuple[Any, float]]], random: Random
    ) -> float:
        """Move each state to a child; return which share of them was not found among the child's parents."""
        missed = moved = 0
        for state in states:
            children = self._children(state, tier)
            if not children:
                continue
            to, action, child = random.choice(children)
            mine, parents = self._identity(state), self._back.parents(child, to)
            moved += 1
            if mine not in parents:
                missed += 1
                parents.add(mine)
                self._back.learn(state, action, child)
            waiting.setdefault(to, []).append((child, weight * len(children) / len(parents)))
        return missed / max(1, moved)

    def _children(self, state: Any, tier: int) -> list[tuple[int, Any, Any]]:
        """Return the children of a state that are in no known tier, each once, with their tiers and actions."""
        game, found = self._game, dict[Hashable, tuple[int, Any, Any]]()
        for action in () if game.terminal(state) else game.legal_actions(state):
            child = game.result(state, action)
            to = self._tier(child, tier + 1)
            if to > self._last:
                found.setdefault(self._identity(child), (to, action, child))
        return list(found.values())

    def _tier(self, state: Any, otherwise: int) -> int:
        return self._tier_of(state) if self._tier_of else otherwise


def _drawn(weighted: list[tuple[Any, float]], total: float, size: int, random: Random) -> list[Any]:
    """Return so many of some states, each about as often as its weight says."""
    step = total / size
    mark, held = random.random() * step, 0.0
    states: list[Any] = []
    for state, weight in weighted:
        held += weight
        while held > mark and len(states) < size:
            states.append(state)
            mark += step
    return states or [weighted[-1][0]]
