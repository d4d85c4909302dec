"""A pool of worker processes that run tasks, and end with the process that started them, however it ends."""

import json
import os
import selectors
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from noughts.solving.files import Facts
from noughts.solving.tasks import Job, Task
from noughts.solving.worker import MOST_DEATHS, facts_in, killed_too_often, request_of

__all__ = ["ProcessEngine"]

MANY = 1 << 14
"""A task of so many positions shows that there will soon be work for all workers, so that those not yet there begin."""

LOOK_EVERY = 0.2
"""Seconds between two looks at whether to stop."""


class ProcessEngine:
    """Runs tasks on several processes, each of which keeps the game loaded."""

    def __init__(self, workers: int, check: Callable[[], None] = lambda: None) -> None:
        self._wanted, self._check = workers, check
        self._workers: list[_Worker] = []

    def run(self, job: Job, tasks: Sequence[Task]) -> Iterator[tuple[Task, Facts]]:
        """Run tasks, as many at once as there are workers; a task whose worker dies is given to another."""
        waiting, deaths = deque(tasks), dict.fromkeys((task.output for task in tasks), 0)
        busy: dict[_Worker, Task] = {}
        if self._workers and any(task.positions >= MANY for task in tasks):
            self._begin_all(job)
        with selectors.DefaultSelector() as selector:
            for worker in self._workers:
                selector.register(worker.answers, selectors.EVENT_READ, worker)
            while waiting or busy:
                self._check()
                while waiting and len(busy) < self._wanted:
                    worker = self._idle(busy, selector)
                    task = waiting.popleft()
                    busy[worker] = task
                    worker.send(job, task)
                for key, _ in selector.select(LOOK_EVERY):
                    worker = key.data
                    answer = worker.answer()
                    if answer is not None:
                        yield busy.pop(worker), facts_in(answer)
                        continue
                    selector.unregister(worker.answers)
                    self._workers.remove(worker)
                    worker.end()
                    if worker in busy:
                        task = busy.pop(worker)
                        deaths[task.output] += 1
                        if deaths[task.output] == MOST_DEATHS:
                            raise killed_too_often()
                        waiting.appendleft(task)

    def _begin_all(self, job: Job) -> None:
        """Start those workers that are not there yet, and have them load the game: that takes them a second or two."""
        while len(self._workers) < self._wanted:
            worker = _Worker()
            self._workers.append(worker)
            worker.send(job, None)

    def _idle(self, busy: "dict[_Worker, Task]", selector: selectors.BaseSelector) -> "_Worker":
        """Return a worker that has nothing to do: a new one if there is none."""
        for worker in self._workers:
            if worker not in busy:
                return worker
        worker = _Worker()
        self._workers.append(worker)
        selector.register(worker.answers, selectors.EVENT_READ, worker)
        return worker

    def close(self) -> None:
        """End all workers."""
        for worker in self._workers:
            worker.end()
        self._workers.clear()


class _Worker:
    """One process: it reads tasks, a line each, and answers each with a line."""

    def __init__(self) -> None:
        command = [sys.executable, "-c", "from noughts.solving.worker import main; main()", str(os.getpid())]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(each for each in sys.path if each)}
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, start_new_session=True
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._tasks, self.answers = self._process.stdin, self._process.stdout

    def send(self, job: Job, task: Task | None) -> None:
        """Give it a task, or have it get ready; if it is dead, its answer will say so."""
        with suppress(OSError):
            self._tasks.write(request_of(job, task))
            self._tasks.flush()

    def answer(self) -> dict[str, Any] | None:
        """Return its answer; None if it has died."""
        line = self.answers.readline()
        return json.loads(line) if line.endswith(b"\n") else None

    def end(self) -> None:
        """Kill it: what it has not finished has no name yet."""
        self._process.kill()
        for stream in (self._tasks, self.answers):
            with suppress(OSError):
                stream.close()
        self._process.wait()
