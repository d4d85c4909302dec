"""The transposition table of a kernel, shared by all questions to one solver, from any thread or callback.

**What is shared, and why it is safe.** Words of the table: each holds a whole key and a bound of its position's score,
is read and written at once, and is true whichever thread wrote it. The marks of what threads are searching: they change
only the order in which positions are searched. Everything else (workspaces, limits, counters, results) belongs to one
question.

**What is not safe** is to double the table while another thread searches it, since words then move. So a search has the
table in one of two ways. *Alone*, it doubles the table itself when it is full. *Shared*, the size does not change. A
search that comes while another one is alone stops that one, which begins again, shared, with what it left in the table.
`changing` stops all searches while the table is doubled or emptied; they begin again afterwards.

**After a fork** the child has a copy of the table: the memory is private. Searches in other threads do not exist in the
child. If one was running, it may have been doubling the table, so the child begins with an empty one.
"""

import mmap
import os
import weakref
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition, Event, RLock
from typing import Any, TypeAlias

from noughts.compiled import layout
from noughts.errors import NoughtsError

__all__ = ["NEVER", "Run", "SharedTable", "Workspace"]

Workspace: TypeAlias = "array[int]"
"""The memory of one thread; the kernel works on it by its address."""

SMALL = 1 << 13
"""Entries in use at first: 64 KiB, which a short search fills and a processor empties in a microsecond or two."""

QUICKLY_DOUBLED = 1 << 17
"""A table of fewer entries is doubled within a millisecond or two."""

NEVER = 1 << 62
"""More nodes than are ever visited."""


class Run:
    """The searches of several threads for one question, which begin and are stopped together."""

    def __init__(self, workspaces: list[Workspace], nodes: int, *, alone: bool) -> None:
        self.workspaces = workspaces
        self.alone = alone
        """Whether the search should have the table alone, if no other search is running."""
        self.nodes = nodes
        """How many nodes each thread may visit."""
        self.stopped = False
        """Whether the run is over; no search of it begins after that."""
        self.done = Event()
        """Set when the first search has ended, for whatever reason."""
        self.out_of_nodes = False


class SharedTable:
    """The words of a table, how many are in use, and the searches that are running on it."""

    def __init__(self, wanted: int, spare: int) -> None:
        self.small, self.entries = sizes(wanted, 1 << spare)
        self._quickly_doubled = min(self.entries, QUICKLY_DOUBLED)
        self.size = self.small
        """Entries in use."""
        self.stored = 0
        """Entries stored since the table was empty; when there are more than fit, it is time to double it."""
        self._use_new_memory()
        self._use_new_lock()
        self._searching: dict[int, Workspace] = {}
        """The workspaces of all searches that are running, by their ids."""
        self._alone: Workspace | None = None
        """The workspace of the search that may double the table."""
        self._changing = False
        self._runs: list[Run] = []
        _TABLES.add(self)

    def use_all(self) -> None:
        """Use all entries from now on, for searches of which each is long; the table must be empty."""
        self.size = self.entries

    def clear(self) -> None:
        """Empty the table. Requires `changing`."""
        self._memory[: self.size] = 0
        self.size, self.stored = self.small, 0

    @contextmanager
    def running(self, run: Run) -> Iterator[None]:
        """A context that stops the searches of a run when it is left in any way; the caller joins their threads."""
        self._runs.append(run)
        try:
            yield
        finally:
            with self._lock:
                run.stopped = True
                for workspace in run.workspaces:
                    workspace[layout.LIMIT] = 0
                self._changed.notify_all()
            self._runs.remove(run)

    def enter(self, run: Run, workspace: Workspace) -> bool:
        """Prepare a workspace and let its search begin, as soon as the table allows; return False if stopped by then.

        Requires a call of `leave` if it returns True.
        """
        with self._lock:
            while not run.stopped and (self._changing or self._alone is not None):
                if self._alone is not None:
                    self._alone[layout.LIMIT] = 0
                self._wait()
            if run.stopped:
                return False
            self._begin(workspace, run.nodes, alone=run.alone and not self._searching)
            return True

    def enter_at_once(self, workspace: Workspace, nodes: int) -> bool:
        """Prepare a workspace for a short search and let it begin, unless it would have to wait; return whether it may.

        Requires a call of `leave` if it returns True. The search gets the table alone only if it may have to double it,
        and only a small one, which takes no time; otherwise several such searches can run at once.
        """
        with self._lock:
            if self._changing or self._alone is not None:
                return False
            grows = self.stored + nodes > self.size and self.size < self._quickly_doubled
            self._begin(workspace, nodes, alone=grows and not self._searching)
            return True

    def _begin(self, workspace: Workspace, nodes: int, alone: bool) -> None:
        workspace[layout.LIMIT] = workspace[layout.NODES] + nodes
        workspace[layout.SIZE], workspace[layout.STORED] = self.size, self.stored
        workspace[layout.LARGEST] = self.entries if alone else self.size
        self._searching[id(workspace)] = workspace
        if alone:
            self._alone = workspace

    def leave(self, workspace: Workspace, stored_before: int) -> None:
        """Record that a search has ended, and what it did to the table."""
        with self._lock:
            self.stored += workspace[layout.STORED] - stored_before
            if self._alone is workspace:
                self.size = workspace[layout.SIZE]
                self._alone = None
            self._searching.pop(id(workspace), None)
            if self._waiting:
                self._changed.notify_all()

    @contextmanager
    def changing(self) -> Iterator[None]:
        """A context without searches: all are stopped, and none begins until it is left."""
        with self._lock:
            while self._changing:
                self._wait()
            self._changing = True
            for workspace in self._searching.values():
                workspace[layout.LIMIT] = 0
            while self._searching:
                self._wait()
        try:
            yield
        finally:
            with self._lock:
                self._changing = False
                self._changed.notify_all()

    def after_fork(self) -> None:
        """Prepare for use in a child process, in which no other thread exists."""
        if self._searching or self._changing:
            self._use_new_memory()
            self.size, self.stored = self.small, 0
        self._use_new_lock()
        self._searching, self._alone, self._changing = {}, None, False
        for run in self._runs:  # if a callback has forked; its question begins again
            run.done = Event()
            run.done.set()

    def _use_new_lock(self) -> None:
        self._lock = RLock()
        self._changed = Condition(self._lock)
        self._waiting = 0
        """How many threads wait for a change."""

    def _wait(self) -> None:
        """Wait for a change. Requires the lock."""
        self._waiting += 1
        try:
            self._changed.wait()
        finally:
            self._waiting -= 1

    def _use_new_memory(self) -> None:
        import numpy

        size = self.entries * layout.WORD
        private = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}
        try:
            memory = mmap.mmap(-1, size, **private)
        except (OSError, OverflowError, ValueError):
            raise NoughtsError(f"there is no memory for a table of {size // 2**20:,} MiB") from None
        if hasattr(mmap, "MADV_HUGEPAGE"):  # with small pages, most of the time is spent on address translation
            memory.madvise(mmap.MADV_HUGEPAGE)
        self._memory: Any = numpy.frombuffer(memory, numpy.int64)
        self.address: int = self._memory.ctypes.data
        """Where the words are."""


_TABLES: weakref.WeakSet[SharedTable] = weakref.WeakSet()


def _after_fork() -> None:
    for table in list(_TABLES):
        table.after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def sizes(wanted: int, unit: int) -> tuple[int, int]:
    """Return how many entries a table begins with, and how many it is doubled to, in multiples of `unit`.

    >>> sizes(1, 1), sizes(131_072, 1), sizes(100 * 131_072, 1), sizes(100_001, 1), sizes(1, 256)
    ((1, 1), (8192, 131072), (6400, 13107200), (100001, 100001), (256, 256))
    """
    largest = small = max(unit, wanted // unit * unit)
    while small > SMALL and small % (4 * unit) == 0:  # two parts at least stay in each unit: entries stand in pairs
        small //= 2
    return small, largest
