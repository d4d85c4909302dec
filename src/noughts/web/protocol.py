"""HTTP on one connection: uvicorn's protocol on h11, which reads no request that would keep all others waiting."""

import re
import sys
from typing import TYPE_CHECKING, Any

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import STATUS_PHRASES, H11Protocol
from uvicorn.server import ServerState

from noughts.web.middleware import HEADERS, POLICY, refused

if TYPE_CHECKING:
    import asyncio

    from noughts.web.connections import Connections

__all__ = ["Connection", "head_problem", "refusal"]

MOST_HEAD = 32 * 1024
MOST_LINES = 100

END = re.compile(rb"\n\r?\n")
"""Where h11 takes a head to end."""

UNREADABLE = re.compile(rb"[\x00\x0b\x0c]|\r(?!\n)|(?<!\r)\n|\n[ \t]")
"""Bytes that must not be in a head, line ends that are not CR LF, and obsolete folding.

Over a long value with one of these in it, the regular expressions of h11 take seconds.
"""


class Unreadable(h11.RemoteProtocolError):
    """A request that is refused before it is read, and why."""


def head_problem(received: bytes) -> tuple[int, str] | None:
    """Return why the head of a request is refused, as a status and a line; None if it can be read, or is not all there.

    >>> head_problem(b"GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n"), head_problem(b"GET / HT")
    (None, None)
    >>> head_problem(b"GET / HTTP/1.1\\r\\nX:" + b" " * 60_000 + b"\\0\\r\\n\\r\\n")
    (431, 'the head of the request is too long; 32 KiB are enough')
    """
    end = END.search(received)
    size = len(received) if end is None else end.end()
    if size > MOST_HEAD:
        return 431, f"the head of the request is too long; {MOST_HEAD // 1024} KiB are enough"
    if end is None:
        return None
    if received.count(b"\n", 0, size) > MOST_LINES:
        return 431, f"the request has too many headers; {MOST_LINES - 2} are enough"
    if UNREADABLE.search(received, 0, size):
        return 400, "the head of the request holds signs, line ends or folded lines that HTTP does not allow"
    return None


class _Reader(h11.Connection):
    """Reads requests as h11 does, but looks at each head first, and takes no body of unstated length."""

    def next_event(self) -> Any:
        """Return what came next; raise RemoteProtocolError for what is refused."""
        if self.their_state is h11.IDLE:
            problem = head_problem(self.trailing_data[0])
            if problem is not None:
                raise Unreadable(problem[1], error_status_hint=problem[0])
        event = super().next_event()
        if isinstance(event, h11.Request):
            names = {name for name, _ in event.headers}
            if b"transfer-encoding" in names:
                if b"content-length" in names:
                    raise Unreadable("a request has a Content-Length or a Transfer-Encoding, not both")
                raise Unreadable("nothing here takes a body; one must state its Content-Length", error_status_hint=411)
        return event


class Connection(H11Protocol):
    """One connection, which tells where all are counted whether it is in use."""

    def __init__(
        self,
        config: Config,
        state: ServerState,
        app_state: dict[str, Any],
        connections: "Connections",
        peer: str,
    ) -> None:
        super().__init__(config, state, app_state)
        self.conn = _Reader(h11.SERVER, MOST_HEAD)
        self._all = connections
        self.peer = peer
        """The client, as its connections are counted."""

    def connection_made(self, transport: "asyncio.Transport") -> None:  # type: ignore[override]
        """Begin: nothing was sent yet."""
        super().connection_made(transport)
        self._all.note(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self._all.release(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take in a piece of a request."""
        super().data_received(data)
        self._all.note(self)

    def on_response_complete(self) -> None:
        """Be ready for the next request."""
        super().on_response_complete()
        self._all.note(self)

    @property
    def at_work(self) -> bool:
        """Say whether a request is being answered."""
        return self.cycle is not None and not self.cycle.response_complete

    @property
    def unsent(self) -> int:
        """Return how many bytes of an answer the client has not read yet."""
        return self.transport.get_write_buffer_size()

    @property
    def half_asked(self) -> bool:
        """Say whether the client has begun a request and not sent all of its head."""
        return self.conn.their_state is not h11.IDLE or self.conn.trailing_data[0] != b""

    def send_400_response(self, msg: str) -> None:
        """Refuse what cannot be read, and close; uvicorn calls this while it handles the error."""
        problem = sys.exception()
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE) or self.at_work:
            self.transport.abort()  # the answer to this request, or to the one before it, has begun already
            return
        status, error = 400, msg
        if isinstance(problem, h11.RemoteProtocolError):
            status = problem.error_status_hint
        if isinstance(problem, Unreadable):
            error = str(problem)
        self.transport.write(refusal(status, error))
        self.transport.close()


def refusal(status: int, error: str, *more: tuple[bytes, bytes]) -> bytes:
    """Return an answer as it is sent, for where no application has a say; the connection is closed after it."""
    headers, body = refused(error)
    lines = [b": ".join(header) for header in (*headers, *more, *HEADERS, POLICY)]
    return b"\r\n".join([b"HTTP/1.1 %d %s" % (status, STATUS_PHRASES[status]), *lines, b"", body])
