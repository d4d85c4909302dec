"""Large boards of lines through the engine: what it proves, what it plays, and what it does without numba."""

from itertools import islice
from typing import Any

import pytest

import noughts
from noughts.capabilities import resolve
from noughts.players.textbook import Textbook
from noughts.search.answer import action_between, answer_between
from noughts.search.limits import Limits
from noughts.sources import lines
from noughts.sources.question import Question
from tests.compiled.near_wins import Finder, played_at_random

FIVE: Any = noughts.load("mnk:15,15,5")


def names(game: Any, actions: Any) -> set[str]:
    return {game.action_name(action) for action in actions}


def too_large(game: Any) -> Any:
    """Return an engine that has found out already that it cannot solve the game whole."""
    engine: Any = noughts.Engine(game)
    assert not engine.solve(60)
    return engine


@pytest.fixture(params=["compiled", "interpreted"])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """An engine of five in a row, with and without numba."""
    engine = too_large(FIVE)
    if request.param == "interpreted":
        monkeypatch.setattr(lines, "available", lambda: False)
    else:
        engine.prepare()
    return engine


@pytest.mark.parametrize(
    ("notation", "centre"), [("mnk:15,15,5", "h8"), ("mnk:19,19,5", "j10"), ("mnk:20,20,5", "j10")]
)
def test_it_opens_in_the_centre_without_a_search(notation: str, centre: str) -> None:
    game: Any = noughts.load(notation)
    answer = too_large(game).ask(game.initial(), Limits(seconds=60), to_play=True)
    assert (names(game, answer.choice), answer.nodes) == ({centre}, 0)
    assert names(game, too_large(game).analyse(limits=Limits(nodes=100)).choice) == {centre}


def test_an_analysis_of_the_empty_board_goes_on_until_a_limit_stops_it(engine: Any) -> None:
    answer = engine.analyse(limits=Limits(nodes=3_000))
    assert (answer.value, answer.stopped, answer.method) == ("unknown", "node limit", "threats")
    assert 3_000 <= answer.nodes < 3_100
    assert answer.depth > 1


def test_a_win_in_3(engine: Any) -> None:
    state = noughts.replay(FIVE, "h8 a1 h9 a3 h10 a5")
    won = engine.ask(state, Limits(seconds=60), to_play=True)
    assert (won.value, won.distance, won.proven, won.method, won.stopped) == ("win", 3, True, "threats", "done")
    assert names(FIVE, won.best) == {"h7", "h11"}
    assert won.nodes < 1_000  # it stops once the choice is clear


def test_a_forced_move_takes_no_time(engine: Any) -> None:
    state = noughts.replay(FIVE, "h8 h12 h9 a3 h10 a5 h11")
    forced = engine.ask(state, Limits(seconds=60), to_play=True)
    assert names(FIVE, forced.choice) == {"h7"}
    assert sum(each.value == "loss" and each.distance == 2 for each in forced.actions) == 225 - 7 - 1
    assert forced.nodes < 1_000


@pytest.mark.usefixtures("engine")
def test_the_largest_board() -> None:
    """Wins and threats at its far edges, where cells have the highest numbers."""
    largest = too_large(noughts.load("mnk:20,20,5"))
    for position, moves, distance in [
        ("t20 a1 t19 a3 t18 a5 t17 c1", {"t16"}, 1),
        ("a1 t20 a3 s20 a5 r20 c9 q20 t1", {"p20"}, 1),
        ("r18 a1 q17 a3 p16 a5", {"o15", "s19"}, 3),
    ]:
        state = noughts.replay(largest.game, position)
        won = largest.ask(state, Limits(seconds=60), to_play=True)
        assert (won.value, won.distance, won.method) == ("win", distance, "threats")
        assert names(largest.game, won.best) <= moves
    state = noughts.replay(largest.game, "t20 a1 s19 a3 r18 a5 q17")
    forced = largest.ask(state, Limits(seconds=60), to_play=True)
    assert names(largest.game, forced.choice) == {"p16"}


def test_a_lost_player_takes_a_cell_that_matters(engine: Any) -> None:
    state = noughts.replay(FIVE, "h8 a1 h9 a3 h10 o15 h11")
    lost = engine.ask(state, Limits(seconds=60), to_play=True)
    assert (lost.value, lost.distance, lost.stopped) == ("loss", 2, "done")
    assert names(FIVE, lost.best) <= {"h7", "h12"}
    assert len(engine.value(state, limits=Limits(nodes=20_000)).best) == 1


def test_a_cancelled_question_is_answered(engine: Any) -> None:
    answer = engine.analyse(noughts.replay(FIVE, "h8 g9"), limits=Limits(cancel=lambda: True))
    assert (answer.stopped, len(answer.choice)) == ("cancelled", 1)


def test_the_player_says_how_far_it_looked() -> None:
    player: Any = Textbook(FIVE, limits=Limits(nodes=20_000))
    assert player.choose(noughts.replay(FIVE, "h8 g9")) in FIVE.actions(noughts.replay(FIVE, "h8 g9"))
    assert "moves ahead" in player.caveat


def test_misere_and_small_boards_are_not_searched_by_threats() -> None:
    for notation in ("mnk:19,19,5,misere", "mnk:5,5,4", "connect:12x12"):
        game: Any = noughts.load(notation)
        assert not lines.LineSearch.fits(noughts.Engine(game).game)


def test_draws_are_proven_by_pairings() -> None:
    game: Any = noughts.load("mnk:6,6,5")
    engine = too_large(game)
    answer = engine.analyse(limits=Limits(nodes=100_000))
    assert (answer.value, answer.proven, answer.method, answer.stopped) == ("draw", True, "pairings", "done")
    assert len(answer.best) == 36
    one = engine.value(limits=Limits(nodes=100_000))
    assert (one.value, one.method, len(one.best)) == ("draw", "pairings", 1)
    played = engine.ask(game.initial(), Limits(nodes=20_000), to_play=True)
    assert played.method != "pairings"


@pytest.mark.long
@pytest.mark.parametrize(("notation", "nodes"), [("mnk:7,7,5", 1_000_000), ("mnk:8,4,4", 10_000_000)])
def test_larger_boards_are_proven_drawn(notation: str, nodes: int) -> None:
    game: Any = noughts.load(notation)
    answer = noughts.Engine(game).value(limits=Limits(nodes=nodes))
    assert (answer.value, answer.proven, answer.method) == ("draw", True, "pairings")


@pytest.mark.parametrize(
    ("notation", "number"),
    [
        ("mnk:6,6,5", 20),
        ("mnk:15,15,5", 20),
        *(pytest.param(f"mnk:{size},{size},5", 400, marks=pytest.mark.long) for size in (8, 9, 10, 15, 19)),
    ],
)
def test_the_player_overlooks_no_near_win(notation: str, number: int) -> None:
    """It takes a win within 5 plies, the fastest one, and prevents the opponent's next line, or a win in 3."""
    game: Any = noughts.load(notation)
    finder, player = Finder(game), Textbook(noughts.Engine(game), limits=Limits(nodes=20_000))
    seen: dict[str, int] = {}
    for state in islice(played_at_random(game, 7, 8, near=True), number):
        why, right = finder.right(*finder.sides(state))
        if why:
            assert {1 << cell - 1 for cell in player.judge(state).choice} <= right, (why, game.diagram(state))
            seen[why] = seen.get(why, 0) + 1
    assert sum(seen.values()) > number // 4, seen


def test_a_guess_that_is_known_to_lose_gives_way() -> None:
    """A kernel may look deeper and like an action that the search of threats has proven lost."""
    game: Any = resolve(noughts.load("mnk:6,6,5"))
    question: Any = Question(game, game.initial(), "all", Limits())
    lost = game.scale.score(-1, 6)
    rows = [action_between(cell, None, lost if cell == 8 else None, game.scale) for cell in range(1, 37)]
    for guess, depth, known in (((9,), 5, rows), ((8,), 7, [])):
        answer = answer_between(
            known,
            None,
            None,
            scale=game.scale,
            method="",
            nodes=0,
            seconds=0,
            stopped="deadline",
            guess=guess,
            depth=depth,
        )
        question.add(answer)
    assert question.answer().choice == (9,)


def test_boards_with_a_kernel_are_searched_by_threats_too() -> None:
    game: Any = noughts.load("mnk:6,6,5")
    engine: Any = noughts.Engine(game)
    engine.prepare()
    assert [type(each).__name__ for each in engine._sources.compiled if each.is_loaded] == ["DeepSearch", "LineSearch"]
    won = engine.ask(noughts.replay(game, "b2 a1 c2 a3 d2 a5"), Limits(seconds=60), to_play=True)
    assert (won.value, won.distance, won.proven, won.method) == ("win", 3, True, "threats")
