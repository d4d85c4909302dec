"""Margins of any size, and games that do not keep to what they state: exact, or refused by name."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy
import pytest

import noughts
from noughts import MAX, MIN
from noughts.compiled import kernel as interpreted
from noughts.compiled import layout
from noughts.engine import Engine
from noughts.errors import BrokenGame
from noughts.gamefile import game_from_file
from noughts.search.answer import Answer
from noughts.search.deepening import deepening
from noughts.search.drivers import Options, alphabeta
from noughts.search.limits import Limits
from noughts.search.mcts import mcts
from noughts.search.memo import Memo
from noughts.search.mtd import mtd
from noughts.search.proof import proof
from noughts.search.table import Table
from noughts.sources.kernel import NativeSearch

Search = Callable[..., Answer[Any]]

WITH_TABLES: list[Search] = [alphabeta, deepening, mtd]
RANGED: list[Search] = [*WITH_TABLES, proof, mcts]
"""Those that rely on `utility_range`."""


def by_memo(game: Any) -> Answer[Any]:
    return Memo(game).analyse(game.initial())


def graph(seed: int, low: int, high: int) -> Any:
    """Return a random game in layers, in which many ways lead to a position and a player may move twice running."""
    random = Random(seed)
    layers, width = random.randint(2, 6), random.randint(1, 4)
    nodes = [(layer, place) for layer in range(layers + 1) for place in range(width)]
    mover = {node: random.choice([MAX, MIN]) for node in nodes}
    few = [random.randint(low, high) for _ in range(4)]
    worth = {node: random.choice([low, high, *few, random.randint(low, high)]) for node in nodes}
    over = {node for node in nodes if node[0] == layers or (node[0] and random.random() < 0.15)}
    follow = {
        node: [(random.randint(node[0] + 1, layers), random.randrange(width)) for _ in range(random.randint(1, 4))]
        for node in nodes
        if node not in over
    }
    game = SimpleNamespace(
        initial=lambda: (0, 0),
        player=mover.__getitem__,
        actions=lambda state: range(len(follow[state])),
        result=lambda state, action: follow[state][action],
        terminal=over.__contains__,
        utility=worth.__getitem__,
        utility_range=(low, high),
        heuristic=lambda state: worth[state],
    )
    if random.random() < 0.5:
        game.longest = layers
    if random.random() < 0.3:
        game.utility_bounds = lambda state: (
            (low - 5, high + 10**40) if state not in over else (worth[state], worth[state])
        )
    return game


RANGES = [
    (0, 10**7),
    (-(10**12), 10**12),
    (-(10**30), 10**30),
    (-(10**9), -(10**9) + 5),
    (10**20, 10**20 + 3),
    (-(10**100), 10**100),
    (0, 0),
]


@pytest.mark.parametrize(("low", "high"), RANGES, ids=lambda number: f"{number:.0e}")
def test_margins_of_any_size_are_exact(low: int, high: int) -> None:
    """Every search says what plain minimax says, of random games with margins of any size."""
    for seed in range(20):
        game = graph(seed, low, high)
        truth = noughts.minimax(game)
        assert by_memo(game)[:5] == truth[:5]
        assert noughts.analyse(game).actions == truth.actions
        shared = Options(table=Table(entries=Random(seed).choice([2, 8, 1000])))
        for search in WITH_TABLES:
            for options in (Options(), shared, Options(table_mib=0, principal=False)):
                assert search(game, options=options)[:5] == truth[:5]
            assert search(game, wanted="all").actions == truth.actions
            limited = search(game, options=shared, limits=Limits(depth=2))
            assert not limited.proven or limited[:5] == truth[:5]
            if limited.bound is not None:
                assert limited.margin is not None
                assert truth.margin is not None
                right = limited.margin <= truth.margin if limited.bound == "lower" else limited.margin >= truth.margin
                assert right
        assert proof(game).margin == truth.margin
        found = mcts(game, limits=Limits(nodes=300))
        assert not found.proven or found.margin == truth.margin


def test_margins_beyond_the_scale() -> None:
    """A game of heaps worth millions, which states its range and not how long it is."""
    worth = (1_300_000, 400_000, 2_600_000, 900_000, 1_700_000, 800_000)
    game = SimpleNamespace(
        initial=lambda: (tuple(range(6)), 0, MAX),
        player=lambda state: state[2],
        actions=lambda state: list(state[0]),
        result=lambda state, heap: (
            tuple(each for each in state[0] if each != heap),
            state[1] + (worth[heap] if state[2] == MAX else 0),
            -state[2],
        ),
        terminal=lambda state: not state[0],
        utility=lambda state: state[1],
        utility_range=(0, 10**7),
    )
    truth = noughts.minimax(game)
    assert (truth.margin, truth.best) == (2_600_000 + 1_300_000 + 800_000, (2,))
    for answer in (noughts.analyse(game), alphabeta(game), deepening(game), mtd(game)):
        assert (answer.margin, answer.best, answer.proven) == (truth.margin, truth.best, True)


def ended(utility: Any, **offered: Any) -> Any:
    """Return a game of one ply that ends with a utility."""
    return SimpleNamespace(
        initial=lambda: 0,
        player=lambda state: MIN if state else MAX,
        actions=lambda _: [1, 2],
        result=lambda _, action: action,
        terminal=bool,
        utility=lambda state: utility if state == 2 else 0,
        **offered,
    )


@pytest.mark.parametrize("search", RANGED, ids=lambda search: search.__name__)
@pytest.mark.parametrize(("utility", "offered"), [(5, {}), (-2, {}), (4, {"utility_range": (-3, 3)})])
def test_a_utility_outside_its_range_is_refused(search: Search, utility: int, offered: dict[str, Any]) -> None:
    """By searches that rely on the range; those that look at every end are right without it."""
    game = ended(utility, **offered)
    with pytest.raises(BrokenGame, match=rf"utility\(state\) returned {utility}, which is not within"):
        search(game)
    assert noughts.minimax(game).margin == by_memo(game).margin == max(0, utility)


def chain(length: int, longest: int, utility: int = 1) -> Any:
    """Return a game that takes `length` plies, and states that it takes no more than `longest`."""
    return SimpleNamespace(
        initial=lambda: 0,
        player=lambda state: MIN if state % 2 else MAX,
        actions=lambda _: [1],
        result=lambda state, _: state + 1,
        terminal=lambda state: state == length,
        utility=lambda _: utility,
        utility_range=(-3, 3),
        longest=longest,
    )


@pytest.mark.parametrize("search", [noughts.minimax, by_memo, noughts.analyse, *WITH_TABLES])
def test_a_game_longer_than_it_states_is_refused(search: Search) -> None:
    for utility in (-2, -1, 1, 3):
        for over in (1, 2, 7):
            with pytest.raises(BrokenGame, match="more plies than the 5 that it states as `longest`"):
                search(chain(5 + over, 5, utility))
        answer = search(chain(5, 5, utility))
        assert (answer.margin, answer.distance) == (utility, 5)


@pytest.mark.parametrize("search", WITH_TABLES, ids=lambda search: search.__name__)
def test_a_game_longer_than_it_states_is_refused_though_a_table_knows_its_end(search: Search) -> None:
    game = chain(8, 5)
    options = Options(table=Table(1))
    assert search(game, 4, options=options).distance == 4
    with pytest.raises(BrokenGame, match="more plies than the 5"):
        search(game, 0, options=options)
    memo = Memo(game)
    assert memo.value(4).distance == 4
    with pytest.raises(BrokenGame, match="more plies than the 5"):
        memo.value(0)


def test_a_heuristic_of_any_size_proves_nothing() -> None:
    for guess in (10**6, 10**9, -(10**30), numpy.int64(5 * 10**7)):
        game = chain(8, 8)
        game.heuristic = lambda _, guess=guess: guess
        answer = alphabeta(game, limits=Limits(depth=3))
        assert (answer.proven, answer.value, answer.bound, answer.margin) == (False, "unknown", None, None)
    for nonsense in (float("nan"), float("inf"), None, "much"):
        game = chain(8, 8)
        game.heuristic = lambda _, nonsense=nonsense: nonsense
        with pytest.raises(BrokenGame, match=r"heuristic\(state\) returned .*; it must be a whole number"):
            alphabeta(game, limits=Limits(depth=3))


@pytest.mark.parametrize("search", [noughts.minimax, by_memo, noughts.analyse, *RANGED])
def test_numbers_of_any_kind(search: Search) -> None:
    """Whole numbers of other kinds are plain ones in the answer; others are refused."""
    for utility in (True, numpy.int8(1), numpy.int64(1)):
        game = ended(utility)
        game.player = lambda state: numpy.int8(MIN if state else MAX)
        answer = search(game)
        assert (answer.value, answer.margin, type(answer.margin)) == ("win", 1, int)
    for nonsense in (1.0, numpy.float64(1), None, "1"):
        with pytest.raises(BrokenGame, match="it must be a whole number"):
            search(ended(nonsense))


def test_bounds_that_contradict_the_range_are_refused() -> None:
    for bounds in ((2, 3), (-5, -4), (1, 0), (0.0, 1.0), (None, 1)):
        game = ended(1, utility_bounds=lambda _, bounds=bounds: bounds)
        with pytest.raises(BrokenGame, match=r"utility_bounds\(state\) returned"):
            alphabeta(two_plies(game))


def two_plies(game: Any) -> Any:
    """Return the same game with a ply before it: bounds are asked for below the root."""
    return SimpleNamespace(
        **{
            **vars(game),
            "initial": lambda: -1,
            "player": lambda state: MAX if state == 0 else MIN,
            "actions": lambda state: [0] if state < 0 else [1, 2],
            "terminal": lambda state: state > 0,
        }
    )


def changed(folder: Path, *changes: tuple[str, str]) -> Any:
    """Return a game with a kernel, its text changed."""
    text = Path("examples/domineering.py").read_text(encoding="utf-8")
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    path = folder / "changed.py"
    path.write_text(text, encoding="utf-8")
    return game_from_file(str(path))


def test_a_score_beyond_the_scale_is_not_stored() -> None:
    """It would not fit into its bits of the table, and spoil the key beside it: the search stops instead."""
    for score, broken in ((6, False), (-6, False), (7, True), (-7, True), (10**6, True)):
        table, workspace = [0] * 4, [0] * layout.FRAMES
        workspace[layout.SIZE], workspace[layout.LIMIT] = 4, 10
        interpreted.store(table, 5, score, 0, workspace)
        assert any(table) != broken
        assert (workspace[layout.DEEPEST] == layout.BROKEN, workspace[layout.LIMIT] == 0) == (broken, broken)


@pytest.mark.long
def test_a_kernel_with_bounds_beyond_its_scale_is_refused(tmp_path: Path) -> None:
    game = changed(tmp_path, ("soon = longest + 1 - plies(position)", "soon = 1000 * (longest + 1 - plies(position))"))
    kernel: NativeSearch[Any, Any] = NativeSearch(game, table_mib=1, threads=1)
    wrong = r"score_bounds\(position\) is \(-\d+, \d+\), at the start.* whole numbers from -19 to 19"
    with pytest.raises(BrokenGame, match=wrong):
        kernel.ask(game.initial())


def test_a_kernel_is_not_used_where_margins_count(tmp_path: Path) -> None:
    game = changed(tmp_path, ("longest = ", "utility_range = (-2, 2)\nlongest = "))
    with pytest.raises(BrokenGame, match=r"a kernel knows no margins, but utility_range is \(-2, 2\)"):
        NativeSearch(game)
    assert Engine(game).ask(game.initial(), Limits(nodes=12_000)).method != "kernel"
