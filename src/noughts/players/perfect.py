"""The perfect player: the fastest win, else a draw, else the longest resistance."""

from random import Random
from typing import Generic, NamedTuple

from noughts.analysis import Analyst
from noughts.errors import EndlessGame
from noughts.game import Action, Game, State
from noughts.players.rules import PATIENCE, Rules
from noughts.score import Value
from noughts.search.limits import Limits

__all__ = ["Judgement", "Perfect"]

TOO_LARGE = "the game is too large to solve from here, and was looked at {depth} plies ahead"
ENDLESS = "play can go on for ever from here"


class Judgement(NamedTuple, Generic[Action]):
    """What a perfect player thinks of a state: the best actions, and those that throw away value."""

    best: tuple[Action, ...]
    mistakes: tuple[Action, ...]
    value: Value
    distance: int | None
    doubt: str
    """Why nothing is proven, so that the best is only a guess; empty if it is proven."""


class Perfect(Generic[State, Action]):
    """Takes the first of the best actions, in the game's order; with a seed, any of them by chance.

    Where the game cannot be solved within `limits` it takes what looks best as far as it saw, and where play need not
    end, `Rules` decides. `caveat` then says so: the player knows that it can be beaten. Players of one game may share
    an `analyst`, and what it has learnt.
    """

    description = "perfect"

    def __init__(
        self,
        game: Game[State, Action],
        seed: int | None = None,
        limits: Limits = PATIENCE,
        analyst: Analyst[State, Action] | None = None,
    ) -> None:
        self._game = game
        self._analyst = analyst or Analyst(game, patient=True)
        self._limits = limits
        self._rules = Rules(game, limits)
        self._random = None if seed is None else Random(seed)
        self.caveat = ""

    def candidates(self, state: State) -> tuple[Action, ...]:
        """Return every best action by value and distance."""
        return self.judge(state).best

    def choose(self, state: State) -> Action:
        """Return the first of the best actions, or with a seed any of them."""
        judgement = self.judge(state)
        self.caveat = judgement.doubt
        return judgement.best[0] if self._random is None else self._random.choice(judgement.best)

    def judge(self, state: State) -> Judgement[Action]:
        """Sort out the actions; where nothing is proven, those not known to be worse count as no mistakes."""
        try:
            answer = self._analyst.ask(state, self._limits)
        except EndlessGame:
            best = self._rules.candidates(state)
            others = tuple(each for each in self._game.actions(state) if each not in best)
            return Judgement(best, others, "unknown", None, ENDLESS)
        if answer.proven:
            mistakes = (each.action for each in answer.actions if each.value != answer.value)
            return Judgement(answer.best, tuple(mistakes), answer.value, answer.distance, doubt="")
        others = tuple(each for each in self._game.actions(state) if each not in answer.best)
        return Judgement(answer.best, others, answer.value, None, TOO_LARGE.format(depth=answer.depth))
