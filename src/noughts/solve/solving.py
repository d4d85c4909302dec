"""Strong solving: the value and distance of every position of a game, kept in a folder."""

import json
import os
import shutil
from collections.abc import Callable
from contextlib import closing, suppress
from time import perf_counter
from typing import Any

from noughts.capabilities import ResolvedGame, resolve
from noughts.errors import NoughtsError, shown
from noughts.game import Game
from noughts.serial import rules_digest
from noughts.solve.driver import Driver, Progress
from noughts.solve.engines import LocalEngine, TaskEngine
from noughts.solve.files import facts_of, reporting_disk, write_work
from noughts.solve.lock import locked
from noughts.solve.processes import ProcessEngine
from noughts.solve.rules import has_native_rules
from noughts.solve.sources import GameSource, source_of
from noughts.solve.summary import Solved, tier_count
from noughts.solve.tasks import Job
from noughts.solve.writing import finish_table, solved_already
from noughts.symmetry import do_nothing
from noughts.tables.codings import RULES, SERIAL

__all__ = ["solve"]

PART = 1 << 12
"""The most positions of a part that is worked on in plain Python, about: a task of some tenths of a second."""

NATIVE_PART = 1 << 18
"""The same, of compiled rules."""


def solve(
    game: Game[Any, Any],
    directory: str | os.PathLike[str],
    *,
    notation: str | None = None,
    engine: TaskEngine | None = None,
    workers: int | None = None,
    progress: Callable[[Progress], None] = lambda _: None,
    check: Callable[[], None] = do_nothing,
) -> Solved:
    """Solve every position of a game, and write a table of them into a folder; return what was found.

    A run that was stopped, by whatever it was, goes on from where it was when it is called again. If the folder has
    the table already, that is what is returned. `notation` is the text that names the game, by which other processes
    load it. `workers` is how many of them there are: as many as processors, unless it says otherwise. `check` is called
    now and then, and may raise an exception to stop.

    >>> import noughts, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> solved = noughts.solve(noughts.load("tic-tac-toe"), folder, workers=1)
    >>> solved.positions, solved.stored, solved.value
    (5478, 765, 'draw')
    """
    started = perf_counter()
    resolved, folder = resolve(game), os.path.abspath(directory)
    known = solved_already(folder, resolved)
    if known is not None:
        return known
    work = os.path.join(folder, "work")
    source = source_of(resolved.game, notation)
    name = notation or (source and source.notation) or resolved.display_title
    with reporting_disk(os.fspath(directory)):
        os.makedirs(work, mode=0o700, exist_ok=True)
        with locked(folder, work), closing(engine or _engine(source, workers, check)) as chosen:
            job = _job(resolved, source or GameSource(), folder, work)
            _begin(job, resolved)
            driver = Driver(job, chosen, progress)
            found = driver.upwards()
            valued = driver.downwards(found)
            tiers = tuple(tier_count(tier, (part["tally"] for part in valued[tier])) for tier in sorted(valued))
            utility, distance = valued[min(valued)][0]["root"]
            size = sum(file["size"] for parts in valued.values() for part in parts for file in part["files"])
            solved = Solved(os.fspath(directory), name, utility, distance, tiers, size, perf_counter() - started)
            finish_table(job, resolved, name, (part for tier in sorted(valued) for part in valued[tier]), solved)
        shutil.rmtree(work)
    return solved._replace(seconds=perf_counter() - started)


def _job(game: ResolvedGame[Any, Any], source: GameSource, folder: str, work: str) -> Job:
    """Return how to solve a game."""
    tiered = game.tier is not None or game.plies is not None
    coding = json.dumps(SERIAL if game.solver() is None else RULES)
    if has_native_rules(game):
        return Job(source, folder, work, "native", NATIVE_PART, coding, tiered)
    return Job(source, folder, work, "interpreted", PART, coding, tiered)


def _begin(job: Job, game: ResolvedGame[Any, Any]) -> None:
    """Make sure that the work in the folder is that of the job; what was begun in another way is removed."""
    path = os.path.join(job.work, "job")
    facts = {"rules": rules_digest(game), "way": [job.method, job.part, job.coding, job.tiered]}
    known = facts_of(path)
    if known is not None and known["rules"] != facts["rules"]:
        raise NoughtsError(f"{shown(job.folder, 60)} has a solve of another game in it; give another folder")
    if known != facts:
        for entry in os.scandir(job.work):
            if entry.name != "lock":
                with suppress(IsADirectoryError):
                    os.unlink(entry.path)
        write_work(path, facts)


def _engine(source: GameSource | None, workers: int | None, check: Callable[[], None]) -> TaskEngine:
    """Return the engine to use: a pool of processes if there is more than one processor and the game can be sent."""
    wanted = workers or _processors()
    return LocalEngine(check) if source is None or wanted == 1 else ProcessEngine(wanted, check)


def _processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
