"""Answers that never change, kept ready to be sent: the same bytes again for the same address."""

from collections import OrderedDict
from typing import NamedTuple

from noughts.web.middleware import App, Receive, Scope, Send

__all__ = ["Kept", "Shelf", "matches"]

MOST_BYTES = 64 * 2**20
MOST_EACH = 2**20
AROUND = 1_000
"""Bytes that an answer takes beside its body and its query: headers, keys, entries."""


class Kept(NamedTuple):
    """An answer as it is sent."""

    tag: bytes
    """Its ETag."""
    headers: list[tuple[bytes, bytes]]
    body: bytes


class Shelf:
    """Sends what is kept, and asks the app for the rest, which may `keep` its answer.

    When there is no more room, what was not asked for longest goes first.
    """

    def __init__(self, app: App) -> None:
        self._app = app
        self._kept: OrderedDict[tuple[str, bytes], Kept] = OrderedDict()
        self._bytes = 0

    def keep(self, path: str, query: bytes, answer: Kept) -> None:
        """Keep an answer for its address."""
        size = len(answer.body) + len(query) + AROUND
        if size > MOST_EACH or (path, query) in self._kept:
            return
        self._kept[path, query] = answer
        self._bytes += size
        while self._bytes > MOST_BYTES:
            (_, oldest), dropped = self._kept.popitem(last=False)
            self._bytes -= len(dropped.body) + len(oldest) + AROUND

    def find(self, path: str, query: bytes) -> Kept | None:
        """Return what is kept for an address, if anything is."""
        found = self._kept.get((path, query))
        if found is not None:
            self._kept.move_to_end((path, query))
        return found

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer from the shelf if that is possible."""
        answer = None
        if scope["type"] == "http" and scope["method"] in ("GET", "HEAD"):
            answer = self.find(scope["path"], scope["query_string"])
        if answer is None:
            await self._app(scope, receive, send)
            return
        wanted = b""
        for name, value in scope["headers"]:
            if name == b"accept" and b"text/event-stream" in value:
                await self._app(scope, receive, send)
                return
            if name == b"if-none-match":
                wanted = value
        status, headers, body = 200, answer.headers, answer.body
        if wanted and matches(wanted, answer.tag):
            status, body = 304, b""
            headers = [(name, value) for name, value in headers if name not in (b"content-length", b"content-type")]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})


def matches(wanted: bytes, tag: bytes) -> bool:
    """Say whether an If-None-Match names a tag, compared weakly.

    >>> matches(b'"a", W/"b"', b'W/"b"'), matches(b"*", b'W/"b"'), matches(b'"c"', b'W/"b"')
    (True, True, False)
    """
    plain = tag.removeprefix(b"W/")
    return any(each.strip().removeprefix(b"W/") in (plain, b"*") for each in wanted.split(b","))
