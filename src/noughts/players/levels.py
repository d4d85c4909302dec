"""Weaker players: perfect players that make mistakes on purpose, at a stated rate."""

from random import Random
from typing import Generic

from noughts.engine import Engine
from noughts.game import Action, Game, State
from noughts.players.rule_of_thumb import MOVE_LIMITS
from noughts.players.textbook import Textbook
from noughts.search.limits import Limits

__all__ = ["ERROR_RATES", "Level"]

ERROR_RATES = {number: (10 - number) / 10 + 0.05 for number in range(1, 11)}
"""How often each level makes a mistake where one is possible."""


class Level(Generic[State, Action]):
    """Makes a mistake at the rate of its level where one is possible; else takes a best action.

    A mistake turns a win into a draw or a loss, or a draw into a loss, so that the opponent can take advantage of it.
    """

    def __init__(
        self,
        game: Game[State, Action] | Engine[State, Action],
        number: int,
        seed: int | None = None,
        limits: Limits = MOVE_LIMITS,
    ) -> None:
        self._perfect = Textbook(game, limits=limits)
        self._random = Random(seed)
        self.error_rate = ERROR_RATES[number]
        self.description = f"level {number} of {len(ERROR_RATES)}"
        self.caveat = ""

    def candidates(self, state: State) -> tuple[Action, ...]:
        """Return the best actions and the mistakes."""
        judgement = self._perfect.judge(state)
        return judgement.choice + judgement.mistakes

    def choose(self, state: State) -> Action:
        """Return a mistake at the error rate, if one is possible, else a best action."""
        judgement = self._perfect.judge(state)
        self.caveat = judgement.doubt
        erring = bool(judgement.mistakes) and self._random.random() < self.error_rate
        return self._random.choice(judgement.mistakes if erring else judgement.choice)
