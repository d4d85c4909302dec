"""The path from the root to the state being searched, which detects repeated positions and endless games."""

from collections.abc import Hashable
from typing import Any

from noughts.capabilities import ResolvedGame
from noughts.errors import ENDLESS, EndlessGame, one_line
from noughts.score import Scale
from noughts.search.recursion_limit import STEP, raise_limit

__all__ = ["SearchPath"]


class SearchPath:
    """The states on the current path. A game that declares `longest` ends, so their keys are not kept for it.

    Nor are they kept if `repeats` says that positions may repeat, since the search looks only so many plies ahead.
    """

    def __init__(self, game: ResolvedGame[Any, Any], *, repeats: bool = False) -> None:
        self._game = game
        self._keys: set[Hashable] | None = set() if game.scale == Scale() and not repeats else None
        self._plies = 0
        self._allowed = min(STEP, game.scale.longest)
        """The depth that the recursion limit, and the longest possible game, allow so far."""

    @property
    def keeps_keys(self) -> bool:
        """Whether the keys of the states on the path are kept; if not, `enter` and `leave` need none."""
        return self._keys is not None

    def enter(self, key: Hashable, state: Any) -> None:
        """Add a state to the path.

        Raises EndlessGame if the state is on the path already, and BrokenGame if the path is longer than `longest`.
        """
        self._plies = plies = self._plies + 1
        if plies > self._allowed:
            self._go_deeper()
        keys = self._keys
        if keys is not None:
            if key in keys:
                drawn = one_line(self._game.draw(state))
                raise EndlessGame(f"{ENDLESS}; this position is repeated: {drawn}")
            keys.add(key)

    def _go_deeper(self) -> None:
        """Raise the recursion limit for some more plies, or BrokenGame if the path is longer than `longest`."""
        longest = self._game.scale.longest
        if self._plies > longest:
            raise self._game.scale.too_long()
        if self._plies > STEP:
            raise_limit(self._plies)
        self._allowed = min(self._plies + STEP, longest)

    def leave(self, key: Hashable) -> None:
        """Remove the last state, whose key this is, from the path."""
        self._plies -= 1
        if self._keys is not None:
            self._keys.remove(key)
