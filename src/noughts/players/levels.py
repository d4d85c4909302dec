"""Levels 1 to 10: players who make mistakes, by one model that docs/players.md explains.

A player looks some plies ahead, and takes an action with a probability that falls with what it loses, as far as the
player sees. So weak players miss long lines before short ones, and take bad moves more often than strong ones.
"""

import math
from collections.abc import Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING, Generic, NamedTuple

from noughts.engine import Engine, game_of
from noughts.game import Action, Game, State
from noughts.players.base import rounded
from noughts.players.rule_of_thumb import MOVE_LIMITS
from noughts.players.sight import Seen, sight_of
from noughts.search.limits import Budget, Limits, OutOfBudget

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = ["STRENGTHS", "Level", "Strength", "looks", "weights"]


class Strength(NamedTuple):
    """How a player of one level looks: how far, how often, and how much it prefers what looks better."""

    far: int
    """How many plies ahead it looks if it pays attention."""
    attention: float
    """How often it pays attention."""
    alertness: float
    """How often it looks at the opponent's next move, if it pays no attention; else it looks at its own move only."""
    care: float
    """How much it prefers what looks better without attention: an action is `exp(care * worth)` times as likely as one
    that is worth 0."""


STRENGTHS = {
    1: Strength(far=2, attention=0.0, alertness=0.0, care=0.5),
    2: Strength(far=2, attention=0.0, alertness=0.0, care=5.0),
    3: Strength(far=3, attention=0.02, alertness=0.3, care=9.0),
    4: Strength(far=4, attention=0.23, alertness=0.3, care=13.0),
    5: Strength(far=5, attention=0.41, alertness=0.3, care=16.0),
    6: Strength(far=6, attention=0.525, alertness=0.3, care=19.0),
    7: Strength(far=7, attention=0.668, alertness=0.3, care=22.0),
    8: Strength(far=8, attention=0.788, alertness=0.3, care=25.0),
    9: Strength(far=9, attention=0.8945, alertness=0.3, care=28.0),
    10: Strength(far=10, attention=0.995, alertness=0.3, care=30.0),
}
"""The levels, the weakest first. benchmarks/levels.py measures them against each other."""

ATTENTIVE = 30.0
"""The care of every level that pays attention."""

ALERT = 5.0
"""The least care of a player who looks at the opponent's next move."""

TAKES_WINS = 2
"""The lowest level that never misses a win at once."""

SHARE = 0.75
"""The share of a move's time for looking as far as usual; the rest is for the own move alone, if that was too short."""

NO_TIME = "there was no time to look as far ahead as usual"


class Look(NamedTuple):
    """One of the ways in which a player looks at a position."""

    plies: int
    share: float
    """How often it looks so."""
    care: float


def looks(strength: Strength) -> tuple[Look, ...]:
    """Return the ways in which a player of some strength looks at a position; the shares add up to 1."""
    far, attention, alertness, care = strength
    rest = 1 - attention
    ways = (
        Look(1, rest * (1 - alertness), care),
        Look(2, rest * alertness, max(care, ALERT)),
        Look(far, attention, ATTENTIVE),
    )
    return tuple(way for way in ways if way.share)


def weights(seen: Sequence[Seen[Action]], care: float, *, takes_wins: bool) -> list[float]:
    """Return how likely each action is to be chosen, from what is seen of it; they add up to 1."""
    wins = [float(each.worth > 0 and each.plies == 1) for each in seen]
    if takes_wins and any(wins):
        found = wins
    else:
        best = max(each.worth for each in seen)
        found = [math.exp(care * (each.worth - best)) for each in seen]
    total = math.fsum(found)
    return [each / total for each in found]


class Level(Generic[State, Action]):
    """Plays at a level from 1, the weakest, to 10; with a seed, it makes the same choices each time."""

    def __init__(
        self,
        game: Game[State, Action] | Engine[State, Action],
        number: int,
        seed: int | None = None,
        limits: Limits = MOVE_LIMITS,
    ) -> None:
        self._game = game_of(game)
        self._sight = sight_of(self._game)
        self._limits = limits
        self._random = Random(seed)
        self.number = number
        self.description = f"level {number} of {len(STRENGTHS)}"
        self.caveat = ""

    def likely(self, state: State) -> list[tuple[Action, float]]:
        """Return the actions that the player may choose, and how likely each is."""
        chances: list[tuple[Action, float]] = []
        for way in looks(STRENGTHS[self.number]):
            for action, chance in self._as_seen(state, way):
                place = next((place for place, known in enumerate(chances) if known[0] == action), None)
                if place is None:
                    chances.append((action, way.share * chance))
                else:
                    chances[place] = action, chances[place][1] + way.share * chance
        return [each for each in chances if each[1]]

    def candidates(self, state: State) -> tuple[Action, ...]:
        """Return every action that the player may choose."""
        return tuple(action for action, _ in self.likely(state))

    def chances(self, state: State) -> "dict[Action, Fraction]":
        """Return the same, as fractions that add up to exactly 1."""
        return rounded(self.likely(state))

    def choose(self, state: State) -> Action:
        """Return an action by chance: first how it looks, and then, the better it looks, the likelier."""
        ways = looks(STRENGTHS[self.number])
        way = self._random.choices(ways, [way.share for way in ways])[0]
        actions, chances = zip(*self._as_seen(state, way), strict=True)
        chosen: Action = self._random.choices(actions, chances)[0]
        return chosen

    def _as_seen(self, state: State, way: Look) -> Iterator[tuple[Action, float]]:
        """Return the actions and how likely each is, if the player looks in one way, or less far if time is short."""
        self.caveat = ""
        budget = Budget(self._limits)
        try:
            seen = self._sight.look(state, way.plies, budget.part(SHARE))
        except OutOfBudget:
            self.caveat = NO_TIME
            try:
                seen = self._sight.look(state, 1, budget.part(1))
            except OutOfBudget:
                seen = self._sight.look(state, 0)
        shares = weights(seen, way.care, takes_wins=self.number >= TAKES_WINS)
        return zip((each.action for each in seen), shares, strict=True)
