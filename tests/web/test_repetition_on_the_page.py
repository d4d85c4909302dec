"""A game in which positions repeat, on the page."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.web.game_page import GamePage
from tests.web.serving import Server, running

ONCE = "2 1 4 6 5 9 57"
THREE_TIMES = f"{ONCE} 15 23 51 32 15 23 51 32"


@pytest.fixture(scope="module")
def server(noughts_command: str) -> Iterator[Server]:
    with running(noughts_command, "examples/three_mens_morris.py") as server:
        yield server


def test_a_match_of_computers_ends_as_a_draw_by_repetition(page: Page) -> None:
    game = GamePage(page)
    game.open("./three_mens_morris.py", THREE_TIMES, first="perfect", second="perfect")
    assert game.status == "A draw by repetition: this position has occurred 3 times."
    assert game.position == THREE_TIMES


def test_people_are_told_and_play_on(page: Page) -> None:
    game = GamePage(page)
    game.open("./three_mens_morris.py", THREE_TIMES, analyse="on")
    assert game.status == "O to move; this position has occurred 3 times"
    page.locator('[data-action="65"]').first.click()
    expect(game.find("status")).to_have_text("O wins.")


def test_a_computer_plays_on_against_a_person(page: Page) -> None:
    game = GamePage(page)
    game.open("./three_mens_morris.py", THREE_TIMES, second="perfect")
    expect(game.find("status")).to_have_text("The computer wins.")
