"""The processes that answer questions, and who waits for them: bounded, fair, and never longer than allowed.

There are two lanes. In the *quick* one wait questions that take no search to speak of: about the rules of a game that
is set up in no time, or about a game that is solved whole. All others wait in the *long* one, so that hard questions
never hold up easy ones; what is not yet known of a game is found out there. In each lane clients take turns, however
many questions one of them has waiting.
"""

import asyncio
import json
import traceback
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from time import monotonic
from types import MappingProxyType
from typing import Any, NamedTuple

from noughts.web.endpoints import MOST_NODES, Asked, Refused
from noughts.web.handlers import Reply
from noughts.web.queue import Job, Lane
from noughts.web.worker_client import OutOfMemory, Settings, Worker

__all__ = ["Listed", "Pool"]

GRACE, LONG_GRACE = 5.0, 10.0
"""Seconds after its time is up in which a worker must have answered, or it is stopped from outside. In the long lane
there may be a kernel to compile first, which nothing interrupts."""

HOLD = 1.0
"""Seconds for which a client waits to be told that there is no room, lest it ask again at once."""

MOST_WAITING = 60.0
"""Seconds that a question may wait for its turn, beside those that it takes."""

COMPILING = 300.0
"""Seconds that the kernel of a game may take to be compiled, by a process that stands back for all others."""

SUSPECT = 60.0
"""Seconds for which a question is not asked again that ended two workers. A game file has no part in the quick lane
after that, or after a question about it took too long."""

MOST_HELD = 1_000
MOST_KNOWN = 1_000

TOO_LONG = "this question took too much time, and was given up"
TOO_LARGE = "this question takes more memory than this server gives one"
ENDED_TWICE = "this question was given up: the process that was to answer it ended, and so did a second one"


class Listed(NamedTuple):
    """What is known of a game from the start."""

    title: str | None = None
    light: bool = True
    """Whether it is set up in no time."""
    small: bool = False
    """Whether it is solved in no time."""


class _Names:
    """Some of the names that were added, for so many seconds; those are forgotten that nobody asked for longest."""

    def __init__(self, seconds: float = float("inf")) -> None:
        self._seconds = seconds
        self._until: OrderedDict[str, float] = OrderedDict()

    def add(self, name: str) -> None:
        """Remember a name."""
        self._until[name] = monotonic() + self._seconds
        if len(self._until) > MOST_KNOWN:
            self._until.popitem(last=False)

    def __contains__(self, name: str) -> bool:
        if monotonic() >= self._until.get(name, 0.0):
            self._until.pop(name, None)
            return False
        self._until.move_to_end(name)
        return True


class Pool:
    """Answers questions, each once however many ask it at the same time.

    If the process ends that is to answer a question, the question is asked once more, in what is left of its time.
    """

    def __init__(self, settings: Settings = Settings()) -> None:  # noqa: B008 - immutable
        self._settings = settings
        self._jobs: dict[str, tuple[Job, Lane]] = {}
        self._light, self._small = _Names(), _Names()
        """Games whose rules are quick to ask, and games of which all is."""
        self._slow, self._deadly = _Names(SUSPECT), _Names(SUSPECT)
        """Game files that are kept out of the quick lane, and questions that ended workers."""
        self._tasks: list[asyncio.Task[None]] = []
        self._held = 0

    async def start(self, games: Mapping[str, Listed] = MappingProxyType({})) -> None:
        """Start the workers, which get ready by themselves: they solve and compile these games as far as need be."""
        settings = self._settings
        self._quick = Lane(settings.quick_limit, settings.quick_client_limit, GRACE)
        self._long = Lane(settings.long_limit, settings.long_client_limit, LONG_GRACE)
        for name, listed in games.items():
            if listed.light:
                self._light.add(name)
            if listed.small:
                self._small.add(name)
        self._tasks = [asyncio.create_task(self._serve(self._quick, nice=0))]
        self._tasks += [asyncio.create_task(self._serve(self._long, nice=15)) for _ in range(settings.long_workers)]
        if games:
            self._tasks.append(asyncio.create_task(self._warm(games)))

    def dismiss(self) -> None:
        """Tell all who wait that there will be no answer."""
        for job, lane in list(self._jobs.values()):
            lane.discard(job)
            if job.stop is not None:
                job.stop()
            job.finish(_sorry("the server is stopping"))

    async def stop(self) -> None:
        """End everything that runs."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def ask(self, asked: Asked, client: str, listener: Callable[[dict[str, Any]], None] | None = None) -> Reply:
        """Return the answer to a question; raise Refused if there is no room for it.

        The `listener` is told of progress. When all who asked are cancelled, so is the search.
        """
        job, lane = self._jobs.get(asked.key, (None, None))
        if job is None or lane is None:
            if asked.key in self._deadly:
                raise Refused(503, ENDED_TWICE, retry_after=int(SUSPECT))
            job, lane = Job(asked, client), self._lane(asked)
            try:
                lane.put(job)
            except Refused:
                await self._hold()
                raise
            self._jobs[asked.key] = job, lane
        if listener is not None:
            job.listeners.append(listener)
        job.wanted_by += 1
        try:
            async with asyncio.timeout(MOST_WAITING + 2 * (job.seconds + lane.grace)):
                return await asyncio.shield(job.reply)
        except TimeoutError:
            raise Refused(503, "this question did not get its turn in time; ask again later", retry_after=10) from None
        finally:
            job.wanted_by -= 1
            if listener is not None:
                job.listeners.remove(listener)
            if not job.wanted_by and not job.reply.done():
                self._forget(job)
                lane.discard(job)
                if job.stop is not None:
                    job.stop()

    def _lane(self, asked: Asked) -> Lane:
        game = asked.values["game"]
        quick = asked.kind in ("position", "analyse", "explain", "move") and game in self._small
        if asked.kind == "position" and not asked.values["after"]:
            quick = game in self._light
        return self._quick if quick and game not in self._slow else self._long

    def _forget(self, job: Job) -> None:
        if self._jobs.get(job.asked.key, (None, None))[0] is job:
            del self._jobs[job.asked.key]

    async def _hold(self) -> None:
        """Let a client wait that was refused: one that asks again at once would keep the others from being heard."""
        if self._held < MOST_HELD:
            self._held += 1
            try:
                await asyncio.sleep(HOLD)
            finally:
                self._held -= 1

    async def _serve(self, lane: Lane, nice: int) -> None:
        """Answer what waits in a lane, with one worker after another: each until it retires or fails."""
        while True:
            try:
                worker = await Worker.start(self._settings, nice)
            except (TimeoutError, OSError, EOFError):
                await asyncio.sleep(1.0)  # perhaps there is room for it later
                continue
            worker.when_ended(lane.wake)
            try:
                while not worker.retires:
                    job = await lane.get(worker.gone)
                    if job is None:
                        break
                    if worker.gone():  # it ended while it had nothing to do
                        lane.put_back(job)
                        break
                    await self._answer(job, worker, lane)
            except (TimeoutError, EOFError, OSError, OutOfMemory):
                pass
            except Exception:  # whatever it was, the lane must go on
                traceback.print_exc()
            finally:
                await worker.end()

    async def _answer(self, job: Job, worker: Worker, lane: Lane) -> None:
        """Answer a job, put it back, or give it up; raise what went wrong with the worker."""
        game = job.asked.values["game"]
        try:
            reply = await worker.answer(job, lane.grace)
        except asyncio.CancelledError:
            raise
        except TimeoutError:
            self._suspect(game)
            self._finish(job, _sorry(TOO_LONG))
            raise
        except Exception as failure:  # the process has ended, or said something that makes no sense
            job.failures += 1
            short = isinstance(failure, OutOfMemory)
            if job.failures == 1 and not (isinstance(failure, OutOfMemory) and failure.fresh):
                if job.wanted_by:
                    lane.put_back(job)
                raise
            self._suspect(game)
            if not short:
                self._deadly.add(job.asked.key)
            self._finish(job, _sorry(TOO_LARGE if short else ENDED_TWICE))
            raise
        self._finish(job, reply)
        if reply.light:
            self._light.add(game)
        if reply.small:
            self._small.add(game)

    def _suspect(self, game: str) -> None:
        """Keep a game out of the quick lane for a while, if it is a file; with others it is not the game's fault."""
        if game in self._settings.files:
            self._slow.add(game)

    def _finish(self, job: Job, reply: Reply) -> None:
        self._forget(job)
        job.finish(reply)

    async def _warm(self, games: Mapping[str, Listed]) -> None:
        """Have the small games solved, and kernels compiled that are not yet, in a process that stands back for all."""
        with suppress(Refused):
            for game, listed in games.items():
                if listed.small:
                    values = {"game": game, "position": "", "seconds": 1.0, "nodes": MOST_NODES}
                    await self.ask(Asked("analyse", values), "")
        left = list(games)
        while left:
            worker = None
            with suppress(TimeoutError, EOFError, OSError, OutOfMemory):  # then the next game, by another process
                try:
                    worker = await Worker.start(self._settings, nice=19)
                    while left and not worker.retires:
                        async with asyncio.timeout(COMPILING):
                            await worker.have("compile", {"game": left.pop(0)})
                finally:
                    if worker is not None:
                        await worker.end()
            if worker is None:
                break


def _sorry(error: str) -> Reply:
    return Reply(503, json.dumps({"error": error}))
