"""The native search of six functions against plain minimax: many small games in one, by a seed in the state."""

import sys
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

import pytest

import noughts
from noughts import Limits
from noughts.cli import main
from noughts.compiled.build import available
from noughts.plain import layout
from noughts.plain.solver import PlainRun
from noughts.sources.native import native_search
from noughts.sources.plain import PlainNative, PlainSearch

pytestmark = pytest.mark.skipif(not available(), reason="numba is not installed")

EXAMPLES = Path(__file__).parents[2] / "examples"

SEEDED = """
utility_range = ({least}, {most})
longest = 8

def initial():
    return (3, 0, 1), (0, +1)

def player(state):
    return state[1][1]

def actions(state):
    (seed, number, _), _ = state
    return [a for a in range(4) if (seed * (a + 3) + number) % 5 != 1 or a == number % 4]

def result(state, action):
    (seed, number, last), (plies, mover) = state
    number = (number * 31 + action * 17 + seed * 7 + last) % 1009
    if number % 11 != 0:
        mover = -mover
    return (seed, number, action * seed % 50), (plies + 1, mover)

def terminal(state):
    (seed, number, _), (plies, _) = state
    return plies >= 1 and ((number + seed) % 7 == 0 or plies == 6)

def utility(state):
    return state[0][1] // 3 % ({most} - {least} + 1) + {least}
"""


def seeded(folder: Path, least: int, most: int) -> Any:
    path = folder / f"seeded_{least}_{most}.py"
    path.write_text(SEEDED.format(least=least, most=most), encoding="utf-8")
    return noughts.load(str(path))


def check_seeds(game: Any, native: PlainNative[Any, Any], seeds: range) -> None:
    for seed in seeds:
        state = (seed, 0, 1), (0, +1)
        expected = noughts.minimax(game, state)
        for wanted in ("one", "best", "all"):
            found = native.ask(state, Limits(), wanted)
            assert found.proven
            assert found.line_complete or wanted == "one"
            assert (found.value, found.distance, found.margin) == (expected.value, expected.distance, expected.margin)
            assert set(found.best) <= set(expected.best) if wanted == "one" else found.best == expected.best
        rows = {each.action: (each.value, each.distance, each.margin) for each in expected.actions}
        assert {each.action: (each.value, each.distance, each.margin) for each in found.actions} == rows


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return seeded(tmp_path_factory.mktemp("games"), -1, 1)


@pytest.fixture(scope="module")
def native(game: Any) -> PlainNative[Any, Any]:
    found: PlainNative[Any, Any] = PlainNative(game)
    found.load(Limits())
    return found


def plain_search(engine: noughts.Engine[Any, Any]) -> PlainSearch[Any, Any]:
    """Return the source of an engine that searches by compiled functions."""
    return next(each for each in engine._sources.searches if isinstance(each, PlainSearch))


def test_answers_are_those_of_minimax(game: Any, native: PlainNative[Any, Any]) -> None:
    check_seeds(game, native, range(1, 120))


def test_the_search_is_compiled_for_one_type_of_arguments(native: PlainNative[Any, Any]) -> None:
    # Another version, for a constant among the arguments of a call, would be left out of what is kept in the cache.
    solver: Any = native.solver
    assert len(solver.module.search.signatures) <= 1


@pytest.mark.parametrize("others", [False, True])
def test_actions_are_tried_in_their_own_order_only_if_all_games_have_the_same_length(
    others: bool, tmp_path: Path
) -> None:
    path = tmp_path / "numbers.py"
    over = "state[1] == 6" if not others else "state[1] == 5 or state[0] % 7 == 5"
    path.write_text(
        "def initial():\n    return 1, 0\n\ndef player(state):\n    return 1 if state[1] % 2 == 0 else -1\n\n"
        "def actions(state):\n    return [0, 1, 2]\n\n"
        "def result(state, action):\n    return state[0] * 3 % 101 + action, state[1] + 1\n\n"
        f"def terminal(state):\n    return {over}\n\ndef utility(state):\n    return state[0] % 3 - 1\n",
        encoding="utf-8",
    )
    game = noughts.load(str(path))
    same: PlainNative[Any, Any] = PlainNative(game)
    found, expected = same.ask(game.initial(), Limits(), "all"), noughts.minimax(game)
    assert same.same_length != others
    assert (found.value, found.distance, found.best) == (expected.value, expected.distance, expected.best)
    solver: Any = same.solver
    with PlainRun(solver) as run:
        history = run._workspaces[0][layout.HISTORY : layout.HISTORY + layout.CODES]
        assert bool(history.any()) == others


@pytest.mark.parametrize("table_mib", [0, 0.01])
def test_a_small_table_changes_nothing(table_mib: float, game: Any) -> None:
    small: PlainNative[Any, Any] = PlainNative(game, table_mib)
    check_seeds(game, small, range(1, 20))


@pytest.mark.long
@pytest.mark.parametrize("bounds", [(-3, 2), (0, 1), (-2, -1)])
def test_answers_are_those_of_minimax_with_margins(bounds: tuple[int, int], tmp_path: Path) -> None:
    margins = seeded(tmp_path, *bounds)
    native: Any = native_search(margins)
    check_seeds(margins, native, range(1, 200))


@pytest.mark.long
@pytest.mark.parametrize("name", ["hex", "isolation", "kalah", "dots_and_boxes"])
def test_examples_have_the_answers_of_interpreted_search(name: str) -> None:
    game = noughts.load(str(EXAMPLES / f"{name}.py"))
    native: Any = native_search(game)
    random = Random(1)
    for _ in range(30):
        state = game.initial()
        for _ in range(random.randrange(4, 12)):
            after = game.result(state, random.choice(list(game.actions(state))))
            if game.terminal(after):
                break
            state = after
        expected, found = noughts.alphabeta(game, state, wanted="all"), native.ask(state, Limits(), "all")
        assert found.proven
        assert (found.value, found.distance, found.best) == (expected.value, expected.distance, expected.best)


def test_limits_stop_it_and_what_is_proven_is_true(game: Any, native: PlainNative[Any, Any]) -> None:
    state = (57, 0, 1), (0, +1)
    expected = noughts.minimax(game, state)
    for nodes in (1, 10, 50, 200, 1000):
        native.forget()
        found = native.ask(state, Limits(nodes=nodes), "all")
        assert found.nodes <= nodes + 2
        assert found.choice
        for row, true in zip(found.actions, expected.actions, strict=False):
            score = true.low
            assert score is not None
            assert row.low is None or row.low <= score
            assert row.high is None or score <= row.high
    assert native.ask(state, Limits(cancel=lambda: True), "all").stopped == "cancelled"
    assert native.ask(state, Limits(seconds=0.0), "all").stopped == "deadline"


def test_threads_do_not_share_a_table_at_the_same_time(game: Any, native: PlainNative[Any, Any]) -> None:
    failed: list[BaseException] = []

    def work(seeds: range) -> None:
        try:
            check_seeds(game, native, seeds)
        except BaseException as error:
            failed.append(error)

    threads = [Thread(target=work, args=(range(first, 60, 3),)) for first in (1, 2, 3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    solver: Any = native.solver
    with PlainRun(solver) as outer, PlainRun(solver) as inner:
        assert outer._table is not inner._table


def test_an_engine_uses_it_once_it_is_loaded(game: Any, native: PlainNative[Any, Any]) -> None:
    engine = noughts.Engine(game)
    plain = plain_search(engine)
    engine.prepare(Limits(nodes=100))  # too few to solve the game
    assert plain.is_loaded
    state = (57, 0, 1), (0, +1)
    answer = engine.analyse(state)
    assert answer.method == "kernel"
    assert answer.best == noughts.minimax(game, state).best
    assert answer.line_complete


def test_a_changed_constant_switches_it_off(tmp_path: Path, native: PlainNative[Any, Any]) -> None:
    path = tmp_path / "matches.py"
    text = (EXAMPLES / "matches.py").read_text(encoding="utf-8")
    path.write_text(
        text.replace("return 10, +1", "return 10, +1\n\n\nMOST = 3").replace("(1, 2, 3)", "range(1, MOST + 1)")
    )
    game = noughts.load(str(path))
    engine = noughts.Engine(game)
    plain = plain_search(engine)
    plain.native._solver = native.solver  # any: it is not asked
    assert plain.native.is_current()
    game.MOST = 2  # type: ignore[attr-defined]
    assert not plain.native.is_current()
    answer = engine.value()
    assert answer.method == "alphabeta"
    assert not plain.is_loaded


def test_lint_says_whether_and_why(
    tmp_path: Path, game: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["lint", "--native", game.__file__]) == 0
    assert capsys.readouterr().out == f"{game.__file__}: its functions are compiled, and searched at native speed\n"
    path = tmp_path / "matches.py"
    text = (EXAMPLES / "matches.py").read_text(encoding="utf-8")
    path.write_text(text.replace("left - action, -mover", "int(left - action / 1), -mover"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["lint", "--native", "./matches.py"]) == 1
    why = "result(), line 18: `a / b` is not translated for a whole number and a whole number"
    assert capsys.readouterr().out == f"./matches.py: not compiled: {why}\n"
    assert main(["lint", "--native", "./matches.py", "--json"]) == 1
    assert '"native": false' in capsys.readouterr().out
    assert main(["lint", "--native", "tic-tac-toe"]) == 0
    assert "rules for native speed" in capsys.readouterr().out


def test_what_is_compiled_wrongly_is_not_believed(game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong: PlainNative[Any, Any] = PlainNative(game)
    samples = wrong._plan.samples
    states = [((1, 5, 0), (0, 1)), *samples.states]
    monkeypatch.setattr(wrong._plan, "game", wrong.game._replace(utility=lambda _: 0, player=lambda _: 1))
    monkeypatch.setattr(wrong._plan, "samples", samples._replace(states=states))
    with pytest.raises(noughts.NoughtsError, match="return something else than in Python"):
        wrong.load(Limits())
    assert "numba" in sys.modules
