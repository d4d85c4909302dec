"""Room for recursion: as much as a search needs where it is, and no more.

A search calls itself once a ply, and Python limits how deeply functions may call each other. The limit is raised as the
search goes deeper, so that the functions of a game always have about as much room as anywhere else: one that calls
itself without end gets a RecursionError at once, not after a million calls, which take the memory or the machine's
stack.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from noughts.errors import EndlessGame

__all__ = ["STEP", "deep_recursion", "make_room", "steady_limit"]

STEP = 50
"""Plies between two calls of `make_room`. A search that is not deeper than that needs no more room than there is."""

FRAMES = 6
"""Calls within each other that a search makes for a ply, at most."""

MOST = 1_000_000
"""Calls within each other that there may be in all: each takes memory."""


class _Searches:
    """The searches that run now, in all threads, since the limit is one for all of them."""

    lock = Lock()
    running = 0
    limit = 0
    """What the limit was before the first of them."""


def _after_fork() -> None:
    """Go on in a child process, where a thread that held the lock does not exist."""
    _Searches.lock = Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


@contextmanager
def deep_recursion(plies: int = 0) -> Iterator[None]:
    """Let `make_room` raise the limit of recursion until the end of the block; make room for so many plies at once."""
    with _Searches.lock:
        if not _Searches.running:
            _Searches.limit = sys.getrecursionlimit()
        _Searches.running += 1
    try:
        make_room(plies)
        yield
    finally:
        with _Searches.lock:
            _Searches.running -= 1
            if not _Searches.running:
                sys.setrecursionlimit(_Searches.limit)


def make_room(plies: int) -> None:
    """Make room for a search that is so many plies deep and goes on, within `deep_recursion`; else do nothing.

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
    """Keep the limit as it is until the end of the block: Python 3.11 cannot parse while another thread changes it."""
    with _Searches.lock:
        yield
