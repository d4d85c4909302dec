"""The perfect player."""

from noughts.game import Action, State
from noughts.players.textbook import Textbook

__all__ = ["Perfect"]


class Perfect(Textbook[State, Action]):
    """Never gives up value, nor distance when winning or losing."""

    description = "perfect"
