"""Draws proven by a breaker: true by the oracle, and every strategy passes the independent check."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

import noughts
from noughts.compiled.breaker_solver import BreakerSolver
from noughts.search.limits import Limits
from noughts.search.memo import Memo
from noughts.search.pairing import is_pairing, stops_every_line
from tests.compiled.positions import random_states
from tests.helpers import every_state


def turns_of(game: Any) -> list[list[int]]:
    return [[cell - 1 for cell in turn] for turn in game._turns]


def solver_of(game: Any) -> BreakerSolver:
    lines = [[cell - 1 for cell in line] for line in game.lines]
    return BreakerSolver(len(game.cells), lines, turns_of(game))


class Oracle:
    """Plain minimax: whether the maker, who is to move, completes a line before the breaker completes one."""

    def __init__(self, cells: int, lines: list[int]) -> None:
        self._bits, self._lines = [1 << cell for cell in range(cells)], lines
        self._known: dict[tuple[int, int], bool] = {}

    def wins(self, mover: int, other: int, maker_moves: bool = True) -> bool:
        """Return whether the maker wins; the first argument has the cells of the player to move."""
        key = (mover, other) if maker_moves else (~mover, ~other)
        if key not in self._known:
            stones = [bit for bit in self._bits if not (mover | other) & bit]
            after = (self._after(mover | stone, other, maker_moves) for stone in stones)
            self._known[key] = any(after) if maker_moves else bool(stones) and all(after)
        return self._known[key]

    def _after(self, placed: int, other: int, by_maker: bool) -> bool:
        if any(not line & ~placed for line in self._lines):
            return by_maker
        return self.wins(other, placed, not by_maker)


def check(game: Any, solver: BreakerSolver, memo: Memo[Any, Any], state: Any) -> int:
    """Compare both proofs of one position with the oracle; return how many there are."""
    mine, theirs = state[:2] if game.player(state) == 1 else state[1::-1]
    score = memo.value(state).score
    assert score is not None
    proofs = 0
    if solver.holds(mine, theirs)[0]:  # the player to move cannot win
        assert score <= 0
        assert stops_every_line(solver.lines, mine, theirs, solver)
        proofs += 1
    if solver.holds(theirs, mine)[0]:  # nor can the other, even if the player to move passes
        assert score >= 0
        proofs += 1
    return proofs


def test_every_position_of_tic_tac_toe() -> None:
    game: Any = noughts.load("tic-tac-toe")
    solver, memo = solver_of(game), Memo[Any, Any](game)
    states = [state for state in every_state(game) if not game.terminal(state)]
    assert sum(check(game, solver, memo, state) for state in states[::12]) > 75


@pytest.mark.parametrize("notation", ["mnk:4,4,4", "mnk:5,4,4", "mnk:4,4,4,torus"])
def test_random_positions(notation: str) -> None:
    game: Any = noughts.load(notation)
    solver, memo = solver_of(game), Memo[Any, Any](game)
    cells = len(game.cells)
    states = random_states(game, 60, 3, cells - 10, cells - 2)
    assert sum(check(game, solver, memo, state) for state in states) > 10


def every_pair_of_sides(cells: int, lines: list[int]) -> Iterator[tuple[int, int]]:
    """Yield all cells of two players that complete no line, and leave a cell empty."""
    open_ones = [side for side in range(1 << cells) if all(line & ~side for line in lines)]
    full = (1 << cells) - 1
    return ((a, b) for a in open_ones for b in open_ones if not a & b and a | b != full)


def compare(notation: str, positions: Iterator[tuple[int, int]] | list[tuple[int, int]]) -> tuple[int, int]:
    """Assert that what the solver proves is true, and that it proves everything; return how many hold and how many not.

    The solver must not claim what is false; that it misses nothing on these boards shows that it tries enough.
    """
    game: Any = noughts.load(notation)
    solver = solver_of(game)
    oracle = Oracle(len(game.cells), solver.lines)
    seen = [0, 0]
    for maker, other in positions:
        wins = oracle.wins(maker, other)
        assert solver.holds(maker, other)[0] == (not wins), (notation, maker, other)
        seen[wins] += 1
    return seen[0], seen[1]


def random_sides(notation: str, number: int, least: int, most: int, seed: int) -> list[tuple[int, int]]:
    """Return random positions without a line; the maker has as many stones as the breaker, or one more or less."""
    game: Any = noughts.load(notation)
    lines, cells, chance = game._masks, len(game.cells), random.Random(seed)
    found: list[tuple[int, int]] = []
    while len(found) < number:
        stones = chance.sample(range(cells), chance.randint(least, most))
        half = (len(stones) + chance.choice((-1, 0, 1))) // 2
        sides = [sum(1 << stone for stone in some) for some in (stones[: max(0, half)], stones[max(0, half) :])]
        if all(line & ~side for line in lines for side in sides):
            found.append((sides[0], sides[1]))
    return found


@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.long)])
def test_all_stones_on_3_x_3(step: int) -> None:
    game: Any = noughts.load("tic-tac-toe")
    assert min(compare("tic-tac-toe", list(every_pair_of_sides(9, game._masks))[::step])) > 200


@pytest.mark.parametrize(
    ("notation", "least", "most"),
    [
        ("mnk:4,3,3", 3, 8),
        ("mnk:4,4,3", 6, 11),
        ("mnk:4,4,4", 7, 12),
        ("mnk:4,4,4,torus", 7, 12),
        ("mnk:5,3,3", 6, 11),
        ("mnk:5,4,4", 11, 16),
        ("mnk:5,4,3", 10, 14),
        ("mnk:5,5,4", 16, 20),
    ],
)
@pytest.mark.parametrize("number", [60, pytest.param(3000, marks=pytest.mark.long)])
def test_random_stones(notation: str, least: int, most: int, number: int) -> None:
    assert min(compare(notation, random_sides(notation, number, least, most, seed=number))) > 0


@pytest.mark.long
@pytest.mark.parametrize(("notation", "step"), [("mnk:4,3,3", 1), ("mnk:5,3,3", 97), ("mnk:4,4,3", 499)])
def test_all_stones_on_small_boards(notation: str, step: int) -> None:
    game: Any = noughts.load(notation)
    positions = every_pair_of_sides(len(game.cells), game._masks)
    assert min(compare(notation, (each for number, each in enumerate(positions) if number % step == 0))) > 1000


def test_the_breakers_own_lines_count() -> None:
    """A maker of three in a row wins if the breaker only stops lines; the threats of the breaker save it."""
    assert solver_of(noughts.load("tic-tac-toe")).holds(0, 0)[0]


@pytest.mark.parametrize("notation", ["mnk:4,4,4", "mnk:5,5,5", "mnk:5,4,4", "mnk:6,6,5", "mnk:7,6,5"])
def test_the_strategy_of_an_empty_board_passes_the_independent_check(notation: str) -> None:
    check_empty_board(notation)


def check_empty_board(notation: str) -> tuple[int, int]:
    """Check the strategy for an empty board; return the nodes of the proof, and how many positions were checked."""
    game: Any = noughts.load(notation)
    solver = solver_of(game)
    assert solver.holds(0, 0) == (True, "done")
    nodes = solver.nodes
    return nodes, stops_every_line(solver.lines, 0, 0, solver, turns_of(game))


class Fixed:
    """A strategy that always answers the same."""

    def __init__(self, pairs: list[int] | None = None, replies: dict[int, int] | None = None) -> None:
        self._pairs, self._replies = pairs, replies or {}

    def pairs(self, _maker: int, _other: int) -> list[int] | None:
        return self._pairs

    def reply(self, _maker: int, _other: int, stone: int) -> int:
        return self._replies.get(stone, 0)


def test_the_check_refuses_what_does_not_stop_every_line() -> None:
    lines = [0b0011, 0b0110]
    assert not is_pairing(lines, 0, 0, [0b0011, 0b0110])  # not disjoint
    assert not is_pairing(lines, 0b0001, 0, [0b0011])  # not empty
    with pytest.raises(ValueError, match="do not stop"):
        stops_every_line(lines, 0, 0, Fixed([0b0011]))
    with pytest.raises(ValueError, match="no reply"):
        stops_every_line(lines, 0, 0, Fixed())
    with pytest.raises(ValueError, match="completes"):
        stops_every_line([0b11], 0, 0, Fixed(replies={1: 4, 2: 4}))


def test_the_check_tries_stones_on_the_lines_that_the_breaker_needs() -> None:
    """The breaker answers with a double threat, at 32; but it has no answer to a stone that takes this cell first."""
    lines = [0b0000_0111, 0b0111_0000, 0b1011_0000]
    with pytest.raises(ValueError, match="no reply to 32"):
        stops_every_line(lines, 0, 0b0001_0000, Fixed(replies={1: 32, 2: 32, 4: 32}))


def test_symmetric_positions_are_proven_once() -> None:
    game: Any = noughts.load("mnk:5,4,4")
    solver = solver_of(game)
    assert solver.holds(1 << 0, 1 << 7)[0]
    for turn in game._turns:
        cells = [turn.index(cell + 1) for cell in (0, 7)]
        assert solver.holds(1 << cells[0], 1 << cells[1])[0]
        assert solver.nodes == 1


def test_a_limit_stops_a_proof() -> None:
    solver = solver_of(noughts.load("mnk:8,4,4"))
    assert solver.holds(0, 0, Limits(nodes=1000)) == (False, "node limit")


@pytest.mark.long
def test_7_7_5_is_drawn_and_its_strategy_passes_the_independent_check() -> None:
    nodes, positions = check_empty_board("mnk:7,7,5")
    assert nodes == 268_104
    assert positions == 304_201


@pytest.mark.long
def test_8_4_4_is_drawn() -> None:
    solver = solver_of(noughts.load("mnk:8,4,4"))
    assert solver.holds(0, 0) == (True, "done")
    assert solver.nodes == 3_046_433
