"""Which action to try first: the better the order, the more a search can skip. None of it changes an answer."""

from collections.abc import Sequence
from typing import Any, Generic

from noughts.game import Action

__all__ = ["Ordering"]


class Ordering(Generic[Action]):
    """Puts the table's action first, then killers, then the game's own preference, then what cut off most often.

    A killer is an action that cut off a search elsewhere at the same ply.
    """

    def __init__(self, preferred: Sequence[Action], *, killers: bool = True, history: bool = True) -> None:
        self._use_killers = killers
        self._use_history = history
        self._killers: dict[int, list[Action]] = {}
        self._history: dict[Any, int] = {}
        self._rank: dict[Any, int] = {}
        for place, action in enumerate(preferred):
            self._rank[_hashable(action)] = len(preferred) - place

    def sorted(self, actions: list[Action], first: Action | None, ply: int) -> list[Action]:
        """Return the actions in the order in which to try them; equal ones stay in the game's order."""
        if len(actions) < 2:
            return actions
        killers = self._killers.get(ply, ())
        history, rank = self._history, self._rank

        def worth(action: Action) -> tuple[bool, bool, int, int]:
            name = _hashable(action)
            return action == first, action in killers, rank.get(name, 0), history.get(name, 0)

        return sorted(actions, key=worth, reverse=True)

    def cut_off(self, action: Action, ply: int, depth: int) -> None:
        """Take note of an action that made the rest unnecessary."""
        if self._use_killers:
            killers = self._killers.setdefault(ply, [])
            if action not in killers:
                killers.insert(0, action)
                del killers[2:]
        if self._use_history:
            name = _hashable(action)
            self._history[name] = self._history.get(name, 0) + min(depth, 64) ** 2


def _hashable(action: Any) -> Any:
    """Return the action, or its text if it cannot be a dictionary's key."""
    return action if action.__hash__ is not None else repr(action)
