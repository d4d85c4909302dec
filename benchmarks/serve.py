"""The server under load: requests per second, response times, and the effect of hostile clients.

    python benchmarks/serve.py [SECONDS]

Everything runs on this machine, including the clients. The baseline is a Starlette application on the same uvicorn that
only sends a constant response of the same size; the ratio to it shows how much could still be gained.
"""

import asyncio
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count, cycle
from pathlib import Path
from time import perf_counter
from urllib.parse import quote

from playwright.sync_api import Response, sync_playwright

import noughts
from noughts.capabilities import resolve

CLIENTS = 64
HOSTILE = 100
PACED = 8
PAUSE = 0.02

BASELINE = """
import contextlib, sys, socket, uvicorn
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route
body = b" " * int(sys.argv[1])
app = Starlette(routes=[Route("/{path:path}", lambda request: Response(body, media_type="application/json"))])
listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
listener.bind(("127.0.0.1", 0))
listener.listen(1024)
print("running at http://127.0.0.1:%d/" % listener.getsockname()[1], flush=True)
with contextlib.suppress(KeyboardInterrupt):
    uvicorn.Server(uvicorn.Config(app, http="h11", log_level="warning", access_log=False)).run([listener])
"""


@contextmanager
def server(*command: str) -> Iterator[int]:
    """Start a server that prints its address and yield its port."""
    environment = {**os.environ}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        yield int(line.split("127.0.0.1:")[1].split("/")[0])
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()


class Client(asyncio.Protocol):
    """One connection that sends a request, waits for the whole response, and sends the next."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self.body = b""
        """The body of the last response."""
        self._waiting: asyncio.Future[int] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Store the transport."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def connection_lost(self, _: Exception | None) -> None:
        """Fail the request in progress."""
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_exception(ConnectionResetError())

    def ask(self, request: bytes) -> "asyncio.Future[int]":
        """Send a request and return a future of the response's status."""
        self._waiting = asyncio.get_running_loop().create_future()
        self.transport.write(request)
        return self._waiting

    def data_received(self, data: bytes) -> None:
        """Collect a response until it is complete."""
        self._buffer += data
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return
        head = bytes(self._buffer[:end]).lower()
        start = head.find(b"content-length: ") + 16
        length = int(head[start : head.find(b"\r", start) if b"\r" in head[start:] else None])
        if len(self._buffer) >= end + 4 + length:
            self.body = bytes(self._buffer[end + 4 :])
            self._buffer.clear()
            if self._waiting is not None and not self._waiting.done():
                self._waiting.set_result(int(head[9:12]))


async def connected(port: int) -> Client:
    _, client = await asyncio.get_running_loop().create_connection(Client, "127.0.0.1", port)
    return client


def requests(paths: list[str]) -> list[bytes]:
    return [f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode() for path in paths]


async def flood(port: int, asked: list[bytes], clients: int, seconds: float) -> tuple[int, list[float]]:
    """Send requests as fast as possible on many connections; return the number of successes and all response times."""
    taken: list[float] = []
    right = 0
    end = perf_counter() + seconds

    async def one(number: int) -> None:
        nonlocal right
        client = await connected(port)
        for request in cycle(asked[number:] + asked[:number]):
            started = perf_counter()
            if started >= end:
                break
            status = await client.ask(request)
            right += status == 200
            taken.append(perf_counter() - started)
        client.transport.close()

    await asyncio.gather(*(one(number * len(asked) // clients) for number in range(clients)))
    return right, taken


async def paced(port: int, asked: Iterator[bytes], seconds: float) -> list[float]:
    """Send requests now and then, as people do, on a few connections; return all response times."""
    taken: list[float] = []
    end = perf_counter() + seconds

    async def one() -> None:
        client = await connected(port)
        while perf_counter() < end:
            started = perf_counter()
            status = await client.ask(next(asked))
            taken.append(perf_counter() - started)
            assert status == 200, status
            await asyncio.sleep(PAUSE * random.uniform(0.5, 1.5))
        client.transport.close()

    await asyncio.gather(*(one() for _ in range(PACED)))
    return taken


def positions(game: str, plies: int, many: int, seed: int) -> list[str]:
    """Return random unfinished positions of a game as texts of moves."""
    chance = random.Random(seed)
    played = noughts.load(game)
    name = resolve(played).action_name
    found: list[str] = []
    while len(found) < many:
        state, moves = played.initial(), []
        for _ in range(chance.randint(0, plies)):
            if played.terminal(state):
                break
            action = chance.choice(list(played.actions(state)))
            moves.append(name(action))
            state = played.result(state, action)
        if not played.terminal(state):
            found.append(" ".join(moves))
    return found


def address(game: str, position: str, more: str = "") -> str:
    return f"/api/analyse?game={game}&position={quote(position)}{more}"


def hostile(port: int, seconds: float) -> None:
    """Ask about hard positions on many connections, without a pause, whatever the response."""
    games = [("reversi:8", 8), ("ultimate", 6), ("connect:9x8", 8), ("mnk:9,9,5", 6), ("mnk:6,6,5", 4)]
    asked = [address(game, where, "&seconds=10") for game, plies in games for where in positions(game, plies, 100, 7)]
    random.Random(1).shuffle(asked)
    asyncio.run(flood(port, requests(asked), HOSTILE, seconds))


def first_page(command: str, times: int) -> list[tuple[float, float, int, int]]:
    """Start a server and open its page, several times.

    Return the seconds until the server is ready and until the page is usable, and its bytes, compressed and not.
    """
    found = []
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=["--disable-gpu", "--no-sandbox", "--disable-background-networking"]
        )
        for _ in range(times):
            page = browser.new_page()
            answers: list[Response] = []

            def note(answer: Response, answers: list[Response] = answers) -> None:
                answers.append(answer)

            page.on("response", note)
            started = perf_counter()
            with server(command, "serve", "--no-browser", "--port", "0") as port:
                ready = perf_counter() - started
                page.goto(f"http://127.0.0.1:{port}/")
                page.wait_for_selector('body[data-ready="true"]')
                usable = perf_counter() - started
                plain = sum(len(answer.body()) for answer in answers)
                sent = sum(answer.request.sizes()["responseBodySize"] for answer in answers)
                page.close()
            found.append((ready, usable, sent, plain))
        browser.close()
    return found


def percentile(taken: list[float], part: float) -> float:
    """Return a percentile of response times in milliseconds; `part` is between 0 and 1."""
    return sorted(taken)[min(len(taken) - 1, int(len(taken) * part))] * 1000


def main(seconds: float) -> None:
    random.seed(0)
    warm = requests([address("tic-tac-toe", where) for where in dict.fromkeys(positions("tic-tac-toe", 6, 2000, 3))])
    command = str(Path(sys.executable).with_name("noughts"))
    ready, usable, sent, plain = map(statistics.median, zip(*first_page(command, 7), strict=True))
    print(f"first page: server ready after {ready:.2f} s, page usable after {usable:.2f} s")
    print(f"            {sent / 1024:.1f} KiB sent, {plain / 1024:.1f} KiB uncompressed\n")
    with tempfile.TemporaryDirectory() as folder:
        baseline = Path(folder, "baseline.py")
        baseline.write_text(BASELINE, encoding="utf-8")
        with server(sys.executable, str(baseline), "1000") as port:
            _, bare = asyncio.run(flood(port, warm, CLIENTS, seconds))
    with server(command, "serve", "--no-browser", "--port", "0") as port:
        _, cold = asyncio.run(flood(port, warm, 8, seconds))
        right, full = asyncio.run(flood(port, warm, CLIENTS, seconds))
        assert right == len(full)
        print(f"{CLIENTS} clients, {len(warm)} positions of tic-tac-toe, {seconds:g} s, one server process")
        print("| | requests/s | p50 ms | p99 ms | ratio to the baseline |")
        print("|---|---|---|---|---|")
        for name, taken in (
            ("Starlette, constant response", bare),
            ("noughts, cached", full),
            ("noughts, not cached, 8 clients", cold),
        ):
            rate = len(taken) / seconds
            ratio = rate * seconds / len(bare)
            print(
                f"| {name} | {rate:,.0f} | {percentile(taken, 0.5):.1f} | {percentile(taken, 0.99):.1f} | {ratio:.2f} |"
            )
        fresh = requests(
            [address("tic-tac-toe", where, "&seconds=2.5") for where in positions("tic-tac-toe", 8, 4000, 5)]
        )
        turns = cycle((cycle(warm), cycle(fresh)))
        mixed = (next(next(turns)) for _ in count())
        quiet = asyncio.run(paced(port, mixed, 2 * seconds))
        crowd = subprocess.Popen([sys.executable, __file__, "--hostile", str(port), str(4 * seconds)])
        asyncio.run(asyncio.sleep(seconds))
        among = asyncio.run(paced(port, mixed, 2 * seconds))
        crowd.kill()
        crowd.wait()
        after = asyncio.run(paced(port, mixed, seconds))
        print(f"\n{PACED} clients, about {PACED / PAUSE:.0f} requests/s, half uncached; then {HOSTILE} hostile clients")
        print("| | p50 ms | p95 ms | p99 ms | p95, ratio to quiet |")
        print("|---|---|---|---|---|")
        for name, taken in (("quiet", quiet), ("with hostile clients", among), ("after they left", after)):
            middle, most, nearly_all = (percentile(taken, part) for part in (0.5, 0.95, 0.99))
            ratio = most / percentile(quiet, 0.95)
            print(f"| {name} | {middle:.1f} | {most:.1f} | {nearly_all:.1f} | {ratio:.2f} |")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--hostile"]:
        hostile(int(sys.argv[2]), float(sys.argv[3]))
    else:
        main(float(sys.argv[1]) if len(sys.argv) > 1 else 5.0)
