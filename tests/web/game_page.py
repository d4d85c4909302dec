"""A person at the page: what they see, and what they do."""

from typing import Any
from urllib.parse import parse_qs, urlencode, urlparse

from playwright.sync_api import Locator, Page

__all__ = ["GamePage"]


class GamePage:
    """Looks at a page and acts on it, by whatever means."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def open(self, game: str = "", position: str | None = None, **settings: str) -> None:
        """Open the page at an address, and wait until it is there."""
        given = {"game": game or None, "position": position, **settings}
        query = urlencode({name: value for name, value in given.items() if value is not None})
        self.page.goto(f"/?{query}" if query else "/")
        self.settled()

    def settled(self) -> None:
        """Wait until nothing is under way."""
        self.page.wait_for_selector('body[data-ready="true"]')

    def after(self, moves: int) -> None:
        """Wait until so many moves are on the board and nothing is under way."""
        self.page.wait_for_function(
            """(moves) => (new URLSearchParams(location.search).get("position") ?? "").split(" ")
            .filter(Boolean).length === moves && document.body.dataset.ready === "true" """,
            arg=moves,
        )

    def answered(self, moves: int) -> None:
        """Wait until the computer has answered, so that there are so many moves; or until the game is over."""
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
        """The state that the address holds."""
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
        """What can be played, as the cells say."""
        found: list[str] = self.page.eval_on_selector_all(
            '[role="gridcell"]', "(cells) => cells.flatMap((cell) => cell.dataset.actions.split(' ').filter(Boolean))"
        )
        return list(dict.fromkeys(found))

    @property
    def labels(self) -> dict[str, str]:
        """The value shown of each action, by its name."""
        found: list[list[str]] = self.page.eval_on_selector_all(
            "#board .label, #actions .label",
            "(labels) => labels.map((each) => [each.dataset.action, each.textContent])",
        )
        assert len(found) == len({action for action, _ in found}), "an action has two labels"
        return dict(found)

    def evaluate(self, script: str) -> Any:
        return self.page.evaluate(script)
