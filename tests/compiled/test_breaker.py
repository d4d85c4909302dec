"""Draws proven by a breaker: true by the oracle, and every strategy passes the independent check."""

from typing import Any

import pytest

import noughts
from noughts.compiled.breaker_solver import BreakerSolver
from noughts.search.memo import Memo
from noughts.search.pairing import is_pairing, stops_every_line
from tests.compiled.positions import random_states
from tests.helpers import every_state


def solver_of(game: Any) -> BreakerSolver:
    lines, turns = ([[cell - 1 for cell in each] for each in some] for some in (game.lines, game._turns))
    return BreakerSolver(len(game.cells), lines, turns)


def check(game: Any, solver: BreakerSolver, memo: Memo[Any, Any], state: Any) -> int:
    """Compare both proofs of one position with the oracle; return how many there are."""
    mine, theirs = state[:2] if game.player(state) == 1 else state[1::-1]
    score = memo.value(state).score
    assert score is not None
    proofs = 0
    if solver.holds(mine, theirs)[0]:  # the player to move cannot win
        assert score <= 0
        assert stops_every_line(solver.lines, mine, theirs, solver.strategy)
        proofs += 1
    if solver.holds(theirs, mine)[0]:  # nor can the other, even if the player to move passes
        assert score >= 0
        proofs += 1
    return proofs


def test_every_position_of_tic_tac_toe() -> None:
    game: Any = noughts.load("tic-tac-toe")
    solver, memo = solver_of(game), Memo[Any, Any](game)
    states = [state for state in every_state(game) if not game.terminal(state)]
    assert sum(check(game, solver, memo, state) for state in states[::3]) > 300


@pytest.mark.parametrize("notation", ["mnk:4,4,4", "mnk:5,4,4", "mnk:4,4,4,torus"])
def test_random_positions(notation: str) -> None:
    game: Any = noughts.load(notation)
    solver, memo = solver_of(game), Memo[Any, Any](game)
    cells = len(game.cells)
    states = random_states(game, 60, 3, cells - 10, cells - 2)
    assert sum(check(game, solver, memo, state) for state in states) > 10


@pytest.mark.parametrize("notation", ["mnk:4,4,4", "mnk:5,5,5", "mnk:5,4,4", "mnk:6,6,5"])
def test_the_strategy_of_an_empty_board_passes_the_independent_check(notation: str) -> None:
    solver = solver_of(noughts.load(notation))
    assert solver.holds(0, 0) == (True, "done")
    assert stops_every_line(solver.lines, 0, 0, solver.strategy) >= 1


def test_the_check_refuses_what_does_not_stop_every_line() -> None:
    lines = [0b0011, 0b0110]
    assert not is_pairing(lines, 0, 0, [0b0011, 0b0110])  # not disjoint
    assert not is_pairing(lines, 0b0001, 0, [0b0011])  # not empty
    with pytest.raises(ValueError, match="do not stop"):
        stops_every_line(lines, 0, 0, lambda *_: [0b0011])
    with pytest.raises(ValueError, match="no reply"):
        stops_every_line(lines, 0, 0, lambda *_: {})
    with pytest.raises(ValueError, match="completes"):
        stops_every_line([0b11], 0, 0, lambda *_: {1: 4, 2: 4})


def test_symmetric_positions_are_proven_once() -> None:
    game: Any = noughts.load("mnk:5,4,4")
    solver = solver_of(game)
    assert solver.holds(1 << 0, 1 << 7)[0]
    for turn in game._turns:
        cells = [turn.index(cell + 1) for cell in (0, 7)]
        assert solver.holds(1 << cells[0], 1 << cells[1])[0]
        assert solver.nodes == 1


@pytest.mark.long
def test_7_7_5_is_drawn() -> None:
    solver = solver_of(noughts.load("mnk:7,7,5"))
    assert solver.holds(0, 0) == (True, "done")
    assert solver.nodes == 248_825
