"""Small things that several tests need."""

import os
import time
from collections.abc import Callable, Hashable, Iterable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from noughts.capabilities import ResolvedGame, resolve
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


def without_kernel(game: Game[Any, Any]) -> ResolvedGame[Any, Any]:
    """Return a game as it is where nothing can be compiled."""
    return resolve(game)._replace(kernel=lambda: None)


def in_the_long_run(cases: Iterable[Any], *, all_but: Sequence[Any]) -> list[Any]:
    """Return the cases of a test, marked `long` except those that the usual run has, too."""
    return [
        pytest.param(*(each if isinstance(each, tuple) else (each,)), marks=[pytest.mark.long] * (each not in all_but))
        for each in cases
    ]


def until(condition: Callable[[], bool]) -> None:
    """Wait until a condition holds."""
    for _ in range(100 * TIMEOUT):
        if condition():
            return
        time.sleep(0.01)
    pytest.fail("it never happened")


def process_seconds(pid: int) -> float:
    """Return the CPU seconds that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
