"""What a player is: someone who chooses an action."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

__all__ = ["Player"]

StateIn = TypeVar("StateIn", contravariant=True)
ActionOut = TypeVar("ActionOut", covariant=True)


class Player(Protocol[StateIn, ActionOut]):
    """Someone who plays. What they may do is stated apart from what they do, so that all of it can be tried."""

    @property
    def description(self) -> str:
        """What to expect of this player, in a few words."""

    @property
    def caveat(self) -> str:
        """Why the last choice may fall short of the description; empty if it does not."""

    def candidates(self, state: StateIn, /) -> Sequence[ActionOut]:
        """Return every action the player may choose in this state, whatever its luck."""

    def choose(self, state: StateIn, /) -> ActionOut:
        """Return the action the player takes now: one of its candidates."""
