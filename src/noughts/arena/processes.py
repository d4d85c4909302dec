"""Runs pairs of games: in this process, or in several others, which end with this one."""

import json
import os
import selectors
import signal
import subprocess
import sys
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any

from noughts.arena.pairs import Abandoned, Maker, PairTask, Played, Setting, play_pair
from noughts.capabilities import ResolvedGame, resolve
from noughts.errors import BrokenGame, NoughtsError
from noughts.gamefile import LOADED, blame, named_error
from noughts.notation import load
from noughts.solving.worker import end_with_parent, read_requests

__all__ = ["in_processes", "in_this_process", "main"]

LOOK_EVERY = 0.2
"""Seconds between two looks at whether to stop."""

Pair = tuple[Played, Played]

Results = Generator[tuple[PairTask, Pair], None, None]
"""Tasks with their games; closing it ends the processes."""


def in_this_process(
    setting: Setting,
    game: ResolvedGame[Any, Any],
    tasks: Iterable[PairTask],
    makers: Mapping[str, Maker],
    cancelled: Callable[[], bool],
) -> Results:
    """Yield each task with its two games, until it is stopped."""
    for task in tasks:
        if cancelled():
            return
        try:
            played = play_pair(setting, game, task, makers, cancelled)
        except Abandoned:
            return
        yield task, played


def in_processes(setting: Setting, tasks: Iterable[PairTask], jobs: int, cancelled: Callable[[], bool]) -> Results:
    """Yield each task with its two games, in the order of the tasks, until it is stopped; several run at once."""
    waiting, next_task = iter(tasks), 0
    given: list[PairTask] = []
    done: dict[int, Pair] = {}
    busy: dict[_Worker, int] = {}
    workers = [_Worker(setting) for _ in range(jobs)]
    try:
        with selectors.DefaultSelector() as selector:
            for worker in workers:
                selector.register(worker.answers, selectors.EVENT_READ, worker)
            while True:
                for worker in workers:
                    if worker not in busy and (task := next(waiting, None)) is not None:
                        busy[worker] = len(given)
                        given.append(task)
                        worker.send(task)
                if not busy:
                    return
                for key, _ in selector.select(LOOK_EVERY):
                    done[busy.pop(key.data)] = key.data.answer()
                while next_task in done:
                    yield given[next_task], done.pop(next_task)
                    next_task += 1
                if cancelled():
                    return
    finally:
        for worker in workers:
            worker.end()


class _Worker:
    """One process: it reads pairs to play, a line each, and answers each with a line."""

    def __init__(self, setting: Setting) -> None:
        command = [sys.executable, "-c", "from noughts.arena.processes import main; main()", str(os.getpid())]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(each for each in sys.path if each)}
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, start_new_session=True
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._tasks, self.answers = self._process.stdin, self._process.stdout
        self._write(setting)

    def send(self, task: PairTask) -> None:
        """Give it a pair to play."""
        self._write(task)

    def _write(self, items: tuple[Any, ...]) -> None:
        with suppress(OSError):  # if it is dead, its answer will say so
            self._tasks.write(json.dumps(items).encode() + b"\n")
            self._tasks.flush()

    def answer(self) -> Pair:
        """Return the games it has played, or raise the error that it ended with."""
        line = self.answers.readline()
        if not line.endswith(b"\n"):
            raise NoughtsError("a process that played games was ended, for lack of memory perhaps")
        found = json.loads(line)
        if "error" in found:
            raise (BrokenGame if found["broken"] else NoughtsError)(found["error"])
        one, other = (_played(items) for items in found["games"])
        return one, other

    def end(self) -> None:
        """End it, and the games that it plays."""
        for stream in (self._tasks, self.answers):
            with suppress(OSError):
                stream.close()
        self._process.kill()
        self._process.wait()


def _played(items: list[Any]) -> Played:
    opening, moves, result, margin, failure, caveats = items
    return Played(tuple(opening), tuple(moves), result, margin, failure, (caveats[0], caveats[1]))


def main() -> None:
    """Play the pairs that standard input names, and write the games to standard output, a line of JSON each."""
    end_with_parent(int(sys.argv[1]))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever started it
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a game prints
    requests: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=read_requests, args=(sys.stdin.buffer, requests), daemon=True).start()
    game, names, *rest = json.loads(requests.get())
    setting = Setting(game, tuple(names), *rest)
    while True:
        answers.write(json.dumps(_answer(setting, PairTask(*json.loads(requests.get())))).encode() + b"\n")
        answers.flush()


def _answer(setting: Setting, task: PairTask) -> dict[str, Any]:
    try:
        return {"games": play_pair(setting, resolve(load(setting.game)), task)}
    except NoughtsError as error:
        return {"error": str(error), "broken": isinstance(error, BrokenGame)}
    except Exception as error:  # a game may raise anything
        where = [f"{path}, {found}" for path, full in LOADED.items() if (found := blame(error, full)) is not None]
        return {"error": where[0] if where else named_error(error), "broken": bool(where)}
