"""One engine shared by many threads, processes and callbacks: every answer is the oracle's."""

import copy
import os
import pickle
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from random import Random
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

import noughts
from noughts.capabilities import resolve
from noughts.compiled.solver import BUILDING
from noughts.engine import Engine
from noughts.game import FUNCTIONS, MAX, MIN
from noughts.search.answer import Answer
from noughts.search.deepening import Progress, deepening
from noughts.search.drivers import Options, alphabeta
from noughts.search.limits import Limits
from noughts.search.memo import Memo
from noughts.search.mtd import mtd
from noughts.search.recursion_limit import deep_recursion, raise_limit
from noughts.search.table import Table
from noughts.sources.kernel import NativeSearch
from tests.compiled.positions import random_states
from tests.helpers import TIMEOUT

THREADS = 8

Ask = Callable[[Any, Limits, Any], Answer[Any]]


class Asked(NamedTuple):
    """A position, the function that is asked about it, and the true answer."""

    game: str
    method: str
    ask: Ask
    state: Any
    truth: Answer[Any]


def margins() -> Any:
    """Return a game of margins: take one or two of nine heaps; odd numbers count for MAX, even ones for MIN."""
    heaps = (70, 3, 91, 4, 17, 60, 5, 33, 28)
    return SimpleNamespace(
        initial=lambda: (0, 0, 1),
        player=lambda state: state[2],
        actions=lambda state: [n for n in (1, 2) if state[0] + n <= len(heaps)],
        result=lambda state, n: (state[0] + n, state[1] + state[2] * sum(heaps[state[0] : state[0] + n]), -state[2]),
        terminal=lambda state: state[0] == len(heaps),
        utility=lambda state: state[1],
        utility_range=(-sum(heaps), sum(heaps)),
        longest=len(heaps),
    )


GAMES: dict[str, tuple[int, int]] = {
    "tic-tac-toe": (0, 6),
    "mnk:4,4,4": (9, 12),
    "connect:4x4": (6, 12),
    "nim:3,4,5": (0, 3),
    "reversi:4": (4, 8),
    "examples/matches.py": (0, 4),
    "margins": (0, 4),
}
"""After how many plies, at least and at most, positions are asked about."""

MORE_GAMES = {"mnk:4,4,3": (4, 10), "connect:5x4": (10, 16)}

KERNELS = ("tic-tac-toe", "mnk:4,4,4", "connect:4x4", *MORE_GAMES)


def by_memo(memo: Memo[Any, Any], state: Any, limits: Limits, _: Any) -> Answer[Any]:
    return memo.analyse(state, limits)


def by_search(search: Any, game: Any, options: Options, state: Any, limits: Limits, wanted: Any) -> Answer[Any]:
    answer: Answer[Any] = search(game, state, limits=limits, options=options, wanted=wanted)
    return answer


def shared(games: dict[str, tuple[int, int]], number: int) -> list[Asked]:
    """Return questions to methods that share an engine, kernels, a memo and a table for each game."""
    found = []
    for notation, (least, most) in games.items():
        game: Any = margins() if notation == "margins" else noughts.load(notation)
        oracle, memo = Memo(game), Memo(game)
        engine: Engine[Any, Any] = Engine(game, table_mib=1, threads=1)
        options = Options(table=Table(1))
        methods: dict[str, Ask] = {
            "engine": engine.ask,
            "memo": partial(by_memo, memo),
        }
        for search in (alphabeta, deepening, mtd):
            methods[search.__name__] = partial(by_search, search, game, options)
        if notation in KERNELS:
            for threads in (1, 2):  # with a table that is too small, so that they are at work for longer
                kernel: NativeSearch[Any, Any] = NativeSearch(game, table_mib=0.01, threads=threads)
                methods[f"kernel of {threads}"] = kernel.ask
        for state in random_states(game, number, 7, least, most):
            truth = oracle.analyse(state)
            found += [Asked(notation, name, ask, state, truth) for name, ask in methods.items()]
    return found


def some_limits(random: Random) -> Limits:
    """Return random limits of any kind; half of the time, none."""
    calls = iter([False] * random.randrange(300))
    return random.choice(
        [
            Limits(),
            Limits(),
            Limits(),
            Limits(nodes=random.choice([1, 10, 100, 1_000, 30_000])),
            Limits(seconds=random.choice([0.0, 0.001, 0.01])),
            Limits(cancel=lambda: next(calls, True)),
        ]
    )


@contextmanager
def many_switches() -> Iterator[None]:
    """Let threads take turns a hundred times as often as usual."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def fault(asked: Asked, limits: Limits, wanted: str, answer: Answer[Any]) -> str | None:
    """Return what is wrong with an answer, or None."""
    truth = asked.truth
    if not answer.proven:
        if limits == Limits():
            return f"out of budget without limits: {answer.stopped}"
        legal = asked.method == "memo" or set(answer.choice) & {each.action for each in truth.actions}
        return None if legal else "no legal action"
    if answer.method == "theory":  # which knows no distances, so that its best actions include slow ones
        agrees = answer.value == truth.value and not set(answer.best).isdisjoint(truth.best)
        return None if agrees else f"{answer.value} with {answer.best} is not {truth.value} with {truth.best}"
    if answer[:4] != truth[:4]:
        return f"{answer[:4]} is not {truth[:4]}"
    right = set(answer.best) <= set(truth.best) if wanted == "one" else answer.best == truth.best
    return None if right and answer.best else f"best {answer.best} is not {truth.best}"


def stress(asked: list[Asked], each: int, seed: int = 0) -> list[str]:
    """Let threads ask `each` questions each; return what went wrong."""
    faults: list[str] = []
    start = threading.Barrier(THREADS)

    def work(number: int) -> None:
        random = Random(f"{seed} {number}")
        start.wait()
        for _ in range(each):
            one, limits, wanted = random.choice(asked), some_limits(random), random.choice(["one", "best", "all"])
            try:
                found = fault(one, limits, wanted, one.ask(one.state, limits, wanted))
            except Exception as error:
                found = repr(error)
            if found is not None:
                faults.append(f"{one.game} by {one.method}, {limits}: {found}")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(THREADS)]
    with many_switches():
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return faults


def test_an_engine_shared_by_threads_is_never_wrong() -> None:
    """Eight threads, mixed games, methods and limits: no wrong answer, none falsely out of budget."""
    assert stress(shared(GAMES, 6), 25) == []


def test_a_kernel_shared_by_threads_is_never_wrong() -> None:
    kernels = {"connect:4x4": (4, 8), "mnk:4,4,4": (7, 9)}
    assert stress([asked for asked in shared(kernels, 8) if "kernel" in asked.method], 30) == []


@pytest.mark.long
def test_an_engine_shared_by_threads_is_never_wrong_in_20_000_questions() -> None:
    asked = shared(GAMES | MORE_GAMES, 25)
    for seed in range(10):
        assert stress(asked, 250, seed) == []


def kernel_and_truth(notation: str = "connect:4x4", number: int = 6) -> tuple[NativeSearch[Any, Any], list[Any]]:
    """Return a new search whose table begins tiny and grows, and positions with their true answers."""
    game = noughts.load(notation)
    kernel: NativeSearch[Any, Any] = NativeSearch(game, table_mib=1, threads=1)
    kernel.solver.table.size = 16
    memo = Memo(game)
    states = random_states(game, number, 3, 4, 8)
    return kernel, [(state, memo.analyse(state)) for state in states]


def agrees(ask: Callable[..., Answer[Any]], truths: list[Any]) -> None:
    for state, truth in truths:
        answer = ask(state)
        assert (answer.proven, answer[:5]) == (True, truth[:5])


LARGE = "connect-four"


def large() -> tuple[NativeSearch[Any, Any], list[Any]]:
    """Return a search that takes very long at the start of its game, and positions near the end with true answers."""
    game = noughts.load(LARGE)
    kernel: NativeSearch[Any, Any] = NativeSearch(game, table_mib=16, threads=1)
    memo = Memo(game)
    return kernel, [(state, memo.analyse(state)) for state in random_states(game, 4, 5, 34, 38)]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_progress_callback_may_ask_another_question(threads: int) -> None:
    """The running search pauses for the other question and then starts again; both are answered within their limits."""
    kernel, truths = large()
    kernel = NativeSearch(kernel.game, table_mib=16, threads=threads)
    asked = 0

    def progress(_: Progress) -> None:
        nonlocal asked
        asked += 1
        agrees(kernel.ask, truths)

    hard = noughts.replay(kernel.game, "444444")
    answer = kernel.ask(hard, Limits(cancel=lambda: asked > 3), progress=progress)
    assert (answer.stopped, answer.proven) == ("cancelled", False)
    assert asked == 4
    small, more = kernel_and_truth()
    for state, truth in more:
        assert small.ask(state, progress=lambda _: agrees(small.ask, more[:1]))[:5] == truth[:5]


def test_a_cancel_callback_may_ask_another_question() -> None:
    kernel, truths = kernel_and_truth()
    engine: Engine[Any, Any] = Engine(kernel.game, table_mib=1, threads=1)
    for ask in (kernel.ask, engine.ask):

        def cancel(ask: Any = ask, calls: list[int] = []) -> bool:  # noqa: B006 - counts the calls
            calls.append(1)
            if len(calls) % 50 == 1 and len(calls) < 500:
                agrees(ask, truths[:1])
            return False

        for state, truth in truths:
            assert ask(state, Limits(cancel=cancel))[:5] == truth[:5]


def test_a_cancelled_question_leaves_nothing_behind() -> None:
    """Threads that share a tiny table are stopped after any number of nodes or checks; later answers are right."""
    kernel, truths = kernel_and_truth()
    engine: Engine[Any, Any] = Engine(kernel.game, table_mib=1, threads=1)
    stopped = 0
    for nodes in (1, 2, 10, 100, 1_000):
        for ask in (kernel.ask, engine.ask):
            stopped += not ask(kernel.game.initial(), Limits(nodes=nodes)).proven
            calls = iter([False] * nodes)
            ask(kernel.game.initial(), Limits(cancel=lambda calls=calls: next(calls, True)))  # type: ignore[misc]
            agrees(ask, truths)
    assert stopped > 3


@pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt])
def test_an_error_in_a_callback_leaves_nothing_behind(error: type[BaseException]) -> None:
    kernel, truths = large()
    engine: Engine[Any, Any] = Engine(kernel.game, table_mib=16, threads=1)
    for ask, looks in ((kernel.ask, (0, 1, 3)), (engine.ask, (0, 1, 3, 500))):
        for look in looks:
            calls = iter([False] * look)

            def cancel(calls: Iterator[bool] = calls) -> bool:
                if next(calls, True):
                    raise error
                return False

            before = threading.active_count()
            with pytest.raises(error):
                ask(kernel.game.initial(), Limits(cancel=cancel))
            assert threading.active_count() == before
            agrees(ask, truths)


def test_an_error_in_the_game_leaves_nothing_behind() -> None:
    """A game fails now and then, in any of its functions; the answers in between are right."""
    random = Random(2)
    sound = noughts.load("mnk:3,3,3")
    failing = False

    def shaky(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            if failing and random.random() < 0.004:
                raise ZeroDivisionError
            return function(*arguments)

        return call

    game = SimpleNamespace(**{name: shaky(getattr(sound, name)) for name in FUNCTIONS}, longest=9)
    engine: Engine[Any, Any] = Engine(game, table_mib=1)
    oracle = Memo(sound)
    failures = 0
    for state in random_states(sound, 20, 4, 1, 5):
        truth = oracle.analyse(state)
        for limits in (Limits(), Limits(depth=9)):
            failing = True
            try:
                assert engine.ask(state, limits)[:5] == truth[:5]
            except ZeroDivisionError:
                failures += 1
            failing = False
            assert engine.ask(state, limits)[:5] == truth[:5]
    assert failures


def test_a_game_may_ask_about_another_game() -> None:
    """Its final utilities are the values of a smaller game, found by the same methods: a search inside a search."""
    inner = noughts.load("mnk:3,3,3")
    asked: Engine[Any, Any] = Engine(inner, table_mib=1)
    states = random_states(inner, 16, 1, 3, 6)
    worth = [noughts.minimax(inner, state).margin or 0 for state in states]

    def searched(state: tuple[int, int]) -> int:
        return asked.ask(states[state[1]], Limits(depth=9)).margin or 0

    def game(utility: Callable[[tuple[int, int]], int]) -> Any:
        return SimpleNamespace(
            initial=lambda: (0, 0),
            player=lambda state: MIN if state[0] % 2 else MAX,
            actions=lambda _: [0, 1],
            result=lambda state, action: (state[0] + 1, 2 * state[1] + action),
            terminal=lambda state: state[0] == 4,
            utility=utility,
        )

    truth = noughts.minimax(game(lambda state: worth[state[1]]))
    for search in (alphabeta, deepening, mtd, noughts.minimax):
        assert search(game(searched))[:5] == truth[:5]


def test_a_question_is_answered_while_another_one_takes_long() -> None:
    """The long search has the table to itself, lets others in, and is stopped only by its own limits."""
    kernel, truths = large()
    stop = threading.Event()
    told = threading.Event()
    answers: list[Answer[Any]] = []

    def ask_long() -> None:
        limits = Limits(cancel=stop.is_set)
        answers.append(kernel.ask(kernel.game.initial(), limits, progress=lambda _: told.set()))

    thread = threading.Thread(target=ask_long)
    thread.start()
    assert told.wait(TIMEOUT)
    for _ in range(3):
        agrees(kernel.ask, truths)
    assert not answers
    before = kernel.solver.nodes
    kernel.solver.forget()
    agrees(kernel.ask, truths)
    assert kernel.solver.nodes > before
    stop.set()
    thread.join(TIMEOUT)
    assert [answer.stopped for answer in answers] == ["cancelled"]


def test_a_table_grows_while_questions_share_it() -> None:
    """Searches pause for it and start again; in the end all answers are right, and the table is larger."""
    kernel, truths = kernel_and_truth("mnk:4,4,4", 1)
    start = kernel.game.initial()
    truth = NativeSearch(kernel.game, table_mib=1, threads=1).ask(start, wanted="one")
    found: list[Answer[Any]] = []
    threads = [threading.Thread(target=lambda: found.append(kernel.ask(start, wanted="one"))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [answer[:4] for answer in found] == [truth[:4]] * 4
    assert kernel.solver.table.size > 16
    agrees(kernel.ask, truths)


def test_a_question_keeps_its_limits_while_another_thread_compiles() -> None:
    """It waits for the compiler no longer than its limits allow."""
    kernel: NativeSearch[Any, Any] = NativeSearch(noughts.load("tic-tac-toe"), table_mib=1)
    start = kernel.game.initial()
    held, enough = threading.Event(), threading.Event()

    def compile_for_ever() -> None:
        with BUILDING:
            held.set()
            enough.wait(TIMEOUT)

    thread = threading.Thread(target=compile_for_ever)
    thread.start()
    assert held.wait(TIMEOUT)
    late = kernel.ask(start, Limits(seconds=0.1))
    calls = iter([False] * 3)
    cancelled = kernel.ask(start, Limits(cancel=lambda: next(calls, True)))
    large = resolve(noughts.load(LARGE))._replace(book=None)
    answer = Engine(large, threads=1).ask(large.initial(), Limits(seconds=0.5))
    assert not enough.is_set()
    enough.set()
    thread.join()
    assert (late.stopped, late.value, late.nodes, len(late.guess)) == ("deadline", "unknown", 0, 1)
    assert (cancelled.stopped, cancelled.value, cancelled.nodes, len(cancelled.guess)) == ("cancelled", "unknown", 0, 1)
    assert (answer.stopped, answer.proven) == ("deadline", False)
    assert answer.choice
    assert kernel.ask(start).value == "draw"


def test_one_thread_does_not_lower_the_recursion_limit_of_another() -> None:
    before = sys.getrecursionlimit()
    first, second = deep_recursion(), deep_recursion()
    first.__enter__()
    second.__enter__()
    raise_limit(10_000)
    first.__exit__(None, None, None)
    assert sys.getrecursionlimit() > before + 10_000
    second.__exit__(None, None, None)
    assert sys.getrecursionlimit() == before


def in_child(task: Callable[[], None]) -> None:
    """Run a task in a forked process; fail if it fails, or takes more than a minute."""
    child = os.fork()
    if not child:
        try:
            task()
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    end = time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            assert os.waitstatus_to_exitcode(status) == 0
            return
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    pytest.fail("the child hangs")


def forks(test: Callable[..., None]) -> Callable[..., None]:
    """Mark a test that forks while threads run, which is its subject; ignore Python's warning about that."""
    able = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
    return pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")(able(test))  # type: ignore[no-any-return]


@forks
def test_a_forked_process_has_a_table_of_its_own() -> None:
    """Whatever the child does to its table does not change the parent's."""
    kernel, truths = kernel_and_truth()
    for _ in range(3):
        agrees(kernel.ask, truths)
    before = kernel.solver.nodes
    agrees(kernel.ask, truths)
    again = kernel.solver.nodes - before

    def task() -> None:
        agrees(kernel.ask, truths)
        kernel.solver.forget()
        agrees(kernel.ask, truths)
        assert kernel.ask(kernel.game.initial()).proven

    in_child(task)
    before = kernel.solver.nodes
    agrees(kernel.ask, truths)
    assert kernel.solver.nodes - before == again


@forks
def test_a_fork_while_other_threads_ask() -> None:
    """Their searches and locks do not exist in the child, which asks the same engines."""
    kernel, truths = large()
    engine: Engine[Any, Any] = Engine(kernel.game, table_mib=1, threads=1)
    stop = threading.Event()
    limits = Limits(cancel=stop.is_set)
    threads = [
        threading.Thread(target=ask, args=(kernel.game.initial(), limits))
        for ask in (kernel.ask, kernel.ask, engine.ask)
    ]
    for thread in threads:
        thread.start()

    def task() -> None:
        agrees(kernel.ask, truths)
        agrees(engine.ask, truths)
        assert alphabeta(kernel.game, truths[0][0])[:5] == truths[0][1][:5]

    try:
        for _ in range(5):
            in_child(task)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    agrees(kernel.ask, truths)


@forks
def test_a_callback_may_fork() -> None:
    """In the child, the question starts again."""
    kernel, truths = large()
    state, truth = truths[0]
    parent = os.getpid()
    started: list[int] = []

    def progress(_: Progress) -> None:
        if not started:
            started.append(os.fork())

    found = kernel.ask(state, progress=progress)
    if os.getpid() != parent:
        os._exit(0 if found[:5] == truth[:5] else 1)
    assert found[:5] == truth[:5]
    assert os.waitstatus_to_exitcode(os.waitpid(started[0], 0)[1]) == 0


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])
def test_a_copy_of_an_engine_answers_as_it_does(copied: Callable[[Any], Any]) -> None:
    kernel, truths = large()
    engine: Engine[Any, Any] = Engine(kernel.game, table_mib=1, threads=1)
    engine.prepare()
    agrees(engine.ask, truths)
    hard = noughts.replay(kernel.game, "444444")
    assert engine.ask(hard, Limits(nodes=50_000)).choice
    other = copied(engine)
    agrees(other.ask, truths)
    agrees(engine.ask, truths)
