"""The cache of compiled kernels on disk, and which of its folders are trusted.

Loading a kernel runs code from its folder: numba's index files are pickles. So nothing is read from a folder that
anybody but the user and root can change, either directly or by replacing it with another. Only plain files of a limited
size are read, and each must be on the kernel's own list of checksums.
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
"""The folder inside a kernel's folder into which numba writes."""

MOST_FILES = 32
MOST_BYTES = 1 << 26
"""A kernel has fewer files, and each of them fewer bytes; a folder that exceeds this is not a kernel."""

MOST_KEPT = 100
"""How many kernels are kept, the most recently used ones. Each takes about half a mebibyte."""

MOST_LINKS = 40
"""The most symbolic links on the way to a folder, as on Linux."""

KERNEL_NAME = re.compile(r"[0-9a-f]{32}")
MAKING_NAME = re.compile(r"making-[a-z0-9_]{8}")
LOCK = "lock"


class Untrusted(OSError):
    """A folder that other users can change: running what is in it would run their code."""


def cache_folder() -> Path:
    """Return the folder of compiled kernels: `NOUGHTS_CACHE`, or a folder in the user's cache."""
    chosen = os.environ.get("NOUGHTS_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME")
    try:
        return Path(base or Path.home() / ".cache") / "noughts"
    except RuntimeError:  # there is no home folder; nothing can be kept in this one
        return Path(os.devnull) / "noughts"


def make_cache(folder: Path) -> None:
    """Make a folder for kernels that is closed to others, unless it exists; raise Untrusted if others can change it."""
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

    Every folder on the way counts, and so does every folder that symbolic links lead through. In a sticky folder such
    as /tmp, where everybody can write but only owners can rename, an entry of the user's is safe. A folder that does
    not exist is judged by where it would be.

    On Windows, Python does not know owners. There the default folder is private by the access list that it inherits;
    a user who chooses another folder must choose a private one.
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
        except OSError:  # it does not exist, or we may not look at it
            return
        if stat.S_ISDIR(found.st_mode):
            _check_owned(path, found, last=not pending)
            here = path
            continue
        if not stat.S_ISLNK(found.st_mode):  # not a folder: making or reading it will fail with a clear error
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
    # Others may add entries to a sticky folder, but they cannot rename ours.
    harmless = stat.S_ISLNK(found.st_mode) or (found.st_mode & stat.S_ISVTX and not last)
    if _others_can_write(found) and not harmless:
        raise Untrusted(f"others can write to {path}; `chmod go-w {path}` would end that")


def _is_trusted_owner(found: os.stat_result) -> bool:
    return not hasattr(os, "geteuid") or found.st_uid in (0, os.geteuid())


def _others_can_write(found: os.stat_result) -> bool:
    return os.name == "posix" and bool(found.st_mode & (stat.S_IWGRP | stat.S_IWOTH))


def is_whole(folder: Path, texts: Mapping[str, str]) -> bool:
    """Return whether a folder is trusted and holds exactly these texts and what was compiled from them."""
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
    """Close a new kernel to others, write its checksums, and move it into place unless another process was faster."""
    making.chmod(0o700)
    for path in making.rglob("*"):  # numba leaves the modes to the umask
        path.chmod(0o700 if path.is_dir() else 0o600)
    checksums = {name: _checksum(content) for name, content in _contents(making).items()}
    write(making / CHECKSUMS, json.dumps(checksums))
    if not folder.exists():
        making.rename(folder)


def write(path: Path, text: str) -> None:
    """Write a new file that is closed to others."""
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(text.encode())


def mark_used(folder: Path) -> None:
    """Record that a kernel was used now, so that others are removed first."""
    with suppress(OSError):
        os.utime(folder)


def remove(path: Path) -> None:
    """Remove a folder, a file or a link; never what a link leads to."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _contents(folder: Path) -> dict[str, bytes]:
    """Return the contents of all files in a kernel's folder; raise OSError unless all are plain files of the user's."""
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
    """Return the content of a plain file of the user's; raise OSError for anything else, without waiting for it."""
    if not stat.S_ISREG(path.lstat().st_mode):
        raise Untrusted(f"{path} is not a plain file")
    flags = ("O_NOFOLLOW", "O_NONBLOCK", "O_NOCTTY", "O_BINARY")  # as far as the system has them
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
    """Yield a temporary private folder inside a cache; it is locked while it is used, and removed at the end.

    First removes what dead processes have left in the cache, and the least recently used kernels.
    """
    _tidy(cache)
    while True:
        folder = Path(tempfile.mkdtemp(dir=cache, prefix="making-"))
        with _locked(folder, wait=True) as locked:
            if not locked:  # another process removed it as a leftover before it was locked
                continue
            try:
                yield folder
            finally:
                shutil.rmtree(folder, ignore_errors=True)
            return


def _tidy(cache: Path) -> None:
    """Remove unfinished folders of dead processes, and all but the most recently used kernels."""
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
        return  # not made by us
    with _locked(folder, wait=False) as locked:
        if locked:
            shutil.rmtree(folder)


@contextmanager
def _locked(folder: Path, wait: bool) -> Iterator[bool]:
    """Hold the lock of a folder, and yield whether we got it: not if another process has it or removed the folder.

    The system releases the lock when a process dies for any reason, also on a network file system. Where there are no
    such locks, as on Windows, kernels are made without one, and leftovers are never removed.
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
