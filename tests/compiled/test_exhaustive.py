"""Kernels in all positions of small games, against the oracle and the memo."""

from typing import Any

import pytest

import noughts
from noughts.games.lines import Marks
from noughts.search.answer import Answer
from tests.compiled.positions import exact, kernel_score, native, solved


def same_answer(answer: Answer[Any], truth: Answer[Any], game: Any, state: Any) -> None:
    """Check value, distance, margin, score, best actions and every action, and that the line is best play."""
    assert answer[:5] == truth[:5]
    assert answer.actions == truth.actions
    assert (answer.proven, answer.bound, answer.stopped, answer.method) == (True, None, "done", "kernel")
    assert len(answer.line) == (len(truth.line) if truth.distance is None else truth.distance)
    assert answer.line[:1] == truth.best[:1]
    end = state
    for action in answer.line:
        end = game.result(end, action)
    assert game.terminal(end)
    assert game.player(state) * game.utility(end) == truth.margin


def test_tic_tac_toe_in_all_positions(oracle: dict[Marks, Answer[int]]) -> None:
    """All 5,478, finished ones too."""
    kernel = native("tic-tac-toe")
    assert len(oracle) == 5_478
    for state, truth in oracle.items():
        same_answer(kernel.ask(state), truth, kernel.game, state)


def test_misere_in_all_positions() -> None:
    kernel = native("misere")
    memo, states = solved("misere")
    assert len(states) == 5_478
    for state in states:
        same_answer(kernel.ask(state), memo.analyse(state), kernel.game, state)


def test_one_action_is_enough_where_one_is_wanted(oracle: dict[Marks, Answer[int]]) -> None:
    kernel = native("tic-tac-toe")
    for state, truth in list(oracle.items())[::10]:
        answer = kernel.ask(state, wanted="one")
        assert answer[:4] == truth[:4]
        assert answer.actions == ()
        assert len(answer.best) == min(1, len(truth.best))
        assert set(answer.best) <= set(truth.best)
        assert answer.line[:1] == answer.best


def test_windows_around_every_score(oracle: dict[Marks, Answer[int]]) -> None:
    """A score inside the window is found; outside, a bound that says on which side it is."""
    kernel = native("tic-tac-toe")
    for state, truth in list(oracle.items())[::40]:
        if kernel.game.terminal(state):
            continue
        score = kernel_score(kernel, state, truth)
        for low, high in [(-10, 10), (-1, 0), (0, 1), (-1, 1), (score - 1, score), (score, score + 1), (-4, 3)]:
            found = kernel.solver.solve(kernel.pack(state), low, high)
            assert found.stopped == "done"
            assert found.low <= score <= found.high
            if low < score < high:
                assert found.low == found.high
            elif score >= high:
                assert high <= found.low
            else:
                assert found.high <= low


def test_plain_minimax_counts_every_node_of_tic_tac_toe() -> None:
    kernel = native("tic-tac-toe")
    truth = noughts.minimax(kernel.game)
    assert kernel.solver.minimax(kernel.pack(kernel.game.initial())) == (0, truth.nodes)
    assert truth.nodes == 549_946


def connect_4x4_agrees(step: int, offset: int = 0) -> None:
    kernel = native("connect:4x4")
    game = kernel.game
    memo, states = solved("connect:4x4")
    assert len(states) == 161_029
    for state in states[offset::step]:
        if not game.terminal(state):
            assert exact(kernel.solver, kernel.pack(state)) == kernel_score(kernel, state, memo.value(state)), state


def test_connect_4x4_in_every_20th_position() -> None:
    connect_4x4_agrees(20, 7)


@pytest.mark.long
def test_connect_4x4_in_all_positions() -> None:
    """All 161,029 positions."""
    connect_4x4_agrees(1)
