"""A guard: a small process that runs another one, and ends all its descendants as soon as it or the driver ends.

Programs such as Ray start many processes, some of which go on for a while without the others, and a program that plays
a game may start any. The guard is the one that Linux gives orphans to, so it finds each of them, whatever session or
group it has moved to. Elsewhere it ends the process group.

This file is run by itself, so it imports the standard library only.
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

__all__ = ["GUARD", "NOT_STARTED", "descendants", "guarded", "kill_descendants", "main"]

GUARD = "NOUGHTS_GUARD"
"""The variable with the process number of the guard."""

NOT_STARTED = 126
"""The exit code of a guard whose command cannot be run."""

PR_SET_CHILD_SUBREAPER = 36
"""Linux: orphans among the descendants become children of this process."""

PR_SET_PDEATHSIG = 1
"""Linux: which signal a process gets when its parent ends."""


def guarded(command: list[str], folder: str, life: int) -> list[str]:
    """Return a command that runs another one under a guard, whose number it finds in its environment.

    `folder` is removed at the end, unless it is an empty text. `life` is the reading end of a pipe; the guard ends
    everything once all writing ends are closed. Its exit code is that of the command, with 128 added to the number of
    a signal that ended it, or `NOT_STARTED`.
    """
    return [sys.executable, "-I", "-S", __file__, str(life), folder, *command]


def main() -> None:
    """Run the command that the arguments name, until it ends or the driver does; leave no process behind."""
    life, folder = int(sys.argv[1]), sys.argv[2]
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    prctl = getattr(ctypes.CDLL(None), "prctl", lambda *_: -1)
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    environment = {**os.environ, GUARD: str(os.getpid())}
    try:
        process = subprocess.Popen(
            sys.argv[3:],
            env=environment,
            process_group=0,
            preexec_fn=lambda: prctl(PR_SET_PDEATHSIG, signal.SIGKILL),  # whoever ends the guard ends the command, too
        )
    except OSError as error:
        print(error.strerror, file=sys.stderr)
        sys.exit(NOT_STARTED)
    os.dup2(2, 0), os.dup2(2, 1)  # so that whoever reads its output sees the end of it
    Thread(target=_kill_at_end_of, args=(life, process), daemon=True).start()
    code = process.wait()
    with suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    kill_descendants()
    if folder:
        shutil.rmtree(folder, ignore_errors=True)
    if not os.path.isdir("/proc"):
        with suppress(OSError):
            os.killpg(os.getpgid(0), signal.SIGKILL)
    os._exit(code if code >= 0 else 128 - code)


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
                group = os.getpgid(each)
                if group != os.getpgid(0):  # all at once, or those that start others all the time would stay ahead
                    os.killpg(group, signal.SIGKILL)
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


if __name__ == "__main__":
    main()
