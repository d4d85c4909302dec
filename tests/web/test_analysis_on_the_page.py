"""The analysis on the page: labels, explanations, mistakes and the tree agree with the engine."""

import json
import random
from contextlib import suppress

import pytest
from playwright.sync_api import Error, Page, Route, expect

import noughts
from noughts.capabilities import resolve
from noughts.engine import Engine
from noughts.symmetry import symmetry_key
from tests.web.game_page import GamePage

LETTERS = {"win": "W", "draw": "D", "loss": "L"}


@pytest.fixture
def game_page(page: Page) -> GamePage:
    return GamePage(page)


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
        *(("tic-tac-toe", 5), ("misere", 2), ("wild", 2), ("notakto", 2), ("connect:4x3,3", 2)),
        *(("nim:3,4,5", 2), ("reversi:4", 1)),
        *(
            pytest.param(game, count, marks=pytest.mark.long)
            for game, count in {
                "tic-tac-toe": 30,
                "misere": 8,
                "wild": 6,
                "notakto:2": 5,
                "connect:4x3,3": 6,
                "mnk:4,3,3": 6,
                "nim:3,4,5": 6,
                "reversi:4": 6,
            }.items()
        ),
    ],
)
def test_every_label_shows_the_engines_value(game_page: GamePage, game: str, count: int) -> None:
    rules = noughts.load(game)
    engine = Engine(rules)
    name = resolve(rules).action_name
    game_page.be_patient()
    for position in sampled(game, count):
        for _ in range(30):  # on a busy machine the server may need more than one attempt
            game_page.open(game, position, analyse="on")
            if not any(sign in label for label in game_page.labels.values() for sign in "?≤≥"):
                break
        state = noughts.replay(rules, position)
        answer = engine.ask(state)
        assert answer.proven
        assert game_page.labels == {
            name(each.action): LETTERS[each.value] + str(each.distance or "") for each in answer.actions
        }, position
        best = game_page.page.eval_on_selector_all(
            "#board .best .label, #actions .best .label", "(labels) => labels.map((each) => each.dataset.action)"
        )
        assert {name(action) for action in answer.best} <= set(best)


def test_labels_also_differ_in_shape_and_colour(game_page: GamePage) -> None:
    game_page.open("tic-tac-toe", "1 4 2 5", analyse="on")
    seen = {
        each.inner_text(): (
            each.get_attribute("class"),
            each.evaluate("(it) => getComputedStyle(it).color"),
            each.evaluate(
                "(it) => getComputedStyle(it, '::before').clipPath + getComputedStyle(it, '::before').borderRadius"
            ),
        )
        for each in game_page.page.locator("#board .label").all()
    }
    assert set(seen) == {"W1", "D", "L2"}
    for kind in zip(*seen.values(), strict=True):
        assert len(set(kind)) == 3, kind


def test_values_can_be_shown_for_the_mover_or_the_first_player(game_page: GamePage) -> None:
    game_page.open("tic-tac-toe", "5 1 3", analyse="on")
    assert (game_page.labels["2"], game_page.labels["7"]) == ("L2", "D"), "for O, who is to move"
    game_page.find("explain").click()
    reason = game_page.page.locator("#explanation li").filter(has=game_page.page.locator("b", has_text="2"))
    node = game_page.page.locator('#tree [aria-level="2"]').filter(has=game_page.page.locator("b", has_text="2"))
    expect(reason).to_contain_text("L2")
    game_page.tab("learn")
    game_page.find("explore").click()
    expect(node).to_contain_text("L2")
    game_page.tab("analyse")
    game_page.page.get_by_label("X", exact=True).check()
    game_page.settled()
    assert (game_page.labels["2"], game_page.labels["7"]) == ("W2", "D"), "for X"
    assert game_page.address["view"] == "first"
    expect(reason).to_contain_text("W2")
    expect(game_page.find("explanation")).to_contain_text("For O, the player to move; the labels are for X")
    game_page.tab("learn")
    expect(node).to_contain_text("W2")
    expect(node).to_have_attribute("aria-label", "2; for X: wins in 2 moves; X to move")
    expect(game_page.find("tree")).to_contain_text("Values are for X.")
    game_page.tab("analyse")
    game_page.page.keyboard.press("v")
    game_page.settled()
    assert game_page.find("view-mover").is_checked()
    assert "view" not in game_page.address
    game_page.page.keyboard.press("v")
    game_page.settled()
    assert game_page.find("view-first").is_checked()
    game_page.cell("7").click()
    game_page.after(4)
    game_page.page.wait_for_selector("#board .label")
    assert game_page.labels["4"] == "D"
    assert game_page.labels["2"].startswith("L"), "X is to move: nothing is flipped"


def test_the_sentence_and_the_reasons_come_from_the_engine(game_page: GamePage) -> None:
    game_page.open("tic-tac-toe", "5 1 3", analyse="on")
    assert game_page.find("sentence").inner_text() == "O draws, with 7."
    game_page.find("explain").click()
    expect(game_page.find("explanation")).to_contain_text("lets X complete 3-5-7 with 7; refuted by 7")
    expect(game_page.find("explanation")).to_contain_text("2, 4, 6, 8 and 9 are not symmetric, but equal")
    game_page.cell("7").click()
    game_page.after(4)
    expect(game_page.find("explanation")).to_contain_text("blocks 1-4-7")


def test_the_analysis_stays_on_after_moves_and_new_games(game_page: GamePage) -> None:
    game_page.open()
    game_page.tab("analyse")
    game_page.settled()
    assert set(game_page.labels.values()) == {"D"}
    game_page.cell("1").click()
    game_page.after(2)
    game_page.page.wait_for_selector("#board .label")
    assert len(game_page.labels) == 7
    game_page.find("new").click()
    game_page.after(0)
    game_page.page.wait_for_selector("#board .label")
    assert len(game_page.labels) == 9
    game_page.tab("play")
    game_page.settled()
    assert game_page.labels == {}


def test_mistakes_are_marked_and_can_be_visited_in_turn(game_page: GamePage) -> None:
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
    game_page.open("tic-tac-toe", position, analyse="on")
    game_page.page.wait_for_selector('#history[data-ready="true"]')
    worth = game_page.page.locator("#history button").all()
    assert len(worth) == len(moves) + 1
    marked = [count for count, each in enumerate(worth) if "mistake" in (each.get_attribute("aria-label") or "")]
    assert marked == mistakes
    listed = game_page.page.locator("#moves button").all()
    assert [count for count, each in enumerate(listed) if "mistake" in each.inner_text()] == mistakes
    game_page.find("first").click()
    game_page.after(0)
    for count in mistakes:
        game_page.page.keyboard.press("m")
        game_page.after(count)
        expect(game_page.find("note")).to_contain_text("a mistake")
    assert game_page.page.locator("#history .mistake").all_inner_texts() == ["✗"] * len(mistakes)
    assert game_page.page.locator("#moves .mistake").all_inner_texts() == ["✗"] * len(mistakes)


def test_a_long_search_shows_progress_and_stops_when_the_position_changes(game_page: GamePage) -> None:
    game_page.page.add_init_script("""
      window.said = [];
      addEventListener("DOMContentLoaded", () => {
        const sentence = document.getElementById("sentence");
        new MutationObserver(() => window.said.push(sentence.textContent)).observe(sentence, { childList: true });
      });""")
    told = "said.some((each) => each.includes(' nodes'))"
    for _ in range(30):  # on a busy machine, the time of the first searches may pass while their kernel is compiled
        game_page.page.goto("/?game=reversi:8&position=&analyse=on")
        game_page.page.wait_for_function(f"() => {told} || document.body.dataset.ready === 'true'")
        if game_page.evaluate(told):
            break
    game_page.page.locator('[role="gridcell"].free').first.click()
    game_page.page.wait_for_function("() => new URLSearchParams(location.search).get('position') !== ''")
    game_page.tab("play")
    game_page.settled()
    assert game_page.find("sentence").inner_text() == ""


def test_the_tree_opens_node_by_node_and_merges_symmetric_positions(game_page: GamePage) -> None:
    game_page.open("tic-tac-toe", "5 1 9", tab="learn")
    rules = noughts.load("tic-tac-toe")
    same = symmetry_key(resolve(rules))
    state = noughts.replay(rules, "5 1 9")
    game_page.find("explore").click()
    nodes = game_page.page.locator('#tree [role="treeitem"]')
    children = game_page.page.locator('#tree [role="treeitem"][aria-level="2"]')
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
    game_page.page.locator('#tree [role="treeitem"][tabindex="0"]').focus()
    keys = game_page.page.keyboard
    keys.press("ArrowRight")
    keys.press("ArrowRight")
    before = nodes.count()
    game_page.page.wait_for_function(
        "(before) => document.querySelectorAll('#tree [role=\"treeitem\"]').length > before", arg=before
    ) if before == children.count() + 1 else None
    assert nodes.count() > children.count() + 1, "the first child is open"
    opened = nodes.count()
    game_page.tab("analyse")
    game_page.page.wait_for_selector("#board .label")
    game_page.tab("learn")
    assert nodes.count() == opened, "the same position has the same tree"
    game_page.find("explore").click()
    expect(game_page.find("tree")).to_be_hidden()
    game_page.find("explore").click()
    expect(nodes).to_have_count(opened)
    game_page.page.get_by_role("button", name="Play from here").click()
    game_page.after(4)
    assert game_page.position.startswith("5 1 9 ")
    expect(game_page.page.locator('#tree [aria-level="1"]')).to_be_focused()


def test_the_stepper_links_back_to_the_same_state(game_page: GamePage) -> None:
    game_page.open("tic-tac-toe", "5 1 3 7", then="4 6", second="level-3", tab="learn", view="first")
    before = game_page.address
    game_page.find("steps-minimax").click()
    expect(game_page.page.locator("#search")).to_have_value("minimax")
    game_page.page.get_by_role("link", name="Back to the board").click()
    game_page.settled()
    assert game_page.address == before


def test_a_finished_game_has_no_search_to_step_through(game_page: GamePage) -> None:
    game_page.open("tic-tac-toe", "1 4 2 5 3", tab="learn")
    for name in ("steps-minimax", "steps-alphabeta"):
        assert game_page.find(name).get_attribute("href") is None
        expect(game_page.find(name)).to_be_disabled()
    game_page.find("undo").click()
    game_page.after(4)
    assert (game_page.find("steps-minimax").get_attribute("href") or "").startswith("steps?")


def answer(to_move: str, value: str, distance: int | None, bound: str | None) -> str:
    """Return the server's answer for a position about which little is known."""
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
        ("win", "lower", "≥W33", "≤L33", "X at best loses in 33 moves"),
        ("loss", "upper", "≤L33", "≥W33", "X at least wins in 33 moves"),
        ("win", None, "W33", "L33", "X loses in 33 moves"),
    ],
)
def test_bounds_are_flipped_with_the_view(
    game_page: GamePage, value: str, bound: str | None, here: str, there: str, said: str
) -> None:
    """At the start X is to move, and after a move O: the same answer is then reversed for X."""

    def tell(route: Route) -> None:
        start = "position=&" in f"{route.request.url}&"
        route.fulfill(content_type="application/json", body=answer("X" if start else "O", value, 33, bound))

    game_page.page.route("**/api/analyse?*", tell)
    game_page.open("tic-tac-toe", "5", analyse="on")
    game_page.page.wait_for_selector('#history[data-ready="true"]')
    worth = game_page.page.locator("#history button")
    assert [text.split()[0] for text in worth.all_inner_texts()] == [here, there]
    assert worth.nth(1).get_attribute("aria-label") == f"After move 1, X 5: {said}"
    for box in worth.all():
        assert box.evaluate("(it) => it.scrollWidth <= it.clientWidth"), "it fits"
    game_page.tab("learn")
    game_page.find("explore").click()
    root = game_page.page.locator('#tree [aria-level="1"] > .node .label')
    expect(root).to_have_text(here)
    game_page.page.keyboard.press("v")
    expect(root).to_have_text(there)


def test_unknown_values_are_labelled_unknown(game_page: GamePage) -> None:
    game_page.page.route(
        "**/api/analyse?*",
        lambda route: route.fulfill(content_type="application/json", body=answer("X", "unknown", None, None)),
    )
    game_page.open("tic-tac-toe", "", analyse="on")
    expect(game_page.page.locator("#history button")).to_have_attribute("aria-label", "At the start: not known for X")


def test_slow_hints_and_mistake_searches_show_a_message(game_page: GamePage) -> None:
    game_page.open("tic-tac-toe", "5 2 1 9")
    waiting: list[Route] = []
    game_page.page.route("**/api/analyse?*", lambda route: waiting.append(route))
    game_page.find("hint").click()
    expect(game_page.find("note")).to_have_text("Looking for a hint …")
    game_page.page.keyboard.press("m")
    expect(game_page.find("note")).to_have_text("Looking for mistakes: 0 of 4 …")
    game_page.page.unroute("**/api/analyse?*")
    for route in waiting:
        with suppress(Error):  # the first request was aborted
            route.continue_()
    expect(game_page.find("note")).to_contain_text("a mistake")


def test_two_computers_wait_until_the_values_are_shown(game_page: GamePage) -> None:
    game_page.page.add_init_script("""
      window.seen = [];
      const replace = history.replaceState;
      history.replaceState = function (...given) {
        window.seen.push(document.querySelectorAll("#board .label").length);
        replace.apply(this, given);
      };""")
    game_page.open("tic-tac-toe", "5 1 3 7 4 6 2", first="perfect", second="perfect", analyse="on")
    game_page.page.wait_for_selector("#status.result")
    assert game_page.evaluate("window.seen") == [0, 2, 1]
