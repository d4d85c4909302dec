"""The rules that are compiled, run by the interpreter: the same game as the six functions, and the same search."""

from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import noughts
from noughts.capabilities import Kernel
from noughts.compiled import kernel as stub_kernel
from noughts.compiled import layout, stub_rules
from noughts.compiled.build import Plan
from noughts.compiled.rules import Rules, RulesGame, with_parameters
from noughts.compiled.searches import SOLVING
from noughts.compiled.solver import Solver
from noughts.errors import BrokenGame
from noughts.search.memo import Memo
from tests.compiled.positions import exact, kernel_score, native, random_states, solved


def rules_of(notation: str) -> tuple[Any, Rules, Any]:
    game: Any = noughts.load(notation)
    offered = game.kernel()
    return game, Rules(offered), offered.pack


def score_of(memo: Memo[Any, int], position: Any) -> int | None:
    """Return the mover's score in the game of the rules, whose utility is the score."""
    return memo.value(position).margin


@pytest.mark.parametrize(
    ("notation", "step"),
    [("tic-tac-toe", 1), ("misere", 1), ("mnk:4,3,3", 31), ("connect:4x4", 50)],
)
def test_the_rules_are_the_game(notation: str, step: int) -> None:
    """From every position, or every few, the game of the rules has the value and distance of the real one."""
    game, rules, pack = rules_of(notation)
    of_game, states = solved(notation)
    of_rules = Memo(RulesGame(rules, pack(game.initial())))
    kernel = search_without_compiling(notation)
    for state in states[::step]:
        if not game.terminal(state):
            truth = kernel_score(kernel, state, of_game.value(state))
            assert score_of(of_rules, pack(state)) == truth, state


@pytest.mark.parametrize("notation", ["connect:4x3", "connect:3x4,3", "connect:5x2,3", "mnk:4,3,3", "mnk:4,3,3,misere"])
def test_where_the_rules_know_the_score_they_have_a_best_move(notation: str) -> None:
    """In every position, or some of them, `finish` has one of the best actions, and nothing when the game is over."""
    memo, states = solved(notation)
    game, of_kernel, pack = rules_of(notation)
    rules, action = of_kernel.functions, game.kernel().action
    known = 0
    for state in states[:: 1 + len(states) // 20_000]:
        position = pack(state)
        low, high = rules.score_bounds(position)
        if game.terminal(state):
            assert state.lined or rules.finish(position) == 0
        elif low == high:
            assert action(rules.finish(position)) in memo.analyse(state).best, state
            known += 1
    assert known > 100


def test_the_oracle_itself_on_the_rules() -> None:
    """Late positions by plain minimax, so that the comparison does not rest on the memo alone."""
    for notation in ("tic-tac-toe", "misere", "connect:4x4", "mnk:4,4,4", "mnk:4,4,4,torus", "cube:3"):
        game, rules, pack = rules_of(notation)
        kernel = search_without_compiling(notation)
        least = {"tic-tac-toe": 3, "misere": 3, "cube:3": 20}.get(notation, 10)
        for state in random_states(game, 25, 9, least, rules.longest - 1):
            answer = noughts.minimax(RulesGame(rules, pack(state)))
            assert answer.margin == kernel_score(kernel, state, noughts.minimax(game, state))


@pytest.mark.parametrize("notation", ["tic-tac-toe", "connect-four", "connect:7x6,5", "mnk:5,5,4", "mnk:4,4,4,misere"])
def test_a_state_packed_is_the_position_played_to(notation: str) -> None:
    """Packing the state after an action equals playing the move by the rules; plies match, and keys are unique."""
    game, rules, pack = rules_of(notation)
    functions = rules.functions
    assert pack(game.initial()) == tuple(functions.initial())
    keys: dict[int, Any] = {}
    for state in random_states(game, 60, 4, 1, 2 * rules.longest // 3):
        position = pack(state)
        moves = functions.expand(position)
        after = {functions.play(position, 1 << bit) for bit in range(63) if moves >> bit & 1}
        children = [game.result(state, action) for action in game.actions(state)]
        assert after <= {pack(child) for child in children}
        low, high = functions.score_bounds(position)
        assert -rules.longest - 1 <= low <= high <= rules.longest + 1
        assert 0 <= functions.key(position) < 1 << rules.constants["key_bits"]  # type: ignore[operator]
        if functions.plies(position) > rules.longest // 3:  # nearer the start, symmetric positions share a key
            assert keys.setdefault(functions.key(position), position) == position


@cache
def interpreted_kernel(notation: str) -> Any:
    """Return the source of the search that is compiled for a game, run by the interpreter."""
    _, rules, _ = rules_of(notation)
    kernel = ModuleType(f"interpreted_{notation}")
    exec(Plan(rules).texts["kernel.py"], vars(kernel))
    for name in SOLVING.from_rules:
        setattr(kernel, name, getattr(rules.functions, name))
    return kernel


def test_the_kernel_runs_as_it_stands() -> None:
    """With the stub's rules: the same scores as plain minimax, in every position."""
    for left in range(6):
        for plies in range(6 - left):
            workspace: list[Any] = [0] * 100
            workspace[layout.LIMIT], workspace[layout.SIZE], workspace[layout.LARGEST] = 1 << 62, 64, 64
            workspace[layout.LOW], workspace[layout.HIGH] = -6, 6
            assert stub_kernel.solve((left, plies), -6, 6, [0] * 64, workspace) == 1
            score = stub_kernel.minimax((left, plies), [0] * 100)
            assert workspace[layout.LOW] == workspace[layout.HIGH] == score
            assert (score > 0) == (left % 3 > 0)
    assert (stub_kernel.longest, stub_kernel.arity) == (stub_rules.longest, len(stub_rules.initial()))


def interpreted_twin(solver: Solver) -> tuple[list[int], list[Any]]:
    """Return memory like that of a new solver: its table, and the workspace of a thread."""
    twin: list[Any] = [int(number) for number in solver.new_workspace()]
    twin[layout.SIZE] = solver.table.size
    twin[layout.LIMIT] = 1 << 62
    twin[layout.BUSY] = [0] * (layout.MARKS + 1)
    return [0] * solver.entries, twin


def test_the_search_uncompiled_visits_the_same_nodes() -> None:
    """Interpreted, it gives the same Connect Four scores and visits the same number of nodes."""
    kernel, interpreted = native("connect-four"), interpreted_kernel("connect-four")
    nodes = 0
    for state in random_states(kernel.game, 12, 8, 22, 32):
        position = kernel.pack(state)
        solver = Solver(kernel.rules, entries=4096)
        table, workspace = interpreted_twin(solver)
        found = solver.solve(position)
        assert interpreted.solve(position, -43, 43, table, workspace) == 1
        assert tuple(workspace[layout.LOW : layout.MOVE + 1]) == (found.low, found.high, found.move or 0)
        assert workspace[layout.NODES] == found.nodes == solver.nodes
        nodes += solver.nodes
    assert nodes > 500


def test_the_search_uncompiled_through_a_table_that_grows() -> None:
    """The table starts small; compiled and interpreted, it is doubled in the same way."""
    kernel, interpreted = native("connect-four"), interpreted_kernel("connect-four")
    position = kernel.pack(noughts.replay(kernel.game, "171466613341436771"))
    solver = Solver(kernel.rules, entries=4096)
    solver.table.size = 16
    table, workspace = interpreted_twin(solver)
    found = solver.solve(position)
    assert interpreted.solve(position, -43, 43, table, workspace) == 1
    assert tuple(workspace[layout.LOW : layout.MOVE + 1]) == (found.low, found.high, found.move or 0)
    assert workspace[layout.NODES] == found.nodes == solver.nodes
    assert workspace[layout.SIZE] == solver.table.size > 64


def test_minimax_uncompiled_is_minimax_compiled() -> None:
    kernel, interpreted = native("connect-four"), interpreted_kernel("connect-four")
    for state in random_states(kernel.game, 8, 3, 33, 39):
        position = kernel.pack(state)
        control = [0] * 16
        score = interpreted.minimax(position, control)
        assert (score, control[layout.NODES]) == kernel.solver.minimax(position)
        assert score == exact(kernel.solver, position)


def test_parameters_take_the_place_of_constants() -> None:
    source = "A = 1\nB = (1, 2)\nC = A + 1\n"
    assert with_parameters(source, {}) == source
    assert with_parameters(source, {"A": 5, "B": (3,)}) == "A = 5\nB = (3,)\nC = A + 1"


def test_incomplete_rules_are_refused_with_the_reason(tmp_path: Path) -> None:
    path = tmp_path / "short.py"
    path.write_text("longest = 3\ndef initial(): return (0,)\n", encoding="utf-8")
    with pytest.raises(BrokenGame, match="has no function"):
        _ = Rules(Kernel(str(path), tuple)).functions


def search_without_compiling(notation: str) -> Any:
    """Return a search, for its rules alone; nothing is compiled until it is asked."""
    from noughts.sources.kernel import NativeSearch

    return NativeSearch(noughts.load(notation))
