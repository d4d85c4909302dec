"""Runs tasks on Ray: on a cluster, or on one of its own that lives on this machine as long as the solve."""

import json
import os
import re
import secrets
import selectors
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from noughts.errors import NoughtsError, one_line, shown
from noughts.guard import guarded
from noughts.solving.files import Facts
from noughts.solving.tasks import Job, Task
from noughts.solving.worker import facts_in, request_of

__all__ = ["INSTALL", "OLDEST", "RayEngine", "environment_for", "require_ray"]

INSTALL = "pip install 'noughts[cluster]'"

OLDEST = (2, 54)
"""The first version of Ray without known holes that matter here."""

LOOK_EVERY = 0.2
"""Seconds between two looks at whether to stop."""

PATIENCE = 5.0
"""Seconds to wait for a cluster to be told that its tasks are not wanted any more."""

LONGEST_FOLDER = 16
"""The longest name of a folder for temporary files in which Ray's sockets, some 88 characters more, have room."""


def require_ray() -> None:
    """Raise NoughtsError unless there is a version of Ray that may be used; Ray is not imported."""
    try:
        found = version("ray")
    except PackageNotFoundError:
        raise NoughtsError(f"--engine ray needs the package ray; {INSTALL}") from None
    if tuple(map(int, re.findall(r"\d+", found)[:2])) < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise NoughtsError(f"Ray {found} has known security holes: {oldest} or newer is needed; {INSTALL}")


def environment_for(address: str | None, given: Mapping[str, str]) -> dict[str, str]:
    """Return the environment for Ray: with token authentication, and nothing reported to anyone.

    What the user has set about authentication stays. A cluster of our own has a new token; to join another, there must
    be one.
    """
    found = {**given, "RAY_USAGE_STATS_ENABLED": "0"}
    found["PYTHONPATH"] = os.pathsep.join(each for each in sys.path if each)
    wants_token = found.setdefault("RAY_AUTH_MODE", "token").lower() == "token"
    has_token = any(found.get(name) for name in ("RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"))
    if address is None:
        found["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"  # or else Ray replaces the loopback address by another
        if wants_token and not has_token:
            found["RAY_AUTH_TOKEN"] = secrets.token_hex(32)
    elif wants_token and not has_token and not Path("~/.ray/auth_token").expanduser().exists():
        raise NoughtsError(
            "there is no token for the Ray cluster: set RAY_AUTH_TOKEN or RAY_AUTH_TOKEN_PATH, "
            "or RAY_AUTH_MODE=disabled if it has no authentication"
        )
    return found


class RayEngine:
    """Runs tasks on Ray, by way of a process that talks to it."""

    def __init__(
        self, address: str | None = None, workers: int | None = None, check: Callable[[], None] = lambda: None
    ) -> None:
        require_ray()
        self._address, self._workers, self._check = address, workers, check
        self._mark = f"shared-{secrets.token_hex(8)}"
        self._room = 0
        self._process: subprocess.Popen[bytes] | None = None

    def run(self, job: Job, tasks: Sequence[Task]) -> Iterator[tuple[Task, Facts]]:
        """Run tasks, as many at once as there is room for; those that die with a worker or a node are run again."""
        waiting, busy = deque(tasks), dict[str, Task]()
        if not waiting:
            return
        if not os.path.exists(mark := os.path.join(job.work, self._mark)):
            with open(mark, "xb"):  # by which other nodes know the folder
                pass
        if self._process is None:
            self._start()
        while waiting or busy:
            self._check()
            while waiting and len(busy) < self._room:
                task = waiting.popleft()
                busy[task.output] = task
                self._send(request_of(job, task))
            for answer in self._answers():
                self._room = answer["room"]
                if "error" in answer or "facts" in answer:
                    facts = facts_in(answer)
                    yield busy.pop(answer["output"]), facts

    def _start(self) -> None:
        """Start the process that talks to Ray, under a guard that ends it and whatever it starts with this one."""
        environment = environment_for(self._address, os.environ)
        usual = tempfile.gettempdir()
        folder = tempfile.mkdtemp(prefix="noughts-", dir=usual if len(usual) <= LONGEST_FOLDER else "/tmp")
        command = [sys.executable, "-c", "from noughts.solving.ray_process import main; main()"]
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `close`
        life, self._life = os.pipe()
        try:
            self._process = subprocess.Popen(
                guarded(command, folder, life),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._log,
                env=environment,
                pass_fds=[life],
                start_new_session=True,
            )
        finally:
            os.close(life)
        assert self._process.stdout is not None
        self._unread = b""
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._process.stdout, selectors.EVENT_READ)
        settings = {"address": self._address, "workers": self._workers, "mark": self._mark, "folder": folder}
        self._send(json.dumps(settings).encode() + b"\n")

    def _send(self, line: bytes) -> None:
        """Write a line; if nobody reads it any more, the answers will say so."""
        assert self._process is not None
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.write(line)
            self._process.stdin.flush()

    def _answers(self) -> list[dict[str, Any]]:
        """Return the answers that have come, after waiting a little for one."""
        assert self._process is not None
        assert self._process.stdout is not None
        if not self._selector.select(LOOK_EVERY):
            return []
        read = os.read(self._process.stdout.fileno(), 1 << 16)
        if not read:
            raise NoughtsError(f"Ray has ended{self._last_words()}; the same command goes on from here")
        *lines, self._unread = (self._unread + read).split(b"\n")
        return [json.loads(line) for line in lines]

    def _last_words(self) -> str:
        """Return the last line that Ray has printed, if any, in parentheses."""
        self._log.seek(0)
        lines = self._log.read().decode(errors="replace").strip().splitlines()
        return f" ({shown(one_line(lines[-1]), 200)})" if lines else ""

    def close(self) -> None:
        """End what was started; a cluster that was joined is told that its tasks are not wanted any more."""
        if self._process is None:
            return
        process, self._process = self._process, None
        for stream in (process.stdin, process.stdout):
            assert stream is not None
            with suppress(OSError):
                stream.close()
        if self._address is not None:
            with suppress(subprocess.TimeoutExpired):
                process.wait(PATIENCE)
        os.close(self._life)
        process.wait()
        self._selector.close()
        self._log.close()
