"""The path from the root to the state being searched, which detects repeated positions and endless games."""

from collections.abc import Hashable
from typing import Any

from noughts.capabilities import ResolvedGame
from noughts.errors import EndlessGame, one_line
from noughts.score import Scale
from noughts.search.recursion_limit import STEP, raise_limit

__all__ = ["SearchPath"]


class SearchPath:
    """The states on the current path. A game that declares `longest` ends, so their keys are not kept for it."""

    def __init__(self, game: ResolvedGame[Any, Any]) -> None:
        self._game = game
        self._keys: set[Hashable] | None = set() if game.scale == Scale() else None
        self._plies = 0
        self._allowed = STEP
        """The depth that the recursion limit allows so far."""

    def enter(self, state: Any) -> Hashable:
        """Add a state to the path and return its key for `leave`.

        Raises EndlessGame if the state is on the path already, and BrokenGame if the path is longer than `longest`.
        """
        self._plies += 1
        if self._plies > self._game.scale.longest:
            raise self._game.scale.too_long()
        if self._plies > self._allowed:
            raise_limit(self._plies)
            self._allowed = self._plies + STEP
        if self._keys is None:
            return None
        key = self._game.key(state)
        if key in self._keys:
            drawn = one_line(self._game.draw(state))
            raise EndlessGame(f"the game can go on for ever: this position is repeated: {drawn}")
        self._keys.add(key)
        return key

    def leave(self, key: Hashable) -> None:
        """Remove the last state from the path."""
        self._plies -= 1
        if self._keys is not None:
            self._keys.remove(key)
