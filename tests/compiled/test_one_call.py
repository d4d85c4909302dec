"""Questions that a kernel answers in one native call, against the same questions asked child by child.

A question with a `progress` callback is asked child by child and ply by ply, so both ways are at hand.
"""

from functools import cache
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

import noughts
from noughts.compiled import layout, tasks
from noughts.compiled.solver import FIRST_NODES, Solver
from noughts.search.answer import Answer
from noughts.search.limits import Limits
from noughts.search.memo import Memo
from noughts.sources.kernel import NativeSearch
from noughts.sources.kernel_question import KernelQuestion
from tests.compiled.positions import native, random_states, solved
from tests.helpers import in_the_long_run

DOMINEERING = str(Path(__file__).parents[2] / "examples" / "domineering.py")

SMALL = {"tic-tac-toe": 120, "misere": 120, "connect:4x4": 80, "mnk:4,3,3": 80}
"""How many positions of each game are compared with the truth about all its positions."""

LATE = {"connect:5x4": (8, 19), "mnk:4,4,4": (8, 15), "connect:5x4,3": (3, 12), "mnk:4,4,4,misere": (8, 15)}
LARGE = {"connect-four": (16, 41), "cube:3": (4, 20), "mnk:5,5,4": (10, 24), DOMINEERING: (4, 12)}
"""After how many plies, at least and at most, positions are asked about; most of them to one move before the end."""

SIGN = {"win": 1, "draw": 0, "loss": -1}
OPPOSITE = {"win": "loss", "draw": "draw", "loss": "win"}


@cache
def memo_of(notation: str) -> Memo[Any, Any]:
    return Memo(noughts.load(notation))


def child_by_child(kernel: NativeSearch[Any, Any], state: Any) -> Answer[Any]:
    return kernel.ask(state, progress=lambda _: None)


def plays_to_the_end(game: Any, state: Any, answer: Answer[Any]) -> list[Any]:
    """Check that a line of best play ends the game as the answer says, and return the states on the way."""
    assert answer.line_complete
    assert answer.line[0] == answer.best[0]
    mover, states = game.player(state), []
    for action in answer.line:
        assert not game.terminal(state)
        state = game.result(state, action)
        states.append(state)
    assert game.terminal(state)
    assert mover * game.utility(state) == SIGN[answer.value]
    assert answer.distance in (None, len(answer.line))
    return states


def same(kernel: NativeSearch[Any, Any], state: Any) -> Answer[Any]:
    """Check that both ways give the same answer, and that the value alone agrees; return the answer."""
    quick, slow, one = kernel.ask(state), child_by_child(kernel, state), kernel.ask(state, wanted="one")
    assert quick[:5] == slow[:5] == (*one[:4], quick.best)
    assert quick.actions == slow.actions
    assert (quick.proven, quick.stopped, quick.low, quick.high) == (True, "done", quick.score, quick.score)
    assert one.best[0] in quick.best
    assert one.line_complete == kernel.game.terminal(kernel.game.result(state, one.best[0]))
    plays_to_the_end(kernel.game, state, quick)
    plays_to_the_end(kernel.game, state, slow)
    return quick


def true(memo: Memo[Any, Any], game: Any, state: Any, answer: Answer[Any]) -> None:
    """Check an answer by a memo of the whole game: value, best actions, and each move of the line."""
    truth = memo.analyse(state)
    assert (answer.value, answer.distance, answer.best) == (truth.value, truth.distance, truth.best)
    assert [each[:4] for each in answer.actions] == [each[:4] for each in truth.actions]
    for left, after in enumerate(reversed(plays_to_the_end(game, state, answer))):
        if left:
            found = memo.value(after)
            assert abs(SIGN[found.value]) == abs(SIGN[answer.value])
            assert found.distance == (None if answer.distance is None else left)


@pytest.mark.parametrize("notation", SMALL)
def test_small_games(notation: str) -> None:
    """Positions from the start to one move before the end, against plain minimax with a memo."""
    kernel, (memo, states) = native(notation), solved(notation)
    game = kernel.game
    open_states = [state for state in states if not game.terminal(state)]
    for state in open_states[:: max(1, len(open_states) // SMALL[notation])]:
        true(memo, game, state, same(kernel, state))


@pytest.mark.parametrize("notation", in_the_long_run(LATE, all_but=["connect:5x4", "mnk:4,4,4", "mnk:4,4,4,misere"]))
def test_late_positions(notation: str) -> None:
    kernel, memo = native(notation), memo_of(notation)
    for state in random_states(kernel.game, 120, 11, *LATE[notation]):
        true(memo, kernel.game, state, same(kernel, state))


@pytest.mark.parametrize("notation", in_the_long_run(LARGE, all_but=["connect-four", "cube:3", "mnk:5,5,4"]))
def test_large_games(notation: str) -> None:
    """One table for all questions, so that some are answered from it and others by a search."""
    kernel = native(notation)
    values = set()
    for state in random_states(kernel.game, 150, 12, *LARGE[notation]):
        values.add(same(kernel, state).value)
    assert {"win", "loss"} <= values


@pytest.mark.long
@pytest.mark.parametrize("notation", [*LATE, *LARGE])
def test_thousands_of_positions(notation: str) -> None:
    kernel = native(notation)
    for state in random_states(kernel.game, 2_000, 13, *{**LATE, **LARGE}[notation]):
        same(kernel, state)


@pytest.mark.parametrize("nodes", [1, 30, 1_000, 7 * FIRST_NODES, 20 * FIRST_NODES])
def test_a_stopped_question_keeps_what_is_proven(nodes: int) -> None:
    """Whether the limit leaves room for short searches of several children or not."""
    game = noughts.load("connect-four")
    truth = native("connect-four")
    for state in random_states(game, 6, 14, 14, 18):
        asked: NativeSearch[Any, Any] = NativeSearch(game, table_mib=4, threads=1)
        answer, exact = asked.ask(state, Limits(nodes=nodes)), truth.ask(state)
        assert answer.nodes <= nodes + len(exact.actions)
        for said, known in zip(answer.actions, exact.actions, strict=True):
            assert said.low is None or said.low <= (known.low or 0)
            assert said.high is None or said.high >= (known.high or 0)


def test_a_question_about_all_actions_goes_on_where_a_short_search_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """With short searches of a few nodes, most children are left to longer ones; the answers are the same."""
    game = noughts.load("connect-four")
    states = random_states(game, 12, 15, 18, 26)
    truth = [native("connect-four").ask(state) for state in states]
    monkeypatch.setattr("noughts.compiled.solver.FIRST_NODES", 20)
    asked: NativeSearch[Any, Any] = NativeSearch(game, table_mib=4, threads=1)
    for state, known in zip(states, truth, strict=True):
        answer = asked.ask(state)
        assert answer[:5] == known[:5]
        assert answer.actions == known.actions
        plays_to_the_end(game, state, answer)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_threads_share_out_the_actions(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """One run of threads values all actions, each as if it were asked about alone; one thread is started once."""
    started: list[Any] = []

    class Counted(Thread):
        def start(self) -> None:
            started.append(self)
            super().start()

    game, truth = noughts.load("connect-four"), native("connect-four")
    asked: NativeSearch[Any, Any] = NativeSearch(game, table_mib=4, threads=threads)
    monkeypatch.setattr("noughts.compiled.solver.FIRST_NODES", 20)
    monkeypatch.setattr("noughts.compiled.threads.Thread", Counted)
    monkeypatch.setattr(KernelQuestion, "_line", lambda *_: ((), False))  # which would need threads too
    for state in random_states(game, 10, 16, 18, 24):
        before = len(started)
        answer = asked.ask(state)
        assert answer.proven
        assert threads > 1 or len(started) - before <= 1
        for each in answer.actions:
            child = game.result(state, each.action)
            if not game.terminal(child):
                alone = truth.ask(child, wanted="one")
                assert (each.value, each.distance) == (OPPOSITE[alone.value], alone.distance and alone.distance + 1)
    assert len(started) >= threads


def test_each_action_gets_its_share_of_the_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hard position does not take all: those that are tried after it are still searched."""
    game = noughts.load("connect-four")
    monkeypatch.setattr("noughts.compiled.solver.FIRST_NODES", 20)
    for threads in (1, 2):
        asked: NativeSearch[Any, Any] = NativeSearch(game, table_mib=4, threads=threads)
        answer = asked.ask(noughts.replay(game, "44444"), Limits(nodes=200_000))
        assert answer.stopped == "node limit"
        bounds = [(each.low, each.high) for each in answer.actions]
        assert sum(bound != (None, None) for bound in bounds) >= 3, bounds


def test_tasks_run_as_they_stand() -> None:
    """With the stub's rules, interpreted: a heap of five matches, of which players take one or two."""

    def workspace() -> list[Any]:
        words: list[Any] = [0] * 100
        words[layout.LIMIT], words[layout.SIZE], words[layout.LARGEST] = 1 << 62, 64, 64
        words[layout.LOW], words[layout.HIGH] = -6, 6
        return words

    table, own = [0] * 64, workspace()
    assert tasks.answer(layout.VALUE, (5, 0), -6, 6, [], table, own) == 1
    assert own[layout.LOW : layout.MOVE + 1] == [3, 3, 2]  # take two, and win with the third move
    assert tasks.answer(layout.CHILDREN, (5, 0), 0, 0, [], table, own) == 2
    assert own[layout.FRAMES : layout.FRAMES + 6] == [1, 2, 4, 1, 3, 1]
    line: list[Any] = [0] * 5
    assert tasks.answer(layout.FOLLOW, (5, 0), 3, 5, line, table, workspace()) == 3
    assert (line[0], sum(line[:3])) == (2, 5)
    each: list[Any] = [-6, 6, 4, 1, -6, 6, 3, 1, -5, -5, 0, 1]
    assert tasks.answer(layout.EACH, (0, 0), 0, 3, each, table, workspace()) == 6
    assert [each[at : at + 2] for at in (0, 4, 8)] == [[2, 2], [-3, -3], [-5, -5]]


def test_each_position_is_stopped_by_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The step at which it stopped is returned, and the bounds proven by then are true."""
    kernel = native("connect-four")
    position = kernel.pack(kernel.game.initial())
    monkeypatch.setattr("noughts.compiled.solver.FIRST_NODES", 100)
    solver = Solver(kernel.rules, entries=4096)
    memory = layout_of(kernel, [position, position])
    step, nodes, stopped = solver.value_each(memory, 2, limits=Limits(nodes=100))
    assert (step, nodes) == (0, 100)
    assert stopped == "node limit"
    assert memory[0] <= 2 <= memory[1]
    assert solver.follow(position, 2) == ([], 100)


def layout_of(kernel: NativeSearch[Any, Any], positions: list[Any]) -> Any:
    from array import array

    worst = kernel.rules.longest + 1
    return array("q", [number for each in positions for number in (-worst, worst, *each)])
