"""Every search, with and without each of its parts, against the oracle."""

from collections.abc import Callable
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings

import noughts
from noughts.games.lines import LineGame, Marks
from noughts.search.alphabeta import AlphaBeta
from noughts.search.answer import Answer
from noughts.search.deepening import deepening
from noughts.search.drivers import Options, alphabeta
from noughts.search.limits import Budget, Limits
from noughts.search.mcts import mcts
from noughts.search.memo import Memo
from noughts.search.mtd import mtd
from noughts.search.proof import proof
from noughts.search.table import Table
from tests.helpers import altered, every_state
from tests.test_memo import tree_game, trees

PARTS = {
    "all": Options(),
    "no table": Options(table_mib=0),
    "no symmetry": Options(symmetry=0),
    "symmetry everywhere": Options(symmetry=99),
    "no principal variation": Options(principal=False),
    "no killers": Options(killers=False),
    "no history": Options(history=False),
    "nothing": Options(table_mib=0, symmetry=0, principal=False, killers=False, history=False),
    "8 entries": Options(table=None, table_mib=0),
}
Search = Callable[..., Answer[Any]]


def options(name: str) -> Options:
    """Options by name; tables of one's own are made anew for each search."""
    return Options(table=Table(entries=8)) if name == "8 entries" else PARTS[name]


def same_proof(answer: Answer[Any], truth: Answer[Any], game: Any, state: Any) -> None:
    """Value, distance, margin, score and the exact set of best actions agree, and the line is one of best play."""
    assert answer.proven
    assert answer[:5] == truth[:5]
    if answer.best:
        assert answer.line[0] in truth.best
        end = state
        for action in answer.line:
            end = game.result(end, action)
        assert game.terminal(end)
        assert game.player(state) * game.utility(end) == truth.margin
        assert truth.distance in (None, len(answer.line))


def all_exact(answer: Answer[Any], truth: Answer[Any]) -> None:
    assert answer.actions == truth.actions


def bounds_hold(answer: Answer[Any], truth: Answer[Any]) -> None:
    """An action that is not exact is an upper bound: never worse than the truth, and never a best action."""
    rank = {"loss": -1, "draw": 0, "win": 1}
    for said, true in zip(answer.actions, truth.actions, strict=True):
        if said.exact:
            assert said == true
        else:
            assert said.action not in answer.best
            assert said.value == "unknown" or rank[said.value] >= rank[true.value]


def check_tic_tac_toe(game: LineGame, oracle: dict[Marks, Answer[int]], search: Search, part: str, step: int) -> None:
    for state in list(oracle)[::step]:
        answer = search(game, state, options=options(part))
        same_proof(answer, oracle[state], game, state)
        bounds_hold(answer, oracle[state])


SEARCHES = pytest.mark.parametrize("search", [alphabeta, mtd, deepening], ids=lambda search: search.__name__)


SAMPLED_OR_ALL = pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.long)])
"""Every fifth position in the usual run, and all of them in the long one."""


@pytest.mark.parametrize("part", PARTS)
@SEARCHES
def test_tic_tac_toe_with_and_without_each_part(
    game: LineGame, oracle: dict[Marks, Answer[int]], search: Search, part: str
) -> None:
    """Every fifth position with every part, and every 15th without one."""
    check_tic_tac_toe(game, oracle, search, part, 5 if part == "all" else 15)


@pytest.mark.long
@pytest.mark.parametrize("part", PARTS)
@SEARCHES
def test_tic_tac_toe_in_all_positions_with_and_without_each_part(
    game: LineGame, oracle: dict[Marks, Answer[int]], search: Search, part: str
) -> None:
    check_tic_tac_toe(game, oracle, search, part, 1)


def test_every_action_is_exact_where_all_are_wanted(game: LineGame, oracle: dict[Marks, Answer[int]]) -> None:
    for search in (alphabeta, deepening, mtd):
        for state in list(oracle)[::5]:
            answer = search(game, state, wanted="all")
            same_proof(answer, oracle[state], game, state)
            all_exact(answer, oracle[state])


def test_one_action_is_enough_where_one_is_wanted(game: LineGame, oracle: dict[Marks, Answer[int]]) -> None:
    for state in list(oracle)[::5]:
        answer = alphabeta(game, state, wanted="one")
        truth = oracle[state]
        assert (answer.value, answer.distance) == (truth.value, truth.distance)
        assert set(answer.best[:1]) <= set(truth.best)


def test_proofs_in_all_positions(game: LineGame, oracle: dict[Marks, Answer[int]]) -> None:
    """Proof-number search proves the value of all 5,478 positions, and its action keeps it."""
    for state, truth in oracle.items():
        answer = proof(game, state)
        assert (answer.value, answer.margin, answer.proven) == (truth.value, truth.margin, True)
        if truth.best:
            kept = next(each.value for each in truth.actions if each.action == answer.best[0])
            assert kept == truth.value


def test_proofs_with_next_to_no_table(game: LineGame, oracle: dict[Marks, Answer[int]]) -> None:
    for state in list(oracle)[100::40]:
        assert proof(game, state, table_mib=0.001).value == oracle[state].value


def test_monte_carlo_is_right_where_it_is_certain(game: LineGame, oracle: dict[Marks, Answer[int]]) -> None:
    certain = 0
    for state in list(oracle)[200::10]:
        truth = oracle[state]
        answer = mcts(game, state, limits=Limits(nodes=3000))
        if answer.proven:
            certain += 1
            assert answer.value == truth.value
            if truth.best:
                assert next(each.value for each in truth.actions if each.action == answer.best[0]) == truth.value
        else:
            assert answer.value == "unknown"
            assert answer.best[0] in game.actions(state)
    assert certain > 400


@pytest.mark.parametrize("notation", ["misere", "wild", "notakto", "nim:2,3,4", "nim:2,3,4,misere", "connect:3x3,3"])
@SAMPLED_OR_ALL
def test_other_games_in_all_positions(notation: str, step: int) -> None:
    """Positions by the memo against alpha-beta; of each such game every tenth against the oracle itself."""
    game = noughts.load(notation)
    memo = Memo(game)
    states = every_state(game)
    search = AlphaBeta(game, Budget(), table=Table(), symmetry=2)
    for number, state in enumerate(states[::step]):
        truth = memo.analyse(state)
        if not game.terminal(state):
            found = search.root(state)
            best = tuple(action for action, score, exact in found.scores if exact and score == found.best)
            assert best == truth.best
        if number % 10 == 9 and len(game.actions(state)) < 8:  # type: ignore[arg-type]
            assert noughts.minimax(game, state)[:5] == truth[:5]
        if number % 25 == 0:
            for each in (alphabeta, deepening, mtd):
                same_proof(each(game, state), truth, game, state)
            assert proof(game, state).value == truth.value


def connect_4x4_agrees(step: int) -> None:
    game = noughts.load("connect:4x4")
    memo = Memo(game)
    search = AlphaBeta(game, Budget(), table=Table(256), symmetry=0)
    states = every_state(game)
    assert len(states) == 161_029
    for state in states[::step]:
        if not game.terminal(state):
            truth = memo.analyse(state)
            found = search.root(state)
            assert truth.best == tuple(action for action, score, exact in found.scores if exact and score == found.best)


def test_connect_4x4_in_every_50th_position() -> None:
    connect_4x4_agrees(50)


@pytest.mark.long
def test_connect_4x4_in_all_positions() -> None:
    """All 161,029 positions, alpha-beta with its table against the memo."""
    connect_4x4_agrees(1)


@given(trees)
@settings(max_examples=150, deadline=None)
def test_abstract_trees(tree: Any) -> None:
    """Players who move twice in a row, margins instead of wins: on any tree, every search says what minimax says."""
    game = tree_game(tree)
    game.utility_range = (-3, 3)
    truth = noughts.minimax(game)
    for search in (alphabeta, deepening, mtd):
        for each in (Options(), Options(table_mib=0, principal=False)):
            answer = search(game, options=each)
            assert answer.proven
            assert answer[:5] == truth[:5]
        assert search(game, wanted="all").actions == truth.actions
    assert proof(game).margin == truth.margin
    found = mcts(game, limits=Limits(nodes=5000))
    assert not found.proven or found.margin == truth.margin


@pytest.mark.parametrize("search", [alphabeta, mtd, deepening, proof], ids=lambda search: search.__name__)
def test_a_weak_hash_and_a_tiny_table_change_nothing(
    game: LineGame, oracle: dict[Marks, Answer[int]], search: Search
) -> None:
    """All keys in one bucket, and 8 entries in all: slower, never different."""
    for state in list(oracle)[50::60]:
        truth = oracle[state]
        if search is proof:
            assert proof(game, state, table_mib=0.0001).value == truth.value
            continue
        for table in (Table(entries=8), Table(1, hash=lambda _: 0), Table(entries=1)):
            same_proof(search(game, state, options=Options(table=table)), truth, game, state)


def test_a_table_may_be_kept_for_other_questions_of_the_same_game(
    game: LineGame, oracle: dict[Marks, Answer[int]]
) -> None:
    """The same table, asked at many depths and positions in any order: entries of shallow searches do no harm."""
    table = Table(1)
    random = Random(3)
    states = list(oracle)
    for _ in range(400):
        state = random.choice(states)
        depth = random.choice([1, 2, 3, None])
        answer = alphabeta(game, state, limits=Limits(depth=depth), options=Options(table=table))
        if depth is None:
            same_proof(answer, oracle[state], game, state)
        elif answer.proven:
            assert answer[:5] == oracle[state][:5]
        else:
            assert answer.value == "unknown" or (answer.bound and answer.value == oracle[state].value)


def random_graph(seed: int) -> Any:
    """A game on a random graph: positions that many ways lead to, margins, and players who move twice."""
    random = Random(seed)
    layers, width, span = random.randint(2, 6), random.randint(1, 4), random.choice([1, 1, 3])
    follow: dict[tuple[int, int], list[tuple[int, int]]] = {}
    utility: dict[tuple[int, int], int] = {}
    mover = {(layer, place): random.choice([1, -1]) for layer in range(layers + 1) for place in range(width)}
    for layer, place in mover:
        if layer == layers or (layer and random.random() < 0.15):
            utility[layer, place] = random.randint(-span, span)
        else:
            targets = range(random.randint(1, 4))
            follow[layer, place] = [(random.randint(layer + 1, layers), random.randrange(width)) for _ in targets]
    game = SimpleNamespace(
        initial=lambda: (0, 0),
        player=mover.__getitem__,
        actions=lambda state: range(len(follow[state])),
        result=lambda state, action: follow[state][action],
        terminal=utility.__contains__,
        utility=utility.__getitem__,
        utility_range=(-span, span),
        heuristic=lambda state: (7 * state[0] + 3 * state[1]) % 5 - 2,
    )
    if random.random() < 0.7:
        game.longest = layers + 1
    if random.random() < 0.5:
        slack = random.choice([0, 1])
        memo = Memo(SimpleNamespace(**vars(game)))
        worth = {state: (memo.value(state).margin or 0) * mover[state] for state in mover}
        game.utility_bounds = lambda state: (max(-span, worth[state] - slack), min(span, worth[state] + slack))
    return game


@pytest.mark.parametrize("search", [alphabeta, mtd, deepening], ids=lambda search: search.__name__)
def test_random_graphs(search: Search) -> None:
    """A shared table of any size, every wish, every depth: what is said to be proven or exact is."""
    for seed in range(400):
        game = random_graph(seed)
        truth = noughts.minimax(game)
        shared = Options(table=Table(entries=Random(seed).choice([2, 8, 1000])))
        for each in (Options(), shared, Options(table_mib=0, principal=False)):
            assert search(game, options=each)[:5] == truth[:5]
            one = search(game, options=each, wanted="one")
            assert one[:4] == truth[:4]
            assert len(one.best) == min(1, len(truth.best))
            assert set(one.best) <= set(truth.best)
            assert search(game, options=each, wanted="all").actions == truth.actions
            limited = search(game, options=each, limits=Limits(depth=Random(seed).randint(1, 4)))
            assert not limited.proven or limited[:5] == truth[:5]
            assert all(said == true for said, true in zip(limited.actions, truth.actions, strict=True) if said.exact)
            if limited.bound is not None:
                assert limited.margin is not None
                assert truth.margin is not None
                assert (limited.margin <= truth.margin) == (limited.bound == "lower" or limited.margin == truth.margin)
        assert proof(game).margin == truth.margin


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
@SAMPLED_OR_ALL
def test_a_limited_depth_proves_only_what_it_saw(
    game: LineGame, oracle: dict[Marks, Answer[int]], depth: int, step: int
) -> None:
    """Wins and losses within the depth are proven, with exact distance and actions; all else is unknown."""
    for state in list(oracle)[:: 3 * step]:
        truth = oracle[state]
        for search in (alphabeta, deepening, mtd):
            answer = search(game, state, limits=Limits(depth=depth))
            within = truth.distance is not None and truth.distance <= depth
            left = 9 - (state.first | state.second).bit_count()
            if within or game.terminal(state):
                assert answer[:5] == truth[:5]
                assert answer.proven
            elif left > depth and not answer.proven:
                assert (answer.value, answer.distance, answer.score) == ("unknown", None, None)
                assert answer.depth == depth
                assert answer.stopped == "depth limit"
                assert set(answer.best) <= set(game.actions(state))
            else:
                assert answer[:5] == truth[:5]


def test_a_win_known_from_the_table_beyond_the_depth_is_no_proof() -> None:
    """Two actions win in three; a table that knows of one of them must not let a search of depth 2 say it is alone."""
    children = {"start": ["a", "b"], "a": ["aa"], "aa": ["win"], "b": ["bb"], "bb": ["won"]}
    game = SimpleNamespace(
        initial=lambda: "start",
        player=lambda state: -1 if len(state) == 1 else 1,
        actions=lambda state: children[state],
        result=lambda _, action: action,
        terminal=lambda state: state in ("win", "won"),
        utility=lambda _: 1,
        longest=5,
    )
    table = Table(entries=100)
    alphabeta(game, "a", options=Options(table=table))
    limited = alphabeta(game, limits=Limits(depth=2), options=Options(table=table))
    assert (limited.proven, limited.value, limited.bound, limited.distance) == (False, "win", "lower", None)
    assert deepening(game, options=Options(table=table))[:5] == noughts.minimax(game)[:5]


def test_margins_seen_at_the_horizon_are_bounds() -> None:
    """Reversi 4 x 4, looked at a few plies ahead: a win that is certain is a lower bound of its margin."""
    game = noughts.load("reversi:4")
    memo = Memo(game)
    random = Random(1)
    bounds = 0
    for _ in range(150):
        state = game.initial()
        for _ in range(random.randrange(12)):
            if not game.terminal(state):
                state = game.result(state, random.choice(list(game.actions(state))))
        truth = memo.analyse(state)
        assert truth.margin is not None
        answer = alphabeta(game, state, limits=Limits(depth=4))
        if answer.proven:
            assert answer[:5] == truth[:5]
        elif answer.bound == "lower":
            bounds += 1
            assert answer.value == "win"
            assert answer.margin is not None
            assert 0 < answer.margin <= truth.margin
        elif answer.bound == "upper":
            bounds += 1
            assert answer.value == "loss"
            assert answer.margin is not None
            assert truth.margin <= answer.margin < 0
        else:
            assert answer.value == "unknown"
    assert bounds > 0


def test_a_heuristic_guides_and_never_proves(game: LineGame, oracle: dict[Marks, Answer[int]]) -> None:
    """Even a heuristic that claims the world changes no proven answer."""
    boastful = altered(game, offering=["longest", "key"], heuristic=lambda _: 10**9)
    for state in list(oracle)[::97]:
        answer = deepening(boastful, state)
        assert answer[:5] == oracle[state][:5]
        if not game.terminal(state):
            unproven = alphabeta(boastful, state, limits=Limits(depth=1))
            assert unproven.proven == (unproven.value != "unknown")


def test_actions_that_cannot_be_hashed_are_searched() -> None:
    lists = altered(
        noughts.load("examples/matches.py"),
        actions=lambda state: [[n] for n in (1, 2, 3) if n <= state[0]],
        result=lambda state, action: (state[0] - action[0], -state[1]),
    )
    truth = noughts.minimax(lists)
    for search in (alphabeta, deepening, mtd):
        assert search(lists)[:5] == truth[:5]
