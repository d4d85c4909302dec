"""The worker pool under load: many clients, killed workers, many small games, and 200,000 requests.

    python benchmarks/load.py [SECONDS [REQUESTS]]

Each answer is compared with the answer computed here, without a server. Time and number of requests are limited, and no
other machine is involved. A figure that misses its target is marked, and the exit code is then 1.
"""

import asyncio
import json
import os
import random
import signal
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple
from urllib.parse import urlencode

from serve import Client, connected, percentile, positions, server

from noughts.web.endpoints import ENDPOINTS, ApiRequest
from noughts.web.handlers import Handlers

CLIENTS = 64
LONG = 8
"""How many of the clients send questions for the long queue, which holds at most 16 of one address."""

MOST_SECONDS = 300.0
"""Time limit for the 200,000 requests."""

SMALL = (
    *("tic-tac-toe", "nim:3,4,5", "misere", "connect:4x3,3", "mnk:3,3,3"),
    *("notakto", "mnk:3,3,3,misere", "mnk:3,2,2", "mnk:4,2,3", "mnk:3,3,2"),
    *("mnk:3,3,3,torus", "nim:1,3,5,7", "connect:3x3,3", "connect:3x4,3", "nim:3,4,5,misere"),
    *("mnk:2,3,2", "mnk:4,2,2", "mnk:2,4,3", "mnk:3,2,3", "mnk:2,5,3"),
    *("nim:1,2,3", "nim:5,6,7", "nim:10,10", "nim:4,4,4,4", "nim:7,7,7"),
    *("connect:3x5,3", "connect:4x3,4", "nim:2,3,4,5", "nim:9,8,7", "nim:15,14"),
    *("nim:2,2,2,2,2", "nim:6,6,6,misere", "connect:5x2,3", "nim:2,3,4", "nim:2,4,6"),
    *("nim:3,3,3", "nim:1,1,1,1", "nim:8,8", "nim:12,5", "nim:4,5,6"),
)

AGREE = {
    "position": ("position", "board", "actions", "to_move", "result"),
    "analyse": ("position", "value", "distance", "proven", "best", "actions"),
    "explain": ("position", "value", "distance", "proven", "sentence", "actions", "notes"),
    "move": ("position", "player", "action"),
    "tree": ("searched", "drawn", "root"),
}
"""The fields that must be equal in two answers to a question; the others are time and node counts."""


class Checked(NamedTuple):
    """A question and the expected answer."""

    address: str
    expected: dict[str, Any]
    agree: tuple[str, ...]

    def wrong(self, body: bytes) -> bool:
        """Return whether an answer differs from the expected one."""
        found = json.loads(body)
        return any(found.get(name) != self.expected.get(name) for name in self.agree)

    def again(self, seconds: float) -> bytes:
        """Return the request with another time limit, so that its answer is not cached."""
        return f"GET {self.address}&seconds={seconds:.6f} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()


def checked(here: Handlers, kind: str, game: str, position: str, **more: Any) -> Checked:
    """Return a question with the answer computed here."""
    (endpoint,) = (each for each in ENDPOINTS if each.kind == kind)
    values = {parameter.name: parameter.default for parameter in endpoint.parameters}
    given = {"game": game, "position": position, **more}
    reply = here.answer(kind, ApiRequest(kind, {**values, **given}).values)
    assert reply.status == 200, reply.body
    expected = json.loads(reply.body)
    assert all(name in expected for name in AGREE[kind])
    return Checked(f"{endpoint.path}?{urlencode(given)}", expected, AGREE[kind])


class Tally:
    """The results of the requests."""

    def __init__(self) -> None:
        self.taken: list[float] = []
        self.wrong = self.lost = 0
        self.said: dict[str, int] = {}

    async def ask(self, client: Client, question: Checked, request: bytes) -> None:
        """Send a request and check the answer."""
        started = perf_counter()
        status = await client.ask(request)
        self.taken.append(perf_counter() - started)
        if status == 200:
            self.wrong += question.wrong(client.body)
        else:
            self.lost += 1
            error = json.loads(client.body)["error"]
            self.said[error] = self.said.get(error, 0) + 1

    def figures(self, seconds: float) -> str:
        """Return the rate, the response times, and the numbers and kinds of failures."""
        said = "".join(f"; {times} x {error}" for error, times in self.said.items())
        return (
            f"{len(self.taken) / seconds:,.0f} requests/s, p50 {percentile(self.taken, 0.5):.0f} ms,"
            f" p99 {percentile(self.taken, 0.99):.0f} ms; {self.wrong} wrong, {self.lost} lost{said}"
        )


@asynccontextmanager
async def client(port: int) -> AsyncIterator[Client]:
    found = await connected(port)
    try:
        yield found
    finally:
        found.transport.close()


def children(pid: int) -> list[int]:
    """Return the child processes of a process."""
    return [int(each) for part in Path(f"/proc/{pid}/task").glob("*/children") for each in part.read_text().split()]


def mebibytes(pid: int) -> float:
    """Return how much memory a process uses."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def mixture() -> tuple[list[Checked], list[Checked]]:
    """Return questions about small games, for the quick queue, and questions for trees, for the long queue."""
    here, quick, long = Handlers(), [], []
    for game in SMALL[:5]:
        for where in dict.fromkeys(positions(game, 4, 40, 11)):
            quick += [checked(here, kind, game, where) for kind in ("analyse", "explain", "move")]
        trees = [where for where in dict.fromkeys(positions(game, 6, 30, 12)) if len(where.split()) > 2]
        long += [checked(here, "tree", game, where, search="alphabeta", depth=2) for where in trees]
    random.Random(2).shuffle(quick)
    return quick, long


async def warm_up(port: int, games: tuple[str, ...]) -> None:
    """Make the server learn that each game is small, and its quick worker solve it."""
    async with client(port) as asking:
        for game, seconds in ((game, seconds) for game in games for seconds in (9.1, 9.2)):
            address = f"/api/analyse?{urlencode({'game': game, 'seconds': seconds})}"
            assert await asking.ask(f"GET {address} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()) == 200


async def load(port: int, seconds: float, kill: Callable[[], None] | None = None) -> Tally:
    """Ask uncached questions on many connections; call `kill` each second meanwhile, if given."""
    quick, long = mixture()
    await warm_up(port, SMALL[:5])
    tally, numbers, end = Tally(), count(1), perf_counter() + seconds

    async def one(number: int) -> None:
        questions = long if number < LONG else quick
        chance = random.Random(number)
        async with client(port) as asking:
            while perf_counter() < end:
                question = chance.choice(questions)
                await tally.ask(asking, question, question.again(9 + next(numbers) / 1e6))

    tasks = [asyncio.create_task(one(number)) for number in range(CLIENTS)]
    while kill is not None and perf_counter() < end - 1:
        await asyncio.sleep(1.0)
        kill()
    await asyncio.gather(*tasks)
    return tally


async def in_turn(port: int, games: int, requests: int) -> list[float]:
    """Ask about this many small games in random order; return all response times."""
    here, chance, tally = Handlers(), random.Random(games), Tally()
    asked = [
        checked(here, kind, game, where)
        for game in SMALL[:games]
        for where in dict.fromkeys(positions(game, 2, 5, 13))
        for kind in ("analyse", "move")
    ]
    await warm_up(port, SMALL[:games])
    async with client(port) as asking:
        for number in range(requests):
            question = chance.choice(asked)
            await tally.ask(asking, question, question.again(4 + games / 100 + number / 1e6))
    assert not tally.wrong + tally.lost, f"{tally.wrong} wrong, {tally.lost} lost"
    return tally.taken


async def many(port: int, pid: int, requests: int) -> tuple[int, list[tuple[float, float]]]:
    """Send many requests: three of four are cached, the others ask for random moves, which never are.

    Return the number of responses, and the memory of the server and its workers after a tenth, a half and all of them.
    """
    start = [f"/api/analyse?{urlencode({'game': 'tic-tac-toe', 'position': each})}" for each in ("", "5", "5 1", "1")]
    moves = [f"/api/move?{urlencode({'game': game, 'player': 'random'})}" for game in SMALL[:5]]
    asked = [f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode() for path in start * 3 + moves[:4]]
    await warm_up(port, SMALL[:5])
    done, sizes, end = 0, [], perf_counter() + MOST_SECONDS
    marks = [requests // 10, requests // 2, requests]

    async def one() -> None:
        nonlocal done
        async with client(port) as asking:
            while done < requests and perf_counter() < end:
                done += 1
                number = done
                assert await asking.ask(asked[number % len(asked)]) == 200
                if number in marks:
                    sizes.append((mebibytes(pid), sum(map(mebibytes, children(pid)))))

    await asyncio.gather(*(one() for _ in range(CLIENTS)))
    return done, sizes


def main(seconds: float, requests: int) -> int:
    missed = 0

    def target(met: bool, words: str) -> str:
        nonlocal missed
        missed += not met
        return words if met else f"{words}: MISSED"

    def rows() -> Iterator[str]:
        chance = random.Random(3)
        with running() as (port, pid):
            tally = asyncio.run(load(port, seconds))
            right = target(not tally.wrong + tally.lost, "0 wrong, 0 lost")
            yield f"| {CLIENTS} clients, {seconds:g} s | {tally.figures(seconds)} | {right} |"
            killed: list[int] = []

            def kill() -> None:
                victims = [each for each in children(pid) if each not in killed]
                if victims:
                    killed.append(chance.choice(victims))
                    with suppress(ProcessLookupError):
                        os.kill(killed[-1], signal.SIGKILL)

            tally = asyncio.run(load(port, seconds, kill))
            right = target(not tally.wrong + tally.lost, "0 wrong, 0 lost")
            yield f"| the same, {len(killed)} workers killed | {tally.figures(seconds)} | {right} |"
        with running() as (port, pid):
            for games in (1, 5, 15, 40):
                taken = asyncio.run(in_turn(port, games, 1_000))
                middle, nearly_all = percentile(taken, 0.5), percentile(taken, 0.99)
                yield (
                    f"| {games} small games in turn | p50 {middle:.1f} ms, p99 {nearly_all:.1f} ms |"
                    f" {target(nearly_all <= 15, 'p99 at most 15 ms') if games <= 15 else ''} |"
                )
        with running(*SMALL[:5]) as (port, pid):  # none of these has a kernel to compile meanwhile
            started = perf_counter()
            done, sizes = asyncio.run(many(port, pid, requests))
            told = ", ".join(f"{own:.0f} + {theirs:.0f}" for own, theirs in sizes)
            flat = done >= requests and all(
                last <= 1.1 * first + 8 for first, last in zip(sizes[0], sizes[2], strict=True)
            )
            yield (
                f"| {done:,} requests, {perf_counter() - started:.0f} s | MiB of the server + its workers after"
                f" 10, 50 and 100 %: {told} | {target(flat, 'flat')} |"
            )

    print("| load | figures | target |\n|---|---|---|")
    for row in rows():
        print(row, flush=True)
    return 1 if missed else 0


@contextmanager
def running(*games: str) -> Iterator[tuple[int, int]]:
    """Start a server for these games, or for all games; yield its port and pid."""
    with server(str(Path(sys.executable).with_name("noughts")), "serve", "--no-browser", "--port", "0", *games) as port:
        (pid,) = (each for each in children(os.getpid()))
        yield port, pid


if __name__ == "__main__":
    given = sys.argv[1:]
    sys.exit(main(float(given[0]) if given else 20.0, int(given[1]) if given[1:] else 200_000))
