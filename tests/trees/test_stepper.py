"""The page shows the search as it was: step k is event k of the trace."""

import json
import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from types import SimpleNamespace
from typing import Any, get_args

import pytest

import noughts
from noughts import NoughtsError
from noughts.capabilities import resolve
from noughts.search.events import Event
from noughts.search.limits import Budget, Limits
from noughts.search.variants import VARIANTS, Variant, search_variant
from noughts.trees.compare import compare
from noughts.trees.layout import plan
from noughts.trees.pseudocode import REMEMBERING, pseudocode
from noughts.trees.stepper import page, policy, steps
from tests.helpers import altered

POSITIONS = [
    ("tic-tac-toe", "5 1 3"),
    ("tic-tac-toe", "1 5 9 3 7"),
    ("nim:1,2,3", ""),
    ("connect:3x3,3", "1 2"),
    ("misere", "1 2 3 4 5"),
]
AMPLE = Limits(seconds=600)
"""More time than counting takes on the slowest machine."""
CASES = [(name, played, search) for name, played in POSITIONS for search in VARIANTS]


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

    @property
    def events(self) -> list[dict[str, Any]]:
        events: list[dict[str, Any]] = json.loads(self.blocks["events"])
        return events

    @property
    def facts(self) -> dict[str, Any]:
        facts: dict[str, Any] = json.loads(self.blocks["facts"])
        return facts


def number(worth: dict[str, Any] | None) -> int | None:
    return None if worth is None else int(worth["number"])


@pytest.mark.parametrize(("name", "played", "search"), CASES)
def test_step_k_is_event_k(name: str, played: str, search: Variant) -> None:
    game = noughts.load(name)
    state = noughts.replay(game, played)
    offers = resolve(game)
    trace: list[Event[Any, Any]] = []
    search_variant(resolve(game), state, search, Budget(), trace.append)
    told = Read(page(game, state, search=search, most=len(trace))).events
    assert len(told) == len(trace)
    path: list[int] = []
    entered = 0
    for step, event in zip(told, trace, strict=True):
        if event.kind == "enter":
            path.append(entered)
            entered += 1
        assert step["kind"] == event.kind
        assert step["ply"] == event.ply
        assert step["node"] == path[-1]
        assert step["parent"] == (path[-2] if event.ply else None)
        assert step["action"] == (None if event.action is None else offers.action_name(event.action))
        if offers.board is None:
            assert step["drawing"] == offers.draw(event.state)
        else:
            marks = [[cell.mark for cell in row] for row in offers.board(event.state)]
            assert [[mark for mark, _, _ in row] for row in step["board"]] == marks
        assert (number(step["alpha"]), number(step["beta"])) == (event.alpha, event.beta)
        assert number(step["value"]) == event.value
        assert step["bound"] == (None if event.bound is None else event.bound.value)
        assert step["reason"] == event.reason
        assert step["skipped"] == [offers.action_name(action) for action in event.skipped]
        if event.kind == "leave":
            path.pop()


@pytest.mark.parametrize(("name", "played", "search"), CASES)
def test_what_follows_from_the_events(name: str, played: str, search: Variant) -> None:
    """Nodes are worth what the best of their actions is, the table gives what was put in, and some line is at work."""
    game = noughts.load(name)
    told = steps(game, noughts.replay(game, played), search=search, most=10_000)
    best: dict[int, int] = {}
    counts = {"enter": 0, "cutoff": 0, "table": 0}
    for step in told:
        if step["kind"] in counts:
            counts[step["kind"]] += 1
        shown = step["counts"]
        assert (shown["nodes"], shown["cutoffs"], shown["hits"]) == tuple(counts.values())
        if step["above"] is not None:
            above = step["above"]["value"]["number"]
            best[step["parent"]] = max(above, best.get(step["parent"], above))
        if step["reason"] in ("searched", "cutoff"):
            assert best[step["node"]] == step["value"]["number"]
        if step["kind"] == "table":
            assert (step["stored"]["value"], step["stored"]["bound"]) == (step["value"], step["bound"])
            assert told[step["stored"]["step"]]["stores"]
        assert step["stores"] <= (search in REMEMBERING)
        assert step["lit"]
        assert "\n" not in step["says"]
    assert told[-1]["node"] == 0


def test_values_in_short_and_in_words(game: Any) -> None:
    told = steps(game, noughts.replay(game, "1 4 2 5 7"))
    last = told[-1]
    assert {"number": -10, "short": "L", "words": "a game lost"} in [step["value"] for step in told]
    assert last["value"] == {"number": 9, "short": "W1", "words": "a win in 1 move"}
    assert told[0]["says"] == "The search starts: node 0. O is to move; alpha is no limit, beta is no limit."
    whole = steps(game, noughts.replay(game, "1 4 2 5 7"), search="minimax")[-1]
    assert whole["value"] == last["value"]
    assert whole["says"] == "Leave node 0, worth exactly a win in 1 move to O: its actions were searched."


def test_actions_that_cannot_be_better_are_not_said_to_be_searched(game: Any) -> None:
    """With a win at once in hand a search stops, without a cutoff; each action is searched or skipped."""
    state = noughts.replay(game, "1 4 3 5 8")
    last = steps(game, state, search="bounds")[-1]
    assert last["reason"] == "enough"
    assert last["skipped"]
    assert last["says"].endswith(f": nothing better is possible; not searched: {', '.join(last['skipped'])}.")
    assert "nothing better" in pseudocode("bounds")[last["lit"][0]].text
    for search in VARIANTS:
        tried: dict[int, set[str]] = {}
        for step in steps(game, state, search=search):
            tried.setdefault(step["node"], set())
            if step["kind"] == "enter" and step["ply"]:
                tried[step["parent"]].add(step["action"])
            tried[step["node"]] |= {*step["skipped"]}
            if step["reason"] in ("searched", "enough", "cutoff"):
                free = {name for row in step["board"] for mark, name, _ in row if not mark}
                assert tried[step["node"]] == free


def test_margins_are_told() -> None:
    """A pile of coins, of which the players take one or two in turn: what is won is counted."""
    game = SimpleNamespace(
        initial=lambda: (2, 1, 0),
        player=lambda state: state[1],
        actions=lambda state: [1, 2][: state[0]],
        result=lambda state, action: (state[0] - action, -state[1], state[2] + state[1] * action),
        terminal=lambda state: not state[0],
        utility=lambda state: state[2],
        utility_range=(-2, 2),
        longest=2,
    )
    told = steps(game, game.initial(), search="minimax")
    assert told[-1]["value"] == {"number": 5, "short": "W1 by 2", "words": "a win by 2 in 1 move"}
    assert "a game lost by 2" in told[-2]["says"]
    assert told[0]["mover"] == "First"


@pytest.mark.parametrize("search", get_args(Variant))
def test_every_way_to_leave_has_its_line(search: Variant) -> None:
    at = {each for line in pseudocode(search) for each in line.at}
    assert {"enter", "end", "searched"} <= at
    assert ("cutoff" in at) == (search != "minimax")
    assert ("table" in at) == (search in REMEMBERING)


def test_the_page_asks_for_nothing_and_runs_only_its_own_script(game: Any) -> None:
    text = page(game, noughts.replay(game, "5 1 3"), position="5 1 3")
    read = Read(text)
    assert "http:" not in text
    assert "https:" not in text
    assert not [name for name, _ in read.attributes if name in ("src", "href", "style") or name.startswith("on")]
    assert "unsafe" not in read.policy
    assert read.policy.startswith("default-src 'none'; ")
    for block in ("style", "script"):
        digest = b64encode(sha256(read.blocks[block].encode()).digest()).decode()
        assert f"{block}-src 'sha256-{digest}'" in read.policy
    assert not re.findall(r"%%\w+%%", text)
    assert "<h1>Alpha-beta: Tic-tac-toe after 5 1 3</h1>" in text


def test_names_and_drawings_cannot_break_out(game: Any) -> None:
    bad = "</script><script>alert(1)</script><!--"
    offered = altered(
        game, action_name=lambda action: f"{bad}{action}", draw=lambda _: bad, title=bad, marks=(bad, "%%x%%")
    )
    text = page(offered, noughts.replay(game, "1 4 2 5 7"), notation=bad, position=bad)
    assert bad not in text
    assert text.count("<script") == 3
    read = Read(text)
    assert read.events[0]["drawing"] == bad
    assert read.events[1]["action"].startswith(bad)


def test_too_many_steps_is_one_line(game: Any) -> None:
    with pytest.raises(NoughtsError) as raised:
        page(game, game.initial())
    assert str(raised.value) == (
        "the search takes more than 2,000 steps from here (alphabeta); start from a later position, "
        "or choose another search, such as principal"
    )
    with pytest.raises(
        NoughtsError, match=r"more than 100 steps from here \(principal\); start from a later position$"
    ):
        page(game, game.initial(), search="principal", most=100)
    state = noughts.replay(game, "5 1 3")
    exactly = len(steps(game, state))
    assert len(steps(game, state, most=exactly)) == exactly
    with pytest.raises(NoughtsError, match="steps from here"):
        steps(game, state, most=exactly - 1)


@pytest.mark.parametrize("search", get_args(Variant))
def test_a_truncated_page_shows_the_first_steps(game: Any, search: Variant) -> None:
    """The same steps as the whole page has, their nodes and no others in the tree, and how many there are in all."""
    state = noughts.replay(game, "5 1 3")
    whole = steps(game, state, search=search, most=10_000)
    text = page(game, state, search=search, most=100, truncate=True, limits=AMPLE)
    read = Read(text)
    assert read.events == json.loads(json.dumps(whole[:100]))
    assert len(read.facts["places"]) == read.events[-1]["counts"]["nodes"]
    assert f"The first 100 of {len(whole):,} steps: " in text
    assert read.facts["part"]


def test_a_search_that_is_not_too_long_is_not_truncated(game: Any) -> None:
    state = noughts.replay(game, "5 1 3")
    exactly = len(steps(game, state))
    assert page(game, state, most=exactly, truncate=True, counts=[]) == page(game, state, most=exactly, counts=[])
    assert "The first" not in page(game, state, most=exactly)


def test_a_huge_search_is_counted_as_far_as_the_limits_go(game: Any) -> None:
    """Minimax is counted by positions, without a walk through its million of steps."""
    assert "The first 20 of 1,099,892 steps: " in page(
        game, game.initial(), search="minimax", most=20, truncate=True, limits=AMPLE
    )
    four = noughts.load("connect-four")
    text = page(four, four.initial(), search="table", most=20, truncate=True, limits=AMPLE._replace(nodes=100))
    found = re.search(r"The first 20 of more than (\d+) steps", text)
    assert found is not None
    assert 100 < int(found[1]) <= 400
    late = page(four, four.initial(), most=20, truncate=True, limits=Limits(seconds=0.0))
    assert "The first 1 of more than 1 steps" in late
    with pytest.raises(NoughtsError, match="the search was stopped before there were steps to show: deadline"):
        page(four, four.initial(), most=20, limits=Limits(seconds=0.0))
    told = page(four, four.initial(), most=20, truncate=True, counts=[])
    assert "The first 20 steps: " in told
    assert Read(told).facts["efforts"] == []


@pytest.mark.parametrize(("name", "played", "search"), CASES)
def test_the_tree_on_the_page_is_the_tree_of_the_search(name: str, played: str, search: Variant) -> None:
    game = noughts.load(name)
    state = noughts.replay(game, played)
    places = plan(noughts.tree(game, state, search=search, most=10_000)).places
    read = Read(page(game, state, search=search, most=10_000))
    assert read.facts["places"] == [[place.column, place.row, place.parent] for place in places]


def test_the_searches_are_compared(game: Any) -> None:
    state = noughts.replay(game, "5 1 3")
    efforts = Read(page(game, state, search="table")).facts["efforts"]
    assert [each["current"] for each in efforts] == [search == "table" for search in get_args(Variant)]
    assert [each["nodes"] for each in efforts] == [each.nodes for each in compare(game, state)]
    assert efforts[0] == {
        "name": "Minimax",
        "current": False,
        "complete": True,
        "nodes": 933,
        "cutoffs": None,
        "hits": None,
    }
    given = [each for each in compare(game, state) if each.search == "symmetry"]
    assert len(Read(page(game, state, counts=given)).facts["efforts"]) == 1


def test_links_lead_back_and_to_the_other_searches(game: Any) -> None:
    state = noughts.replay(game, "1 4 2 5 7")
    bad = '"><script>alert(1)</script>'
    text = page(
        game, state, home=f"/?game=a&position={bad}", searches={"minimax": "/steps?a=1&b=2", "alphabeta": "/steps"}
    )
    assert bad not in text
    links = [value for name, value in Read(text).attributes if name == "href"]
    assert links == [f"/?game=a&position={bad}", "/steps?a=1&b=2", "/steps"]
    assert '<a href="/steps" aria-current="page">Alpha-beta</a>' in text
    assert "Back to the board" in text


def test_the_policy_is_that_of_the_page(game: Any) -> None:
    assert Read(page(game, noughts.replay(game, "1 4 2 5 7"))).policy == policy()


def test_gaps_between_columns_are_no_cells() -> None:
    game = noughts.load("ultimate")
    first = steps(game, game.initial(), most=1, truncate=True)[0]
    rows = [row for row in first["board"] if row]
    assert len(rows) == 9
    assert all([number for number, cell in enumerate(row) if cell is None] == [3, 7] for row in rows)


def test_a_long_game_of_few_steps() -> None:
    """Deeper than Python's recursion goes by itself; what plain minimax cannot do, it says in one line."""
    game = SimpleNamespace(
        initial=lambda: 900,
        player=lambda state: 1 if state % 2 else -1,
        actions=lambda _: [1],
        result=lambda state, action: state - action,
        terminal=lambda state: state == 0,
        utility=lambda _: 0,
    )
    assert len(Read(page(game, 900)).events) == 2 * 901
    with pytest.raises(NoughtsError, match="too long for plain minimax"):
        page(game, 900, search="minimax")


@pytest.mark.parametrize("search", VARIANTS)
def test_a_finished_game_is_entered_and_left(game: Any, search: Variant) -> None:
    events = Read(page(game, noughts.replay(game, "1 4 2 5 3"), search=search)).events
    assert [(event["kind"], event["reason"], event["over"]) for event in events] == [
        ("enter", None, True),
        ("leave", "end", True),
    ]
    assert events[0]["says"] == "The search starts, and the game is over: node 0."
    assert events[1]["says"] == "Leave node 0, worth exactly a game lost to O: the game is over."


def test_an_unknown_search_is_named(game: Any) -> None:
    wrong: Any = "alphabet"
    with pytest.raises(
        NoughtsError, match=r"no search is called 'alphabet'; did you mean alphabeta\?; there are minimax"
    ):
        page(game, game.initial(), search=wrong)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_contrast(game: Any, scheme: int) -> None:
    """Text has a contrast of 4.5 to 1 or better, borders that mean something one of 3 to 1."""
    style = Read(page(game, noughts.replay(game, "1 4 2 5 7"))).blocks["style"]
    blocks = re.findall(r":root \{(.*?)\}", style, re.DOTALL)
    colours = dict(re.findall(r"--([\w-]+): (#\w{6})", blocks[scheme]))
    for back in ("paper", "card", "accent-back"):
        assert contrast(colours["ink"], colours[back]) >= 7
    for back in ("paper", "card"):
        for text in ("muted", "accent", "cut"):
            assert contrast(colours[text], colours[back]) >= 4.5
        assert contrast(colours["edge"], colours[back]) >= 3


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, as the guidelines for accessible content define it."""

    def light(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)
