"""What stands at the door: who may come in, how much they may bring, and what every answer carries with it."""

import asyncio
import ipaddress
import json
import re
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from datetime import UTC, datetime
from time import perf_counter
from typing import IO, Any

from noughts.web.log import write_line

__all__ = ["PAGE_POLICY", "Door", "allowed_hosts", "everywhere", "plain_host"]

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

MOST_BODY = 64 * 1024
MOST_QUERY = 8 * 1024
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


HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^\s:/@\[\]]+)(:\d{1,5})?", re.IGNORECASE)
"""A name or an address, and perhaps a port."""


def plain_host(given: str) -> str | None:
    """Return the name or address in a Host header in one way of writing it, without its port; None if it is neither.

    >>> plain_host("LocalHost.:80"), plain_host("[2001:DB8::0:1]"), plain_host("[::1]evil"), plain_host("")
    ('localhost', '2001:db8::1', None, None)
    """
    found = HOST.fullmatch(given)
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


FROM_ELSEWHERE = 403, "this was sent by a page from elsewhere"
LED_FROM_ELSEWHERE = 403, "a page elsewhere led here; to open this address all the same, type it or paste it"


class Door:
    """Lets requests in that are meant for this server, of a reasonable size, and not sent by a page from elsewhere."""

    def __init__(self, app: App, fits: Callable[[str], bool], log: IO[str] | None = None) -> None:
        self._app = app
        self._fits = fits
        self._log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = perf_counter()
        status = size = 0
        if scope["path"].startswith(("http://", "https://")):  # as a proxy is asked
            scope["path"] = f"/{scope['path'].split('/', 3)[3]}" if scope["path"].count("/") > 2 else "/"

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

        try:
            refusal = self._refusal(scope) or await _body_refused(scope, receive)
            if refusal is None:
                await self._app(scope, receive, dressed)
            else:
                await _refuse(dressed, *refusal)
        finally:
            if self._log is not None:
                self._note(scope, status, size, perf_counter() - started)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Return why a request is refused, if it is."""
        headers = {name: value for name, value in scope["headers"] if name in _LOOKED_AT}
        host = headers.get(b"host", b"").decode("latin-1")
        if not self._fits(host):
            return 421, "this server does not go by that name; --allow-host makes it one of its names"
        origin = headers.get(b"origin")
        here = (f"http://{host.lower()}", f"https://{host.lower()}")
        if origin is not None and origin.decode("latin-1").lower() not in here:
            return FROM_ELSEWHERE
        if len(scope["query_string"]) > MOST_QUERY:
            return 414, f"the query is too long; {MOST_QUERY:,} bytes are enough for any position"
        return _from_elsewhere(headers, scope["path"])

    def _note(self, scope: Scope, status: int, size: int, seconds: float) -> None:
        """Write one line about a request, as JSON."""
        assert self._log is not None
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
        write_line(json.dumps(line), self._log)


_LOOKED_AT = frozenset(
    {b"host", b"origin", b"sec-fetch-site", b"sec-fetch-mode", b"sec-fetch-dest", b"sec-purpose", b"purpose"}
)


def _from_elsewhere(headers: dict[bytes, bytes], path: str) -> tuple[int, str] | None:
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


async def _body_refused(scope: Scope, receive: Receive) -> tuple[int, str] | None:
    """Refuse a body that is too large, whether its size is stated or not. None is needed, so a small one is dropped."""
    too_large = 413, f"the body is too large: nothing here takes one, and {MOST_BODY // 1024} KiB is the limit"
    stated = next((value for name, value in scope["headers"] if name == b"content-length"), None)
    if stated is not None and (len(stated) > 9 or int(stated) > MOST_BODY):
        return too_large
    if stated in (None, b"0") and not any(name == b"transfer-encoding" for name, _ in scope["headers"]):
        return None
    size = 0
    try:
        async with asyncio.timeout(SENDING):
            while True:
                message = await receive()
                size += len(message.get("body", b""))
                if size > MOST_BODY:
                    return too_large
                if message["type"] == "http.disconnect" or not message.get("more_body"):
                    return None
    except TimeoutError:
        return 408, "the body did not come; nothing here takes one"


async def _refuse(send: Send, status: int, error: str) -> None:
    body = json.dumps({"error": error}).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
        (b"cache-control", b"no-store"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
