"""Log lines about the server itself, for the person who runs it."""

import sys
from contextlib import suppress
from typing import IO

__all__ = ["write_line"]


def write_line(line: str, stream: IO[str] | None = None) -> None:
    """Write a line to a stream, by default standard error. A failure to write is ignored: the server must go on."""
    with suppress(OSError, ValueError):  # a full disk, a closed pipe, a closed stream
        print(line, file=stream or sys.stderr, flush=True)
