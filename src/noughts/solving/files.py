"""Work files of a solve in progress: written whole or not at all, with checksums, so that a run can go on from them.

    noughts work 2 CHECKSUM LENGTH\\n     the checksum of the header, and its length
    header                               JSON: `facts`, which the task returned, and each section's size and checksum
    sections                             one after the other

A file that is valid was written by a task that ended, so the task need not run again: its facts are in the file. Of a
large file, some sections can be read without the others.
"""

import json
import os
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

from noughts.errors import NoughtsError, shown

__all__ = ["Facts", "WorkFile", "facts_of", "read_work", "reporting_disk", "write_work"]

Facts = dict[str, Any]
"""What a task tells the driver: small, and made of what JSON has."""

MAGIC = b"noughts work 2"


class WorkFile(NamedTuple):
    """The content of a work file."""

    facts: Facts
    sections: list[memoryview]
    """Those that were read."""


def write_work(path: str, facts: Facts, sections: Sequence[Any] = (), *, lasting: bool = False) -> None:
    """Write a work file: it has its name only once all of it is written.

    A file that is lost or damaged when the power is cut is written again by the same task, with the same content. So
    only a `lasting` file, one without which the task could not be run again, is waited for until it is on the disk.
    """
    views = [memoryview(section).cast("B") for section in sections]
    sizes, checksums = [len(view) for view in views], [zlib.crc32(view) for view in views]
    header = json.dumps({"facts": facts, "sizes": sizes, "checksums": checksums}, separators=(",", ":")).encode()
    temporary = f"{path}.{os.urandom(8).hex()}.tmp"  # several machines may write it at once
    try:
        with open(temporary, "wb") as file:
            file.write(b"%s %08x %d\n" % (MAGIC, zlib.crc32(header), len(header)))
            file.write(header)
            for view in views:
                file.write(view)
            file.flush()
            if lasting:
                os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def read_work(path: str, choose: Callable[[Facts], range] | None = None) -> WorkFile | None:
    """Return what a work file holds, or None if it is not there or is damaged.

    All sections are read, or those whose numbers `choose` returns, from the facts of the file.
    """
    try:
        with open(path, "rb") as file, suppress(ValueError, KeyError, TypeError):
            words = file.readline(100).split()
            if len(words) != 5 or b" ".join(words[:3]) != MAGIC:
                return None
            content = file.read(int(words[4]))
            if zlib.crc32(content) != int(words[3], 16):
                return None
            header = json.loads(content)
            facts, sizes = header["facts"], header["sizes"]
            if file.tell() + sum(sizes) != os.fstat(file.fileno()).st_size:
                return None
            chosen = range(len(sizes)) if choose is None else choose(facts)
            file.seek(sum(sizes[: chosen.start]), os.SEEK_CUR)
            sections = [memoryview(file.read(sizes[number])) for number in chosen]
            if [zlib.crc32(each) for each in sections] == [header["checksums"][number] for number in chosen]:
                return WorkFile(facts, sections)
    except FileNotFoundError:
        pass
    return None


def facts_of(path: str) -> Facts | None:
    """Return the facts of a work file, all of which is read; None if it is not there or is damaged."""
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
