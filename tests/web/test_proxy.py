"""Behind a proxy: client addresses, and a server with a path prefix."""

import json
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Browser

from noughts.errors import NoughtsError
from noughts.web.clients import Proxies, client_key
from tests.helpers import TIMEOUT, until
from tests.web.conftest import watch
from tests.web.game_page import GamePage
from tests.web.serving import Server, listening, running
from tests.web.test_serve_command import complaint

# Client addresses

JUNK = [
    "",
    ",",
    " , ,",
    "unknown",
    "_hidden",
    "1.2.3",
    "999.1.1.1",
    "[::1",
    "1.2.3.4.5",
    "\xff\x00",
    "a" * 50_000,
    "::1%" * 99,
]


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("192.0.2.9", ["198.51.100.1"], "192.0.2.9"),  # not a proxy, so not trusted
        ("127.0.0.1", [], "127.0.0.1"),
        ("127.0.0.1", ["198.51.100.1"], "198.51.100.1"),
        ("127.0.0.1", ["1.1.1.1, 198.51.100.1"], "198.51.100.1"),  # entries before the last may be forged
        ("127.0.0.1", ["1.1.1.1", "198.51.100.1, 10.1.2.3"], "198.51.100.1"),
        ("127.0.0.1", ["10.1.2.3,10.1.2.4"], "10.1.2.3"),
        ("127.0.0.1", ["198.51.100.1, junk"], "127.0.0.1"),
        ("127.0.0.1", ["junk, 198.51.100.1"], "198.51.100.1"),
        ("127.0.0.1", ["198.51.100.1:4711"], "198.51.100.1"),
        ("127.0.0.1", ["[2001:db8::7]:4711"], "2001:db8::7"),
        ("127.0.0.1", ["2001:DB8::7"], "2001:db8::7"),
        ("::ffff:127.0.0.1", ["::ffff:198.51.100.1"], "198.51.100.1"),
        ("2001:db8:1::5", ["198.51.100.1"], "198.51.100.1"),
        *(("127.0.0.1", [junk], "127.0.0.1") for junk in JUNK),
    ],
)
def test_the_client_is_the_last_address_that_is_not_a_trusted_proxy(
    peer: str, forwarded: list[str], client: str
) -> None:
    proxies = Proxies(["127.0.0.1", "10.0.0.0/8", "2001:db8:1::/48"])
    assert proxies.client(peer, [each.encode("latin-1") for each in forwarded]) == client


def test_without_the_option_no_proxy_is_trusted() -> None:
    assert Proxies().client("127.0.0.1", [b"198.51.100.1"]) == "127.0.0.1"
    assert "127.0.0.1" not in Proxies()


def test_one_ipv6_network_is_one_client() -> None:
    assert client_key("2001:db8::1") == client_key("2001:db8::ffff:1") != client_key("2001:db8:0:1::1")
    assert client_key("::1") == "::1"


@pytest.mark.parametrize("given", ["", "proxy.example", "10.0.0.0/33", "10.0.0.1/8", "127.0.0.1:80"])
def test_an_invalid_proxy_address_is_refused(noughts_command: str, given: str) -> None:
    with pytest.raises(NoughtsError, match=r"is not the address of a proxy; write one like 10\.0\.0\.7"):
        Proxies([given])
    if given == "10.0.0.1/8":
        assert complaint(noughts_command, "--trust-proxy", given).startswith(f"'{given}' is not the address of a proxy")


def asking(server: Server, client: str | None) -> HTTPConnection:
    """Start a request as a proxy does for a client, but do not finish it."""
    connection = HTTPConnection("127.0.0.1", server.port, timeout=TIMEOUT)
    connection.putrequest("GET", "/api/games")
    connection.putheader("Content-Length", "1")
    if client is not None:
        connection.putheader("X-Forwarded-For", client)
    connection.endheaders()
    return connection


def test_behind_a_trusted_proxy_all_users_are_not_one_client(noughts_command: str) -> None:
    """Each client may have 4 of 16 connections; a trusted proxy may have all 16, with 4 requests for each client."""
    arguments = ("tic-tac-toe", "--log", "--connections", "16", "--trust-proxy", "127.0.0.1")
    with running(noughts_command, *arguments, quiet=False) as server:
        with ExitStack() as stack:

            def ask(client: str | None) -> HTTPConnection:
                connection = asking(server, client)
                stack.callback(connection.close)
                return connection

            busy = [ask("junk, 198.51.100.1") for _ in range(4)]

            def is_full() -> bool:
                again = ask("198.51.100.1")
                again.send(b"x")
                answer = again.getresponse()
                again.close()
                return answer.status == 503 and answer.getheader("Retry-After") == "2"

            until(is_full)
            busy += [ask(client) for client in ("198.51.100.2", "2001:db8::7", "10.0.0.1", None)]
            for each in busy:
                each.send(b"x")
                assert each.getresponse().status == 200
        server.stop()
        lines = map(json.loads, server.errors.read_text(encoding="utf-8").splitlines())
        served = [line["client"] for line in lines if line["status"] == 200]
    assert served == ["198.51.100.1"] * 4 + ["198.51.100.2", "2001:db8::7", "10.0.0.1", "127.0.0.1"]


def test_an_untrusted_client_cannot_forge_its_address(noughts_command: str) -> None:
    with running(noughts_command, "tic-tac-toe", "--log", "--trust-proxy", "192.0.2.1", quiet=False) as server:
        with server.client() as client:
            named = {"X-Forwarded-For": "198.51.100.1", "Forwarded": "for=198.51.100.1", "X-Real-IP": "198.51.100.1"}
            assert client.get("/api/games", named).status == 200
            assert client.get("/api/games", {"X-Forwarded-Host": "127.0.0.1", "Host": "evil.example"}).status == 421
        server.stop()
        lines = [json.loads(line) for line in server.errors.read_text(encoding="utf-8").splitlines()]
    assert [line["client"] for line in lines] == ["127.0.0.1"] * 2


# A path prefix


@contextmanager
def proxy(server: Server, prefix: str, strips: bool) -> Iterator[str]:
    """Run a reverse proxy that serves a server below a prefix, and yield the address with the prefix.

    Paths outside the prefix get 404.
    """

    class Forwards(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if not self.path.startswith(prefix) or (strips and not self.path.startswith(f"{prefix}/")):
                self.send_error(404)
                return
            path = self.path.removeprefix(prefix) if strips else self.path
            headers = {name: value for name, value in self.headers.items() if name.lower() != "connection"}
            headers["X-Forwarded-For"] = self.client_address[0]
            behind = HTTPConnection("127.0.0.1", server.port, timeout=TIMEOUT)
            with closing(behind), suppress(ConnectionError):  # the browser may disconnect
                behind.request("GET", path, headers=headers)
                answer = behind.getresponse()
                self.send_response_only(answer.status)
                for name, value in answer.getheaders():
                    if name.lower() not in ("connection", "transfer-encoding"):
                        self.send_header(name, value)
                self.end_headers()
                while part := answer.read1(65536):
                    self.wfile.write(part)

        def log_message(self, *_: object) -> None:
            pass

    with listening(Forwards) as port:
        yield f"http://127.0.0.1:{port}{prefix}"


@pytest.fixture(scope="module")
def below(noughts_command: str) -> Iterator[Server]:
    """A server with the prefix /board/games."""
    arguments = ("tic-tac-toe", "--prefix", "/board/games/", "--trust-proxy", "127.0.0.1")
    with running(noughts_command, *arguments) as server:
        assert server.first_line.endswith("/board/games/ (press Ctrl-C to stop)\n")
        yield server


@pytest.mark.parametrize("strips", [False, True], ids=["kept", "stripped"])
def test_a_path_prefix_works_in_a_browser(below: Server, browser: Browser, strips: bool) -> None:
    """The page, its modules, the API, links and the history work, whether or not the proxy strips the prefix."""
    trouble: list[str] = []
    with proxy(below, "/board/games", strips) as url:
        context = browser.new_context()
        watch(context, url, trouble)
        page = context.new_page()
        game_page = GamePage(page)
        page.goto(f"{url}/")
        game_page.settled()
        game_page.cell("5").click()
        game_page.answered(2)
        page.locator("#tab-analyse").click()
        game_page.settled()
        assert page.url.startswith(f"{url}/?game=tic-tac-toe&position=5+")
        permalink = page.url
        page.go_back()
        game_page.settled()
        page.goto(permalink)
        game_page.settled()
        assert game_page.position.split()[0] == "5"
        page.goto(urljoin(page.url, page.locator("#steps-minimax").get_attribute("href")))
        assert page.url.startswith(f"{url}/steps?")
        assert page.locator("h1").count() == 1
        assert trouble == []
        assert page.goto(f"{url}/nothing").status == 404  # type: ignore[union-attr]
        page.get_by_role("link", name="All games").click()
        game_page.settled()
        assert page.url.startswith(f"{url}/?game=tic-tac-toe")
        assert page.evaluate("document.styleSheets.length") > 0
        context.close()
    assert [each for each in trouble if "404" not in each] == []


def test_everything_is_served_below_the_prefix(below: Server) -> None:
    with below.client() as client:
        for prefix in ("/board/games", ""):
            assert client.get(f"{prefix}/").body.startswith(b"<!doctype html>")
            assert client.get(f"{prefix}/api/openapi.json").json()["servers"] == [{"url": "/board/games"}]
            answer = client.get(f"{prefix}/api/analyse", game="tic-tac-toe")
            tag = answer.headers["etag"]
            assert client.get(f"{prefix}/api/analyse", {"If-None-Match": tag}, game="tic-tac-toe").status == 304
            nothing = client.get(f"{prefix}/nothing").error
            assert nothing == (
                "there is no page at /board/games/nothing; the API is described at /board/games/api/openapi.json"
            )
            link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
            assert client.get(f"{prefix}/api/games", link).status == 403
        moved = client.get("/board/games?game=tic-tac-toe&position=5")
        assert (moved.status, moved.headers["location"]) == (308, "/board/games/?game=tic-tac-toe&position=5")
        for path in (
            "/board/gamesapi/games",
            "/board",
            "/board/",
            "/games/",
            "/board/games//",
            "/board/games/board/games/",
        ):
            assert client.get(path).status == 404


def test_without_a_prefix_there_are_no_servers_in_the_description(server: Server) -> None:
    with server.client() as client:
        assert "servers" not in client.get("/api/openapi.json").json()


@pytest.mark.parametrize(
    "prefix", ["games", "/a b", "//evil.example", "/../x", "/a/./b", "/a?b", "http://a/", "/ü", "/a%20"]
)
def test_an_invalid_prefix_is_refused(prefix: str) -> None:
    from noughts.web.server import ServeOptions, serve

    with pytest.raises(NoughtsError, match="is not a path for --prefix; write one like /games"):
        serve(ServeOptions(("tic-tac-toe",), port=0, prefix=prefix))
