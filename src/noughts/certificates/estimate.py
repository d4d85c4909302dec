"""Estimates how large a strategy is before it is built, from samples of the positions at each ply.

The positions after each ply are followed all, as long as they are few; then a random sample of them is, and the number
of positions one ply later is estimated from what the sample leads to. Positions that several sampled ones lead to tell
how many are shared: the estimate is that of Chao and Lin for samples without replacement. Where a sample is too small
for any to be shared, it counts each line of play apart, and so too much.
"""

from collections import Counter
from collections.abc import Callable, Hashable
from random import Random
from typing import NamedTuple

from noughts.certificates.strategy import proven_answer
from noughts.engine import Engine
from noughts.errors import NoughtsError
from noughts.game import Action, State
from noughts.search.limits import Budget, Limits

__all__ = ["SAMPLE", "Estimate", "Layer", "estimate"]

SAMPLE = 200
"""How many positions of each ply are followed by default."""

SAMPLES = 4
"""How many samples are taken, to see how much they differ."""

MOST_PLIES = 1_000
"""Play that is longer than this goes round, and its positions cannot be counted ply by ply."""


class Layer(NamedTuple):
    """How many positions the strategy has after some plies."""

    plies: int
    positions: float
    """Estimated, or the exact number."""
    own: float
    """Those of them in which the player is to move: the entries of the certificate."""
    followed: int
    """How many of them were looked at; all of them if the number is exact."""


class Estimate(NamedTuple):
    """How large a certificate would be, by several samples that do not depend on each other."""

    samples: tuple[tuple[Layer, ...], ...]
    """What each sample found, ply by ply; only one if it is exact."""
    asked: int
    """How often the engine was asked."""
    seconds: float

    @property
    def sizes(self) -> list[float]:
        """For how many positions a certificate would have a move, by each sample, in order of size."""
        return sorted(sum(layer.own for layer in layers) for layers in self.samples)

    @property
    def positions(self) -> int:
        """For how many positions a certificate would have a move: the mean of the samples."""
        return round(sum(self.sizes) / len(self.sizes))

    @property
    def exact(self) -> bool:
        """Whether every position was looked at, so that nothing is estimated."""
        return all(layer.followed >= layer.positions for layer in self.samples[0])


def estimate(
    engine: Engine[State, Action],
    start: State,
    player: int,
    *,
    sample: int = SAMPLE,
    seed: int | None = None,
    limits: Limits = Limits(),  # noqa: B008 - immutable
    progress: Callable[[Layer], None] | None = None,
) -> Estimate:
    """Estimate for how many positions a strategy of `player` needs a move, by following `sample` positions a ply."""
    budget, random = Budget(limits), Random(seed)
    found = Estimate((), 0, 0.0)
    while len(found.samples) < SAMPLES and not (found.samples and found.exact):
        layers, asked = _sample(engine, start, player, sample, random, budget, progress)
        found = Estimate((*found.samples, layers), found.asked + asked, budget.seconds)
    return found


def _sample(
    engine: Engine[State, Action],
    start: State,
    player: int,
    sample: int,
    random: Random,
    budget: Budget,
    progress: Callable[[Layer], None] | None,
) -> tuple[tuple[Layer, ...], int]:
    """Return an estimate for each ply, and how often the engine was asked."""
    game = engine.game
    layers: list[Layer] = []
    states: list[State] = [start]
    positions, asked = 1.0, 0
    while states:
        if len(layers) == MOST_PLIES:
            raise NoughtsError("play goes round, so the size cannot be estimated ply by ply; build the certificate")
        followed = states if len(states) <= sample else random.sample(states, sample)
        own = [state for state in followed if not game.terminal(state) and game.to_move(state) == player]
        layers.append(Layer(len(layers), positions, positions * len(own) / len(followed), len(followed)))
        if progress is not None:
            progress(layers[-1])
        asked += len(own)
        found: dict[Hashable, State] = {}
        times: Counter[Hashable] = Counter()
        for state in followed:
            for child in _following(engine, state, player, budget):
                found[game.key(child)] = child
                times[game.key(child)] += 1
        positions = _in_all(times, len(followed), positions)
        states = list(found.values())
    return tuple(layers), asked


def _following(engine: Engine[State, Action], state: State, player: int, budget: Budget) -> list[State]:
    """Return the different states that follow a state when the engine plays for `player`."""
    game = engine.game
    if game.terminal(state):
        return []
    own = game.to_move(state) == player
    actions = [proven_answer(engine, state, budget).best[0]] if own else game.legal_actions(state)
    return list({game.key(child): child for child in (game.result(state, each) for each in actions)}.values())


def _in_all(times: Counter[Hashable], followed: int, positions: float) -> float:
    """Estimate how many different positions follow `positions`, from how often each follows those that were looked at.

    >>> _in_all(Counter("abc"), 5, 5.0), round(_in_all(Counter("abc"), 5, 50.0), 6)
    (3.0, 30.0)
    """
    share = followed / positions
    if share >= 1:
        return float(len(times))
    often = Counter(times.values())
    once, twice = often[1], often[2]
    unseen = once**2 / (2 * twice * followed / max(followed - 1, 1) + once * share / (1 - share)) if once else 0.0
    return len(times) + unseen
