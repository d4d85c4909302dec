"""Strong solving: the value and distance of every position of a game, kept in a folder."""

import os
import shutil
from collections.abc import Callable
from contextlib import closing
from time import perf_counter
from typing import Any

from noughts.capabilities import ResolvedGame, resolve
from noughts.errors import NoughtsError
from noughts.game import Game
from noughts.solve.driver import Driver, Progress, Upwards
from noughts.solve.engines import LocalEngine, TaskEngine
from noughts.solve.files import Facts, facts_of, reporting_disk, write_work
from noughts.solve.lock import locked
from noughts.solve.processes import ProcessEngine
from noughts.solve.rules import has_native_rules
from noughts.solve.sources import GameSource, source_of
from noughts.solve.summary import Solved, tier_count
from noughts.solve.tasks import Job

__all__ = ["solve"]

PART = 1 << 12
"""The most positions of a part that is worked on in plain Python, about: a task of some tenths of a second."""

NATIVE_PART = 1 << 18
"""The same, of compiled rules."""


def solve(
    game: Game[Any, Any],
    directory: str,
    *,
    notation: str | None = None,
    engine: TaskEngine | None = None,
    workers: int | None = None,
    progress: Callable[[Progress], None] = lambda _: None,
    check: Callable[[], None] = lambda: None,
) -> Solved:
    """Solve every position of a game, and write the table of them; return what was found.

    A run that was stopped, by whatever it was, goes on from where it was when it is called again. `notation` is the
    text that names the game, by which other processes load it, too. `check` is called now and then, and may raise an
    exception to stop.
    """
    started = perf_counter()
    resolved = resolve(game)
    folder = os.path.abspath(directory)
    work = os.path.join(folder, "work")
    with reporting_disk(directory):
        os.makedirs(work, mode=0o700, exist_ok=True)
        with locked(folder, work):
            source = source_of(game, notation)
            native = has_native_rules(resolved)
            method, part = ("native", NATIVE_PART) if native else ("interpreted", PART)
            job = Job(source or GameSource(), folder, work, method, part, has_tiers(resolved))
            chosen = engine or _engine(source, workers, check)
            with closing(chosen):
                driver = Driver(job, chosen, progress)
                found = driver.upwards()
                valued = driver.downwards(found)
            tiers = tuple(tier_count(tier, (part["tally"] for part in valued[tier])) for tier in sorted(valued))
        shutil.rmtree(work)
    first = valued[min(valued)][0]
    return Solved(directory, notation or resolved.display_title, first["root"][0], first["root"][1], tiers, 0, perf_counter() - started)


def has_tiers(game: ResolvedGame[Any, Any]) -> bool:
    """Return whether a game says in which tier a state is."""
    return game.tier is not None or game.plies is not None


def _engine(source: GameSource | None, workers: int | None, check: Callable[[], None]) -> TaskEngine:
    """Return the engine to use: a pool of processes if there is more than one processor and the game can be sent."""
    wanted = workers or len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else workers or os.cpu_count() or 1
    return LocalEngine(check) if source is None or wanted == 1 else ProcessEngine(wanted, check)
