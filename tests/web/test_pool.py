"""The worker pool: limited and fair queues, and workers that are replaced when they fail."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, cast

import httpx
import pytest

from noughts.web import pool as pool_module
from noughts.web import worker_client
from noughts.web.app import AppConfig, create_app
from noughts.web.endpoints import ENDPOINTS, ApiRequest, RequestError
from noughts.web.handlers import A_MOMENT, Handlers, Reply, digest_of
from noughts.web.middleware import AccessRules
from noughts.web.pool import CRASHED_TWICE, TIMED_OUT, TOO_LARGE, GameInfo, WorkerPool
from noughts.web.queue import FairQueue, Job
from noughts.web.worker_client import PoolSettings, WorkerClient
from tests.helpers import TIMEOUT
from tests.web.serving import offspring, runs

RULES = {endpoint.kind: endpoint for endpoint in ENDPOINTS}

FOREVER = 10.0 * TIMEOUT
"""A time limit in seconds, longer than any test."""

REPORTS_SOON = "notakto:3"
"""A game whose search also takes for ever, but soon reports progress."""

BORROWED = """
from noughts.games.tictactoe import TIC_TAC_TOE as rules

initial, player, result = rules.initial, rules.player, rules.result
terminal, utility = rules.terminal, rules.utility

def actions(state):
    {misdeed}
    return rules.actions(state)
"""
"""A game file that misbehaves whenever its actions are requested."""


def asked(kind: str, game: str, position: str = "", **values: Any) -> ApiRequest:
    """A question with default values for all other parameters, except that it has all the time it needs."""
    defaults = {parameter.name: parameter.default for parameter in RULES[kind].parameters}
    if "seconds" in defaults:
        defaults["seconds"] = FOREVER
    return ApiRequest(kind, {**defaults, "game": game, "position": position, **values})


def hard(number: int = 0) -> ApiRequest:
    """A question that would take for ever; each number makes a different one."""
    return asked("analyse", "ultimate", seconds=FOREVER + number)


def brief(number: int = 0) -> ApiRequest:
    """A question for the long queue that takes no time; each number makes a different one."""
    return asked("analyse", "ultimate", nodes=20 + number)


@asynccontextmanager
async def opened(games: Mapping[str, GameInfo] | None = None, **settings: Any) -> AsyncIterator[WorkerPool]:
    """A pool with one worker per queue. In the end no process that it started may be left."""
    before = offspring(os.getpid())
    pool = WorkerPool(PoolSettings(**{"long_workers": 1, **settings}))
    await pool.start(games or {})
    for game in ("tic-tac-toe", "wild", "ultimate"):
        pool._light.add(game)
    try:
        yield pool
    finally:
        await pool.stop()
    assert not [pid for pid in offspring(os.getpid()) - before if runs(pid)]


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    async def limited() -> None:
        async with asyncio.timeout(TIMEOUT):
            await test()

    asyncio.run(limited())


async def data_of(answer: Awaitable[Reply]) -> Any:
    """Return the data of a successful reply, within the timeout."""
    async with asyncio.timeout(TIMEOUT):
        reply = await answer
    assert reply.status == 200, reply
    return json.loads(reply.body)


async def until(fits: Callable[[], bool]) -> None:
    async with asyncio.timeout(TIMEOUT):
        while not fits():
            await asyncio.sleep(0.01)


async def begun(pool: WorkerPool, question: ApiRequest, client: str = "somebody") -> "asyncio.Task[Reply]":
    """Ask, and return when a worker has started on the question."""
    task = asyncio.create_task(pool.ask(question, client))
    await until(lambda: question in STARTED)
    return task


async def disconnect(*tasks: "asyncio.Task[Reply]") -> None:
    """Disconnect clients."""
    for task in tasks:
        task.cancel()
    for task in tasks:
        with suppress(asyncio.CancelledError):
            await task


async def waiting(*tasks: "asyncio.Task[Reply]") -> None:
    """Let new tasks run until they wait for a reply."""
    await asyncio.sleep(0)
    assert not any(task.done() for task in tasks)


async def refused(answer: Awaitable[Reply]) -> RequestError:
    with pytest.raises(RequestError) as caught:
        await answer
    return caught.value


@pytest.fixture(autouse=True)
def no_delays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not delay refusals, and give workers plenty of time."""
    monkeypatch.setattr(pool_module, "REFUSAL_DELAY", 0.0)
    for module, name in (
        (pool_module, "GRACE"),
        (pool_module, "LONG_GRACE"),
        (worker_client, "START_TIMEOUT"),
        (worker_client, "CANCEL_TIMEOUT"),
    ):
        monkeypatch.setattr(module, name, float(TIMEOUT))


STARTED: list[ApiRequest] = []
"""The questions that workers were given, in order."""


@pytest.fixture(autouse=True)
def searches(monkeypatch: pytest.MonkeyPatch) -> list[ApiRequest]:
    answer = WorkerClient.answer

    async def noted(self: WorkerClient, job: Job, grace: float) -> Reply:
        STARTED.append(job.request)
        return await answer(self, job, grace)

    monkeypatch.setattr(WorkerClient, "answer", noted)
    STARTED.clear()
    return STARTED


# Two queues


def test_easy_questions_do_not_wait_for_hard_ones() -> None:
    """Questions about rules are easy at once; those about a small game as soon as it is known to be small."""

    async def test() -> None:
        async with opened() as pool:
            assert (await data_of(pool.ask(asked("analyse", "tic-tac-toe"), "")))["value"] == "draw"
            search = await begun(pool, hard())
            for position in ("", "5", "5 1"):
                for kind in ("position", "analyse", "explain", "move"):
                    found = await data_of(pool.ask(asked(kind, "tic-tac-toe", position), ""))
                    assert found["position"] == position
            assert (await data_of(pool.ask(asked("position", "ultimate"), "")))["to_move"] == "X"
            assert not search.done()
            await disconnect(search)

    run(test)


def test_a_game_is_quick_only_once_it_is_known_to_be_small(searches: list[ApiRequest]) -> None:
    async def test() -> None:
        async with opened() as pool:
            search = await begun(pool, hard())
            first = asyncio.create_task(pool.ask(asked("analyse", "tic-tac-toe"), ""))
            await data_of(pool.ask(asked("position", "tic-tac-toe"), ""))
            assert not first.done(), "it is not known to be small yet"
            await disconnect(search)
            await data_of(first)

    run(test)


def test_a_question_that_many_ask_at_once_is_searched_once(searches: list[ApiRequest]) -> None:
    async def test() -> None:
        async with opened() as pool:
            question = brief()
            many = [asyncio.create_task(pool.ask(question, f"client {number}")) for number in range(20)]
            answers = [await data_of(task) for task in many]
            assert answers == [answers[0]] * 20
            assert searches == [question]
            await data_of(pool.ask(question, "another time"))
            assert searches == [question, question]

    run(test)


def test_a_search_goes_on_while_one_client_waits(searches: list[ApiRequest]) -> None:
    async def test() -> None:
        async with opened() as pool:
            search = await begun(pool, hard())
            others = [asyncio.create_task(pool.ask(hard(), f"client {number}")) for number in range(5)]
            await waiting(*others)
            await disconnect(search, *others[1:])
            behind = asyncio.create_task(pool.ask(brief(), ""))
            await waiting(behind, others[0])
            await data_of(pool.ask(asked("position", "wild"), ""))
            assert not others[0].done()
            assert not behind.done()
            await disconnect(others[0])
            await data_of(behind)
            assert [each for each in searches if each.kind == "analyse"] == [hard(), brief()]

    run(test)


# Limits and turns


def test_a_full_queue_refuses_questions() -> None:
    async def test() -> None:
        async with opened(long_limit=2) as pool:
            search = await begun(pool, hard())
            queued = [asyncio.create_task(pool.ask(brief(number), f"client {number}")) for number in range(2)]
            await waiting(*queued)
            refusal = await refused(pool.ask(brief(2), "client 2"))
            assert (refusal.status, refusal.retry_after) == (503, 2)
            assert refusal.error == "too many questions are waiting; try again in a moment"
            again = asyncio.create_task(
                pool.ask(brief(1), "client 3")
            )  # a question that is already queued needs no room
            await waiting(again)
            await data_of(pool.ask(asked("position", "wild"), ""))  # nor does one for the other queue
            await disconnect(search)
            for task in (*queued, again):
                await data_of(task)
            await data_of(pool.ask(brief(2), "client 2"))

    run(test)


def test_one_client_cannot_fill_the_queue() -> None:
    async def test() -> None:
        async with opened(long_limit=10, long_client_limit=2) as pool:
            search = await begun(pool, hard(), "greedy")
            queued = [asyncio.create_task(pool.ask(brief(number), "greedy")) for number in range(2)]
            await waiting(*queued)
            assert (await refused(pool.ask(brief(2), "greedy"))).status == 503
            modest = asyncio.create_task(pool.ask(brief(3), "modest"))
            await waiting(modest)
            await disconnect(search)
            for task in (*queued, modest):
                await data_of(task)

    run(test)


def test_refusals_are_delayed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of delayed refusals is limited; all others come at once."""
    monkeypatch.setattr(pool_module, "REFUSAL_DELAY", FOREVER)
    monkeypatch.setattr(pool_module, "MAX_DELAYED", 2)

    async def test() -> None:
        async with opened(long_limit=0) as pool:
            held = [asyncio.create_task(pool.ask(brief(number), "")) for number in range(2)]
            await waiting(*held)
            await refused(pool.ask(brief(2), ""))
            await disconnect(held[0])
            third = asyncio.create_task(pool.ask(brief(3), ""))
            await waiting(third, held[1])
            await disconnect(held[1], third)

    run(test)


def test_clients_take_turns(searches: list[ApiRequest]) -> None:
    """A client with one question does not wait behind all questions of another."""

    async def test() -> None:
        async with opened() as pool:
            search = await begun(pool, hard())
            greedy = [asyncio.create_task(pool.ask(brief(number), "greedy")) for number in range(4)]
            modest = [asyncio.create_task(pool.ask(brief(10 + number), "modest")) for number in range(2)]
            await waiting(*greedy, *modest)
            await disconnect(search)
            for task in (*greedy, *modest):
                await data_of(task)
            assert searches == [hard(), *map(brief, (0, 10, 1, 11, 2, 3))]

    run(test)


def test_clients_take_turns_when_jobs_are_discarded() -> None:
    async def test() -> None:
        queue = FairQueue(limit=10, client_limit=10, grace=1.0)
        jobs = {
            name: Job(brief(ord(name)), client)
            for client, names in (("1", "abc"), ("2", "de"), ("3", "f"))
            for name in names
        }
        for job in jobs.values():
            queue.put(job)
        for name in "dfb":
            queue.discard(jobs[name])
            queue.discard(jobs[name])  # it is gone already: no effect
        order = [await queue.get() for _ in range(3)]
        assert order == [jobs[name] for name in "aec"]
        later = asyncio.create_task(queue.get())
        await asyncio.sleep(0)
        assert not later.done()
        queue.put(jobs["f"])
        assert await later is jobs["f"]

    run(test)


# Clients that leave


def test_a_client_that_leaves_makes_room_in_the_queue(searches: list[ApiRequest]) -> None:
    async def test() -> None:
        async with opened(long_limit=1) as pool:
            search = await begun(pool, hard())
            leaving = asyncio.create_task(pool.ask(brief(1), ""))
            await waiting(leaving)
            await refused(pool.ask(brief(2), ""))
            await disconnect(leaving)
            staying = asyncio.create_task(pool.ask(brief(3), ""))
            await waiting(staying)
            await disconnect(search)
            await data_of(staying)
            assert searches == [hard(), brief(3)], "a question that nobody waits for is not searched"

    run(test)


def test_a_search_that_nobody_waits_for_is_cancelled() -> None:
    """Cancel it once it has reported progress, so that it certainly runs; it would take longer than this test may."""

    async def test() -> None:
        others = offspring(os.getpid())
        async with opened() as pool:
            progress = asyncio.Event()
            question = asked("analyse", REPORTS_SOON, seconds=FOREVER)
            search = asyncio.create_task(pool.ask(question, "", lambda _: progress.set()))
            await until(progress.is_set)
            workers = offspring(os.getpid()) - others
            await disconnect(search)
            await data_of(pool.ask(brief(), ""))
            assert offspring(os.getpid()) - others == workers, "by the same worker"

    run(test)


def test_the_worker_survives_a_search_that_is_cancelled_at_once(capfd: pytest.CaptureFixture[str]) -> None:
    async def test() -> None:
        others = offspring(os.getpid())
        async with opened() as pool:
            await data_of(pool.ask(brief(), ""))
            workers = offspring(os.getpid()) - others
            for kind in ("analyse", "explain", "move", "tree"):
                for number in range(10):
                    asking = asyncio.create_task(pool.ask(asked(kind, "ultimate", seconds=FOREVER + number), ""))
                    await asyncio.sleep(number / 1000)
                    await disconnect(asking)
            await data_of(pool.ask(brief(1), ""))
            assert offspring(os.getpid()) - others == workers

    run(test)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("kind", [*RULES])
@pytest.mark.parametrize("game", ["tic-tac-toe", "ultimate"])
@pytest.mark.parametrize("looks", [0, 1, 20])
def test_a_question_can_be_cancelled_at_any_time(game: str, kind: str, looks: int) -> None:
    """However early it is cancelled, there is an answer or an error message."""
    looked = iter([False] * looks)
    reply = Handlers().answer(kind, asked(kind, game).values, cancel=lambda: next(looked, True))
    assert reply.status in (200, 400)
    assert not reply.kept or kind in ("position", "record", "board", "preview"), "only searches are cut short"


# Workers that fail


def asked_so_often(question: ApiRequest, times: int) -> bool:
    return STARTED.count(question) == times


def killed(pids: set[int]) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):  # it has just ended by itself
            os.kill(pid, signal.SIGKILL)


def test_a_question_is_given_up_after_two_workers_died_over_it() -> None:
    async def test() -> None:
        before = offspring(os.getpid())
        async with opened() as pool:
            await data_of(pool.ask(brief(), ""))
            search, ended = asyncio.create_task(pool.ask(hard(), "")), before
            for tries in (1, 2):
                await until(partial(asked_so_often, hard(), tries))
                workers = offspring(os.getpid()) - ended
                killed(workers)
                ended = ended | workers
            reply = await search
            assert (reply.status, json.loads(reply.body)) == (503, {"error": CRASHED_TWICE})
            await data_of(pool.ask(brief(1), ""))
            assert STARTED.count(hard()) == 2
            assert pool._queue_for(asked("position", "ultimate")) is pool._quick, "the game may not be to blame"

    run(test)


def test_progress_is_still_reported_after_a_worker_was_replaced(tmp_path: Path) -> None:
    once = ONCE.format(path=str(tmp_path / "done"))
    path = tmp_path / "mygame.py"
    rules = BORROWED.replace("tictactoe import TIC_TAC_TOE", "ultimate import ULTIMATE")
    path.write_text(rules.format(misdeed=f"import os; {once} first and os._exit(3)"), encoding="utf-8")

    async def test() -> None:
        async with opened(files={"./mygame.py": (str(path), digest_of(str(path)))}) as pool:
            heard: list[Any] = []
            question = asked("analyse", "./mygame.py", nodes=2_000)
            await data_of(pool.ask(question, "", heard.append))
            assert STARTED.count(question) == 2
            assert heard

    run(test)


def test_a_dead_idle_worker_is_replaced_at_once() -> None:
    async def test() -> None:
        before = offspring(os.getpid())
        async with opened() as pool:
            await data_of(pool.ask(asked("position", "wild"), ""))
            await data_of(pool.ask(brief(), ""))
            old = offspring(os.getpid()) - before
            killed(old)
            await until(lambda: len(offspring(os.getpid()) - before - old) == 2)

    run(test)


def test_no_answer_is_wrong_or_lost_while_workers_are_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    """All workers are killed at every 20th question; `benchmarks/load.py` does this for longer, over HTTP.

    The worker that gets that question is suspended first, so that it certainly dies before it answers.
    """
    here, games = Handlers(), ("tic-tac-toe", "nim:3,4,5", "notakto")
    expected = {game: json.loads(here.answer("analyse", asked("analyse", game).values).body) for game in games}
    each, clients, kills = 8, 8, 0
    agree = ("value", "distance", "best", "actions")
    before, answer = offspring(os.getpid()), WorkerClient.answer

    async def answer_or_die(worker: WorkerClient, job: Job, grace: float) -> Reply:
        nonlocal kills
        if len(STARTED) % 20 != 19:
            return await answer(worker, job, grace)
        kills += 1
        os.kill(worker._process._transport.get_pid(), signal.SIGSTOP)
        reply = asyncio.ensure_future(answer(worker, job, grace))
        await asyncio.sleep(0)  # the question is sent
        killed(offspring(os.getpid()) - before)
        return await reply

    monkeypatch.setattr(WorkerClient, "answer", answer_or_die)

    async def test() -> None:
        answered = 0

        async def one(client: int) -> None:
            nonlocal answered
            for number in range(each):
                game = games[(client + number) % len(games)]
                question = asked("analyse", game, seconds=FOREVER + client + number / each)
                found = await data_of(pool.ask(question, f"client {client}"))
                assert [found[name] for name in agree] == [expected[game][name] for name in agree]
                answered += 1

        async with opened() as pool:
            for game in games:
                await data_of(pool.ask(asked("analyse", game), ""))
            await asyncio.gather(*(one(client) for client in range(clients)))
            assert answered == each * clients
            assert kills >= 3
            assert len(STARTED) >= len(games) + answered + kills, "a question was retried after each kill"

    run(test)


ONCE = "from pathlib import Path; first = not Path({path!r}).exists(); Path({path!r}).touch(); "
"""Sets `first` to whether this runs for the first time, in any process."""


@pytest.mark.parametrize("misdeed", ["os._exit(3)", "os.abort()", "os.kill(os.getpid(), 9)"])
@pytest.mark.parametrize("kind", ["position", "analyse"])
def test_a_question_whose_worker_died_is_answered_by_another(tmp_path: Path, misdeed: str, kind: str) -> None:
    once = ONCE.format(path=str(tmp_path / "done"))

    async def test() -> None:
        async with opened(files=game_file(tmp_path, f"import os; {once} first and {misdeed}")) as pool:
            pool._light.add("./mygame.py")
            question = asked(kind, "./mygame.py", "5 1")
            assert (await data_of(pool.ask(question, "")))["position"] == "5 1"
            assert STARTED.count(question) == len(STARTED) == 2

    run(test)


def test_a_retried_question_goes_first_with_the_time_it_has_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[Any] = []
    ask = WorkerClient._ask

    def noted(self: WorkerClient, kind: str, values: Any) -> int:
        given.append((values["game"], values["seconds"]))
        return ask(self, kind, values)

    monkeypatch.setattr(WorkerClient, "_ask", noted)
    once = ONCE.format(path=str(tmp_path / "done"))

    async def test() -> None:
        async with opened(files=game_file(tmp_path, f"import os; {once} first and os._exit(3)")) as pool:
            search = await begun(pool, hard())
            deadly = asyncio.create_task(pool.ask(asked("analyse", "./mygame.py", seconds=9.0), ""))
            behind = asyncio.create_task(pool.ask(asked("analyse", "ultimate", nodes=20, seconds=8.0), ""))
            await waiting(deadly, behind)
            await disconnect(search)
            await data_of(deadly)
            await data_of(behind)
        (_, (one, whole), (two, rest), (three, last)) = given
        assert (one, two, three) == ("./mygame.py", "./mygame.py", "ultimate")
        assert whole == 9.0 > rest > 0.0
        assert last == 8.0

    run(test)


def test_a_job_always_has_a_moment_left() -> None:
    async def test() -> None:
        job, hasty = Job(asked("analyse", "wild", seconds=3.0), ""), Job(asked("analyse", "wild", seconds=0.01), "")
        assert (job.seconds_left, hasty.seconds_left) == (3.0, 0.01)
        job.spent, hasty.spent = 1.0, 1.0
        assert (job.seconds_left, hasty.seconds_left) == (2.0, 0.01)
        job.spent = 5.0
        assert job.seconds_left == A_MOMENT
        assert Job(asked("position", "wild"), "").seconds_left == 0.0

    run(test)


def test_a_question_that_crashes_workers_crashes_only_two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Others are answered meanwhile, and its game stays out of the quick queue for a while."""
    ended = tmp_path / "ended"
    ended.touch()
    misdeed = f"import os; open({str(ended)!r}, 'a').write('!'); os._exit(3)"

    async def test() -> None:
        async with opened(files=game_file(tmp_path, misdeed)) as pool:
            pool._light.add("./mygame.py")
            deadly = asked("position", "./mygame.py")
            assert pool._queue_for(deadly) is pool._quick
            giving_up = asyncio.create_task(pool.ask(deadly, "one"))
            other = asyncio.create_task(pool.ask(asked("position", "wild"), "two"))
            reply = await giving_up
            assert (reply.status, json.loads(reply.body)) == (503, {"error": CRASHED_TWICE})
            await data_of(other)
            for _ in range(3):
                refusal = await refused(pool.ask(deadly, "three"))
                assert (refusal.status, refusal.error, refusal.retry_after) == (503, CRASHED_TWICE, 60)
            assert ended.read_text() == "!!"
            assert pool._queue_for(deadly) is pool._long
            now = monotonic()
            monkeypatch.setattr(pool_module, "monotonic", lambda: now + 100)
            assert pool._queue_for(deadly) is pool._quick
            reply = await pool.ask(deadly, "four")
            assert (reply.status, ended.read_text()) == (503, "!!!!")

    run(test)


@pytest.mark.parametrize("fresh", [True, False])
def test_a_question_is_too_large_only_if_a_fresh_worker_ran_out_of_memory(tmp_path: Path, fresh: bool) -> None:
    """A worker that has answered before may have cached too much: a fresh one retries."""
    misdeed = f"{ONCE.format(path=str(tmp_path / 'done'))}\n    if first: raise MemoryError"

    async def test() -> None:
        async with opened(files=game_file(tmp_path, misdeed)) as pool:
            if not fresh:
                await data_of(pool.ask(brief(), ""))
            reply = await pool.ask(asked("analyse", "./mygame.py"), "")
            if fresh:
                assert (reply.status, json.loads(reply.body)) == (503, {"error": TOO_LARGE})
            else:
                assert (reply.status, STARTED.count(asked("analyse", "./mygame.py"))) == (200, 2)

    run(test)


def test_a_process_that_a_game_left_behind_blocks_nothing(tmp_path: Path) -> None:
    """The process holds the reply pipe open, in its own session."""
    pid = tmp_path / "pid"
    misdeed = f"""import os, subprocess, sys
    held = [each for each in range(3, 20) if os.path.exists(f'/proc/self/fd/{{each}}')]
    child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep({FOREVER})'],
        start_new_session=True, pass_fds=held)
    open({str(pid)!r}, 'a').write(f'{{child.pid}} ')
    os._exit(3)"""

    async def test() -> None:
        try:
            async with opened(files=game_file(tmp_path, misdeed)) as pool:
                reply = await pool.ask(asked("analyse", "./mygame.py", seconds=FOREVER), "")
                assert (reply.status, json.loads(reply.body)) == (503, {"error": CRASHED_TWICE})
                await data_of(pool.ask(brief(), ""))
        finally:
            for each in pid.read_text().split():
                os.kill(int(each), signal.SIGKILL)

    run(test)


def test_a_game_that_forks_gets_one_reply_and_leaves_no_process_behind(tmp_path: Path) -> None:
    forked = tmp_path / "forked"
    misdeed = f"import os; pid = os.fork(); pid and open({str(forked)!r}, 'a').write(f'{{pid}} ')"

    async def test() -> None:
        async with opened(files=game_file(tmp_path, misdeed)) as pool:
            for position in ("5 1 3 7", "5 1 3 7 4"):
                found = await data_of(pool.ask(asked("position", "./mygame.py", position), ""))
                assert found["position"] == position
        pids = [int(each) for each in forked.read_text().split()]
        assert pids
        await until(lambda: not any(map(runs, pids)))

    run(test)


def test_questions_are_answered_after_idle_workers_were_killed() -> None:
    async def test() -> None:
        before = offspring(os.getpid())
        async with opened() as pool:
            await data_of(pool.ask(asked("position", "wild"), ""))
            await data_of(pool.ask(brief(), ""))
            killed(offspring(os.getpid()) - before)
            for question in (asked("position", "wild"), brief()):
                await data_of(pool.ask(question, ""))

    run(test)


def game_file(folder: Path, misdeed: str) -> dict[str, tuple[str, str]]:
    path = folder / "mygame.py"
    path.write_text(BORROWED.format(misdeed=misdeed), encoding="utf-8")
    return {"./mygame.py": (str(path), digest_of(str(path)))}


@pytest.mark.parametrize("kind", ["position", "analyse", "explain", "move", "tree", "steps"])
def test_a_game_that_never_returns_is_given_up(tmp_path: Path, kind: str) -> None:
    async def test() -> None:
        async with opened(files=game_file(tmp_path, "while True: pass")) as pool:
            await data_of(pool.ask(asked("position", "wild"), ""))
            await data_of(pool.ask(brief(), ""))
            pool._quick.grace = pool._long.grace = 0.5
            reply = await pool.ask(asked(kind, "./mygame.py", seconds=0.1), "")
            pool._quick.grace = pool._long.grace = float(TIMEOUT)
            assert (reply.status, json.loads(reply.body)) == (503, {"error": TIMED_OUT})
            assert [each.values["game"] for each in STARTED].count("./mygame.py") == 1, (
                "a question that timed out is not retried"
            )
            await data_of(pool.ask(asked("position", "wild"), ""))
            await data_of(pool.ask(brief(), ""))

    run(test)


@pytest.mark.parametrize("error", ["SystemExit(3)", "KeyboardInterrupt(3)", "GeneratorExit(3)"])
def test_a_game_that_raises_an_exit_exception_is_reported_as_broken(tmp_path: Path, error: str) -> None:
    async def test() -> None:
        async with opened(files=game_file(tmp_path, f"raise {error}")) as pool:
            workers = offspring(os.getpid())
            for kind in ("position", "analyse", "move"):
                reply = await pool.ask(asked(kind, "./mygame.py"), "")
                said = f"this game is broken: line 8: {error[:-3]}: 3"
                assert (reply.status, json.loads(reply.body)) == (500, {"error": said})
            await data_of(pool.ask(brief(), ""))
            assert workers <= offspring(os.getpid())

    run(test)


def test_what_a_game_prints_is_not_taken_for_an_answer(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    misdeed = """print('{"id": 1, "reply": [200, "{}", false, false], "retires": false}', flush=True)"""

    async def test() -> None:
        async with opened(files=game_file(tmp_path, misdeed)) as pool:
            found = await data_of(pool.ask(asked("position", "./mygame.py", "5 1"), ""))
            assert found["actions"] == ["2", "3", "4", "6", "7", "8", "9"]

    run(test)
    assert '"reply"' in capfd.readouterr().err


def test_a_broken_game_is_reported_as_broken(tmp_path: Path) -> None:
    async def test() -> None:
        async with opened(files=game_file(tmp_path, "1 / 0")) as pool:
            for kind in ("position", "analyse", "explain", "move", "tree", "steps"):
                reply = await pool.ask(asked(kind, "./mygame.py"), "")
                assert reply.status == 500
                error = json.loads(reply.body)["error"]
                assert error.startswith("this game is broken: ")
                assert "division by zero" in error

    run(test)


def test_a_game_that_takes_all_memory_is_given_up(tmp_path: Path) -> None:
    hungry = "global hoard; hoard = [bytes([1]) * 2**26 for _ in range(64)]"

    async def test() -> None:
        async with opened(files=game_file(tmp_path, hungry), memory_mib=1024) as pool:
            for kind in ("position", "analyse"):
                reply = await pool.ask(asked(kind, "./mygame.py"), "")
                assert (reply.status, json.loads(reply.body)) == (503, {"error": TOO_LARGE})
            await data_of(pool.ask(asked("position", "wild"), ""))
            await data_of(pool.ask(brief(), ""))

    run(test)


def test_a_worker_that_uses_much_memory_is_replaced() -> None:
    async def test() -> None:
        before = offspring(os.getpid())
        async with opened(retire_mib=1) as pool:
            await until(lambda: len(offspring(os.getpid()) - before) == 2)
            workers = offspring(os.getpid()) - before
            for _ in range(2):
                await data_of(pool.ask(asked("position", "tic-tac-toe"), ""))
                await until(lambda: not offspring(os.getpid()) - before <= workers)
                workers.update(offspring(os.getpid()) - before)

    run(test)


def test_stopping_the_pool_ends_all_processes() -> None:
    """Also during searches, with other questions queued, and while the workers are still starting."""

    async def test() -> None:
        async with opened(long_workers=2) as pool:
            tasks = [await begun(pool, hard(number)) for number in range(2)]
            tasks += [asyncio.create_task(pool.ask(brief(number), "")) for number in range(5)]
            await waiting(*tasks)
        await disconnect(*tasks)
        for _ in range(3):
            async with opened() as pool:
                await asyncio.sleep(0.05)

    run(test)


def test_a_worker_ends_when_its_input_ends() -> None:
    """Its input ends when the server dies in any way; the worker ends even in the middle of a search."""
    program = "from noughts.web.worker import main; main()"
    settings = {"files": {}, "only": [], "tables": {}, "nice": 0, "memory_mib": 2048, "retire_mib": 1024}
    for question in (None, asked("analyse", REPORTS_SOON, seconds=FOREVER)):
        with subprocess.Popen(
            [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(f"{json.dumps(settings)}\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline()) == {"ready": True}
            if question is not None:
                message = {"id": 1, "kind": question.kind, "values": question.values, "told": True}
                process.stdin.write(f"{json.dumps(message)}\n")
                process.stdin.flush()
                assert "progress" in json.loads(process.stdout.readline())
            process.stdin.close()
            assert process.wait(TIMEOUT) == 0


def test_a_game_that_never_returns_does_not_keep_kernels_from_being_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process that compiles them is killed, and another one continues with the next game."""
    monkeypatch.setattr(pool_module, "COMPILE_TIMEOUT", 1.0)
    begun: list[str] = []
    run_task = WorkerClient.run

    async def noted(self: WorkerClient, kind: str, values: Any) -> Any:
        begun.append(values["game"])
        return await run_task(self, kind, values)

    monkeypatch.setattr(WorkerClient, "run", noted)

    async def test() -> None:
        games = {"./mygame.py": GameInfo(), "tic-tac-toe": GameInfo()}
        async with opened(games, files=game_file(tmp_path, "while True: pass")) as pool:
            await until(pool._tasks[-1].done)
            assert begun == list(games)

    run(test)


# What the pool knows of games


def test_a_game_stays_in_the_long_queue_until_it_is_known_to_load_quickly() -> None:
    async def test() -> None:
        async with opened() as pool:
            light, heavy = asked("position", "mnk:3,3,3"), asked("position", "mnk:19,19,10,torus")
            assert pool._queue_for(light) is pool._queue_for(heavy) is pool._long
            await data_of(pool.ask(light, ""))
            assert pool._queue_for(light) is pool._quick
            assert pool._queue_for(asked("analyse", "mnk:3,3,3")) is pool._long, (
                "it loads quickly, but may not be small"
            )
            await data_of(pool.ask(asked("analyse", "mnk:3,3,3"), ""))
            assert pool._queue_for(asked("analyse", "mnk:3,3,3")) is pool._quick
            assert pool._queue_for(asked("tree", "mnk:3,3,3")) is pool._long

    run(test)


def test_the_least_recently_used_names_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_module, "MAX_NAMES", 2)
    games = pool_module._RecentNames()
    games.add("one")
    games.add("two")
    assert "one" in games
    games.add("three")
    assert [name in games for name in ("one", "two", "three")] == [True, False, True]


def test_a_worker_that_ignores_a_cancellation_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for the reply any more: other questions need not wait until its time limit."""
    monkeypatch.setattr(worker_client, "CANCEL_TIMEOUT", 0.2)

    async def test() -> None:
        async with opened(files=game_file(tmp_path, "while True: pass")) as pool:
            stuck = await begun(pool, asked("analyse", "./mygame.py", seconds=TIMEOUT))
            await disconnect(stuck)
            await data_of(pool.ask(brief(), ""))

    run(test)


def test_a_game_file_that_changed_after_the_start_is_refused(tmp_path: Path) -> None:
    async def test() -> None:
        files = game_file(tmp_path, "pass")
        (tmp_path / "mygame.py").write_text("other = 1", encoding="utf-8")
        async with opened(files=files) as pool:
            reply = await pool.ask(asked("position", "./mygame.py"), "")
            said = "this game is broken: its file has changed since the server was started; start it again"
            assert (reply.status, json.loads(reply.body)) == (500, {"error": said})

    run(test)


# Over HTTP


def test_a_full_queue_gets_503_over_http() -> None:
    """The long queue of this server has no room at all; easy questions are still answered."""

    async def test() -> None:
        async with opened(long_limit=0) as pool:
            settings = PoolSettings(long_limit=0)
            access = AccessRules(lambda name: name == "test")
            app = create_app(AppConfig({"tic-tac-toe": GameInfo()}, settings, access), pool)
            transport = httpx.ASGITransport(cast(Any, app))
            async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
                for path in ("/api/analyse", "/api/explain", "/api/move", "/api/tree", "/steps"):
                    answer = await client.get(path, params={"game": "ultimate"})
                    assert answer.status_code == 503
                    assert answer.headers["retry-after"] == "2"
                    assert answer.headers["cache-control"] == "no-store"
                    assert answer.json() == {"error": "too many questions are waiting; try again in a moment"}
                stream = await client.get(
                    "/api/analyse", params={"game": "ultimate"}, headers={"Accept": "text/event-stream"}
                )
                assert stream.status_code == 200
                assert stream.text.endswith(
                    "event: error\n"
                    'data: {"error": "too many questions are waiting; try again in a moment", "status": 503}\n\n'
                )
                assert (await client.get("/api/position", params={"game": "ultimate"})).status_code == 200

    run(test)
