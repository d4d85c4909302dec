"""A worker process: it reads jobs from standard input and writes replies to standard output, as lines of JSON.

The first line holds its settings. A job is `{"id", "kind", "values"}`, and `{"cancel": id}` cancels it. The reply is
`{"id", "reply", "retires"}`, after any number of `{"id", "progress"}`. A reply of null means that the worker ran out of
memory. When its input ends, the server is gone, and the worker ends too.
"""

import faulthandler
import json
import os
import signal
import sys
import traceback
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from time import sleep
from typing import IO, Any

from noughts.notices import told_in_lines
from noughts.web.handlers import Handlers, Reply, load_file
from noughts.web.questions import spaced

__all__ = ["main"]

WATCHDOG_TIMEOUT, WATCHDOG_INTERVAL = 4.0, 0.5
"""Seconds after which the watchdog ends a process whose threads cannot run, and between two resets of the watchdog."""


def main() -> None:
    """Answer the jobs on standard input until it ends."""
    source, out = _pipes()
    _end_with_parent()
    settings = json.loads(source.readline() or "null")
    if settings is None:
        return
    _set_limits(settings["nice"], settings["memory_mib"])
    handlers = Handlers(settings["files"], tuple(settings["only"]), settings["tables"])
    worker = _Worker(handlers, out, settings["retire_mib"])
    Thread(target=worker.listen, args=(source,), daemon=True).start()
    with told_in_lines():
        worker.work()


def _pipes() -> tuple[IO[str], IO[str]]:
    """Return the pipes to the server, and replace standard input and output so that a game cannot use the pipes."""
    source = os.fdopen(os.dup(0), encoding="utf-8")
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    return source, out


def _end_with_parent() -> None:
    """Make this process end when its parent does, even if no thread of it can run any more.

    The thread that reads the input cannot run while a game's function holds the interpreter's lock, as a long
    computation in C does. On Linux the system kills the process. Elsewhere a watchdog ends a process in which no thread
    has run for some seconds, even if its parent still lives: nothing in the process could find that out.
    """
    if not _die_with_parent():
        null = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - for as long as the process lives
        _set_watchdog(null)  # at once: the thread may get no turn before a game's function takes the lock
        Thread(target=_reset_watchdog, args=(null,), daemon=True).start()
    elif hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_die_with_parent)


def _die_with_parent() -> bool:
    """Ask the system to kill this process when its parent ends; return whether it will."""
    if sys.platform != "linux":
        return False
    try:
        from ctypes import CDLL

        set_death_signal = 1  # PR_SET_PDEATHSIG
        return bool(CDLL(None).prctl(set_death_signal, int(signal.SIGKILL), 0, 0, 0) == 0)
    except (ImportError, OSError, AttributeError):
        return False


def _set_watchdog(null: IO[str]) -> None:
    """Set or reset the watchdog. It is a thread of faulthandler, which needs no interpreter lock."""
    faulthandler.dump_traceback_later(WATCHDOG_TIMEOUT, exit=True, file=null)


def _reset_watchdog(null: IO[str]) -> None:
    """Reset the watchdog again and again."""
    while True:
        sleep(WATCHDOG_INTERVAL)
        _set_watchdog(null)


class _Worker:
    """Handlers jobs in one thread, and reads new jobs and cancellations in another."""

    def __init__(self, handlers: Handlers, out: IO[str], retire_mib: int) -> None:
        self._handlers = handlers
        self._out = out
        self._retire_mib = retire_mib
        self._jobs: SimpleQueue[dict[str, Any]] = SimpleQueue()
        self._cancelled = -1
        self._process = os.getpid()

    def listen(self, source: IO[str]) -> None:
        """Read jobs and cancellations until the input ends."""
        for line in source:
            message = json.loads(line)
            if "cancel" in message:
                self._cancelled = message["cancel"]
            else:
                self._jobs.put(message)
        os._exit(0)  # even in the middle of a search: the server is gone

    def work(self) -> None:
        """Answer jobs until the process uses so much memory that it should be replaced."""
        self._send({"ready": True})
        while True:
            message = self._jobs.get()
            try:
                reply = self._reply(message)
            except MemoryError:
                reply = None
            retires = reply is None or _memory_mib() > self._retire_mib
            self._send({"id": message["id"], "reply": reply, "retires": retires})
            if retires:
                os._exit(0)

    def _reply(self, message: dict[str, Any]) -> Any:
        """Return the result of a job: a question, or a game to load or compile."""
        number, kind, values = message["id"], message["kind"], message["values"]
        report = spaced(lambda progress: self._send({"id": number, "progress": progress}))
        try:
            if kind == "load":
                return load_file(**values, tell=report)
            if kind == "compile":
                self._handlers.compile(values["game"])
                return True
            return self._handlers.answer(kind, values, lambda: self._cancelled == number, report)
        except MemoryError:
            raise
        except Exception:
            traceback.print_exc()  # in the log of the server
            return Reply(500, json.dumps({"error": "internal error; the log of the server has the details"}))

    def _send(self, message: dict[str, Any]) -> None:
        if os.getpid() != self._process:  # a game has forked: only the original process answers
            os._exit(0)
        try:
            self._out.write(json.dumps(message))
            self._out.write("\n")
            self._out.flush()
        except BrokenPipeError:  # the server is gone
            os._exit(0)


def _set_limits(nice: int, memory_mib: int) -> None:
    """Lower this process's priority and limit its memory, where the system supports that."""
    try:
        import resource
    except ImportError:  # not available on this system
        return
    os.nice(nice)
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = memory_mib * 2**20
    resource.setrlimit(resource.RLIMIT_DATA, (wanted if most == resource.RLIM_INFINITY else min(wanted, most), most))


def _memory_mib() -> float:
    """Return how much memory the process uses; where the system does not say, its peak so far."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    except (OSError, ValueError, AttributeError):
        pass
    try:
        import resource
    except ImportError:
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)
