"""A bounded queue of jobs in which clients take turns."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Any

from noughts.web.endpoints import ApiRequest, RequestError
from noughts.web.handlers import A_MOMENT, Reply

__all__ = ["FairQueue", "Job"]


class Job:
    """A question that is queued or being answered, and everyone who waits for its reply."""

    def __init__(self, request: ApiRequest, client: str) -> None:
        self.request = request
        self.client = client
        self.reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self.listeners: list[Callable[[dict[str, Any]], None]] = []
        self.waiters = 0
        """How many requests wait for the reply."""
        self.cancel: Callable[[], None] | None = None
        """Cancels the search while one is running; None otherwise."""
        self.spent = 0.0
        """Seconds that workers have already spent on it."""
        self.crashes = 0
        """How many workers have ended while they worked on it."""

    @property
    def seconds(self) -> float:
        """Return the time limit in seconds."""
        return float(self.request.values.get("seconds") or 0.0)

    @property
    def seconds_left(self) -> float:
        """Return how much of the time limit is left, but at least a moment, so that there can be some answer."""
        return max(min(self.seconds, A_MOMENT), self.seconds - self.spent)

    def report_progress(self, progress: dict[str, Any]) -> None:
        """Call every listener with the progress of the search."""
        for listener in self.listeners:
            listener(progress)

    def finish(self, reply: Reply) -> None:
        """Set the reply, unless there is one already."""
        if not self.reply.done():
            self.reply.set_result(reply)


class FairQueue:
    """A queue in which clients take turns, each with its own jobs in order.

    It holds at most `limit` jobs, and at most `client_limit` jobs of one client. A worker that takes a job from this
    queue gets `grace` seconds beyond the job's time limit.
    """

    def __init__(self, limit: int, client_limit: int, grace: float) -> None:
        self._limit, self._client_limit = limit, client_limit
        self.grace = grace
        self._jobs_by_client: OrderedDict[str, deque[Job]] = OrderedDict()
        self._count = 0
        self._wake_up = asyncio.Event()

    def put(self, job: Job) -> None:
        """Add a job, or raise RequestError if the queue is full."""
        jobs = self._jobs_by_client.get(job.client)
        if self._count >= self._limit or (jobs is not None and len(jobs) >= self._client_limit):
            raise RequestError(503, "too many questions are waiting; try again in a moment", retry_after=2)
        self._jobs_by_client.setdefault(job.client, deque()).append(job)
        self._count += 1
        self._wake_up.set()

    async def get(self, is_gone: Callable[[], bool] = lambda: False) -> Job | None:
        """Wait for a job and return it; it belongs to the client who has waited longest for a turn.

        Return None instead if the caller `is_gone`, which is checked when a job arrives and after `wake()`.
        """
        while not self._jobs_by_client:
            if is_gone():
                return None
            self._wake_up.clear()
            await self._wake_up.wait()
        client, jobs = self._jobs_by_client.popitem(last=False)
        job = jobs.popleft()
        if jobs:
            self._jobs_by_client[client] = jobs
        self._count -= 1
        return job

    def wake(self) -> None:
        """Make everyone who waits in `get` check whether they are gone."""
        self._wake_up.set()

    def put_back(self, job: Job) -> None:
        """Put a job at the front of the queue, so that it is next."""
        self._jobs_by_client.setdefault(job.client, deque()).appendleft(job)
        self._jobs_by_client.move_to_end(job.client, last=False)
        self._count += 1
        self._wake_up.set()

    def discard(self, job: Job) -> None:
        """Remove a job, if it is still in the queue."""
        jobs = self._jobs_by_client.get(job.client)
        if jobs is not None and job in jobs:
            jobs.remove(job)
            self._count -= 1
            if not jobs:
                del self._jobs_by_client[job.client]
