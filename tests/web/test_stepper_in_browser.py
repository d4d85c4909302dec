"""The stepper in a real browser: step k shows event k of the trace, however it was reached."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page

import noughts
from noughts.capabilities import resolve
from noughts.search.events import Event
from noughts.search.limits import Budget
from noughts.search.variants import VARIANTS, Variant, search_variant
from noughts.trees.stepper import page as stepper
from noughts.trees.stepper import steps

Events = list[dict[str, Any]]

SHOWN = """() => ({
  step: document.body.dataset.step,
  place: document.querySelector("#progress").textContent,
  slider: document.querySelector("#slider").value,
  says: document.querySelector("#description").textContent,
  facts: Object.fromEntries([...document.querySelectorAll("#node dt")].map((t) => [t.textContent, t.nextSibling.textContent])),
  cells: [...document.querySelectorAll("#board .cell")].map((c) => c.classList.contains("free") ? "" : c.textContent),
  drawing: document.querySelector("#board pre")?.textContent ?? null,
  lit: [...document.querySelectorAll("#code li")].flatMap((l, i) => l.hasAttribute("aria-current") ? [i] : []),
  counts: [...document.querySelectorAll("#counts b")].map((b) => Number(b.textContent.replaceAll(",", ""))),
  path: document.querySelectorAll("#path > li").length,
  seen: document.querySelectorAll("#tree path.seen, #tree path.here").length,
  buttons: [...document.querySelectorAll(".buttons button[aria-disabled=true]")].map((b) => b.textContent),
})"""  # noqa: E501 - lines of JavaScript

POSITIONS = [
    ("tic-tac-toe", "7 4 1 6"),
    ("nim:1,2,3", "c2"),
    ("connect:3x3,3", "3 2 1 1"),
    ("reversi:4", "c4 b4 a1 d3 a4 a3 a2"),
]
CASES = [("tic-tac-toe", "1 5 9 3 7", search) for search in VARIANTS] + [
    (name, played, "alphabeta") for name, played in POSITIONS
]


def sampled(*chosen: int) -> "pytest.MarkDecorator":
    """Mark a test of all cases, of which only those with these numbers are in the usual run."""
    cases = [
        pytest.param(*case, marks=[pytest.mark.long] * (number not in chosen)) for number, case in enumerate(CASES)
    ]
    return pytest.mark.parametrize(("name", "played", "search"), cases)


class Stepper:
    """The page, and the events it should show."""

    def __init__(self, page: Page, events: Events) -> None:
        self.page, self.events = page, events
        self.last = len(events) - 1
        self.at = 0

    def after(self, act: Callable[[], object], to: int) -> None:
        """Perform an action, after which this step, or the nearest that exists, must be shown."""
        act()
        self.at = max(0, min(self.last, to))
        self.check()

    def key(self, key: str, to: int) -> None:
        self.after(lambda: self.page.keyboard.press(key), to)

    def button(self, name: str, to: int) -> None:
        button = self.page.get_by_role("button", name=name, exact=True)
        self.after(lambda: button.click(force=True), to)  # also when disabled, as a person might

    def check(self) -> None:
        """Check that exactly this event is shown."""
        shown, event = self.page.evaluate(SHOWN), self.events[self.at]
        assert shown["step"] == shown["slider"] == str(self.at)
        assert shown["place"] == f"Step {self.at + 1:,} of {len(self.events):,}"
        assert shown["says"] == event["says"]
        assert shown["lit"] == event["lit"]
        assert shown["counts"][0] == shown["seen"] == event["counts"]["nodes"]
        assert shown["path"] == event["ply"] + 1
        self.check_facts(shown["facts"], event)
        if event["board"] is None:
            assert (shown["drawing"], shown["cells"]) == (event["drawing"], [])
        else:
            assert shown["cells"] == [cell[0] for row in event["board"] for cell in row if cell is not None]
        off = ["First", "Back"] * (self.at == 0) + ["Next", "Last"] * (self.at == self.last)
        assert shown["buttons"] == off

    def check_facts(self, facts: dict[str, str], event: dict[str, Any]) -> None:
        assert facts["Node"].startswith(f"{event['node']},")
        assert facts.get("To move", event["mover"]) == event["mover"]
        if "Alpha" in facts:
            assert facts["Alpha"] == (event["alpha"]["short"] if event["alpha"] else "−∞")
            assert facts["Beta"] == (event["beta"]["short"] if event["beta"] else "+∞")
        if event["kind"] != "enter" and event["value"]:
            sign = {"exact": "", "lower": "≥ ", "upper": "≤ "}[event["bound"]]
            assert facts["Value"] == f"{sign}{event['value']['short']} (score {event['value']['number']})"


def go_to_steps(page: Page, query: str) -> None:
    """Open the server's page; again where the server, on a busy machine, did not finish it in its time."""
    for _ in range(30):
        response = page.goto(f"/steps?{query}")
        assert response is not None
        assert response.status == 200
        if response.headers["cache-control"] != "no-store":
            return
    pytest.fail("the page is never finished")


def opened(page: Page, name: str, played: str, search: Variant) -> Stepper:
    """Open the server's page and check that its events are those of the trace."""
    go_to_steps(page, noughts_query(name, played, search))
    game = noughts.load(name)
    state = noughts.replay(game, played)
    told: Events = json.loads(page.locator("#events").text_content() or "")
    trace: list[Event[Any, Any]] = []
    search_variant(resolve(game), state, search, Budget(), trace.append)
    name_of = resolve(game).action_name
    assert [(event.kind, event.ply, None if event.action is None else name_of(event.action)) for event in trace] == [
        (event["kind"], event["ply"], event["action"]) for event in told
    ]
    assert told == json.loads(json.dumps(steps(game, state, search=search)))
    return Stepper(page, told)


def noughts_query(name: str, played: str, search: str) -> str:
    return f"game={name}&position={played.replace(' ', '+')}&search={search}"


@sampled(0, 9)
def test_every_step_by_key(page: Page, name: str, played: str, search: Variant) -> None:
    stepper = opened(page, name, played, search)
    last = stepper.last
    stepper.check()
    for _ in range(last + 1):
        stepper.key("ArrowRight", stepper.at + 1)
    stepper.key("End", last)
    for _ in range(20):
        stepper.key("ArrowLeft", stepper.at - 1)
    stepper.key("PageUp", stepper.at - 10)
    stepper.key("Home", 0)
    stepper.key("ArrowLeft", 0)
    stepper.key("PageDown", 10)


@sampled(4, 8)
def test_every_step_back_by_slider(page: Page, name: str, played: str, search: Variant) -> None:
    stepper = opened(page, name, played, search)
    slider = page.get_by_role("slider", name="Step of the search")
    for step in [stepper.last // 2, *range(stepper.last, -1, -1)]:
        stepper.after(lambda step=step: slider.fill(str(step)), step)  # type: ignore[misc]
    slider.focus()
    for key, to in [("ArrowRight", 1), ("ArrowRight", 2), ("ArrowUp", 3), ("PageDown", 13), ("Home", 0)]:
        stepper.key(key, to)


@sampled(3, 7)
def test_steps_by_button(page: Page, name: str, played: str, search: Variant) -> None:
    stepper = opened(page, name, played, search)
    last = stepper.last
    stepper.button("Back", 0)
    for _ in range(12):
        stepper.button("Next", stepper.at + 1)
    for _ in range(3):
        stepper.button("Back", stepper.at - 1)
    stepper.button("Last", last)
    stepper.button("Next", last)
    stepper.button("Back", last - 1)
    stepper.button("First", 0)
    page.locator("#next").focus()
    stepper.key("Space", 1)  # on a button, Space presses it


def test_it_plays_and_pauses(page: Page) -> None:
    stepper = opened(page, "tic-tac-toe", "5 1 3", "table")
    page.keyboard.press("Space")
    assert page.locator("#play").inner_text() == "Pause"
    page.wait_for_function("() => Number(document.body.dataset.step) >= 2")
    page.keyboard.press("Space")
    assert page.locator("#play").inner_text() == "Play"
    stepper.after(lambda: None, int(page.locator("body").get_attribute("data-step") or ""))
    assert stepper.at >= 2


def test_keys_do_not_step_while_the_help_is_open(page: Page) -> None:
    stepper = opened(page, "tic-tac-toe", "1 5 9 3 7", "minimax")
    page.keyboard.press("?")
    assert page.get_by_role("dialog").is_visible()
    stepper.key("ArrowRight", 0)
    page.keyboard.press("Escape")
    assert not page.locator("#keys").is_visible()
    stepper.key("ArrowRight", 1)


@sampled(1, 5, 6, 9)
def test_a_node_is_left_with_the_best_value_shown(page: Page, name: str, played: str, search: Variant) -> None:
    """The best value so far when a node was searched or cut off is the value of the node."""
    stepper = opened(page, name, played, search)
    left = [
        step
        for step, event in enumerate(stepper.events)
        if event["kind"] == "leave" and event["reason"] in ("searched", "cutoff") and event["value"] is not None
    ]
    assert left
    script = f"(steps) => steps.map((step) => {{ go(step); return ({SHOWN})().facts; }})"
    for step, facts in zip(left, page.evaluate(script, left), strict=True):
        assert facts["Best so far"].lstrip("≥≤ ") == stepper.events[step]["value"]["short"]


def test_a_long_search_is_truncated_and_says_so(page: Page) -> None:
    game = noughts.load("connect-four")
    wanted: Events = json.loads(json.dumps(steps(game, game.initial(), search="alphabeta", truncate=True)))
    told: Events = []
    for _ in range(10):  # on a busy machine the server may run out of time before it has all of them
        page.goto("/steps?game=connect-four&search=alphabeta")
        told = json.loads(page.locator("#events").text_content() or "")
        if len(told) == len(wanted):
            break
    assert told == wanted
    stepper = Stepper(page, told)
    stepper.check()
    stepper.key("End", stepper.last)
    assert f"The first {len(told):,} of more than " in page.locator("header").inner_text()


def test_links_lead_to_the_other_searches_and_back_to_the_board(page: Page) -> None:
    opened(page, "tic-tac-toe", "5 1 3", "alphabeta")
    links = {link.inner_text(): link.get_attribute("href") or "" for link in page.locator("nav a").all()}
    assert "./?game=tic-tac-toe&position=5+1+3" in links.values()
    for search in VARIANTS:
        assert f"steps?{noughts_query('tic-tac-toe', '5 1 3', search)}" in links.values()
    page.get_by_role("link", name="Minimax").click()
    page.wait_for_url("**/steps?*search=minimax")
    assert page.locator("#code").get_by_role("listitem").count() == 6


def test_the_page_as_a_file_makes_no_requests(context: BrowserContext, tmp_path: Path) -> None:
    """What `noughts tree -o steps.html` writes works without any server."""
    game = noughts.load("tic-tac-toe")
    state = noughts.replay(game, "5 1 3 7")
    path = tmp_path / "steps.html"
    path.write_text(stepper(game, state, search="symmetry", notation="tic-tac-toe"), encoding="utf-8")
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    shown = Stepper(page, json.loads(page.locator("#events").text_content() or ""))
    for key, to in [("ArrowRight", 1), ("End", shown.last), ("ArrowLeft", shown.last - 1), ("Home", 0)]:
        shown.key(key, to)
    assert asked == [path.as_uri()]


@pytest.mark.parametrize("width", [320, 1200])
def test_nothing_overflows_the_page(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    for name, played, search in CASES[:1] + CASES[-4:]:
        stepper = opened(page, name, played, search)
        for step in (0, stepper.last // 2, stepper.last):
            page.evaluate("(step) => go(step)", step)
            assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth"), (name, step)


def test_it_can_be_reloaded(page: Page) -> None:
    """The server then answers 304, and the content security policy of the page must stay the same."""
    page.goto("/steps?game=tic-tac-toe&position=5+1+3+7")
    for _ in range(2):
        page.reload()
        page.keyboard.press("ArrowRight")
        assert page.locator("body").get_attribute("data-step") == "1"
