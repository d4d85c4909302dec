"""HTTP on one connection: uvicorn's h11 protocol, plus checks that reject requests which are slow to parse.

A request that takes the parser seconds would block the event loop, and with it all other clients.
"""

import re
import sys
from typing import TYPE_CHECKING, Any

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import STATUS_PHRASES, H11Protocol
from uvicorn.server import ServerState

from noughts.web.middleware import CSP_HEADER, SECURITY_HEADERS, error_response

if TYPE_CHECKING:
    import asyncio

    from noughts.web.connections import Connections

__all__ = ["Connection", "head_problem", "raw_error_response"]

MAX_HEAD = 32 * 1024
MAX_LINES = 100

END = re.compile(rb"\n\r?\n")
"""Where h11 considers a head to end."""

FORBIDDEN = re.compile(rb"[\x00\x0b\x0c]|\r(?!\n)|(?<!\r)\n|\n[ \t]")
"""Control characters that a head must not contain, line ends other than CR LF, and obsolete line folding.

On a long value that contains one of these, the regular expressions of h11 take seconds.
"""


class BadRequest(h11.RemoteProtocolError):
    """A request that is refused before it is parsed, and why."""


def head_problem(received: bytes) -> tuple[int, str] | None:
    """Return why the head of a request is refused, as a status and a message; None if it is fine or not complete yet.

    >>> head_problem(b"GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n"), head_problem(b"GET / HT")
    (None, None)
    >>> head_problem(b"GET / HTTP/1.1\\r\\nX:" + b" " * 60_000 + b"\\0\\r\\n\\r\\n")
    (431, 'the head of the request is too long; the limit is 32 KiB')
    """
    end = END.search(received)
    size = len(received) if end is None else end.end()
    if size > MAX_HEAD:
        return 431, f"the head of the request is too long; the limit is {MAX_HEAD // 1024} KiB"
    if end is None:
        return None
    if received.count(b"\n", 0, size) > MAX_LINES:
        return 431, f"the request has too many headers; the limit is {MAX_LINES - 2}"
    if FORBIDDEN.search(received, 0, size):
        return 400, "the head of the request contains control characters, line ends or folded lines that HTTP forbids"
    return None


class _StrictParser(h11.Connection):
    """Parses requests as h11 does, but checks each head first and accepts no body of unknown length."""

    def next_event(self) -> Any:
        """Return the next event; raise RemoteProtocolError for a request that is refused."""
        if self.their_state is h11.IDLE:
            problem = head_problem(self.trailing_data[0])
            if problem is not None:
                raise BadRequest(problem[1], error_status_hint=problem[0])
        event = super().next_event()
        if isinstance(event, h11.Request):
            names = {name for name, _ in event.headers}
            if b"transfer-encoding" in names:
                if b"content-length" in names:
                    raise BadRequest("a request may have a Content-Length or a Transfer-Encoding, not both")
                raise BadRequest("no request here needs a body; send none, or a Content-Length", error_status_hint=411)
        return event


class Connection(H11Protocol):
    """One connection, which reports to `connections` whenever it may have become idle or busy."""

    def __init__(
        self,
        config: Config,
        state: ServerState,
        app_state: dict[str, Any],
        connections: "Connections",
        client_key: str,
    ) -> None:
        super().__init__(config, state, app_state)
        self.conn = _StrictParser(h11.SERVER, MAX_HEAD)
        self._connections = connections
        self.client_key = client_key
        """The client under which this connection is counted."""

    def connection_made(self, transport: "asyncio.Transport") -> None:  # type: ignore[override]
        """Start counting the connection."""
        super().connection_made(transport)
        self._connections.update(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection."""
        self._connections.remove(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Receive part of a request."""
        super().data_received(data)
        self._connections.update(self)

    def on_response_complete(self) -> None:
        """Get ready for the next request."""
        super().on_response_complete()
        self._connections.update(self)

    @property
    def is_answering(self) -> bool:
        """Return whether a request is being answered."""
        return self.cycle is not None and not self.cycle.response_complete

    @property
    def unsent_bytes(self) -> int:
        """Return how many bytes of a response the client has not read yet."""
        return self.transport.get_write_buffer_size()

    @property
    def has_partial_request(self) -> bool:
        """Return whether the client has sent part of a request's head, but not all of it."""
        return self.conn.their_state is not h11.IDLE or self.conn.trailing_data[0] != b""

    def send_400_response(self, msg: str) -> None:
        """Send an error and close the connection; uvicorn calls this while it handles the exception."""
        problem = sys.exception()
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE) or self.is_answering:
            self.transport.abort()  # the response to this request, or to the one before it, has already begun
            return
        status, error = 400, msg
        if isinstance(problem, h11.RemoteProtocolError):
            status = problem.error_status_hint
        if isinstance(problem, BadRequest):
            error = str(problem)
        self.transport.write(raw_error_response(status, error))
        self.transport.close()


def raw_error_response(status: int, error: str, *more_headers: tuple[bytes, bytes]) -> bytes:
    """Return the bytes of an error response, for use where no application runs; the connection closes after it."""
    headers, body = error_response(error)
    lines = [b": ".join(header) for header in (*headers, *more_headers, *SECURITY_HEADERS, CSP_HEADER)]
    return b"\r\n".join([b"HTTP/1.1 %d %s" % (status, STATUS_PHRASES[status]), *lines, b"", body])
