"""Strong solving: the value and distance of every position of a game, kept in a folder."""

import json
import os
import shutil
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from time import perf_counter
from typing import Any

from noughts.capabilities import ResolvedGame, resolve
from noughts.errors import EndlessGame, NoughtsError, shown
from noughts.game import Game
from noughts.search.limits import Limits
from noughts.search.memo import Memo
from noughts.serial import rules_digest
from noughts.solving.driver import Driver, Progress, Wider
from noughts.solving.engines import LocalEngine, TaskEngine
from noughts.solving.files import facts_of, reporting_disk, write_work
from noughts.solving.lock import locked
from noughts.solving.processes import ProcessEngine
from noughts.solving.ray_engine import RayEngine, require_ray
from noughts.solving.room import room_for
from noughts.solving.rounds import RoundsDriver
from noughts.solving.rules import native_coding
from noughts.solving.sources import GameSource, source_of
from noughts.solving.summary import Solved, tier_count
from noughts.solving.tasks import Job
from noughts.solving.writing import finish_table, solved_already
from noughts.tables.codings import RULES, SERIAL
from noughts.tables.manifest import MANIFEST

__all__ = ["Stopped", "has_begun", "is_small", "job_of", "processors", "solve"]


class Stopped(NoughtsError):
    """A solve that was stopped before its end; nothing is lost."""


SMALL = 10_000
"""A game of no more positions than this is solved in plain Python, in this process, before rules would be compiled."""

A_LOOK = 2_000
"""How many positions are looked at for one that repeats, before rules are compiled."""

UNLIMITED = 1 << 30
"""So many workers as nobody has."""


def solve(
    game: Game[Any, Any],
    directory: str | os.PathLike[str],
    *,
    notation: str | None = None,
    engine: str | TaskEngine = "processes",
    workers: int | None = None,
    memory: int | None = None,
    address: str | None = None,
    progress: Callable[[Progress], None] = lambda _: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Solved:
    """Solve every position of a game, and write a table of them into a folder; return what was found.

    A run that was stopped, by whatever it was, goes on from where it was when it is called again. If the folder has
    the table already, that is what is returned. `notation` is the text that names the game, by which other processes
    load it. `engine` says what does the work: `processes`, as many as `workers` says, or else one for each processor;
    `local`, which is this process; `ray`, a Ray cluster on this machine or, with an `address`, an existing one whose
    nodes all see the folder by the same path; or an object that runs tasks. `memory` is how many bytes all processes
    together may take; the less it is, the smaller are the parts that are worked on at once. If `cancelled` returns
    True, the solve stops with an error; it is called now and then.

    >>> import noughts, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> solved = noughts.solve(noughts.load("tic-tac-toe"), folder, workers=1)
    >>> solved.positions, solved.stored, solved.value
    (5478, 765, 'draw')
    """

    def check() -> None:
        if cancelled():
            raise Stopped("stopped; nothing is lost")

    if engine == "ray":
        require_ray()
    elif address is not None:
        raise NoughtsError("an address is one of a Ray cluster; choose the engine ray")
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
        with locked(folder, work), ExitStack() as stack:
            job = _begun(job_of(resolved, source or GameSource(), folder, work, memory), resolved, memory)
            most = workers or (UNLIMITED if address else processors())
            wanted = room_for(job.method, memory, most).workers
            chosen = stack.enter_context(closing(_engine(engine, source, wanted, check, address)))
            while True:
                driver = Driver(job, chosen, progress)
                try:
                    found = driver.upwards()
                    break
                except Wider as wider:
                    job = _begun(job._replace(coding=json.dumps(wider.args[0])), resolved, memory, anew=True)
            if found.met and not job.tiered:  # plies from the start are no tiers of this game
                found_all = job.method == "interpreted"
                if not found_all:
                    job = _begun(_interpreted(job, resolved, memory), resolved, memory, anew=True)
                driver = RoundsDriver(job, chosen, progress)
                found = found if found_all else driver.upwards()
            valued = driver.downwards(found)
            tiers = tuple(tier_count(tier, (part["tally"] for part in valued[tier])) for tier in sorted(valued))
            if tiers[0].positions != 1:  # the images of the initial position cannot all be reached
                tiers = tuple(each.without_counts() for each in tiers)
            utility, distance = valued[min(valued)][0]["root"]
            solved = Solved(os.fspath(directory), name, utility, distance, tiers, 0, 0.0)
            parts = (part for tier in sorted(valued) for part in valued[tier])
            size = finish_table(job, resolved, name, parts, solved)
        shutil.rmtree(work)
    return solved._replace(bytes=size, seconds=perf_counter() - started)


def job_of(game: ResolvedGame[Any, Any], source: GameSource, folder: str, work: str, memory: int | None) -> Job:
    """Return how to solve a game."""
    tiered = game.tier is not None or game.plies is not None
    in_python = is_small(game, SMALL) or (not tiered and _is_endless(game))
    native = None if in_python else native_coding(game)
    method = "interpreted" if native is None else "native"
    room = room_for(method, memory, 1)
    job = Job(source, folder, work, method, room.part, room.largest, json.dumps(native), tiered)
    return job if native is not None else _interpreted(job, game, memory)


def has_begun(directory: str | os.PathLike[str]) -> bool:
    """Return whether a folder has a table, or the work of a solve that goes on from there."""
    return any(os.path.exists(os.path.join(directory, *each)) for each in ((MANIFEST,), ("work", "job")))


def is_small(game: ResolvedGame[Any, Any], most: int) -> bool:
    """Return whether a game has no more states than this."""
    start = game.initial()
    found, waiting = {game.key(start)}, [start]
    while waiting and len(found) <= most:
        state = waiting.pop()
        for action in () if game.terminal(state) else game.legal_actions(state):
            child = game.result(state, action)
            key = game.key(child)
            if key not in found:
                found.add(key)
                waiting.append(child)
    return len(found) <= most


def _is_endless(game: ResolvedGame[Any, Any]) -> bool:
    """Return whether a position is soon found to repeat: then there are no tiers, which compiled rules need."""
    try:
        Memo(game).value(game.initial(), Limits(nodes=A_LOOK))
    except EndlessGame:
        return True
    return False


def _interpreted(job: Job, game: ResolvedGame[Any, Any], memory: int | None) -> Job:
    """Return a job as plain Python does it."""
    coding = json.dumps(SERIAL if game.solver() is None else RULES)
    room = room_for("interpreted", memory, 1)
    return job._replace(method="interpreted", part=room.part, largest=room.largest, coding=coding)


def _begun(job: Job, game: ResolvedGame[Any, Any], memory: int | None, anew: bool = False) -> Job:
    """Return the job that the work in the folder is for; what was begun in another way is removed.

    A coding that was found to be too narrow was replaced by another in the meantime, unless the work begins `anew`.
    """
    path = os.path.join(job.work, "job")
    known = facts_of(path)
    begun = job
    if known is not None and not anew and job.method == "native":
        if known["way"][0] == "native":
            begun = job._replace(coding=known["way"][3])
        elif not job.tiered:  # it was found that plies from the start are no tiers
            begun = _interpreted(job, game, memory)
    facts = {"rules": rules_digest(game), "way": [begun.method, begun.part, begun.largest, begun.coding, begun.tiered]}
    if known is not None and known["rules"] != facts["rules"]:
        raise NoughtsError(f"{shown(job.folder, 60)} has a solve of another game in it; give another folder")
    if known != facts:
        for entry in os.scandir(job.work):
            if entry.name != "lock":
                with suppress(IsADirectoryError):
                    os.unlink(entry.path)
        write_work(path, facts, lasting=True)
    return begun


def _engine(
    wanted: str | TaskEngine, source: GameSource | None, workers: int, check: Callable[[], None], address: str | None
) -> TaskEngine:
    """Return the engine to use: a pool of processes only if there are several, and the game can be sent to them."""
    if not isinstance(wanted, str):
        return wanted
    if wanted == "processes":
        return LocalEngine(check) if source is None or workers == 1 else ProcessEngine(workers, check)
    if wanted == "local":
        return LocalEngine(check)
    if wanted == "ray":
        if source is None:
            raise NoughtsError("this game cannot be sent to other processes, as a game in a file can")
        return RayEngine(address, None if workers == UNLIMITED else workers, check)
    raise NoughtsError(f"there is no engine {shown(wanted)}; there are: processes, local, ray")


def processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
