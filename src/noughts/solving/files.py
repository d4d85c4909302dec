"""Work files of a solve in progress: written whole or not at all, with a checksum, so that a run can go on from them.

    noughts work 1 CHECKSUM LENGTH\\n     the checksum of all that follows, and the length of the header
    header                               JSON: `facts`, which the task returned, and the sizes of the sections
    sections                             one after the other

A file that is valid was written by a task that ended, so the task need not run again: its facts are in the file.
"""

import json
import os
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

from noughts.errors import NoughtsError, shown

__all__ = ["Facts", "WorkFile", "facts_of", "read_work", "reporting_disk", "write_work"]

Facts = dict[str, Any]
"""What a task tells the driver: small, and made of what JSON has."""

MAGIC = b"noughts work 1"


class WorkFile(NamedTuple):
    """The content of a work file."""

    facts: Facts
    sections: list[memoryview]


def write_work(path: str, facts: Facts, sections: Sequence[Any] = ()) -> None:
    """Write a work file: it has its name only once all of it is on the disk."""
    views = [memoryview(section).cast("B") for section in sections]
    sizes = [len(view) for view in views]
    header = json.dumps({"facts": facts, "sizes": sizes}, separators=(",", ":")).encode()
    checksum = zlib.crc32(header)
    for view in views:
        checksum = zlib.crc32(view, checksum)
    temporary = f"{path}.{os.urandom(8).hex()}.tmp"  # several machines may write it at once
    try:
        with open(temporary, "wb") as file:
            file.write(b"%s %08x %d\n" % (MAGIC, checksum, len(header)))
            file.write(header)
            for view in views:
                file.write(view)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def read_work(path: str) -> WorkFile | None:
    """Return what a work file holds, or None if it is not there or is damaged."""
    try:
        with open(path, "rb") as file:
            first = file.readline(100)
            content = file.read()
    except FileNotFoundError:
        return None
    words = first.split()
    if len(words) != 5 or b" ".join(words[:3]) != MAGIC:
        return None
    with suppress(ValueError, KeyError, TypeError):
        if zlib.crc32(content) != int(words[3], 16):
            return None
        length = int(words[4])
        header = json.loads(content[:length])
        return WorkFile(header["facts"], list(_sections(memoryview(content), length, header["sizes"])))
    return None


def _sections(content: memoryview, start: int, sizes: list[int]) -> Iterator[memoryview]:
    for size in sizes:
        yield content[start : start + size]
        start += size


def facts_of(path: str) -> Facts | None:
    """Return the facts of a work file, or None if it is not there or is damaged."""
    found = read_work(path)
    return None if found is None else found.facts


@contextmanager
def reporting_disk(folder: str) -> Iterator[None]:
    """Turn an error of the disk into one clear line: which folder, why, and that nothing is lost."""
    try:
        yield
    except OSError as error:
        why = error.strerror or str(error)
        raise NoughtsError(
            f"cannot write to {shown(folder, 60)}: {why}; nothing is lost, and the same command goes on from here"
        ) from None
