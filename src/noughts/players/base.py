"""What a player is: someone who chooses an action."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

__all__ = ["Player"]

StateIn = TypeVar("StateIn", contravariant=True)
ActionOut = TypeVar("ActionOut", covariant=True)


class Player(Protocol[StateIn, ActionOut]):
    """A computer player. What it may do is stated apart from what it does, so that all of it can be tried."""

    def candidates(self, state: StateIn, /) -> Sequence[ActionOut]:
        """Return every action the player may choose in this state, whatever its luck."""

    def choose(self, state: StateIn, /) -> ActionOut:
        """Return the action the player takes now: one of its candidates."""
