"""Writes result files: whole or not at all, even if the terminal is closed meanwhile."""

import errno
import os
import signal
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from typing import BinaryIO, TextIO

from noughts.cli.terminal import OutputLost
from noughts.errors import NoughtsError, shown

__all__ = ["outliving_terminal", "output_file", "write_file"]


@contextmanager
def output_file(path: str) -> Iterator[Callable[[str | bytes], None]]:
    """Yield a function that writes the file once its content is known.

    Raises NoughtsError at once if the file cannot be written. Closing the terminal does not end the work.
    """
    with _told(path):
        whole = _check(path)
    with _hangup_ignored() if whole else nullcontext():
        yield partial(write_file, path)


def write_file(path: str, content: str | bytes) -> None:
    """Write a file whole, or leave it as it was and raise NoughtsError.

    A new file gets its name when all of it is on the disk. A link is kept, and the file it points to is replaced.
    A file that is not regular, such as /dev/null or a pipe, is written directly.
    """
    data = content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace")
    with _told(path):
        stream = _own_stream(path)
        if stream is not None:
            stream.flush()
            stream.buffer.write(data)
            stream.flush()
            return
        there = _status(path)
        if there is None or stat.S_ISREG(there.st_mode):
            _replace(path, data, there)
        else:
            with open(path, "wb") as file:
                file.write(data)


@contextmanager
def outliving_terminal(stream: TextIO) -> Iterator[None]:
    """Let the work inside continue when the terminal is closed, if the stream for its result is a file."""
    try:
        regular = stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except (OSError, ValueError):  # a stream in memory
        regular = False
    with _hangup_ignored() if regular else nullcontext():
        yield


@contextmanager
def _hangup_ignored() -> Iterator[None]:
    hangup = getattr(signal, "SIGHUP", None)  # missing on some systems
    if hangup is None or signal.getsignal(hangup) is not signal.SIG_DFL:
        yield
        return
    signal.signal(hangup, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(hangup, signal.SIG_DFL)


@contextmanager
def _told(path: str) -> Iterator[None]:
    """Turn an OSError about a file into a NoughtsError of one line."""
    try:
        yield
    except OutputLost:
        raise
    except OSError as error:
        raise NoughtsError(f"cannot write {shown(path, 60)}: {error.strerror}") from None
    except ValueError:  # a null character
        raise NoughtsError(f"cannot write {shown(path, 60)}: that is not a file name") from None


def _own_stream(path: str) -> TextIO | None:
    """Return the standard stream that a path such as /dev/stdout refers to, else None."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            if os.path.samestat(os.stat(path), os.fstat(stream.fileno())):
                return stream
    return None


def _status(path: str) -> os.stat_result | None:
    """Return the status of a file, or None if it does not exist."""
    try:
        return os.stat(path)
    except FileNotFoundError:
        if os.path.basename(path) in ("", ".", ".."):
            raise
        return None


def _check(path: str) -> bool:
    """Raise OSError if a file cannot be written; return whether it is a regular file. Changes nothing."""
    if _own_stream(path) is not None:
        return False
    there = _status(path)
    if there is None or stat.S_ISREG(there.st_mode):
        file, temporary = _temporary(os.path.realpath(path), there)
        file.close()
        os.unlink(temporary)
        return True
    if stat.S_ISDIR(there.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    _allowed(path)
    return False


def _allowed(path: str) -> None:
    """Raise PermissionError if an existing file may not be written."""
    if not os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def _replace(path: str, data: bytes, there: os.stat_result | None) -> None:
    """Write a new file beside the old one, and rename it once it is on the disk."""
    target = os.path.realpath(path)
    file, temporary = _temporary(target, there)
    try:
        with file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    with suppress(OSError):  # some systems cannot
        folder = os.open(os.path.dirname(target), os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _temporary(target: str, there: os.stat_result | None) -> tuple[BinaryIO, str]:
    """Return a new file in the target's folder, open for writing, and its name.

    It has the mode of the old file, or the default one, and its owner and group where the system permits.
    """
    if there is not None:
        _allowed(target)
    mode = 0o666 if there is None else 0o600
    name = os.path.join(os.path.dirname(target), f".noughts-{os.urandom(8).hex()}.tmp")
    try:
        file = open(name, "xb", opener=lambda path, flags: os.open(path, flags, mode))  # noqa: SIM115 - the caller's
    except OSError as error:
        if there is None:
            raise
        why = f"{error.strerror}: no new file can be made in its folder, and a file is only replaced as a whole"
        raise OSError(error.errno, why) from None
    if there is not None:
        if hasattr(os, "chown"):
            for owner, group in ((there.st_uid, -1), (-1, there.st_gid)):
                with suppress(OSError):
                    os.chown(name, owner, group)
        with suppress(OSError):
            os.chmod(name, stat.S_IMODE(there.st_mode) & 0o777)
    return file, name
