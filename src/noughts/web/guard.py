"""What stands at the door: who may come in, how much they may bring, and what every answer carries with it."""

import ipaddress
import json
from collections.abc import Awaitable, Callable, MutableMapping
from datetime import UTC, datetime
from time import perf_counter
from typing import IO, Any

__all__ = ["PAGE_POLICY", "Door", "allowed_hosts"]

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

MOST_BODY = 64 * 1024
MOST_QUERY = 8 * 1024

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


def allowed_hosts(host: str, also: tuple[str, ...] = ()) -> Callable[[str], bool]:
    """Return who a server bound to a host may be called: itself, and names of this machine for itself.

    Other names are refused, since a page elsewhere can make its own name point here, and then read what it asks. An
    address cannot be borrowed like that; so where the server listens on all of them, any address will do.

    >>> fits = allowed_hosts("127.0.0.1", ("games.example",))
    >>> [fits(name) for name in ("localhost:8000", "127.0.0.1", "[::1]:80", "games.example", "evil.example", "")]
    [True, True, True, True, False, False]
    >>> allowed_hosts("0.0.0.0")("192.0.2.7:8000"), fits("192.0.2.7:8000")
    (True, False)
    """
    names = {"localhost", "127.0.0.1", "::1", host.lower(), *(name.lower() for name in also)}
    everywhere = host in ("", "0.0.0.0", "::")

    def fits(given: str) -> bool:
        name = _without_port(given).lower().removesuffix(".")
        if name in names:
            return bool(name)
        if not everywhere:
            return False
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True

    return fits


def _without_port(host: str) -> str:
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.rpartition(":")[0] if host.count(":") == 1 else host


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
            refusal = self._refusal(scope) or await _too_large(scope, receive)
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
            return 403, "this was sent by a page from elsewhere"
        elsewhere = headers.get(b"sec-fetch-site") == b"cross-site" and headers.get(b"sec-fetch-mode") != b"navigate"
        if elsewhere:  # a link from there may be followed, but nothing here is for a page there to use
            return 403, "this was sent by a page from elsewhere"
        if len(scope["query_string"]) > MOST_QUERY:
            return 414, f"the query is too long; {MOST_QUERY:,} bytes are enough for any position"
        return None

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
        print(json.dumps(line), file=self._log, flush=True)


_LOOKED_AT = frozenset({b"host", b"origin", b"sec-fetch-site", b"sec-fetch-mode"})


async def _too_large(scope: Scope, receive: Receive) -> tuple[int, str] | None:
    """Refuse a body that is too large, whether its size is stated or not. None is needed, so a small one is dropped."""
    too_large = 413, f"the body is too large: nothing here takes one, and {MOST_BODY // 1024} KiB is the limit"
    stated = next((value for name, value in scope["headers"] if name == b"content-length"), None)
    if stated is not None and (not stated.isdigit() or len(stated) > 9 or int(stated) > MOST_BODY):
        return too_large
    if stated in (None, b"0") and not any(name == b"transfer-encoding" for name, _ in scope["headers"]):
        return None
    size = 0
    while True:
        message = await receive()
        size += len(message.get("body", b""))
        if size > MOST_BODY:
            return too_large
        if message["type"] == "http.disconnect" or not message.get("more_body"):
            return None


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
