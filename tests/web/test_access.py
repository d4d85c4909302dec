"""Nobody is kept out: axe-core finds nothing, targets are large, in light and dark, on small screens and large."""

from collections.abc import Callable
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize

from tests.web.conftest import watch
from tests.web.seat import Seat
from tests.web.serving import Server

SCREENS = {"phone": ViewportSize(width=320, height=640), "desk": ViewportSize(width=1280, height=900)}


def playing(seat: Seat) -> None:
    seat.open()


def analysing(seat: Seat) -> None:
    seat.open("connect:5x4", "3 3 2 4", analyse="on")
    seat.find("explain").click()
    seat.page.wait_for_selector('#history[data-ready="true"]')
    seat.page.wait_for_selector("#explanation li, #explanation dt, #explanation p")


def finished(seat: Seat) -> None:
    seat.open("tic-tac-toe", "1 4 2 5 3", analyse="on")


def exploring(seat: Seat) -> None:
    seat.open("tic-tac-toe", "5 1 9")
    seat.find("explore").click()
    seat.page.wait_for_selector('#tree [role="treeitem"][aria-level="2"]')


def helped(seat: Seat) -> None:
    seat.open()
    seat.find("help").click()
    seat.page.wait_for_selector("dialog[open]")


def choosing(seat: Seat) -> None:
    seat.open("wild", "", analyse="on")
    seat.cell("5").click()
    seat.page.wait_for_selector("#which[open]")


def discs(seat: Seat) -> None:
    seat.open("reversi:4", "b1", analyse="on")


def heaps(seat: Seat) -> None:
    seat.open("nim:3,4,5", "", analyse="on")


def lost(seat: Seat) -> None:
    seat.open("chess", "")


def stepping(seat: Seat) -> None:
    seat.page.goto("/steps?game=tic-tac-toe&position=5+1+3+7&search=symmetry")
    for _ in range(12):
        seat.page.keyboard.press("ArrowRight")


VIEWS: list[Callable[[Seat], None]] = [
    *(playing, analysing, finished, exploring, helped, choosing, discs, heaps, lost, stepping),
]

SMALL_TARGETS = """(least) => [...document.querySelectorAll(
  "button, select, input:not([type=checkbox]), a.button, [role=gridcell], label.switch, [role=treeitem] > *:first-child"
  )]
  .filter((each) => each.offsetParent !== null || each.closest("dialog[open]"))
  .map((each) => [each.id || each.className || each.tagName, each.getBoundingClientRect()])
  .filter(([, box]) => box.width && (box.width < least - 0.5 || box.height < least - 0.5))
  .map(([name, box]) => `${name}: ${box.width} x ${box.height}`)"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.__name__)
def test_nobody_is_kept_out(
    browser: Browser,
    server: Server,
    trouble: list[str],
    view: Callable[[Seat], None],
    screen: str,
    scheme: Literal["light", "dark"],
) -> None:
    context = browser.new_context(
        base_url=server.url,
        viewport=SCREENS[screen],
        color_scheme=scheme,
        reduced_motion="reduce",  # what is half faded in has no contrast yet
    )
    watch(context, server.url, trouble)
    page: Page = context.new_page()
    view(Seat(page))
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth") <= SCREENS[screen]["width"], "nothing sticks out"
    assert page.evaluate(f"({SMALL_TARGETS})(44)") == []
    context.close()
    assert [each for each in trouble if "status of 400" not in each] == []


def test_the_focus_can_be_seen(page: Page) -> None:
    seat = Seat(page)
    seat.open()
    for _ in range(12):
        page.keyboard.press("Tab")
        look = "getComputedStyle(document.activeElement)"
        style, width = page.evaluate(f"[{look}.outlineStyle, {look}.outlineWidth]")
        assert style != "none"
        assert float(width.removesuffix("px")) >= 2


def test_what_happens_is_spoken(page: Page) -> None:
    seat = Seat(page)
    seat.open("tic-tac-toe", "1 4 2 5", first="human", second="human", analyse="on")
    assert seat.cell("3").get_attribute("aria-label") == "3, empty, wins at once, best"
    assert seat.cell("5").get_attribute("aria-label") == "5, O, last move"
    assert seat.find("said").get_attribute("role") == "status"
    assert seat.find("alert").get_attribute("role") == "alert"
    seat.cell("3").click()
    seat.after(5)
    assert "X plays 3. X wins." in seat.find("said").inner_text()
    assert seat.cell("3").get_attribute("aria-label") == "3, X, in the winning line, last move"
