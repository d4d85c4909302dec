"""The engine: one for each game, with a memory, that tries nothing twice and throws nothing away that it has proven."""

import copy
import pickle
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, reduce
from pathlib import Path
from threading import Barrier
from types import SimpleNamespace
from typing import Any

import pytest

import noughts
from noughts.capabilities import resolve
from noughts.engine import Engine, engine_of
from noughts.game import FUNCTIONS, Game
from noughts.search.answer import Answer
from noughts.search.limits import Limits
from noughts.search.memo import Memo
from noughts.sources import solved
from tests.helpers import altered

SAME = slice(0, 5)
"""Of an answer: value, distance, margin, score, best."""

NODES = (1, 2, 5, 13, 30, 70, 150, 400, 1_000, 4_000, 20_000, 100_000)
SOME_NODES = (1, 13, 150, 1_000, 20_000)

POSITIONS = [
    ("tic-tac-toe", ""),
    ("tic-tac-toe", "5 2"),
    ("mnk:4,3,3", "a1"),
    ("mnk:4,4,4", "b2 a1 c3 a2 d1 c1"),
    ("connect:5x4", "3 3 3 3 1"),
    ("connect:5x5,3", "3 1"),
    ("connect-four", "2643276112242265744411455"),
    ("misere", "1"),
    ("nim:3,4,5", ""),
    ("notakto", ""),
    ("reversi:4", ""),
]


def counted(game: Game[Any, Any], *offering: str) -> tuple[Any, "Counter[str]"]:
    """Return a game that counts the calls of its functions, and the count."""
    calls: Counter[str] = Counter()

    def counting(name: str) -> Callable[..., Any]:
        function = getattr(game, name)

        def called(*args: Any) -> Any:
            calls[name] += 1
            return function(*args)

        return called

    return altered(game, offering, **{name: counting(name) for name in FUNCTIONS}), calls


def plain(game: Game[Any, Any]) -> Any:
    """Return a game without its kernel."""
    offered = ("action_name", "key", "heuristic", "preferred", "bounds", "symmetries", "utility_range", "longest")
    return altered(game, [name for name in offered if hasattr(game, name)])


@cache
def truth(notation: str, moves: str) -> Answer[Any]:
    """Return what a memo of everything below a position says of it."""
    game = noughts.load(notation)
    return Memo(game).analyse(noughts.replay(game, moves))


def test_there_is_one_engine_for_each_game() -> None:
    game = noughts.load("mnk:4,3,3")
    assert engine_of(game) is engine_of(game) is engine_of(noughts.load("mnk:4,3,3"))
    assert engine_of(resolve(game)) is engine_of(game)
    assert engine_of(engine_of(game)) is engine_of(game)
    own: Engine[Any, Any] = Engine(game)
    assert engine_of(own) is own is not engine_of(game)
    assert engine_of(altered(game)) is not engine_of(game)


def test_threads_that_come_at_once_share_one_engine() -> None:
    for _ in range(20):
        game, start = altered(noughts.load("tic-tac-toe")), Barrier(8)

        def meet(game: Any = game, start: Barrier = start) -> Engine[Any, Any]:
            start.wait()
            return engine_of(game)

        with ThreadPoolExecutor(8) as pool:
            assert len({id(each.result()) for each in [pool.submit(meet) for _ in range(8)]}) == 1


@pytest.mark.parametrize("notation", ["tic-tac-toe", "mnk:4,3,3", "connect:5x5,3"])
def test_threads_may_ask_one_engine_at_the_same_time(notation: str) -> None:
    """With limits and without, about the same state and others: no answer contradicts what is true."""
    game = noughts.load(notation)
    engine: Engine[Any, Any] = Engine(game, table_mib=1, threads=1)
    states = [game.result(game.initial(), action) for action in game.actions(game.initial())][:4]
    truths = [noughts.alphabeta(game, state, wanted="all") for state in states]

    def ask(number: int) -> None:
        which = number % len(states)
        limits = Limits(nodes=(None, 50, 5_000)[number % 3])
        found = engine.analyse(states[which], limits=limits)
        agrees(found, truths[which])
        if limits.nodes is None:
            assert found[SAME] == truths[which][SAME]

    with ThreadPoolExecutor(4) as pool:
        for each in [pool.submit(ask, number) for number in range(36)]:
            each.result()


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])
def test_a_copy_is_an_engine_of_the_same_game_that_knows_nothing(copied: Callable[[Any], Any]) -> None:
    engine: Engine[Any, Any] = Engine(noughts.load("tic-tac-toe"), table_mib=3, threads=1)
    known = engine.analyse()
    other = copied(engine)
    assert isinstance(other, Engine)
    assert other._sizes == engine._sizes
    assert (engine.knows(engine.game.initial()), other.knows(other.game.initial())) == (True, False)
    again = other.analyse()
    assert again[SAME] == known[SAME]
    assert again.nodes == known.nodes > 0


def test_what_is_known_costs_nothing() -> None:
    """Of a solved game, every value is at hand, and of one that was asked about before no function is called."""
    game, calls = counted(noughts.load("tic-tac-toe"))
    assert noughts.analyse(game).nodes > 1_000
    calls.clear()
    for action in game.actions(game.initial()):
        found = noughts.value(game, game.result(game.initial(), action))
        assert (found.value, found.nodes, found.method) == ("draw", 0, "memo")
    noughts.value(game)
    known = noughts.value(game)
    before = calls.copy()
    assert noughts.value(game, game.initial()) == known == noughts.value(game)
    assert calls - before == {"initial": 2}
    assert noughts.analyse(game)[SAME] == noughts.minimax(game)[SAME]


def test_an_answer_that_a_search_has_proven_is_kept() -> None:
    """The game is too large to solve whole, but what was asked about is known from then on."""
    game, calls = counted(noughts.load("mnk:4,4,4"), "preferred", "action_name")
    engine: Engine[Any, Any] = Engine(game)
    state = noughts.replay(game, "b2 a1 c3 a2 d1 c1")
    first = engine.analyse(state)
    assert first.proven
    calls.clear()
    again = engine.analyse(state)
    assert again == first._replace(nodes=0, seconds=0.0)
    assert not calls
    engine.forget()
    assert not engine.knows(state)
    assert engine.analyse(state)[SAME] == first[SAME]
    assert calls["result"] > 100


def test_what_is_not_proven_is_asked_again() -> None:
    engine: Engine[Any, Any] = Engine(noughts.load("tic-tac-toe"))
    assert not engine.analyse(limits=Limits(nodes=50)).proven
    assert not engine.knows(engine.game.initial())
    assert engine.analyse().proven


def test_a_failed_attempt_to_solve_the_whole_game_is_never_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    spent: list[int] = []
    for name in ("value", "analyse"):
        asked = getattr(Memo, name)

        def counting(memo: Any, *args: Any, asked: Callable[..., Any] = asked) -> Any:
            found = asked(memo, *args)
            spent.append(found.nodes)
            return found

        monkeypatch.setattr(Memo, name, counting)
    game, calls = counted(noughts.load("mnk:4,4,4"))
    engine: Engine[Any, Any] = Engine(game)
    for _ in range(5):
        engine.analyse(limits=Limits(nodes=30_000))
    attempts = len(spent)
    assert 2 <= attempts <= 5
    assert sum(spent) == solved.SMALL
    for state in [game.initial(), *(game.result(game.initial(), action) for action in (1, 2, 3))]:
        engine.analyse(state, limits=Limits(nodes=100))
        engine.value(state, limits=Limits(nodes=100))
    assert len(spent) == attempts
    calls.clear()
    assert not engine.solve(10.0)
    assert not calls
    engine.forget()
    assert not engine.solve(10.0)
    assert not calls


@pytest.mark.parametrize("ask", [noughts.value, noughts.analyse])
def test_a_loaded_kernel_is_asked_before_a_memo(ask: Callable[..., Answer[Any]]) -> None:
    game = noughts.load("connect:5x4")
    engine: Engine[Any, Any] = Engine(game)
    end = noughts.replay(game, "1112223334")
    assert ask(engine, end).method in ("memo", "alphabeta")  # which is quicker than to load a kernel
    assert ask(engine).method == "kernel"
    for _ in range(2):
        engine.forget()
        assert ask(engine, end).method == "kernel"


def test_one_attempt_with_all_it_may_take_is_enough() -> None:
    game, calls = counted(noughts.load("mnk:4,4,4"))
    engine: Engine[Any, Any] = Engine(game)
    assert not engine.solve(60.0)
    assert calls["utility"] > 0
    calls.clear()
    assert not engine.solve(60.0)
    assert not calls


def test_an_answer_is_done_only_when_every_action_that_is_wanted_has_its_value() -> None:
    """The win is proven first; a question that is cancelled before the other actions are valued says so."""
    game: Any = altered(noughts.load("mnk:4,3,3"))
    state = reduce(game.result, [4, 2, 7, 5, 8, 10], game.initial())
    engine: Engine[Any, Any] = Engine(game)
    assert not engine.solve(60.0)  # too large
    cancelled = 0
    for asked in range(0, 60, 3):
        engine.forget()
        left = iter(range(asked))
        found = engine.ask(state, Limits(cancel=lambda left=left: next(left, None) is None))  # type: ignore[misc]
        if found.stopped == "done":
            assert found.proven
            assert all(each.exact for each in found.actions)
        cancelled += found.proven and found.stopped == "cancelled"
    assert cancelled


def agrees(found: Answer[Any], true: Answer[Any]) -> None:
    """Check that whatever an answer says is true: bounds, values, best actions."""
    assert true.score is not None
    assert found.low is None or found.low <= true.score
    assert found.high is None or true.score <= found.high
    assert found.choice or not true.actions
    exact = {each.action: each.low for each in true.actions}
    assert set(found.choice) <= set(exact)
    for each in found.actions:
        score = exact[each.action]
        assert score is not None
        assert each.low is None or each.low <= score
        assert each.high is None or score <= each.high
        if found.method != "theory":  # which knows the value exactly, and the distance not at all
            assert each.exact == (each.low is not None and each.low == each.high)
        if each.exact:
            assert (each.bound, each.value) == (None, value_of(score))
        if each.bound == "lower":
            assert RANK[each.value] <= RANK[value_of(score)]
        if each.bound == "upper":
            assert RANK[each.value] >= RANK[value_of(score)]
    if found.method == "theory":
        assert (found.value, found.proven, found.score) == (true.value, True, None)
        assert set(found.best) & set(true.best)
    elif found.proven:
        assert (found.value, found.distance, found.score) == (true.value, true.distance, true.score)
        assert set(found.best) <= set(true.best)
        assert (found.guess, found.bound) == ((), None)
        assert found.low == found.high == true.score
    else:
        assert (found.best, found.score) == ((), None)
        assert found.line[:1] == found.guess[:1]
        if found.bound is None:
            assert found.value == "unknown"
        elif found.bound == "lower":
            assert RANK[found.value] <= RANK[true.value]
        else:
            assert RANK[found.value] >= RANK[true.value]


RANK = {"loss": 0, "draw": 1, "win": 2}


def value_of(score: int) -> str:
    return "win" if score > 0 else "loss" if score < 0 else "draw"


def has_kernel(notation: str) -> bool:
    game = resolve(noughts.load(notation))
    return game.kernel() is not None


WITH_AND_WITHOUT_KERNEL = [
    (notation, moves, native)
    for notation, moves in POSITIONS
    for native in (False, True)
    if not native or has_kernel(notation)
]


@pytest.mark.parametrize("limits", [SOME_NODES, pytest.param(NODES, marks=pytest.mark.long)], ids=["some", "all"])
@pytest.mark.parametrize("wanted", ["one", "all"])
@pytest.mark.parametrize(("notation", "moves", "native"), WITH_AND_WITHOUT_KERNEL)
def test_what_is_proven_within_any_limit_is_true(
    notation: str, moves: str, native: bool, wanted: Any, limits: tuple[int, ...]
) -> None:
    """With and without a kernel, from scratch: bounds hold for the state and for every action."""
    game = noughts.load(notation)
    state, true = noughts.replay(game, moves), truth(notation, moves)
    if not native:
        game = plain(game)
    for nodes in limits:
        engine: Engine[Any, Any] = Engine(game, table_mib=1, threads=1)
        if native:
            engine.prepare(Limits(nodes=1))
            assert any(each.is_loaded for each in engine._sources.compiled)
        found = engine.ask(state, Limits(nodes=nodes), wanted)
        agrees(found, true)
        assert found.nodes <= nodes + 1_000 * native, "a kernel looks at its limit now and then"
        again = engine.ask(state, Limits(nodes=nodes), wanted)
        agrees(again, true)


@pytest.mark.parametrize(("notation", "moves"), POSITIONS)
def test_bounds_only_get_better_from_one_question_to_the_next(notation: str, moves: str) -> None:
    """What is proven once is still known, or proven again, when the same engine is asked with more to spend."""
    game = noughts.load(notation)
    state, true = noughts.replay(game, moves), truth(notation, moves)
    engine: Engine[Any, Any] = Engine(plain(game), table_mib=8)
    proven = False
    for nodes in NODES[4:]:
        found = engine.analyse(state, limits=Limits(nodes=nodes))
        agrees(found, true)
        assert found.proven or not proven
        proven = found.proven


@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize(("notation", "moves"), [("connect:5x5,3", "3 1"), ("mnk:4,3,3", ""), ("mnk:5,5,4", "c3 a1")])
def test_the_budget_is_spent_on_the_other_actions_once_a_win_is_found(notation: str, moves: str, native: bool) -> None:
    """No action stays open while something is left to spend."""
    game = noughts.load(notation)
    state = noughts.replay(game, moves)
    proven = 0
    for nodes in (3_000, 10_000, 30_000, 100_000):
        engine: Engine[Any, Any] = Engine(game if native else plain(game), table_mib=8, threads=1)
        if native:
            engine.prepare(Limits(nodes=1))
        found = engine.analyse(state, limits=Limits(nodes=nodes))
        proven += found.proven
        if found.proven and all(each.exact for each in found.actions):
            assert found.stopped == "done"
        else:
            assert found.stopped == "node limit"
            assert found.nodes >= 0.95 * nodes
    assert proven or notation == "mnk:5,5,4"
    everything = Engine(game).analyse(state, limits=Limits(seconds=60))
    if notation != "mnk:5,5,4":
        assert all(each.exact for each in everything.actions)


def test_bounds_of_a_kernel_that_was_stopped_are_in_the_answer() -> None:
    """It knew that the position is no loss, and the answer said that nothing was known."""
    game = noughts.load("connect-four")
    engine: Engine[Any, Any] = Engine(game, threads=1)
    engine.prepare(Limits(nodes=1))
    found = engine.value(noughts.replay(game, "4444"), limits=Limits(seconds=3))
    assert found.choice
    assert found.proven or found.low is not None or found.high is not None


def test_a_question_may_be_asked_while_another_is_answered() -> None:
    game = plain(noughts.load("mnk:4,4,4"))
    engine: Engine[Any, Any] = Engine(game)
    late = noughts.replay(game, "b2 a1 c3 a2 d1 c1")
    inner: list[Answer[Any]] = []

    def progress(_: Any) -> None:
        if not inner:
            inner.append(engine.analyse(late))

    outer = engine.analyse(limits=Limits(nodes=60_000), progress=progress)
    assert outer.choice
    assert inner[0][SAME] == truth("mnk:4,4,4", "b2 a1 c3 a2 d1 c1")[SAME]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("tic-tac-toe", " Tic-Tac-Toe "),
        ("mnk:4,4,4", "MNK: 4, 04,4"),
        ("connect:5x4", "Connect:5X4"),
        ("examples/matches.py", "./examples/matches.py"),
        ("examples/matches.py", Path("examples/matches.py")),
        ("examples/matches.py", Path("examples/matches.py").resolve()),
        ("./examples/../examples/matches.py", "examples/matches.py"),
    ],
)
def test_load_returns_the_same_game_for_the_same_notation(one: Any, other: Any) -> None:
    assert noughts.load(one) is noughts.load(one) is noughts.load(other)
    assert engine_of(noughts.load(one)) is engine_of(noughts.load(other))


def test_load_returns_another_game_once_the_file_has_changed(tmp_path: Path) -> None:
    path, source = tmp_path / "own.py", Path("examples/matches.py").read_text(encoding="utf-8")
    path.write_text(source, encoding="utf-8")
    first = noughts.load(path)
    assert noughts.value(first).best == (2,)
    path.write_text(source.replace("return 10, +1", "return 11, +1"), encoding="utf-8")
    second = noughts.load(path)
    assert second is not first
    assert (noughts.value(second).best, noughts.value(first).best) == ((3,), (2,))
    path.write_text(source, encoding="utf-8")
    assert noughts.load(path) is first


def test_games_that_are_no_text_are_loaded_as_they_are() -> None:
    game = altered(noughts.load("tic-tac-toe"))
    assert noughts.load(game) is game
    assert isinstance(game, SimpleNamespace)


def test_threads_that_load_at_once_get_the_same_game() -> None:
    for size in range(3, 9):
        start = Barrier(6)

        def meet(size: int = size, start: Barrier = start) -> Any:
            start.wait()
            return noughts.load(f"mnk:{size},7,3")

        with ThreadPoolExecutor(6) as pool:
            games = [each.result() for each in [pool.submit(meet) for _ in range(6)]]
        assert len({id(game) for game in games}) == 1
