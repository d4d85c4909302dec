"""A transposition table of a fixed size, with typed bounds and whole keys: it forgets, but it never mistakes."""

import sys
from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

from noughts.search.answer import Bound

__all__ = ["Entry", "Table"]


class Entry(NamedTuple):
    """What was found out about a position."""

    key: Hashable
    score: int
    bound: Bound
    depth: int
    """How many plies below it were searched."""
    action: Any
    action_key: Hashable
    """The key of the very state in which `action` was best; with symmetry, not always `key`."""


class Table:
    """Keeps entries by whole key in buckets of two: the first for the deeper search, the second for the newer.

    A new entry takes the first place unless another position that was searched deeper is there, and the second place
    then; of the same position the newer entry is kept. How many
    entries fit into `mib` is measured on the first one, since only then is it known how large a key is; or `entries`
    says how many. A poor `hash` costs time, never truth.

    Threads may share it: entries are immutable, slots are read and written at once and never moved. Should two threads
    make the slots at the same time, what one of them has stored is forgotten.
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
        """How much memory it takes when it is full; nothing before it has its first entry."""
        return self._entry_bytes * len(self._slots)

    def get(self, key: Hashable) -> Entry | None:
        """Return what is known of the position with this key, if anything."""
        slots = self._slots
        if slots:
            place = self._hash(key) % (len(slots) // 2) * 2
            for entry in (slots[place], slots[place + 1]):
                if entry is not None and entry.key == key:
                    return entry
        return None

    def put(self, entry: Entry) -> None:
        """Keep an entry, over another one if need be."""
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
    """Return slots for so many entries, two at least."""
    return [None] * (2 * max(1, entries // 2))


def entry_bytes(entry: Entry) -> int:
    """Return what an entry takes in memory: its slot, itself, its key and its numbers."""
    return 8 + _TUPLE + 8 * len(entry) + size_of(entry.key) + size_of(entry.score) + size_of(entry.action)


def size_of(value: object) -> int:
    """Return about the memory that a key or number takes, with all that a tuple or frozenset holds.

    Numbers, texts and tuples take the same on every Python: how many entries fit into a table decides which positions
    share a bucket, and so how many nodes a search visits.
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
