"""The page of a certificate in a real browser: nobody beats it, whatever they try."""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

import noughts
from noughts.arena import against_everyone
from noughts.capabilities import resolve
from noughts.notation import read_action
from noughts.web.certificate_page import MOST_POSITIONS, page
from tests.helpers import in_the_long_run
from tests.web.conftest import browser, watch

__all__ = ["browser"]

EVERYTHING = """() => {
  const found = { games: 0, sentences: {} };
  const free = () => [...document.querySelectorAll('[role="gridcell"].free')];
  const explore = () => {
    const names = new Set(free().map((cell) => cell.dataset.actions));
    for (const name of names) {
      free().find((cell) => cell.dataset.actions === name).click();
      explore();
      document.querySelector("#undo").click();
    }
    if (names.size) return;
    const sentence = document.querySelector("#status").textContent;
    found.games += 1;
    found.sentences[sentence] = (found.sentences[sentence] ?? 0) + 1;
  };
  explore();
  return found;
}"""

COUNTS = """() => Object.fromEntries(["games", "yours", "draws", "lost"].map((name) =>
  [name, Number(document.getElementById(name).textContent)]))"""


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser in which every error and every request fails the test."""
    context, trouble = browser.new_context(), list[str]()
    watch(context, "file://", trouble)
    yield context
    context.close()
    assert trouble == []


def opened(context: BrowserContext, folder: Path, game: Any, player: str, position: str = "") -> Page:
    """Open the page of a certificate from its file."""
    certificate = noughts.prove(game, player, position)
    file = folder / "page.html"
    file.write_text(page(resolve(noughts.load(game)), certificate), encoding="utf-8")
    opened = context.new_page()
    opened.goto(file.as_uri())
    opened.wait_for_selector('body[data-ready="true"]')
    return opened


class Replays:
    """A player that plays by a certificate."""

    def __init__(self, game: Any, text: str) -> None:
        self.game = game
        entries = (line.split("=> ") for line in text.split("\n")[5:-2])
        self.moves = {game.key(noughts.replay(game, before)): move for before, move in entries}

    def candidates(self, state: Any) -> tuple[Any, ...]:
        return (read_action(self.game.actions(state), self.game, self.moves[self.game.key(state)]),)


@pytest.mark.parametrize(
    ("name", "player"),
    in_the_long_run(
        [
            *(("tic-tac-toe", "X"), ("tic-tac-toe", "O"), ("misere", "X"), ("misere", "O")),
            *(("mnk:4,3,3", "X"), ("connect:4x4", "X")),
        ],
        all_but=[("tic-tac-toe", "X")],
    ),
)
def test_nobody_beats_it(context: BrowserContext, tmp_path: Path, name: str, player: str) -> None:
    """Every possible sequence of replies is played on the page by clicks."""
    shown = opened(context, tmp_path, name, player)
    found = shown.evaluate(EVERYTHING)
    game = resolve(noughts.load(name))
    seat = noughts.MAX if player == "X" else noughts.MIN
    replays: Any = Replays(game, noughts.prove(name, player).text)
    record = against_everyone(game, replays, seat)
    assert shown.evaluate(COUNTS) == {
        "games": found["games"],
        "yours": 0,
        "draws": record.draws,
        "lost": record.wins,
    }
    assert found["games"] == record.wins + record.draws
    assert set(found["sentences"]) <= {f"{player} wins.", "A draw."}


def test_keys_undo_and_the_certificate(context: BrowserContext, tmp_path: Path) -> None:
    shown = opened(context, tmp_path, "tic-tac-toe", "O", "")
    shown.keyboard.press("Tab")
    for key in ("ArrowRight", "ArrowDown", "Enter"):
        shown.keyboard.press(key)
    assert shown.locator("#line li").all_text_contents()[0] == "5"
    assert shown.locator("#line li").count() == 2
    shown.get_by_role("button", name="Undo").click()
    assert shown.locator("#line li").count() == 0
    shown.get_by_text("Show the certificate").click()
    expect(shown.locator("#text")).not_to_be_empty()
    assert shown.locator("#text").text_content() == noughts.prove("tic-tac-toe", "O").text
    with shown.expect_download() as download:
        shown.get_by_role("button", name="Save the certificate").click()
    saved = tmp_path / "saved.txt"
    download.value.save_as(saved)
    assert noughts.check(saved).holds


def test_a_game_without_a_board_is_played_by_a_list_of_moves(context: BrowserContext, tmp_path: Path) -> None:
    """Also one in which positions repeat; after some moves that are given."""
    shown = opened(context, tmp_path, "examples/three_mens_morris.py", "X", "5 1")
    assert shown.locator("#line .before").all_text_contents() == ["5", "1"]
    for _ in range(10):
        choices = shown.locator("#actions button")
        if not choices.count():
            break
        choices.first.click()
    assert shown.locator("#status").text_content() == "X wins."
    assert shown.evaluate(COUNTS) == {"games": 1, "yours": 0, "draws": 0, "lost": 1}


def test_a_position_that_is_repeated_is_a_draw(context: BrowserContext, tmp_path: Path) -> None:
    """Play goes round a circle of three places for ever; nobody loses that."""
    circle = SimpleNamespace(
        initial=lambda: (0, noughts.MAX),
        player=lambda state: state[1],
        actions=lambda state: ["on"],
        result=lambda state, action: ((state[0] + 1) % 3, -state[1]),
        terminal=lambda state: False,
        utility=lambda state: 0,
    )
    shown = opened(context, tmp_path, circle, "second")
    turns = 0
    while shown.locator("#actions button").count():
        shown.locator("#actions button").click()
        turns += 1
    assert turns == 6  # the start is reached again after three turns, and a third time after six
    assert shown.locator("#status").text_content() == "A draw by repetition."
    assert shown.evaluate(COUNTS) == {"games": 1, "yours": 0, "draws": 1, "lost": 0}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_accessible(browser: Browser, tmp_path: Path, scheme: Literal["light", "dark"]) -> None:
    context = browser.new_context(color_scheme=scheme, viewport=ViewportSize(width=390, height=800))
    shown = opened(context, tmp_path, "tic-tac-toe", "O")
    shown.locator('[role="gridcell"]').first.click()
    results = Axe().run(shown)
    assert results.violations_count == 0, results.generate_report()
    assert shown.evaluate("document.documentElement.scrollWidth") == 390
    context.close()


def test_the_page_stands_alone() -> None:
    text = page(resolve(noughts.load("tic-tac-toe")), noughts.prove("tic-tac-toe", "O"))
    assert "default-src 'none'" in text
    assert "http:" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "https:" not in text


def test_a_page_has_a_largest_size(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST_POSITIONS >= 100_000
    monkeypatch.setattr("noughts.web.certificate_page.MOST_POSITIONS", 100)
    with pytest.raises(noughts.NoughtsError, match="more than 100 positions"):
        page(resolve(noughts.load("tic-tac-toe")), noughts.prove("tic-tac-toe", "O"))
