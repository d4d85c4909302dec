"""Retrograde analysis against brute force, on whole games in which positions repeat."""

from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

import noughts
from noughts import MAX, MIN, Limits
from noughts.capabilities import resolve
from noughts.errors import BrokenGame
from noughts.search.deepening import Progress
from noughts.search.limits import Budget
from noughts.search.retrograde import Retrograde
from tests.endless import CORRIDOR, by_brute_force, check_claims, example, random_graph
from tests.helpers import altered, every_state


@pytest.mark.parametrize("hundred", range(3))
def test_random_graphs_are_valued_as_by_brute_force(hundred: int) -> None:
    """Whatever is asked first: the positions come in random order, and each answer uses those before."""
    for seed in range(100 * hundred, 100 * hundred + 100):
        game = random_graph(seed)
        scores, states = by_brute_force(game), every_state(game)
        Random(seed).shuffle(states)
        solved: Retrograde[Any, Any] = Retrograde(resolve(game))
        for state in states:
            answer = solved.answer(state)
            assert solved.score(state) == scores[state], seed
            assert answer.proven
            check_claims(game, state, answer, scores)


@pytest.mark.parametrize(
    ("name", "symmetric"),
    [(name, symmetric) for name in ("three_mens_morris", "king_and_rook") for symmetric in (True, False)]
    + [("dodgem", False)],
)
def test_examples_are_valued_as_by_brute_force(name: str, symmetric: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    game = example(name)
    if name == "king_and_rook":
        monkeypatch.setattr(game, "SIZE", 4)
    offers = resolve(game)
    assert offers.has_symmetry == (name != "dodgem")
    if not symmetric:
        offers = offers._replace(symmetries=None)
    solved: Retrograde[Any, Any] = Retrograde(offers)
    solved.solve(game.initial(), Budget())
    scores = by_brute_force(game)
    assert {
        key: solved.score(state) for key, state in ((offers.key(each), each) for each in every_state(game))
    } == scores


def test_games_that_end_are_valued_as_by_minimax() -> None:
    """Whoever moves, and where margins count: the oracle is plain minimax."""
    for notation in ("mnk:3,2,2", "nim:1,2,3", "connect:3x3,3", "notakto:1", "wild"):
        game: Any = noughts.load(notation)
        start = noughts.replay(game, "1x 2x 4o") if notation == "wild" else game.initial()
        solved: Retrograde[Any, Any] = Retrograde(resolve(game))
        for state in every_state(game, start)[:300]:
            answer, oracle = solved.answer(state), noughts.minimax(game, state)
            assert (answer.score, answer.best, answer.actions) == (oracle.score, oracle.best, oracle.actions)


def test_a_line_of_best_play_ends_with_the_game_or_where_a_position_repeats() -> None:
    game = example("three_mens_morris")
    won = noughts.analyse(game)
    assert (won.value, won.distance, won.best, won.endless) == ("win", 9, (5,), False)
    assert won.line_complete
    assert len(won.line) == won.distance
    drawn = noughts.analyse(game, noughts.replay(game, "1"))
    assert (drawn.value, drawn.endless, drawn.line_complete) == ("draw", True, False)
    state, seen = noughts.replay(game, "1"), []
    for action in drawn.line:
        seen.append(state)
        assert noughts.analyse(game, state).value == "draw"
        state = game.result(state, action)
    assert state in seen


def test_what_a_limit_stops_goes_on_where_it_was_stopped() -> None:
    solved: Retrograde[Any, Any] = Retrograde(resolve(example("dodgem")))
    start = example("dodgem").initial()
    whole: Retrograde[Any, Any] = Retrograde(resolve(example("dodgem")))
    nodes = whole.answer(start).nodes
    for _ in range(nodes // 100):
        answer = solved.answer(start, Limits(nodes=100))
        assert (answer.stopped, answer.nodes, answer.proven) == ("node limit", 100, False)
        assert solved.bytes > 0
    assert solved.answer(start, Limits(nodes=nodes % 100)).score == whole.answer(start).score
    assert solved.answer(start, Limits(nodes=0)).proven


def test_it_can_be_cancelled_and_says_how_far_it_is() -> None:
    told: list[Progress] = []
    solved: Retrograde[Any, Any] = Retrograde(resolve(example("three_mens_morris")))
    start = example("three_mens_morris").initial()
    assert solved.answer(start, Limits(cancel=lambda: bool(told)), progress=told.append).stopped == "cancelled"
    assert solved.answer(start, Limits(seconds=0)).stopped == "deadline"
    assert solved.answer(start, progress=told.append).proven
    assert [each.nodes for each in told] == sorted(each.nodes for each in told)


def test_it_gives_up_for_good_on_a_game_of_too_many_positions() -> None:
    calls = []

    def grow(state: int, step: int) -> int:
        calls.append(state)
        return state + step

    growing = SimpleNamespace(
        initial=lambda: 0,
        player=lambda n: MAX if n % 2 == 0 else MIN,
        actions=lambda _: [1, 2],
        result=grow,
        terminal=lambda _: False,
        utility=lambda _: 0,
    )
    solved: Retrograde[Any, Any] = Retrograde(resolve(growing), 1_000)
    assert solved.answer(0).stopped == "node limit"
    assert solved.is_too_large
    assert solved.bytes == 0
    tried = len(calls)
    assert solved.answer(0).stopped == "node limit"
    assert len(calls) == tried


def test_a_game_that_takes_longer_than_it_states_is_refused() -> None:
    far = altered(CORRIDOR, player=lambda _: MAX, initial=lambda: 1)
    assert Retrograde(resolve(far)).answer(1).distance == 4
    with pytest.raises(BrokenGame, match="more plies than the 3 that it states"):
        Retrograde(resolve(altered(far, longest=3))).answer(1)
