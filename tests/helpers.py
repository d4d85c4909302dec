"""Small things that several tests need."""

from collections.abc import Hashable, Iterable
from types import SimpleNamespace
from typing import Any

from noughts.capabilities import resolve
from noughts.game import FUNCTIONS, Game

TIMEOUT = 300
"""Seconds after which something certainly hangs, however busy the machine is; nothing should take nearly as long."""


def every_state(game: Game[Any, Any], start: Any = None) -> list[Any]:
    """Return every state that play can reach, each once, nearest first."""
    key = resolve(game).key
    first = game.initial() if start is None else start
    found: dict[Hashable, Any] = {key(first): first}
    waiting = [first]
    for state in waiting:
        if not game.terminal(state):
            for action in game.actions(state):
                child = game.result(state, action)
                if key(child) not in found:
                    found[key(child)] = child
                    waiting.append(child)
    return waiting


def altered(game: Game[Any, Any], offering: Iterable[str] = (), **changes: Any) -> Any:
    """Return a game of the six functions of another, some of them replaced, with the capabilities named."""
    functions = {name: getattr(game, name) for name in (*FUNCTIONS, *offering)}
    return SimpleNamespace(**(functions | changes))
