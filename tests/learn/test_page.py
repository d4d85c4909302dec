"""The pages stand alone, say what they are, and cannot be broken by names and drawings."""

import json
import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import noughts
from noughts.capabilities import resolve
from noughts.learn.lessons import LESSONS, Example
from noughts.learn.page import lessons_page, page, policy
from noughts.learn.positions import positions
from tests.command import Noughts
from tests.helpers import altered


class Read(HTMLParser):
    """The blocks of a page, its attributes and its policy."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.blocks: dict[str, str] = {}
        self.attributes: list[tuple[str, str | None]] = []
        self.policy = ""
        self._inside = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += attrs
        given = dict(attrs)
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given["content"] or ""
        self._inside = given.get("id") or tag if tag in ("script", "style") else ""

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.blocks[self._inside] = self.blocks.get(self._inside, "") + data

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""


def nodes(found: Any, position: int = 0) -> int:
    return 1 + sum(nodes(found, child) for child in found["children"][position][1::2])


def tree_of(example: Example) -> Any:
    game = noughts.load(example.game)
    return positions(game, noughts.replay(game, example.position), depth=example.depth)


def test_there_are_eight_lessons_with_small_trees() -> None:
    assert len(LESSONS) == 8
    assert len({lesson.name for lesson in LESSONS}) == 8
    for lesson in LESSONS:
        assert 2 <= len(lesson.questions) <= 4
        assert 2 <= len(lesson.summary) <= 3
        assert 10 <= nodes(tree_of(lesson.examples[0])) <= 62
        for question in lesson.questions:
            assert question.example < len(lesson.examples)


def test_what_the_lessons_say_of_their_trees_is_true() -> None:
    by_name = {lesson.name: lesson for lesson in LESSONS}
    tables = tree_of(by_name["tables"].examples[0])
    assert nodes(tables) == 61
    assert "has 61 nodes" in by_name["tables"].questions[0].ask
    assert len(set(tables["alike"])) < len(tables["movers"]) < 61
    game = resolve(noughts.load("tic-tac-toe"))
    assert nodes(tree_of(by_name["too-large"].examples[1])) == 549_946
    depth = noughts.replay(game, by_name["depth"].examples[0].position)
    assert {each.distance for each in noughts.analyse(game, depth).actions if each.value == "win"} == {1, 3}
    worst, best = (tree_of(example) for example in by_name["order"].examples[:2])
    assert worst["utilities"] != best["utilities"]
    assert sorted(filter(None, worst["utilities"])) == sorted(filter(None, best["utilities"]))


@pytest.mark.parametrize("text", [lessons_page(), ""], ids=["lessons", "steps"])
def test_a_page_asks_for_nothing_and_runs_only_its_own_script(game: Any, text: str) -> None:
    text = text or page(game, noughts.replay(game, "5 1 3"), position="5 1 3")
    read = Read(text)
    assert "http:" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "https:" not in text
    assert not [name for name, value in read.attributes if name in ("src", "style") or name.startswith("on")]
    assert {value for name, value in read.attributes if name == "href"} == {"#stage"}
    assert "unsafe" not in read.policy
    assert read.policy.startswith("default-src 'none'; ")
    for block in ("style", "script"):
        digest = b64encode(sha256(read.blocks[block].encode()).digest()).decode()
        assert f"{block}-src 'sha256-{digest}'" in read.policy
    assert not re.findall(r"%%\w+%%", text)
    assert read.policy == policy()


def test_the_search_of_a_position_says_what_it_is(game: Any) -> None:
    text = page(
        game, noughts.replay(game, "5 1 3"), position="5 1 3", search="symmetry", home="./?a=1&b=2", lessons="learn"
    )
    read = Read(text)
    assert "<title>Tic-tac-toe after 5 1 3</title>" in text
    ((lesson,), (tree,)) = (json.loads(read.blocks[block]) for block in ("lesson-data", "tree-data"))
    assert (lesson["examples"][0]["search"], lesson["examples"][0]["view"]) == ("symmetry", "negamax")
    assert tree == json.loads(json.dumps(positions(game, noughts.replay(game, "5 1 3"))))
    assert [value for name, value in read.attributes if name == "href"] == ["#stage", "./?a=1&b=2", "learn"]


def test_a_textbook_search_is_shown_as_the_textbook_has_it(game: Any) -> None:
    for search in ("minimax", "alphabeta"):
        read = Read(page(game, noughts.replay(game, "5 1 3"), search=search))
        assert json.loads(read.blocks["lesson-data"])[0]["examples"][0]["view"] == "textbook"


def test_names_and_drawings_cannot_break_out(game: Any) -> None:
    bad = "</script><script>alert(1)</script><!--"
    offered = altered(
        game, action_name=lambda action: f"{bad}{action}", draw=lambda _: bad, title=bad, marks=(bad, "%%x%%")
    )
    text = page(offered, noughts.replay(game, "1 4 2 5 7"), notation=bad, position=bad)
    assert bad not in text
    assert text.count("<script") == 3
    tree = json.loads(Read(text).blocks["tree-data"])[0]
    assert tree["title"] == bad
    assert tree["players"] == [bad, "%%x%%"]
    assert all(action.startswith(bad) for action in tree["actions"])


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_contrast(scheme: int) -> None:
    """Text has a contrast of 4.5 to 1 or better, borders that mean something one of 3 to 1."""
    blocks = re.findall(r":root \{(.*?)\}", Read(lessons_page()).blocks["style"], re.DOTALL)
    colours = dict(re.findall(r"--([\w-]+): (#\w{6})", blocks[scheme]))
    for back in ("paper", "card", "accent-back", "max-back", "min-back"):
        assert contrast(colours["ink"], colours[back]) >= 7
    for back in ("paper", "card"):
        for text in ("muted", "accent", "cut", "max", "min", "good", "bad"):
            assert contrast(colours[text], colours[back]) >= 4.5, (text, back)
        assert contrast(colours["edge"], colours[back]) >= 3
    for text, back in [
        ("value-ink", "value"),
        ("card", "accent"),
        ("card", "ink"),
        ("max", "max-back"),
        ("min", "min-back"),
    ]:
        assert contrast(colours[text], colours[back]) >= 4.5, (text, back)


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, as the guidelines for accessible content define it."""

    def light(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


def test_the_command_writes_the_page(noughts_command: str, clean_env: dict[str, str], tmp_path: Path) -> None:
    noughts = Noughts(noughts_command, clean_env)
    file = tmp_path / "lessons.html"
    done = noughts("learn", "-o", str(file))
    assert (done.returncode, done.stdout) == (0, f"Wrote {file}: open it in a browser.\n")
    assert file.read_text(encoding="utf-8") == lessons_page()
    assert noughts("learn", "-o", "-").stdout == lessons_page() + "\n"
    wrong = noughts("learn", "-o", str(tmp_path / "no" / "such.html"))
    assert wrong.returncode == 2
    assert wrong.stderr.count("\n") == 1
    assert noughts("learn", "tic-tac-toe").returncode == 2
