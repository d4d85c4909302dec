"""A person, wherever they sit: whoever knows how to ask them gives the asking."""

from collections.abc import Callable
from typing import Generic

from noughts.game import Action, Game, State

__all__ = ["Human"]


class Human(Generic[State, Action]):
    """A person, asked through `ask`, which returns the action they want."""

    description = "a person"
    caveat = ""

    def __init__(self, game: Game[State, Action], ask: Callable[[State], Action]) -> None:
        self._game = game
        self._ask = ask

    def candidates(self, state: State) -> tuple[Action, ...]:
        """Return the legal actions: a person may do anything."""
        return tuple(self._game.actions(state))

    def choose(self, state: State) -> Action:
        """Ask the person."""
        return self._ask(state)
