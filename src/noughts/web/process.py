"""A worker, seen from the server: a process that is asked, stopped, and ended if it does not heed."""

import asyncio
import json
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from noughts.web.answers import Reply
from noughts.web.lanes import Job

__all__ = ["Settings", "Worker", "python"]

READY = 30.0
"""Seconds that a worker has to start."""

STOPPING = 2.0
"""Seconds in which it must have answered when nobody wants the answer any more."""

LONGEST_LINE = 2**27


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


class Worker:
    """A process that answers, seen from the server."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._asked = 0
        self.retires = False

    @classmethod
    async def start(cls, settings: Settings, nice: int) -> "Worker":
        """Start a process, and return when it is ready."""
        setup = {
            "files": dict(settings.files),
            "only": settings.only,
            "nice": nice,
            "memory_mib": settings.memory_mib,
            "retire_mib": settings.retire_mib,
        }
        worker = cls(await python("main", setup))
        try:
            async with asyncio.timeout(READY):
                await worker._receive()
        except BaseException:
            await worker.end()
            raise
        return worker

    @property
    def gone(self) -> bool:
        """Say whether the process has ended by itself."""
        return self._process.returncode is not None

    async def answer(self, job: Job, grace: float) -> Reply:
        """Have a job answered within its time and some grace.

        Raises TimeoutError or EOFError; the process is then of no further use.
        """
        self._asked += 1
        number = self._asked
        self._send({"id": number, "kind": job.asked.kind, "values": job.asked.values})
        async with asyncio.timeout(job.seconds + grace) as patience:

            def stop() -> None:
                self._send({"cancel": number})
                with suppress(RuntimeError):  # its time is just up anyway
                    patience.reschedule(asyncio.get_running_loop().time() + STOPPING)

            job.stop = stop
            while True:
                message = await self._receive()
                if message.get("id") != number:
                    continue
                if "reply" in message:
                    self.retires = message["retires"]
                    return Reply(*message["reply"])
                for listener in job.listeners:
                    listener(message["progress"])

    def _send(self, message: dict[str, Any]) -> None:
        stdin = self._process.stdin
        assert stdin is not None
        if not stdin.is_closing():
            stdin.write(f"{json.dumps(message)}\n".encode())

    async def _receive(self) -> dict[str, Any]:
        stdout = self._process.stdout
        assert stdout is not None
        line = await stdout.readline()
        if not line.endswith(b"\n"):
            raise EOFError
        message: dict[str, Any] = json.loads(line)
        return message

    async def end(self) -> None:
        """End the process at once."""
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()


async def python(function: str, settings: dict[str, Any]) -> asyncio.subprocess.Process:
    """Start a function of `noughts.web.worker` in a process of its own, with its settings as the first line of input.

    `-P` keeps the current folder out of its path, where anything might lie; ours comes last, for a noughts that is
    run from its source.
    """
    root = str(Path(__file__).parents[2])
    # Ctrl-C reaches it too, but the server says when to stop: from the first moment on.
    program = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); "
        f"sys.path.append({root!r}); from noughts.web.worker import {function}; {function}()"
    )
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-c", program),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=LONGEST_LINE,
    )
    assert process.stdin is not None
    process.stdin.write(f"{json.dumps(settings)}\n".encode())
    return process
