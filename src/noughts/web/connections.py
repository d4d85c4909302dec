"""Connection limits: how many connections may be open, in total and per client, and which are closed to make room.

A connection is *idle* while no request is being answered on it: the client has sent nothing yet, is slow to send the
head of a request, or has received its response. When there are too many connections, idle ones are closed in this
order, the oldest first. A connection with a request in progress is never closed to make room; if all are like that,
the new connection is refused.
"""

import asyncio
import errno
import socket
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from enum import IntEnum
from time import monotonic
from typing import NamedTuple

from noughts.web.clients import Proxies, client_key
from noughts.web.protocol import Connection, raw_error_response

__all__ = ["BACKLOG", "ConnectionLimits", "Connections", "accept"]

MAX_CONNECTIONS = 1_000
MIN_CONNECTIONS = 16
BACKLOG = 1024
"""Connections that the system queues until they are accepted. They take no open file, and a client that finds this
queue full tries again only after a second."""

ACCEPT_BATCH = 16
"""Connections that are accepted before other tasks run."""

SERVER_FILES = 64
FILES_PER_PROCESS = 4
"""Open files that the server needs for itself, and for each of its processes."""

RETRY_DELAY = 0.1
"""Seconds to wait before trying again when the system cannot accept a connection."""

HEAD_SECONDS = 2.0
"""Seconds after which the rest of a request's head should have arrived."""

FULL = raw_error_response(503, "too many connections are open; try again in a moment", (b"retry-after", b"2"))

OUT_OF_RESOURCES = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


class ConnectionLimits(NamedTuple):
    """How many connections may be open."""

    total: int = MAX_CONNECTIONS
    per_client: int = MAX_CONNECTIONS // 4

    @classmethod
    def choose(cls, wanted: int | None, processes: int) -> "ConnectionLimits":
        """Return the wanted number of connections, or fewer if the limit on open files requires that."""
        room = _max_open_files() - SERVER_FILES - FILES_PER_PROCESS * processes
        total = max(MIN_CONNECTIONS, min(wanted or MAX_CONNECTIONS, room))
        return cls(total, total // 4)


def _max_open_files() -> int:
    """Return how many files this process may have open."""
    try:
        import resource
    except ImportError:  # not available on this system
        return 2 * MAX_CONNECTIONS
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return 2**20 if files == resource.RLIM_INFINITY else files


class _Idle(IntEnum):
    """Why a connection is idle, in the order in which idle connections are closed."""

    NOTHING_SENT = 0
    PARTIAL_REQUEST = 1
    ANSWERED = 2


class _Group:
    """A set of connections: how many there are, which are idle, and since when."""

    def __init__(self) -> None:
        self.count = 0
        self._idle: tuple[OrderedDict[Connection, float], ...] = tuple(OrderedDict() for _ in _Idle)

    def update(self, connection: Connection, before: _Idle | None, after: _Idle | None) -> None:
        """Record that a connection's state has changed; None means that it is not idle."""
        if before is not None:
            del self._idle[before][connection]
        if after is not None:
            self._idle[after][connection] = monotonic()

    def oldest_idle(self) -> Connection | None:
        """Return the idle connection to close first, or None."""
        for kind in _Idle:
            for connection, since in self._idle[kind].items():
                if kind is not _Idle.PARTIAL_REQUEST or monotonic() - since > HEAD_SECONDS:
                    return connection
                break
        return None


class Connections:
    """All open connections of a server; it closes idle ones or refuses new ones when there are too many."""

    def __init__(self, limits: ConnectionLimits, proxies: Proxies) -> None:
        self.limits = limits
        self._proxies = proxies
        self._all = _Group()
        self._clients: dict[str, _Group] = {}
        self._states: dict[Connection, _Idle | None] = {}
        """Why each connection is idle; None if it is not."""
        self._closed = self._refused = 0

    def __iter__(self) -> Iterator[Connection]:
        """Yield the open connections."""
        return iter(list(self._states))

    def __contains__(self, connection: Connection) -> bool:
        return connection in self._states

    def admit(self, client: str) -> bool:
        """Count a new connection of a client, if necessary by closing an idle one; return False if there is no room."""
        group = self._clients.get(client)
        if group is not None and group.count >= self.limits.per_client and client not in self._proxies:
            room = self._close_oldest_idle(group)
        else:
            room = self._all.count < self.limits.total or self._close_oldest_idle(self._all)
        if not room:
            self._refused += 1
            return False
        group = self._clients.setdefault(client, _Group())  # closing a connection may have removed the client's group
        for each in (self._all, group):
            each.count += 1
        return True

    def make_room(self) -> bool:
        """Close an idle connection because the system is out of resources; return False if none is idle."""
        return self._close_oldest_idle(self._all)

    def update(self, connection: Connection) -> None:
        """Record whether a connection is idle now."""
        if connection.transport.is_closing():
            return
        before = self._states.get(connection)
        after: _Idle | None = None
        if not connection.is_answering and not connection.unsent_bytes:
            after = _Idle.NOTHING_SENT if connection.cycle is None else _Idle.ANSWERED
            if connection.has_partial_request:
                after = _Idle.PARTIAL_REQUEST
        self._states[connection] = after
        if before is not after:
            for group in (self._all, self._clients[connection.client_key]):
                group.update(connection, before, after)

    def remove(self, connection: Connection) -> None:
        """Stop counting a connection, if it is still counted."""
        if connection in self._states:
            state = self._states.pop(connection)
            for group in (self._all, self._clients[connection.client_key]):
                group.update(connection, state, None)
            self.release(connection.client_key)

    def release(self, client: str) -> None:
        """Undo one `admit` of a client."""
        group = self._clients[client]
        for each in (self._all, group):
            each.count -= 1
        if not group.count:
            del self._clients[client]

    def nearly_full(self, connection: Connection) -> bool:
        """Return whether the limit, in total or for this connection's client, is more than three quarters reached."""
        count = self._clients[connection.client_key].count
        client_full = 4 * count > 3 * self.limits.per_client and connection.client_key not in self._proxies
        return client_full or 4 * self._all.count > 3 * self.limits.total

    def report(self) -> str | None:
        """Return a log line about connections closed or refused since the last report; None if there were none."""
        closed, refused = self._closed, self._refused
        self._closed = self._refused = 0
        if not closed and not refused:
            return None
        total, per_client = self.limits
        return (
            f"noughts: too many connections (limit: {total:,}, and {per_client:,} per client): "
            f"closed {closed:,} idle ones, refused {refused:,} new ones"
        )

    def _close_oldest_idle(self, group: _Group) -> bool:
        oldest = group.oldest_idle()
        if oldest is None:
            return False
        self.remove(oldest)
        oldest.transport.abort()
        self._closed += 1
        return True


async def accept(
    listener: socket.socket, connections: Connections, connect: Callable[[socket.socket, str], Awaitable[None]]
) -> None:
    """Accept connections for ever, a few at a time; call `connect` with each one admitted and its client."""
    loop = asyncio.get_running_loop()
    listener.setblocking(False)
    # A connection that was accepted in the same batch cannot be closed yet to make room for the next one.
    batch = min(ACCEPT_BATCH, connections.limits.per_client // 2)
    while True:
        arrived: list[tuple[socket.socket, tuple[str, int]]] = []
        try:
            arrived.append(await loop.sock_accept(listener))
            while len(arrived) < batch:
                arrived.append(listener.accept())
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):
            pass
        except OSError as error:
            if not arrived:
                room = error.errno in OUT_OF_RESOURCES and connections.make_room()
                await asyncio.sleep(0 if room else RETRY_DELAY)
        admitted = []
        for found, address in arrived:
            client = client_key(address[0])
            if connections.admit(client):
                admitted.append(connect(found, client))
            else:
                _refuse(found)
        await asyncio.gather(*admitted)


def _refuse(found: socket.socket) -> None:
    """Send an error on a connection for which there is no room, and close it."""
    with found, suppress(OSError):
        found.setblocking(False)
        found.send(FULL)
        found.recv(65536)  # closing with unread data would reset the connection and discard the response
