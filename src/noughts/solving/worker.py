"""A worker process: it does the tasks that it reads, until whoever started it is gone."""

import ctypes
import gc
import json
import os
import signal
import sys
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from traceback import format_exc
from typing import Any, BinaryIO

from noughts.errors import BrokenGame, NoughtsError
from noughts.gamefile import LOADED, blame
from noughts.solving.files import Facts
from noughts.solving.sources import GameSource
from noughts.solving.tasks import Job, Task, method_of, run_task

__all__ = [
    "GONE",
    "MOST_DEATHS",
    "answer_to",
    "end_with_parent",
    "facts_in",
    "job_of",
    "killed_too_often",
    "main",
    "read_requests",
    "request_of",
]

GONE = "OSError"
"""The kind of an answer that says that the disk failed."""

MOST_DEATHS = 5
"""How often a task may take its worker with it before the solve gives up."""

PR_SET_PDEATHSIG = 1
"""Linux: which signal the process gets when its parent ends."""


def request_of(job: Job, task: Task | None) -> bytes:
    """Return a task as a line; without a task, the worker gets ready for the job, and does not answer."""
    return json.dumps([job, task]).encode() + b"\n"


def main() -> None:
    """Read tasks from standard input and answer each on standard output, a line of JSON each."""
    end_with_parent(int(sys.argv[1]))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the driver
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a game prints
    requests: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=read_requests, args=(sys.stdin.buffer, requests), daemon=True).start()
    gc.disable()  # until all modules are loaded, which makes no garbage but takes longer when it is looked for
    while True:
        job_items, task_items = json.loads(requests.get())
        job = job_of(job_items)
        if task_items is None:
            with suppress(Exception):  # whatever it is, the first task will tell
                method_of(job)
        else:
            answers.write(json.dumps(_answer(job, Task(*task_items))).encode() + b"\n")
            answers.flush()
        gc.enable()


def end_with_parent(parent: int) -> None:
    """Ask the system to end this process with its parent, where it can; elsewhere, the end of its input says so."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if hasattr(os, "getppid") and os.getppid() != parent:  # it has ended already
        os._exit(1)


def read_requests(tasks: BinaryIO, requests: "SimpleQueue[bytes]") -> None:
    """Hand on each line; end the process when there are no more, in the middle of a task if need be."""
    for line in tasks:
        requests.put(line)
    os._exit(0)


def job_of(items: list[Any]) -> Job:
    """Return the job of a request."""
    return Job(GameSource(*items[0]), *items[1:])


def answer_to(request: bytes) -> dict[str, Any]:
    """Do the task of a request; return its facts, or the error that it ended with."""
    job_items, task_items = json.loads(request)
    return _answer(job_of(job_items), Task(*task_items))


def _answer(job: Job, task: Task) -> dict[str, Any]:
    try:
        return {"facts": run_task(job, task)}
    except NoughtsError as error:
        return {"error": type(error).__name__, "message": str(error)}
    except OSError as error:
        return {"error": GONE, "number": error.errno, "message": error.strerror or str(error)}
    except Exception as error:  # a game may raise anything
        where = [f"{path}, {found}" for path, full in LOADED.items() if (found := blame(error, full)) is not None]
        if where:
            return {"error": "BrokenGame", "message": where[0]}
        return {"error": "", "message": format_exc()}


def facts_in(answer: dict[str, Any]) -> Facts:
    """Return the facts of a task, or raise the error that it ended with."""
    if "facts" in answer:
        facts: Facts = answer["facts"]
        return facts
    kind, message = answer["error"], answer["message"]
    if kind == GONE:
        raise OSError(answer["number"], message)
    if not kind:
        raise RuntimeError(f"a worker has failed:\n{message}")
    raise BrokenGame(message) if kind == BrokenGame.__name__ else NoughtsError(message)


def killed_too_often() -> NoughtsError:
    """Return the error for a task that has taken its worker with it again and again."""
    return NoughtsError(f"a worker was killed {MOST_DEATHS} times at the same work, for lack of memory perhaps")
