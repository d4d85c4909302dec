"""The installed command, run for tests: as a new process, or as a copy of one that has loaded everything.

A new Python spends most of its time on loading modules, and tests start the command hundreds of times. So one process
loads them once, and copies itself for each run, with the arguments, the environment, the folder and the three streams
of that run. What a start itself does is tested by real starts.
"""

import atexit
import gc
import io
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from threading import Thread
from typing import IO

from tests.helpers import TIMEOUT

LOADED = (
    *("noughts.cli.commands", "noughts.engine", "noughts.players", "noughts.match", "noughts.wire", "noughts.words"),
    *(f"noughts.cli.{name}" for name in ("play", "analyse", "explain", "count", "openings", "tree", "games", "lint")),
)
"""Modules that the process loads before it is copied, with all that these import."""

MOST = 1 << 20
"""The most bytes of one request."""


class Noughts:
    """Runs the command; any run that hangs fails the test."""

    def __init__(self, command: str, env: dict[str, str]) -> None:
        self.command = command
        self.env = env

    def __call__(self, *args: str, typed: str | bytes = b"") -> "subprocess.CompletedProcess[str]":
        given = typed.encode() if isinstance(typed, str) else typed
        if os.path.basename(self.command) == "noughts" and can_be_copied(self.env):
            done = copies().run([self.command, *args], given, self.env)
        else:
            done = subprocess.run(
                [self.command, *args], input=given, capture_output=True, timeout=TIMEOUT, env=self.env
            )
        out, err = (stream.decode(errors="replace") for stream in (done.stdout, done.stderr))
        assert "Traceback" not in out + err, err
        return subprocess.CompletedProcess(done.args, done.returncode, out, err)


def can_be_copied(env: Mapping[str, str]) -> bool:
    """Return whether a copy is like a new process in this environment: not if Python itself would start differently."""

    def of_python(env: Mapping[str, str]) -> dict[str, str]:
        names = (name for name in env if name.startswith(("PYTHON", "NUMBA", "LC_", "LANG")))
        return {name: env[name] for name in names if name != "PYTHONUTF8"}

    return hasattr(os, "fork") and env.get("PYTHONUTF8") == "1" and of_python(env) == of_python(os.environ)


class Copies:
    """A process that has loaded the command and runs copies of itself."""

    def __init__(self) -> None:
        self._ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                env={**os.environ, "PYTHONUTF8": "1"},
            )
        atexit.register(self._end)

    def _end(self) -> None:
        self._ours.close()  # which ends the process
        self._process.wait(TIMEOUT)

    def run(self, args: list[str], typed: bytes, env: dict[str, str]) -> "subprocess.CompletedProcess[bytes]":
        """Run the command with pipes for its streams."""
        (stdin, put), (get, stdout), (hear, stderr) = (os.pipe() for _ in range(3))
        request = json.dumps({"args": args, "env": env, "folder": os.getcwd()}).encode()
        assert len(request) < MOST
        socket.send_fds(self._ours, [len(request).to_bytes(4, "big")], [stdin, stdout, stderr])
        self._ours.sendall(request)
        for each in (stdin, stdout, stderr):
            os.close(each)
        with open(put, "wb") as to, open(get, "rb") as out, open(hear, "rb") as err:
            said: dict[str, bytes] = {}
            threads = [
                Thread(target=typed_into, args=(to, typed)),
                Thread(target=lambda: said.update(out=out.read())),
                Thread(target=lambda: said.update(err=err.read())),
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        answer = received(self._ours, 4)
        assert answer, "the process that is copied has ended"
        code = int.from_bytes(answer, "big", signed=True)
        if code == -signal.SIGALRM:
            raise subprocess.TimeoutExpired(args, TIMEOUT)
        return subprocess.CompletedProcess(args, code, said["out"], said["err"])


@cache
def copies() -> Copies:
    """Return the process of this test process that runs copies, started when it is first needed."""
    return Copies()


def typed_into(stream: IO[bytes], typed: bytes) -> None:
    with suppress(BrokenPipeError), stream:  # the command need not read everything
        stream.write(typed)


def received(connection: socket.socket, size: int) -> bytes:
    """Return so many bytes; none if the connection was closed."""
    found = b""
    while len(found) < size:
        part = connection.recv(size - len(found))
        if not part:
            return b""
        found += part
    return found


# In the process that is copied.


def serve(connection: socket.socket) -> int:
    """Run a copy for each request until the connection is closed; in a copy, return its exit code."""
    for name in LOADED:
        import_module(name)
    gc.freeze()  # so that no copy looks through what all share
    while True:
        size, streams, *_ = socket.recv_fds(connection, 4, 3)
        if not size:
            return 0
        request = json.loads(received(connection, int.from_bytes(size, "big")))
        child = os.fork()
        if not child:
            connection.close()
            return as_a_start(streams, **request)
        for each in streams:
            os.close(each)
        _, status = os.waitpid(child, 0)
        connection.sendall(os.waitstatus_to_exitcode(status).to_bytes(4, "big", signed=True))


def as_a_start(streams: Sequence[int], args: list[str], env: dict[str, str], folder: str) -> int:
    """Run the command in this process as if it had just been started."""
    import random

    from noughts.cli import main

    signal.alarm(TIMEOUT)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(env)
    random.seed()
    sys.argv = args
    read, write, tell = (io.FileIO(number, mode, closefd=False) for number, mode in enumerate(("r", "w", "w")))
    sys.stdin = io.TextIOWrapper(io.BufferedReader(read), errors="surrogateescape")
    sys.stdout = io.TextIOWrapper(io.BufferedWriter(write), errors="surrogateescape")
    sys.stderr = io.TextIOWrapper(io.BufferedWriter(tell), errors="backslashreplace", line_buffering=True)
    return main()


if __name__ == "__main__":
    sys.exit(serve(socket.socket(fileno=int(sys.argv[1]))))
