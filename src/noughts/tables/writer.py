"""Writing the files of a table: a part, block by block, from lists or from arrays of numpy.

    noughts table 1 values\\n          what the file is
    blocks                             each compressed; at most `BLOCK` positions
    footer                             a line of JSON, then for each block its first code, its size, its digest
    trailer                            the length of the footer, 8 bytes; a digest of the first line and the footer

A file of distances has the same blocks in the same order, and no codes. docs/tables.md is the whole specification.
"""

import json
import os
import zlib
from contextlib import suppress
from types import TracebackType
from typing import Any, BinaryIO, NamedTuple

from noughts.tables.layout import (
    BLOCK,
    DIGEST_BYTES,
    FILE_DIGEST_BYTES,
    digest,
    pack_codes,
    pack_numbers,
    pack_small,
    value_bits,
)

__all__ = ["FileFacts", "Part", "PartWriter", "first_line", "replace_file"]

STRATEGIES = {"values": zlib.Z_DEFAULT_STRATEGY, "distances": zlib.Z_RLE}
"""How zlib looks for what repeats. Distances repeat next to each other or not at all, and searching further is slow."""
WORD = 8


class FileFacts(NamedTuple):
    """One file of a table, as the manifest lists it."""

    name: str
    """Its name in the folder."""
    size: int
    digest: str
    """The digest of its first line and footer, which has the digests of all blocks."""


class Part(NamedTuple):
    """A part of a table: positions of one tier whose codes lie from `first` to `last`."""

    tier: int
    positions: int
    first: int
    last: int
    values: FileFacts
    distances: FileFacts | None


def first_line(kind: str) -> bytes:
    """Return the first line of a file of `values` or of `distances`."""
    return f"noughts table 1 {kind}\n".encode()


class PartWriter:
    """Writes one part of a table: `add` positions in the order of their codes, as often as you like, then `close`.

    Each file gets its name only when it is whole and on the disk; until then it has a temporary name in the same
    folder. Used as a context manager, it removes what is unfinished if an exception passes. The bytes depend on the
    positions alone, not on how they were divided among calls, nor on whether they were lists or arrays.

    `highest` is the largest utility, in size, that the game has: 1 without margins. Without `distances`, only the
    values are written.
    """

    def __init__(self, folder: str, name: str, tier: int, *, highest: int = 1, distances: bool = True) -> None:
        self._tier = tier
        self._highest, self._bits = highest, value_bits(highest)
        self._values = _BlockWriter(folder, f"wdl-{name}.ntb", "values")
        self._distances = _BlockWriter(folder, f"dtm-{name}.ntb", "distances") if distances else None
        self._pending: list[tuple[Any, Any, Any]] = []
        self._count = self._positions = 0
        self._firsts: list[int] = []
        self._last = -1

    def add(self, codes: Any, utilities: Any, distances: Any = ()) -> None:
        """Add positions: their codes in ascending order, utilities for the player to move, and distances.

        All are sequences of whole numbers or arrays of numpy. The distance of a draw is 0.
        """
        if len(utilities) != len(codes) or (self._distances is not None and len(distances) != len(codes)):
            raise ValueError("a table needs a utility and a distance for each code")
        start, end = 0, len(codes)
        while start < end:
            stop = min(end, start + BLOCK - self._count)
            self._pending.append((codes[start:stop], utilities[start:stop], distances[start:stop]))
            self._count += stop - start
            start = stop
            if self._count == BLOCK:
                self._write_block()

    def close(self) -> Part:
        """Write what is left, give the files their names, and return what the manifest must say about them."""
        if self._count:
            self._write_block()
        if not self._firsts:
            raise ValueError("a part of a table needs a position")
        positions, first = self._positions, self._firsts[0]
        width = max(WORD, -(-self._last.bit_length() // 8))
        facts = {"positions": positions, "block": BLOCK, "code_bytes": width, "highest": self._highest}
        firsts = b"".join(code.to_bytes(width, "little") for code in self._firsts)
        distances = None
        if self._distances is not None:
            distances = self._distances.close({"positions": positions, "block": BLOCK}, b"")
        values = self._values.close(facts, firsts)
        return Part(self._tier, positions, first, self._last, values, distances)

    def discard(self) -> None:
        """Remove what is unfinished."""
        self._values.discard()
        if self._distances is not None:
            self._distances.discard()

    def __enter__(self) -> "PartWriter":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.discard()

    def _write_block(self) -> None:
        codes, utilities, distances = map(_joined, zip(*self._pending, strict=True))
        self._pending, self._count = [], 0
        first, last = int(codes[0]), int(codes[-1])
        if first <= self._last or not _is_ascending(codes):
            raise ValueError("the codes of a table must ascend")
        self._firsts.append(first)
        self._positions += len(codes)
        self._last = last
        self._values.write(pack_codes(codes) + self._packed_values(utilities))
        if self._distances is not None:
            self._distances.write(pack_numbers(distances))

    def _packed_values(self, utilities: Any) -> bytes:
        """Return utilities, made numbers of 0 or more, in as few bits as they need."""
        highest = self._highest
        if hasattr(utilities, "astype"):
            lowest, most = int(utilities.min()) + highest, int(utilities.max()) + highest
            raised = utilities.astype("i8") + highest
        else:
            raised = [utility + highest for utility in utilities]
            lowest, most = min(raised), max(raised)
        if lowest < 0 or most > 2 * highest:
            raise ValueError(f"a utility is not from {-highest} to {highest}")
        if self._bits > 8:
            return pack_numbers(raised)
        return pack_small(raised.astype("u1") if hasattr(raised, "astype") else bytes(raised), self._bits)


def _joined(pieces: tuple[Any, ...]) -> Any:
    """Return slices of sequences or arrays as one."""
    if len(pieces) == 1:
        return pieces[0]
    return [number for piece in pieces for number in (piece.tolist() if hasattr(piece, "tolist") else piece)]


def _is_ascending(codes: Any) -> bool:
    if hasattr(codes, "astype"):
        return bool((codes[1:] > codes[:-1]).all())
    return all(map(int.__lt__, codes, codes[1:]))


class _BlockWriter:
    """Writes the blocks of one file, and its footer at the end."""

    def __init__(self, folder: str, name: str, kind: str) -> None:
        self._folder, self._name = folder, name
        self._line, self._strategy = first_line(kind), STRATEGIES[kind]
        self._sizes: list[int] = []
        self._digests: list[bytes] = []
        self._temporary = os.path.join(folder, f".{name}-{os.urandom(8).hex()}.tmp")
        self._file: BinaryIO | None = open(self._temporary, "xb")  # noqa: SIM115 - closed by `close` or `discard`
        self._file.write(self._line)

    def write(self, content: bytes) -> None:
        """Write one block."""
        assert self._file is not None
        zipped = zlib.compressobj(zlib.Z_BEST_SPEED, strategy=self._strategy)
        packed = zipped.compress(content) + zipped.flush()
        self._sizes.append(len(packed))
        self._digests.append(digest(packed, DIGEST_BYTES))
        self._file.write(packed)

    def close(self, facts: dict[str, int], firsts: bytes) -> FileFacts:
        """Write the footer, wait until everything is on the disk, and give the file its name."""
        assert self._file is not None
        line = json.dumps(facts, separators=(",", ":")).encode() + b"\n"
        sizes = b"".join(size.to_bytes(4, "little") for size in self._sizes)
        footer = b"".join([line, firsts, sizes, *self._digests])
        length = len(footer).to_bytes(8, "little")
        found = digest(self._line + footer + length, FILE_DIGEST_BYTES)
        self._file.write(footer + length + found)
        size = self._file.tell()
        _finish(self._file, self._temporary, os.path.join(self._folder, self._name))
        self._file = None
        return FileFacts(self._name, size, found.hex())

    def discard(self) -> None:
        """Remove the temporary file, if it does not have its name yet."""
        if self._file is not None:
            with suppress(OSError):  # a full disk refuses what is not written yet
                self._file.close()
            self._file = None
            with suppress(OSError):
                os.unlink(self._temporary)


def _finish(file: BinaryIO, temporary: str, path: str) -> None:
    """Close a file once it is on the disk, and rename it."""
    file.flush()
    os.fsync(file.fileno())
    file.close()
    os.replace(temporary, path)
    with suppress(OSError):  # some systems cannot
        folder = os.open(os.path.dirname(path) or ".", os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def replace_file(path: str, content: bytes) -> None:
    """Write a file whole or not at all: under a temporary name, renamed once it is on the disk."""
    temporary = os.path.join(os.path.dirname(path), f".{os.path.basename(path)}-{os.urandom(8).hex()}.tmp")
    file = open(temporary, "xb")  # noqa: SIM115 - closed by `_finish`
    try:
        file.write(content)
        _finish(file, temporary, path)
    except BaseException:
        with suppress(OSError):
            file.close()
        with suppress(OSError):
            os.unlink(temporary)
        raise
