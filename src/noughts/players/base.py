"""The protocol of a player, which chooses actions."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

__all__ = ["Player"]

StateIn = TypeVar("StateIn", contravariant=True)
ActionOut = TypeVar("ActionOut", covariant=True)


class Player(Protocol[StateIn, ActionOut]):
    """A player. `candidates` lists all actions that it may choose, so that tests can try each of them."""

    @property
    def description(self) -> str:
        """What to expect of this player, in a few words."""

    @property
    def caveat(self) -> str:
        """Why the last choice may fall short of the description; empty if it does not."""

    def candidates(self, state: StateIn, /) -> Sequence[ActionOut]:
        """Return every action that the player may choose in this state, whatever its random choices."""

    def choose(self, state: StateIn, /) -> ActionOut:
        """Return the action that the player chooses now: one of its candidates."""
