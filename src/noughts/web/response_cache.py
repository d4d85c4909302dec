"""A cache of responses that never change: the same URL gets the same bytes again."""

from collections import OrderedDict
from typing import NamedTuple

from noughts.web.middleware import App, Receive, Scope, Send

__all__ = ["CachedResponse", "ResponseCache", "matches"]

MAX_BYTES = 64 * 2**20
MAX_BYTES_EACH = 2**20
OVERHEAD = 1_000
"""Bytes that an entry takes besides its body and its query: headers, keys, dictionary entries."""


class CachedResponse(NamedTuple):
    """A response, ready to be sent."""

    etag: bytes
    headers: list[tuple[bytes, bytes]]
    body: bytes


class ResponseCache:
    """ASGI middleware that sends cached responses and passes all other requests to the app.

    The app calls `add` to cache a response. When the cache is full, the least recently used entries go first.
    """

    def __init__(self, app: App) -> None:
        self._app = app
        self._entries: OrderedDict[tuple[str, bytes], CachedResponse] = OrderedDict()
        self._bytes = 0

    def add(self, path: str, query: bytes, response: CachedResponse) -> None:
        """Cache the response for a path and query, unless it is too large."""
        size = len(response.body) + len(query) + OVERHEAD
        if size > MAX_BYTES_EACH or (path, query) in self._entries:
            return
        self._entries[path, query] = response
        self._bytes += size
        while self._bytes > MAX_BYTES:
            (_, oldest), dropped = self._entries.popitem(last=False)
            self._bytes -= len(dropped.body) + len(oldest) + OVERHEAD

    def get(self, path: str, query: bytes) -> CachedResponse | None:
        """Return the cached response for a path and query, or None."""
        found = self._entries.get((path, query))
        if found is not None:
            self._entries.move_to_end((path, query))
        return found

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond from the cache if possible, else through the app."""
        response = None
        if scope["type"] == "http" and scope["method"] in ("GET", "HEAD"):
            response = self.get(scope["path"], scope["query_string"])
        if response is None:
            await self._app(scope, receive, send)
            return
        if_none_match = b""
        for name, value in scope["headers"]:
            if name == b"accept" and b"text/event-stream" in value:
                await self._app(scope, receive, send)
                return
            if name == b"if-none-match":
                if_none_match = value
        status, headers, body = 200, response.headers, response.body
        if if_none_match and matches(if_none_match, response.etag):
            status, body = 304, b""
            headers = [(name, value) for name, value in headers if name not in (b"content-length", b"content-type")]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})


def matches(if_none_match: bytes, etag: bytes) -> bool:
    """Return whether an If-None-Match header names an ETag, by weak comparison.

    >>> matches(b'"a", W/"b"', b'W/"b"'), matches(b"*", b'W/"b"'), matches(b'"c"', b'W/"b"')
    (True, True, False)
    """
    strong = etag.removeprefix(b"W/")
    return any(each.strip().removeprefix(b"W/") in (strong, b"*") for each in if_none_match.split(b","))
