"""The protocol of a player, which chooses actions."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

if TYPE_CHECKING:
    from fractions import Fraction  # not needed to play

__all__ = ["Closable", "KnownChances", "Player", "chances", "close", "even", "rounded"]

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
class KnownChances(Protocol):
    """A player that can say how likely it is to choose each action, so that results can be worked out exactly."""

    def chances(self, state: Any, /) -> "Mapping[Any, Fraction]":
        """Return how likely each action is, for all that have a chance; they add up to exactly 1.

        They depend on the state alone. If they are only a guess, as when there was no time, `caveat` says why.
        """


def chances(player: Player[Any, Any], state: Any) -> "Mapping[Any, Fraction] | None":
    """Return how likely a player is to choose each action; None if it cannot say."""
    return player.chances(state) if isinstance(player, KnownChances) else None


def even(actions: Sequence[Any]) -> "dict[Any, Fraction]":
    """Return the chances of actions that are equally likely.

    >>> even([1, 9])
    {1: Fraction(1, 2), 9: Fraction(1, 2)}
    """
    from fractions import Fraction

    return dict.fromkeys(actions, Fraction(1, len(actions)))


def rounded(chances: Sequence[tuple[Any, float]]) -> "dict[Any, Fraction]":
    """Return chances as fractions that add up to exactly 1; those of less than one in eight billion are left out.

    >>> rounded([("a1", 0.75), ("b2", 0.25)])
    {'a1': Fraction(3, 4), 'b2': Fraction(1, 4)}
    """
    from fractions import Fraction

    parts = [(action, round(chance * (1 << 32))) for action, chance in chances]
    total = sum(part for _, part in parts)
    return {action: Fraction(part, total) for action, part in parts if part}


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
