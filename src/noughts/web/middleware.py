"""Middleware: host and origin checks, size limits, security headers, and the request log."""

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

__all__ = [
    "CSP_HEADER",
    "PAGE_POLICY",
    "SECURITY_HEADERS",
    "AccessRules",
    "SecurityMiddleware",
    "error_response",
    "host_check",
    "is_wildcard",
    "normalise_host",
    "normalise_origin",
]

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

MAX_BODY = 64 * 1024
MAX_QUERY = 8 * 1024
MAX_PATH = 1024
MAX_HOST = 255
"""Bytes that a Host header may have; no DNS name is longer."""
BODY_TIMEOUT = 10.0
"""Seconds in which a request's body must arrive."""

NO_FRAME = "frame-ancestors 'none'"
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    f"base-uri 'none'; form-action 'none'; {NO_FRAME}"
)
"""The content security policy of every response without a policy of its own: load from this server and nowhere else."""

SECURITY_HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
]
CSP_HEADER = (b"content-security-policy", PAGE_POLICY.encode())


ABSOLUTE = re.compile(rb"https?://([^/]*)(.*)", re.IGNORECASE | re.DOTALL)
"""A request target in absolute form, as clients send to proxies: its host and its path."""

HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^\s:/@\[\]]+)(:\d{1,5})?", re.IGNORECASE)
"""A name or an address, with or without a port."""


def normalise_host(given: str) -> str | None:
    """Return the name or address in a Host header, normalised and without its port; None if it is not valid.

    >>> normalise_host("LocalHost.:80"), normalise_host("[2001:DB8::0:1]")
    ('localhost', '2001:db8::1')
    >>> normalise_host("[::1]evil"), normalise_host("")
    (None, None)
    """
    found = HOST.fullmatch(given) if len(given) <= MAX_HOST else None  # IDNA takes seconds over a long name
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


ORIGIN = re.compile(r"(https?)://(.+?)/?", re.IGNORECASE)


def normalise_origin(given: str) -> str | None:
    """Return an origin as browsers write it; None if it is not one.

    >>> normalise_origin("https://Course.Example:8443/"), normalise_origin("http://[::1]")
    ('https://course.example:8443', 'http://[::1]')
    >>> normalise_origin("course.example"), normalise_origin("https://course.example/week-1"), normalise_origin("*")
    (None, None, None)
    """
    found = ORIGIN.fullmatch(given.strip())
    name = None if found is None else normalise_host(found[2])
    if found is None or name is None or not re.fullmatch(r"[\w.:-]+", name, re.ASCII):
        return None
    port = HOST.fullmatch(found[2])
    return f"{found[1].lower()}://{_bracketed(name)}{(port[2] or '') if port else ''}"


def is_wildcard(address: str) -> bool:
    """Return whether a server bound to this address listens on every address of the machine."""
    return ipaddress.ip_address(address).is_unspecified


def host_check(host: str, address: str, allowed: Iterable[str] = ()) -> Callable[[str], bool]:
    """Return a function that says whether a Host header is accepted.

    `host` is where the server was told to listen and `address` is where it does. Accepted are both, the loopback names
    of this machine, and the `allowed` names. Other names are refused because of DNS rebinding: a foreign web page can
    make its own name point to this server and then read the responses. That is impossible with an address, so a server
    that listens on every address accepts any address.

    >>> accepts = host_check("127.0.0.1", "127.0.0.1", ["games.example"])
    >>> [accepts(name) for name in ("localhost:8000", "127.0.0.1", "[::1]:80", "games.example", "evil.example", "")]
    [True, True, True, True, False, False]
    >>> host_check("0.0.0.0", "0.0.0.0")("192.0.2.7:8000"), accepts("192.0.2.7:8000")
    (True, False)
    """
    names = {"localhost", "127.0.0.1", "::1", address, *map(normalise_host, (_bracketed(host), *allowed))}
    any_address = is_wildcard(address)

    def accepts(given: str) -> bool:
        name = normalise_host(given)
        return name is not None and (name in names or (any_address and _is_address(name)))

    return accepts


def _bracketed(host: str) -> str:
    return f"[{host}]" if host.count(":") > 1 and not host.startswith("[") else host


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class AccessRules(NamedTuple):
    """Which requests are accepted, and where they are logged."""

    accepts_host: Callable[[str], bool]
    """Whether a Host header is accepted."""
    log: IO[str] | None = None
    proxies: Proxies = Proxies()
    """The proxies whose X-Forwarded-For header is trusted."""
    requests_per_client: int = 250
    """How many requests of one client a proxy may have in progress."""
    prefix: str = ""
    """The public path of the server, such as /games; a proxy may have stripped it from the requests."""
    embedders: tuple[str, ...] = ()
    """The origins whose pages may show this server's page in a frame."""


class _Refusal(NamedTuple):
    """The error response to a request that is not accepted."""

    status: int
    error: str
    headers: tuple[tuple[bytes, bytes], ...] = ()


CROSS_SITE = _Refusal(403, "cross-site request refused: only this server's own pages may send this request")
CROSS_SITE_LINK = _Refusal(403, "links to the API from other sites are refused; to open this address, type or paste it")
TOO_MANY_REQUESTS = _Refusal(
    503, "too many of your requests are in progress; try again in a moment", ((b"retry-after", b"2"),)
)
UNKNOWN_HOST = _Refusal(421, "unknown host name in the Host header; start the server with --allow-host to accept it")
LONG_HOST = _Refusal(400, f"the Host header is too long; the limit is {MAX_HOST} bytes")
LONG_QUERY = _Refusal(414, f"the query is too long; the limit is {MAX_QUERY:,} bytes")
LONG_PATH = _Refusal(414, f"the path is too long; the limit is {MAX_PATH:,} bytes")
BAD_PATH = _Refusal(400, "the request's path must begin with /")
LARGE_BODY = _Refusal(413, f"the body is too large: no request here needs one, and the limit is {MAX_BODY // 1024} KiB")
SLOW_BODY = _Refusal(408, "the body did not arrive in time; no request here needs one")


class SecurityMiddleware:
    """ASGI middleware that refuses requests with a wrong host, from other sites, or that are too large.

    It also adds the security headers to every response and writes the request log.
    """

    def __init__(self, app: App, rules: AccessRules) -> None:
        self._app = app
        self._rules = rules
        self._in_progress: Counter[str] = Counter()
        """How many requests proxies have in progress for each client."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request to the app, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = perf_counter()
        status = size = 0
        forwarded_for = self._forwarded_for(scope)

        async def send_with_headers(message: Message) -> None:
            nonlocal status, size
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = self._with_policy([*message["headers"], *SECURITY_HEADERS])
            else:
                size += len(message.get("body", b""))
            await send(message)

        if forwarded_for is not None:
            self._in_progress[forwarded_for] += 1
        try:
            refusal = self._check(scope) or await _check_body(scope, receive)
            if refusal is None and forwarded_for and self._in_progress[forwarded_for] > self._rules.requests_per_client:
                refusal = TOO_MANY_REQUESTS
            if refusal is None:
                await self._app(scope, receive, send_with_headers)
            else:
                await _refuse(send_with_headers, refusal)
        finally:
            if forwarded_for is not None:
                self._in_progress[forwarded_for] -= 1
                if not self._in_progress[forwarded_for]:
                    del self._in_progress[forwarded_for]
            if self._rules.log is not None:
                write_line(_log_line(scope, status, size, perf_counter() - started), self._rules.log)

    def _with_policy(self, headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        """Return headers with a content security policy, and with the origins that may embed the page."""
        if not any(name == b"content-security-policy" for name, _ in headers):
            headers = [*headers, CSP_HEADER]
        if not self._rules.embedders:
            return headers
        allowed = f"frame-ancestors {' '.join(self._rules.embedders)}".encode()
        return [
            (name, value.replace(NO_FRAME.encode(), allowed) if name == b"content-security-policy" else value)
            for name, value in headers
            if name != b"x-frame-options"  # which cannot name an origin
        ]

    def _forwarded_for(self, scope: Scope) -> str | None:
        """Return the key of the client for whom a trusted proxy forwards a request; None if no trusted proxy does.

        That client also replaces the proxy in the scope.
        """
        peer = scope.get("client")
        if not peer or peer[0] not in self._rules.proxies:
            return None
        forwarded = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
        client = self._rules.proxies.client(peer[0], forwarded)
        scope["client"] = (client, 0)
        return client_key(client)

    def _check(self, scope: Scope) -> _Refusal | None:
        """Return why a request is refused, or None; an accepted request's path is made relative to the prefix."""
        headers = {name: value for name, value in scope["headers"] if name in _CHECKED_HEADERS}
        host = headers.get(b"host", b"")
        absolute = ABSOLUTE.fullmatch(scope["raw_path"])
        if absolute is not None:  # then HTTP ignores the Host header
            host, path = absolute[1], absolute[2] or b"/"
            _set_path(scope, path)
        if len(host) > MAX_HOST or len(headers.get(b"host", b"")) > MAX_HOST:
            return LONG_HOST
        name = host.decode("latin-1")
        if not self._rules.accepts_host(name):
            return UNKNOWN_HOST
        if len(scope["raw_path"]) > MAX_PATH:
            return LONG_PATH
        if len(scope["query_string"]) > MAX_QUERY:
            return LONG_QUERY
        if not scope["path"].startswith("/"):
            return BAD_PATH
        origin = headers.get(b"origin")
        own_origins = (f"http://{name.lower()}", f"https://{name.lower()}")
        if origin is not None and origin.decode("latin-1").lower() not in own_origins:
            return CROSS_SITE
        return self._strip_prefix(scope) or _check_fetch_metadata(headers, scope["path"], self._rules.embedders != ())

    def _strip_prefix(self, scope: Scope) -> _Refusal | None:
        """Strip the prefix from the path; redirect if no slash follows, since relative URLs would miss the prefix."""
        prefix = self._rules.prefix
        path = scope["raw_path"].decode("latin-1")
        if prefix and path.startswith(f"{prefix}/"):
            _set_path(scope, path.removeprefix(prefix).encode("latin-1"))
        elif prefix and path == prefix:
            query = scope["query_string"]
            location = f"{prefix}/".encode() + (b"?" + query if query else b"")
            return _Refusal(308, f"moved to {prefix}/", ((b"location", location),))
        return None


_CHECKED_HEADERS = frozenset(
    {b"host", b"origin", b"sec-fetch-site", b"sec-fetch-mode", b"sec-fetch-dest", b"sec-purpose", b"purpose"}
)


def _set_path(scope: Scope, raw_path: bytes) -> None:
    scope["raw_path"], scope["path"] = raw_path, unquote(raw_path.decode("latin-1"))


def _check_fetch_metadata(headers: dict[bytes, bytes], path: str, embeddable: bool) -> _Refusal | None:
    """Refuse requests that other sites cause, as far as browsers report it; only links to the page itself are allowed.

    Another port of this machine is another site too, although browsers call it the same site. The API accepts not even
    links: just opening one of its addresses, for example in a frame, starts a search. A prefetch of a search is refused
    whoever seems to ask for it: our own page prefetches nothing. If the page is embeddable, a frame may open it, and it
    alone; whose frame that may be is for the browser to check, by the policy of the page.
    """
    is_prefetch = b"sec-purpose" in headers or b"purpose" in headers
    if headers.get(b"sec-fetch-site", b"none") in (b"none", b"same-origin"):
        return CROSS_SITE if is_prefetch and (path.startswith("/api/") or path == "/steps") else None
    shown_in = (b"document", b"iframe") if embeddable and path == "/" else (b"document",)
    is_link = headers.get(b"sec-fetch-mode") == b"navigate" and headers.get(b"sec-fetch-dest") in shown_in
    if not is_link or is_prefetch:
        return CROSS_SITE
    return CROSS_SITE_LINK if path.startswith("/api/") else None


def _log_line(scope: Scope, status: int, size: int, seconds: float) -> str:
    """Return the log line of a request, as JSON."""
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


async def _check_body(scope: Scope, receive: Receive) -> _Refusal | None:
    """Refuse a body that is too large or too slow. No request needs a body, so a small one is read and dropped."""
    length = next((value for name, value in scope["headers"] if name == b"content-length"), None)
    if length is not None and (len(length) > 9 or int(length) > MAX_BODY):
        return LARGE_BODY
    if length in (None, b"0") and not any(name == b"transfer-encoding" for name, _ in scope["headers"]):
        return None
    size = 0
    try:
        async with asyncio.timeout(BODY_TIMEOUT):
            while True:
                message = await receive()
                size += len(message.get("body", b""))
                if size > MAX_BODY:
                    return LARGE_BODY
                if message["type"] == "http.disconnect" or not message.get("more_body"):
                    return None
    except TimeoutError:
        return SLOW_BODY


def error_response(error: str) -> tuple[list[tuple[bytes, bytes]], bytes]:
    """Return the headers and the JSON body of an error response, after which the connection closes."""
    body = json.dumps({"error": error}).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
        (b"cache-control", b"no-store"),
    ]
    return headers, body


async def _refuse(send: Send, refusal: _Refusal) -> None:
    headers, body = error_response(refusal.error)
    await send({"type": "http.response.start", "status": refusal.status, "headers": [*headers, *refusal.headers]})
    await send({"type": "http.response.body", "body": body})
