"""A process that answers questions, one after another: a line of JSON in, lines of JSON out.

The first line says how it is set up. A question is `{"id", "kind", "values"}`, and `{"cancel": id}` stops it;
the answer is `{"id", "reply", "retires"}`, before which may come any number of `{"id", "progress"}`. A reply of null
says that the memory did not suffice. When its input ends, whoever started it is gone, and it ends too.
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
from time import monotonic, sleep
from typing import IO, Any

from noughts.notices import told_in_lines
from noughts.web.handlers import Handlers, Reply, load_file

__all__ = ["main"]

PAUSE = 0.1
"""Seconds between two reports of progress."""

ALIVE, BEAT = 4.0, 0.5
"""Seconds after which a process ends in which no other thread gets to run, and between two signs that one does."""


def main() -> None:
    """Answer what comes in on standard input until it ends."""
    source, out = _pipes()
    _end_with_parent()
    settings = json.loads(source.readline() or "null")
    if settings is None:
        return
    _be_modest(settings["nice"], settings["memory_mib"])
    worker = _Worker(Handlers(settings["files"], tuple(settings["only"])), out, settings["retire_mib"])
    Thread(target=worker.listen, args=(source,), daemon=True).start()
    with told_in_lines():
        worker.work()


def _pipes() -> tuple[IO[str], IO[str]]:
    """Return standard input and output, and put others in their place: what a game reads or prints is not for us."""
    source = os.fdopen(os.dup(0), encoding="utf-8")
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return source, out


def _end_with_parent() -> None:
    """Have this process end when the one that started it does, also if no thread here gets to run any more.

    A thread that sees the input end cannot run while a game's function holds the interpreter's lock, as a long
    calculation in C does. On Linux the system ends the process. Elsewhere, a process in which no thread runs for some
    seconds ends itself, whether it is still wanted or not: nothing in it could find that out.
    """
    if not _killed_with_parent():
        Thread(target=_show_signs_of_life, daemon=True).start()
    elif hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_killed_with_parent)


def _killed_with_parent() -> bool:
    """Have the system kill this process when its parent ends; say whether it will."""
    if sys.platform != "linux":
        return False
    try:
        from ctypes import CDLL

        set_death_signal = 1  # PR_SET_PDEATHSIG
        return bool(CDLL(None).prctl(set_death_signal, int(signal.SIGKILL), 0, 0, 0) == 0)
    except (ImportError, OSError, AttributeError):
        return False


def _show_signs_of_life() -> None:
    """Put off, again and again, the end of this process, which comes by a thread that needs no lock."""
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        while True:
            faulthandler.dump_traceback_later(ALIVE, exit=True, file=nowhere)
            sleep(BEAT)


class _Worker:
    """Answers in one thread, and listens in another for what comes next or is to be stopped."""

    def __init__(self, handlers: Handlers, out: IO[str], retire_mib: int) -> None:
        self._handlers = handlers
        self._out = out
        self._retire_mib = retire_mib
        self._waiting: SimpleQueue[dict[str, Any]] = SimpleQueue()
        self._cancelled = -1
        self._process = os.getpid()

    def listen(self, source: IO[str]) -> None:
        """Take in questions, and note what is cancelled."""
        for line in source:
            message = json.loads(line)
            if "cancel" in message:
                self._cancelled = message["cancel"]
            else:
                self._waiting.put(message)
        os._exit(0)  # a search may be running: nobody wants it any more

    def work(self) -> None:
        """Answer, until so much memory was taken that it is better to begin anew."""
        self._send({"ready": True})
        while True:
            message = self._waiting.get()
            try:
                reply = self._reply(message)
            except MemoryError:
                reply = None
            retires = reply is None or _memory_mib() > self._retire_mib
            self._send({"id": message["id"], "reply": reply, "retires": retires})
            if retires:
                os._exit(0)

    def _reply(self, message: dict[str, Any]) -> Any:
        """Do what is asked: answer a question, or get games ready."""
        number, kind, values = message["id"], message["kind"], message["values"]
        last = 0.0

        def tell(so_far: dict[str, Any]) -> None:
            nonlocal last
            if monotonic() - last >= PAUSE:
                last = monotonic()
                self._send({"id": number, "progress": so_far})

        try:
            if kind == "load":
                return load_file(**values, tell=tell)
            if kind == "compile":
                self._handlers.compile(values["game"])
                return True
            return self._handlers.answer(kind, values, lambda: self._cancelled == number, tell)
        except MemoryError:
            raise
        except Exception:
            traceback.print_exc()  # for whoever runs the server
            return Reply(500, json.dumps({"error": "something went wrong here; the server's own log says what"}))

    def _send(self, message: dict[str, Any]) -> None:
        if os.getpid() != self._process:  # a game has forked: one of the two is enough to answer
            os._exit(0)
        self._out.write(json.dumps(message))
        self._out.write("\n")
        self._out.flush()


def _be_modest(nice: int, memory_mib: int) -> None:
    """Leave others the processor, and take no more memory than this, as far as the system lets us say so."""
    try:
        import resource
    except ImportError:  # not on this system
        return
    os.nice(nice)
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = memory_mib * 2**20
    resource.setrlimit(resource.RLIMIT_DATA, (wanted if most == resource.RLIM_INFINITY else min(wanted, most), most))


def _memory_mib() -> float:
    """Return how much memory the process has now; where that is not told, the most that it ever had."""
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
