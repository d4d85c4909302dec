"""Threat search on boards of lines: every distance is the oracle's, and nothing that is near is overlooked."""

from typing import Any

import pytest

import noughts
from noughts.compiled.line_board import AT_OWNERS, AT_ZONES, NODES, SLOTS, change, new_board
from noughts.compiled.line_solver import LineFound, LineSolver
from noughts.game import MAX
from noughts.games.lines import LineGame, Marks
from noughts.search.limits import Limits
from noughts.search.memo import Memo
from tests.compiled.near_wins import Finder, played_at_random
from tests.helpers import every_state

FIVE: Any = noughts.load("mnk:15,15,5")
FINDER = Finder(FIVE)


def solver_of(game: LineGame, native: bool) -> LineSolver:
    return LineSolver(len(game.cells), [[cell - 1 for cell in line] for line in game.lines], native=native)


def ask(solver: LineSolver, game: LineGame, state: Marks, limits: Limits = Limits(nodes=1_000_000)) -> LineFound:  # noqa: B008
    stones = [(state.first >> n & 1) + 2 * (state.second >> n & 1) for n in range(len(game.cells))]
    return solver.ask(stones, 0 if game.player(state) == MAX else 1, limits)


def check(found: LineFound, rows: Any) -> None:
    """Compare all distances with those of exact rows; what was examined in full has no other wins and losses."""
    won = max(found.distances)
    for row in rows:
        known = found.distances[row.action - 1]
        true = {"win": row.distance, "loss": -(row.distance or 0), "draw": 0}[row.value]
        if known:
            assert known == true
        elif won:
            assert not 0 < true <= won
        else:
            assert not 0 < true <= found.examined
            assert not 0 < -true <= found.examined + 1
        if found.forced_win is not None and found.forced_win[0] == row.action - 1:
            assert 0 < true <= found.forced_win[1]


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("native", [False, True])
def test_positions_of_tic_tac_toe(native: bool, step: int) -> None:
    """Every third in the usual run, and all of them in the long one; fewer where the search is interpreted."""
    game: Any = noughts.load("tic-tac-toe")
    memo: Memo[Marks, int] = Memo(game)
    solver = solver_of(game, native)
    states = [state for state in every_state(game) if not game.terminal(state)]
    for state in states[:: step if native else 25 * step]:
        check(ask(solver, game, state), memo.analyse(state).actions)


@pytest.mark.parametrize(
    "notation", ["mnk:4,3,3", "mnk:4,4,3", "mnk:4,4,4", "mnk:5,4,4", "mnk:4,4,3,torus", "mnk:4,3,2"]
)
def test_random_positions_of_small_boards(notation: str) -> None:
    game: Any = noughts.load(notation)
    solver = solver_of(game, native=True)
    memo: Memo[Marks, int] = Memo(game)
    positions = played_at_random(game, 1, len(game.cells) - 9)
    for _ in range(40):
        state = next(positions)
        check(ask(solver, game, state), memo.analyse(state).actions)


def test_a_cell_that_stops_one_of_several_replies_is_in_the_zone() -> None:
    """Zones once left out the cells that matter only after some replies, and called these moves lost."""
    game: Any = noughts.load("mnk:5,4,4")
    state = game.parse("...X./XOO../...X./..O..")
    found = ask(solver_of(game, native=True), game, state)
    assert found.examined >= 5
    assert found.distances[17 - 1] == found.distances[20 - 1] == 0


def test_placing_and_taking_a_stone_leaves_the_board_as_it_was() -> None:
    lines = [[cell - 1 for cell in line] for line in FIVE.lines]
    board = new_board(225, lines)
    change(board, 112, 0, 1)
    before = board[: board[AT_ZONES]]
    change(board, 113, 1, 1)
    change(board, 98, 0, 1)
    assert board[: board[AT_ZONES]] != before
    change(board, 98, 0, -1)
    change(board, 113, 1, -1)
    assert board[: board[AT_ZONES]] == before
    assert NODES < SLOTS <= board[AT_OWNERS]


def cells_with(found: LineFound, distance: int) -> set[int]:
    return {1 << cell for cell, known in enumerate(found.distances) if known == distance}


def test_no_win_and_no_block_is_overlooked_in_five_in_a_row() -> None:
    solver = solver_of(FIVE, native=True)
    positions = played_at_random(FIVE, 2, 8, near=True)
    seen = dict.fromkeys(("win", "block", "win in 3"), 0)
    for _ in range(300):
        state = next(positions)
        own, other = FINDER.sides(state)
        found = ask(solver, FIVE, state, Limits(nodes=3000))
        wins, blocks = FINDER.completing(own, other), FINDER.completing(other, own)
        if wins:
            assert cells_with(found, 1) == wins
            seen["win"] += 1
            continue
        assert cells_with(found, 1) == set()
        if blocks:
            assert cells_with(found, -2) == set(FINDER.empty(own, other)) - (blocks if len(blocks) == 1 else set())
            seen["block"] += 1
        in_3 = FINDER.winning_in_3(own, other)
        assert cells_with(found, 3) == in_3
        seen["win in 3"] += bool(in_3)
    assert min(seen.values()) >= 8, seen


@pytest.mark.parametrize("many", [1, pytest.param(40, marks=pytest.mark.long)])
def test_no_win_in_5_is_overlooked_in_five_in_a_row(many: int) -> None:
    solver = solver_of(FIVE, native=True)
    positions = played_at_random(FIVE, 5, 10, near=True)
    won = 0
    while won < many:
        state = next(positions)
        own, other = FINDER.sides(state)
        if not FINDER.wins_soon(own, other):
            found = ask(solver, FIVE, state, Limits(nodes=200_000))
            assert cells_with(found, 5) == FINDER.winning_in_5(own, other), FIVE.diagram(state)
            won += bool(cells_with(found, 5))
