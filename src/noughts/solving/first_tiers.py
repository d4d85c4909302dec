"""The first tiers of a game, every position of them: what an estimate starts from."""

from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

from noughts.capabilities import ResolvedGame
from noughts.errors import BrokenGame

__all__ = ["FirstTiers", "TierSize", "first_tiers", "identity_of", "images_of"]


class TierSize(NamedTuple):
    """How many positions a tier has, and up to symmetry."""

    tier: int
    positions: float | None
    """None if the game does not say which states are symmetric, but only which key they share."""
    stored: float


class FirstTiers(NamedTuple):
    """What was found from the start upwards."""

    tiers: tuple[TierSize, ...]
    """Those of which every position was found."""
    complete: bool
    """Whether these are all tiers there are."""
    ordered: bool
    """Whether every action raises the tier: else positions were met again, and tiers are plies from the start."""
    met: int
    """How many positions were found, those of tiers that are not complete included."""
    frontier: list[Any]
    """The states of complete tiers that have a child in none of them."""
    known: dict[Hashable, Any]
    """All positions of complete tiers: their identities, and a state of each."""
    edges: list[tuple[Any, Any, Any]]
    """Some states, each with an action and where it leads."""


FEW = 10_000
"""So many positions are found in any case: no clock decides whether a small game is counted."""

MOST_EDGES = 20_000
"""How many examples of what actions change are kept."""


def identity_of(game: ResolvedGame[Any, Any]) -> Callable[[Any], Hashable]:
    """Return what makes two states the same position: the key, or the one that symmetric states share."""
    return game.canonical or game.key


def images_of(game: ResolvedGame[Any, Any], state: Any) -> int:
    """Return how many different states are symmetric to a state, itself included."""
    if game.symmetries is None:
        return 1
    return len({game.key(image) for image in game.symmetries(state)})


def first_tiers(
    game: ResolvedGame[Any, Any], most: int, check: Callable[[], None] = lambda: None, enough: Callable[[], bool] = bool
) -> FirstTiers:
    """Find the positions of the first tiers, until there are more than `most`, or it is `enough` and no small game."""
    identity, tier_of, start = identity_of(game), game.tier or game.plies, game.initial()
    waiting: dict[int, dict[Hashable, Any]] = {tier_of(start) if tier_of else 0: {identity(start): start}}
    sizes: list[TierSize] = []
    known: dict[Hashable, Any] = {}
    edges: list[tuple[Any, Any, Any]] = []
    reaches: list[tuple[Any, int]] = []
    ordered = True
    met = 1
    while waiting and met <= most and (met <= FEW or not enough()):
        tier = min(waiting)
        states = waiting.pop(tier)
        known |= states
        stored = round(sum(1 / images_of(game, state) for state in states.values()))
        sizes.append(TierSize(tier, None if game.canonical else len(states), stored))
        for number, state in enumerate(states.values()):
            if number % 64 == 0:
                check()
            highest = tier
            for action in () if game.terminal(state) else game.legal_actions(state):
                child = game.result(state, action)
                if len(edges) < MOST_EDGES:
                    edges.append((state, action, child))
                key, to = identity(child), tier_of(child) if tier_of else tier + 1
                if to <= tier:
                    raise BrokenGame(f"an action leads from tier {tier} to tier {to}; every action must raise it")
                if tier_of is None and key in known:
                    ordered = False
                    continue
                highest = max(highest, to)
                there = waiting.setdefault(to, {})
                if key not in there:
                    there[key] = child
                    met += 1
            reaches.append((state, highest))
    last = sizes[-1].tier
    frontier = [state for state, highest in reaches if highest > last]
    return FirstTiers(tuple(sizes), not waiting, ordered, met, frontier, known, edges)
