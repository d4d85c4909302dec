"""What solving a game costs, for each position: measured by solving a part of the game in a temporary folder."""

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from random import Random
from time import perf_counter
from typing import Any, NamedTuple

from noughts.capabilities import ResolvedGame
from noughts.solving.driver import Driver, Wider
from noughts.solving.files import Facts, write_work
from noughts.solving.tasks import Job, Task, method_of, run_task
from noughts.tables.codings import coding_of

__all__ = ["Costs", "costs_of"]

GAMES, PLIES = 24, 400
"""From how many games played at random the positions come above which everything is solved, and up to which ply."""


STEP, MANY = 3, 30
"""How many more tiers are solved next, as long as there are fewer than one part in so many of the positions wanted."""


class Costs(NamedTuple):
    """What a stored position costs."""

    seconds: float
    """Of one processor, to find and value it."""
    tier_seconds: float
    """What a tier takes besides, however few positions it has: files are opened, and written to the disk."""
    table: float
    """Bytes of the table."""
    work: float
    """Bytes of the files that are removed at the end."""
    runs: float
    """Bytes of the files that wait for the next tier, for a position of one tier."""
    sampled: int
    """How many positions were solved to measure that."""


class _Timed:
    """Runs tasks in this process, and notes how long each takes."""

    def __init__(self, check: Callable[[], None]) -> None:
        self._check = check
        self.seconds: dict[str, float] = {}
        """By the file that a task writes."""
        self.runs: dict[int, int] = {}
        """The bytes of the runs that lead to each tier."""

    def run(self, job: Job, tasks: Sequence[Task]) -> Iterator[tuple[Task, Facts]]:
        """Run tasks in their order."""
        for task in tasks:
            self._check()
            started = perf_counter()
            facts = run_task(job, task)
            self.seconds[task.output] = perf_counter() - started
            for run in facts.get("runs", ()):
                self.runs[run["tier"]] = self.runs.get(run["tier"], 0) + os.path.getsize(run["file"])
            yield task, facts

    def of_tier(self, tier: int) -> float:
        """Return how long the tasks of a tier took."""
        name = f"tier-{tier}-"
        return sum(each for path, each in self.seconds.items() if os.path.basename(path).startswith(name))

    def close(self) -> None:
        """Do nothing: nothing was started."""


class _Late(Exception):
    """Time is up."""


def costs_of(
    game: ResolvedGame[Any, Any],
    job_in: Callable[[str, str], Job],
    enough: int,
    late: Callable[[], bool] = bool,
    check: Callable[[], None] = lambda: None,
) -> Costs | None:
    """Return what a position costs, or None if it cannot be measured.

    `job_in` returns the job that solves the game in a folder, with a folder for its work. Positions of the last tiers
    are solved, then those of more tiers, until `enough` are, or it is late.
    """

    def check_both() -> None:
        check()
        if found is not None and late():
            raise _Late

    found: Costs | None = None
    tiers = _some_states(game)
    ordered = sorted(tiers, reverse=True)
    place = 0
    with suppress(_Late), tempfile.TemporaryDirectory(prefix="noughts-estimate-") as folder:
        job = job_in(folder, os.path.join(folder, "work"))
        _measured(game, job, ordered[0], tiers[ordered[0]], check)  # loads or compiles what solves the game
        while place < len(ordered) and (found is None or found.sampled < enough):
            tier = ordered[place]
            job, found = _measured(game, job, tier, tiers[tier], check_both)
            last = place == len(ordered) - 1
            place = min(place + (STEP if found.sampled < enough // MANY else 1), max(len(ordered) - 1, place + last))
    return found


def _some_states(game: ResolvedGame[Any, Any]) -> dict[int, list[Any]]:
    """Return states of games played at random, by tier."""
    tier_of, random = game.tier or game.plies, Random(0)
    found: dict[int, list[Any]] = {}
    for _ in range(GAMES):
        state = game.initial()
        for ply in range(PLIES):
            found.setdefault(tier_of(state) if tier_of else ply, []).append(state)
            if game.terminal(state):
                break
            state = game.result(state, random.choice(game.legal_actions(state)))
    return found


def _measured(
    game: ResolvedGame[Any, Any], job: Job, tier: int, states: list[Any], check: Callable[[], None]
) -> tuple[Job, Costs]:
    """Return what it cost to solve all positions that play can reach from some states of one tier, and the job."""
    timed = _Timed(check)
    while True:
        shutil.rmtree(job.folder)
        os.makedirs(job.work)
        _seed(game, job, tier, states)
        driver = Driver(job, timed)
        try:
            found = driver.upwards()
            break
        except Wider as wider:
            job = job._replace(coding=json.dumps(wider.args[0]))
    valued = driver.downwards(found)
    counts = {to: sum(part["count"] for part in parts) for to, parts in found.parts.items()}
    seconds = {to: timed.of_tier(to) for to in counts}
    large = [to for to, count in counts.items() if 4 * count >= max(counts.values())]
    stored = sum(counts[to] for to in large)
    names = tuple(f"tier-{to}-" for to in large)
    files = [file["size"] for to in large for part in valued[to] for file in part["files"]]
    work = [entry.stat().st_size for entry in os.scandir(job.work) if entry.name.startswith(names)]
    least = min(seconds.values())
    spent = sum(seconds[to] for to in large)
    return job, Costs(
        seconds=max(spent / 10, spent - least * len(large)) / stored,
        tier_seconds=least,
        table=sum(files) / stored,
        work=sum(work) / stored,
        runs=sum(timed.runs.get(to, 0) for to in large) / stored,
        sampled=sum(counts.values()),
    )


def _seed(game: ResolvedGame[Any, Any], job: Job, tier: int, states: list[Any]) -> None:
    """Write the work files of a solve as if it had found these states of a tier first."""
    method: Any = method_of(job)
    code = coding_of(game, json.loads(job.coding))
    coded = sorted({code(state): state for state in states}.items(), key=lambda each: each[0])
    path = os.path.join(job.work, "seed")
    if job.method == "native":
        import numpy

        run = method._write_run(f"{path}.run", tier, numpy.array([each for each, _ in coded], numpy.int64))
    else:
        run = method._write_run(f"{path}.run", tier, coded)
    write_work(f"{path}.leads", {"runs": [run]})
