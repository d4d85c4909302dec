"""Lines about the server's own work, for whoever runs it."""

import sys
from contextlib import suppress
from typing import IO

__all__ = ["write_line"]


def write_line(line: str, stream: IO[str] | None = None) -> None:
    """Write a line to a stream, standard error if none is given; the server goes on if that is not possible."""
    with suppress(OSError, ValueError):  # a full disk, a reader that left, a closed stream
        print(line, file=stream or sys.stderr, flush=True)
