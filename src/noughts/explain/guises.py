"""Positions that count as one, since they are each other in another guise."""

from collections.abc import Callable, Hashable, Iterable
from typing import Generic, TypeVar

from noughts.capabilities import Capabilities
from noughts.game import Action, State

__all__ = ["UpToSymmetry"]

Thing = TypeVar("Thing")


class UpToSymmetry(Generic[State, Thing]):
    """Keeps one thing for a position and all its guises together; for each position if the game states no symmetry."""

    def __init__(self, offers: Capabilities[State, Action]) -> None:
        self._things: dict[Hashable, Thing] = {}
        self._key: Callable[[State], Hashable] = offers.canonical or offers.key
        self._symmetries: Callable[[State], Iterable[State]] | None = None
        if offers.canonical is None:
            self._symmetries = offers.symmetries

    def __contains__(self, state: State) -> bool:
        return self._key(state) in self._things

    def __getitem__(self, state: State) -> Thing:
        return self._things[self._key(state)]

    def __setitem__(self, state: State, thing: Thing) -> None:
        self._things[self._key(state)] = thing
        for guise in () if self._symmetries is None else self._symmetries(state):
            self._things[self._key(guise)] = thing
