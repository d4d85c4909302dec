"""Connection limits: which connections are closed, which are refused, and what clients notice."""

import os
import re
import resource
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest

from noughts.web import connections as module
from noughts.web.clients import Proxies
from noughts.web.connections import ConnectionLimits, Connections
from tests.helpers import TIMEOUT, until
from tests.web.serving import Server, running

TOTAL, EACH = 40, 10
HALF = b"HEAD /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\n"
ASKED = HALF + b"\r\n"
IN_PROGRESS = HALF + b"Content-Length: 5\r\n\r\n"
"""A request for whose body the server waits."""


@contextmanager
def opened(server: Server, count: int, sent: bytes = b"", client: str = "127.0.0.1") -> Iterator[list[socket.socket]]:
    """Open connections from an address, one after another, and send the same bytes on each."""
    with ExitStack() as stack:
        found = []
        for _ in range(count):
            address = ("127.0.0.1", server.port)
            one = stack.enter_context(socket.create_connection(address, TIMEOUT, source_address=(client, 0)))
            one.sendall(sent)
            found.append(one)
        yield found


def answers(connection: socket.socket) -> bool:
    """Send a request on a connection and return whether it succeeded."""
    try:
        connection.sendall(ASKED)
        found = b""
        while not found.endswith(b"\r\n\r\n"):
            part = connection.recv(65536)
            if not part:
                return False
            found += part
    except OSError:
        return False
    return found.startswith(b"HTTP/1.1 200")


def closed(connection: socket.socket) -> bool:
    """Return whether the server has closed a connection on which it has sent nothing."""
    connection.setblocking(False)
    try:
        return connection.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True
    finally:
        connection.settimeout(TIMEOUT)


@pytest.fixture(scope="module")
def small(noughts_command: str) -> Iterator[Server]:
    """A server with a low limit on connections; its log is checked in the end."""
    with running(noughts_command, "tic-tac-toe", "--connections", str(TOTAL), quiet=False) as server:
        yield server
        log = server.errors.read_text(encoding="utf-8").splitlines()
        line = rf"noughts: too many connections \(limit: {TOTAL}, and {EACH} per client\): "
        assert all(re.fullmatch(rf"{line}closed \d+ idle ones, refused \d+ new ones", each) for each in log)
        assert len(log) < 30, "one line a second, not one for each connection"


def test_idle_connections_are_closed_oldest_first(small: Server) -> None:
    with opened(small, 1) as (ordinary,), opened(small, 4 * TOTAL) as idle:
        until(lambda: sum(map(closed, idle)) == 4 * TOTAL - EACH)
        assert not answers(ordinary), "it was the oldest idle connection"
        assert list(map(closed, idle)) == [True] * (4 * TOTAL - EACH) + [False] * EACH
        assert all(map(answers, idle[-EACH:]))


def test_connections_that_made_requests_are_closed_after_those_that_never_did(small: Server) -> None:
    with opened(small, 1) as (ordinary,):
        assert answers(ordinary)
        with opened(small, 4 * TOTAL) as idle:
            until(lambda: sum(map(closed, idle)) == 4 * TOTAL - EACH + 1)
            assert answers(ordinary)


def test_one_client_cannot_use_up_the_connections_of_others(small: Server) -> None:
    with opened(small, EACH - 1, client="127.0.0.2") as others, opened(small, 4 * TOTAL, HALF, "127.0.0.3"):
        assert not any(map(closed, others))
        assert all(map(answers, others))


def test_a_connection_with_a_request_in_progress_is_never_closed_to_make_room(small: Server) -> None:
    with opened(small, EACH, IN_PROGRESS, "127.0.0.4") as busy:
        until(lambda: _is_full(small, "127.0.0.4"))
        assert not any(map(closed, busy))
        with opened(small, 1, client="127.0.0.5") as (other,):
            assert answers(other)
        for each in busy:
            each.sendall(b"hello")
            assert each.recv(12) == b"HTTP/1.1 200"


def _is_full(server: Server, client: str) -> bool:
    """Return whether a client is refused because it has too many connections."""
    with opened(server, 1, ASKED, client) as (one,):
        found = one.recv(65536)
    return found.startswith(b"HTTP/1.1 503 ") and b"retry-after: 2" in found and b"x-frame-options: DENY" in found


def test_many_idle_clients_cannot_block_the_server(small: Server) -> None:
    with ExitStack() as stack:
        crowd = []
        for number in range(10, 18):
            crowd += stack.enter_context(opened(small, EACH - 1, client=f"127.0.0.{number}"))
        until(lambda: sum(map(closed, crowd)) == len(crowd) - TOTAL)
        assert not any(map(closed, crowd[-TOTAL:]))
        with opened(small, 1, client="127.0.0.30") as (other,):
            assert answers(other)


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="the system cannot change the limits of a process")
def test_the_server_survives_running_out_of_file_descriptors(noughts_command: str) -> None:
    """It closes idle connections and retries now and then, without errors in the log and without a busy loop."""
    with running(noughts_command, "tic-tac-toe", quiet=False) as server:
        with server.client() as client:
            assert client.get("/").status == 200
            before = resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE)
            open_now = max(map(int, os.listdir(f"/proc/{server.process.pid}/fd")))
            resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (open_now + 4, before[1]))
            with opened(server, 40):
                with opened(server, 1) as (late,):
                    assert answers(late)
                assert client.get("/api/games").status == 200
            resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, before)
        log = server.errors.read_text(encoding="utf-8")
        assert "Traceback" not in log
        assert len(log.splitlines()) < 60


def test_limits_leave_file_descriptors_for_the_server_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    for files, wanted, processes, total in (
        (2**20, None, 3, 1_000),
        (1_024, None, 3, 948),
        (1_024, None, 258, 16),
        (256, None, 3, 180),
        (2**20, 5_000, 3, 5_000),
        (1_024, 40, 3, 40),
        (20, None, 3, 16),
    ):
        monkeypatch.setattr(module, "_max_open_files", lambda files=files: files)
        assert ConnectionLimits.choose(wanted, processes) == (total, total // 4)


class _Transport:
    def __init__(self) -> None:
        self.closing = False

    def is_closing(self) -> bool:
        return self.closing

    def abort(self) -> None:
        self.closing = True


class _Connection:
    """The attributes of a connection that `Connections` uses."""

    def __init__(self, client_key: str) -> None:
        self.client_key, self.transport = client_key, _Transport()
        self.is_answering = self.has_partial_request = False
        self.unsent_bytes, self.cycle = 0, None


def test_a_stalled_request_head_counts_as_idle_and_a_response_being_read_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 100.0
    monkeypatch.setattr(module, "monotonic", lambda: now)
    every = Connections(ConnectionLimits(4, 2), Proxies(["10.0.0.1"]))

    def opened(peer: str, **state: Any) -> Any:
        assert every.admit(peer)
        connection: Any = _Connection(peer)
        for name, value in state.items():
            setattr(connection, name, value)
        every.update(connection)
        return connection

    half = opened("a", has_partial_request=True)
    reading = opened("a", unsent_bytes=1, cycle=object())
    now += 1.0
    assert not every.admit("a"), "one is sending, the other is reading"
    now += 2.0
    every.update(half)
    assert every.admit("a"), "its time to send the head is over"
    assert (half.transport.closing, reading.transport.closing) == (True, False)
    reading.unsent_bytes = 0
    every.update(reading)
    assert every.admit("a"), "it has read its response"
    assert reading.transport.closing
    proxied = [opened("10.0.0.1", is_answering=True) for _ in range(2)]
    assert not every.admit("10.0.0.1"), "a proxy may use the total limit, but not more"
    every.remove(proxied[0])
    assert every.admit("10.0.0.1")
    assert not every.admit("b")
    report = every.report()
    assert report is not None
    assert report.endswith("(limit: 4, and 2 per client): closed 2 idle ones, refused 3 new ones")
    assert every.report() is None
