"""A human player. The caller provides the function that asks for a move."""

from collections.abc import Callable
from typing import Generic

from noughts.game import Action, Game, State

__all__ = ["Human"]


class Human(Generic[State, Action]):
    """A person; `ask(state)` returns the action that they want."""

    description = "a person"
    caveat = ""

    def __init__(self, game: Game[State, Action], ask: Callable[[State], Action]) -> None:
        self._game = game
        self._ask = ask

    def candidates(self, state: State) -> tuple[Action, ...]:
        """Return the legal actions, since a person may choose any."""
        return tuple(self._game.actions(state))

    def choose(self, state: State) -> Action:
        """Ask the person."""
        return self._ask(state)
