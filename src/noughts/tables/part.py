"""Reading one part of a table: its files, mapped into memory, and their blocks, checked before they are believed."""

import json
import mmap
import os
import zlib
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from noughts.errors import BadTable, shown_path
from noughts.tables.layout import (
    DIGEST_BYTES,
    FILE_DIGEST_BYTES,
    digest,
    unpack_codes,
    unpack_numbers,
    unpack_small,
    value_bits,
)
from noughts.tables.writer import FileFacts, Part, first_line

__all__ = ["Block", "PartFile", "check_file"]

TRAILER = 8 + FILE_DIGEST_BYTES


class Block(NamedTuple):
    """The positions of one block."""

    codes: Sequence[int]
    utilities: Sequence[int]
    """For the player to move, each with `highest` added."""
    distances: Sequence[int] | None


class PartFile:
    """The files of one part. Raises BadTable, naming the file, wherever they are not what the manifest says."""

    def __init__(self, folder: str, part: Part, highest: int, has_distances: bool) -> None:
        self.part = part
        self._bits = value_bits(highest)
        self._values = _BlockFile(os.path.join(folder, part.values.name), part.values, "values")
        self._distances: _BlockFile | None = None
        if has_distances and part.distances is not None:
            path = os.path.join(folder, part.distances.name)
            self._distances = _BlockFile(path, part.distances, "distances")
        facts = self._values.facts
        self._size, self._count, self._width = facts["block"], facts["positions"], facts["code_bytes"]
        self._firsts = self._values.firsts()
        self.blocks = len(self._firsts)

    def number_of(self, code: int) -> int | None:
        """Return the number of the block in which a code is, if it is in this part."""
        return bisect_right(self._firsts, code) - 1 if self.part.first <= code <= self.part.last else None

    def start_of(self, number: int) -> int:
        """Return how many positions of the part come before a block."""
        return number * int(self._size)

    def place_of(self, rank: int) -> tuple[int, int]:
        """Return in which block, and where in it, a position of the part is."""
        return divmod(rank, self._size)

    def check(self, highest: int) -> None:
        """Read all blocks; raise BadTable if the codes are not in order, or a utility is out of range."""
        before = -1
        for number in range(self.blocks):
            codes, utilities, _ = self.block(number)
            if codes[0] <= before or any(after <= code for code, after in pairwise(codes)):
                raise self._values.damaged(f"the codes of block {number} are not in order")
            if max(utilities) > 2 * highest:
                raise self._values.damaged(f"block {number} has a utility that the game does not have")
            before = codes[-1]
        if (self._firsts[0], before, self._count) != (self.part.first, self.part.last, self.part.positions):
            raise self._values.damaged("its positions are not those that the manifest lists")

    def block(self, number: int) -> Block:
        """Return a block, once it is found to match its digest."""
        count = min(self._size, self._count - number * self._size)
        content = self._values.block(number)
        try:
            codes, end = unpack_codes(content, self._firsts[number], count, self._width)
            packed = content[end:]
            utilities: Sequence[int]
            if self._bits > 8:
                utilities, _ = unpack_numbers(packed, count)
            else:
                utilities = unpack_small(packed, self._bits, count)
            distances = None
            if self._distances is not None:
                distances, _ = unpack_numbers(self._distances.block(number), count)
        except (ValueError, IndexError, OverflowError) as error:  # written so, with a digest that fits
            raise BadTable(f"{shown_path(self._values.path)} is damaged: {error}") from None
        return Block(codes, utilities, distances)


class _BlockFile:
    """One file: its blocks by number."""

    def __init__(self, path: str, listed: FileFacts, kind: str) -> None:
        self.path = path
        self._listed = listed
        check_file(path, listed)
        try:
            with open(path, "rb") as file:
                self._content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            raise BadTable(f"cannot read {shown_path(path)}: {getattr(error, 'strerror', None) or error}") from None
        line, content = first_line(kind), self._content
        end = len(content) - TRAILER
        start = end - int.from_bytes(content[end : end + 8], "little")
        if content[: len(line)] != line or start < len(line):
            raise self.damaged(f"it does not begin and end as a file of {kind} does")
        found = digest(line + content[start : end + 8], FILE_DIGEST_BYTES)
        if found != content[end + 8 :] or found.hex() != listed.digest:
            raise self.damaged("its index does not match the digest in the manifest")
        text, _, self._index = content[start:end].partition(b"\n")
        self.facts: dict[str, int] = json.loads(text)
        self._width = self.facts.get("code_bytes", 0)
        self._blocks = -(-self.facts["positions"] // self.facts["block"])
        sizes_at = self._blocks * self._width
        self._digests_at = sizes_at + 4 * self._blocks
        sizes = (self._index[place : place + 4] for place in range(sizes_at, self._digests_at, 4))
        places = accumulate((int.from_bytes(size, "little") for size in sizes), initial=len(line))
        self._places = array("Q", places)
        if self._places[-1] != start:
            raise self.damaged("its blocks do not fill it")

    def firsts(self) -> Sequence[int]:
        """Return the first code of each block."""
        ends = range(0, self._blocks * self._width, self._width)
        codes = [int.from_bytes(self._index[place : place + self._width], "little") for place in ends]
        return array("Q", codes) if self._width <= 8 else codes

    def block(self, number: int) -> bytes:
        """Return the content of a block, once it is found to match its digest."""
        if self._content.size() != self._listed.size:  # of the file as it is now
            raise self.damaged("it has been changed since it was opened")
        packed = self._content[self._places[number] : self._places[number + 1]]
        place = self._digests_at + number * DIGEST_BYTES
        if digest(packed, DIGEST_BYTES) != self._index[place : place + DIGEST_BYTES]:
            raise self.damaged(f"block {number} does not match its digest")
        try:
            return zlib.decompress(packed)
        except zlib.error as error:
            raise self.damaged(f"block {number}: {error}") from None

    def damaged(self, why: str) -> BadTable:
        """Return the error for a file that is not as it should be."""
        return BadTable(f"{shown_path(self.path)} is damaged and not used: {why}")


def check_file(path: str, listed: FileFacts) -> None:
    """Raise BadTable if a file that the manifest lists is missing or has another size."""
    try:
        size = os.stat(path).st_size
    except FileNotFoundError:
        raise BadTable(f"{shown_path(path)} is missing: the manifest of its table lists it") from None
    except OSError as error:
        raise BadTable(f"cannot read {shown_path(path)}: {error.strerror or error}") from None
    if size != listed.size:
        raise BadTable(
            f"{shown_path(path)} is damaged and not used: it has {size:,} bytes, and should have {listed.size:,}"
        )
