"""What stands at the door: who may come in, how much they may bring, and what every answer carries with it."""

import asyncio
import ipaddress
import json
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from datetime import UTC, datetime
from time import perf_counter
from typing import IO, Any, NamedTuple
from urllib.parse import unquote

from noughts.web.clients import Proxies, client_key
from noughts.web.log import write_line

__all__ = ["HEADERS", "PAGE_POLICY", "POLICY", "Access", "Door", "allowed_hosts", "everywhere", "plain_host", "refused"]

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

MOST_BODY = 64 * 1024
MOST_QUERY = 8 * 1024
MOST_PATH = 1024
MOST_HOST = 255
"""Bytes that a Host header may have; no name in DNS has more."""
SENDING = 10.0
"""Seconds in which a body must have come."""

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""What a page may do, unless it states a policy of its own: use what this server sends, and nothing else."""

HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
]
POLICY = (b"content-security-policy", PAGE_POLICY.encode())


ABSOLUTE = re.compile(rb"https?://([^/]*)(.*)", re.IGNORECASE | re.DOTALL)
"""The target of a request as a proxy is asked: its host, and its path."""

HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^\s:/@\[\]]+)(:\d{1,5})?", re.IGNORECASE)
"""A name or an address, and perhaps a port."""


def plain_host(given: str) -> str | None:
    """Return the name or address in a Host header in one way of writing it, without its port; None if it is neither.

    >>> plain_host("LocalHost.:80"), plain_host("[2001:DB8::0:1]"), plain_host("[::1]evil"), plain_host("")
    ('localhost', '2001:db8::1', None, None)
    """
    found = HOST.fullmatch(given) if len(given) <= MOST_HOST else None  # over a long name, IDNA takes seconds
    if found is None:
        return None
    name = found[1].strip("[]").lower().removesuffix(".")
    try:
        return str(ipaddress.ip_address(name))
    except ValueError:
        pass
    try:
        return name if name.isascii() else name.encode("idna").decode()
    except UnicodeError:
        return None


def everywhere(address: str) -> bool:
    """Say whether a server bound to an address listens on all that the machine has."""
    return ipaddress.ip_address(address).is_unspecified


def allowed_hosts(host: str, address: str, also: Iterable[str] = ()) -> Callable[[str], bool]:
    """Return who a server may be called that was to listen at a host, and does at an address.

    It goes by that host, by this machine's names for itself, and by what else it is given. Other names are refused,
    since a page elsewhere can make its own name point here, and then read what it asks. An address cannot be borrowed
    like that; so where the server listens on all of them, any address will do.

    >>> fits = allowed_hosts("127.0.0.1", "127.0.0.1", ["games.example"])
    >>> [fits(name) for name in ("localhost:8000", "127.0.0.1", "[::1]:80", "games.example", "evil.example", "")]
    [True, True, True, True, False, False]
    >>> allowed_hosts("0.0.0.0", "0.0.0.0")("192.0.2.7:8000"), fits("192.0.2.7:8000")
    (True, False)
    """
    names = {"localhost", "127.0.0.1", "::1", address, *map(plain_host, (_bracketed(host), *also))}
    anywhere = everywhere(address)

    def fits(given: str) -> bool:
        name = plain_host(given)
        return name is not None and (name in names or (anywhere and _is_address(name)))

    return fits


def _bracketed(host: str) -> str:
    return f"[{host}]" if host.count(":") > 1 and not host.startswith("[") else host


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class Access(NamedTuple):
    """Which requests are let in, and what is written about them."""

    fits: Callable[[str], bool]
    """Whether the server goes by a name."""
    log: IO[str] | None = None
    proxies: Proxies = Proxies()
    """Those who are believed when they name the client."""
    requests_each: int = 250
    """How many requests of one client a proxy may have under way."""
    prefix: str = ""
    """The path below which people find the server, such as /games; a proxy may have taken it off already."""


class _Refusal(NamedTuple):
    """Why a request is not let in."""

    status: int
    error: str
    more: tuple[tuple[bytes, bytes], ...] = ()
    """Further headers of the answer."""


FROM_ELSEWHERE = _Refusal(403, "this was sent by a page from elsewhere")
LED_FROM_ELSEWHERE = _Refusal(403, "a page elsewhere led here; to open this address all the same, type it or paste it")
TOO_MANY = _Refusal(503, "too many of your requests are under way; ask again in a moment", ((b"retry-after", b"2"),))
OTHER_NAME = _Refusal(421, "this server does not go by that name; --allow-host makes it one of its names")
LONG_HOST = _Refusal(400, f"the Host header is too long; {MOST_HOST} bytes are enough for any name")
LONG_QUERY = _Refusal(414, f"the query is too long; {MOST_QUERY:,} bytes are enough for any position")
LONG_PATH = _Refusal(414, f"the path is too long; {MOST_PATH:,} bytes are enough")
NO_PATH = _Refusal(400, "a path begins with /")
LARGE_BODY = _Refusal(413, f"the body is too large: nothing here takes one, and {MOST_BODY // 1024} KiB is the limit")
SLOW_BODY = _Refusal(408, "the body did not come; nothing here takes one")


class Door:
    """Lets requests in that are meant for this server, of a reasonable size, and not sent by a page from elsewhere."""

    def __init__(self, app: App, access: Access) -> None:
        self._app = app
        self._access = access
        self._under_way: Counter[str] = Counter()
        """How many requests of each client proxies have under way."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = perf_counter()
        status = size = 0
        forwarded_for = self._forwarded_for(scope)

        async def dressed(message: Message) -> None:
            nonlocal status, size
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = [*message["headers"], *HEADERS]
                if not any(name == b"content-security-policy" for name, _ in headers):
                    headers.append(POLICY)
                message["headers"] = headers
            else:
                size += len(message.get("body", b""))
            await send(message)

        if forwarded_for is not None:
            self._under_way[forwarded_for] += 1
        try:
            refusal = self._refusal(scope) or await _body_refused(scope, receive)
            if refusal is None and forwarded_for and self._under_way[forwarded_for] > self._access.requests_each:
                refusal = TOO_MANY
            if refusal is None:
                await self._app(scope, receive, dressed)
            else:
                await _refuse(dressed, refusal)
        finally:
            if forwarded_for is not None:
                self._under_way[forwarded_for] -= 1
                if not self._under_way[forwarded_for]:
                    del self._under_way[forwarded_for]
            if self._access.log is not None:
                write_line(_about(scope, status, size, perf_counter() - started), self._access.log)

    def _forwarded_for(self, scope: Scope) -> str | None:
        """Return for whom a trusted proxy forwards a request, which is then the client of it; None if none does."""
        peer = scope.get("client")
        if not peer or peer[0] not in self._access.proxies:
            return None
        forwarded = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
        client = self._access.proxies.client(peer[0], forwarded)
        scope["client"] = (client, 0)
        return client_key(client)

    def _refusal(self, scope: Scope) -> _Refusal | None:
        """Return why a request is refused, if it is; else its path is made one of this server's own."""
        headers = {name: value for name, value in scope["headers"] if name in _LOOKED_AT}
        host = headers.get(b"host", b"")
        absolute = ABSOLUTE.fullmatch(scope["raw_path"])
        if absolute is not None:  # then this is the host that is meant, whatever the header says
            host, path = absolute[1], absolute[2] or b"/"
            _set_path(scope, path)
        if len(host) > MOST_HOST or len(headers.get(b"host", b"")) > MOST_HOST:
            return LONG_HOST
        name = host.decode("latin-1")
        if not self._access.fits(name):
            return OTHER_NAME
        if len(scope["raw_path"]) > MOST_PATH:
            return LONG_PATH
        if len(scope["query_string"]) > MOST_QUERY:
            return LONG_QUERY
        if not scope["path"].startswith("/"):
            return NO_PATH
        origin = headers.get(b"origin")
        here = (f"http://{name.lower()}", f"https://{name.lower()}")
        if origin is not None and origin.decode("latin-1").lower() not in here:
            return FROM_ELSEWHERE
        return self._without_prefix(scope) or _from_elsewhere(headers, scope["path"])

    def _without_prefix(self, scope: Scope) -> _Refusal | None:
        """Take the prefix off the path; without a slash after it, what the page asks for would not be below it."""
        prefix = self._access.prefix
        path = scope["raw_path"].decode("latin-1")
        if prefix and path.startswith(f"{prefix}/"):
            _set_path(scope, path.removeprefix(prefix).encode("latin-1"))
        elif prefix and path == prefix:
            query = scope["query_string"]
            location = f"{prefix}/".encode() + (b"?" + query if query else b"")
            return _Refusal(308, f"this is at {prefix}/", ((b"location", location),))
        return None


_LOOKED_AT = frozenset(
    {b"host", b"origin", b"sec-fetch-site", b"sec-fetch-mode", b"sec-fetch-dest", b"sec-purpose", b"purpose"}
)


def _set_path(scope: Scope, raw_path: bytes) -> None:
    scope["raw_path"], scope["path"] = raw_path, unquote(raw_path.decode("latin-1"))


def _from_elsewhere(headers: dict[bytes, bytes], path: str) -> _Refusal | None:
    """Refuse what a page elsewhere asks for, as far as browsers tell: all but a page opened by a link from there.

    Another port of this machine is elsewhere too, which browsers call the same site. The API is for nobody there: even
    to open one of its addresses, in a frame say, starts a search.
    """
    if headers.get(b"sec-fetch-site", b"none") in (b"none", b"same-origin"):
        return None
    opened = headers.get(b"sec-fetch-mode") == b"navigate" and headers.get(b"sec-fetch-dest") == b"document"
    if not opened or b"sec-purpose" in headers or b"purpose" in headers:
        return FROM_ELSEWHERE
    return LED_FROM_ELSEWHERE if path.startswith("/api/") else None


def _about(scope: Scope, status: int, size: int, seconds: float) -> str:
    """Return one line about a request, as JSON."""
    client = scope.get("client")
    line = {
        "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "client": client[0] if client else None,
        "method": scope["method"],
        "path": scope["path"],
        "query": scope["query_string"].decode("latin-1"),
        "status": status or None,
        "bytes": size,
        "ms": round(seconds * 1000, 2),
    }
    return json.dumps(line)


async def _body_refused(scope: Scope, receive: Receive) -> _Refusal | None:
    """Refuse a body that is too large. None is needed, so a small one is dropped."""
    stated = next((value for name, value in scope["headers"] if name == b"content-length"), None)
    if stated is not None and (len(stated) > 9 or int(stated) > MOST_BODY):
        return LARGE_BODY
    if stated in (None, b"0") and not any(name == b"transfer-encoding" for name, _ in scope["headers"]):
        return None
    size = 0
    try:
        async with asyncio.timeout(SENDING):
            while True:
                message = await receive()
                size += len(message.get("body", b""))
                if size > MOST_BODY:
                    return LARGE_BODY
                if message["type"] == "http.disconnect" or not message.get("more_body"):
                    return None
    except TimeoutError:
        return SLOW_BODY


def refused(error: str) -> tuple[list[tuple[bytes, bytes]], bytes]:
    """Return the headers and the body of an answer that says why there is none."""
    body = json.dumps({"error": error}).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
        (b"cache-control", b"no-store"),
    ]
    return headers, body


async def _refuse(send: Send, refusal: _Refusal) -> None:
    headers, body = refused(refusal.error)
    await send({"type": "http.response.start", "status": refusal.status, "headers": [*headers, *refusal.more]})
    await send({"type": "http.response.body", "body": body})
