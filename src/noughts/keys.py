"""Hashable keys for states of any type, made from everything they contain."""

from collections import deque
from collections.abc import Hashable
from enum import Enum
from functools import cached_property
from types import ModuleType, NoneType
from typing import Any, cast

from noughts.errors import BrokenGame
from noughts.kept import ATTRIBUTE

__all__ = ["contents", "default_key", "is_value"]


def default_key(state: object) -> Hashable:
    """Return the state itself if equal states are sure to have equal hashes, else its contents."""
    if is_value(state):
        return state
    own_hash = type(state).__hash__ not in (None, object.__hash__, tuple.__hash__, frozenset.__hash__)
    return state if own_hash and not hasattr(state, "__dataclass_fields__") else contents(state)


def is_value(state: object) -> bool:
    """Say whether a state consists only of numbers, texts and tuples of them, so that it cannot change."""
    kind = type(state)
    if kind in _ATOMS:
        return True
    if kind is not tuple and (not isinstance(state, (tuple, frozenset)) or hasattr(state, "__dict__")):
        return False
    for item in state:  # type: ignore[attr-defined]
        inner = type(item)
        # A search asks this of every state, most of which are tuples of numbers, or of such tuples.
        if inner not in _ATOMS and not (inner is tuple and _ATOMS.issuperset(map(type, item))) and not is_value(item):
            return False
    return True


_ATOMS = {int, str, bool, float, bytes, NoneType}


def contents(value: Any, around: tuple[int, ...] = ()) -> Hashable:
    """Return a hashable value that is equal for two values exactly when all their contents are equal.

    Items, attributes and slots count; values stored by a `cached_property` do not, nor what is kept with a game, which
    a state may hold. `around` holds the ids of the enclosing containers, so that a container which holds
    itself does not recurse forever.

    >>> contents([[1, 2], {"a": set()}]) == contents([[1, 2], {"a": set()}])
    True
    >>> contents([1]) == contents((1,)) or contents([1]) == contents([True])
    False
    """
    kind = type(value)
    if kind in _ATOMS:
        return kind, value
    if id(value) in around:
        return kind, around.index(id(value))
    within = (*around, id(value))
    parts: list[Hashable] = []
    if isinstance(value, (list, tuple, deque)):
        parts.append(tuple(contents(item, within) for item in value))
    elif isinstance(value, (set, frozenset)):
        parts.append(frozenset(contents(item, within) for item in value))
    elif isinstance(value, dict):
        parts.append(frozenset((contents(key, within), contents(item, within)) for key, item in value.items()))
    elif hasattr(value, "tolist"):  # arrays, without importing their library
        parts.append(contents(value.tolist(), within))
    elif isinstance(value, bytearray):
        parts.append(bytes(value))
    attributes = _attributes(value)
    if attributes:
        parts.append(frozenset((name, contents(item, within)) for name, item in attributes.items()))
    if parts:
        return kind, *parts
    try:
        hash(value)
    except TypeError:
        raise BrokenGame(
            f"a state holds a {kind.__name__}, which is not hashable; offer a function key(state)"
        ) from None
    return kind, cast(Hashable, value)


def _attributes(value: Any) -> dict[str, Any]:
    """Return the attributes of an object of a user's class; nothing for classes, functions and modules."""
    kind = type(value)
    if kind.__module__ == "builtins" or isinstance(value, (type, ModuleType, Enum)):
        return {}
    names = [*getattr(value, "__dict__", ())]
    for base in kind.__mro__:
        slots = base.__dict__.get("__slots__", ())
        names += [slots] if isinstance(slots, str) else slots
    return {
        name: getattr(value, name)
        for name in names
        if name != ATTRIBUTE and hasattr(value, name) and not isinstance(getattr(kind, name, None), cached_property)
    }
