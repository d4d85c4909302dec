"""A game of one's own on the static site: written, checked, played, shared; and what it cannot do to its reader."""

import json
import re
import shutil
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.web.game_page import GamePage
from tests.web.serving import listening
from tests.web.static_site import hosted, source_in_editor, until_true, visiting, write

EXAMPLE = Path("src/noughts/site/browser/example.txt")
CURIOUS = Path("tests/web/curious_game.txt")

PACKED = """async (source) => (await import("./site/source.js")).packed(source)"""


@pytest.fixture(scope="module")
def folder(noughts_command: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(noughts_command, tmp_path_factory.mktemp("site") / "site")


@pytest.fixture(scope="module")
def url(folder: Path) -> Iterator[str]:
    with hosted(folder) as url:
        yield url


@pytest.fixture
def visit(browser: Browser, url: str, trouble: list[str]) -> Iterator[BrowserContext]:
    with visiting(browser, url, trouble) as context:
        yield context


@pytest.fixture
def page(visit: BrowserContext) -> Page:
    return visit.new_page()


class Listener(BaseHTTPRequestHandler):
    """Another host, which notes every connection to it."""

    noted: list[str]

    def setup(self) -> None:
        super().setup()
        self.noted.append("a connection")

    def do_GET(self) -> None:
        self.noted.append(self.path)
        self.send_response(200)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


def link(page: Page, source: str) -> str:
    """Return the address of a page that plays this game."""
    page.goto("/own.html")
    return f"/?game=own&position={page.evaluate(PACKED, source)}"


def test_a_game_is_written_checked_played_and_shared(
    page: Page, browser: Browser, url: str, trouble: list[str]
) -> None:
    page.goto("/own.html")
    page.wait_for_selector('body[data-ready="true"]')
    source = EXAMPLE.read_text(encoding="utf-8")
    assert page.input_value("#source") == source
    expect(page.locator("#verdict")).to_have_text("No problem in all 20 positions.")
    source_in_editor(page, source.replace("-state[1]", "state[1]"))
    expect(page.locator("#verdict")).to_have_text("1 problem in all 20 positions.")
    expect(page.locator("#findings li")).to_contain_text("MIN made the last move and utility(state) is 1")
    expect(page.locator("#findings pre")).to_have_text("(0, 1)")
    page.fill("#source", source)
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url("**/?game=own**")
    game = GamePage(page)
    game.page.locator("#actions button", has_text="1").click()
    game.answered(2)
    game.tab("analyse")
    expect(page.locator("#sentence")).to_contain_text(re.compile("win|lose"))
    game.tab("learn")
    shared = page.url
    page.locator("#steps-minimax").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("own after 1")
    assert page.get_by_role("link", name="Back to the board").get_attribute("href") == shared.removeprefix(url).replace(
        "/", "./", 1
    )
    with visiting(browser, url, trouble) as other:
        theirs = other.new_page()
        theirs.goto(shared)
        question = theirs.get_by_role("dialog", name="Run the program in this link?")
        expect(question).to_contain_text("def utility(state):")
        assert theirs.locator("iframe").count() == 0, "nothing runs before the answer"
        question.get_by_role("button", name="Do not run it").click()
        expect(theirs.locator("#failure-text")).to_have_text("This game was not run.")
        assert theirs.locator("iframe").count() == 0
        trouble.clear()


def test_somebody_elses_game_has_no_network_and_no_storage(
    page: Page, visit: BrowserContext, url: str, trouble: list[str]
) -> None:
    became, noted = curiosity(page, f"{url}/engine/lock.json?")
    assert became.pop("eval") != "reached"
    assert "reached" not in became.values(), became
    assert "waiting" not in became.values(), became
    assert len(became) > 14
    assert noted == []
    trouble.clear()


DRAWN = """await (async () => {
  const { ask } = await import("./site/connection.js");
  const answer = await (await ask("api/position?game=own&position=", {})).json();
  window.drawn = answer.drawing;
  return !answer.drawing.includes("waiting");
})()"""


def curiosity(page: Page, own_host: str) -> tuple[dict[str, str], list[str]]:
    """Run the game that tries everything, at another host and then at the site's own, and return what became of it."""
    noted: list[str] = []
    handler = type("Noting", (Listener,), {"noted": noted})
    became: dict[str, str] = {}
    with listening(handler) as port:
        for number, address in enumerate((f"http://127.0.0.1:{port}/", own_host)):
            page.goto(link(page, CURIOUS.read_text(encoding="utf-8").replace("%URL%", address)))
            page.get_by_role("button", name="Run it", exact=True).click()
            drawing = page.locator("#drawing")
            expect(drawing).to_contain_text("fetch")
            # The state of the game is drawn again with each question; what is still under way ends between them.
            until_true(page, DRAWN)
            found = json.loads(page.evaluate("window.drawn"))
            became |= {f"{name} {number}" if number else name: what for name, what in found.items()}
    became.pop("eval 1", None)
    return became, noted


@pytest.mark.long
def test_the_policies_are_what_stops_it(browser: Browser, folder: Path, trouble: list[str], tmp_path: Path) -> None:
    """Without them, the same game reaches the other host: so the test above looks at something."""
    copy = tmp_path / "open"
    shutil.copytree(folder, copy)
    for name in ("index.html", "own.html", "site/sandbox.html"):
        text = (copy / name).read_text(encoding="utf-8")
        (copy / name).write_text(re.sub(r"<meta http-equiv[^>]*>", "", text), encoding="utf-8")
    with hosted(copy) as url, visiting(browser, url, trouble) as context:
        became, noted = curiosity(context.new_page(), f"{url}/engine/lock.json?")
        reached = {name for name, what in became.items() if what == "reached"}
        assert {"the browser's fetch", "request", "pyodide.http.open_url", "worker fetch", "eval"} <= reached
        assert {"/original", "/xhr", "/open", "/nested"} <= set(noted)
        trouble.clear()


FORGED = """
from noughts.web import handlers

PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="alert()"><script>alert()</script>' \\
    '<style>@import "%URL%style";</style><a href="%URL%out"><rect width="9" height="9"/></a><g onclick="alert()">' \\
    '<rect id="kept" width="9" height="9" style="fill: url(%URL%fill)"/></g>' \\
    '<foreignObject/><image href="%URL%image"/></svg>'
handlers._ANSWER["board"] = lambda *_: (PICTURE, True)
"""


def test_a_picture_that_a_game_has_forged_is_a_drawing_only(page: Page, trouble: list[str]) -> None:
    page.goto(link(page, FORGED.replace("%URL%", "http://evil.example/") + EXAMPLE.read_text(encoding="utf-8")))
    page.get_by_role("button", name="Run it", exact=True).click()
    game = GamePage(page)
    game.settled()
    game.menu()
    with page.expect_download() as download:
        game.find("download-svg").click()
    saved = Path(download.value.path()).read_text(encoding="utf-8")
    assert 'id="kept"' in saved
    for word in ("script", "alert", "evil", "foreignObject"):
        assert word not in saved
    trouble.clear()  # the policy refused some of it while it was read


HOSTILE = """
from noughts.web import handlers

PAGE = '''<!doctype html><html><head><title>Mine</title>
<meta http-equiv="refresh" content="0;url=%URL%refresh"><base href="%URL%"><link rel="stylesheet" href="%URL%style">
</head><body><h1>Mine</h1><img src="%URL%picture" onerror="document.title = 'run'">
<iframe src="%URL%frame"></iframe><object data="%URL%object"></object><script>document.title = "run"</script>
<a id="out" href="%URL%out">out</a> <a id="script" href="javascript:document.title = 'run'">script</a>
<a id="slashes" href="//evil.example/">slashes</a> <a id="home" href="./?game=own">home</a></body></html>'''
handlers._ANSWER["steps"] = lambda *_: (PAGE, True)
"""


def test_a_step_by_step_page_that_a_game_has_forged_opens_nothing(page: Page, trouble: list[str]) -> None:
    noted: list[str] = []
    with listening(type("Noting", (Listener,), {"noted": noted})) as port:
        source = HOSTILE.replace("%URL%", f"http://127.0.0.1:{port}/") + EXAMPLE.read_text(encoding="utf-8")
        page.goto(link(page, source).replace("/?", "/steps.html?"))
        page.get_by_role("button", name="Run it", exact=True).click()
        expect(page.get_by_role("heading", name="Mine")).to_be_visible()
        assert page.locator("iframe, object, base, meta[http-equiv]").count() == 0
        for name in ("out", "script", "slashes"):
            assert page.locator(f"#{name}").get_attribute("href") is None
        assert (page.locator("#home").get_attribute("href") or "").startswith("./?game=own#source=")
        assert page.title() == "Mine", "no script was run"
        assert noted == []
    trouble.clear()


@pytest.mark.long
def test_a_game_that_never_ends_gives_way_to_the_next_version(page: Page) -> None:
    source = EXAMPLE.read_text(encoding="utf-8")
    page.goto("/own.html")
    page.wait_for_selector('body[data-ready="true"]')
    page.fill("#source", source.replace("return 10, +1", "while True: pass"))
    expect(page.locator("#verdict")).to_have_text("Checking …")
    page.wait_for_timeout(1000)
    source_in_editor(page, source)
    expect(page.locator("#verdict")).to_have_text("No problem in all 20 positions.")


def test_a_damaged_link_and_no_game_at_all_are_said_in_words(page: Page, trouble: list[str]) -> None:
    for fragment, words in (
        ("#source=AAAA", "The link to this game is damaged or not complete. Copy all of it, and try again."),
        ("", "This address holds no game of your own. Open the editor to write one."),
    ):
        page.goto("about:blank")
        page.goto(f"/?game=own&position={fragment}")
        expect(page.locator("#failure-text")).to_have_text(words)


def fine(page: Page) -> None:
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_no_violations_in_the_editor_and_the_question(
    browser: Browser, url: str, trouble: list[str], width: int, scheme: Literal["light", "dark"]
) -> None:
    with visiting(browser, url, trouble) as context:
        page = context.new_page()
        page.set_viewport_size({"width": width, "height": 844})
        page.emulate_media(color_scheme=scheme)
        context.route(re.compile("/engine/"), lambda route: route.abort())
        address = link(page, EXAMPLE.read_text(encoding="utf-8"))
        expect(page.locator("#source")).not_to_have_value("")
        fine(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.goto(address)
        expect(page.get_by_role("dialog")).to_be_visible()
        fine(page)
        trouble.clear()  # there was no Python


def test_keys_of_the_editor(page: Page, trouble: list[str]) -> None:
    page.route(re.compile("/engine/"), lambda route: route.abort())
    page.goto("/own.html")
    field = page.locator("#source")
    expect(field).not_to_have_value("")

    def after(text: str, *keys: str) -> str:
        field.fill(text)
        field.press("Control+End")
        for key in keys:
            field.press(key)
        return field.input_value()

    assert after("def f():", "Enter") == "def f():\n    "
    assert after("def f():", "Enter", "a", "Enter", "b") == "def f():\n    a\n    b"
    assert after("    if x:  # why", "Enter") == "    if x:  # why\n        "
    assert after("        ", "Backspace") == "    "
    assert after("    a", "Backspace") == "    "
    assert after("a", "Tab", "b") == "a   b"
    assert after("    a", "Shift+Tab") == "a"
    assert after("a\nb", "Control+a", "Tab") == "    a\n    b"
    assert after("    a\n  b\nc", "Control+a", "Shift+Tab") == "a\nb\nc"
    assert after("a", "Tab", "Control+z") == "a"
    field.press("Escape")
    field.press("Tab")
    expect(page.locator("#play")).to_be_focused()
    trouble.clear()  # the check had no Python
