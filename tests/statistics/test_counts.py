"""Counts against the figures that others found, and against walking the whole tree."""

from collections import Counter
from itertools import count as endlessly
from math import factorial
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest

import noughts
from noughts.capabilities import resolve
from noughts.search.limits import Limits
from noughts.statistics.counts import Counts, count, nodes_past_wins, search_counts
from noughts.statistics.plot import plot
from tests.helpers import altered, every_state


@pytest.fixture(scope="module")
def tic_tac_toe() -> Counts:
    return count(noughts.load("tic-tac-toe"))


def test_tic_tac_toe_by_ply(tic_tac_toe: Counts) -> None:
    plies = tic_tac_toe.plies
    assert [each.ply for each in plies] == list(range(10))
    assert [each.nodes for each in plies] == [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
    assert [each.positions for each in plies] == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    assert [each.classes for each in plies] == [1, 3, 12, 38, 108, 174, 204, 153, 57, 15]
    assert [each.games for each in plies] == [0, 0, 0, 0, 0, 1440, 5328, 47952, 72576, 127872]


def test_tic_tac_toe_in_all(tic_tac_toe: Counts) -> None:
    assert tic_tac_toe.complete
    assert (tic_tac_toe.nodes, tic_tac_toe.positions, tic_tac_toe.classes) == (549_946, 5_478, 765)
    assert tic_tac_toe.games == 255_168
    results = [sum(values) for values in zip(*((p.won, p.lost, p.drawn) for p in tic_tac_toe.plies), strict=True)]
    assert results == [131_184, 77_904, 46_080]


@pytest.mark.parametrize(("opening", "nodes"), [("1", 59_705), ("2", 63_905), ("5", 55_505)])
def test_below_each_opening(opening: str, nodes: int) -> None:
    game = noughts.load("tic-tac-toe")
    assert count(game, noughts.replay(game, opening)).nodes == nodes


@pytest.mark.parametrize(
    ("notation", "positions"),
    [
        *(("connect:3x3", 869), ("connect:3x4", 6_000), ("connect:4x3", 12_031), ("connect:3x5", 38_310)),
        *(("connect:4x4", 161_029), ("wild", 18_753)),
    ],
)
def test_positions_that_others_counted(notation: str, positions: int) -> None:
    assert count(noughts.load(notation)).positions == positions


def test_wild_up_to_symmetry() -> None:
    """Turned and reflected there are 2,694; the game also exchanges X and O."""
    assert count(noughts.load("wild")).classes == 1_359


def test_connect_four_as_far_as_asked() -> None:
    found = count(noughts.load("connect-four"), limits=Limits(depth=5))
    assert [each.positions for each in found.plies] == [1, 7, 49, 238, 1120, 4263]
    assert found.stopped == "depth limit"


@pytest.mark.parametrize(
    ("notation", "position"),
    [
        *(("tic-tac-toe", "5 1 3"), ("tic-tac-toe", "1 4 2 5 3"), ("misere", "1 5 9"), ("wild", "5x 1o 9o 3x")),
        *(("nim:2,3", ""), ("mnk:3,2,2", ""), ("notakto", "1 5"), ("reversi:4", "b1 a1 a2 c1 d1 a3")),
    ],
)
def test_the_same_as_by_walking_the_tree(notation: str, position: str) -> None:
    game = noughts.load(notation)
    root = noughts.replay(game, position)
    nodes: Counter[int] = Counter()
    games: Counter[int] = Counter()

    def walk(state: Any, ply: int) -> None:
        nodes[ply] += 1
        if game.terminal(state):
            games[ply] += 1
            return
        for action in game.actions(state):
            walk(game.result(state, action), ply + 1)

    walk(root, 0)
    found = count(game, root)
    assert [each.nodes for each in found.plies] == [nodes[ply] for ply in sorted(nodes)]
    assert [each.games for each in found.plies] == [games[ply] for ply in sorted(nodes)]
    assert found.nodes == noughts.minimax(game, root).nodes
    states = every_state(game, root)
    assert found.positions == len(states)
    offers = resolve(game)
    assert offers.symmetries is not None
    assert found.classes == len({frozenset(map(offers.key, offers.symmetries(state))) for state in states})


def test_a_position_of_several_plies_counts_once_in_all() -> None:
    found = count(noughts.load("nim:3,4,5"))
    assert found.positions == 232 == len(every_state(noughts.load("nim:3,4,5")))
    assert found.positions < sum(each.positions for each in found.plies)


def test_a_game_that_states_no_symmetry_has_no_such_count() -> None:
    found = count(altered(noughts.load("tic-tac-toe")))
    assert (found.positions, found.classes, found.plies[3].classes) == (5_478, None, None)


def test_a_canonical_key_counts_the_same() -> None:
    game: Any = noughts.load("tic-tac-toe")
    canonical = altered(game, canonical=lambda state: min(map(game.key, game.symmetries(state))))
    assert count(canonical).classes == 765


def test_stopping_leaves_whole_plies() -> None:
    found = count(noughts.load("tic-tac-toe"), limits=Limits(nodes=500))
    assert (found.stopped, found.complete) == ("node limit", False)
    assert [each.nodes for each in found.plies] == [1, 9, 72, 504]
    assert (found.positions, found.classes) == (334, 54)
    assert count(noughts.load("tic-tac-toe"), limits=Limits(cancel=lambda: True)).plies == ()


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    count(noughts.load("tic-tac-toe"), progress=lambda ply, taken: told.append((ply, taken)))
    assert [taken for _, taken in told] == [1_000, 2_000, 3_000, 4_000, 5_000]
    assert told[0][0] == 4


def test_where_play_can_go_on_for_ever_all_positions_are_counted() -> None:
    around = SimpleNamespace(
        initial=lambda: 0,
        player=lambda _: 1,
        actions=lambda _: [1, 2],
        result=lambda state, step: (state + step) % 12,
        terminal=lambda _: False,
        utility=lambda _: 0,
    )
    found = count(around)
    assert (found.endless, found.complete, found.positions) == (True, True, 12)
    assert len(found.plies) == 7  # the furthest position is 6 moves away
    assert [each.nodes for each in found.plies] == [2**ply for ply in range(7)]
    assert list(search_counts(around)) == []
    some = count(around, limits=Limits(depth=20))
    assert (some.endless, some.stopped, len(some.plies)) == (False, "depth limit", 21)


def test_a_game_whose_positions_occur_at_several_depths_is_not_taken_for_endless() -> None:
    found = count(noughts.load("nim:3,4,5"))
    assert not found.endless
    assert found.complete


def test_the_positions_of_three_mens_morris() -> None:
    found = count(noughts.load("examples/three_mens_morris.py"))
    assert (found.endless, found.positions, found.classes, len(found.plies)) == (True, 5_390, 744, 8)


def test_past_wins_every_order_of_filling_the_board() -> None:
    assert nodes_past_wins(noughts.load("tic-tac-toe")) == 986_410
    assert sum(factorial(9) // factorial(9 - placed) for placed in range(10)) == 986_410
    game = noughts.load("tic-tac-toe")
    assert nodes_past_wins(game, noughts.replay(game, "1 2 3 4 5 6")) == 1 + 3 + 6 + 6
    for notation in ("connect:4x4", "wild", "nim:3,4,5"):
        assert nodes_past_wins(noughts.load(notation)) is None


def test_past_wins_is_the_count_of_a_game_without_lines() -> None:
    game: Any = noughts.load("mnk:3,2,2")
    open_ended = altered(
        game,
        ["key", "longest"],
        terminal=lambda state: state.first | state.second == 0b111_111,
        result=lambda state, action: game.result(state, action)._replace(lined=False),
        utility=lambda _: 0,
    )
    assert count(open_ended).nodes == nodes_past_wins(game)


def test_each_means_cuts_the_search() -> None:
    found = {each.search: each.nodes for each in search_counts(noughts.load("tic-tac-toe"))}
    assert found == {
        "minimax": 549_946,
        "memo": 5_478,
        "alpha-beta": 20_866,
        "alpha-beta with a table": 5_481,
        "alpha-beta with a table and symmetry": 1_308,
        "alpha-beta with everything": 575,
    }


def test_searches_that_are_stopped_say_so() -> None:
    found = list(search_counts(noughts.load("connect-four"), limits=Limits(nodes=300)))
    assert {each.stopped for each in found} == {"node limit"}
    assert all(0 < each.nodes <= 300 for each in found[1:])
    times = iter(endlessly())
    cancelled = search_counts(noughts.load("tic-tac-toe"), limits=Limits(cancel=lambda: next(times) > 47_000))
    assert [each.stopped for each in cancelled][0:3] == ["done", "cancelled", "cancelled"]


def test_without_symmetry_there_is_no_such_search() -> None:
    names = [each.search for each in search_counts(altered(noughts.load("tic-tac-toe"), ["key"]))]
    assert names == ["minimax", "memo", "alpha-beta", "alpha-beta with a table", "alpha-beta with everything"]


# The picture.

SVG = "{http://www.w3.org/2000/svg}"


def test_the_picture_is_well_formed_and_tells_what_it_shows(tic_tac_toe: Counts) -> None:
    root = ElementTree.fromstring(plot(tic_tac_toe, 'A "game" of <mine> & yours\x00'))
    assert root.tag == f"{SVG}svg"
    assert root.findtext(f"{SVG}title") == 'A "game" of <mine> & yours : counts by ply'
    assert "549,946 nodes, 5,478 positions" in (root.findtext(f"{SVG}desc") or "")
    assert root.attrib["aria-labelledby"] == "title description"
    style = root.findtext(f"{SVG}style") or ""
    assert "@media (prefers-color-scheme: dark)" in style
    assert "var(" not in style  # filled in, for programs that know no variables
    assert "url(" not in style
    marks = [each.findtext(f"{SVG}title") for each in root.iter(f"{SVG}path")]
    assert "ply 9: 127,872 games that end" in marks
    assert "ply 0: 1 nodes" in marks


def test_every_mark_lies_on_the_paper() -> None:
    game = noughts.load("nim:3,4,5")
    root = ElementTree.fromstring(plot(count(game), "Nim"))
    places = [each.attrib["transform"] for each in root.iter(f"{SVG}path") if "transform" in each.attrib]
    assert len(places) > 30
    for place in places:
        x, y = map(float, place.removeprefix("translate(").removesuffix(")").split(","))
        assert 0 <= x <= 760
        assert 0 <= y <= 480


@pytest.mark.parametrize("limits", [Limits(nodes=1), Limits(cancel=lambda: True)])
def test_next_to_nothing_is_drawn_too(limits: Limits) -> None:
    found = count(noughts.load("tic-tac-toe"), limits=limits)
    root = ElementTree.fromstring(plot(found, "Tic-tac-toe"))
    assert "at least" in (root.findtext(f"{SVG}desc") or "")


def test_a_large_scale_is_labelled_in_powers() -> None:
    drawn = plot(count(noughts.load("notakto"), limits=Limits()), "Notakto")
    assert ">100,000<" in drawn
    tall = count(noughts.load("cube:3"), limits=Limits(depth=1))
    huge = tall._replace(plies=(*tall.plies, tall.plies[-1]._replace(ply=2, nodes=10**30)))
    assert ">10²⁸<" in plot(huge, "A cube")
