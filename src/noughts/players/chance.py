"""The random player."""

from random import Random
from typing import Generic

from noughts.game import Action, Game, State

__all__ = ["Chance"]


class Chance(Generic[State, Action]):
    """Takes any legal action, each as likely as the others."""

    description = "plays anything"
    caveat = ""

    def __init__(self, game: Game[State, Action], seed: int | None = None) -> None:
        self._game = game
        self._random = Random(seed)

    def candidates(self, state: State) -> tuple[Action, ...]:
        """Return the legal actions."""
        return tuple(self._game.actions(state))

    def choose(self, state: State) -> Action:
        """Return one of them by chance."""
        return self._random.choice(self.candidates(state))
