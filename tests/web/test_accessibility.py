"""Accessibility: axe-core finds no violations and targets are large, in light and dark, on small and large screens."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.web.conftest import watch
from tests.web.game_page import GamePage
from tests.web.serving import Server

Scheme = Literal["light", "dark"]
SCREENS = {"phone": ViewportSize(width=320, height=640), "desktop": ViewportSize(width=1280, height=900)}


def playing(game_page: GamePage) -> None:
    game_page.open()


def analysing(game_page: GamePage) -> None:
    game_page.open("connect:5x4", "3 3 2 4", analyse="on")
    game_page.find("explain").click()
    game_page.page.wait_for_selector('#history[data-ready="true"]')
    game_page.page.wait_for_selector("#explanation li, #explanation dt, #explanation p")


def finished(game_page: GamePage) -> None:
    game_page.open("tic-tac-toe", "1 4 2 5 3", analyse="on")


def exploring(game_page: GamePage) -> None:
    game_page.open("tic-tac-toe", "5 1 9")
    game_page.tab("learn")
    game_page.find("explore").click()
    game_page.page.wait_for_selector('#tree [role="treeitem"][aria-level="2"]')


def helped(game_page: GamePage) -> None:
    game_page.open()
    game_page.find("help").click()
    game_page.page.wait_for_selector("dialog[open]")


def choosing(game_page: GamePage) -> None:
    game_page.open("wild", "", analyse="on")
    game_page.cell("5").click()
    game_page.page.wait_for_selector("#choose-move[open]")


def discs(game_page: GamePage) -> None:
    game_page.open("reversi:4", "b1", analyse="on")


def heaps(game_page: GamePage) -> None:
    game_page.open("nim:3,4,5", "", analyse="on")


def lost(game_page: GamePage) -> None:
    game_page.open("chess", "")


def home(game_page: GamePage) -> None:
    game_page.home()
    game_page.page.wait_for_selector(".game-card")


def setting_up(game_page: GamePage) -> None:
    game_page.open("tic-tac-toe", "5")
    game_page.menu()
    game_page.find("set-up").click()
    game_page.page.wait_for_selector("dialog.setup[open]")


def opening(game_page: GamePage) -> None:
    game_page.open("tic-tac-toe", "5")
    game_page.menu()
    game_page.find("open-game").click()
    game_page.page.wait_for_selector("dialog.open-game[open]")


def reviewed(game_page: GamePage) -> None:
    game_page.open("tic-tac-toe", "1 4 2 5 9 6", second="perfect")
    game_page.find("review-now").click()
    game_page.page.wait_for_selector("#reviewed li")


def menu(game_page: GamePage) -> None:
    game_page.open("tic-tac-toe", "5", tab="learn")
    game_page.menu()


def stepping(game_page: GamePage) -> None:
    game_page.page.goto("/steps?game=tic-tac-toe&position=5+1+3+7&search=symmetry")
    for _ in range(12):
        game_page.page.keyboard.press("ArrowRight")


def learning(game_page: GamePage) -> None:
    game_page.page.goto("/learn#lesson=pruning&step=36")
    game_page.page.locator("#questions form").first.get_by_role("button", name="Check").click()


def learning_on_boards(game_page: GamePage) -> None:
    game_page.page.goto("/learn#lesson=depth&step=40")


def typing_a_tree(game_page: GamePage) -> None:
    game_page.page.goto("/learn#lesson=own&step=20")


VIEWS: list[Callable[[GamePage], None]] = [
    *(playing, analysing, finished, exploring, helped, choosing, discs, heaps, lost, stepping),
    *(learning, learning_on_boards, typing_a_tree),
    *(home, setting_up, opening, reviewed, menu),
]

SMALL_TARGETS = """(least) => [...document.querySelectorAll(
  "button:not(#history button), select, input:not([type=checkbox], [type=radio]), a.button, [role=gridcell], " +
  "label.switch, label.choice, [role=treeitem] > *:first-child"
  )]
  .filter((each) => each.offsetParent !== null || each.closest("dialog[open]"))
  .map((each) => [each.id || each.className || each.tagName, each.getBoundingClientRect()])
  .filter(([, box]) => box.width && (box.width < least - 0.5 || box.height < least - 0.5))
  .map(([name, box]) => `${name}: ${box.width} x ${box.height}`)"""


@contextmanager
def shown(
    browser: Browser, server: Server, trouble: list[str], view: Callable[[GamePage], None], screen: str, scheme: Scheme
) -> Iterator[Page]:
    """Open a view on a screen of its own."""
    context = browser.new_context(
        base_url=server.url,
        viewport=SCREENS[screen],
        color_scheme=scheme,
        reduced_motion="reduce",  # half faded elements would lack contrast
    )
    watch(context, server.url, trouble)
    page: Page = context.new_page()
    view(GamePage(page))
    yield page
    context.close()
    assert [each for each in trouble if "status of 400" not in each] == []


def check(page: Page, screen: str) -> None:
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth") <= SCREENS[screen]["width"], "nothing overflows"
    assert page.evaluate(f"({SMALL_TARGETS})(44)") == []


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.__name__)
def test_axe_finds_no_violations_and_targets_are_large(
    browser: Browser, server: Server, trouble: list[str], view: Callable[[GamePage], None]
) -> None:
    """On a small light screen, which then becomes a large dark one."""
    with shown(browser, server, trouble, view, "phone", "light") as page:
        check(page, "phone")
        page.set_viewport_size(SCREENS["desktop"])
        page.emulate_media(color_scheme="dark")
        check(page, "desktop")


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.__name__)
def test_axe_finds_no_violations_on_any_screen(
    browser: Browser, server: Server, trouble: list[str], view: Callable[[GamePage], None], screen: str, scheme: Scheme
) -> None:
    with shown(browser, server, trouble, view, screen, scheme) as page:
        check(page, screen)


def test_the_focus_is_visible(page: Page) -> None:
    game_page = GamePage(page)
    game_page.open()
    for _ in range(12):
        page.keyboard.press("Tab")
        look = "getComputedStyle(document.activeElement)"
        style, width = page.evaluate(f"[{look}.outlineStyle, {look}.outlineWidth]")
        assert style != "none"
        assert float(width.removesuffix("px")) >= 2


def test_moves_and_results_are_announced(page: Page) -> None:
    game_page = GamePage(page)
    game_page.open("tic-tac-toe", "1 4 2 5", first="human", second="human", analyse="on")
    assert game_page.cell("3").get_attribute("aria-label") == "3, empty, wins at once, best"
    assert game_page.cell("5").get_attribute("aria-label") == "5, O, last move"
    assert game_page.find("announcement").get_attribute("role") == "status"
    assert game_page.find("alert").get_attribute("role") == "alert"
    game_page.cell("3").click()
    game_page.after(5)
    assert "X plays 3. X wins." in game_page.find("announcement").inner_text()
    assert game_page.cell("3").get_attribute("aria-label") == "3, X, in the winning line, last move"


def test_a_completed_line_is_called_winning_only_for_the_winner(page: Page) -> None:
    game_page = GamePage(page)
    game_page.open("misere", "1 4 2 5 3")
    assert game_page.status == "O wins."
    assert game_page.cell("3").get_attribute("aria-label") == "3, X, in a completed line, last move"


def test_at_most_two_messages_are_announced_at_a_time(page: Page) -> None:
    """Positions that were left at once are not announced either."""
    game_page = GamePage(page)
    game_page.open("tic-tac-toe", "5 1 3 7 4 6", first="human", second="human")
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    game_page.after(1)
    assert game_page.find("announcement").inner_text() == "Back to move 1, X 5."
    for _ in range(3):
        game_page.cell("5").click()
    assert game_page.find("announcement").inner_text().count("5 is taken") <= 2


def test_the_result_of_the_analysis_is_announced(page: Page) -> None:
    game_page = GamePage(page)
    game_page.open("tic-tac-toe", "5 1 3", analyse="on")
    expect(game_page.find("announcement")).to_contain_text("O draws, with 7.")


LOOK = """([selector, part, name]) => {
  const found = document.querySelector(selector);
  return getComputedStyle(found, part || undefined).getPropertyValue(name);
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_depends_on_colour_when_colours_are_forced(page: Page, scheme: Scheme) -> None:
    """With forced colours, backgrounds and shadows disappear; borders and shapes remain."""
    page.emulate_media(forced_colors="active", color_scheme=scheme)
    game_page = GamePage(page)

    def look(selector: str, name: str, part: str = "") -> str:
        return str(page.evaluate(LOOK, [selector, part, name]))

    game_page.open("tic-tac-toe", "1 4 2 5")
    off = look("#tab-analyse", "border-bottom-width")
    game_page.open("tic-tac-toe", "1 4 2 5", analyse="on")
    game_page.find("explain").click()
    page.wait_for_selector("#explanation li.best")
    paper = look("body", "background-color")
    assert off != look("#tab-analyse", "border-bottom-width"), "the tab shows that it is open"
    for kind in ("win", "draw", "loss"):
        assert look(f"#board .label.{kind}", "background-color", "::before") != paper, "the shapes are visible"
        assert look(f".legend .shape.{kind}", "background-color") != paper
    assert look("#moves [aria-current]", "background-color") != paper
    plain = look('[data-name="1"]', "border-top-width")
    for selector in (".cell.best", ".cell.last"):
        assert look(selector, "border-top-width") != plain, selector
    assert look("#history [aria-current]", "border-top-width") != look("#history button", "border-top-width")
    name = "border-inline-start-width"
    assert look("#explanation li.best", name) != look("#explanation li:not(.best)", name)
    game_page.open("tic-tac-toe", "1 4 2 5 3")
    assert look(".cell.lit", "border-top-width") != look('[data-name="4"]', "border-top-width")


def test_the_help_opens_at_its_top_on_a_phone(page: Page) -> None:
    page.set_viewport_size(SCREENS["phone"])
    game_page = GamePage(page)
    helped(game_page)
    assert page.evaluate("document.querySelector('dialog[open]').scrollTop") == 0
    expect(page.locator("#keys-title")).to_be_in_viewport()
    for told in ("≤", "≥", "✗✗", "in the tree", "Play on"):
        expect(page.locator("dialog[open]")).to_contain_text(told)


def test_the_tree_is_scrolled_into_view_when_it_opens(page: Page) -> None:
    game_page = GamePage(page)
    exploring(game_page)
    root = page.locator('#tree [aria-level="1"] > .node')
    expect(root).to_be_in_viewport(ratio=1)
    bar = page.locator("#tree .chosen-bar").bounding_box()
    box = root.bounding_box()
    assert bar is not None
    assert box is not None
    assert box["y"] + box["height"] <= bar["y"], "the bar does not cover the root"
