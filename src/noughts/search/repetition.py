"""The way from the root to the state that is being searched, and the game that comes back on it."""

from collections.abc import Hashable
from typing import Any

from noughts.capabilities import ResolvedGame
from noughts.errors import EndlessGame, one_line
from noughts.score import Scale
from noughts.search.depth import STEP, make_room

__all__ = ["Path"]


class Path:
    """The keys of the states on the way. A game that states how long it can last ends, so none are kept for it."""

    def __init__(self, game: ResolvedGame[Any, Any]) -> None:
        self._game = game
        self._keys: set[Hashable] | None = set() if game.scale == Scale() else None
        self._plies = 0
        self._room = STEP
        """The plies for which there is room."""

    def enter(self, state: Any) -> Hashable:
        """Put a state on the way and return what `leave` wants; raise EndlessGame if it is there already.

        Raises BrokenGame if it is not finished after the most plies that the game states.
        """
        self._plies += 1
        if self._plies > self._game.scale.longest:
            raise self._game.scale.too_long()
        if self._plies > self._room:
            make_room(self._plies)
            self._room = self._plies + STEP
        if self._keys is None:
            return None
        key = self._game.key(state)
        if key in self._keys:
            drawn = one_line(self._game.draw(state))
            raise EndlessGame(f"the game can go on for ever: this position comes back: {drawn}")
        self._keys.add(key)
        return key

    def leave(self, key: Hashable) -> None:
        """Take a state off the way again."""
        self._plies -= 1
        if self._keys is not None:
            self._keys.remove(key)
