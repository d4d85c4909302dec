"""What solving a game will take on this machine: positions, time, disk and memory, before it is begun."""

import os
import shutil
from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple

from noughts.capabilities import resolve
from noughts.game import Game
from noughts.solving.costs import Costs, costs_of
from noughts.solving.room import memory_of, room_for
from noughts.solving.size import Effort, Range, Size, size_of
from noughts.solving.solve import job_of, processors
from noughts.solving.sources import GameSource, source_of

__all__ = ["Estimate", "estimate"]

MEASURED = {"native": 300_000, "interpreted": 4_000}
"""How many positions are solved to measure what one costs, by method."""

COSTS_SHARE = 0.4
"""Which share of the time goes into measuring costs."""

TIME = (0.5, 1.1, 2.5)
"""How far the time for a position may be off: larger parts do not stay in the processor's cache, workers wait."""

DISK = (0.5, 0.9, 1.3)
"""How far the bytes for a position may be off: a sample is sparser than the whole, which compresses better."""


class Estimate(NamedTuple):
    """What solving a game will take."""

    game: str
    size: Size
    method: str
    """`native` or `interpreted`."""
    workers: int
    seconds: Range | None
    """None if it cannot be told, where positions repeat."""
    table: Range | None
    """Bytes of the table."""
    disk: Range | None
    """Bytes in all, with the files that are removed at the end."""
    memory: int
    """Bytes that all processes take together, about."""
    free: int
    """Bytes that are free where the table goes."""
    took: float
    """Seconds that the estimate took."""


def estimate(
    game: Game[Any, Any],
    directory: str | os.PathLike[str] = ".",
    *,
    notation: str | None = None,
    workers: int | None = None,
    memory: int | None = None,
    effort: Effort = Effort(),  # noqa: B008 - it is immutable
    progress: Callable[[str], None] = lambda _: None,
    check: Callable[[], None] = lambda: None,
) -> Estimate:
    """Return what solving a game into a folder will take, from a sample of its positions.

    The positions of a small game are counted. Of a larger one they are estimated, with the interval that holds the
    right number with a probability of about 95 %. The time and the disk space come from solving some positions here.
    `check` is called now and then, and may raise an exception to stop.

    >>> import noughts
    >>> found = noughts.estimate(noughts.load("tic-tac-toe"))
    >>> found.size.exact, found.size.positions.likely, found.size.stored.likely
    (True, 5478, 765)
    """
    started = perf_counter()
    resolved = resolve(game)
    source = source_of(resolved.game, notation)
    name = notation or (source and source.notation) or resolved.display_title
    seconds = effort.seconds
    counting = effort._replace(seconds=None if seconds is None else (1 - COSTS_SHARE) * seconds)
    size = size_of(resolved, counting, check, progress)
    progress("measuring time and disk space")
    job = job_of(resolved, source or GameSource(), "", "", memory)
    room = room_for(job.method, memory, workers or processors())
    measuring: list[float] = []

    def late() -> bool:
        measuring.append(perf_counter())  # the first time, when everything is loaded
        return seconds is not None and measuring[-1] - measuring[0] > COSTS_SHARE * seconds

    costs = None
    if size.ordered:
        make = lambda folder, work: job._replace(folder=folder, work=work)  # noqa: E731
        costs = costs_of(resolved, make, MEASURED[job.method], late, check)
    folder = os.path.abspath(directory)
    while not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    return Estimate(
        game=name,
        size=size,
        method=job.method,
        workers=room.workers,
        seconds=_seconds(size, costs, min(room.workers, processors())),
        table=None if costs is None else size.stored.times(*(costs.table * each for each in DISK)),
        disk=None if costs is None else size.stored.times(*(_bytes(size, costs) * each for each in DISK)),
        memory=memory_of(job.method, room, int(size.widest)),
        free=shutil.disk_usage(folder).free,
        took=perf_counter() - started,
    )


def _seconds(size: Size, costs: Costs | None, at_once: int) -> Range | None:
    """Return how long a solve takes: the positions take turns on so many processors, the tiers follow each other."""
    if costs is None:
        return None
    each = size.stored.times(*(costs.seconds * factor / at_once for factor in TIME))
    tiers = costs.tier_seconds * len(size.tiers)
    return each.plus(tiers)


def _bytes(size: Size, costs: Costs) -> float:
    """Return how many bytes there are on the disk at the most, for a position."""
    share = size.widest / max(1.0, sum(each.stored for each in size.tiers))
    return costs.table + costs.work + 2 * share * costs.runs
