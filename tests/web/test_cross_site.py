"""A page of another site in a real browser: what it can make this server do."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.helpers import TIMEOUT, until
from tests.web.conftest import MILLISECONDS
from tests.web.serving import Server, listening, running

HOSTILE = """<!doctype html><title>another site</title>
<iframe src="{url}/api/analyse?game=tic-tac-toe&position=1"></iframe>
<iframe src="{url}/steps?game=tic-tac-toe&position=2"></iframe>
<img src="{url}/api/analyse?game=tic-tac-toe&position=3">
<script src="{url}/api/analyse?game=tic-tac-toe&position=4"></script>
<link rel="stylesheet" href="{url}/api/analyse?game=tic-tac-toe&position=5">
<object data="{url}/api/analyse?game=tic-tac-toe&position=6"></object>
<form action="{url}/api/analyse" target="there">
<input name="game" value="tic-tac-toe"><input name="position" value="7">
</form>
<iframe name="there"></iframe>
<link rel="prefetch" href="{url}/steps?game=tic-tac-toe&position=8">
<script type="speculationrules">
{{"prefetch": [{{"source": "list", "eagerness": "immediate", "urls": ["{url}/steps?game=tic-tac-toe&position=8"]}}]}}
</script>
<a id="page" href="{url}/?game=tic-tac-toe&position=5">the page</a>
<a id="search" href="{url}/api/analyse?game=tic-tac-toe&position=9+1">a search</a>
<script>
document.forms[0].submit();
fetch("{url}/api/analyse?game=tic-tac-toe&position=9", {{mode: "no-cors"}}).catch(() => 0);
</script>
"""


@contextmanager
def other_site(text: str) -> Iterator[int]:
    """Serve one page on another port and yield the port."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_: object) -> None:
            pass

    with listening(Page) as port:
        yield port


@pytest.fixture
def watched(noughts_command: str) -> Iterator[Server]:
    """A server for each test: a request is logged after its response, which may be when the next test has begun."""
    with running(noughts_command, "tic-tac-toe", "--log", quiet=False) as server:
        yield server


def searches(server: Server) -> dict[str, set[int]]:
    """Return the statuses of the search requests in the server's log, by position."""
    found: dict[str, set[int]] = {}
    written, _, _ = server.errors.read_text(encoding="utf-8").rpartition("\n")  # the last line may not be complete
    for line in written.splitlines():
        entry: dict[str, Any] = json.loads(line)
        if entry["path"] in ("/api/analyse", "/steps"):
            found.setdefault(entry["query"].rpartition("=")[2], set()).add(entry["status"])
    return found


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"], ids=["same-site", "cross-site"])
def test_a_page_on_another_site_cannot_start_a_search(watched: Server, browser: Browser, host: str) -> None:
    """Not by a frame, a picture, a script, a style sheet, an object, a form, a prefetch, or a no-cors fetch."""
    with other_site(HOSTILE.format(url=watched.url)) as port:
        context = browser.new_context()
        context.set_default_timeout(MILLISECONDS)
        page = context.new_page()
        page.goto(f"http://{host}:{port}/", wait_until="commit")
        until(lambda: set("123456789") <= set(searches(watched)))
        assert set.union(*searches(watched).values()) == {403}, searches(watched)
        page.click("#search")
        page.wait_for_url(f"{watched.url}/api/**")
        assert "links to the API from other sites are refused" in page.content()
        page.goto(f"http://{host}:{port}/", wait_until="commit")
        page.click("#page")
        page.wait_for_url(f"{watched.url}/?game=tic-tac-toe&position=5*")
        page.wait_for_selector('body[data-ready="true"]')
        typed = page.goto(f"{watched.url}/api/analyse?game=tic-tac-toe&position=9+1")
        assert typed is not None
        assert typed.status == 200, "an address that the user types is accepted"
        context.close()


FRAME = """<!doctype html><title>a course</title><iframe width="900" height="900"></iframe>
<script>document.querySelector("iframe").src = location.hash.slice(1);</script>"""


def test_only_an_origin_that_was_allowed_can_embed_the_page(noughts_command: str, browser: Browser) -> None:
    """It is played there; the same frame on another site stays empty, and no frame opens a search or the API."""
    with other_site(FRAME) as course, other_site(FRAME) as elsewhere:
        allowed = f"http://127.0.0.1:{course}"
        with running(noughts_command, "--allow-embed", f"{allowed}/", "--allow-embed", "https://b.example") as server:
            context = browser.new_context()
            context.set_default_timeout(MILLISECONDS)
            page = context.new_page()
            page.goto(f"{allowed}/#{server.url}/?game=tic-tac-toe&tab=learn")
            frame = page.frame_locator("iframe")
            frame.locator('[role="gridcell"][data-name="5"]').click()
            frame.locator('body[data-ready="true"] [role="gridcell"][data-name="1"] svg').wait_for()
            frame.locator("#steps-minimax").click()
            frame.get_by_role("heading", level=1).filter(has_text="Tic-tac-toe after 5 1").wait_for()
            page.close()
            for host, path, why in (
                (f"http://127.0.0.1:{elsewhere}", "/", "frame-ancestors"),
                (allowed, "/steps?game=tic-tac-toe&position=5", "403"),
                (allowed, "/api/games", "403"),
            ):
                page = context.new_page()
                with page.expect_console_message(lambda told, why=why: why in told.text):  # type: ignore[misc]
                    page.goto(f"{host}/#{server.url}{path}")
                page.close()
            context.close()
            with server.client() as client:
                found = client.get("/").headers
            assert found["content-security-policy"].endswith(f"frame-ancestors {allowed} https://b.example")
            assert "x-frame-options" not in found


def test_what_is_no_origin_is_refused_in_words(noughts_command: str) -> None:
    for given in ("course.example", "*", "https://a.example/week-1", "https://a b", "https://a;script-src *"):
        command = [noughts_command, "serve", "--no-browser", "--port", "0", "--allow-embed", given]
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == (
            f"noughts: {given!r} is not an origin for --allow-embed; write one like https://course.example\n"
        )
