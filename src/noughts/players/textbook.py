"""The textbook's perfect player: the fastest win, else a draw, else the longest resistance; the first such action."""

from random import Random
from typing import TYPE_CHECKING, Generic, NamedTuple

from noughts.engine import Engine, engine_of
from noughts.game import Action, Game, State
from noughts.players.base import even
from noughts.players.rule_of_thumb import MOVE_LIMITS
from noughts.score import Value
from noughts.search.limits import Limits

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = ["Judgement", "Textbook"]


class Judgement(NamedTuple, Generic[Action]):
    """How a perfect player judges a state: which actions to choose from, and which are mistakes."""

    choice: tuple[Action, ...]
    """The best actions; if nothing is proven, those that look best."""
    mistakes: tuple[Action, ...]
    """The actions that give away a win or a draw; if nothing is proven, all but the choice."""
    value: Value
    distance: int | None
    margin: int | None
    """By how much, where a game counts that; as the answer's."""
    doubt: str
    """Why the choice is only a guess; empty if it is proven."""


class Textbook(Generic[State, Action]):
    """Takes the first best action in the game's order; with a seed, a random one of the best.

    If the game cannot be solved within `limits`, it takes the action that looks best, and `caveat` says so: this player
    can then be beaten. It asks the game's engine, or the one given.
    """

    description = "perfect; takes the first of equally good moves"

    def __init__(
        self,
        game: Game[State, Action] | Engine[State, Action],
        seed: int | None = None,
        limits: Limits = MOVE_LIMITS,
    ) -> None:
        self._engine = engine_of(game)
        self._game = self._engine.game
        self._limits = limits
        self._random = None if seed is None else Random(seed)
        self.caveat = ""

    def candidates(self, state: State) -> tuple[Action, ...]:
        """Return all actions that the player may choose with some seed."""
        return self._choice(state)

    def choose(self, state: State) -> Action:
        """Return the first of the candidates, or with a seed a random one of them."""
        choice = self._choice(state)
        return choice[0] if self._random is None else self._random.choice(choice)

    def chances(self, state: State) -> "dict[Action, Fraction]":
        """Return the first of the candidates, or with a seed all of them, equally likely."""
        choice = self._choice(state)
        return even(choice[:1] if self._random is None else choice)

    def _choice(self, state: State) -> tuple[Action, ...]:
        """Return the best actions by value and distance; `caveat` says afterwards whether that is a guess."""
        judgement = self.judge(state)
        self.caveat = judgement.doubt
        return judgement.choice

    def judge(self, state: State) -> Judgement[Action]:
        """Sort the actions into the best and the mistakes; if nothing is proven, all but the guesses are mistakes."""
        if not self._engine.knows(state):
            self._engine.prepare(self._limits)
        answer = self._engine.ask(state, self._limits, to_play=True)
        if answer.proven:
            mistakes = (each.action for each in answer.actions if each.exact and each.value != answer.value)
            return Judgement(answer.best, tuple(mistakes), answer.value, answer.distance, answer.margin, doubt="")
        others = tuple(each for each in self._game.actions(state) if each not in answer.guess)
        return Judgement(answer.guess, others, answer.value, None, None, self._doubt(answer.depth))

    def _doubt(self, depth: int | None) -> str:
        """Return why a choice is only a guess, and what would help."""
        why = "the game is too large to solve from here"
        if self._game.book is not None:
            from noughts.compiled.build import available
            from noughts.sources.kernel import INSTALL

            if self._game.kernel() is not None and not available():
                why = f"the opening book ends here, and without numba {why} ({INSTALL})"
        if not depth:
            return why
        return f"{why}; this is a guess, looking {'1 move' if depth == 1 else f'{depth} moves'} ahead"
