"""The middleware: foreign hosts and sites, oversized and malformed requests, and security headers."""

import json
import os
import re
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from noughts.web.endpoints import ENDPOINTS
from noughts.web.middleware import MAX_BODY, MAX_QUERY, host_check
from tests.helpers import TIMEOUT, process_seconds
from tests.web.serving import Client, Server, running

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
QUESTION: dict[str, Any] = {"game": "tic-tac-toe", "position": "5 1"}
FOREIGN = "cross-site request refused: only this server's own pages may send this request"
MARKER = "executed.txt"

TRAP = f"""
from pathlib import Path
Path(__file__).with_name({MARKER!r}).write_text("this file was run")
from noughts.games.tictactoe import TIC_TAC_TOE as game
"""


def status_of(raw: bytes) -> int:
    found = re.match(rb"HTTP/1\.1 (\d{3}) ", raw)
    assert found is not None, raw
    return int(found[1])


# Hosts and origins


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:80", "localhost.evil.example", "127.0.0.1.evil.example", "10.0.0.1", "[::2]", ""],
)
@pytest.mark.parametrize("path", ["/", "/api/games", "/api/analyse", "/static/main.js", "/nothing"])
def test_a_foreign_host_is_refused(client: Client, path: str, host: str) -> None:
    """DNS rebinding: a foreign page whose name points here would have the same origin as our responses."""
    answer = client.get(path, {"Host": host})
    assert answer.status == 421
    assert answer.error.startswith("unknown host name in the Host header")


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST", "localhost.", "127.0.0.1:1", "[::1]", "[::1]:8000"])
def test_loopback_names_are_accepted(client: Client, host: str) -> None:
    assert client.get("/api/games", {"Host": host}).status == 200


def test_a_request_without_a_host_is_refused(server: Server) -> None:
    assert status_of(server.raw(b"GET / HTTP/1.0\r\n\r\n")) == 421


@pytest.mark.parametrize(
    ("host", "address"), [("", "0.0.0.0"), ("0", "0.0.0.0"), ("0.0.0.0", "0.0.0.0"), ("::", "::"), ("::0", "::")]
)
def test_a_server_on_all_addresses_accepts_any_address_but_no_unknown_name(host: str, address: str) -> None:
    accepts = host_check(host, address)
    assert accepts("192.0.2.7:8000")
    assert accepts("[2001:db8::1]:8000")
    assert accepts("localhost")
    assert not accepts("evil.example")
    assert not accepts("192.0.2.7.evil.example")
    assert not accepts("")


@pytest.mark.parametrize(
    "host", ["[::1]evil.example", "[::1", "localhost:80evil", "localhost:", "a b", "evil@localhost"]
)
def test_an_invalid_host_is_refused(client: Client, host: str) -> None:
    assert client.get("/api/games", {"Host": host}).status == 421


def test_host_names_are_compared_in_normal_form() -> None:
    accepts = host_check("2001:DB8:0:0:0:0:0:1", "2001:db8::1", ["Games.Example.", "bücher.example:8443"])
    assert accepts("[2001:db8::1]:80")
    assert accepts("games.example")
    assert accepts("xn--bcher-kva.example")
    assert not accepts("evil.example")


def test_absolute_request_targets_are_accepted(server: Server) -> None:
    """Proxies receive this form, and HTTP requires every server to understand it."""
    request = f"GET {server.url}/api/games HTTP/1.1\r\nHost: {server.url[7:]}\r\nConnection: close\r\n\r\n"
    assert status_of(server.raw(request.encode())) == 200
    request = f"GET {server.url} HTTP/1.1\r\nHost: {server.url[7:]}\r\nConnection: close\r\n\r\n"
    assert status_of(server.raw(request.encode())) == 200


@pytest.mark.parametrize("scheme", ["http", "https", "HTTP"])
@pytest.mark.parametrize(
    ("target", "header", "status"),
    [
        ("evil.example", "localhost", 421),
        ("evil.example:8000", "localhost", 421),
        ("localhost@evil.example", "localhost", 421),
        ("evil@localhost", "localhost", 421),
        ("", "localhost", 421),
        ("localhost", "evil.example", 200),  # then the header is ignored
        ("localhost", "x" * 256, 400),
        ("x" * 256, "localhost", 400),
    ],
)
def test_the_host_of_an_absolute_uri_request_is_checked(
    server: Server, scheme: str, target: str, header: str, status: int
) -> None:
    for path in ("", "/", "/api/games", "//evil.example/api/games"):
        request = f"GET {scheme}://{target}{path} HTTP/1.1\r\nHost: {header}\r\nConnection: close\r\n\r\n"
        expected = 404 if status == 200 and path.startswith("//") else status
        assert status_of(server.raw(request.encode())) == expected


def test_the_origin_is_compared_with_the_host_of_the_absolute_uri(server: Server) -> None:
    lines = ["GET http://localhost:1/api/games HTTP/1.1", "Host: localhost:2", "Connection: close"]
    for port, status in ((1, 200), (2, 403)):
        request = "\r\n".join([*lines, f"Origin: http://localhost:{port}", "", ""])
        assert status_of(server.raw(request.encode())) == status


@pytest.mark.parametrize("target", ["*", "api/games", "localhost:80", "ftp://localhost/", "x://localhost/api/games"])
def test_a_request_target_that_is_not_a_path_is_refused(server: Server, target: str) -> None:
    request = f"OPTIONS {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    assert status_of(server.raw(request.encode())) == 400


@pytest.mark.parametrize("path", ["/", "/api/games", "/api/analyse", "/steps", "/static/main.js", "/nothing"])
@pytest.mark.parametrize(
    "origin", ["http://evil.example", "https://evil.example", "null", "file://", "http://127.0.0.1", ""]
)
def test_a_foreign_origin_is_refused(client: Client, path: str, origin: str) -> None:
    answer = client.get(path, {"Origin": origin})
    assert (answer.status, answer.error) == (403, FOREIGN)
    assert not any(name.startswith("access-control") for name in answer.headers)


def test_the_same_origin_is_accepted(server: Server, client: Client) -> None:
    for origin in (server.url, server.url.replace("http:", "https:"), server.url.upper()):
        answer = client.get("/api/analyse", {"Origin": origin}, **QUESTION)
        assert answer.status == 200
        assert not any(name.startswith("access-control") for name in answer.headers)


def test_origins_are_compared_without_case(client: Client) -> None:
    named = {"Host": "LocalHost:8000", "Origin": "http://localhost:8000"}
    assert client.get("/api/games", named).status == 200
    assert client.get("/api/games", {**named, "Origin": "http://localhost:8001"}).status == 403


@pytest.mark.parametrize("path", ["/", "/steps", "/static/main.js", "/api/games", "/api/analyse", "/nothing"])
def test_a_cross_site_fetch_is_refused(client: Client, path: str) -> None:
    for mode in ("cors", "no-cors", "same-origin", "websocket"):
        answer = client.get(path, {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": mode})
        assert (answer.status, answer.error) == (403, FOREIGN)
    without_mode = client.get(path, {"Sec-Fetch-Site": "cross-site"})
    assert without_mode.status == 403


def test_links_from_other_sites_work(client: Client) -> None:
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    for site in ("cross-site", "same-site"):
        for path in ("/", "/?game=tic-tac-toe&position=5", "/static/main.js"):
            assert client.get(path, {**link, "Sec-Fetch-Site": site}).status == 200
        assert client.get("/steps", {**link, "Sec-Fetch-Site": site}, **QUESTION).status == 200


def test_pages_of_other_sites_cannot_fill_the_long_queue(client: Client) -> None:
    """Not by a frame, a picture, a script, a form or a link; another port of this machine is another site too."""
    searches = ("/api/analyse?game=ultimate&seconds=10", "/steps?game=tic-tac-toe")
    for site in ("cross-site", "same-site"):
        for dest in ("iframe", "frame", "embed", "object", "image", "script", "empty", "report"):
            for mode in ("navigate", "no-cors", "cors"):
                named = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": dest}
                for path in searches:
                    answer = client.get(path, named)
                    assert (answer.status, answer.error) == (403, FOREIGN)
        link = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
        for path in ("/api/analyse?game=ultimate&seconds=10", "/api/games", "/api/openapi.json", "/api/nothing"):
            answer = client.get(path, link)
            assert answer.status == 403
            assert answer.error.startswith("links to the API from other sites are refused")
        for path in searches:
            assert client.get(path, {**link, "Sec-Purpose": "prefetch;prerender"}).status == 403
    for site in ("same-origin", "none"):
        for mode, dest in (("cors", "empty"), ("navigate", "document")):
            named = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": dest}
            assert client.get("/api/games", named).status == 200


@pytest.mark.parametrize("path", ["/api/analyse?game=tic-tac-toe", "/steps?game=tic-tac-toe"])
@pytest.mark.parametrize("site", ["none", "same-origin"])
def test_a_prefetch_never_starts_a_search(client: Client, path: str, site: str) -> None:
    assert client.get(path, {"Sec-Fetch-Site": site}).status == 200
    assert client.get(path, {"Sec-Fetch-Site": site, "Sec-Purpose": "prefetch"}).status == 403


# Size limits and malformed requests


def sent(server: Server, body: bytes, *headers: str, method: str = "GET") -> bytes:
    lines = [f"{method} /api/games HTTP/1.1", f"Host: {server.url[7:]}", "Connection: close", *headers, "", ""]
    return server.raw("\r\n".join(lines).encode() + body)


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_bodies_up_to_the_limit_are_dropped_and_larger_ones_refused(server: Server, method: str) -> None:
    allowed = {"GET": 200, "POST": 405}[method]
    assert MAX_BODY == 64 * 1024
    for size, status in ((0, allowed), (1, allowed), (MAX_BODY, allowed), (MAX_BODY + 1, 413), (10 * MAX_BODY, 413)):
        answer = sent(server, b"x" * size, f"Content-Length: {size}", method=method)
        assert status_of(answer) == status, size
    assert b"the body is too large: no request here needs one, and the limit is 64 KiB" in answer


def test_a_large_body_is_refused_before_it_is_sent(server: Server) -> None:
    for size in ("65537", "999999999", "1000000000", "9" * 15):
        assert status_of(sent(server, b"", f"Content-Length: {size}")) == 413


def test_queries_up_to_the_limit_are_read_and_longer_ones_refused(client: Client) -> None:
    assert MAX_QUERY == 8 * 1024
    start = "/api/position?game=tic-tac-toe&position="
    fill = MAX_QUERY - len(start.partition("?")[2])
    longest = client.get(start + "+" * fill)
    assert longest.status == 400
    assert longest.error.startswith("position is 0 to 2,000 characters")
    longer = client.get(start + "+" * (fill + 1))
    assert longer.status == 414
    assert longer.error == "the query is too long; the limit is 8,192 bytes"


MALFORMED = [
    b"\r\n\r\n\r\n",
    b"NONSENSE\r\n\r\n",
    b"GET\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nno colon\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost : localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 500_000 + b"\r\n\r\n",
    b"GET /" + b"x" * 500_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256)) + b"\r\n\r\n",
    bytes(500_000),
]


@pytest.fixture(scope="module")
def tough_server(noughts_command: str) -> Iterator[Server]:
    """A server that receives bad requests; it must not print a traceback."""
    with running(noughts_command, "tic-tac-toe", quiet=False) as server:
        yield server
        assert "Traceback" not in server.errors.read_text(encoding="utf-8")


@pytest.mark.parametrize("request_", MALFORMED, ids=range(len(MALFORMED)))
def test_malformed_requests_are_refused_and_the_server_goes_on(tough_server: Server, request_: bytes) -> None:
    answer = tough_server.raw(request_)
    assert status_of(answer) in (400, 431, 501)
    assert all(header in answer for header in (b"x-frame-options: DENY", b"content-security-policy: default-src"))
    assert list(json.loads(answer.partition(b"\r\n\r\n")[2])) == ["error"]
    with tough_server.client() as client:
        assert client.get("/api/analyse", **QUESTION).status == 200


@pytest.mark.parametrize(
    "body", [b"not a length\r\n", b"1\r\nx\r\n0\r\n\r\n", b"0\r\nX:" + b" " * 60_000 + b"\0\r\n\r\n"]
)
def test_a_body_of_unknown_length_is_refused_unread(tough_server: Server, body: bytes) -> None:
    answer = sent(tough_server, body, "Transfer-Encoding: chunked")
    assert status_of(answer) == 411
    assert b"send none, or a Content-Length" in answer
    with tough_server.client() as client:
        assert client.get("/api/analyse", **QUESTION).status == 200


def test_the_server_survives_requests_that_stop_half_way(tough_server: Server) -> None:
    whole = (
        f"GET /api/analyse?game=tic-tac-toe HTTP/1.1\r\nHost: {tough_server.url[7:]}\r\nContent-Length: 5\r\n\r\nhello"
    )
    for length in range(0, len(whole), 7):
        connection = HTTPConnection("127.0.0.1", tough_server.port, timeout=TIMEOUT)
        connection.connect()
        connection.sock.sendall(whole[:length].encode())
        connection.close()
    with tough_server.client() as client:
        assert client.get("/api/analyse", **QUESTION).status == 200


# Files


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/%2e%2e%2fapp.py",
        "/static/..%2fapp.py",
        "/static/..%5capp.py",
        "/static/%2e%2e%2f%2e%2e%2f%2e%2e%2fpyproject.toml",
        "/static/%252e%252e%252fapp.py",
        "/static/..\\app.py",
        "/static//etc/passwd",
        "/static/%2fetc%2fpasswd",
        "/static/etc/passwd",
        "/static/main.js/",
        "/static/main.js%00",
        "/static/%00main.js",
        "/static/.",
        "/static/%2e",
        "/static/api/games",
        "/static/%2fapi%2fgames",
        "/static//main.js",
        "/static/MAIN.JS",
        "/..",
        "/../../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/app.py",
        "/index.html",
    ],
)
def test_only_files_of_the_page_are_served(client: Client, path: str) -> None:
    assert client.get(path).status == 404


def test_every_file_of_the_page_is_served_unchanged(client: Client) -> None:
    folder = Path("src/noughts/web/static")
    kinds = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
    kinds[".json"] = "application/json"
    for path in folder.iterdir():
        answer = client.get(f"/static/{path.name}")
        assert (answer.status, answer.body) == (200, path.read_bytes())
        assert answer.headers["content-type"].partition(";")[0] == kinds[path.suffix]
    before, after = (folder / "index.html").read_bytes().split(b"<!-- preview -->")
    page = client.get("/").body
    assert page.startswith(before)
    assert page.endswith(after)


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: endpoint.kind)
def test_a_client_cannot_make_the_server_run_a_game_file(client: Client, tmp_path: Path, endpoint: Any) -> None:
    trap = tmp_path / "trap.py"
    trap.write_text(TRAP, encoding="utf-8")
    spellings = [
        str(trap),
        os.path.relpath(trap),
        f"./{os.path.relpath(trap)}",
        f"file://{trap}",
        f" {trap} ",
        f"{trap}:x",
        "./trap.py",
        "trap.py",
        "trap",
        "../examples/domineering.py",
        "examples/domineering.py",
        "./examples/matches.py",
        "/etc/passwd",
        "noughts.games.nim",
        "..",
        ".",
        "/",
    ]
    for spelling in spellings:
        answer = client.get(endpoint.path, game=spelling)
        assert answer.status == 400, spelling
        assert answer.error.startswith("there is no game ")
    assert not (tmp_path / MARKER).exists()


def test_the_same_game_file_runs_if_given_at_the_start(noughts_command: str, tmp_path: Path) -> None:
    """This shows that the test above can fail."""
    trap = tmp_path / "trap.py"
    trap.write_text(TRAP, encoding="utf-8")
    with running(noughts_command, str(trap)) as server, server.client() as client:
        assert (tmp_path / MARKER).exists()
        assert client.get("/api/position", game="./trap.py").status == 200


# Security headers

KINDS = [
    ("/", {}, 200),
    ("/static/main.js", {}, 200),
    ("/favicon.ico", {}, 200),
    ("/api/games", {}, 200),
    ("/api/openapi.json", {}, 200),
    ("/api/position?game=tic-tac-toe", {}, 200),
    ("/api/analyse?game=tic-tac-toe", {}, 200),
    ("/api/analyse?game=tic-tac-toe", {"If-None-Match": "*"}, 304),
    ("/", {"If-None-Match": "*"}, 304),
    ("/api/analyse?game=tic-tac-toe", {"Accept": "text/event-stream"}, 200),
    ("/api/analyse?game=ultimate&nodes=50", {}, 200),
    ("/api/analyse", {}, 400),
    ("/api/analyse?game=chess", {}, 400),
    ("/", {"Origin": "null"}, 403),
    ("/nothing", {}, 404),
    ("/static/nothing", {}, 404),
    ("/api/games", {"Content-Length": "65537"}, 413),
    (f"/?{'x' * 9000}", {}, 414),
    ("/", {"Host": "evil.example"}, 421),
    ("/steps?game=tic-tac-toe", {"Host": "evil.example"}, 421),
    ("/steps?game=chess", {}, 400),
]


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST"])
@pytest.mark.parametrize(("path", "headers", "status"), KINDS)
def test_every_response_has_the_security_headers(
    server: Server, path: str, headers: dict[str, str], status: int, method: str
) -> None:
    with server.client() as client:
        client.get(path)  # first, so that a cacheable response is cached
        answer = client.get(path, headers, method=method)
    reaches_a_route = status in (200, 304, 400) or path.startswith("/static/")
    assert answer.status == (405 if method == "POST" and reaches_a_route else status)
    found = answer.headers
    assert found["x-content-type-options"] == "nosniff"
    assert found["x-frame-options"] == "DENY"
    assert found["referrer-policy"] == "same-origin"
    assert found["cross-origin-opener-policy"] == "same-origin"
    assert found["cross-origin-resource-policy"] == "same-origin"
    assert found["permissions-policy"] == "camera=(), geolocation=(), microphone=()"
    assert found["content-security-policy"] == POLICY
    assert "server" not in found
    assert "cache-control" in found


def test_the_stepper_has_its_own_content_security_policy(client: Client) -> None:
    """Its inline style and script are allowed by their hashes, and nothing else is."""
    for headers in ({}, {"Accept-Encoding": "gzip"}):
        policy = client.get("/steps", headers, **QUESTION).headers["content-security-policy"]
        stated = dict(each.strip().split(" ", 1) for each in policy.split(";"))
        assert stated["default-src"] == stated["frame-ancestors"] == "'none'"
        assert "unsafe" not in policy
        assert "http" not in policy
        for directive in ("script-src", "style-src"):
            assert re.fullmatch(r"'sha256-[\w+/=]+'", stated[directive])


# Requests that are slow to parse


def head(*lines: bytes, host: bytes = b"localhost", path: bytes = b"/api/games") -> bytes:
    return b"\r\n".join([b"GET " + path + b" HTTP/1.1", b"Host: " + host, b"Connection: close", *lines, b"", b""])


SLOW = {
    "a long Host": (head(host=b"x" * 256), 400),
    "a long Host with non-ASCII letters": (head(host="ü".encode("latin-1") * 30_000), 400),
    "a long Host of labels": (head(host=b"\xfc." * 10_000), 400),
    "a long address": (head(host=b"[" + b":" * 10_000 + b"]"), 400),
    "two Hosts": (head(b"Host: localhost"), 400),
    "many Hosts": (head(*[b"Host: localhost"] * 90), 400),
    "spaces before a NUL": (head(b"X:" + b" " * 30_000 + b"\0"), 400),
    "spaces before a bare CR": (head(b"X:" + b" " * 30_000 + b"\rx"), 400),
    "spaces before a vertical tab": (head(b"X:" + b" \t" * 15_000 + b"\x0bx"), 400),
    "a folded line": (head(b"X: a", b" b"), 400),
    "lines without CR": (head(b"X: a\nY: b"), 400),
    "two lengths": (head(b"Content-Length: 1", b"Content-Length: 2"), 400),
    "a list of lengths": (head(b"Content-Length: 1, 2"), 400),
    "a length and an encoding": (head(b"Content-Length: 1", b"Transfer-Encoding: chunked"), 400),
    "an encoding and a length": (head(b"Transfer-Encoding: chunked", b"Content-Length: 1"), 400),
    "an encoding folded away": (head(b"Content-Length: 1", b"X: a", b" Transfer-Encoding: chunked"), 400),
    "many headers": (head(*[b"X: y"] * 98), 431),
    "thousands of headers": (head(*[b"x:"] * 7_000), 431),
    "a long head": (head(b"X: " + b"y" * 33_000), 431),
    "a long path": (head(path=b"/" + b"%41" * 10_000), 414),
    "a long query": (head(path=b"/?" + b"%41=%42&" * 4_000), 414),
}


@pytest.mark.parametrize("name", SLOW)
def test_a_long_host_or_head_does_not_stall_the_event_loop(tough_server: Server, name: str) -> None:
    """Each of these is refused before parsing; some took h11 or IDNA a minute."""
    request, status = SLOW[name]
    started = process_seconds(tough_server.process.pid)
    answer = tough_server.raw(request)
    assert status_of(answer) == status
    assert answer.count(b"HTTP/1.1 ") == 1, "the connection is closed after it"
    assert b"connection: close" in answer.lower()
    assert process_seconds(tough_server.process.pid) - started < 2.0


def test_many_headers_and_long_ones_are_accepted(client: Client) -> None:
    cookies = "; ".join(f"name{number}=value" for number in range(1_500))
    headers = {f"X-{number}": "y" for number in range(80)}
    assert client.get("/api/games", {**headers, "Cookie": cookies}).status == 200


def test_what_follows_a_refused_request_is_not_read(tough_server: Server) -> None:
    """Request smuggling: a proxy and this server might disagree on where a request ends."""
    second = b"GET /api/games HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    both = b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    for method in (b"GET", b"POST"):
        answer = tough_server.raw(method + b" / HTTP/1.1\r\nHost: localhost\r\n" + both + second)
        assert (status_of(answer), answer.count(b"HTTP/1.1 ")) == (400, 1)
    good = b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello"
    answer = tough_server.raw(good + head(b"X:" + b" " * 30_000 + b"\0"))
    assert re.findall(rb"HTTP/1\.1 (\d+) ", answer) == [b"405", b"400"], "a pipelined request is checked too"


def test_malformed_requests_are_not_logged_one_by_one(noughts_command: str) -> None:
    with running(noughts_command, "tic-tac-toe") as server:
        for request in MALFORMED:
            server.raw(request)
        upgrade = head(b"Connection: Upgrade", b"Upgrade: websocket")
        assert status_of(server.raw(upgrade)) == 200
