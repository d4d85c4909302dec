"""Questions that wait, and whose turn it is."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Any

from noughts.web.endpoints import Asked, Refused
from noughts.web.handlers import A_MOMENT, Reply

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
        """Stops the search, while it runs."""
        self.spent = 0.0
        """Seconds that workers have had for it."""
        self.failures = 0
        """How many workers have ended over it."""

    @property
    def seconds(self) -> float:
        """Return the time that was granted."""
        return float(self.asked.values.get("seconds") or 0.0)

    @property
    def seconds_left(self) -> float:
        """Return what is left of it: a moment at least, so that something can be answered."""
        return max(min(self.seconds, A_MOMENT), self.seconds - self.spent)

    def tell(self, progress: dict[str, Any]) -> None:
        """Tell all who listen how far the search is."""
        for listener in self.listeners:
            listener(progress)

    def finish(self, reply: Reply) -> None:
        """Give all who wait this reply, unless they have one."""
        if not self.reply.done():
            self.reply.set_result(reply)


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

    async def get(self, gone: Callable[[], bool] = lambda: False) -> Job | None:
        """Return the next job, of the client who has waited longest for a turn; None once whoever asks for it is gone.

        That is looked at when there is a new job, and after `wake()`.
        """
        while not self._queues:
            if gone():
                return None
            self._filled.clear()
            await self._filled.wait()
        client, queue = self._queues.popitem(last=False)
        job = queue.popleft()
        if queue:
            self._queues[client] = queue
        self._waiting -= 1
        return job

    def wake(self) -> None:
        """Have all who wait for a job look whether they are gone."""
        self._filled.set()

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
