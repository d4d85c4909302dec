"""Weaker players: perfect players that make mistakes on purpose, at a stated rate."""

from random import Random
from typing import TYPE_CHECKING, Generic

from noughts.engine import Engine
from noughts.game import Action, Game, State
from noughts.players.base import even
from noughts.players.perfect import Perfect
from noughts.players.rule_of_thumb import MOVE_LIMITS
from noughts.search.limits import Limits

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = ["ERROR_RATES", "Level"]

ERROR_RATES = {"easy": 0.6, "medium": 0.3, "hard": 0.1}
"""How often each level makes a mistake where one is possible."""


class Level(Generic[State, Action]):
    """Makes a mistake with probability `error_rate` where one is possible; else takes a best action.

    A mistake turns a win into a draw or a loss, or a draw into a loss, so that the opponent can take advantage of it.
    """

    def __init__(
        self,
        game: Game[State, Action] | Engine[State, Action],
        error_rate: float,
        seed: int | None = None,
        limits: Limits = MOVE_LIMITS,
    ) -> None:
        self._perfect = Perfect(game, limits=limits)
        self._random = Random(seed)
        self.error_rate = error_rate
        self.description = f"errs in {error_rate:.0%} of the moves where it can"
        self.caveat = ""

    def candidates(self, state: State) -> tuple[Action, ...]:
        """Return the best actions and the mistakes."""
        judgement = self._perfect.judge(state)
        return judgement.choice + judgement.mistakes

    def chances(self, state: State) -> "dict[Action, Fraction]":
        """Return the best actions and the mistakes, each kind equally likely."""
        from fractions import Fraction

        judgement = self._perfect.judge(state)
        self.caveat = judgement.doubt
        rate = Fraction(str(self.error_rate)) if judgement.mistakes else Fraction(0)
        found = {action: (1 - rate) * share for action, share in even(judgement.choice).items()}
        return found | ({action: rate * share for action, share in even(judgement.mistakes).items()} if rate else {})

    def choose(self, state: State) -> Action:
        """Return a mistake at the error rate, if one is possible, else a best action."""
        judgement = self._perfect.judge(state)
        self.caveat = judgement.doubt
        erring = bool(judgement.mistakes) and self._random.random() < self.error_rate
        return self._random.choice(judgement.mistakes if erring else judgement.choice)
