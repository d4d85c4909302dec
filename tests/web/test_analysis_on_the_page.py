"""What the page says of positions: every label is the engine's value, mistakes are mistakes, the tree is the game's."""

import json
import random
from contextlib import suppress

import pytest
from playwright.sync_api import Error, Page, Route, expect

import noughts
from noughts.capabilities import resolve
from noughts.engine import Engine
from noughts.symmetry import guise
from tests.web.seat import Seat

LETTERS = {"win": "W", "draw": "D", "loss": "L"}


@pytest.fixture
def seat(page: Page) -> Seat:
    return Seat(page)


def sampled(game: str, count: int) -> list[str]:
    """Return unfinished positions of a game, as moves, some of them late ones."""
    chance = random.Random(game)
    rules = noughts.load(game)
    name = resolve(rules).action_name
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
    engine = Engine(rules)
    name = resolve(rules).action_name
    for position in sampled(game, count):
        seat.open(game, position, analyse="on")
        state = noughts.replay(rules, position)
        answer = engine.ask(state)
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
    seat.find("explain").click()
    seat.find("explore").click()
    reason = seat.page.locator("#explanation li").filter(has=seat.page.locator("b", has_text="2"))
    node = seat.page.locator('#tree [aria-level="2"]').filter(has=seat.page.locator("b", has_text="2"))
    expect(reason).to_contain_text("L2")
    expect(node).to_contain_text("L2")
    seat.page.get_by_label("X", exact=True).check()
    seat.settled()
    assert (seat.labels["2"], seat.labels["7"]) == ("W2", "D"), "for X"
    assert seat.address["view"] == "first"
    expect(reason).to_contain_text("W2")
    expect(seat.find("explanation")).to_contain_text("For O, the player to move; the signs are for X")
    expect(node).to_contain_text("W2")
    expect(node).to_have_attribute("aria-label", "2; for X: wins in 2 plies; X to move")
    expect(seat.find("tree")).to_contain_text("Values are for X.")
    seat.page.keyboard.press("v")
    seat.settled()
    assert seat.find("view-mover").is_checked()
    assert "view" not in seat.address
    seat.page.keyboard.press("v")
    seat.settled()
    assert seat.find("view-first").is_checked()
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
    marked = [count for count, each in enumerate(worth) if "mistake" in (each.get_attribute("aria-label") or "")]
    assert marked == mistakes
    listed = seat.page.locator("#moves button").all()
    assert [count for count, each in enumerate(listed) if "mistake" in each.inner_text()] == mistakes
    seat.find("first").click()
    seat.after(0)
    for count in mistakes:
        seat.page.keyboard.press("m")
        seat.after(count)
        expect(seat.find("note")).to_contain_text("a mistake")
    assert seat.page.locator("#history .mistake").all_inner_texts() == ["✗"] * len(mistakes)
    assert seat.page.locator("#moves .mistake").all_inner_texts() == ["✗"] * len(mistakes)


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
    same = guise(resolve(rules))
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
    opened = nodes.count()
    seat.find("analyse").check()
    seat.page.wait_for_selector("#board .label")
    assert nodes.count() == opened, "the same position has the same tree"
    seat.find("explore").click()
    expect(seat.find("tree")).to_be_hidden()
    seat.find("explore").click()
    expect(nodes).to_have_count(opened)
    seat.page.get_by_role("button", name="Play from here").click()
    seat.after(4)
    assert seat.position.startswith("5 1 9 ")
    expect(seat.page.locator('#tree [aria-level="1"]')).to_be_focused()


def test_links_lead_to_the_search_step_by_step_and_back_to_the_same(seat: Seat) -> None:
    seat.open("tic-tac-toe", "5 1 3 7", then="4 6", second="easy", analyse="on", view="first")
    before = seat.address
    seat.find("steps-minimax").click()
    expect(seat.page.locator("h1")).to_contain_text("Minimax")
    seat.page.get_by_role("link", name="Back to the board").click()
    seat.settled()
    assert seat.address == before


def test_a_finished_game_has_no_search_to_step_through(seat: Seat) -> None:
    seat.open("tic-tac-toe", "1 4 2 5 3")
    for name in ("steps-minimax", "steps-alphabeta"):
        assert seat.find(name).get_attribute("href") is None
        expect(seat.find(name)).to_be_disabled()
    seat.find("undo").click()
    seat.after(4)
    assert (seat.find("steps-minimax").get_attribute("href") or "").startswith("steps?")


def answer(to_move: str, value: str, distance: int | None, bound: str | None) -> str:
    """Return what the server says of a position where little is known."""
    actions = [{"action": str(name), "value": "unknown", "distance": None} for name in range(1, 10)]
    return json.dumps(
        {
            "to_move": to_move,
            "value": value,
            "distance": distance,
            "margin": None,
            "bound": bound,
            "proven": False,
            "best": ["9"],
            "line": ["9"],
            "sentence": "So far.",
            "stopped": "deadline",
            "actions": [{**each, "margin": None, "exact": False} for each in actions],
        }
    )


@pytest.mark.parametrize(
    ("value", "bound", "here", "there", "said"),
    [
        ("win", "lower", "≥W33", "≤L33", "X at best loses in 33 plies"),
        ("loss", "upper", "≤L33", "≥W33", "X at least wins in 33 plies"),
        ("win", None, "W33", "L33", "X loses in 33 plies"),
    ],
)
def test_bounds_point_the_right_way(
    seat: Seat, value: str, bound: str | None, here: str, there: str, said: str
) -> None:
    """At the start X is to move, after a move O: the same answer is then the other way round for X."""

    def tell(route: Route) -> None:
        start = "position=&" in f"{route.request.url}&"
        route.fulfill(content_type="application/json", body=answer("X" if start else "O", value, 33, bound))

    seat.page.route("**/api/analyse?*", tell)
    seat.open("tic-tac-toe", "5", analyse="on")
    seat.page.wait_for_selector('#history[data-ready="true"]')
    worth = seat.page.locator("#history button")
    assert [text.split()[0] for text in worth.all_inner_texts()] == [here, there]
    assert worth.nth(1).get_attribute("aria-label") == f"After move 1, X 5: {said}"
    for box in worth.all():
        assert box.evaluate("(it) => it.scrollWidth <= it.clientWidth"), "it fits"
    seat.find("explore").click()
    root = seat.page.locator('#tree [aria-level="1"] > .node .label')
    expect(root).to_have_text(here)
    seat.page.keyboard.press("v")
    expect(root).to_have_text(there)


def test_what_is_not_known_is_said_so(seat: Seat) -> None:
    seat.page.route(
        "**/api/analyse?*",
        lambda route: route.fulfill(content_type="application/json", body=answer("X", "unknown", None, None)),
    )
    seat.open("tic-tac-toe", "", analyse="on")
    expect(seat.page.locator("#history button")).to_have_attribute("aria-label", "At the start: not known for X")


def test_long_work_has_a_sign(seat: Seat) -> None:
    seat.open("tic-tac-toe", "5 2 1 9")
    waiting: list[Route] = []
    seat.page.route("**/api/analyse?*", lambda route: waiting.append(route))
    seat.find("hint").click()
    expect(seat.find("note")).to_have_text("Looking for a hint …")
    seat.page.keyboard.press("m")
    expect(seat.find("note")).to_have_text("Looking for mistakes: 0 of 4 …")
    seat.page.unroute("**/api/analyse?*")
    for route in waiting:
        with suppress(Error):  # nobody waits for the first any more
            route.continue_()
    expect(seat.find("note")).to_contain_text("a mistake")


def test_two_computers_wait_until_the_values_are_seen(seat: Seat) -> None:
    seat.page.add_init_script("""
      window.seen = [];
      const replace = history.replaceState;
      history.replaceState = function (...given) {
        window.seen.push(document.querySelectorAll("#board .label").length);
        replace.apply(this, given);
      };""")
    seat.open("tic-tac-toe", "5 1 3 7 4 6 2", first="perfect", second="perfect", analyse="on")
    seat.page.wait_for_selector("#status.result")
    assert seat.evaluate("window.seen") == [0, 2, 1]
