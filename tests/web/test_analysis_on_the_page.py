"""What the page says of positions: every label is the engine's value, mistakes are mistakes, the tree is the game's."""

import random

import pytest
from playwright.sync_api import Page, expect

import noughts
from noughts.analysis import Analyst
from noughts.capabilities import capabilities
from noughts.explain.guises import guise
from tests.web.seat import Seat

LETTERS = {"win": "W", "draw": "D", "loss": "L"}


@pytest.fixture
def seat(page: Page) -> Seat:
    return Seat(page)


def sampled(game: str, count: int) -> list[str]:
    """Return unfinished positions of a game, as moves, some of them late ones."""
    chance = random.Random(game)
    rules = noughts.load(game)
    name = capabilities(rules).name
    found: dict[str, None] = {}
    while len(found) < count:
        state, moves = rules.initial(), [""]
        while not rules.terminal(state):
            action = chance.choice(list(rules.actions(state)))
            moves.append(f"{moves[-1]} {name(action)}".strip())
            state = rules.result(state, action)
        found[chance.choice(moves[:-1])] = None
    return list(found)


@pytest.mark.parametrize(
    ("game", "count"),
    [
        *(("tic-tac-toe", 30), ("misere", 8), ("wild", 6), ("notakto:2", 5), ("connect:4x3,3", 6)),
        *(("mnk:4,3,3", 6), ("nim:3,4,5", 6), ("reversi:4", 6)),
    ],
)
def test_every_label_is_the_engines_value(seat: Seat, game: str, count: int) -> None:
    rules = noughts.load(game)
    analyst = Analyst(rules)
    name = capabilities(rules).name
    for position in sampled(game, count):
        seat.open(game, position, analyse="on")
        state = noughts.replay(rules, position)
        answer = analyst.ask(state)
        assert answer.proven
        assert seat.labels == {
            name(each.action): LETTERS[each.value] + str(each.distance or "") for each in answer.actions
        }, position
        best = seat.page.eval_on_selector_all(
            "#board .best .label, #actions .best .label", "(labels) => labels.map((each) => each.dataset.action)"
        )
        assert {name(action) for action in answer.best} <= set(best)


def test_labels_have_a_shape_and_a_colour_too(seat: Seat) -> None:
    seat.open("tic-tac-toe", "1 4 2 5", analyse="on")
    seen = {
        each.inner_text(): (
            each.get_attribute("class"),
            each.evaluate("(it) => getComputedStyle(it).color"),
            each.evaluate(
                "(it) => getComputedStyle(it, '::before').clipPath + getComputedStyle(it, '::before').borderRadius"
            ),
        )
        for each in seat.page.locator("#board .label").all()
    }
    assert set(seen) == {"W1", "D", "L2"}
    for kind in zip(*seen.values(), strict=True):
        assert len(set(kind)) == 3, kind


def test_whose_view(seat: Seat) -> None:
    seat.open("tic-tac-toe", "5 1 3", analyse="on")
    assert (seat.labels["2"], seat.labels["7"]) == ("L2", "D"), "for O, who is to move"
    seat.find("view").click()
    seat.settled()
    assert (seat.labels["2"], seat.labels["7"]) == ("W2", "D"), "for X"
    assert seat.address["view"] == "first"
    assert seat.find("view").inner_text() == "Values for X"
    seat.cell("7").click()
    seat.after(4)
    seat.page.wait_for_selector("#board .label")
    assert seat.labels["4"] == "D"
    assert seat.labels["2"].startswith("L"), "X is to move: nothing is turned"


def test_the_sentence_and_the_reasons_are_the_engines(seat: Seat) -> None:
    seat.open("tic-tac-toe", "5 1 3", analyse="on")
    assert seat.find("sentence").inner_text() == "O draws, with 7."
    seat.find("explain").click()
    expect(seat.find("explanation")).to_contain_text("lets X complete 3-5-7 with 7; refuted by 7")
    expect(seat.find("explanation")).to_contain_text("2, 4, 6, 8 and 9 are not symmetric, but equal")
    seat.cell("7").click()
    seat.after(4)
    expect(seat.find("explanation")).to_contain_text("blocks 1-4-7")


def test_the_analysis_stays_on(seat: Seat) -> None:
    seat.open()
    seat.find("analyse").check()
    seat.settled()
    assert set(seat.labels.values()) == {"D"}
    seat.cell("1").click()
    seat.after(2)
    seat.page.wait_for_selector("#board .label")
    assert len(seat.labels) == 7
    seat.find("new").click()
    seat.after(0)
    seat.page.wait_for_selector("#board .label")
    assert len(seat.labels) == 9
    seat.find("analyse").uncheck()
    seat.settled()
    assert seat.labels == {}


def test_mistakes_are_marked_and_can_be_gone_through(seat: Seat) -> None:
    position = "5 2 1 9 6 4 3"
    rules = noughts.load("tic-tac-toe")
    moves = position.split()
    mistakes = []
    for count, move in enumerate(moves):
        answer = noughts.analyse(rules, noughts.replay(rules, " ".join(moves[:count])))
        (played,) = (each for each in answer.actions if str(each.action) == move)
        if played.value != answer.value:
            mistakes.append(count + 1)
    assert len(mistakes) >= 2
    seat.open("tic-tac-toe", position, analyse="on")
    seat.page.wait_for_selector('#history[data-ready="true"]')
    worth = seat.page.locator("#history button").all()
    assert len(worth) == len(moves) + 1
    marked = [count for count, each in enumerate(worth) if "a mistake" in (each.get_attribute("aria-label") or "")]
    assert marked == mistakes
    listed = seat.page.locator("#moves button").all()
    assert [count for count, each in enumerate(listed) if "mistake" in each.inner_text()] == mistakes
    seat.find("first").click()
    seat.after(0)
    for count in mistakes:
        seat.page.keyboard.press("m")
        seat.after(count)
        expect(seat.find("note")).to_contain_text("a mistake")


def test_a_long_search_tells_how_far_it_is_and_ends_when_the_page_moves_on(seat: Seat) -> None:
    seat.page.goto("/?game=reversi:8&position=&analyse=on")
    expect(seat.find("sentence")).to_contain_text("nodes")
    seat.page.locator('[role="gridcell"].free').first.click()
    seat.page.wait_for_function("() => new URLSearchParams(location.search).get('position') !== ''")
    seat.find("analyse").uncheck()
    seat.settled()
    assert seat.find("sentence").inner_text() == ""


def test_the_tree_opens_node_by_node_and_merges_what_is_the_same(seat: Seat) -> None:
    seat.open("tic-tac-toe", "5 1 9")
    rules = noughts.load("tic-tac-toe")
    same = guise(capabilities(rules))
    state = noughts.replay(rules, "5 1 9")
    seat.find("explore").click()
    nodes = seat.page.locator('#tree [role="treeitem"]')
    children = seat.page.locator('#tree [role="treeitem"][aria-level="2"]')
    expect(children).to_have_count(len(list(rules.actions(state))))
    groups: dict[object, list[str]] = {}
    for action in rules.actions(state):
        groups.setdefault(same(rules.result(state, action)), []).append(str(action))
    again = sum(len(actions) - 1 for actions in groups.values())
    assert again > 0
    assert children.filter(has_text="same as").count() == again
    answer = noughts.analyse(rules, state)
    for each, child in zip(answer.actions, children.all(), strict=True):
        expect(child).to_contain_text(LETTERS[each.value] + str(each.distance or ""))
    seat.page.locator('#tree [role="treeitem"][tabindex="0"]').focus()
    keys = seat.page.keyboard
    keys.press("ArrowRight")
    keys.press("ArrowRight")
    before = nodes.count()
    seat.page.wait_for_function(
        "(before) => document.querySelectorAll('#tree [role=\"treeitem\"]').length > before", arg=before
    ) if before == children.count() + 1 else None
    assert nodes.count() > children.count() + 1, "the first child is open"
    seat.page.get_by_role("button", name="Play from here").click()
    seat.after(4)
    assert seat.position.startswith("5 1 9 ")


def test_links_lead_to_the_search_step_by_step_and_back(seat: Seat) -> None:
    seat.open("tic-tac-toe", "5 1 3 7")
    seat.find("steps-minimax").click()
    expect(seat.page.locator("h1")).to_contain_text("Minimax")
    seat.page.get_by_role("link", name="Back to the board").click()
    seat.settled()
    assert seat.position == "5 1 3 7"
