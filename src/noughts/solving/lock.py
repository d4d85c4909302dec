"""A lock on the folder of a solve, so that two drivers do not work in it at once."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from noughts.errors import NoughtsError, shown

__all__ = ["locked"]


@contextmanager
def locked(folder: str, work: str) -> Iterator[None]:
    """Hold the lock of a work folder; raise NoughtsError if another process has it.

    The system releases it when the process ends, however it ends. Where there are no such locks, nothing is locked.
    """
    try:
        import fcntl
    except ImportError:
        yield
        return
    descriptor = os.open(os.path.join(work, "lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise NoughtsError(f"another solve is at work in {shown(folder, 60)}") from None
        yield
    finally:
        os.close(descriptor)
