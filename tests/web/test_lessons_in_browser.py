"""The lessons in a real browser: steps by key, button and click, questions, links, typed trees, phones."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

import noughts
from noughts.learn.lessons import LESSONS
from noughts.learn.page import lessons_page
from noughts.learn.page import page as steps_page
from noughts.learn.positions import positions

SHOWN = """() => ({
  step: shown.step, slider: find("slider").value,
  progress: find("progress").textContent, says: find("says").textContent,
  lit: [...document.querySelectorAll("#code [aria-current]")].map((line) => line.textContent), hash: location.hash,
  expected: sentence(run, stepAt(run, shown.step), (visit) => names.visit(visit)),
  line: codeOf(run)[litLine(run, stepAt(run, shown.step))].text.trim(),
  current: document.querySelectorAll("#tree .node.current").length,
})"""


class Lesson:
    """The page at one lesson."""

    def __init__(self, page: Page, place: str = "") -> None:
        self.page = page
        page.goto(f"/learn#{place}")
        page.wait_for_selector("#tree .node.current")

    @property
    def step(self) -> int:
        return int(self.page.locator("body").get_attribute("data-step") or "")

    def check(self, step: int) -> None:
        """All parts of the page show this step."""
        shown = self.page.evaluate(SHOWN)
        assert (shown["step"], shown["slider"]) == (step, str(step))
        assert shown["progress"].startswith(f"Step {step + 1:,} of ")
        assert shown["says"] == shown["expected"]
        assert shown["lit"] == [shown["line"]]
        assert shown["current"] == 1
        assert ("step=" in shown["hash"]) == (step > 0)

    def after(self, do: Callable[[], None], step: int) -> None:
        do()
        self.page.wait_for_function("(step) => document.body.dataset.step === String(step)", arg=step)
        self.check(step)

    def key(self, key: str, step: int) -> None:
        self.after(lambda: self.page.keyboard.press(key), step)


def test_every_lesson_opens_and_steps_to_its_end(page: Page) -> None:
    lesson = Lesson(page)
    for number, each in enumerate(LESSONS):
        page.locator("#lessons a").nth(number).click()
        expect(page.locator("h1")).to_have_text(each.title)
        lesson.check(0)
        page.keyboard.press("End")
        lesson.check(page.evaluate("run.steps - 1"))
        assert "The search is done." in page.locator("#says").inner_text()
        assert page.locator("#questions form").count() == len(each.questions)


def test_steps_by_key_and_button_and_slider(page: Page) -> None:
    lesson = Lesson(page, "lesson=pruning")
    for step in range(1, 12):
        lesson.key("ArrowRight", step)
    lesson.key("ArrowLeft", 10)
    lesson.key("PageDown", 20)
    lesson.key("PageUp", 10)
    last = page.evaluate("run.steps - 1")
    lesson.key("End", last)
    lesson.key("ArrowRight", last)
    lesson.key("Home", 0)
    lesson.key("ArrowLeft", 0)
    lesson.after(page.locator("#next").click, 1)
    lesson.after(page.locator("#back").click, 0)
    lesson.after(page.locator("#last").click, last)
    lesson.after(page.locator("#first").click, 0)
    lesson.after(lambda: page.locator("#slider").fill("30"), 30)
    for step in range(last + 1):
        page.evaluate("(step) => go(step)", step)
        lesson.check(step)


def test_jumps_lead_to_values_and_cutoffs(page: Page) -> None:
    """Each jump ends at a step of its kind, and none is left out."""
    Lesson(page, "lesson=pruning")
    for key, kind, back in (("v", "backup", "Shift+V"), ("c", "test", "Shift+C")):
        page.keyboard.press("Home")
        wanted = page.evaluate(
            """(kind) => [...Array(run.steps).keys()].map((step) => stepAt(run, step))
              .filter((each) => each.kind === kind && each.cut !== false).map(({ step }) => step)""",
            kind,
        )
        assert len(wanted) >= 2
        for step in wanted:
            page.keyboard.press(key)
            assert page.evaluate("shown.step") == step
        for step in reversed(wanted[:-1]):
            page.keyboard.press(back)
            assert page.evaluate("shown.step") == step


def test_it_plays_and_pauses(page: Page) -> None:
    Lesson(page, "lesson=ends")
    page.locator("#speed").select_option("very fast")
    page.locator("h1").click()
    page.keyboard.press("Space")
    expect(page.locator("#play")).to_have_attribute("aria-label", "Pause")
    page.wait_for_function("() => shown.step >= 3")
    page.keyboard.press("Space")
    expect(page.locator("#play")).to_have_attribute("aria-label", "Play")


def test_a_click_goes_to_the_first_step_of_a_node_and_then_to_its_last(page: Page) -> None:
    lesson = Lesson(page, "lesson=backing-up")
    node = page.get_by_role("button", name="C, branch 2, MIN")
    node.click()
    assert page.evaluate("[told.kind, names.visit(told.visit)]") == ["enter", "C"]
    page.get_by_role("button", name="C, branch 2, MIN").click()
    assert page.evaluate("[told.kind, names.visit(told.visit)]") == ["leave", "C"]
    lesson.check(lesson.step)
    expect(page.get_by_role("button", name="C, branch 2, MIN, value 2")).to_have_attribute("aria-current", "step")


def test_the_tree_can_be_walked_by_keys(page: Page) -> None:
    Lesson(page, "lesson=backing-up")
    page.locator("#tree .node.current").focus()
    focused = "document.activeElement.getAttribute('aria-label')"
    for key, name in [
        ("ArrowDown", "B, branch 1"),
        ("ArrowRight", "C, branch 2"),
        ("ArrowDown", "end 2"),
        ("ArrowUp", "C, branch 2"),
    ]:
        page.keyboard.press(key)
        assert page.evaluate(focused).startswith(name)
    page.keyboard.press("Enter")
    assert page.evaluate("[told.kind, names.visit(told.visit)]") == ["enter", "C"]
    assert page.evaluate(focused).startswith("C, branch 2")


def test_a_link_leads_to_the_same_step(page: Page) -> None:
    """Lesson, example, search, view, order and step are in the address."""
    lesson = Lesson(page, "lesson=depth&example=2&search=alphabeta&view=negamax&order=4&step=30")
    lesson.check(29)
    assert page.evaluate("[shown.example, shown.search, shown.view, shown.order]") == [1, "alphabeta", "negamax", 4]
    says = page.locator("#says").inner_text()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    page.reload()
    page.wait_for_selector("#tree .node.current")
    assert page.locator("#says").inner_text() == says
    for wrong in (
        "lesson=nothing&step=x",
        "lesson=ends&search=best&view=odd&order=99&example=-3&step=-5",
        "%%%",
        "lesson=own&tree=((",
    ):
        page.goto("about:blank")
        Lesson(page, wrong).check(0)


def test_predict_then_check(page: Page) -> None:
    """A wrong answer says so, a right one too; "Go there first" stands before the step, "Show me" at it."""
    lesson = Lesson(page, "lesson=pruning")
    first = page.locator("#questions form").first
    first.get_by_role("button", name="Check").click()
    expect(first.get_by_role("status")).to_have_text("Give an answer first.")
    first.get_by_role("button", name="Go there first").click()
    before = lesson.step
    first.get_by_text("no", exact=True).click()
    first.get_by_role("button", name="Check").click()
    expect(first.get_by_role("status")).to_have_text("✗ No, it is yes.")
    first.get_by_text("yes", exact=True).click()
    first.get_by_role("button", name="Check").click()
    expect(first.get_by_role("status")).to_have_text("✓ Right: yes.")
    first.get_by_role("button", name="Show me").click()
    lesson.check(before + 1)
    assert "yes, a cutoff" in page.locator("#says").inner_text()
    ends = page.locator("#questions form").nth(2)
    ends.get_by_role("textbox").fill("9")
    ends.get_by_role("textbox").press("Enter")
    expect(ends.get_by_role("status")).to_contain_text("✗ No.")
    ends.get_by_role("textbox").fill("7")
    ends.get_by_role("textbox").press("Enter")
    expect(ends.get_by_role("status")).to_have_text("✓ Right: 7.")


def test_values_are_filled_in(page: Page) -> None:
    Lesson(page, "lesson=own&tree=((1+9)+(4+-6))")
    form = page.locator("#questions form")
    for name, value in (("A", "1"), ("B", "1"), ("C", "4")):
        form.get_by_role("textbox", name=name, exact=True).fill(value)
    form.get_by_role("button", name="Check").click()
    expect(form.get_by_role("status")).to_have_text("✗ Not yet: look again at C.")
    form.get_by_role("textbox", name="C", exact=True).fill("−6")
    form.get_by_role("button", name="Check").click()
    expect(form.get_by_role("status")).to_have_text("✓ Right, all of them.")


def test_a_tree_is_typed_and_generated(page: Page) -> None:
    Lesson(page, "lesson=own")
    page.get_by_label("The tree, as brackets and numbers").fill("((5 6) (7")
    page.get_by_role("button", name="Show it").click()
    expect(page.locator("#tree-problem")).to_have_text("A ) is missing.")
    page.get_by_label("The tree, as brackets and numbers").fill("min ((5 6) (7 2))")
    page.get_by_role("button", name="Show it").click()
    page.keyboard.press("Escape")
    page.locator("h1").click()
    page.keyboard.press("End")
    expect(page.locator("#says")).to_contain_text("the value of the root is 6")
    assert "tree=min" in page.evaluate("location.hash")
    page.get_by_role("button", name="Random numbers").click()
    assert page.evaluate("run.tree.size") == 15
    assert page.evaluate("shown.tree") != "min ((5 6) (7 2))"


def test_minimax_stands_beside_alpha_beta(page: Page) -> None:
    """At the same node, with no fewer nodes visited; at the end with every node."""
    Lesson(page, "lesson=pruning")
    assert page.locator("#other .node").count() == page.locator("#tree .node").count() == 13
    for step in range(0, page.evaluate("run.steps"), 7):
        page.evaluate("(step) => go(step)", step)
        same = """[names.visit(told.visit),
          new Names(other).visit(stepAt(other, follow(other, run, told)).visit)]"""
        own, beside = page.evaluate(same)
        assert own == beside
    page.keyboard.press("End")
    expect(page.locator("#other-caption")).to_have_text("Minimax at the same place: 13 nodes visited, alpha-beta 11")
    assert page.locator("#tree .node.pruned").count() == 2
    page.locator("#beside").uncheck()
    expect(page.locator("#other")).to_be_hidden()


def test_pruned_branches_say_why(page: Page) -> None:
    Lesson(page, "lesson=pruning")
    page.keyboard.press("c")
    titles = page.locator("#tree .edge.pruned title").all_text_contents()
    assert titles == ["Pruned: v = 2 ≤ α = 3"] * 2


def test_views_and_searches_are_chosen(page: Page) -> None:
    """No view shows a value of another: W, D and L only in negamax, −1, 0 and +1 only in the textbook's."""
    Lesson(page, "lesson=both-players")
    page.keyboard.press("End")
    badges = page.locator("#tree .value")
    assert set(badges.all_text_contents()) <= {"−1", "0", "+1"}
    page.get_by_role("button", name="Negamax").click()
    page.locator("h1").click()
    page.keyboard.press("End")
    for text in badges.all_text_contents():
        player, _, value = text.partition(": ")
        assert player in ("X", "O")
        assert value.lstrip("≥≤ ")[0] in "WDL"
    assert page.locator("#search option").all_text_contents()[-1] == "Principal variation search with bounds"
    page.get_by_role("button", name="Textbook").click()
    assert len(page.locator("#search option").all_text_contents()) == 4
    page.locator("#order").select_option("3")
    assert page.evaluate("run.seed") == 3


def test_all_of_tic_tac_toe_is_shown_by_jumps(page: Page) -> None:
    """From the empty board, 112,565 steps: every place is reached at once, and the picture stays small."""
    lesson = Lesson(page, "lesson=too-large&example=2")
    assert page.evaluate("run.steps") == 112_565
    lesson.key("End", 112_564)
    assert "the value of the root is 0 (a draw)" in page.locator("#says").inner_text()
    assert page.locator("#tree .node").count() == 10
    page.locator("#tree .node").nth(5).click()
    assert page.evaluate("told.visit > 1000")
    page.keyboard.press("c")
    assert page.evaluate("told.cut")
    assert page.locator("#tree .node").count() < 60
    assert page.locator("#tree .hidden-nodes").count() > 5
    page.locator("#search").select_option("minimax")
    page.locator("#slider").fill("2000000")
    lesson.check(2_000_000)


@pytest.mark.parametrize("search", ["minimax", "alphabeta", "symmetry", "bounds"])
def test_the_search_of_a_position_is_served(page: Page, search: str) -> None:
    page.goto(f"/steps?game=tic-tac-toe&position=5+1+3+7&search={search}")
    expect(page.locator("h1")).to_have_text("Tic-tac-toe after 5 1 3 7")
    assert page.evaluate("[run.search, run.view]") == [
        search,
        "textbook" if search in ("minimax", "alphabeta") else "negamax",
    ]
    page.keyboard.press("End")
    assert "The search is done" in page.locator("#says").inner_text()
    page.get_by_role("link", name="Lessons").click()
    expect(page.locator("h1")).to_have_text(LESSONS[0].title)
    page.get_by_role("link", name="Back to the board").click()
    page.wait_for_url(re.compile(r"/(\?[^/]*)?$"))


def test_a_search_that_is_too_long_says_so(page: Page, context: BrowserContext, tmp_path: Path) -> None:
    """Minimax five plies into Connect Four is shown; a tree beyond all bounds is not, and the page says why."""
    game = noughts.load("nim:3,4,5")
    file = tmp_path / "steps.html"
    file.write_text(steps_page(game, game.initial(), search="minimax"), encoding="utf-8")
    page.goto(file.as_uri())
    expect(page.locator("#problem")).to_contain_text("Minimax visits more than 700,000 nodes from here")
    page.locator("#search").select_option("table")
    expect(page.locator("#problem")).to_be_hidden()
    page.locator("h1").click()
    page.keyboard.press("End")
    assert "The search is done" in page.locator("#says").inner_text()


def test_the_file_makes_no_requests(context: BrowserContext, tmp_path: Path) -> None:
    path = tmp_path / "learn.html"
    path.write_text(lessons_page(), encoding="utf-8")
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{path.as_uri()}#lesson=tables&step=40")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("shown.step") == 40
    page.locator("#lessons a").first.click()
    expect(page.locator("h1")).to_have_text(LESSONS[0].title)
    assert len(set(asked)) == 1


def test_values_travel_only_where_motion_is_welcome(page: Page) -> None:
    moving = "document.getAnimations().length"
    page.emulate_media(reduced_motion="no-preference")
    Lesson(page, "lesson=backing-up")
    page.keyboard.press("v")
    assert page.evaluate(moving) == 1
    page.emulate_media(reduced_motion="reduce")
    page.keyboard.press("v")
    assert page.evaluate(moving) == 0
    assert page.locator(".travel").count() == 1


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_nothing_overflows_the_page(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    lesson = Lesson(page)
    for each in (*(lesson.name for lesson in LESSONS), "own"):
        page.evaluate("(name) => { location.hash = `lesson=${name}`; }", each)
        expect(page.locator("#lessons [aria-current]")).to_have_count(1)
        for share in (0, 0.5, 1):
            page.evaluate("(share) => go(Math.floor(share * (run.steps - 1)))", share)
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), (each, share)
    if width < 500:
        expect(page.locator("#next")).to_be_in_viewport()
    assert lesson.step > 0


def test_the_data_of_the_page_is_that_of_the_package(page: Page) -> None:
    page.goto("/steps?game=nim:1,2,3&position=c2")
    game = noughts.load("nim:1,2,3")
    told = json.loads(page.locator("#tree-data").text_content() or "")
    assert told == [json.loads(json.dumps(positions(game, noughts.replay(game, "c2"))))]
