"""The deep search against the oracle, by the rules of every game that it is for, within all kinds of limits."""

from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

import noughts
from noughts.capabilities import Kernel, resolve
from noughts.compiled import deep_kernel, deep_layout, deep_stub
from noughts.compiled.deep_solver import DeepSolver
from noughts.compiled.rules import rules_of
from noughts.games.lines import LineGame, straight_lines
from noughts.search.memo import Memo
from noughts.sources.deep import DeepNative
from noughts.testing import check_game
from tests.helpers import every_state, in_the_long_run
from tests.test_engine import counted

UNIT, FULL = deep_layout.UNIT, deep_layout.FULL


class WideTicTacToe(LineGame):
    """Tic-tac-toe by the rules for large boards, so that every position can be checked."""

    def kernel(self) -> Kernel:
        return Kernel(TIC_TAC_TOE_WIDE, self._packed_wide, {"MISERE": int(self.misere)})


TIC_TAC_TOE_WIDE = str(Path(noughts.__file__).parent / "games/kernels/wide_lines.py")


@cache
def game_of(name: str) -> Any:
    if name.startswith("wide"):
        return WideTicTacToe(name, 3, 3, straight_lines(3, 3, 3), misere=name.endswith("misere"))
    return noughts.load(name)


@cache
def deep(name: str, threads: int = 1) -> DeepNative[Any, Any]:
    return DeepNative(game_of(name), table_mib=2, threads=threads)


def positions(name: str, plies: int, wanted: int, seed: int = 0) -> list[Any]:
    """Return unfinished states after so many random plies."""
    game, random = game_of(name), Random(seed)
    found: list[Any] = []
    while len(found) < wanted:
        state = game.initial()
        for _ in range(plies):
            if game.terminal(state):
                break
            state = game.result(state, random.choice(list(game.actions(state))))
        if not game.terminal(state):
            found.append(state)
    return found


def assert_same(name: str, state: Any, native: DeepNative[Any, Any] | None = None) -> None:
    """Compare a complete answer with that of alpha-beta, and play its line to the end."""
    game = resolve(game_of(name))
    truth = noughts.alphabeta(game, state, wanted="all")
    answer = (native or deep(name)).ask(state)
    assert answer.proven
    assert (answer.value, answer.distance, answer.margin, answer.score) == truth[:4]
    assert (answer.best, answer.actions, answer.stopped) == (truth.best, truth.actions, "done")
    assert answer.line_complete
    for action in answer.line:
        state = game.result(state, action)
    assert game.terminal(state)
    assert answer.distance in (None, len(answer.line))


@pytest.mark.parametrize(
    "name",
    in_the_long_run(["wide", "wide misere", "nim:2,2,3", "nim:1,2,2,misere"], all_but=["wide", "nim:1,2,2,misere"]),
)
def test_every_position_of_small_games(name: str) -> None:
    game = resolve(game_of(name))
    native, memo = deep(name), Memo(game)
    for state in every_state(game):
        truth, answer = memo.analyse(state), native.ask(state, wanted="best")
        assert (answer.value, answer.distance, answer.best) == (truth.value, truth.distance, truth.best)


@pytest.mark.parametrize(("name", "plies"), [("reversi:4", 6), ("reversi:4", 8), ("reversi:6", 26), ("ultimate", 56)])
def test_late_positions_of_large_games(name: str, plies: int) -> None:
    """Margins, passes, early ends and wide keys: value, distance and best actions of each, and a line to the end."""
    for state in positions(name, plies, 6):
        assert_same(name, state)


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "plies"),
    [("reversi:4", 4), ("reversi:6", 24), ("reversi:8", 54), ("ultimate", 58), ("cube:4", 56), ("mnk:6,6,5", 28)],
)
def test_many_late_positions(name: str, plies: int) -> None:
    for state in positions(name, plies, 30, seed=1):
        assert_same(name, state)


def test_reversi_4_is_solved() -> None:
    answer = deep("reversi:4").ask(game_of("reversi:4").initial())
    assert (answer.value, answer.margin, answer.proven) == ("loss", -8, True)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("entries", [1, 2, 7, 64, 10_000])
def test_any_size_of_table_and_number_of_threads(threads: int, entries: int) -> None:
    game = game_of("reversi:6")
    solver = DeepSolver(rules_of(game.kernel()), entries=entries, threads=threads)
    native = DeepNative(game)
    native._solver = solver
    for state in positions("reversi:6", 24, 3, seed=2):
        truth = deep("reversi:6").ask(state)
        assert native.ask(state)[:5] == truth[:5]
    assert solver.entries == entries


@pytest.mark.parametrize("wanted", ["one", "best", "all"])
@pytest.mark.parametrize("threads", [1, 2])
def test_what_is_proven_at_any_stop_is_true(wanted: Any, threads: int) -> None:
    game = resolve(game_of("reversi:6"))
    (state,) = positions("reversi:6", 20, 1, seed=3)
    truth = deep("reversi:6").ask(state)
    assert truth.score is not None
    scores = {each.action: each.low for each in truth.actions}
    stops = set()
    for nodes in [*range(0, 200, 17), *(int(100 * 1.6**n) for n in range(1, 18))]:
        native = deep("reversi:6", threads)
        native.forget()
        answer = native.ask(state, noughts.Limits(nodes=nodes), wanted)
        stops.add(answer.stopped)
        assert answer.nodes <= nodes + threads
        assert answer.choice[0] in game.legal_actions(state)
        if answer.proven:
            assert answer.score == truth.score
            assert set(answer.best) <= set(truth.best)
        else:
            assert answer.stopped == "node limit"
            assert answer.depth is not None
        assert answer.low is None or answer.low <= truth.score
        assert answer.high is None or answer.high >= truth.score
        for each in answer.actions:
            score = scores[each.action]
            assert score is not None
            assert each.low is None or each.low <= score
            assert each.high is None or each.high >= score
            assert not each.exact or each.low == score
    assert stops == {"done", "node limit"}


def test_a_win_within_the_horizon_is_proven_as_a_bound() -> None:
    """Ultimate is far too large to solve, yet a forced win that is seen is more than a guess."""
    game = game_of("ultimate")
    for state in positions("ultimate", 40, 40, seed=4):
        answer = deep("ultimate").ask(state, noughts.Limits(nodes=30_000), "one")
        if answer.value == "win" and not answer.proven:
            assert answer.bound == "lower"
            after = game.result(state, answer.choice[0])
            reply = deep("ultimate").ask(after, noughts.Limits(nodes=30_000), "one")
            assert reply.value in ("loss", "unknown")
            break


def test_cancelling_and_deadlines_stop_a_search() -> None:
    state = game_of("ultimate").initial()
    answer = deep("ultimate").ask(state, noughts.Limits(seconds=0.05))
    assert (answer.stopped, answer.proven, answer.value) == ("deadline", False, "unknown")
    assert answer.depth
    assert answer.line[0] == answer.guess[0]
    calls = []

    def cancel() -> bool:
        calls.append(1)
        return len(calls) > 40

    assert deep("ultimate", 2).ask(state, noughts.Limits(cancel=cancel)).stopped == "cancelled"


def test_progress_is_reported_depth_by_depth() -> None:
    depths: list[int] = []
    deep("ultimate").ask(
        game_of("ultimate").initial(), noughts.Limits(nodes=20_000), "all", lambda found: depths.append(found.depth)
    )
    assert depths == list(range(1, len(depths) + 1))
    assert len(depths) > 2


def test_the_engine_asks_the_deep_kernel() -> None:
    game = noughts.load("reversi:6")
    state = positions("reversi:6", 22, 1, seed=5)[0]
    engine = noughts.Engine(game, table_mib=2, threads=1)
    answer = engine.analyse(state)
    assert (answer.method, answer.proven) == ("kernel", True)
    assert answer[:5] == deep("reversi:6").ask(state)[:5]
    few = noughts.Engine(game).analyse(game.initial(), limits=noughts.Limits(nodes=1_000))
    assert few.method != "kernel", "for so few nodes it is not loaded"
    guess = engine.analyse(game.initial(), limits=noughts.Limits(nodes=50_000))
    assert (guess.method, guess.proven, guess.best) == ("kernel", False, ())
    assert (guess.low, guess.high, {each.value for each in guess.actions}) == (None, None, {"unknown"})
    assert guess.depth is not None
    assert guess.depth > 4
    engine.forget()


def test_a_loaded_deep_kernel_is_asked_before_an_interpreted_search() -> None:
    game, calls = counted(noughts.load("reversi:6"), "kernel", "utility_range", "longest")
    engine = noughts.Engine(game, table_mib=2, threads=1)
    engine.value(limits=noughts.Limits(nodes=50_000))  # which loads it
    calls.clear()
    assert engine.value(game.result(game.initial(), 9), limits=noughts.Limits(nodes=50_000)).method == "kernel"
    assert calls["terminal"] < 200


def test_the_public_function_finds_the_deep_kernel() -> None:
    game = noughts.load("reversi:6")
    state = positions("reversi:6", 24, 1, seed=6)[0]
    assert noughts.kernel(game, state)[:5] == deep("reversi:6").ask(state)[:5]


def test_the_source_of_the_kernel_runs_as_it_is() -> None:
    """By the rules of the stub, interpreted: the player who takes the last of five matches wins."""
    workspace = [0] * deep_layout.workspace_words(5, 2, 1, 1)
    workspace[deep_layout.SIZE], workspace[deep_layout.LIMIT] = 4, 10_000
    workspace[deep_layout.BUSY] = [0] * (deep_layout.MARKS + 1)  # type: ignore[call-overload]
    table = [0] * 4 * deep_layout.entry_words(1)
    for matches, score in ((1, 5), (2, 5), (3, -4), (4, 3), (5, 3)):
        for depth in (1, 2, 3, FULL):
            assert deep_kernel.look((matches,), -6 * UNIT, 6 * UNIT, depth, table, workspace)
            value, sure = workspace[deep_layout.VALUE], workspace[deep_layout.SURE]
            if sure == deep_layout.LOW | deep_layout.HIGH or depth == FULL:
                assert value == score * UNIT
            assert deep_stub.plies_left((matches,)) == matches


# Players who move twice, and margins, in a game of one's own.

BOXES = '''
"""Two players take a number from either end of a row; after an even number, the same player moves again."""

from noughts.bits import count

ROW = (3, 4, 1, 6, 2, 5)
longest = len(ROW)
utility_range = (-21, 21)


def initial():
    return 0, len(ROW), 0, 0  # first number left, the one after the last, how far MAX is ahead plus 21, whose turn


def player(state):
    return -1 if state[3] else 1


def expand(position):
    return 0b11 if position[1] - position[0] > 1 else 0b01


def play(position, move):
    first, last, ahead, turn = position
    number = ROW[first] if move == 1 else ROW[last - 1]
    first, last = (first + 1, last) if move == 1 else (first, last - 1)
    ahead = ahead - number if turn else ahead + number
    return first, last, ahead, turn if number % 2 == 0 else 1 - turn


def key(position):
    return position


def score_bounds(position):
    first, last, ahead, turn = position
    margin = -ahead if turn else ahead
    if first == last:
        return margin * (longest + 1), margin * (longest + 1)
    return -21 * (longest + 1), 21 * (longest + 1)


def plies_left(position):
    return position[1] - position[0]


def actions(state):
    return [] if state[0] == state[1] else [move for move in (1, 2) if expand(state) & move]


def result(state, action):
    return play(state, action)


def terminal(state):
    return state[0] == state[1]


def utility(state):
    return state[2]
'''


@pytest.fixture(name="boxes")
def boxes_file(tmp_path: Path) -> Path:
    path = tmp_path / "boxes.py"
    path.write_text(BOXES, encoding="utf-8")
    return path


def test_a_players_own_game_with_double_moves_and_margins(boxes: Path) -> None:
    game = noughts.load(str(boxes))
    report = check_game(game)
    assert report.ok, report
    truth = noughts.minimax(game)
    answer = noughts.kernel(game, wanted="all")
    assert (answer.value, answer.distance, answer.margin) == (truth.value, truth.distance, truth.margin)
    assert (answer.best, answer.actions) == (truth.best, truth.actions)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "return position[1] - position[0]\n\n\ndef actions",
            "return -1\n\n\ndef actions",
            "plies_left(position) is -1",
        ),
        ("return -1 if state[3] else 1", "return -1 if state[3] else 2", "player"),
        ("def key(position):\n    return position", "def key(position):\n    return 0", "key(position) is 0"),
        (
            "return margin * (longest + 1), margin * (longest + 1)",
            "return margin, margin",
            "by the rules of the kernel it scores",
        ),
        ("return -21 * (longest + 1), 21", "return -22 * (longest + 1), 21", "score_bounds(position) is"),
    ],
)
def test_planted_mistakes_are_found(boxes: Path, old: str, new: str, message: str) -> None:
    assert old in BOXES
    boxes.write_text(BOXES.replace(old, new), encoding="utf-8")
    report = check_game(noughts.load(str(boxes)))
    assert not report.ok
    assert message in str(report)
