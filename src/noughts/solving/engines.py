"""Engines: what runs the tasks of a solve. Each runs the same tasks, and so writes the same bytes."""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from noughts.solving.files import Facts
from noughts.solving.tasks import Job, Task, run_task

__all__ = ["LocalEngine", "TaskEngine"]


class TaskEngine(Protocol):
    """Runs tasks. One that dies may be run again, anywhere: its output appears whole or not at all."""

    def run(self, job: Job, tasks: Sequence[Task]) -> Iterator[tuple[Task, Facts]]:
        """Run tasks that do not depend on each other; yield each with its facts when it is done, in any order."""

    def close(self) -> None:
        """End whatever was started."""


class LocalEngine:
    """Runs tasks in this process, one after the other."""

    def __init__(self, check: Callable[[], None] = lambda: None) -> None:
        self._check = check

    def run(self, job: Job, tasks: Sequence[Task]) -> Iterator[tuple[Task, Facts]]:
        """Run tasks in their order; `check` is called before each, and may raise an exception to stop."""
        for task in tasks:
            self._check()
            yield task, run_task(job, task)

    def close(self) -> None:
        """Do nothing: nothing was started."""
