"""Positions that count as one, since they are each other in another guise."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any, Generic, TypeVar

from noughts.capabilities import ResolvedGame
from noughts.game import Action, State

__all__ = ["UpToSymmetry", "go_on", "guise"]

Thing = TypeVar("Thing")


class _Guises(frozenset[Hashable]):
    """The keys of a position in all its guises, always written in the same order."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"{{{', '.join(sorted(map(repr, self)))}}}"


def go_on() -> None:
    """Do nothing, where somebody in a hurry would raise an exception."""


def guise(offers: ResolvedGame[State, Any], check: Callable[[], None] = go_on) -> Callable[[State], Hashable]:
    """Return a function whose result is equal for two states exactly if they are the same, turned or not.

    There may be thousands of guises to compare: `check` is called at each, and may raise an exception to leave.

    If the game states no symmetry, that is its key. Results can be compared and hashed within a process. Their `repr`
    can be compared between processes, if the game's keys are made of numbers, texts and tuples: what the games in
    this package have for keys is. It need not be so for sets, which are written in any order, nor for objects that
    are written with their addresses.

    >>> import noughts
    >>> from noughts.capabilities import resolve
    >>> game = noughts.load("tic-tac-toe")
    >>> corner, other_corner, edge = (guise(resolve(game))(noughts.replay(game, cell)) for cell in "192")
    >>> corner == other_corner, corner == edge
    (True, False)
    """
    if offers.canonical is not None:
        return offers.canonical
    key, symmetries = offers.key, offers.symmetries
    if symmetries is None:
        return key

    def keys(state: State) -> Iterator[Hashable]:
        for same in symmetries(state):
            check()
            yield key(same)

    return lambda state: _Guises(keys(state))


class UpToSymmetry(Generic[State, Thing]):
    """Keeps one thing for a position and all its guises together; for each position if the game states no symmetry.

    It keeps the thing for each guise by itself, and so looks at but one when it is asked, which is faster than `guise`.
    `check` is called at each guise, and may raise an exception to leave.
    """

    def __init__(self, offers: ResolvedGame[State, Action], check: Callable[[], None] = go_on) -> None:
        self._check = check
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
        for same in () if self._symmetries is None else self._symmetries(state):
            self._check()
            self._things[self._key(same)] = thing
