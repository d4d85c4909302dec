"""Move ordering: the better the order, the more a search can skip. The order never changes an answer."""

from collections.abc import Sequence
from typing import Any, Generic

from noughts.game import Action

__all__ = ["Ordering"]


class Ordering(Generic[Action]):
    """Sorts actions: the table's action first, then killers, the game's preferred actions, and the history heuristic.

    A killer is an action that caused a cutoff in another node at the same ply. The history counts how often an action
    caused a cutoff anywhere.
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
        """Return the actions in the order in which to try them; ties keep the game's order."""
        if len(actions) < 2:
            return actions
        killers = self._killers.get(ply, ())
        history, rank = self._history, self._rank

        def worth(action: Action) -> tuple[bool, bool, int, int]:
            name = _hashable(action)
            return action == first, action in killers, rank.get(name, 0), history.get(name, 0)

        return sorted(actions, key=worth, reverse=True)

    def cut_off(self, action: Action, ply: int, depth: int) -> None:
        """Record an action that caused a cutoff."""
        if self._use_killers:
            killers = self._killers.setdefault(ply, [])
            if action not in killers:
                killers.insert(0, action)
                del killers[2:]
        if self._use_history:
            name = _hashable(action)
            self._history[name] = self._history.get(name, 0) + min(depth, 64) ** 2


def _hashable(action: Any) -> Any:
    """Return the action, or its `repr` if it cannot be hashed."""
    return action if action.__hash__ is not None else repr(action)
