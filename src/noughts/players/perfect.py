"""The perfect player: the fastest win, else a draw, else the longest resistance."""

from random import Random
from typing import Generic, NamedTuple

from noughts.engine import Engine, engine_of
from noughts.errors import EndlessGame
from noughts.game import Action, Game, State
from noughts.players.rules import PATIENCE, Rules
from noughts.score import Value
from noughts.search.limits import Limits

__all__ = ["Judgement", "Perfect"]

ENDLESS = "play can go on for ever from here"


class Judgement(NamedTuple, Generic[Action]):
    """What a perfect player thinks of a state: the actions to choose from, and those that throw away value."""

    choice: tuple[Action, ...]
    """The best actions; where nothing is proven, those that look best."""
    mistakes: tuple[Action, ...]
    value: Value
    distance: int | None
    doubt: str
    """Why the choice is only a guess; empty if it is proven."""


class Perfect(Generic[State, Action]):
    """Takes the first of the best actions, in the game's order; with a seed, any of them by chance.

    Where the game cannot be solved within `limits`, it takes what looks best as far as it saw, and where play need not
    end, `Rules` decides. `caveat` then says so: this player can be beaten. It asks the game's engine, or the one given.
    """

    description = "perfect"

    def __init__(
        self,
        game: Game[State, Action] | Engine[State, Action],
        seed: int | None = None,
        limits: Limits = PATIENCE,
    ) -> None:
        self._engine = engine_of(game)
        self._game = self._engine.game
        self._limits = limits
        self._rules = Rules(self._game, limits)
        self._random = None if seed is None else Random(seed)
        self.caveat = ""

    def candidates(self, state: State) -> tuple[Action, ...]:
        """Return every best action by value and distance."""
        return self.judge(state).choice

    def choose(self, state: State) -> Action:
        """Return the first of the best actions, or with a seed any of them."""
        judgement = self.judge(state)
        self.caveat = judgement.doubt
        return judgement.choice[0] if self._random is None else self._random.choice(judgement.choice)

    def judge(self, state: State) -> Judgement[Action]:
        """Sort the actions into good ones and mistakes; where nothing is proven, all but the guesses are mistakes."""
        try:
            self._engine.prepare(self._limits)
            answer = self._engine.analyse(state, limits=self._limits)
        except EndlessGame:
            choice = self._rules.candidates(state)
            others = tuple(each for each in self._game.actions(state) if each not in choice)
            return Judgement(choice, others, "unknown", None, ENDLESS)
        if answer.proven:
            mistakes = (each.action for each in answer.actions if each.value != answer.value)
            return Judgement(answer.best, tuple(mistakes), answer.value, answer.distance, doubt="")
        others = tuple(each for each in self._game.actions(state) if each not in answer.guess)
        return Judgement(answer.guess, others, answer.value, None, _doubt(answer.depth))


def _doubt(depth: int | None) -> str:
    """Return why a choice is only a guess."""
    if not depth:
        return "the game is too large to solve from here"
    moves = "1 move" if depth == 1 else f"{depth} moves"
    return f"the game is too large to solve from here; this is a guess, looking {moves} ahead"
