"""Helpers: a server as a user starts it, and clients for it."""

import json
import os
import re
import signal
import socket
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

from tests.helpers import TIMEOUT


class Replied(NamedTuple):
    """A response of the server."""

    status: int
    headers: Mapping[str, str]
    """By name in lower case."""
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def error(self) -> str:
        """The error message: one line, and the only content of the response."""
        assert self.headers["content-type"] == "application/json"
        assert self.headers["cache-control"] == "no-store"
        found = self.json()
        assert list(found) == ["error"]
        line = found["error"]
        assert isinstance(line, str)
        assert line.strip() == line != ""
        assert line.isprintable()
        return line


class Client:
    """One persistent connection, as a browser has."""

    def __init__(self, port: int, timeout: float = TIMEOUT) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=timeout)

    def get(self, path: str, headers: Mapping[str, str] | None = None, method: str = "GET", **query: Any) -> Replied:
        """Send a request; parameters that are None are left out, and booleans are written as in JSON."""
        words = {
            name: json.dumps(value) if isinstance(value, bool) else value
            for name, value in query.items()
            if value is not None
        }
        address = f"{path}?{urlencode(words)}" if words else path
        self._connection.request(method, address, headers=dict(headers or {}))
        response = self._connection.getresponse()
        found = {name.lower(): value for name, value in response.getheaders()}
        return Replied(response.status, found, response.read())

    def close(self) -> None:
        self._connection.close()


class Server(NamedTuple):
    """A running server."""

    process: "subprocess.Popen[str]"
    url: str
    """Its address without the final slash."""
    first_line: str
    errors: Path
    """The file with its standard error."""

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    @contextmanager
    def client(self, timeout: float = TIMEOUT) -> Iterator[Client]:
        client = Client(self.port, timeout)
        try:
            yield client
        finally:
            client.close()

    def raw(self, request: bytes) -> bytes:
        """Send raw bytes and return everything received until the server closes the connection."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=TIMEOUT) as connection:
            with suppress(BrokenPipeError, ConnectionResetError):  # the server may have closed early
                connection.sendall(request)
            found = b""
            while True:
                try:
                    part = connection.recv(65536)
                except ConnectionResetError:
                    return found
                if not part:
                    return found
                found += part

    def stop(self, how: signal.Signals = signal.SIGINT) -> str:
        """Stop it and return the rest of its output."""
        self.process.send_signal(how)
        said, _ = self.process.communicate(timeout=TIMEOUT)
        return said


@contextmanager
def running(command: str, *arguments: str, quiet: bool = True, browser: bool = False, **env: str) -> Iterator[Server]:
    """Start `noughts serve` on a free port. In the end it is stopped by Ctrl-C, and must not have written any errors.

    A test that stops it earlier checks for itself how it ended.
    """
    with tempfile.TemporaryDirectory(prefix="noughts-serve-") as folder:
        errors = Path(folder) / "errors.txt"
        with errors.open("w", encoding="utf-8") as stderr:
            process = subprocess.Popen(
                [command, "serve", "--port", "0", *(() if browser else ("--no-browser",)), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=stderr,
                env={**os.environ, **env},
                text=True,
            )
        try:
            assert process.stdout is not None
            first = process.stdout.readline()
            found = re.fullmatch(
                r"noughts is running at (http://127\.0\.0\.1:\d+)(?:/\S+)?/ \(press Ctrl-C to stop\)\n", first
            )
            assert found is not None, (first, errors.read_text(encoding="utf-8"))
            server = Server(process, found[1], first, errors)
            yield server
            if process.poll() is None:
                assert server.stop().endswith("Stopped.\n")
                assert process.returncode == 0
                assert not quiet or errors.read_text(encoding="utf-8") == ""
        finally:
            if process.poll() is None:
                process.kill()
            process.communicate(timeout=TIMEOUT)


@contextmanager
def listening(handler: type[BaseHTTPRequestHandler]) -> Iterator[int]:
    """Run another HTTP server on a free port and yield the port."""
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as found:
        found.daemon_threads = True
        thread = threading.Thread(target=found.serve_forever)
        thread.start()
        try:
            yield found.server_port
        finally:
            found.shutdown()
            thread.join()


def offspring(pid: int) -> set[int]:
    """Return all running descendants of a process."""
    found = set()
    for each in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = {int(child) for child in each.read_text().split()}
        except OSError:  # the thread has just ended
            continue
        found |= children
    return found.union(*map(offspring, found))


def runs(pid: int) -> bool:
    """Return whether a process is running; a zombie is not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
