"""The bounds that a kernel has proven, however early it is stopped, and the move that goes with them."""

from typing import Any

import pytest

import noughts
from noughts.compiled.found import Found, Running
from noughts.compiled.rules import Position
from noughts.compiled.solver import Solver
from noughts.search.limits import Limits
from noughts.sources.kernel import NativeSearch
from tests.compiled.positions import exact, kernel_score, listed, native, random_states, solved

SMALL = {"tic-tac-toe": 60, "misere": 40, "connect:4x4": 60, "mnk:4,3,3": 40}
"""Games that the memo solves completely, and how many positions of each are asked about."""

NODES = (0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 1_597, 4_181)


def positions(notation: str) -> list[tuple[Position, int]]:
    """Return positions of a small game, from all stages of it, and their scores by the memo."""
    kernel = native(notation)
    memo, _ = solved(notation)
    states = [kernel.game.initial(), *random_states(kernel.game, SMALL[notation], 11, 0, kernel.rules.longest - 2)]
    return [(kernel.pack(state), kernel_score(kernel, state, memo.value(state))) for state in states]


def true(found: Found, score: int, kernel: NativeSearch[Any, Any], position: Position) -> None:
    """Check that the score is within the bounds, and that the move reaches the lower one."""
    assert found.low <= score <= found.high
    if found.move is not None:
        functions = kernel.rules.functions
        assert found.move & functions.expand(position) == found.move
        assert -exact(kernel.solver, functions.play(position, found.move)) >= found.low


@pytest.mark.parametrize("threads", [1, 2, pytest.param(3, marks=pytest.mark.long)])
@pytest.mark.parametrize("notation", SMALL)
def test_bounds_are_true_at_every_node_limit(notation: str, threads: int) -> None:
    kernel = native(notation)
    solver = Solver(kernel.rules, entries=2_000, threads=threads)
    stops = moves = 0
    for position, score in positions(notation):
        for nodes in NODES:
            solver.forget()
            found = solver.solve(position, limits=Limits(nodes=nodes))
            true(found, score, kernel, position)
            assert found.stopped == ("done" if found.low == found.high else "node limit")
            stops += found.stopped != "done"
            moves += found.move is not None
    assert stops > 50
    assert moves > 50


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("notation", SMALL)
def test_bounds_are_true_in_every_window(notation: str, threads: int) -> None:
    """A window is settled by a bound on one side of it; searches may be stopped, and the table is not emptied."""
    kernel = native(notation)
    solver = Solver(kernel.rules, entries=2_000, threads=threads)
    for position, score in positions(notation)[:25]:
        for low in range(score - 2, score + 3):
            for nodes in (None, 3, 30):
                found = solver.solve(position, low, low + 1, Limits(nodes=nodes))
                true(found, score, kernel, position)
                settled = found.low > low or found.high <= low
                assert found.stopped == ("done" if settled else "node limit")


@pytest.mark.parametrize("threads", [1, 2])
def test_bounds_are_true_in_connect_four(threads: int) -> None:
    """Positions that take long enough for the table to grow and for threads to begin again."""
    kernel = native("connect-four")
    solver = Solver(kernel.rules, table_mib=16, threads=threads)
    between = 0
    for moves, _ in listed("connect_four_middle.txt")[::8]:
        position = kernel.pack(noughts.replay(kernel.game, moves))
        score = exact(kernel.solver, position)
        for nodes in (100, 1_000, 10_000, 30_000):
            solver.forget()
            found = solver.solve(position, limits=Limits(nodes=nodes))
            true(found, score, kernel, position)
            least, most = kernel.rules.functions.score_bounds(position)
            between += found.stopped == "node limit" and (found.low > least or found.high < most)
    assert between > 5


@pytest.mark.parametrize("threads", [1, 2])
def test_reported_bounds_are_in_the_result(threads: int) -> None:
    """The defect: a search said "between a draw and a win", and after a limit stopped it, "unknown"."""
    kernel = native("connect-four")
    solver = Solver(kernel.rules, table_mib=16, threads=threads)
    position = kernel.pack(noughts.replay(kernel.game, "444444"))
    told: list[Running] = []
    limits = Limits(cancel=lambda: bool(told) and told[-1].low > 0)
    found = solver.solve(position, limits=limits, progress=told.append)
    assert found.stopped == ("done" if found.low == found.high else "cancelled")
    assert found.low > 0
    assert all(found.low >= each.low and found.high <= each.high for each in told)
    true(found, 2, kernel, position)


def test_the_move_at_the_root_is_one_that_reaches_the_score() -> None:
    """With a new table and no `foresee`, a lower bound above the rules' own always comes with a move."""
    for notation in ("tic-tac-toe", "misere", "mnk:4,3,3"):
        kernel = native(notation)
        for position, score in positions(notation):
            solver = Solver(kernel.rules, entries=2_000)
            found = solver.solve(position)
            true(found, score, kernel, position)
            least, _ = kernel.rules.functions.score_bounds(position)
            assert found.low == least or found.move is not None
