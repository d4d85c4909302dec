"""Tasks: pure functions on files, which any engine may run anywhere, once or several times.

There are these kinds, and each task does a part of a tier:

- *merge* reads the runs of a tier, which earlier tiers have left for it, and writes a part: its positions, each once;
- *forward* finds the children of a part's positions, and writes a run of them for each tier in which they are;
- *backward* values a part's positions from those of the tiers above, and writes the part of the table.

Where positions repeat, so that no tiers order them, three others do the work of backward: *link* finds where the
children of a part's positions are, *round* values a part from what was known a round before, again and again, and
*settle* writes the part of the table.

What a task is told are the names of files and small facts; what it returns are small facts, which are in its output
too. So a task whose output is valid need not run again.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from noughts.capabilities import ResolvedGame
from noughts.solving.files import Facts
from noughts.solving.sources import GameSource

__all__ = ["Job", "Method", "Task", "method_of", "run_task"]


class Job(NamedTuple):
    """What all tasks of a solve have in common."""

    game: GameSource
    folder: str
    """Where the table goes."""
    work: str
    """Where the work files go."""
    method: str
    """How positions are found and valued: `interpreted` or `native`."""
    part: int
    """The most positions of a part, about."""
    largest: int
    """The same, of a tier of very many positions."""
    coding: str
    """How states become codes, as the manifest of the table will say: JSON."""
    tiered: bool
    """Whether the game says in which tier a state is; else tiers are plies from the start."""


class Task(NamedTuple):
    """One task: what to do, with what, and the work file that is written last."""

    kind: str
    output: str
    arguments: dict[str, Any]
    positions: int
    """About how many positions it is about, for the progress."""


class Method(Protocol):
    """A way to do the tasks: `interpreted`, or `native` on arrays."""

    def seed(self, output: str, arguments: dict[str, Any]) -> Facts:
        """Write the run that has the initial position alone."""

    def merge(self, output: str, arguments: dict[str, Any]) -> Facts:
        """Write the positions of a part, each once."""

    def forward(self, output: str, arguments: dict[str, Any]) -> Facts:
        """Write the runs of the children of a part."""

    def backward(self, output: str, arguments: dict[str, Any]) -> Facts:
        """Write the values of a part, and its files of the table."""


def run_task(job: Job, task: Task) -> Facts:
    """Do a task and return its facts."""
    method = method_of(job)
    do: Callable[[str, dict[str, Any]], Facts] = getattr(method, task.kind)
    return do(task.output, task.arguments)


@lru_cache(maxsize=4)
def method_of(job: Job) -> Method:
    """Return what does the tasks of a job; a process keeps it, with the game that it has loaded."""
    game: ResolvedGame[Any, Any] = job.game.load()
    if job.method == "native":
        from noughts.solving.native import Native

        return Native(job, game)
    from noughts.solving.cycles import Cyclic

    return Cyclic(job, game)
