"""Known values of games that only a kernel solves quickly."""

from random import Random
from typing import Any

import pytest

import noughts
from noughts.sources.kernel import NativeSearch
from tests.compiled.positions import exact, in_stones, listed, native

KNOWN = {
    "tic-tac-toe": ("draw", None),
    "mnk:4,4,4": ("draw", None),
    "mnk:5,5,4": ("draw", None),
    "mnk:6,5,4": ("win", None),
    "mnk:5,5,5": ("draw", None),
    "cube:3": ("win", 7),
    "connect:4x4": ("draw", None),
    "connect:5x5": ("draw", None),
    "connect:6x4": ("loss", 24),
    "connect:6x5": ("draw", None),
}
"""The value for the player who begins, and the distance where it is known too."""

LATER = ("mnk:6,5,4", "mnk:5,5,5", "connect:5x5", "connect:6x4", "connect:6x5")
"""Games for the long run only: each takes seconds to compile."""


def plies_of_best_play(kernel: NativeSearch[Any, Any]) -> int:
    """Return how many plies a game takes in which both players play the one best action that the kernel names."""
    state, plies = kernel.game.initial(), 0
    while not kernel.game.terminal(state):
        state, plies = kernel.game.result(state, kernel.ask(state, wanted="one").best[0]), plies + 1
    return plies


@pytest.mark.parametrize("notation", [pytest.param(name, marks=[pytest.mark.long] * (name in LATER)) for name in KNOWN])
def test_values_of_whole_games(notation: str) -> None:
    value, distance = KNOWN[notation]
    kernel = native(notation)
    answer = kernel.ask(kernel.game.initial(), wanted="one")
    assert (answer.value, answer.proven, answer.stopped, answer.method) == (value, True, "done", "kernel")
    if distance is not None:
        assert answer.distance == distance
        assert plies_of_best_play(kernel) == distance
    assert answer.best[0] in kernel.game.actions(kernel.game.initial())


@pytest.mark.long
def test_connect_6x6_is_won_by_the_second_player() -> None:
    kernel = native("connect:6x6")
    answer = kernel.ask(kernel.game.initial(), wanted="one")
    assert (answer.value, answer.proven) == ("loss", True)


def test_the_listed_middle_positions_of_connect_four() -> None:
    """All 200, against the scores of another program, which count stones and not plies."""
    kernel = native("connect-four")
    lines = listed("connect_four_middle.txt")
    assert len(lines) == 200
    for moves, score in lines:
        state = noughts.replay(kernel.game, moves)
        assert in_stones(exact(kernel.solver, kernel.pack(state))) == score, moves


def test_the_listed_opening_positions_of_connect_four() -> None:
    kernel = native("connect-four")
    lines = listed("connect_four_opening.txt")
    assert len(lines) == 20
    for moves, score in Random(1).sample(lines, 6):
        state = noughts.replay(kernel.game, moves)
        assert in_stones(exact(kernel.solver, kernel.pack(state))) == score, moves


@pytest.mark.long
def test_all_listed_opening_positions_of_connect_four() -> None:
    kernel = native("connect-four")
    for moves, score in listed("connect_four_opening.txt"):
        state = noughts.replay(kernel.game, moves)
        assert in_stones(exact(kernel.solver, kernel.pack(state))) == score, moves


def test_scores_in_stones() -> None:
    """With 10 stones down, a win by the next one makes 6 of the winner's: 22 - 6."""
    assert [in_stones(score) for score in (32, 31, 1, 0, -1, -2, -31, -32)] == [16, 16, 1, 0, -1, -1, -16, -16]
