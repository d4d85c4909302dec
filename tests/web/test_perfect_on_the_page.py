"""Connect Four on the page: the computer is the perfect player, and BitBully judges its moves."""

from random import Random

import pytest
from playwright.sync_api import Page

from tests.connect_four.judge import OPPONENTS, Judge, Moves, Opponent, judged_game
from tests.web.game_page import GamePage

pytestmark = pytest.mark.long
OPPONENT = "four plies"


def on_the_page(page: Page, *, begins: bool) -> Opponent:
    """Return the computer of the page, which thinks for up to ten seconds, the most that the page offers."""
    game_page = GamePage(page)
    seats = {"first": "perfect", "second": "human"} if begins else {"first": "human", "second": "perfect"}
    game_page.open("connect-four", "", think="10", **seats)

    def choose(moves: Moves) -> int:
        if moves:
            game_page.page.locator(f'[role="gridcell"][data-actions~="{moves[-1]}"]').first.click()
        game_page.answered(len(moves) + 1)
        played = game_page.position.split()
        assert played[: len(moves)] == [str(column) for column in moves]
        return int(played[len(moves)])

    return choose


@pytest.mark.parametrize("begins", [True, False])
@pytest.mark.parametrize("seed", range(2))
def test_on_the_page(page: Page, seed: int, begins: bool) -> None:
    judge = Judge()
    computer = on_the_page(page, begins=begins)
    record = judged_game(computer, OPPONENTS[OPPONENT](Random(seed), judge), judge, begins=begins)
    assert record.faults == []
