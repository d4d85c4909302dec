"""Python's recursion limit, raised step by step while a search goes deeper.

A search calls itself once for each ply, and Python limits how deeply calls may be nested. The limit is raised only as
far as the search needs at its current depth. So the functions of a game always have about as much room as anywhere
else, and one that calls itself without end gets a RecursionError soon, not after a million calls that exhaust the
memory or the C stack.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from noughts.errors import EndlessGame

__all__ = ["STEP", "deep_recursion", "raise_limit", "steady_limit"]

STEP = 50
"""Plies between two calls of `raise_limit`. A search that is not deeper than this needs no higher limit."""

FRAMES = 6
"""The most nested calls that a search makes for each ply."""

MOST = 1_000_000
"""The most nested calls in all; each takes memory."""


class _Searches:
    """The searches that are running in all threads, which share one recursion limit."""

    lock = Lock()
    running = 0
    limit = 0
    """The limit before the first of them started."""


def _after_fork() -> None:
    """Replace the lock in a forked process, where the thread that held it does not exist."""
    _Searches.lock = Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


@contextmanager
def deep_recursion(plies: int = 0) -> Iterator[None]:
    """Allow `raise_limit` until the end of the block, and raise the limit for `plies` plies at once.

    The limit is restored when the last search ends.
    """
    with _Searches.lock:
        if not _Searches.running:
            _Searches.limit = sys.getrecursionlimit()
        _Searches.running += 1
    try:
        raise_limit(plies)
        yield
    finally:
        with _Searches.lock:
            _Searches.running -= 1
            if not _Searches.running:
                sys.setrecursionlimit(_Searches.limit)


def raise_limit(plies: int) -> None:
    """Raise the recursion limit for a search that is `plies` plies deep and goes on; only within `deep_recursion`.

    Raises EndlessGame if that is deeper than any search can go.
    """
    if plies < STEP:
        return
    with _Searches.lock:
        if not _Searches.running:
            return
        wanted = _Searches.limit + FRAMES * (plies + STEP)
        if wanted > max(MOST, _Searches.limit + FRAMES * STEP):
            raise EndlessGame(f"the game is too long to be searched: it still goes on after {plies:,} plies")
        if wanted > sys.getrecursionlimit():
            sys.setrecursionlimit(wanted)


@contextmanager
def steady_limit() -> Iterator[None]:
    """Keep other threads from changing the limit until the end of the block: Python 3.11 cannot parse meanwhile."""
    with _Searches.lock:
        yield
