"""The cache of compiled kernels on disk, and which of its folders are trusted.

Loading a kernel runs code from its folder: numba's index files are pickles. So nothing is read from a folder that
anybody but the user and root can change, be it directly or by putting another in its place. Nor is anything read but
plain files, of a limited size, and all of them must be on the list that the kernel's folder has of itself.
"""

import errno
import hashlib
import json
import os
import re
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = [
    "Untrusted",
    "cache_folder",
    "folder_to_make_in",
    "is_whole",
    "keep",
    "make_cache",
    "mark_used",
    "remove",
    "write",
]

CHECKSUMS = "checksums.json"

COMPILED = "__pycache__"
"""The folder, in a kernel's, into which numba writes."""

MOST_FILES = 32
MOST_BYTES = 1 << 26
"""More than a kernel has; a folder that exceeds it is not a kernel."""

MOST_KEPT = 100
"""How many kernels are kept, the most recently used ones; one takes about half a mebibyte."""

MOST_LINKS = 40
"""Symbolic links on the way to a folder, as Linux has it."""

KERNEL_NAME = re.compile(r"[0-9a-f]{32}")
MAKING_NAME = re.compile(r"making-[a-z0-9_]{8}")
LOCK = "lock"


class Untrusted(OSError):
    """A folder that other users can change: running what is in it would run their code."""


def cache_folder() -> Path:
    """Return where compiled kernels are kept: `NOUGHTS_CACHE`, or a folder of the user's cache."""
    chosen = os.environ.get("NOUGHTS_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME")
    try:
        return Path(base or Path.home() / ".cache") / "noughts"
    except RuntimeError:  # there is no home folder; nothing can be kept here
        return Path(os.devnull) / "noughts"


def make_cache(folder: Path) -> None:
    """Make a folder for kernels, closed to others, unless it is there; raise Untrusted if others can change it."""
    check_trusted(folder)
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        with suppress(FileExistsError):  # another process was faster
            os.mkdir(each, 0o700)
            os.chmod(each, 0o700)  # whatever the umask
    if not folder.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder))
    check_trusted(folder)


def check_trusted(folder: Path) -> None:
    """Raise Untrusted if anybody but the user and root can change what a folder holds, or put another in its place.

    Every folder on the way counts, and where symbolic links lead. In a folder that all can write to and in which only
    the owner can rename an entry, such as /tmp, an entry of one's own is safe. A folder that does not exist is judged
    by where it would be.

    Windows tells Python nothing of owners. There the default folder is the user's alone by the access list that it
    inherits; whoever chooses another has to choose one of their own.
    """
    if not hasattr(os, "geteuid"):
        return
    first, *names = folder.absolute().parts
    pending, here, links = names[::-1], Path(first), 0
    _check_owned(here, here.lstat(), last=not pending)
    while pending:
        name = pending.pop()
        if name == os.pardir:
            here = here.parent
            continue
        path = here / name
        try:
            found = path.lstat()
        except OSError:  # nothing is there, or nothing that we may look at
            return
        if stat.S_ISDIR(found.st_mode):
            _check_owned(path, found, last=not pending)
            here = path
            continue
        if not stat.S_ISLNK(found.st_mode):  # no folder, as whoever wants to make or read one will be told
            return
        _check_owned(path, found, last=False)
        links += 1
        if links > MOST_LINKS:
            raise Untrusted(f"{folder} leads through too many symbolic links")
        target = Path(os.readlink(path))
        pending += reversed(target.parts)
        if target.is_absolute():
            here = Path(pending.pop())


def _check_owned(path: Path, found: os.stat_result, last: bool) -> None:
    """Raise Untrusted unless a file or folder is the user's or root's, and nobody else can write there."""
    if not _is_trusted_owner(found):
        raise Untrusted(f"{path} belongs to another user (number {found.st_uid}); choose a folder of your own")
    # Others may add entries of their own to a sticky folder, but not rename ours.
    harmless = stat.S_ISLNK(found.st_mode) or (found.st_mode & stat.S_ISVTX and not last)
    if _others_can_write(found) and not harmless:
        raise Untrusted(f"others can write to {path}; `chmod go-w {path}` would end that")


def _is_trusted_owner(found: os.stat_result) -> bool:
    return not hasattr(os, "geteuid") or found.st_uid in (0, os.geteuid())


def _others_can_write(found: os.stat_result) -> bool:
    return os.name == "posix" and bool(found.st_mode & (stat.S_IWGRP | stat.S_IWOTH))


def is_whole(folder: Path, texts: Mapping[str, str]) -> bool:
    """Say whether a folder can be trusted and holds these texts and what was compiled from them, and nothing else."""
    try:
        check_trusted(folder.parent)
        files = _contents(folder)
        listed = json.loads(files.pop(CHECKSUMS))
        return (
            isinstance(listed, dict)
            and listed == {name: _checksum(content) for name, content in files.items()}
            and all(files.get(name) == text.encode() for name, text in texts.items())
        )
    except (OSError, ValueError, KeyError, RecursionError):
        return False


def keep(folder: Path, making: Path) -> None:
    """Close a kernel to others, list what it consists of, and put it in its place unless another process was faster."""
    making.chmod(0o700)
    for path in making.rglob("*"):  # numba leaves the modes to the umask
        path.chmod(0o700 if path.is_dir() else 0o600)
    checksums = {name: _checksum(content) for name, content in _contents(making).items()}
    write(making / CHECKSUMS, json.dumps(checksums))
    if not folder.exists():
        making.rename(folder)


def write(path: Path, text: str) -> None:
    """Write a new file, closed to others."""
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(text.encode())


def mark_used(folder: Path) -> None:
    """Note that a kernel was used now, so that it is kept longer than others."""
    with suppress(OSError):
        os.utime(folder)


def remove(path: Path) -> None:
    """Remove whatever is at a path: a folder, a file, a link; never what a link leads to."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _contents(folder: Path) -> dict[str, bytes]:
    """Return all files of a kernel's folder by name; raise OSError if there is anything but plain files of our own."""
    found: dict[str, bytes] = {}
    for inner in ("", COMPILED):
        within = folder / inner
        status = within.lstat()
        if not stat.S_ISDIR(status.st_mode):
            raise Untrusted(f"{within} is not a folder")
        _check_owned(within, status, last=True)
        with os.scandir(within) as entries:
            for entry in entries:
                if len(found) == MOST_FILES:
                    raise Untrusted(f"{folder} holds too many files")
                name = f"{inner}/{entry.name}" if inner else entry.name
                if name != COMPILED:
                    found[name] = _plain_file(within / entry.name)
    return found


def _plain_file(path: Path) -> bytes:
    """Return what a file of our own holds; raise OSError if it is anything else, which is not even opened to read."""
    if not stat.S_ISREG(path.lstat().st_mode):
        raise Untrusted(f"{path} is not a plain file")
    flags = ("O_NOFOLLOW", "O_NONBLOCK", "O_NOCTTY", "O_BINARY")  # those that the system has
    descriptor = os.open(path, sum((getattr(os, flag, 0) for flag in flags), os.O_RDONLY))
    with open(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_size > MOST_BYTES:
            raise Untrusted(f"{path} is not a plain file of a kernel's size")
        _check_owned(path, status, last=True)
        content = file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise Untrusted(f"{path} grows while it is read")
        return content


def _checksum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@contextmanager
def folder_to_make_in(cache: Path) -> Iterator[Path]:
    """Give a private folder within a cache, locked for as long as this process works in it, and removed at the end.

    What dead processes have left there, and the kernels that were not used for longest, are removed at the start.
    """
    _tidy(cache)
    while True:
        folder = Path(tempfile.mkdtemp(dir=cache, prefix="making-"))
        with _locked(folder, wait=True) as locked:
            if not locked:  # another process took it for a leftover before it was locked
                continue
            try:
                yield folder
            finally:
                shutil.rmtree(folder, ignore_errors=True)
            return


def _tidy(cache: Path) -> None:
    """Remove what dead processes have left half-made, and all but the kernels used last."""
    kernels = []
    with os.scandir(cache) as entries:
        for entry in entries:
            path = Path(entry.path)
            if not entry.is_dir(follow_symlinks=False):
                continue
            if MAKING_NAME.fullmatch(entry.name):
                with suppress(OSError):
                    _remove_leftover(path)
            elif KERNEL_NAME.fullmatch(entry.name) and (path / CHECKSUMS).exists():
                kernels.append((entry.stat(follow_symlinks=False).st_mtime_ns, path))
    for _, path in sorted(kernels, reverse=True)[MOST_KEPT - 1 :]:  # one more is about to be made
        shutil.rmtree(path, ignore_errors=True)


def _remove_leftover(folder: Path) -> None:
    names = os.listdir(folder)
    if any(name != LOCK and not KERNEL_NAME.fullmatch(name) for name in names):
        return  # whatever it is, it is not ours
    with _locked(folder, wait=False) as locked:
        if locked:
            shutil.rmtree(folder)


@contextmanager
def _locked(folder: Path, wait: bool) -> Iterator[bool]:
    """Hold the lock of a folder, and say whether we have it: not if another process has, or it has removed the folder.

    The system gives the lock up when a process dies, however it does; on a file system for many machines, too. Where
    there are no such locks, as on Windows, the maker goes on without and nothing is ever removed.
    """
    try:
        import fcntl
    except ImportError:
        yield wait
        return
    path = folder / LOCK
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    except FileNotFoundError:
        yield False
        return
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
            ours = path.exists() and os.path.samestat(os.fstat(descriptor), path.lstat())
        except FileNotFoundError:
            ours = False
        except OSError:  # another process has it, or there are no locks here
            ours = wait
        yield ours
    finally:
        os.close(descriptor)
