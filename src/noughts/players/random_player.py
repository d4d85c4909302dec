"""The random player."""

from random import Random
from typing import TYPE_CHECKING, Generic

from noughts.game import Action, Game, State
from noughts.players.base import even

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = ["RandomPlayer"]


class RandomPlayer(Generic[State, Action]):
    """Takes a random legal action; all are equally likely."""

    description = "plays at random"
    caveat = ""

    def __init__(self, game: Game[State, Action], seed: int | None = None) -> None:
        self._game = game
        self._random = Random(seed)

    def candidates(self, state: State) -> tuple[Action, ...]:
        """Return the legal actions."""
        return tuple(self._game.actions(state))

    def choose(self, state: State) -> Action:
        """Return one of them at random."""
        return self._random.choice(self.candidates(state))

    def chances(self, state: State) -> "dict[Action, Fraction]":
        """Return the legal actions, all equally likely."""
        return even(self.candidates(state))
