"""How many connections there may be, in all and from one client, and which of them is closed for another.

A connection on which nothing is asked is *silent*: the client has sent nothing yet, takes long over the first lines of
a request, or has had its answer. When there are too many connections, silent ones are closed in this order, the oldest
first. One with a request under way is never closed for another; if all are, the new one is refused.
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
from noughts.web.protocol import Connection, refusal

__all__ = ["BACKLOG", "Connections", "Limits", "accept"]

MOST_CONNECTIONS = 1_000
FEWEST_CONNECTIONS = 16
BACKLOG = 1024
"""Connections that wait in the system until they are accepted. They take no open file, and a client for whom there is
no room here tries again only after a second."""

AT_ONCE = 16
"""Connections that are accepted before other work gets its turn."""

OUR_FILES = 64
PROCESS_FILES = 4
"""Open files that the server needs for itself, and for each of its processes."""

PAUSE = 0.1
"""Seconds after which to try again when the system has no room for a connection."""

A_PACKET = 2.0
"""Seconds after which the rest of a request's head should have come."""

FULL = refusal(503, "too many connections are open; ask again in a moment", (b"retry-after", b"2"))

EXHAUSTED = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


class Limits(NamedTuple):
    """How many connections there may be."""

    total: int = MOST_CONNECTIONS
    each: int = MOST_CONNECTIONS // 4
    """From one client."""

    @classmethod
    def choose(cls, wanted: int | None, processes: int) -> "Limits":
        """Return as many as are wanted, but not more than the files that may be open leave room for."""
        room = _most_files() - OUR_FILES - PROCESS_FILES * processes
        total = max(FEWEST_CONNECTIONS, min(wanted or MOST_CONNECTIONS, room))
        return cls(total, total // 4)


def _most_files() -> int:
    """Return how many files this process may have open."""
    try:
        import resource
    except ImportError:  # not on this system
        return 2 * MOST_CONNECTIONS
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return 2**20 if files == resource.RLIM_INFINITY else files


class _Silence(IntEnum):
    """How a connection is silent, in the order in which they are closed."""

    NOTHING_SENT = 0
    HALF_ASKED = 1
    ANSWERED = 2


class _Group:
    """Some connections: how many, and which of them are silent since when."""

    def __init__(self) -> None:
        self.count = 0
        self._silent: tuple[OrderedDict[Connection, float], ...] = tuple(OrderedDict() for _ in _Silence)

    def note(self, connection: Connection, before: _Silence | None, after: _Silence | None) -> None:
        """Move a connection from one kind of silence, or none, to another."""
        if before is not None:
            del self._silent[before][connection]
        if after is not None:
            self._silent[after][connection] = monotonic()

    def oldest(self) -> Connection | None:
        """Return the silent connection to close first, if there is any."""
        for kind in _Silence:
            for connection, since in self._silent[kind].items():
                if kind is not _Silence.HALF_ASKED or monotonic() - since > A_PACKET:
                    return connection
                break
        return None


class Connections:
    """All connections of a server, counted, and closed or refused when they are too many."""

    def __init__(self, limits: Limits, proxies: Proxies) -> None:
        self.limits = limits
        self._proxies = proxies
        self._all = _Group()
        self._clients: dict[str, _Group] = {}
        self._silence: dict[Connection, _Silence | None] = {}
        """Of each connection, whether and how it is silent."""
        self._closed = self._refused = 0

    def __iter__(self) -> Iterator[Connection]:
        """Yield those that are open."""
        return iter(list(self._silence))

    def __contains__(self, connection: Connection) -> bool:
        return connection in self._silence

    def admit(self, client: str) -> bool:
        """Count a new connection of a client, for which another may be closed; return False if there is no room."""
        group = self._clients.get(client)
        if group is not None and group.count >= self.limits.each and client not in self._proxies:
            room = self._close_oldest(group)
        else:
            room = self._all.count < self.limits.total or self._close_oldest(self._all)
        if not room:
            self._refused += 1
            return False
        group = self._clients.setdefault(client, _Group())  # the one it had may just have gone
        for each in (self._all, group):
            each.count += 1
        return True

    def make_room(self) -> bool:
        """Close a silent connection, since the system has no room for more; return False if none is silent."""
        return self._close_oldest(self._all)

    def note(self, connection: Connection) -> None:
        """Note what a connection does now."""
        if connection.transport.is_closing():
            return
        before = self._silence.get(connection)
        after: _Silence | None = None
        if not connection.at_work and not connection.unsent:
            after = _Silence.NOTHING_SENT if connection.cycle is None else _Silence.ANSWERED
            if connection.half_asked:
                after = _Silence.HALF_ASKED
        self._silence[connection] = after
        if before is not after:
            for group in (self._all, self._clients[connection.peer]):
                group.note(connection, before, after)

    def release(self, connection: Connection) -> None:
        """Count a connection no more, if it still was."""
        if connection in self._silence:
            silence = self._silence.pop(connection)
            for group in (self._all, self._clients[connection.peer]):
                group.note(connection, silence, None)
            self.leave(connection.peer)

    def leave(self, client: str) -> None:
        """Take back that a connection of a client was admitted."""
        group = self._clients[client]
        for each in (self._all, group):
            each.count -= 1
        if not group.count:
            del self._clients[client]

    def crowded(self, connection: Connection) -> bool:
        """Say whether there are nearly too many connections, in all or from the client of this one."""
        each = self._clients[connection.peer].count
        mine = 4 * each > 3 * self.limits.each and connection.peer not in self._proxies
        return mine or 4 * self._all.count > 3 * self.limits.total

    def news(self) -> str | None:
        """Return what was done since this was last asked, in one line; None if nothing was."""
        closed, refused = self._closed, self._refused
        self._closed = self._refused = 0
        if not closed and not refused:
            return None
        total, each = self.limits
        return (
            f"noughts: too many connections (at most {total:,}, and {each:,} from one client): "
            f"{closed:,} silent ones were closed, {refused:,} new ones refused"
        )

    def _close_oldest(self, group: _Group) -> bool:
        oldest = group.oldest()
        if oldest is None:
            return False
        self.release(oldest)
        oldest.transport.abort()
        self._closed += 1
        return True


async def accept(
    listener: socket.socket, connections: Connections, connect: Callable[[socket.socket, str], Awaitable[None]]
) -> None:
    """Accept connections for ever, a few at a time, and `connect` those for which there is room, with their clients."""
    loop = asyncio.get_running_loop()
    listener.setblocking(False)
    at_once = min(AT_ONCE, connections.limits.each // 2)  # one that was just accepted cannot be closed for the next yet
    while True:
        arrived: list[tuple[socket.socket, tuple[str, int]]] = []
        try:
            arrived.append(await loop.sock_accept(listener))
            while len(arrived) < at_once:
                arrived.append(listener.accept())
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):
            pass
        except OSError as error:
            if not arrived:
                room = error.errno in EXHAUSTED and connections.make_room()
                await asyncio.sleep(0 if room else PAUSE)
        admitted = []
        for found, address in arrived:
            client = client_key(address[0])
            if connections.admit(client):
                admitted.append(connect(found, client))
            else:
                _turn_away(found)
        await asyncio.gather(*admitted)


def _turn_away(found: socket.socket) -> None:
    """Answer a connection for which there is no room, whatever it was to ask, and close it."""
    with found, suppress(OSError):
        found.setblocking(False)
        found.send(FULL)
        found.recv(65536)  # what is not read when it closes would take the answer away again
