"""The search by null windows: exact in every position of small games, and what it proves within any limit is true."""

from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest

import noughts
from noughts import MAX, MIN
from noughts.capabilities import resolve
from noughts.errors import BrokenGame, EndlessGame
from noughts.search.graph import Graph
from noughts.search.limits import Limits
from noughts.search.memo import Memo
from noughts.search.prove import prove
from tests.endless import CORRIDOR
from tests.helpers import altered
from tests.search.test_limits import walk
from tests.search.test_margins import RANGES, graph
from tests.test_engine import agrees

SAME = slice(0, 5)
"""Of an answer: value, distance, margin, score, best."""


def positions(game: Any, every: int = 1) -> list[Any]:
    """Return the positions of a game, or every so many of them, each once."""
    found: dict[Any, Any] = {}
    waiting = [game.initial()]
    while waiting:
        state = waiting.pop()
        if game.key(state) not in found:
            found[game.key(state)] = state
            if not game.terminal(state):
                waiting += [game.result(state, action) for action in game.actions(state)]
    return list(found.values())[::every]


def check(game: Any, states: list[Any], wanted: Any, positions: Graph[Any, Any] | None = None) -> None:
    """Compare answers with a memo's, all from one graph."""
    memo: Memo[Any, Any] = Memo(game)
    positions = positions or Graph(game, 64)
    for state in states:
        found, true = prove(positions, state, wanted=wanted), memo.analyse(state)
        if wanted == "one":
            assert (found[:4], found.low, found.high) == (true[:4], true.score, true.score)
            assert set(found.best) <= set(true.best)
            assert len(found.best) == bool(true.best)
        else:
            assert found[SAME] == true[SAME]
        if wanted == "all":
            assert found.actions == true.actions
        assert found.line_complete
        assert len(found.line) == (len(true.line) if true.distance is None else true.distance) or true.distance is None
        end = state
        for action in found.line:
            end = game.result(end, action)
        assert game.terminal(end)
        assert game.scale.utility(true.score) == game.to_move(state) * game.utility(end)


@pytest.mark.parametrize("wanted", ["one", "best", "all"])
@pytest.mark.parametrize(
    ("notation", "every"),
    [
        ("tic-tac-toe", 40),
        ("misere", 60),
        ("mnk:3,2,2", 1),
        ("nim:2,3,3", 1),
        ("notakto", 8),
        ("examples/matches.py", 1),
    ],
)
def test_it_is_exact_in_positions_of_small_games(notation: str, every: int, wanted: Any) -> None:
    game = resolve(noughts.load(notation))
    check(game, positions(game, every), wanted)


@pytest.mark.long
@pytest.mark.parametrize("wanted", ["one", "best", "all"])
@pytest.mark.parametrize("notation", ["tic-tac-toe", "misere", "notakto", "nim:3,4,5", "mnk:4,3,3", "connect:4x3,3"])
def test_it_is_exact_in_every_position(notation: str, wanted: Any) -> None:
    game = resolve(noughts.load(notation))
    states = positions(game)
    check(game, states, wanted)
    without: Any = game._replace(symmetries=None, canonical=None, preferred=(), utility_bounds=None)
    check(without, states[::-1], wanted)


@pytest.mark.parametrize(
    "seeds", [range(12), pytest.param(range(12, 400), marks=pytest.mark.long)], ids=["some", "more"]
)
@pytest.mark.parametrize("wanted", ["one", "best", "all"])
def test_it_is_exact_with_margins_double_moves_and_games_of_any_length(wanted: Any, seeds: range) -> None:
    for low, high in [(-1, 1), (0, 1), (-1, 0), (-3, 5), *RANGES]:
        for seed in seeds:
            game = resolve(graph(seed, low, high))
            check(game, positions(game), wanted)


@pytest.mark.parametrize(("notation", "moves"), [("mnk:4,3,3", "a1"), ("notakto", ""), ("connect:4x3,3", "")])
def test_what_is_proven_when_a_limit_stops_it_is_true(notation: str, moves: str) -> None:
    """From scratch, and from what was proven before: bounds hold, and the next question goes on from them."""
    game = resolve(noughts.load(notation))
    state = noughts.replay(game, moves)
    true = Memo(game).analyse(state)
    kept: Graph[Any, Any] = Graph(game, 64)
    proven = 0
    for nodes in (1, 2, 3, 5, 9, 20, 50, 100, 200, 400, 800, 1600):
        for positions in (Graph(game, 64), kept):
            for wanted in ("one", "best", "all"):
                found = prove(positions, state, Limits(nodes=nodes), wanted)
                assert found.nodes <= nodes
                assert found.stopped in ("done", "node limit")
                agrees(found, true)
                proven += found.proven and positions is kept
    assert proven > 1


@pytest.mark.parametrize("mib", [0, 0.001, 0.01, 0.1])
def test_no_more_positions_are_kept_than_fit(mib: float) -> None:
    game = resolve(noughts.load("connect:4x4"))
    positions: Graph[Any, Any] = Graph(game, mib)
    for _ in range(2):
        found = prove(positions, game.initial())
        assert (found.stopped, found.proven, len(found.choice)) == ("node limit", False, 1)
        assert positions.is_full
        assert positions.bytes <= max(mib * 2**20, 2_000)


def test_a_repeated_position_is_refused() -> None:
    game = resolve(CORRIDOR)
    with pytest.raises(EndlessGame, match=r"is repeated: at \d"):
        prove(Graph(game, 64), game.initial())


def test_a_game_longer_than_it_states_is_refused() -> None:
    """Whether its length is seen in one search, or only from what an earlier question left."""
    long = walk(30)
    long.longest = 20
    game = resolve(long)
    with pytest.raises(BrokenGame, match="more plies than the 20"):
        prove(Graph(game, 64), game.initial())
    positions: Graph[Any, Any] = Graph(game, 64)
    for left in range(5, 21):
        assert prove(positions, left).distance == left
    with pytest.raises(BrokenGame, match="more plies than the 20"):
        prove(positions, 21)


def test_long_games_do_not_meet_the_recursion_limit() -> None:
    game = resolve(walk(3_000))
    found = prove(Graph(game, 64), game.initial())
    assert (found.value, found.distance, len(found.line)) == ("loss", 3_000, 3_000)


def test_states_of_any_type_are_told_apart_by_their_contents() -> None:
    """Lists cannot be hashed, and objects are equal only to themselves: their contents count."""
    plain: Any = noughts.load("mnk:3,2,2")

    def wrapped(into: Any, out: Any) -> Any:
        functions = {
            "initial": lambda: into(plain.initial()),
            "result": lambda state, action: into(plain.result(out(state), action)),
            **{
                name: (lambda state, name=name: getattr(plain, name)(out(state)))
                for name in ("player", "actions", "terminal", "utility")
            },
        }
        return resolve(SimpleNamespace(**functions))

    known: Graph[Any, Any] = Graph(resolve(altered(plain)), 64)
    expected = prove(known, plain.initial(), wanted="all")
    for game in (
        wrapped(lambda state: [state], lambda state: state[0]),
        wrapped(lambda state: SimpleNamespace(inside=state), lambda state: state.inside),
        wrapped(lambda state: (1, [state]), lambda state: state[1][0]),
    ):
        found = prove(Graph(game, 64), game.initial(), wanted="all")
        assert found[:5] == expected[:5]
        assert found.nodes < 2 * expected.nodes + 100


def test_a_heavy_position_is_not_searched_again() -> None:
    game = resolve(noughts.load("connect:4x3,3"))
    positions: Graph[Any, Any] = Graph(game, 64)
    first = prove(positions, game.initial(), wanted="all")
    again = prove(positions, game.initial(), wanted="all")
    assert again[:7] == first[:7]
    assert again.nodes < first.nodes / 20


@pytest.mark.parametrize("player", [0, 2, None])
def test_a_broken_player_is_named(player: Any) -> None:
    game = resolve(altered(noughts.load("tic-tac-toe"), player=lambda _: player))
    with pytest.raises(BrokenGame, match="must be"):
        prove(Graph(game, 64), game.initial())


def test_threads_may_share_a_graph() -> None:
    game = resolve(noughts.load("connect:4x3,3"))
    shared: Graph[Any, Any] = Graph(game, 64)
    memo: Memo[Any, Any] = Memo(game)
    states = [state for state in positions(game, 97) if not game.terminal(state)][:40]
    true = [memo.analyse(state) for state in states]

    def ask(number: int) -> None:
        which = number * 7 % len(states)
        agrees(prove(shared, states[which], Limits(nodes=(None, 40)[number % 2]), "all"), true[which])

    with ThreadPoolExecutor(4) as pool:
        for each in [pool.submit(ask, number) for number in range(80)]:
            each.result()


@pytest.mark.parametrize("at", range(13, 24))
def test_what_another_question_finds_meanwhile_is_not_taken_for_an_unfinished_game(at: int) -> None:
    """Another thread, or a callback that asks the same, may value the action that a search is about to take."""
    game = resolve(walk(3))
    shared: Graph[Any, Any] = Graph(game, 64)
    calls = 0

    def cancel() -> bool:
        nonlocal calls
        calls += 1
        if calls == at:
            prove(shared, game.initial(), wanted="all")
        return False

    found = prove(shared, game.initial(), Limits(cancel=cancel), "all")
    assert found[SAME] == Memo(game).analyse(game.initial())[SAME]


def test_players_who_move_as_often_as_they_like_are_told_apart() -> None:
    """The same player moves again and again, in games of unequal length; and the mover at the end does not matter."""
    for player in (MAX, MIN):
        game = resolve(altered(walk(7), player=lambda _, player=player: player))
        found = prove(Graph(game, 64), game.initial())
        assert (found.value, found.distance) == ("win" if player == MAX else "loss", 7)
