"""Threat search on boards of lines: every distance is the oracle's, and nothing that is near is overlooked."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

import noughts
from noughts.compiled.line_board import AT_OWNERS, AT_ZONES, NODES, SLOTS, change, new_board
from noughts.compiled.line_solver import LineFound, LineSolver
from noughts.game import MAX
from noughts.games.lines import LineGame, Marks
from noughts.search.limits import Limits
from noughts.search.memo import Memo
from tests.helpers import every_state

FIVE: Any = noughts.load("mnk:15,15,5")


def solver_of(game: LineGame, native: bool) -> LineSolver:
    solver = LineSolver(len(game.cells), [[cell - 1 for cell in line] for line in game.lines])
    if native:
        solver.load()
    return solver


def ask(solver: LineSolver, game: LineGame, state: Marks, limits: Limits = Limits(nodes=1_000_000)) -> LineFound:  # noqa: B008
    stones = [(state.first >> n & 1) + 2 * (state.second >> n & 1) for n in range(len(game.cells))]
    return solver.ask(stones, 0 if game.player(state) == MAX else 1, limits)


def played_at_random(game: LineGame, seed: int, least: int, near: bool = False) -> Iterator[Marks]:
    """Yield unfinished positions; `near` puts each stone beside another."""
    chance = random.Random(seed)
    while True:
        state = game.initial()
        for _ in range(chance.randrange(least, len(game.cells) if not near else least + 16)):
            if game.terminal(state):
                break
            cells = game.actions(state)
            if near:
                taken = [cell for cell in game.cells if cell not in cells] or [113]
                near_by = [c for c in cells if any(abs(r) <= 2 and abs(s) <= 2 for r, s in apart(c, taken))]
                cells = near_by or cells
            state = game.result(state, chance.choice(cells))
        if not game.terminal(state):
            yield state


def apart(cell: int, others: list[int]) -> list[tuple[int, int]]:
    row, column = divmod(cell - 1, 15)
    return [((other - 1) // 15 - row, (other - 1) % 15 - column) for other in others]


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


@pytest.mark.parametrize("native", [False, True])
def test_every_position_of_tic_tac_toe(native: bool) -> None:
    game: Any = noughts.load("tic-tac-toe")
    memo: Memo[Marks, int] = Memo(game)
    solver = solver_of(game, native)
    states = [state for state in every_state(game) if not game.terminal(state)]
    for state in states if native else states[::25]:
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


# An independent finder for five in a row, by the lines alone.


def completes(state: Marks, mover: bool) -> set[int]:
    """Return the cells that complete a line: of the player to move, or of the other."""
    first_moves = state.first.bit_count() == state.second.bit_count()
    own, other = (state.first, state.second) if first_moves == mover else (state.second, state.first)
    found = set()
    for mask in FIVE._masks:
        rest = mask & ~own
        if rest & (rest - 1) == 0 and not rest & other:
            found.add(rest.bit_length())
    return found


def wins_in_3(state: Marks) -> set[int]:
    """Return the cells that threaten two completions at once, in a position where nobody completes a line."""
    found = set()
    own = state.first if state.first.bit_count() == state.second.bit_count() else state.second
    other = (state.first | state.second) ^ own
    lacking_2 = [mask & ~own for mask in FIVE._masks if not mask & other and (mask & ~own).bit_count() == 2]
    for cell in FIVE.actions(state):
        if sum(rest >> cell - 1 & 1 for rest in lacking_2) < 2:
            continue
        after = FIVE.result(state, cell)
        if len(completes(after, mover=False)) > 1 and not completes(after, mover=True):
            found.add(cell)
    return found


def test_no_win_and_no_block_is_overlooked_in_five_in_a_row() -> None:
    solver = solver_of(FIVE, native=True)
    positions = played_at_random(FIVE, 2, 8, near=True)
    seen = dict.fromkeys(("win", "block", "win in 3"), 0)
    for _ in range(300):
        state = next(positions)
        found = ask(solver, FIVE, state, Limits(nodes=3000))
        wins, blocks = completes(state, mover=True), completes(state, mover=False)
        known = {cell for cell in FIVE.actions(state) if found.distances[cell - 1] > 0}
        if wins:
            assert known == wins
            assert found.distances[min(wins) - 1] == 1
            seen["win"] += 1
        elif blocks:
            lost = {cell for cell in FIVE.actions(state) if found.distances[cell - 1] == -2}
            assert lost == set(FIVE.actions(state)) - (blocks if len(blocks) == 1 else set())
            seen["block"] += 1
        elif double := wins_in_3(state):
            assert known == double
            assert {found.distances[cell - 1] for cell in double} == {3}
            seen["win in 3"] += 1
        else:
            assert all(found.distances[cell - 1] not in (1, 3) for cell in FIVE.actions(state))
    assert min(seen.values()) >= 8, seen
