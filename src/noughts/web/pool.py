"""A pool of worker processes and its two queues, with limits on numbers, time and memory.

The *quick* queue is for jobs that need hardly any search: about the rules of a game that loads quickly, or about a game
that is completely solved. All other jobs go to the *long* queue, so that hard questions never delay easy ones. A job
about a game that is not yet known to be quick goes to the long queue too; its reply says whether the game is. In each
queue clients take turns, however many jobs one of them has queued.
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

from noughts.web.endpoints import MOST_NODES, ApiRequest, RequestError
from noughts.web.handlers import Reply
from noughts.web.queue import FairQueue, Job
from noughts.web.worker_client import OutOfMemory, PoolSettings, WorkerClient

__all__ = ["GameInfo", "WorkerPool"]

GRACE, LONG_GRACE = 5.0, 10.0
"""Seconds beyond a job's time limit after which its worker is killed. A worker of the long queue may first have to
compile a kernel, which nothing can interrupt."""

REFUSAL_DELAY = 1.0
"""Seconds before a client is told that a queue is full, so that it does not ask again at once."""

MAX_QUEUE_SECONDS = 60.0
"""Seconds that a job may be queued, in addition to its own time."""

COMPILE_TIMEOUT = 300.0
"""Seconds in which a game's kernel must compile, in a process of the lowest priority."""

QUARANTINE = 60.0
"""Seconds for which a question that crashed two workers is refused. A game file is kept out of the quick queue for as
long after such a crash, or after a question about it timed out."""

MAX_DELAYED = 1_000
MAX_NAMES = 1_000

QUICK = ("position", "analyse", "explain", "move", "review")
"""The questions that are answered at once where the game is small."""

TIMED_OUT = "this question took too long and was given up"
TOO_LARGE = "this question needs more memory than the server allows"
CRASHED_TWICE = "this question was given up: the process that worked on it ended, and so did a second one"


class GameInfo(NamedTuple):
    """What is known of a game when the server starts."""

    title: str | None = None
    light: bool = True
    """Whether the game loads quickly."""
    small: bool = False
    """Whether the game can be solved completely in a moment."""


class _RecentNames:
    """A set of names, each for a limited time; when it is full, the least recently used names go first."""

    def __init__(self, seconds: float = float("inf")) -> None:
        self._seconds = seconds
        self._expires: OrderedDict[str, float] = OrderedDict()

    def add(self, name: str) -> None:
        """Add a name."""
        self._expires[name] = monotonic() + self._seconds
        if len(self._expires) > MAX_NAMES:
            self._expires.popitem(last=False)

    def __contains__(self, name: str) -> bool:
        if monotonic() >= self._expires.get(name, 0.0):
            self._expires.pop(name, None)
            return False
        self._expires.move_to_end(name)
        return True


class WorkerPool:
    """Answers questions in worker processes; identical questions that are asked at the same time are answered once.

    If a worker crashes, its question is asked once more, with what is left of its time.
    """

    def __init__(self, settings: PoolSettings = PoolSettings()) -> None:  # noqa: B008 - immutable
        self._settings = settings
        self._jobs: dict[str, tuple[Job, FairQueue]] = {}
        self._light, self._small = _RecentNames(), _RecentNames()
        """Games that load quickly, and games that are solved completely."""
        self._slow, self._crashing = _RecentNames(QUARANTINE), _RecentNames(QUARANTINE)
        """Game files that are kept out of the quick queue, and questions that crashed workers."""
        self._tasks: list[asyncio.Task[None]] = []
        self._delayed = 0

    async def start(self, games: Mapping[str, GameInfo] = MappingProxyType({})) -> None:
        """Start the workers; in the background they solve the small ones of these games and compile kernels."""
        settings = self._settings
        self._quick = FairQueue(settings.quick_limit, settings.quick_client_limit, GRACE)
        self._long = FairQueue(settings.long_limit, settings.long_client_limit, LONG_GRACE)
        for name, info in games.items():
            if info.light:
                self._light.add(name)
            if info.small:
                self._small.add(name)
        self._tasks = [asyncio.create_task(self._serve(self._quick, nice=0))]
        self._tasks += [asyncio.create_task(self._serve(self._long, nice=5)) for _ in range(settings.long_workers)]
        if games:
            self._tasks.append(asyncio.create_task(self._warm_up(games)))

    def cancel_all(self) -> None:
        """Cancel all jobs; everyone who waits for one gets an error."""
        for job, queue in list(self._jobs.values()):
            queue.discard(job)
            if job.cancel is not None:
                job.cancel()
            job.finish(_unavailable("the server is stopping"))

    async def stop(self) -> None:
        """Stop all workers."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def ask(
        self, request: ApiRequest, client: str, listener: Callable[[dict[str, Any]], None] | None = None
    ) -> Reply:
        """Return the reply to a question; raise RequestError if its queue is full.

        The `listener` is called with the progress of the search. If everyone who asked is cancelled, so is the search.
        """
        job, queue = self._jobs.get(request.key, (None, None))
        if job is None or queue is None:
            if request.key in self._crashing:
                raise RequestError(503, CRASHED_TWICE, retry_after=int(QUARANTINE))
            job, queue = Job(request, client), self._queue_for(request)
            try:
                queue.put(job)
            except RequestError:
                await self._delay_refusal()
                raise
            self._jobs[request.key] = job, queue
        if listener is not None:
            job.listeners.append(listener)
        job.waiters += 1
        try:
            async with asyncio.timeout(MAX_QUEUE_SECONDS + 2 * (job.seconds + queue.grace)):
                return await asyncio.shield(job.reply)
        except TimeoutError:
            raise RequestError(
                503, "the server was too busy to answer in time; try again later", retry_after=10
            ) from None
        finally:
            job.waiters -= 1
            if listener is not None:
                job.listeners.remove(listener)
            if not job.waiters and not job.reply.done():
                self._forget(job)
                queue.discard(job)
                if job.cancel is not None:
                    job.cancel()

    def _queue_for(self, request: ApiRequest) -> FairQueue:
        game = request.values["game"]
        quick = request.kind in QUICK and game in self._small
        if request.kind == "position" and not request.values["after"]:
            quick = game in self._light
        return self._quick if quick and game not in self._slow else self._long

    def _forget(self, job: Job) -> None:
        if self._jobs.get(job.request.key, (None, None))[0] is job:
            del self._jobs[job.request.key]

    async def _delay_refusal(self) -> None:
        """Wait before a client is refused: clients that ask again at once would crowd out all others."""
        if self._delayed < MAX_DELAYED:
            self._delayed += 1
            try:
                await asyncio.sleep(REFUSAL_DELAY)
            finally:
                self._delayed -= 1

    async def _serve(self, queue: FairQueue, nice: int) -> None:
        """Answer the jobs of a queue with one worker at a time; a worker that retires or fails is replaced."""
        while True:
            try:
                worker = await WorkerClient.start(self._settings, nice)
            except (TimeoutError, OSError, EOFError):
                await asyncio.sleep(1.0)  # the system may have resources for it later
                continue
            worker.on_end(queue.wake)
            try:
                while not worker.retires:
                    job = await queue.get(worker.has_ended)
                    if job is None:
                        break
                    if worker.has_ended():  # while it had nothing to do
                        queue.put_back(job)
                        break
                    await self._answer(job, worker, queue)
            except (TimeoutError, EOFError, OSError, OutOfMemory):
                pass
            except Exception:  # a bug must not stop the queue
                traceback.print_exc()
            finally:
                await worker.kill()

    async def _answer(self, job: Job, worker: WorkerClient, queue: FairQueue) -> None:
        """Finish a job with the worker's reply or an error, or put it back; re-raise any failure of the worker."""
        game = job.request.values["game"]
        try:
            reply = await worker.answer(job, queue.grace)
        except asyncio.CancelledError:
            raise
        except TimeoutError:
            self._quarantine(game)
            self._finish(job, _unavailable(TIMED_OUT))
            raise
        except Exception as failure:  # the process has ended, or has sent something invalid
            job.crashes += 1
            out_of_memory = isinstance(failure, OutOfMemory)
            if job.crashes == 1 and not (isinstance(failure, OutOfMemory) and failure.fresh):
                if job.waiters:
                    queue.put_back(job)
                raise
            self._quarantine(game)
            if not out_of_memory:
                self._crashing.add(job.request.key)
            self._finish(job, _unavailable(TOO_LARGE if out_of_memory else CRASHED_TWICE))
            raise
        self._finish(job, reply)
        if reply.light:
            self._light.add(game)
        if reply.small:
            self._small.add(game)

    def _quarantine(self, game: str) -> None:
        """Keep a game file out of the quick queue for a while; a built-in game is not to blame for a failure."""
        if game in self._settings.files:
            self._slow.add(game)

    def _finish(self, job: Job, reply: Reply) -> None:
        self._forget(job)
        job.finish(reply)

    async def _warm_up(self, games: Mapping[str, GameInfo]) -> None:
        """Solve the small games, and compile missing kernels in a process of the lowest priority."""
        with suppress(RequestError):
            for game, info in games.items():
                if info.small:
                    values = {"game": game, "position": "", "seconds": 1.0, "nodes": MOST_NODES}
                    await self.ask(ApiRequest("analyse", values), "")
        left = list(games)
        while left:
            worker = None
            with suppress(TimeoutError, EOFError, OSError, OutOfMemory):  # go on with the next game in a new process
                try:
                    worker = await WorkerClient.start(self._settings, nice=19)
                    while left and not worker.retires:
                        async with asyncio.timeout(COMPILE_TIMEOUT):
                            await worker.run("compile", {"game": left.pop(0)})
                finally:
                    if worker is not None:
                        await worker.kill()
            if worker is None:
                break


def _unavailable(error: str) -> Reply:
    return Reply(503, json.dumps({"error": error}))
