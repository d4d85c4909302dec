"""Large boards of lines through the engine: what it proves, what it plays, and what it does without numba."""

from typing import Any

import pytest

import noughts
from noughts.search.limits import Limits


def names(game: Any, actions: Any) -> set[str]:
    return {game.action_name(action) for action in actions}


@pytest.mark.parametrize(("notation", "centre"), [("mnk:15,15,5", "h8"), ("mnk:19,19,5", "j10"), ("mnk:9,7,5", "e4")])
def test_it_opens_in_the_centre_at_once(notation: str, centre: str) -> None:
    game: Any = noughts.load(notation)
    answer = noughts.Engine(game).analyse(limits=Limits(nodes=100))
    assert names(game, answer.choice) == {centre}


@pytest.mark.parametrize("numba", [True, False])
def test_a_win_in_3_and_a_forced_move(numba: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not numba:
        monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    game: Any = noughts.load("mnk:15,15,5")
    engine = noughts.Engine(game)
    engine.prepare()
    won = engine.analyse(noughts.replay(game, "h8 a1 h9 a3 h10 a5"), limits=Limits(seconds=30))
    assert (won.value, won.distance, won.proven, won.method) == ("win", 3, True, "threats")
    assert names(game, won.best) == {"h7", "h11"}
    forced = engine.analyse(noughts.replay(game, "h8 h12 h9 a3 h10 a5 h11"), limits=Limits(seconds=30))
    assert names(game, forced.choice) == {"h7"}
    assert sum(each.value == "loss" and each.distance == 2 for each in forced.actions) == 225 - 7 - 1


def test_draws_are_proven_by_pairings() -> None:
    game: Any = noughts.load("mnk:6,6,5")
    answer = noughts.Engine(game).analyse()
    assert (answer.value, answer.proven, answer.method) == ("draw", True, "pairings")
    assert len(answer.best) == 36
