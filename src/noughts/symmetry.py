"""Symmetric positions: a key that they share, and a dictionary that stores them together."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any, Generic, TypeVar

from noughts.capabilities import ResolvedGame
from noughts.game import Action, State

__all__ = ["UpToSymmetry", "do_nothing", "symmetry_key"]

Thing = TypeVar("Thing")
Other = TypeVar("Other")


class _ImageKeys(frozenset[Hashable]):
    """The keys of all symmetric images of a position; its `repr` always lists them in the same order."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"{{{', '.join(sorted(map(repr, self)))}}}"


def do_nothing() -> None:
    """Do nothing: the default for a `check` function, which may raise an exception to stop long work."""


def symmetry_key(
    offers: ResolvedGame[State, Any], check: Callable[[], None] = do_nothing
) -> Callable[[State], Hashable]:
    """Return a function whose result is the same for two states exactly if they are symmetric, or equal.

    A state can have thousands of symmetric images. `check` is called for each of them, and may raise an exception to
    stop the comparison.

    For a game that declares no symmetry, the function is its `key`. Results can be compared and hashed within one
    process. Their `repr` can be compared between processes if the game's keys consist of numbers, texts and tuples, as
    those of the built-in games do. It cannot if they contain sets, whose order varies, or objects whose `repr` shows
    their address.

    >>> import noughts
    >>> from noughts.capabilities import resolve
    >>> game = noughts.load("tic-tac-toe")
    >>> corner, other_corner, edge = (symmetry_key(resolve(game))(noughts.replay(game, cell)) for cell in "192")
    >>> corner == other_corner, corner == edge
    (True, False)
    """
    if offers.canonical is not None:
        return offers.canonical
    key, symmetries = offers.key, offers.symmetries
    if symmetries is None:
        return key

    def keys(state: State) -> Iterator[Hashable]:
        for image in symmetries(state):
            check()
            yield key(image)

    return lambda state: _ImageKeys(keys(state))


class UpToSymmetry(Generic[State, Thing]):
    """A dictionary with one entry for all symmetric images of a state; for each state if there is no symmetry.

    The entry is stored under the key of every image, so that a look-up needs only one key. That is faster than
    `symmetry_key`. `check` is called for each image that is stored, and may raise an exception to stop.
    """

    def __init__(self, offers: ResolvedGame[State, Action], check: Callable[[], None] = do_nothing) -> None:
        self._check = check
        self._things: dict[Hashable, Thing] = {}
        self._key: Callable[[State], Hashable] = offers.canonical or offers.key
        self._symmetries: Callable[[State], Iterable[State]] | None = None
        if offers.canonical is None:
            self._symmetries = offers.symmetries

    def __contains__(self, state: State) -> bool:
        return self._key(state) in self._things

    def __len__(self) -> int:
        return len(self._things)

    def __getitem__(self, state: State) -> Thing:
        return self._things[self._key(state)]

    def get(self, state: State) -> Thing | None:
        """Return the entry of a state, or None."""
        return self._things.get(self._key(state))

    def add_all(self, others: "UpToSymmetry[State, Other]", converted: Callable[[Other], Thing]) -> None:
        """Add the entries of another such dictionary of the same game, each of them converted."""
        self._things.update((key, converted(thing)) for key, thing in others._things.items())

    def __setitem__(self, state: State, thing: Thing) -> None:
        self._things[self._key(state)] = thing
        for image in () if self._symmetries is None else self._symmetries(state):
            self._check()
            self._things[self._key(image)] = thing
