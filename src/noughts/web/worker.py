"""A process that answers questions, one after another: a line of JSON in, lines of JSON out.

The first line says how it is set up. A question is `{"id", "kind", "values"}`, and `{"cancel": id}` stops it;
the answer is `{"id", "reply"}`, before which may come any number of `{"id", "progress"}`. When its input ends, whoever
started it is gone, and it ends too.
"""

import json
import os
import sys
import traceback
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from time import monotonic
from typing import IO, Any

from noughts.errors import NoKernel
from noughts.notices import told_in_lines
from noughts.web.answers import Answers, Reply

__all__ = ["main", "warm"]

PAUSE = 0.1
"""Seconds between two reports of progress."""

NOT_ENOUGH = "this question takes more memory than this server gives one"


def main() -> None:
    """Answer what comes in on standard input until it ends."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a game prints must not get among the answers
    settings = json.loads(sys.stdin.readline())
    _be_modest(settings["nice"], settings["memory_mib"])
    worker = _Worker(Answers(settings["files"], tuple(settings["only"])), out, settings["retire_mib"])
    Thread(target=worker.listen, args=(sys.stdin,), daemon=True).start()
    with told_in_lines():
        worker.work()


def warm() -> None:
    """Compile the kernels of the games named on standard input, so that later questions find them ready."""
    from noughts.compiled.answers import KernelAnalyst
    from noughts.compiled.build import available
    from noughts.web.answers import Desk

    settings = json.loads(sys.stdin.readline())
    _be_modest(settings["nice"], settings["memory_mib"])
    Thread(target=_leave_with, args=(sys.stdin,), daemon=True).start()
    answers = Answers(settings["files"])
    with told_in_lines(), suppress(NoKernel):  # whoever asks is told
        for notation in settings["games"]:
            desk = Desk(partial(answers.game, notation))
            if desk.offers.kernel() is not None and available() and not desk.small:
                KernelAnalyst(desk.game, table_mib=1, threads=1).solver  # noqa: B018 - asked for, it is made


def _leave_with(source: IO[str]) -> None:
    """End the process when its input does."""
    source.read()
    os._exit(0)


class _Worker:
    """Answers in one thread, and listens in another for what comes next or is to be stopped."""

    def __init__(self, answers: Answers, out: IO[str], retire_mib: int) -> None:
        self._answers = answers
        self._out = out
        self._retire_mib = retire_mib
        self._waiting: SimpleQueue[dict[str, Any]] = SimpleQueue()
        self._cancelled = -1

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
            reply = self._reply(message)
            retires = reply is None or _memory_mib() > self._retire_mib
            reply = reply or Reply(503, json.dumps({"error": NOT_ENOUGH}))
            self._send({"id": message["id"], "reply": reply, "retires": retires})
            if retires:
                os._exit(0)

    def _reply(self, message: dict[str, Any]) -> Reply | None:
        """Answer a question; None if the memory does not suffice."""
        number = message["id"]
        last = 0.0

        def tell(so_far: dict[str, Any]) -> None:
            nonlocal last
            if monotonic() - last >= PAUSE:
                last = monotonic()
                self._send({"id": number, "progress": so_far})

        try:
            return self._answers.answer(
                message["kind"],
                message["values"],
                lambda: self._cancelled == number,
                tell,
            )
        except MemoryError:
            return None
        except Exception:
            traceback.print_exc()  # for whoever runs the server
            return Reply(500, json.dumps({"error": "something went wrong here; the server's own log says what"}))

    def _send(self, message: dict[str, Any]) -> None:
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
