"""Questions that wait, and whose turn it is."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Any

from noughts.web.answers import Reply
from noughts.web.questions import Asked, Refused

__all__ = ["Job", "Lane"]


class Job:
    """A question that waits or is being answered, and all who want to know the answer."""

    def __init__(self, asked: Asked, client: str) -> None:
        self.asked = asked
        self.client = client
        self.reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self.listeners: list[Callable[[dict[str, Any]], None]] = []
        self.wanted_by = 0
        self.stop: Callable[[], None] | None = None
        """Stops the search, once it runs."""

    @property
    def seconds(self) -> float:
        """Return the time that was granted."""
        return float(self.asked.values.get("seconds") or 0.0)


class Lane:
    """Questions that wait, of each client in order; clients take turns."""

    def __init__(self, limit: int, client_limit: int, grace: float) -> None:
        self._limit, self._client_limit = limit, client_limit
        self.grace = grace
        self._queues: OrderedDict[str, deque[Job]] = OrderedDict()
        self._waiting = 0
        self._filled = asyncio.Event()

    def put(self, job: Job) -> None:
        """Let a job wait its turn, or raise Refused if there is no room."""
        queue = self._queues.get(job.client)
        if self._waiting >= self._limit or (queue is not None and len(queue) >= self._client_limit):
            raise Refused(503, "too many questions are waiting; ask again in a moment", retry_after=2)
        self._queues.setdefault(job.client, deque()).append(job)
        self._waiting += 1
        self._filled.set()

    async def get(self) -> Job:
        """Return the next job, of the client who has waited longest for a turn."""
        while not self._queues:
            self._filled.clear()
            await self._filled.wait()
        client, queue = self._queues.popitem(last=False)
        job = queue.popleft()
        if queue:
            self._queues[client] = queue
        self._waiting -= 1
        return job

    def put_back(self, job: Job) -> None:
        """Let a job be the next one again."""
        self._queues.setdefault(job.client, deque()).appendleft(job)
        self._queues.move_to_end(job.client, last=False)
        self._waiting += 1
        self._filled.set()

    def discard(self, job: Job) -> None:
        """Take a job out, if it still waits."""
        queue = self._queues.get(job.client)
        if queue is not None and job in queue:
            queue.remove(job)
            self._waiting -= 1
            if not queue:
                del self._queues[job.client]
