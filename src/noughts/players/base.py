"""The protocol of a player, which chooses actions."""

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar, runtime_checkable

__all__ = ["Closable", "Player", "close"]

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


@runtime_checkable
class Closable(Protocol):
    """A player that holds something, such as another program, until it is closed."""

    def close(self) -> None:
        """Let go of it."""


def close(players: Iterable[object]) -> None:
    """Close the players that hold something; call this at the end of a game session, however it ends."""
    closing = [player for player in players if isinstance(player, Closable)]
    try:
        for player in closing[:1]:
            player.close()
    finally:
        if closing[1:]:  # also if Ctrl-C has come meanwhile
            close(closing[1:])
