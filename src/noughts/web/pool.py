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
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from noughts.web.answers import Reply
from noughts.web.lanes import Job, Lane
from noughts.web.process import Settings, Worker, python
from noughts.web.questions import MOST_NODES, Asked, Refused

__all__ = ["Pool"]

GRACE, LONG_GRACE = 5.0, 10.0
"""Seconds after its time is up in which a worker must have answered, or it is stopped from outside. In the long lane
there may be a kernel to compile first, which nothing interrupts."""

HOLD = 1.0
"""Seconds for which a client waits to be told that there is no room, lest it ask again at once."""

MOST_WAITING = 60.0
"""Seconds that a question may wait for its turn, beside those that it takes."""

MOST_HELD = 1_000
MOST_KNOWN = 1_000


class _Games:
    """Some of the games that were asked about, those that were not for longest forgotten."""

    def __init__(self) -> None:
        self._names: OrderedDict[str, None] = OrderedDict()

    def add(self, name: str) -> None:
        """Remember a game."""
        self._names[name] = None
        if len(self._names) > MOST_KNOWN:
            self._names.popitem(last=False)

    def __contains__(self, name: str) -> bool:
        if name in self._names:
            self._names.move_to_end(name)
        return name in self._names


class Pool:
    """Answers questions, each once however many ask it at the same time."""

    def __init__(self, settings: Settings = Settings()) -> None:  # noqa: B008 - immutable
        self._settings = settings
        self._jobs: dict[str, tuple[Job, Lane]] = {}
        self._light, self._small = _Games(), _Games()
        """Games whose rules are quick to ask, and games of which all is."""
        self._tasks: list[asyncio.Task[None]] = []
        self._held = 0

    async def start(self, games: tuple[str, ...] = (), small: tuple[str, ...] = ()) -> None:
        """Start the workers, which get ready by themselves. The games are known to be light, and some of them small."""
        settings = self._settings
        self._quick = Lane(settings.quick_limit, settings.quick_client_limit, GRACE)
        self._long = Lane(settings.long_limit, settings.long_client_limit, LONG_GRACE)
        for game in games:
            self._light.add(game)
        for game in small:
            self._small.add(game)
        self._tasks = [asyncio.create_task(self._serve(self._quick, nice=0))]
        self._tasks += [asyncio.create_task(self._serve(self._long, nice=15)) for _ in range(settings.long_workers)]
        if games:
            self._tasks.append(asyncio.create_task(self._warm(games, small)))

    def dismiss(self) -> None:
        """Tell all who wait that there will be no answer."""
        for job, lane in list(self._jobs.values()):
            lane.discard(job)
            if job.stop is not None:
                job.stop()
            if not job.reply.done():
                job.reply.set_result(Reply(503, json.dumps({"error": "the server is stopping"})))

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
            async with asyncio.timeout(MOST_WAITING + job.seconds + lane.grace):
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
        return self._quick if quick else self._long

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
            try:
                while not worker.retires:
                    job = await lane.get()
                    if worker.gone:  # it ended while it had nothing to do
                        lane.put_back(job)
                        break
                    await self._answer(job, worker, lane.grace)
            except (TimeoutError, EOFError, OSError):
                pass
            except Exception:  # whatever it was, the lane must go on
                traceback.print_exc()
            finally:
                await worker.end()

    async def _answer(self, job: Job, worker: Worker, grace: float) -> None:
        reply = Reply(503, json.dumps({"error": "this question took too much, and was given up"}))
        try:
            reply = await worker.answer(job, grace)
        finally:
            self._forget(job)
            if not job.reply.done():
                job.reply.set_result(reply)
        if reply.light:
            self._light.add(job.asked.values["game"])
        if reply.small:
            self._small.add(job.asked.values["game"])

    async def _warm(self, games: tuple[str, ...], small: tuple[str, ...]) -> None:
        """Have the small games solved, and kernels compiled that are not yet, in a process that stands back for all."""
        with suppress(Refused):
            for game in small:
                values = {"game": game, "position": "", "seconds": 1.0, "nodes": MOST_NODES}
                await self.ask(Asked("analyse", values), "")
        settings = self._settings
        setup = {"games": games, "files": dict(settings.files), "nice": 19, "memory_mib": settings.memory_mib}
        process = await python("warm", setup)
        try:
            await process.wait()
        finally:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
