"""A transposition table of fixed size, with typed bounds and complete keys: entries may be dropped, never mixed up."""

import sys
from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

from noughts.search.answer import Bound

__all__ = ["Entry", "Table"]


class Entry(NamedTuple):
    """The result of a search of a position."""

    key: Hashable
    score: int
    bound: Bound
    depth: int
    """How many plies below the position were searched."""
    action: Any
    action_key: Hashable
    """The key of the state in which `action` was best; with symmetry, `key` may belong to another image."""


class Table:
    """Stores entries by complete key in buckets of two: one for the deeper search, one for the newer.

    A new entry takes the first slot, unless that holds another position that was searched deeper; then it takes the
    second. Of the same position, the newer entry is kept. How many entries fit into `mib` is computed from the first
    entry, since the size of a key is not known before; or `entries` sets the number. A poor `hash` costs time, but does
    not make answers wrong.

    Threads may share it: entries are immutable, and slots are read and written atomically and never moved. If two
    threads create the slots at the same time, the entries of one of them are lost.
    """

    def __init__(self, mib: float = 64, *, entries: int | None = None, hash: Callable[[Hashable], int] = hash) -> None:
        self._bytes = int(mib * 2**20)
        self._hash = hash
        self._entry_bytes = 0
        self._slots: list[Entry | None] = [] if entries is None else empty(entries)

    def __len__(self) -> int:
        return sum(entry is not None for entry in self._slots)

    def clear(self) -> None:
        """Drop all entries."""
        self._slots = [None] * len(self._slots)

    @property
    def bytes(self) -> int:
        """The memory that the full table takes; 0 before the first entry."""
        return self._entry_bytes * len(self._slots)

    def get(self, key: Hashable) -> Entry | None:
        """Return the entry of the position with this key, or None."""
        slots = self._slots
        if slots:
            place = self._hash(key) % (len(slots) // 2) * 2
            entry = slots[place]
            if entry is not None and entry[0] == key:
                return entry
            entry = slots[place + 1]
            if entry is not None and entry[0] == key:
                return entry
        return None

    def put(self, entry: Entry) -> None:
        """Store an entry, and replace another one if the bucket is full."""
        slots = self._slots
        if not slots:
            self._entry_bytes = entry_bytes(entry)
            slots = self._slots = empty(self._bytes // self._entry_bytes)
        place = self._hash(entry.key) % (len(slots) // 2) * 2
        deeper = slots[place]
        if deeper is not None and deeper.key != entry.key and deeper.depth > entry.depth:
            place += 1
        slots[place] = entry


def empty(entries: int) -> list[Entry | None]:
    """Return empty slots for a number of entries, at least two."""
    return [None] * (2 * max(1, entries // 2))


def entry_bytes(entry: Entry) -> int:
    """Return the memory of an entry: its slot, the tuple, its key and its numbers."""
    return 8 + _TUPLE + 8 * len(entry) + size_of(entry.key) + size_of(entry.score) + size_of(entry.action)


def size_of(value: object) -> int:
    """Return the approximate memory of a key or number, with the contents of tuples and frozensets.

    Numbers, texts and tuples count the same on every version of Python. The number of entries in a table decides which
    positions share a bucket, and that changes node counts.
    """
    if isinstance(value, int):
        return 28 + max(0, value.bit_length() - 1) // 30 * 4
    if isinstance(value, tuple):
        return _TUPLE + sum(8 + size_of(item) for item in value)
    if value is None:
        return 16
    if isinstance(value, str):
        return 49 + len(value) * (1 if value.isascii() else 4)
    inside = sum(map(size_of, value)) if isinstance(value, frozenset) else 0
    return sys.getsizeof(value) + inside


_TUPLE = 40
