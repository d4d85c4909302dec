"""The perfect player: the fastest win, else a draw, else the longest resistance."""

from random import Random
from typing import Generic, NamedTuple

from noughts.errors import EndlessGame
from noughts.game import Action, Game, State
from noughts.players.rules import Rules
from noughts.search.limits import Limits
from noughts.search.memo import Memo

__all__ = ["PATIENCE", "Judgement", "Perfect"]

PATIENCE = Limits(nodes=200_000, seconds=3.0)
"""What a player spends on one move before it admits that the game is too large to solve from here."""


class Judgement(NamedTuple, Generic[Action]):
    """The best actions, the actions that throw away value, and whether that was proven."""

    best: tuple[Action, ...]
    mistakes: tuple[Action, ...]
    proven: bool


class Perfect(Generic[State, Action]):
    """Takes the lowest of the best actions; with a seed, any of them by chance.

    Where the game is too large to solve within `limits`, or never ends, `Rules` decides and `proven`
    turns False: the player knows that it can then be beaten.
    """

    def __init__(self, game: Game[State, Action], seed: int | None = None, limits: Limits = PATIENCE) -> None:
        self._game = game
        self._memo = Memo(game)
        self._limits = limits
        self._rules = Rules(game)
        self._random = None if seed is None else Random(seed)
        self.proven = True
        """Whether the last choice was proven to be a best one."""

    def candidates(self, state: State) -> tuple[Action, ...]:
        """Return every best action by value and distance."""
        return self.judge(state).best

    def choose(self, state: State) -> Action:
        """Return the lowest of the best actions, or with a seed any of them."""
        judgement = self.judge(state)
        self.proven = judgement.proven
        return judgement.best[0] if self._random is None else self._random.choice(judgement.best)

    def judge(self, state: State) -> Judgement[Action]:
        """Sort out the actions; where nothing is proven, what `Rules` would do stands for the best."""
        try:
            answer = self._memo.analyse(state, self._limits)
        except EndlessGame:
            answer = None
        if answer is not None and answer.proven:
            mistakes = (each.action for each in answer.actions if each.value != answer.value)
            return Judgement(answer.best, tuple(mistakes), proven=True)
        best = self._rules.candidates(state)
        return Judgement(best, tuple(each for each in self._game.actions(state) if each not in best), proven=False)
