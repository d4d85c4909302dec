"""The games that a worker keeps in memory: limited by their size, not by their number."""

import random
import tracemalloc
from collections import Counter
from typing import Any

import pytest

import noughts
from noughts.search.limits import Limits
from noughts.web import handlers as handlers_module
from noughts.web.handlers import Handlers, ServedGame
from tests.web.test_pool import asked

SMALL_GAMES = (
    *("tic-tac-toe", "misere", "notakto"),
    *("mnk:3,3,3", "mnk:3,3,3,misere", "mnk:3,2,2", "mnk:4,2,3", "mnk:3,3,2", "mnk:3,3,3,torus"),
    *("nim:3,4,5", "nim:3,4,5,misere", "nim:1,3,5,7"),
    *("connect:3x3,3", "connect:4x3,3", "connect:3x4,3"),
)


@pytest.fixture
def set_up(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count how often each game is set up."""
    times: Counter[str] = Counter()
    make = Handlers.game

    def noted(self: Handlers, name: str) -> Any:
        times[name] += 1
        return make(self, name)

    monkeypatch.setattr(Handlers, "game", noted)
    return times


def analysed(answers: Handlers, game: str, **limits: Any) -> Any:
    reply = answers.answer("analyse", asked("analyse", game, **limits).values)
    assert reply.status == 200
    return reply


def test_fifteen_small_games_in_turn_do_not_thrash_the_quick_queue(set_up: Counter[str]) -> None:
    """Each is set up, and solved, once."""
    assert len(SMALL_GAMES) == 15
    answers, chance = Handlers(), random.Random(1)
    for _ in range(4):
        for game in chance.sample(SMALL_GAMES, 15):
            assert analysed(answers, game).small
    assert set_up == dict.fromkeys(SMALL_GAMES, 1)


def test_games_stay_cached_while_there_is_memory(monkeypatch: pytest.MonkeyPatch, set_up: Counter[str]) -> None:
    answers = Handlers()
    for game in SMALL_GAMES[:4]:
        analysed(answers, game)
    sizes = {game: served.bytes for game, served in answers._served.items()}
    monkeypatch.setattr(handlers_module, "MOST_BYTES", sum(sizes.values()))
    analysed(answers, SMALL_GAMES[0])
    analysed(answers, "nim:1,2")
    assert list(answers._served) == [*SMALL_GAMES[2:4], SMALL_GAMES[0], "nim:1,2"], (
        "the least recently used game was dropped"
    )
    assert answers._bytes == sum(served.bytes for served in answers._served.values())
    monkeypatch.setattr(handlers_module, "MOST_BYTES", 1)
    analysed(answers, "misere")
    assert list(answers._served) == ["misere"], "the most recent game is always kept"
    assert set_up["misere"] == 2


@pytest.mark.parametrize("game", ["tic-tac-toe", "connect:4x3,3", "nim:9,8,7", "notakto"])
def test_the_memory_of_a_game_is_measured(game: str) -> None:
    served = ServedGame(lambda: noughts.load(game))
    tracemalloc.start()
    try:
        assert served.engine.solve(60.0)
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert taken / 2 < served.engine.bytes < 5 * taken, "the estimate includes small integers, which Python shares"


def test_the_memory_of_explanations_and_tables_is_measured_too() -> None:
    served = ServedGame(lambda: noughts.load("mnk:4,4,4"))
    assert served.engine.bytes < 2**16
    served.engine.ask(served.game.initial(), Limits(nodes=3_000))
    assert 2**24 < served.engine.bytes < 2**26, "the size of its table when full"
    before = served.grown()
    assert served.grown() == 0
    noughts.explain(served.engine, noughts.replay(served.game, "1 2 3 4 5 6 7 8 9 10"), limits=Limits(nodes=50_000))
    assert served.grown() > 0
    assert before > 0


def test_a_game_is_small_only_if_one_question_solves_it() -> None:
    """Several questions together have searched more than one may: a fresh worker could not answer as quickly."""
    answers = Handlers()
    for _ in range(3):
        assert not analysed(answers, "connect:6x2,3").small


def test_a_question_with_tight_limits_does_not_decide_whether_a_game_is_small() -> None:
    answers = Handlers()
    assert not analysed(answers, "tic-tac-toe", nodes=20).small
    assert not analysed(answers, "tic-tac-toe", seconds=0.5).small
    assert analysed(answers, "tic-tac-toe").small


def test_a_cancelled_question_does_not_decide_whether_a_game_is_small() -> None:
    answers = Handlers()
    answers.answer("analyse", asked("analyse", "tic-tac-toe").values, cancel=lambda: True)
    assert analysed(answers, "tic-tac-toe").small
