"""Kernels within limits, interrupted, and by several threads."""

import json
import os
import re
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

import pexpect
import pytest

import noughts
from noughts.capabilities import resolve
from noughts.compiled.found import Running
from noughts.compiled.solver import Solver
from noughts.engine import Engine
from noughts.search.answer import Answer
from noughts.search.deepening import Progress
from noughts.search.limits import Limits
from noughts.sources.kernel import NativeSearch
from noughts.sources.native import kernel
from tests.compiled.positions import exact, in_stones, listed, native
from tests.helpers import TIMEOUT, process_seconds, until

LARGE = "connect-four"
"""From its empty board, a search that takes too long for a test."""

FIRST_COLUMNS = ("loss", "loss", "draw", "win", "draw", "loss", "loss")
"""The value of each first move in Connect Four (Allis 1988)."""

RANK: dict[str, int] = {"loss": -1, "draw": 0, "win": 1}


def new(threads: int = 1) -> NativeSearch[Any, Any]:
    """Return a search of a large game with an empty table."""
    return NativeSearch(noughts.load(LARGE), table_mib=16, threads=threads)


def honest(answer: Answer[Any], game: Any, stopped: str, wanted: str = "all") -> None:
    """Check that a stopped search claims no value, guesses a legal action, and is right about what it has proven."""
    assert (answer.stopped, answer.value, answer.proven, answer.method) == (stopped, "unknown", False, "kernel")
    assert (answer.distance, answer.score, answer.margin) == (None, None, None)
    legal = list(game.actions(game.initial()))
    assert answer.best == ()
    assert answer.guess
    assert set(answer.guess) <= set(legal)
    assert answer.line[:1] == answer.guess[:1]
    assert [each.action for each in answer.actions] == (legal if wanted == "all" else [])
    for each, truth in zip(answer.actions, FIRST_COLUMNS, strict=False):
        assert_true(each.value, "exact" if each.exact else each.bound, truth)


def assert_true(value: str, bound: str | None, truth: str) -> None:
    """Check a value that is exact, a bound, or unknown (no bound at all)."""
    if bound is None:
        assert value == "unknown"
    elif bound == "exact":
        assert value == truth
    else:
        low, high = (value, truth) if bound == "lower" else (truth, value)
        assert RANK[low] <= RANK[high]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("wanted", ["all", "one"])
def test_every_limit_stops(threads: int, wanted: Any) -> None:
    asked = new(threads)
    start = asked.game.initial()
    honest(asked.ask(start, Limits(seconds=0.5), wanted), asked.game, "deadline", wanted)
    limited = asked.ask(start, Limits(nodes=100_000), wanted)
    honest(limited, asked.game, "node limit", wanted)
    assert 50_000 <= limited.nodes <= 100_000 * threads
    calls = iter([False] * 5 + [True] * 1000)
    honest(asked.ask(start, Limits(cancel=lambda: next(calls)), wanted), asked.game, "cancelled", wanted)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("notation", ["mnk:5,5,4", "connect:5x4"])
def test_limits_stop_in_every_game(notation: str, threads: int) -> None:
    """The return value of a stopped kernel is not used as a score, in games of any length."""
    asked: NativeSearch[Any, Any] = NativeSearch(noughts.load(notation), table_mib=1, threads=threads)
    start = asked.game.initial()
    for nodes in (1, 2, 10, 20):
        answer = asked.ask(start, Limits(nodes=nodes))
        assert (answer.stopped, answer.proven) == ("node limit", False)
        assert answer.choice[0] in asked.game.actions(start)
        assert asked.solver.solve(asked.pack(start), limits=Limits(nodes=nodes)).stopped == "node limit"
    assert asked.solver.solve(asked.pack(start), limits=Limits(cancel=lambda: True)).stopped == "cancelled"
    assert asked.ask(start, wanted="one").value == "draw"


@pytest.mark.parametrize("limits", [Limits(seconds=0), Limits(nodes=1), Limits(nodes=0), Limits(cancel=lambda: True)])
def test_no_budget_at_all(limits: Limits) -> None:
    asked = new()
    answer = asked.ask(asked.game.initial(), limits)
    assert not answer.proven
    assert answer.stopped in ("deadline", "node limit", "cancelled")
    assert answer.choice[0] in asked.game.actions(asked.game.initial())


def test_the_functions_take_the_same_limits() -> None:
    game = resolve(noughts.load(LARGE))._replace(book=None)
    honest(kernel(game, limits=Limits(seconds=0.2), wanted="all"), game, "deadline")
    answer = Engine(game).analyse(limits=Limits(seconds=1.5))
    assert (answer.stopped, answer.proven) == ("deadline", False)
    assert answer.choice[0] in game.actions(game.initial())
    stop = threading.Event()
    timer = threading.Timer(1, stop.set)
    timer.start()
    answer = Engine(game).analyse(limits=Limits(cancel=stop.is_set))
    timer.cancel()
    assert (answer.stopped, answer.proven) == ("cancelled", False)
    assert answer.choice[0] in game.actions(game.initial())


def test_what_was_stopped_can_be_asked_again() -> None:
    """A search stopped at any node leaves nothing wrong in the table: in the end, the score is right."""
    moves, score = listed("connect_four_middle.txt")[4]
    asked = new()
    position = asked.pack(noughts.replay(asked.game, moves))
    stops = 0
    for nodes in (1, 2, 3, 10, 50, 200, 999, 1500, 3000, 5000, 7777):
        found = asked.solver.solve(position, limits=Limits(nodes=nodes))
        assert in_stones(found.low) <= score <= in_stones(found.high)
        if found.stopped == "node limit":
            stops += 1
        else:
            assert in_stones(found.low) == score
    assert stops >= 5
    assert in_stones(exact(asked.solver, position)) == score


def test_what_is_known_when_it_is_stopped_is_true() -> None:
    """Stopped between two actions: exact values and bounds agree with a complete search."""
    game = noughts.load(LARGE)
    some = 0
    for moves, _ in listed("connect_four_middle.txt")[:12]:
        state = noughts.replay(game, moves)
        truth = native(LARGE).ask(state)
        for nodes in (300, 3_000, 20_000):
            answer = new().ask(state, Limits(nodes=nodes))
            if answer.proven:
                assert answer[:5] == truth[:5]
                continue
            exact = [(said, true) for said, true in zip(answer.actions, truth.actions, strict=True) if said.exact]
            assert all(said == true for said, true in exact)
            assert (answer.value == "unknown") == (answer.bound is None)
            if answer.bound is not None:
                assert_true(answer.value, answer.bound, truth.value)
            some += 0 < len(exact) < len(truth.actions)
    assert some


def test_progress_is_reported() -> None:
    asked = new()
    told: list[Progress] = []

    def enough() -> bool:
        return len(told) > 3 and told[-1].nodes > told[0].nodes

    assert asked.ask(asked.game.initial(), Limits(cancel=enough), progress=told.append).stopped == "cancelled"
    assert len(told) > 3
    nodes = [each.nodes for each in told]
    assert nodes == sorted(nodes)
    assert nodes[-1] > nodes[0]
    assert told[-1].depth > 0
    assert all(len(each.window) == 2 for each in told)
    (low, _), (high, _) = told[-1].window
    assert RANK[low] <= RANK[high]
    running: list[Running] = []
    found = new().solver.solve(asked.pack(asked.game.initial()), limits=Limits(seconds=0.3), progress=running.append)
    assert found.stopped == "deadline"
    assert all(each.low < each.high for each in running[1:])


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_leaves_no_thread_behind(threads: int) -> None:
    """A KeyboardInterrupt in the main thread is passed on, after the search has ended."""
    asked = new(threads)
    assert asked.solver.threads == threads
    before = threading.active_count()
    started = time.perf_counter()

    def interrupt(_: Progress) -> None:
        if time.perf_counter() - started > 0.2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        asked.ask(asked.game.initial(), progress=interrupt)
    assert threading.active_count() == before
    nodes = asked.solver.nodes
    time.sleep(0.1)
    assert asked.solver.nodes == nodes


def test_an_error_in_a_thread_is_raised_and_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The caller gets the error; it does not wait as if the search were still running."""
    asked = new()
    position = asked.pack(asked.game.initial())

    def fail(*_: Any) -> int:
        raise MemoryError("no more")

    monkeypatch.setattr(Solver, "run", fail)
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    with pytest.raises(MemoryError):
        asked.solver.solve(position, limits=Limits(seconds=3))


def test_control_c_gives_an_answer_at_once(noughts_command: str, clean_env: dict[str, str], kernel_cache: Path) -> None:
    """On a terminal, while the live line is shown."""
    assert native(LARGE).solver.bytes  # compiled by now
    child = pexpect.spawn(
        noughts_command,
        ["analyse", LARGE, "--method", "kernel", "--seconds", "0"],
        env=clean_env,
        encoding="utf-8",
        timeout=TIMEOUT,
        dimensions=(40, 160),
    )
    child.expect(r"depth \d+, [\d,]+ nodes, [\d,]+ nodes/s, \w")
    child.sendintr()
    child.expect("stopped by Ctrl-C", timeout=TIMEOUT)
    said = child.before or ""
    assert re.search(r"Not known\. A guess[^:]*: \d", said)
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_control_c_of_a_script_gives_json(noughts_command: str, clean_env: dict[str, str]) -> None:
    assert native(LARGE).solver.bytes
    process = subprocess.Popen(
        [noughts_command, "analyse", LARGE, "--method", "kernel", "--json", "--seconds", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=clean_env,
    )
    until(lambda: process_seconds(process.pid) > 3)
    process.send_signal(2)
    out, err = process.communicate(timeout=TIMEOUT)
    assert (process.returncode, err) == (0, b"")
    facts = json.loads(out)
    assert (facts["stopped"], facts["value"], facts["method"]) == ("cancelled", "unknown", "kernel")
    assert facts["best"] == []
    assert facts["guess"]


def test_two_threads_answer_as_one_does() -> None:
    """Positions that take long enough for two threads, asked repeatedly, and again with an empty table."""
    two = Solver(native(LARGE).rules, table_mib=16, threads=2)
    opening = sorted(listed("connect_four_opening.txt"), key=lambda each: -len(each[0]))[:6]
    lines = opening + listed("connect_four_middle.txt")[::6]
    assert len(lines) == 40
    game = noughts.load(LARGE)
    for _ in range(2):
        for moves, score in lines:
            position = native(LARGE).pack(noughts.replay(game, moves))
            assert in_stones(exact(two, position)) == score, moves
        two.forget()


@pytest.mark.long
@pytest.mark.parametrize("threads", [2, 3, 8])
def test_many_threads_answer_as_one_does(threads: int) -> None:
    """All listed positions of the opening, several times, through a table that is too small as well."""
    game = noughts.load(LARGE)
    for entries in (1 << 21, 5_001):
        many = Solver(native(LARGE).rules, entries=entries, threads=threads)
        for _ in range(3):
            for moves, score in listed("connect_four_opening.txt")[:: 1 if entries > 10_000 else 5]:
                position = native(LARGE).pack(noughts.replay(game, moves))
                assert in_stones(exact(many, position)) == score, moves
            many.forget()


@pytest.mark.parametrize("notation", ["mnk:5,5,4", "connect:5x4", "cube:3"])
def test_two_threads_from_the_start_of_a_game(notation: str) -> None:
    one = native(notation)
    start = one.pack(one.game.initial())
    two = Solver(one.rules, threads=2)
    for _ in range(3):
        assert exact(two, start) == exact(one.solver, start)
        two.forget()


def test_threads_by_default_are_as_many_as_cores() -> None:
    assert Solver(native(LARGE).rules, table_mib=1, threads=None).threads == os.cpu_count()


@pytest.mark.parametrize("threads", [1, 2])
def test_a_short_search_starts_no_thread(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """It runs in the thread that asks, also while another short search runs."""
    asked = new(threads)
    position = asked.pack(noughts.replay(asked.game, "444444222222333"))
    score = exact(native(LARGE).solver, position)
    monkeypatch.setattr("noughts.compiled.threads.Thread", None)
    assert exact(asked.solver, position) == score
    assert asked.solver.solve(asked.pack(asked.game.initial()), limits=Limits(nodes=5_000)).stopped == "node limit"


@pytest.mark.parametrize("threads", [1, 2])
def test_a_cancel_or_a_deadline_stops_before_any_thread_starts(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first, short search is limited by nodes alone; a deadline that has passed at its end still counts."""
    asked = new(threads)
    start = asked.pack(asked.game.initial())
    monkeypatch.setattr("noughts.compiled.threads.Thread", None)
    assert asked.solver.solve(start, limits=Limits(seconds=1e-6)).stopped == "deadline"
    calls = iter([False, True])
    assert asked.solver.solve(start, limits=Limits(cancel=lambda: next(calls))).stopped == "cancelled"
