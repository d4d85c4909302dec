"""A worker, seen from the server: a process that is asked, stopped, and ended if it does not heed."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from noughts.web.handlers import Reply
from noughts.web.queue import Job

__all__ = ["OutOfMemory", "Settings", "Worker"]

READY = 30.0
"""Seconds that a worker has to start."""

STOPPING = 2.0
"""Seconds in which it must have answered when nobody wants the answer any more."""

DRAINING = 0.5
"""Seconds for which the output of a process is still read after it has ended, if another process holds it open."""

LONGEST_LINE = 2**27

T = TypeVar("T")

ENDS_WITH_ITS_OWN = os.name == "posix"
"""Whether a process can be ended together with those that it has started."""


class OutOfMemory(Exception):
    """A worker had too little memory for a question, and has ended. If it was `fresh`, no other has more."""

    def __init__(self, fresh: bool) -> None:
        super().__init__()
        self.fresh = fresh


class Settings(NamedTuple):
    """How much there is of everything."""

    files: Mapping[str, tuple[str, str]] = {}
    """Games given as files: what they are called, their paths, and what their contents are known by."""
    only: tuple[str, ...] = ()
    """The games that are answered for; empty is all that noughts knows."""
    long_workers: int = max(1, (os.cpu_count() or 2) - 1)
    quick_limit: int = 256
    long_limit: int = 32
    """How many questions may wait in each lane."""
    quick_client_limit: int = 128
    long_client_limit: int = 16
    """How many of them may come from one client."""
    memory_mib: int = 2048
    """What a worker may take; a question that wants more is not answered."""
    retire_mib: int = 768
    """What a worker may have taken before it makes room for a fresh one."""


class _Process(asyncio.SubprocessProtocol):
    """The pipes of a process, and whether it has ended.

    A process that it has started may hold the pipes open. asyncio's own `Process.wait()` would then wait for that one.
    """

    def __init__(self) -> None:
        self.lines = asyncio.StreamReader(limit=LONGEST_LINE)
        self.ended = asyncio.Event()
        self.when_ended: Callable[[], None] | None = None
        self._transport: asyncio.SubprocessTransport
        self._drained = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport = transport
        output = transport.get_pipe_transport(1)
        assert output is not None
        self.lines.set_transport(output)

    def pipe_data_received(self, _: int, data: bytes | str) -> None:
        assert isinstance(data, bytes)
        if not self._drained:
            self.lines.feed_data(data)

    def pipe_connection_lost(self, fd: int, _: Exception | None) -> None:
        if fd == 1:
            self._drain()

    def _drain(self) -> None:
        """Take what was read so far for all that there is."""
        self._drained = True
        self.lines.feed_eof()

    def process_exited(self) -> None:
        self.kill()  # what it has started
        asyncio.get_running_loop().call_later(DRAINING, self._drain)
        self.ended.set()
        if self.when_ended is not None:
            self.when_ended()

    def gone(self) -> bool:
        """Say whether the process has ended, as the system knows: the event loop may not have heard of it yet."""
        if self.ended.is_set():
            return True
        if not hasattr(os, "waitid"):
            return False
        try:
            return os.waitid(os.P_PID, self._transport.get_pid(), os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:
            return True

    def write(self, line: bytes) -> None:
        """Send a line, if there is still anybody to read it."""
        stdin = self._transport.get_pipe_transport(0)
        assert isinstance(stdin, asyncio.WriteTransport)
        if not stdin.is_closing():
            stdin.write(line)

    def kill(self) -> None:
        """End the process, and those that it has started."""
        with suppress(ProcessLookupError, PermissionError):
            if ENDS_WITH_ITS_OWN:
                os.killpg(self._transport.get_pid(), signal.SIGKILL)
            else:
                self._transport.kill()

    def close(self) -> None:
        """Close the pipes."""
        self._transport.close()


class Worker:
    """A process that answers, seen from the server."""

    def __init__(self, process: _Process) -> None:
        self._process = process
        self._asked = 0
        self.retires = False

    @classmethod
    async def start(cls, settings: Settings, nice: int) -> "Worker":
        """Start a process, and return when it is ready."""
        worker = cls(await _python("main"))
        worker._send(
            {
                "files": dict(settings.files),
                "only": settings.only,
                "nice": nice,
                "memory_mib": settings.memory_mib,
                "retire_mib": settings.retire_mib,
            }
        )
        try:
            async with asyncio.timeout(READY):
                await worker._receive()
        except BaseException:
            await worker.end()
            raise
        return worker

    def gone(self) -> bool:
        """Say whether the process has ended by itself."""
        return self._process.gone()

    def when_ended(self, tell: Callable[[], None]) -> None:
        """Have a function called when the process ends."""
        self._process.when_ended = tell

    async def answer(self, job: Job, grace: float) -> Reply:
        """Have a job answered within what is left of its time and some grace.

        Raises TimeoutError if it is not, EOFError if the process ends before, and OutOfMemory. The process is then of
        no further use.
        """
        values = dict(job.asked.values)
        if "seconds" in values:
            values["seconds"] = job.seconds_left

        def stop() -> None:
            self._send({"cancel": number})
            with suppress(RuntimeError):  # its time is just up anyway
                patience.reschedule(asyncio.get_running_loop().time() + STOPPING)

        started = asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout(job.seconds_left + grace) as patience:
                number = self._ask(job.asked.kind, values)
                job.stop = stop
                return Reply(*await self._answered(number, job.tell))
        finally:
            job.stop = None
            job.spent += asyncio.get_running_loop().time() - started

    async def have(
        self, kind: str, values: Mapping[str, Any], tell: Callable[[dict[str, Any]], None] = lambda _: None
    ) -> Any:
        """Have something else than a question done; return what comes of it, which takes as long as it takes."""
        return await self._answered(self._ask(kind, values), tell)

    def _ask(self, kind: str, values: Mapping[str, Any]) -> int:
        self._asked += 1
        self._send({"id": self._asked, "kind": kind, "values": values})
        return self._asked

    async def _answered(self, number: int, tell: Callable[[dict[str, Any]], None]) -> Any:
        while True:
            message = await self._receive()
            if message.get("id") != number:
                continue
            if "reply" in message:
                self.retires = message["retires"]
                if message["reply"] is None:
                    raise OutOfMemory(fresh=number == 1)
                return message["reply"]
            tell(message["progress"])

    def _send(self, message: dict[str, Any]) -> None:
        self._process.write(f"{json.dumps(message)}\n".encode())

    async def _receive(self) -> dict[str, Any]:
        line = await self._process.lines.readline()
        if not line.endswith(b"\n"):
            raise EOFError
        message: dict[str, Any] = json.loads(line)
        return message

    async def end(self) -> None:
        """End the process at once, and return when it has ended; it takes no time, so nothing interrupts it."""
        if not self._process.ended.is_set():  # else its number may be another's by now
            self._process.kill()
        try:
            await _through(asyncio.ensure_future(self._process.ended.wait()))
        finally:
            self._process.close()


async def _python(function: str) -> _Process:
    """Start a function of `noughts.web.worker` in a process of its own, in a group of its own.

    `-P` keeps the current folder out of its path, where anything might lie; ours comes last, for a noughts that is
    run from its source.
    """
    root = str(Path(__file__).parents[2])
    # Where it has no group of its own, Ctrl-C reaches it too; but the server says when to stop, from the first moment.
    program = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); "
        f"sys.path.append({root!r}); from noughts.web.worker import {function}; {function}()"
    )
    starting = asyncio.ensure_future(
        asyncio.get_running_loop().subprocess_exec(
            _Process,
            *(sys.executable, "-P", "-c", program),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=None,
            process_group=0 if ENDS_WITH_ITS_OWN else None,
        )
    )
    try:
        _, process = await _through(starting)
    except asyncio.CancelledError:
        if starting.exception() is None:
            await Worker(starting.result()[1]).end()
        raise
    return process


async def _through(task: "asyncio.Future[T]") -> T:
    """Wait for a task; if this is cancelled meanwhile, only after the task is done."""
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise
