"""Objects that are made once for a game and kept with it: its engine, for example.

They are stored on the game object itself, under one private attribute, so that they disappear together with it. A
dictionary of all games would keep every game alive, since what is kept refers back to its game.
"""

from collections import OrderedDict
from collections.abc import Callable
from threading import RLock
from typing import Any, TypeVar

__all__ = ["ATTRIBUTE", "kept"]

Thing = TypeVar("Thing")

ATTRIBUTE = "__noughts__"
"""The attribute of a game that holds what is kept for it."""

MOST_WITHOUT_ATTRIBUTES = 16
"""How many games that accept no attributes are remembered; the least recently used are dropped first."""

_lock = RLock()
_without_attributes: OrderedDict[int, "_Kept"] = OrderedDict()


class _Kept:
    """What is kept for one game. A copied or pickled game starts without it.

    All are equal, so that a state which is its game too, or holds it, still equals a copy by its attributes.
    """

    def __init__(self, game: Any) -> None:
        self.game = game
        self.things: dict[Callable[[Any], Any], Any] = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Kept)

    def __hash__(self) -> int:
        return 0

    def __reduce__(self) -> tuple[Any, ...]:
        return _Kept, (None,)


def kept(game: Any, make: Callable[[Any], Thing]) -> Thing:
    """Return `make(game)`, made at the first call for this game and this function, and kept with the game.

    >>> from types import SimpleNamespace
    >>> game = SimpleNamespace()
    >>> kept(game, lambda _: 1) == kept(game, lambda _: 2)
    False
    >>> kept(game, id) is kept(game, id)
    True
    """
    found: _Kept | None = getattr(game, ATTRIBUTE, None)
    if found is None or found.game is not game:  # it belongs to the object that this game was copied from
        found = _store_for(game)
    try:
        thing: Thing = found.things[make]
    except KeyError:
        with _lock:
            if make not in found.things:
                found.things[make] = make(game)
            thing = found.things[make]
    return thing


def _store_for(game: Any) -> _Kept:
    with _lock:
        found: _Kept | None = getattr(game, ATTRIBUTE, None)
        if found is not None and found.game is game:  # another thread was faster
            return found
        store = _Kept(game)
        try:
            # Frozen dataclasses refuse plain assignment; classes refuse the other way.
            setattr(game, ATTRIBUTE, store) if isinstance(game, type) else object.__setattr__(game, ATTRIBUTE, store)
        except (AttributeError, TypeError):  # it accepts no attributes, as with slots and tuples
            if id(game) not in _without_attributes:
                _without_attributes[id(game)] = store
            _without_attributes.move_to_end(id(game))
            while len(_without_attributes) > MOST_WITHOUT_ATTRIBUTES:
                _without_attributes.popitem(last=False)
            return _without_attributes[id(game)]
        return store
