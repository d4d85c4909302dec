"""The positions above those that are being valued, and their scores, ready to be looked up by compiled code."""

import os
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

from noughts.solving.files import Facts

__all__ = ["Above"]

Array = Any
"""An array of numpy; without its stubs, mypy knows no more."""

SLICE = 1 << 20
"""How many children are compared with the groups at once."""

WORDS = 4
"""The most words of a table for each of its positions, where an entry is one word."""

ONE_WORD = 48
"""Codes of fewer bits than this fit into one word with a score, nearly always."""


class Group(NamedTuple):
    """Some parts of a tier as a table, as `look_up` has it."""

    first: int
    last: int
    table: Array
    size: int
    """How many entries the table has, as a logarithm."""
    bits: int
    lowest: int

    def settle(self, module: Any, children: Array, parents: Array, number: int, best: Array) -> int:
        """Raise the scores of the parents of those children that are in the group; return how many are."""
        addresses = (array.ctypes.data for array in (children, parents))
        table = self.table.ctypes.data, self.size, self.bits, self.lowest
        found: int = module.settle(*addresses, number, self.first, self.last, *table, best.ctypes.data)
        return found


class Above:
    """Groups of parts, read when they are needed, and kept while there is room: the next task needs the same ones."""

    def __init__(self, module: Any, read: Callable[[str], Array], room: int) -> None:
        self._module, self._read, self._room = module, read, room
        self._kept: dict[Any, Group] = {}
        self._spare: Array | None = None

    def is_roomy(self, above: list[Facts]) -> bool:
        """Return whether there is room for all positions of the tiers above at once."""
        return sum(map(_words, above)) <= self._room

    def groups(self, above: list[Facts], children: Array) -> Iterator[Group]:
        """Yield the groups that may have any of some children; `above` are the parts of the tiers above."""
        for _, parts in groupby(above, key=lambda part: part["tier"]):
            bundles = self._bundles(list(parts))
            for bundle, is_reached in zip(bundles, _reached(children, bundles), strict=True):
                if is_reached:
                    yield self._group(bundle)

    def _bundles(self, parts: list[Facts]) -> list[list[Facts]]:
        """Return the parts of a tier in bundles: of as many positions as half of the room is for, or one part each."""
        bundles: list[list[Facts]] = []
        held = 0
        for part in parts:
            if not bundles or held + _words(part) > self._room // 2:
                bundles.append([])
                held = 0
            bundles[-1].append(part)
            held += _words(part)
        return bundles

    def _group(self, bundle: list[Facts]) -> Group:
        files = [path for part in bundle for path in (part["codes"], part["scores"])]
        stats = map(os.stat, files)
        key = tuple((path, stat.st_ino, stat.st_mtime_ns) for path, stat in zip(files, stats, strict=True))
        group = self._kept.pop(key, None)
        if group is None:
            room = self._room - sum(map(_words, bundle))
            while self._kept and sum(len(each.table) for each in self._kept.values()) > room:
                self._spare = self._kept.pop(next(iter(self._kept))).table
            group = self._made(bundle)
        self._kept[key] = group
        return group

    def _made(self, bundle: list[Facts]) -> Group:
        first, last, count = bundle[0]["first"], bundle[-1]["last"], sum(part["count"] for part in bundle)
        scores = [self._read(part["scores"]) for part in bundle]
        width = max(each.dtype.itemsize for each in scores)
        bits = 8 * width if last.bit_length() + 8 * width < 64 else 0
        lowest = -(1 << 8 * width - 1) if bits else 0
        size = (2 * count).bit_length()
        words = (1 if bits else 2) << size
        table, self._spare = self._spare, None
        if table is None or len(table) != words:
            table = np.empty(words, dtype=np.int64)
        table.fill(-1)
        for part, each in zip(bundle, scores, strict=True):
            codes, raised = self._read(part["codes"]).astype(np.int64), each.astype(np.int64) - lowest
            self._module.fill(codes.ctypes.data, raised.ctypes.data, len(codes), table.ctypes.data, size, bits)
        return Group(first, last, table, size, bits, lowest)


def _words(part: Facts) -> int:
    """Return the most words that a table takes for the positions of a part."""
    words: int = WORDS * part["count"]
    return words if part["last"].bit_length() < ONE_WORD else 2 * words


def _reached(children: Array, bundles: list[list[Facts]]) -> list[bool]:
    """Return which bundles may have any of the children."""
    if len(bundles) == 1:
        return [True]
    firsts = np.array([bundle[0]["first"] for bundle in bundles])
    counts = np.zeros(len(bundles) + 1, dtype=np.int64)
    for begin in range(0, len(children), SLICE):
        some = np.searchsorted(firsts, children[begin : begin + SLICE], side="right")
        counts += np.bincount(some, minlength=len(counts))
    return [bool(count) for count in counts[1:]]
