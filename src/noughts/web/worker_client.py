"""The server's side of a worker process: starting it, sending it jobs, cancelling them, and killing it."""

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

__all__ = ["OutOfMemory", "PoolSettings", "WorkerClient"]

START_TIMEOUT = 30.0
"""Seconds in which a worker must start."""

CANCEL_TIMEOUT = 2.0
"""Seconds in which a worker must reply after its job was cancelled."""

DRAIN_SECONDS = 0.5
"""Seconds for which a process's output is still read after it has ended, if another process holds the pipe open."""

MAX_LINE = 2**27

T = TypeVar("T")

HAS_PROCESS_GROUPS = os.name == "posix"
"""Whether a process can be killed together with the processes that it started."""


class OutOfMemory(Exception):
    """A worker has ended because a job needed too much memory.

    If it was `fresh`, the job was its first, so no other worker would have more memory for it.
    """

    def __init__(self, fresh: bool) -> None:
        super().__init__()
        self.fresh = fresh


class PoolSettings(NamedTuple):
    """The games, the numbers of workers, and the limits of a worker pool."""

    files: Mapping[str, tuple[str, str]] = {}
    """Games defined in files: by name, the path of the file and the hash of its contents."""
    only: tuple[str, ...] = ()
    """The only games that may be asked about; if empty, all games that noughts knows."""
    tables: Mapping[str, str] = {}
    """The folder of the table of a game, by its usual name."""
    long_workers: int = max(1, (os.cpu_count() or 2) - 1)
    quick_limit: int = 256
    long_limit: int = 32
    """How many jobs each queue may hold."""
    quick_client_limit: int = 128
    long_client_limit: int = 16
    """How many of them may come from one client."""
    memory_mib: int = 2048
    """How much memory a worker may use; a job that needs more fails."""
    retire_mib: int = 768
    """A worker that uses more than this after a job is replaced by a fresh one."""


class _WorkerProcess(asyncio.SubprocessProtocol):
    """The pipes of a process, and whether it has ended.

    asyncio's own `Process.wait()` will not do: it also waits for any child of the process that holds the pipes open.
    """

    def __init__(self) -> None:
        self.lines = asyncio.StreamReader(limit=MAX_LINE)
        self.ended = asyncio.Event()
        self.on_end: Callable[[], None] | None = None
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
            self._end_output()

    def _end_output(self) -> None:
        """Treat the output as ended, even if the pipe is still open."""
        self._drained = True
        self.lines.feed_eof()

    def process_exited(self) -> None:
        self.kill()  # the processes that it started
        asyncio.get_running_loop().call_later(DRAIN_SECONDS, self._end_output)
        self.ended.set()
        if self.on_end is not None:
            self.on_end()

    def has_ended(self) -> bool:
        """Return whether the process has ended. This asks the system: the event loop may not know yet."""
        if self.ended.is_set():
            return True
        if not hasattr(os, "waitid"):
            return False
        try:
            return os.waitid(os.P_PID, self._transport.get_pid(), os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:
            return True

    def write(self, line: bytes) -> None:
        """Send a line, unless the pipe is closed."""
        stdin = self._transport.get_pipe_transport(0)
        assert isinstance(stdin, asyncio.WriteTransport)
        if not stdin.is_closing():
            stdin.write(line)

    def kill(self) -> None:
        """Kill the process and the processes that it started."""
        with suppress(ProcessLookupError, PermissionError):
            if HAS_PROCESS_GROUPS:
                os.killpg(self._transport.get_pid(), signal.SIGKILL)
            else:
                self._transport.kill()

    def close(self) -> None:
        """Close the pipes."""
        self._transport.close()


class WorkerClient:
    """A connection to one worker process."""

    def __init__(self, process: _WorkerProcess) -> None:
        self._process = process
        self._last_id = 0
        self.retires = False
        """Whether the worker has announced that it ends after its last reply."""

    @classmethod
    async def start(cls, settings: PoolSettings, nice: int) -> "WorkerClient":
        """Start a worker and return it when it is ready."""
        worker = cls(await _start_process("main"))
        worker._send(
            {
                "files": dict(settings.files),
                "only": settings.only,
                "tables": dict(settings.tables),
                "nice": nice,
                "memory_mib": settings.memory_mib,
                "retire_mib": settings.retire_mib,
            }
        )
        try:
            async with asyncio.timeout(START_TIMEOUT):
                await worker._receive()
        except BaseException:
            await worker.kill()
            raise
        return worker

    def has_ended(self) -> bool:
        """Return whether the process has ended by itself."""
        return self._process.has_ended()

    def on_end(self, callback: Callable[[], None]) -> None:
        """Call a function when the process ends."""
        self._process.on_end = callback

    async def answer(self, job: Job, grace: float) -> Reply:
        """Return the worker's reply to a job; it has what is left of the job's time, and some grace.

        Raises TimeoutError if there is no reply by then, EOFError if the process ends first, and OutOfMemory. After
        any of these the worker can no longer be used.
        """
        values = dict(job.request.values)
        if "seconds" in values:
            values["seconds"] = job.seconds_left

        def cancel() -> None:
            self._send({"cancel": number})
            with suppress(RuntimeError):  # the timeout has just expired anyway
                timeout.reschedule(asyncio.get_running_loop().time() + CANCEL_TIMEOUT)

        started = asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout(job.seconds_left + grace) as timeout:
                number = self._ask(job.request.kind, values)
                job.cancel = cancel
                return Reply(*await self._reply(number, job.report_progress))
        finally:
            job.cancel = None
            job.spent += asyncio.get_running_loop().time() - started

    async def run(
        self, kind: str, values: Mapping[str, Any], on_progress: Callable[[dict[str, Any]], None] = lambda _: None
    ) -> Any:
        """Run a task other than a question, "load" or "compile", and return its result; there is no timeout."""
        return await self._reply(self._ask(kind, values), on_progress)

    def _ask(self, kind: str, values: Mapping[str, Any]) -> int:
        self._last_id += 1
        self._send({"id": self._last_id, "kind": kind, "values": values})
        return self._last_id

    async def _reply(self, number: int, on_progress: Callable[[dict[str, Any]], None]) -> Any:
        while True:
            message = await self._receive()
            if message.get("id") != number:
                continue
            if "reply" in message:
                self.retires = message["retires"]
                if message["reply"] is None:
                    raise OutOfMemory(fresh=number == 1)
                return message["reply"]
            on_progress(message["progress"])

    def _send(self, message: dict[str, Any]) -> None:
        self._process.write(f"{json.dumps(message)}\n".encode())

    async def _receive(self) -> dict[str, Any]:
        line = await self._process.lines.readline()
        if not line.endswith(b"\n"):
            raise EOFError
        message: dict[str, Any] = json.loads(line)
        return message

    async def kill(self) -> None:
        """Kill the process and return when it has ended. This is quick, so a cancellation waits until it is done."""
        if not self._process.ended.is_set():  # otherwise its pid may belong to another process by now
            self._process.kill()
        try:
            await _uncancelled(asyncio.ensure_future(self._process.ended.wait()))
        finally:
            self._process.close()


async def _start_process(function: str) -> _WorkerProcess:
    """Start a function of `noughts.web.worker` in a new process, in its own process group.

    `-P` keeps the current folder, which may contain anything, out of the import path. Our own root is appended last,
    for a noughts that runs from its source tree.
    """
    root = str(Path(__file__).parents[2])
    # Without process groups, Ctrl-C reaches the worker too. It ignores it from the start: the server stops workers.
    program = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); "
        f"sys.path.append({root!r}); from noughts.web.worker import {function}; {function}()"
    )
    starting = asyncio.ensure_future(
        asyncio.get_running_loop().subprocess_exec(
            _WorkerProcess,
            *(sys.executable, "-P", "-c", program),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=None,
            process_group=0 if HAS_PROCESS_GROUPS else None,
        )
    )
    try:
        _, process = await _uncancelled(starting)
    except asyncio.CancelledError:
        if starting.exception() is None:
            await WorkerClient(starting.result()[1]).kill()
        raise
    return process


async def _uncancelled(task: "asyncio.Future[T]") -> T:
    """Return a task's result; a cancellation in the meantime is raised only after the task is done."""
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise
