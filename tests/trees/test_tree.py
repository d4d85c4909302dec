"""Trees: what is drawn is true, complete, and no more than asked for."""

import json
import random
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

import pytest

import noughts
from noughts.capabilities import resolve
from noughts.errors import NoughtsError
from noughts.game import Game, legal_actions
from noughts.games.lines import LineGame, Marks
from noughts.score import one_ply_later
from noughts.search.answer import Answer, Bound
from noughts.search.deepening import deepening
from noughts.search.drivers import Options, alphabeta
from noughts.search.events import Event
from noughts.search.limits import Limits
from noughts.search.memo import Memo
from noughts.search.minimax import minimax
from noughts.search.mtd import mtd
from noughts.search.variants import VARIANTS, Variant
from noughts.trees.labels import Labels
from noughts.trees.layout import plan
from noughts.trees.pictures import as_dot, as_svg, as_text
from noughts.trees.svg_board import Boards
from noughts.trees.tree import Tree, TreeNode
from tests.command import Noughts
from tests.trees.golden_trees import EXAMPLES, FOLDER, as_json, guessed, merged, shown, small

ALL = 100_000
SEARCH_NAMES: tuple[Variant, ...] = get_args(Variant)

ELSEWHERE = [
    *(("connect:4x4", "1 2 3 4 1 2 3 4"), ("connect:4x4", "2 2 2 2 1 1 3"), ("connect:4x4,3", "1 2 3 3")),
    *(("nim:2,3", ""), ("nim:1,2,2,misere", ""), ("misere", "1 2 5 3"), ("wild", "5x 1o 3o 7x 6o")),
    *(("reversi:4", "b1 a1 c4 d4 a3"), ("reversi:4", "b1 a1 c4 b4 a3 d3"), ("cube:2", "")),
]
"""Games and positions from which every search soon comes to the end."""


def later_state(notation: str, position: str) -> tuple[Game[Any, Any], Any]:
    """Return a game and a position of it, as far along the way as it can be played."""
    game = noughts.load(notation)
    state = game.initial()
    for word in position.split():
        names = {resolve(game).action_name(action): action for action in game.actions(state)}
        if word in names:
            state = game.result(state, names[word])
    return game, state


@pytest.fixture(scope="module")
def some_states(game: LineGame, states: list[Marks]) -> list[Marks]:
    """Tic-tac-toe positions of all lengths, so few that every search of each can be drawn whole."""
    unfinished = [state for state in states if not game.terminal(state) and len(list(game.actions(state))) <= 6]
    return random.Random(7).sample(unfinished, 60)


# What is drawn is true.


def check_values(tree: Tree, memo: Memo[Any, Any]) -> None:
    for node in tree.root.walk():
        true = memo.value(node.state).score
        assert true is not None
        assert node.value is not None
        assert node.mover == tree.game.player(node.state)
        if node.bound is Bound.EXACT:
            assert node.value == true
        else:
            assert node.value <= true if node.bound is Bound.LOWER else node.value >= true


def check_shape(tree: Tree) -> None:
    """All actions of a node are drawn or said to be left out; a cutoff has its window as a reason."""
    for node in tree.root.walk():
        if node.children:
            tried = {child.action for child in node.children}
            assert not tried & set(node.skipped)
            assert tried | set(node.skipped) == set(legal_actions(tree.game, node.state))
        elif not node.hidden and node.same_as is None:
            assert node.reason not in ("searched", "cutoff")
        if node.reason == "cutoff":
            assert node.value is not None
            assert node.beta is not None
            assert node.value >= node.beta
            assert node.bound is Bound.LOWER
        elif node.skipped:
            assert node.reason == "enough"
        for child in node.children:
            assert child.state == tree.game.result(node.state, child.action)
            assert child.ply == node.ply + 1


def check_counts(tree: Tree) -> None:
    assert sum(1 + node.hidden for node in tree.root.walk()) == tree.searched


def check_line(tree: Tree, memo: Memo[Any, Any]) -> None:
    """The line that is marked is best play for both, from the root down."""
    line = [node for node in tree.root.walk() if node.principal]
    assert [node.ply for node in line] == list(range(len(line)))
    assert len(line) > 1 or not tree.root.children
    for node, child in pairwise(line):
        assert child in node.children
        before, after = memo.value(node.state).score, memo.value(child.state).score
        assert before is not None
        assert after is not None
        assert before == one_ply_later(after if child.mover == node.mover else -after)


@pytest.mark.parametrize("search", SEARCH_NAMES)
def test_what_is_drawn_of_tic_tac_toe_is_true(game: LineGame, some_states: list[Marks], search: Variant) -> None:
    memo = Memo(game)
    for state in some_states:
        tree = noughts.tree(game, state, search=search, most=ALL)
        assert tree.horizon is None
        check_values(tree, memo)
        check_shape(tree)
        check_counts(tree)
        check_line(tree, memo)


@pytest.mark.parametrize("search", SEARCH_NAMES)
@pytest.mark.parametrize(("notation", "position"), ELSEWHERE)
def test_what_is_drawn_of_other_games_is_true(notation: str, position: str, search: Variant) -> None:
    game, state = later_state(notation, position)
    tree = noughts.tree(game, state, search=search, most=ALL)
    memo = Memo(game)
    check_values(tree, memo)
    check_shape(tree)
    check_counts(tree)
    check_line(tree, memo)


@pytest.mark.parametrize("search", ["alphabeta", "table", "symmetry", "principal", "bounds"])
def test_the_whole_of_tic_tac_toe(game: LineGame, search: Variant) -> None:
    tree = noughts.tree(game, search=search, most=ALL)
    check_values(tree, Memo(game))
    check_shape(tree)
    check_counts(tree)


def test_what_rests_on_a_guess_has_no_value() -> None:
    game = noughts.load("connect-four")
    tree = noughts.tree(game, noughts.replay(game, "3141"), depth=4, most=ALL)
    assert tree.horizon == 4
    known = {node.value for node in tree.root.walk()}
    assert None in known
    assert {node.value for node in tree.root.walk() if node.reason == "horizon"} <= {None}
    (won,) = {node.value for node in tree.root.walk() if node.reason == "end"}
    assert won == -43
    assert tree.root.value == 40  # X wins in 3 moves: nothing guessed about that
    assert resolve(game).action_name([node.action for node in tree.root.walk() if node.principal][1]) in "25"


@pytest.mark.parametrize("search", ["alphabeta", "table", "symmetry", "principal", "bounds"])
@pytest.mark.parametrize("notation", ["tic-tac-toe", "reversi:4", "connect:4x4,3", "nim:3,3", "misere"])
def test_what_is_said_before_the_horizon_is_true(
    notation: str, search: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("noughts.trees.tree.TO_THE_END", 1)
    game = noughts.load(notation)
    memo = Memo(game)
    known = 0
    for seed in range(25):
        state, plies = game.initial(), random.Random(seed)
        for _ in range(plies.randrange(12)):
            after = game.result(state, plies.choice(list(game.actions(state))))
            state = state if game.terminal(after) else after
        tree = noughts.tree(game, state, search=search, depth=2 + seed % 3, most=ALL)
        for node in tree.root.walk():
            true = memo.value(node.state).score
            assert true is not None
            if node.value is not None:
                known += node.reason != "end"
                assert node.value <= true or node.bound is Bound.UPPER
                assert node.value >= true or node.bound is Bound.LOWER
        if tree.root.principal:
            check_line(tree, memo)
    assert known


class Patience:
    """Take 1 at once, or wait for 2."""

    longest = 3
    utility_range = (-2, 2)

    def initial(self) -> tuple[int, bool]:
        return 0, False

    def player(self, state: tuple[int, bool]) -> int:
        return 1

    def actions(self, state: tuple[int, bool]) -> list[str]:
        return ["wait", "take"] if state[0] == 0 else ["wait"]

    def result(self, state: tuple[int, bool], action: str) -> tuple[int, bool]:
        return state[0] + 1, action == "take"

    def terminal(self, state: tuple[int, bool]) -> bool:
        return state[1] or state[0] == 3

    def utility(self, state: tuple[int, bool]) -> int:
        return 1 if state[1] else 2


def test_a_larger_margin_may_lie_beyond_the_horizon(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Labels(noughts.tree(Patience())).value(noughts.tree(Patience()).root) == "First = W3 by 2"
    monkeypatch.setattr("noughts.trees.tree.TO_THE_END", 1)
    tree = noughts.tree(Patience(), depth=2)
    assert Labels(tree).value(tree.root) == "First ≥ W1"
    assert not any(node.principal for node in tree.root.walk())


# No more is drawn than asked for.


def test_minimax_is_not_drawn_whole_by_accident(game: LineGame) -> None:
    tree = noughts.tree(game, search="minimax")
    assert tree.searched == 549_946
    assert sum(1 for _ in tree.root.walk()) == 1 + 9 + 72
    assert tree.depth == 2
    check_counts(tree)
    check_values(tree, Memo(game))


@pytest.mark.parametrize(
    "most", [10, 82, 150, *(pytest.param(most, marks=pytest.mark.long) for most in (11, 40, 1000))]
)
def test_as_many_plies_as_fit(game: LineGame, most: int) -> None:
    for depth in (None, 3):
        tree = noughts.tree(game, search="alphabeta", depth=depth, most=most)
        assert sum(1 for _ in tree.root.walk()) <= most
        check_counts(tree)
        assert max(node.ply for node in tree.root.walk()) == tree.depth <= (depth or 9)


def test_where_not_one_ply_fits(game: LineGame) -> None:
    with pytest.raises(NoughtsError, match="one ply alone has 10 nodes to draw; allow them: most=10"):
        noughts.tree(game, most=9)


def test_minimax_of_a_large_game_is_refused() -> None:
    with pytest.raises(NoughtsError, match="choose a later position or another search: search=alphabeta"):
        noughts.tree(noughts.load("connect-four"), search="minimax", depth=2)


def test_a_large_tree_is_counted_while_it_grows(game: LineGame, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = noughts.tree(game, most=60)
    monkeypatch.setattr("noughts.trees.tree.KEPT", 200)
    assert as_json(noughts.tree(game, most=60)) == as_json(whole)


def test_a_root_of_which_all_is_known_is_a_tree() -> None:
    game = noughts.load("tic-tac-toe")
    tree = noughts.tree(game, noughts.replay(game, "OOX/XXO/O.X"), search="bounds")
    assert (tree.searched, tree.depth, tree.root.value, tree.root.children) == (1, 0, 0, [])
    assert as_text(tree).endswith("\nOOX/XXO/O.X  X = D  (−∞, ∞)  no line left\n")
    for draw in (as_svg, as_dot, as_json):
        assert draw(tree)


# The same, once.


@pytest.mark.parametrize("search", SEARCH_NAMES)
@pytest.mark.parametrize(
    ("notation", "position"), [("tic-tac-toe", "5 1 3"), ("nim:2,3", ""), ("reversi:4", "b1 a1 c4")]
)
def test_a_merged_tree_holds_each_position_once(notation: str, position: str, search: Variant) -> None:
    game, state = later_state(notation, position)
    tree = noughts.tree(game, state, search=search, merge=True, most=ALL)
    offers = resolve(game)
    assert offers.symmetries is not None
    first: dict[Any, TreeNode] = {}
    for node in tree.root.walk():
        if node.same_as is None:
            key = frozenset(offers.key(image) for image in offers.symmetries(node.state))
            assert key not in first
            first[key] = node
    numbers = {node.number: node for node in first.values()}
    for node in tree.root.walk():
        if node.same_as is not None:
            assert not node.children
            images = {offers.key(image) for image in offers.symmetries(node.state)}
            assert offers.key(numbers[node.same_as].state) in images
            assert numbers[node.same_as].ply <= node.ply
    check_values(tree, Memo(game))


def test_what_others_refer_to_is_drawn(game: LineGame) -> None:
    for most in (20, 60, 150):
        tree = noughts.tree(game, merge=True, most=most)
        drawn = {node.number for node in tree.root.walk()}
        assert {node.same_as for node in tree.root.walk() if node.same_as is not None} <= drawn


# Watching changes nothing.


class Watch:
    """Checks that events are nested as nodes are, and counts them."""

    def __init__(self) -> None:
        self.path: list[Event[Any, Any]] = []
        self.entered = self.left = 0

    def __call__(self, event: Event[Any, Any]) -> None:
        if event.kind == "enter":
            self.entered += 1
            self.path.append(event)
            return
        inside = self.path[-1]
        assert (inside.ply, inside.state, inside.alpha, inside.beta) == (
            event.ply,
            event.state,
            event.alpha,
            event.beta,
        )
        if event.kind == "leave":
            self.left += 1
            self.path.pop()


def watched(search: Callable[..., Answer[Any]]) -> Callable[[Game[Any, Any], Any, Watch | None], Answer[Any]]:
    def run(game: Game[Any, Any], state: Any, watch: Watch | None) -> Answer[Any]:
        if search is minimax:
            return minimax(game, state, observer=watch)
        return search(game, state, options=Options(observer=watch))

    return run


@pytest.mark.parametrize("search", [minimax, alphabeta, mtd, deepening])
@pytest.mark.parametrize(("notation", "position"), [("tic-tac-toe", "5 1"), *ELSEWHERE])
def test_an_observed_search_is_the_same_search(
    search: Callable[..., Answer[Any]], notation: str, position: str
) -> None:
    game, state = later_state(notation, position)
    watch = Watch()
    alone, seen = watched(search)(game, state, None), watched(search)(game, state, watch)
    assert seen._replace(seconds=0) == alone._replace(seconds=0)
    assert watch.entered == watch.left
    assert not watch.path


# The pictures.


@pytest.fixture(scope="module", params=["small", "merged", "guessed", "nim", "minimax", "ultimate"])
def tree(request: pytest.FixtureRequest) -> Tree:
    makers: dict[str, Callable[[], Tree]] = {
        "small": small,
        "merged": merged,
        "guessed": guessed,
        "nim": lambda: noughts.tree(noughts.load("nim:2,3"), search="table"),
        "minimax": lambda: noughts.tree(*later_state("tic-tac-toe", "5 1 3 7"), search="minimax"),
        "ultimate": lambda: noughts.tree(noughts.load("ultimate"), depth=1),
    }
    return makers[request.param]()


def test_the_layout_has_room_for_all(tree: Tree) -> None:
    for centred in (True, False):
        layout = plan(tree, centred)
        assert [place.node for place in layout.places] == list(tree.root.walk())
        taken = [(place.column, place.row) for place in layout.places]
        taken += [(place.stub, place.row + 1) for place in layout.places if place.stub is not None]
        assert len(set(taken)) == len(taken)
        rows: dict[int, list[float]] = {}
        for column, row in sorted(taken):
            rows.setdefault(row, []).append(column)
            assert 0 <= column < layout.columns
        assert all(right - left >= 1 for row in rows.values() for left, right in pairwise(row))


def test_the_svg_is_a_picture_with_words(tree: Tree) -> None:
    root = ElementTree.fromstring(as_svg(tree))
    space = "{http://www.w3.org/2000/svg}"
    assert root.tag == f"{space}svg"
    title, description = root.find(f"{space}title"), root.find(f"{space}desc")
    assert title is not None
    assert description is not None
    assert title.text == Labels(tree).title()
    assert "Each value and window is for the player" in (description.text or "")
    titles = [element.text or "" for element in root.iter(f"{space}title")]
    for node in tree.root.walk():
        assert Labels(tree).sentence(node) in titles
    assert len(titles) == 1 + sum(1 + bool(node.skipped) for node in tree.root.walk())
    assert as_svg(tree).count('class="stop"') == sum(1 for node in tree.root.walk() if node.skipped)
    assert as_svg(tree).count('class="more"') == sum(1 for node in tree.root.walk() if node.hidden)
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    for element in root.iter(f"{space}text"):
        assert 0 <= float(element.attrib["x"]) <= width
        assert 0 <= float(element.attrib["y"]) <= height


def test_text_has_a_line_for_each_node(tree: Tree) -> None:
    lines = as_text(tree).splitlines()
    _, tree_lines = lines[: lines.index("")], lines[lines.index("") + 1 :]
    extra = sum(bool(node.hidden) + bool(node.skipped) for node in tree.root.walk())
    assert len(tree_lines) == extra + sum(1 for _ in tree.root.walk())


def test_dot_is_what_graphviz_reads(tree: Tree) -> None:
    dot = as_dot(tree)
    bare = re.sub(r'"(?:[^"\\]|\\.)*"', "Q", dot)
    assert '"' not in bare
    attribute = r"\w+=(?:Q|\w+)"
    statement = rf"  (?:\w+(?: -> \w+)? \[{attribute}(?:, {attribute})*\]|label=Q);"
    first, *inside, last = bare.splitlines()
    assert (first, last) == ("digraph tree {", "}")
    assert [line for line in inside if not re.fullmatch(statement, line)] == []
    named = set(re.findall(r"^  (\w\d+) \[", bare, re.MULTILINE))
    assert {end for edge in re.findall(r"(\w+) -> (\w+)", bare) for end in edge} <= named


FIELDS = [
    *("number", "action", "ply", "board", "to_move", "alpha", "beta", "value", "bound", "reason", "skipped"),
    *("why_skipped", "hidden", "principal", "same_as", "column", "row", "children"),
]
HEADER = ["game", "position", "title", "search", "about", "players", "view", "searched", "drawn", "horizon", "depth"]


def test_json_holds_everything(tree: Tree) -> None:
    facts = json.loads(as_json(tree))
    assert list(facts) == [*HEADER, "merged", "columns", "rows", "root"]
    assert facts["drawn"] == sum(1 for _ in tree.root.walk())
    waiting = [(facts["root"], tree.root)]
    while waiting:
        told, node = waiting.pop()
        assert list(told) == FIELDS
        assert told["number"] == node.number
        assert (told["value"] or {"score": None})["score"] == node.value
        assert told["bound"] == (None if node.value is None or node.bound is None else node.bound.value)
        assert len(told["skipped"]) == len(node.skipped)
        assert (told["why_skipped"] is None) == (not node.skipped)
        waiting += zip(told["children"], node.children, strict=True)


def test_a_text_of_the_games_own_cannot_break_a_picture() -> None:
    from tests.helpers import altered

    game = noughts.load("nim:1,1")
    strange = altered(
        game,
        ("symmetries",),
        title='<b>"&\\\x07',
        marks=('"', "</g>"),
        draw=lambda state: '<"\\\n&',
        action_name=lambda action: '"\\<x>',
    )
    tree = noughts.tree(strange)
    ElementTree.fromstring(as_svg(tree))
    json.loads(as_json(tree))
    test_dot_is_what_graphviz_reads(tree)


# As it was before.


def test_every_example_has_a_file_and_every_file_an_example() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(EXAMPLES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_file_matches(name: str) -> None:
    kept = (FOLDER / name).read_bytes().decode("utf-8")
    assert shown(name) == kept, "if this is wanted: python -m tests.trees.golden_trees"


# The command.


@pytest.fixture
def command(noughts_command: str, clean_env: dict[str, str]) -> Noughts:
    return Noughts(noughts_command, clean_env)


def test_the_command_prints_the_tree(command: Noughts) -> None:
    done = command("tree", "tic-tac-toe", "5 1 3 7 4", "--depth", "2")
    assert (done.returncode, done.stderr, done.stdout) == (0, "", as_text(small()))


def test_a_terminal_with_few_signs(noughts_command: str, clean_env: dict[str, str]) -> None:
    few = Noughts(noughts_command, {**clean_env, "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"})
    done = few("tree", "tic-tac-toe", "5 1 3 7 4", "--depth", "2")
    assert done.returncode == 0
    assert done.stdout.isascii()
    assert "\n|- 8  O.X/XX./OO.  X >= W1  (-inf, D)\n" in done.stdout
    assert "\\u" not in done.stdout
    drawn = few("tree", "tic-tac-toe", "5 1 3 7 4", "--depth", "2", "--format", "svg")
    assert drawn.stdout == as_svg(small())


@pytest.mark.parametrize(("ending", "draw"), [("svg", as_svg), ("dot", as_dot), ("gv", as_dot), ("json", None)])
def test_the_file_says_which_format(
    command: Noughts, tmp_path: Path, ending: str, draw: Callable[[Tree], str] | None
) -> None:
    file = tmp_path / f"tree.{ending}"
    done = command("tree", "tic-tac-toe", "5", "1", "3", "7", "4", "--depth", "2", "-o", str(file))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    expected = shown("small.json") if draw is None else draw(small())
    assert file.read_text(encoding="utf-8") == expected


def test_the_page_of_steps(command: Noughts, tmp_path: Path) -> None:
    file = tmp_path / "steps.html"
    done = command("tree", "tic-tac-toe", "5 1 3 7 4", "-o", str(file))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert file.read_text(encoding="utf-8").lower().startswith("<!doctype html>")


def test_a_large_game_is_drawn_as_far_as_it_fits(command: Noughts) -> None:
    done = command("tree", "connect-four", "44", "--depth", "4", "--format", "json")
    assert done.returncode == 0
    facts = json.loads(done.stdout)
    assert (facts["horizon"], facts["depth"]) == (4, 2)
    assert facts["drawn"] <= 150
    assert "so the search looks 4 plies ahead" in done.stderr
    assert "only the first 2 plies fit; nodes below are counted, not drawn; --most N allows N nodes" in done.stderr


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        (["tic-tac-toe", "--depth", "0"], "--depth must be a number above 0"),
        (["tic-tac-toe", "--depth", "-3"], "--depth must be a number above 0"),
        (["tic-tac-toe", "--depth", "deep"], "--depth must be a whole number, not 'deep'"),
        (["tic-tac-toe", "--most", "0"], "--most must be a number above 0"),
        (["tic-tac-toe", "--most", "3"], "one ply alone has 10 nodes to draw; allow them: --most 10"),
        (["tic-tac-toe", "--format", "pdf"], "there is no format 'pdf'; there are: text, svg, dot, json, html"),
        (["tic-tac-toe", "--format", "jsn"], "there is no format 'jsn'; did you mean json?"),
        (["tic-tac-toe", "-o", "tree.png"], "no format ends in '.png'; name one: --format text|svg|dot|json|html"),
        (["tic-tac-toe", "--search", "alphabet"], "there is no search 'alphabet'; did you mean alphabeta?"),
        (["tic-tac-toe", "--search", "luck"], f"there is no search 'luck'; there are: {', '.join(VARIANTS)}"),
        (["tic-tac-toe", "5 1 3 7 4 6", "-o", "/no/such/place.svg"], "cannot write '/no/such/place.svg': No such file"),
        (["tic-tac-toe", "5 1 3 7 4 6", "-o", "/"], "cannot write '/': Is a directory"),
        (["tic-tac-toe", "--format", "html", "--depth", "2"], "--depth does not go with html"),
        (["tic-tac-toe", "5 5"], "'5' cannot be played after 5"),
        (["connect-four", "--search", "minimax"], "choose a later position or another search: --search alphabeta"),
        (["chess"], "'chess'"),
        ([], "the following arguments are required: GAME"),
    ],
)
def test_bad_input_gets_one_line(command: Noughts, args: list[str], complaint: str) -> None:
    done = command("tree", *args)
    assert (done.returncode, done.stdout) == (2, "")
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("search", ["minimax", "alphabeta"])
def test_a_tree_that_is_cancelled_or_late_is_refused(search: Variant) -> None:
    game = noughts.load("connect-four")
    with pytest.raises(NoughtsError, match="stopped before there was a tree to draw: cancelled"):
        noughts.tree(game, search=search, limits=Limits(cancel=lambda: True))
    with pytest.raises(NoughtsError, match="stopped before there was a tree to draw: deadline"):
        noughts.tree(game, search=search, limits=Limits(seconds=0.0))


def test_gaps_between_columns_take_room_in_pictures() -> None:
    """Nine cells across and two gaps of half a cell."""
    game = noughts.load("ultimate")
    boards = Boards(resolve(game), [game.initial()])
    assert (boards.width, boards.height) == (90.0, 90.0)


@pytest.mark.parametrize("search", VARIANTS)
def test_the_tree_of_a_finished_game_is_one_node(game: LineGame, search: Variant) -> None:
    state = noughts.replay(game, "1 4 2 5 3")
    tree = noughts.tree(game, state, search=search, merge=True)
    assert (tree.searched, tree.depth, tree.horizon, tree.root.children) == (1, 0, None, [])
    assert (tree.root.bound, tree.root.reason) == (Bound.EXACT, "end")
    assert tree.root.value is not None
    assert tree.root.value < 0, "X has won, and O is to move"


def test_every_picture_of_a_finished_game(command: Noughts) -> None:
    for form in ("text", "svg", "dot", "json", "html"):
        done = command("tree", "tic-tac-toe", "1 4 2 5 3", "--format", form)
        assert (done.returncode, done.stderr) == (0, "")
        if form in ("text", "svg", "dot"):
            assert "The game is over: O has lost. There is nothing left to search." in done.stdout
    drawn = command("tree", "tic-tac-toe", "XOX/OOX/XXO").stdout
    assert "The game is over: a draw." in drawn


def test_json_is_a_format(command: Noughts, tmp_path: Path) -> None:
    drawn = command("tree", "tic-tac-toe", "5 1 3 7 4", "--depth", "2", "--json")
    assert (drawn.returncode, drawn.stdout) == (0, shown("small.json"))
    file = tmp_path / "tree.svg"
    refused = command("tree", "tic-tac-toe", "5 1 3 7 4", "--json", "-o", str(file))
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "--json and a file that ends in '.svg' do not go together; leave one of them out" in refused.stderr
    refused = command("tree", "tic-tac-toe", "5 1 3 7 4", "--json", "--format", "dot")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "--json and --format dot do not go together; leave one of them out" in refused.stderr


def test_a_tree_of_an_own_game_has_the_name_of_its_file_or_class() -> None:
    assert Labels(noughts.tree(noughts.load("examples/matches.py"))).called == "matches"
    assert Labels(noughts.tree(Patience())).called == "Patience"
