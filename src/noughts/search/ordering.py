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
        self._worth = Worth(preferred)

    def sorted(self, actions: list[Action], first: Action | None, ply: int) -> list[Action]:
        """Return the actions in the order in which to try them; ties keep the game's order."""
        if len(actions) < 2:
            return actions
        actions = self._worth.sorted(actions)
        killers = self._killers.get(ply)
        if killers:
            front = [action for action in actions if action in killers]
            if front:
                actions = front + [action for action in actions if action not in killers]
        if first is not None and actions[0] != first and first in actions:
            actions = [first, *(action for action in actions if action != first)]
        return actions

    def cut_off(self, action: Action, ply: int, depth: int) -> None:
        """Record an action that caused a cutoff."""
        if self._use_killers:
            killers = self._killers.setdefault(ply, [])
            if action not in killers:
                killers.insert(0, action)
                del killers[2:]
        if self._use_history:
            self._worth.add(action, min(depth, 64) ** 2)


PREFERENCE = 1 << 64
"""What a place in the preferred order is worth: more than any history."""


class Worth(dict[Any, int]):
    """How much sooner an action is tried: its place in the preferred order, then its history."""

    def __init__(self, preferred: Sequence[Any]) -> None:
        super().__init__()
        for place, action in enumerate(preferred):
            self[_hashable(action)] = (len(preferred) - place) * PREFERENCE

    def __missing__(self, action: Any) -> int:
        self[action] = 0  # so that it is found next time, which is faster
        return 0

    def sorted(self, actions: list[Any]) -> list[Any]:
        """Return the actions in the order in which to try them; ties keep the game's order."""
        if not self:
            return actions
        try:
            return sorted(actions, key=self.__getitem__, reverse=True)
        except TypeError:  # some action cannot be hashed
            return sorted(actions, key=lambda action: self[_hashable(action)], reverse=True)

    def add(self, action: Any, amount: int) -> None:
        """Add to what an action is worth."""
        self[_hashable(action)] += amount


def _hashable(action: Any) -> Any:
    """Return the action, or its `repr` if it cannot be hashed."""
    try:
        hash(action)
    except TypeError:
        return repr(action)
    return action
