"""A guard: a small process that runs another one, and ends all its descendants as soon as it or the driver ends.

Programs such as Ray start many processes, some of which go on for a while without the others. The guard is the one
that Linux gives orphans to, so it finds each of them, whatever session or group it has moved to. Elsewhere it ends the
process group, and Ray's own means have to do for the rest.
"""

import ctypes
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from threading import Thread
from time import sleep

__all__ = ["GUARD", "descendants", "guarded", "kill_descendants", "main"]

GUARD = "NOUGHTS_GUARD"
"""The variable with the process number of the guard."""

PR_SET_CHILD_SUBREAPER = 36
"""Linux: orphans among the descendants become children of this process."""


def guarded(command: list[str], folder: str, life: int) -> list[str]:
    """Return a command that runs another one under a guard, whose number it finds in its environment.

    `folder` is removed at the end. `life` is the reading end of a pipe; the guard ends everything once all writing
    ends are closed.
    """
    return [sys.executable, "-c", "from noughts.solving.guard import main; main()", str(life), folder, *command]


def main() -> None:
    """Run the command that the arguments name, until it ends or the driver does; leave no process behind."""
    life, folder = int(sys.argv[1]), sys.argv[2]
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    process = subprocess.Popen(sys.argv[3:], env={**os.environ, GUARD: str(os.getpid())})
    os.dup2(2, 0), os.dup2(2, 1)  # so that whoever reads its output sees the end of it
    Thread(target=_kill_at_end_of, args=(life, process), daemon=True).start()
    process.wait()
    kill_descendants()
    shutil.rmtree(folder, ignore_errors=True)
    if not os.path.isdir("/proc"):
        with suppress(OSError):
            os.killpg(os.getpgid(0), signal.SIGKILL)


def _kill_at_end_of(life: int, process: "subprocess.Popen[bytes]") -> None:
    """Wait for the end of a pipe, and kill a process."""
    with suppress(OSError):
        while os.read(life, 1):
            pass
    process.kill()


def kill_descendants() -> None:
    """Kill all descendants of this process; in a guard, those too that they leave behind."""
    while found := list(descendants(os.getpid())):
        for each in found:
            with suppress(OSError):
                os.kill(each, signal.SIGKILL)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        sleep(0.01)


def descendants(process: int) -> Iterator[int]:
    """Yield the children of a process and theirs, as far as the system tells."""
    children: dict[int, list[int]] = {}
    with suppress(FileNotFoundError):
        for name in filter(str.isdecimal, os.listdir("/proc")):
            with suppress(OSError):  # it has ended
                with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                    parent = int(file.read().rpartition(")")[2].split()[1])
                children.setdefault(parent, []).append(int(name))
    waiting = [process]
    while waiting:
        found = children.get(waiting.pop(), [])
        waiting += found
        yield from found
