"""Limits, deadlines, long games and repetition, for every search."""

import threading
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

import noughts
from noughts import MAX, MIN
from noughts.capabilities import resolve
from noughts.engine import Engine
from noughts.errors import EndlessGame
from noughts.search.answer import Answer, Bound
from noughts.search.deepening import Progress, deepening
from noughts.search.drivers import alphabeta
from noughts.search.limits import Limits
from noughts.search.mcts import mcts
from noughts.search.mtd import mtd
from noughts.search.proof import proof
from noughts.search.table import Entry, Table, entry_bytes
from tests.endless import CORRIDOR

ALL: list[Callable[..., Answer[Any]]] = [alphabeta, deepening, mtd, proof, mcts]
LARGE = "connect-four"


@pytest.mark.parametrize("search", ALL, ids=lambda search: search.__name__)
def test_limits_stop_every_search_and_it_says_why(search: Callable[..., Answer[Any]]) -> None:
    game = noughts.load(LARGE)
    answer = search(game, limits=Limits(nodes=500))
    assert (answer.stopped, answer.value, answer.proven) == ("node limit", "unknown", False)
    assert answer.nodes <= 500
    assert search(game, limits=Limits(seconds=0)).stopped == "deadline"
    calls = iter([False] * 50 + [True] * 1000)
    assert search(game, limits=Limits(cancel=lambda: next(calls))).stopped == "cancelled"


@pytest.mark.parametrize("seconds", [0, 0.001, 0.05, 0.3])
@pytest.mark.parametrize("notation", ["connect-four", "mnk:5,5,4", "ultimate", "reversi:8", "cube:4"])
def test_there_is_always_a_legal_action(notation: str, seconds: float) -> None:
    game = noughts.load(notation)
    for answer in (
        Engine(game).analyse(limits=Limits(seconds=seconds)),
        Engine(game).value(limits=Limits(seconds=seconds)),
    ):
        assert answer.choice
        assert set(answer.choice) <= set(game.actions(game.initial()))
        assert answer.line[:1] == answer.choice[:1]
        if not answer.proven:
            assert answer.value == "unknown" or answer.bound is not None
            assert answer.best == ()
            assert answer.stopped == "deadline"


def test_slow_games_keep_the_deadline_too() -> None:
    """A game whose functions take 5 ms each is stopped after few calls more; what is asserted is calls, not time."""
    calls = 0

    def slow(state: int, action: int) -> int:
        nonlocal calls
        calls += 1
        time.sleep(0.005)
        return state + action

    crawl = SimpleNamespace(
        initial=lambda: 0,
        player=lambda state: MAX if state % 2 == 0 else MIN,
        actions=lambda _: [1, 3, 5],
        result=slow,
        terminal=lambda state: state > 99,
        utility=lambda state: 1 if state % 2 else -1,
    )
    answer = noughts.value(crawl, limits=Limits(seconds=0.1))
    assert answer.choice[0] in (1, 3, 5)
    assert calls < 60


def test_the_answer_is_that_of_the_last_finished_depth() -> None:
    game = noughts.load(LARGE)
    reports: list[Progress] = []
    answer = deepening(game, limits=Limits(nodes=20_000), progress=reports.append)
    assert [report.depth for report in reports] == list(range(1, len(reports) + 1))
    assert answer.depth == reports[-1].depth
    assert tuple(str(action) for action in answer.line) == reports[-1].line
    again = alphabeta(game, limits=Limits(depth=answer.depth))
    assert answer.choice[0] in game.actions(game.initial())
    assert again.depth == answer.depth


def test_a_search_stopped_at_its_root_does_not_pass_on_what_a_shallower_one_guessed() -> None:
    """The win at once is found one ply deep, after a guess at an edge, which loses. Then the other moves are valued."""
    game = noughts.load("tic-tac-toe")
    state = noughts.replay(game, "1 3 5 6")
    exact = {each.action: each.low for each in noughts.minimax(game, state).actions}
    for nodes in range(1, 40):
        found = deepening(game, state, limits=Limits(nodes=nodes), wanted="all")
        for each in found.actions:
            score = exact[each.action]
            assert score is not None
            assert each.low is None or each.low <= score
            assert each.high is None or score <= each.high


def test_another_thread_can_cancel() -> None:
    stop = threading.Event()
    timer = threading.Timer(0.2, stop.set)
    timer.start()
    answer = Engine(resolve(noughts.load(LARGE))._replace(book=None)).analyse(limits=Limits(cancel=stop.is_set))
    timer.cancel()
    assert answer.stopped == "cancelled"
    assert answer.choice


def test_a_depth_must_be_one_at_least() -> None:
    with pytest.raises(ValueError, match="at least 1 ply"):
        noughts.analyse(noughts.load(LARGE), limits=Limits(depth=0))


def walk(length: int) -> Any:
    return SimpleNamespace(
        initial=lambda: length,
        player=lambda left: MAX if left % 2 else MIN,
        actions=lambda left: [1],
        result=lambda left, _: left - 1,
        terminal=lambda left: left == 0,
        utility=lambda left: 1,
    )


@pytest.mark.parametrize("search", [alphabeta, mtd, proof], ids=lambda search: search.__name__)
def test_long_games_do_not_meet_the_recursion_limit(search: Callable[..., Answer[Any]]) -> None:
    assert search(walk(20_000)).value == "loss"


@pytest.mark.parametrize("search", [alphabeta, mtd, proof], ids=lambda search: search.__name__)
def test_a_repeated_position_is_named(search: Callable[..., Answer[Any]]) -> None:
    with pytest.raises(EndlessGame, match=r"is repeated: at \d"):
        search(CORRIDOR)


def entry(key: Any, depth: int = 1) -> Entry:
    return Entry(key, 7, Bound.EXACT, depth, 3, key)


def test_a_table_keeps_its_size() -> None:
    """However much is put in, no more stays than fits: the memory of the entries is that asked for, or less."""
    for mib in (0.1, 1):
        table = Table(mib)
        for number in range(60_000):
            table.put(entry((1 << 70) + number))
        assert len(table) * entry_bytes(entry(1 << 70)) <= mib * 2**20
        assert len(table) > 0.3 * mib * 2**20 / entry_bytes(entry(1 << 70))


def test_a_deeper_entry_stays_and_a_newer_one_finds_room() -> None:
    table = Table(entries=2)
    table.put(entry("deep", depth=9))
    table.put(entry("new", depth=1))
    table.put(entry("newer", depth=1))
    assert table.get("deep") is not None
    assert table.get("new") is None
    assert table.get("newer") is not None
    table.put(entry("deepest", depth=10))
    assert table.get("deep") is None
    assert table.get("deepest") is not None


def test_no_value_is_returned_for_part_of_a_key() -> None:
    table = Table(entries=2, hash=lambda _: 0)
    table.put(entry(1))
    assert table.get(2) is None
