"""Games in which positions can repeat, asked in every way: nothing that is called proven may be wrong."""

import itertools
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

import noughts
from noughts import MAX, MIN, Engine, Limits
from noughts.capabilities import resolve
from noughts.errors import BrokenGame, EndlessGame
from noughts.players.textbook import Textbook
from noughts.search.deepening import deepening
from noughts.search.drivers import Options, alphabeta
from noughts.search.graph import Graph
from noughts.search.mcts import mcts
from noughts.search.memo import Memo
from noughts.search.mtd import mtd
from noughts.search.proof import proof
from noughts.search.prove import prove
from tests.endless import CORRIDOR, by_brute_force, check_claims, example, random_graph
from tests.helpers import altered, every_state, in_the_long_run

NODES = (1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 400, 5_000)


def searches(game: Any) -> dict[str, Callable[[Any, Limits], Any]]:
    """Return everything that answers, each with what it remembers from one question to the next."""
    offers = resolve(game)
    graph, memo = Graph(offers, 1), Memo(offers)
    engine = Engine(game)
    return {
        "engine": lambda state, limits: engine.analyse(state, limits=limits),
        "value": lambda state, limits: engine.value(state, limits=limits),
        "fresh engine": lambda state, limits: Engine(game).analyse(state, limits=limits),
        "prove": lambda state, limits: prove(graph, state, limits, "all"),
        "memo": memo.analyse,
        "proof": lambda state, limits: proof(game, state, limits=limits),
        "mcts": lambda state, limits: mcts(game, state, limits=limits._replace(nodes=limits.nodes or 300)),
        "alphabeta": lambda state, limits: alphabeta(game, state, limits=limits, wanted="all"),
        "deepening": lambda state, limits: deepening(game, state, limits=limits, wanted="all"),
        "ahead": lambda state, limits: deepening(
            game, state, limits=limits, wanted="all", options=Options(endless=True)
        ),
        "mtd": lambda state, limits: mtd(game, state, limits=limits, wanted="all"),
    }


def limits_to_try(random_part: int) -> list[Limits]:
    """Return node limits, depth limits, and some of both."""
    few = [Limits(nodes=nodes) for nodes in NODES]
    deep = [Limits(nodes=20_000, depth=depth) for depth in (1, 2, 3, 4, 6, 9)]
    return [*few[random_part % 3 :: 3], *deep[random_part % 2 :: 2]]


@pytest.mark.parametrize("part", in_the_long_run(range(8), all_but=[0, 1]))
def test_no_search_claims_what_is_not_true(part: int) -> None:
    """Searches that keep tables are asked about all positions, so that what they remember is used on other paths."""
    proven = refused = 0
    for seed in range(10 * part, 10 * part + 10):
        game = random_graph(seed, most=9)
        scores = by_brute_force(game)
        asked = searches(game)
        for limits, state in itertools.product(limits_to_try(seed), every_state(game)):
            for name, search in asked.items():
                if limits.depth is not None and name in ("prove", "memo", "proof", "mcts"):
                    continue
                try:
                    answer = search(state, limits)
                except EndlessGame:
                    assert name not in ("engine", "value", "fresh engine", "ahead", "mcts"), name
                    assert limits.depth is None
                    refused += 1
                    continue
                check_claims(game, state, answer, scores)
                proven += answer.proven
    assert proven > 500
    assert refused > 50


@pytest.mark.parametrize("name", ["three_mens_morris", "dodgem"])
def test_an_engine_with_few_nodes_claims_nothing_wrong_about_the_examples(name: str) -> None:
    game = example(name)
    scores = by_brute_force(game)
    for number, state in enumerate(every_state(game)[::97]):
        nodes = (10, 40, 200, 700)[number % 4]
        check_claims(game, state, Engine(game).analyse(state, limits=Limits(nodes=nodes)), scores)
        check_claims(game, state, Engine(game).analyse(state, limits=Limits(nodes=5_000, depth=4)), scores)


def test_the_engine_solves_a_game_once_and_looks_up_the_rest() -> None:
    game, results = example("three_mens_morris"), [0]

    def result(state: Any, action: Any) -> Any:
        results[0] += 1
        return game.result(state, action)

    counting = altered(game, result=result, offering=["symmetries"])
    engine = Engine(counting)
    assert engine.analyse().value == "win"
    assert engine.knows(noughts.replay(game, "1"))
    before = results[0]
    assert engine.value(noughts.replay(game, "1 5 2")).proven
    assert results[0] - before < 100
    assert engine.bytes > 10_000
    engine.forget()
    assert not engine.knows(noughts.replay(game, "1"))
    assert engine.analyse().value == "win"


def test_an_engine_is_prepared_by_solving_the_game_however_little_time_a_move_may_take() -> None:
    """A perfect player in a hurry looked ahead instead, and gave this won game away."""
    game = example("three_mens_morris")
    engine = Engine(game)
    assert not engine.analyse(limits=Limits(nodes=700)).proven
    engine.prepare(Limits(seconds=1e-6))
    assert engine.knows(game.initial())
    assert Textbook(engine).choose(game.initial()) == 5


def test_a_failed_attempt_is_not_repeated() -> None:
    """Once a position has been met again, the searches that refuse such games are not asked any more."""
    game, calls = example("dodgem"), [0]

    def actions(state: Any) -> Any:
        calls[0] += 1
        return game.actions(state)

    engine = Engine(altered(game, actions=actions))
    few = Limits(nodes=40)
    engine.analyse(limits=few)
    costs = []
    for _ in range(3):
        before = calls[0]
        engine.analyse(limits=few)
        costs.append(calls[0] - before)
    assert max(costs) <= 3 * 40


@pytest.mark.parametrize("search", [alphabeta, deepening, mtd, proof, noughts.minimax], ids=lambda each: each.__name__)
def test_the_searches_of_the_textbook_refuse_and_name_what_answers(search: Callable[..., Any]) -> None:
    with pytest.raises(EndlessGame, match=r"noughts\.analyse") as refused:
        search(CORRIDOR)
    assert "\n" not in str(refused.value)
    assert noughts.analyse(CORRIDOR).proven


def growing(steps: list[int]) -> Any:
    """Return a game whose state is a number that grows for ever."""
    return SimpleNamespace(
        initial=lambda: 0,
        player=lambda n: MAX if n % 2 == 0 else MIN,
        actions=lambda _: steps,
        result=lambda n, step: n + step,
        terminal=lambda _: False,
        utility=lambda _: 0,
    )


def test_a_game_that_grows_for_ever_is_stopped_by_limits() -> None:
    for limits in (Limits(nodes=2_000), Limits(seconds=0.3)):
        answer = noughts.analyse(Engine(growing([1, 2])), limits=limits)
        assert (answer.value, answer.proven) == ("unknown", False)
        assert answer.stopped == ("deadline" if limits.nodes is None else "node limit")
        assert answer.guess


def test_a_range_without_a_draw_does_not_go_with_endless_play() -> None:
    game = altered(CORRIDOR, utility_range=(1, 2), utility=lambda place: 2 if place else 1)
    with pytest.raises(BrokenGame, match=r"endless play counts 0, which is not within utility_range \(1, 2\)"):
        noughts.analyse(game)


def test_a_copy_of_an_engine_and_a_small_game_are_solved_too() -> None:
    engine = Engine(CORRIDOR)
    assert engine.solve(10)
    assert engine.knows(2)
    again = Engine(CORRIDOR)
    again.prepare()
    assert again.value().proven
