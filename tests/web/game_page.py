"""A page object for the game page: what a person sees and does there."""

import re
from typing import Any
from urllib.parse import parse_qs, urlencode, urlparse

from playwright.sync_api import Locator, Page

from noughts.web.endpoints import MOST_SECONDS

__all__ = ["GamePage"]


class GamePage:
    """The game page in a browser."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def open(self, game: str = "tic-tac-toe", position: str | None = None, **settings: str) -> None:
        """Open the page with this state in its address, and wait until it is ready."""
        given = {"game": game or None, "position": position, **settings}
        query = urlencode({name: value for name, value in given.items() if value is not None})
        self.page.goto(f"/?{query}" if query else "/")
        self.settled()

    def tab(self, name: str) -> None:
        """Open a tab: play, analyse or learn."""
        self.find(f"tab-{name}").click()
        self.settled()

    def home(self) -> None:
        """Open the home page, which shows all games, and wait until it is ready."""
        self.page.goto("/")
        self.settled()

    def menu(self) -> None:
        """Open the menu of things that are rarely needed."""
        self.find("menu-button").click()

    def be_patient(self) -> None:
        """Let every analysis take as long as the server allows, so that a busy machine finishes it, too."""
        address = re.compile(r"/api/analyse\?")
        self.page.route(address, lambda route: route.continue_(url=f"{route.request.url}&seconds={MOST_SECONDS}"))

    def settled(self) -> None:
        """Wait until no work is in progress."""
        self.page.wait_for_selector('body[data-ready="true"]')

    def after(self, moves: int) -> None:
        """Wait until this many moves were played and no work is in progress."""
        self.page.wait_for_function(
            """(moves) => (new URLSearchParams(location.search).get("position") ?? "").split(" ")
            .filter(Boolean).length === moves && document.body.dataset.ready === "true" """,
            arg=moves,
        )

    def answered(self, moves: int) -> None:
        """Wait until the computer has moved, so that this many moves were played, or until the game is over."""
        self.page.wait_for_function(
            """(moves) => document.body.dataset.ready === "true" &&
            (document.getElementById("status").classList.contains("result") ||
             new URLSearchParams(location.search).get("position").split(" ").length === moves)""",
            arg=moves,
        )

    def cell(self, name: str) -> Locator:
        return self.page.locator(f'[role="gridcell"][data-name="{name}"]')

    def find(self, name: str) -> Locator:
        """Return the control with an id."""
        return self.page.locator(f"#{name}")

    @property
    def address(self) -> dict[str, str]:
        """The state in the address."""
        return {
            name: values[0] for name, values in parse_qs(urlparse(self.page.url).query, keep_blank_values=True).items()
        }

    @property
    def position(self) -> str:
        return self.address["position"]

    @property
    def status(self) -> str:
        return self.find("status").inner_text()

    @property
    def free(self) -> list[str]:
        """The actions that the cells offer."""
        found: list[str] = self.page.eval_on_selector_all(
            '[role="gridcell"]', "(cells) => cells.flatMap((cell) => cell.dataset.actions.split(' ').filter(Boolean))"
        )
        return list(dict.fromkeys(found))

    @property
    def labels(self) -> dict[str, str]:
        """The value shown for each action, by name."""
        found: list[list[str]] = self.page.eval_on_selector_all(
            "#board .label, #actions .label",
            "(labels) => labels.map((each) => [each.dataset.action, each.textContent])",
        )
        assert len(found) == len({action for action, _ in found}), "an action has two labels"
        return dict(found)

    def evaluate(self, script: str) -> Any:
        return self.page.evaluate(script)
