"""Attacks on `noughts serve` and their effect on ordinary clients.

    python benchmarks/attacks.py [idle] [hostile] [headers]

Each attack starts its own server on a free port of 127.0.0.1, and is limited in count and time. The attackers run in
another process, but on the same machine, so figures without an attack are printed for comparison.

- idle: 1,100 connections that send nothing and are reopened when the server closes them; with `ulimit -n 1024`, and
  with plenty of file descriptors. Half of the ordinary clients keep their connection, half open one for each request.
- hostile: 100 clients that send malformed, slow, huge or partial requests, while 64 ordinary clients are served.
- headers: requests that are expensive to parse, one at a time, to measure how long the event loop stalls.
"""

import asyncio
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import cycle
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from serve import CLIENTS, HOSTILE, address, connected, percentile, positions, requests

IDLE = 1_100
PLENTY = 4_096
SECONDS = 8.0
PAUSE = 0.25
"""Seconds between two requests of an ordinary client."""
PATIENCE = 5.0
"""Seconds after which an ordinary client gives up."""


class Target(NamedTuple):
    """A server to attack."""

    port: int
    pid: int
    log: Path

    @property
    def cpu(self) -> float:
        """CPU seconds that the server has used, without its workers."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def lines(self) -> int:
        """The number of lines that it has written to standard error."""
        return self.log.read_bytes().count(b"\n")


@contextmanager
def target(files: int = PLENTY) -> Iterator[Target]:
    """Start a server with a limit on open files, and yield it when its worker is warm."""
    command = Path(sys.executable).with_name("noughts")
    script = f"ulimit -n {files}; exec {command} serve --no-browser --port 0 tic-tac-toe"
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log")
        with log.open("w") as errors:
            process = subprocess.Popen(["sh", "-c", script], stdout=subprocess.PIPE, stderr=errors, text=True)
        try:
            assert process.stdout is not None
            found = Target(int(process.stdout.readline().split(":")[2].split("/")[0]), process.pid, log)
            asyncio.run(ordinary(found.port, 1.0, 2))
            yield found
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait()


ASKED = requests([address("tic-tac-toe", where) for where in dict.fromkeys(positions("tic-tac-toe", 6, 200, 3))])


async def ordinary(port: int, seconds: float, clients: int) -> tuple[list[float], int]:
    """Send requests now and then from many clients; return all response times and the number of failed requests.

    Like a browser, a client whose connection was closed opens another and retries once.
    """
    taken: list[float] = []
    failed = 0
    asked = cycle(ASKED)
    end = perf_counter() + seconds

    async def one(keeps: bool) -> None:
        nonlocal failed
        client = None
        await asyncio.sleep(random.uniform(0, PAUSE))
        while perf_counter() < end:
            started = perf_counter()
            for again in (False, True):
                try:
                    async with asyncio.timeout(PATIENCE):
                        if client is None or client.transport.is_closing():
                            client = await connected(port)
                        if await client.ask(next(asked)) == 200:
                            taken.append(perf_counter() - started)
                            break
                except (OSError, TimeoutError):
                    pass
                if client is not None:
                    client.transport.close()
                client = None
                failed += again
            if client is not None and not keeps:
                client.transport.close()
            await asyncio.sleep(PAUSE * random.uniform(0.5, 1.5))
        if client is not None:
            client.transport.close()

    await asyncio.gather(*(one(number % 2 == 0) for number in range(clients)))
    return taken, failed


# Attackers


async def hold_idle_connection(port: int) -> None:
    """Open a connection, wait until the server closes it, and repeat."""
    while True:
        with suppress(OSError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            with suppress(OSError):
                await reader.read()
            writer.close()
        await asyncio.sleep(random.uniform(0.5, 1.5))


GET = b"GET /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\n"


def head(*lines: bytes, target: bytes = b"/api/games", host: bytes = b"127.0.0.1") -> bytes:
    return b"\r\n".join([b"GET " + target + b" HTTP/1.1", b"Host: " + host, *lines, b"", b""])


EXPENSIVE = {
    "Host of 60 KB, not ASCII": head(host=b"\xfc" * 60_000),
    "Host of 30 KB, not ASCII": head(host=b"\xfc" * 30_000),
    "Host of 30 KB, labels": head(host=b"\xfc." * 15_000),
    "absolute URI, host of 30 KB": head(target=b"http://" + b"x" * 30_000 + b"/"),
    "spaces before a NUL, 60 KB": head(b"X:" + b" " * 60_000 + b"\0"),
    "spaces before a NUL, 30 KB": head(b"X:" + b" " * 30_000 + b"\0"),
    "spaces before a bare CR, 30 KB": head(b"X:" + b" " * 30_000 + b"\rx"),
    "60,000 headers": head(*[b"x:"] * 60_000),
    "95 headers of 300 bytes": head(*[b"x: " + b"y z" * 100] * 95),
    "folded lines": head(b"X: y", *[b" y"] * 10_000),
    "path of 30 KB, escaped": head(target=b"/" + b"%C3%BC" * 5_000),
    "path of 1 KB, escaped": head(target=b"/" + b"%C3%BC" * 170),
    "query of 8 KB, fields": head(target=b"/api/analyse?" + b"a=b&" * 2_000),
    "query of 8 KB, escaped": head(target=b"/api/analyse?game=" + b"%41" * 2_700),
    "cookies, 30 KB": head(b"Cookie: " + b"a=b; " * 6_000),
    "If-None-Match, 30 KB": head(b"If-None-Match: " + b'W/"a",' * 5_000),
    "Accept-Encoding, 30 KB": head(b"Accept-Encoding: " + b"a;q=1," * 5_000, target=b"/"),
    "X-Forwarded-For, 30 KB": head(b"X-Forwarded-For: " + b"1.1.1.1, " * 3_300),
    "Connection, 30 KB": head(b"Connection: " + b"a," * 15_000),
    "chunks of a byte, 250 KB": head(b"Transfer-Encoding: chunked") + b"1\r\nx\r\n" * 40_000,
    "trailer, spaces before a NUL": head(b"Transfer-Encoding: chunked") + b"0\r\nX:" + b" " * 30_000 + b"\0\r\n\r\n",
    "chunk extension, 30 KB": head(b"Transfer-Encoding: chunked") + b"1;" + b" " * 30_000 + b"\n\r\n",
    "1,000 requests at once": head() * 1_000,
    "2,000 not found at once": head(target=b"/x") * 2_000,
}


async def send_once(port: int, request: bytes, seconds: float = 2.0) -> None:
    """Send a request and wait until the server closes the connection, within a time limit."""
    with suppress(OSError, TimeoutError):
        async with asyncio.timeout(seconds):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**16)
            try:
                writer.write(request)
                while await reader.read(65536):
                    pass
            finally:
                writer.close()


async def send_slowly(port: int, request: bytes) -> None:
    """Send a request one byte at a time."""
    with suppress(OSError):
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        for byte in request:
            writer.write(bytes([byte]))
            await writer.drain()
            await asyncio.sleep(0.2)
        writer.close()


async def never_read(port: int) -> None:
    """Send many requests and read no response."""
    with suppress(OSError):
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1)
        writer.write(head(target=b"/") * 200)
        await asyncio.sleep(3)
        writer.close()
        del reader


def hostile_clients(port: int) -> list[Callable[[], Awaitable[None]]]:
    """Return the attacks that hostile clients repeat in turn."""
    chance = random.Random(5)
    kinds: list[Callable[[], Awaitable[None]]] = [
        *(lambda request=request: send_once(port, request) for request in EXPENSIVE.values()),
        lambda: send_slowly(port, GET + b"X: y\r\n\r\n"),
        lambda: send_slowly(port, GET + b"Content-Length: 100\r\n\r\n" + b"x" * 100),
        lambda: never_read(port),
        lambda: send_once(port, chance.randbytes(2_000)),
        lambda: send_once(port, b"\r\n" * 100),
        lambda: send_once(port, GET),
        lambda: send_once(port, GET + b"Content-Length: 9999999\r\n\r\n" + b"x" * 500_000),
        lambda: send_once(port, GET + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        lambda: send_once(port, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200)),
    ]
    return kinds


async def attack(kind: str, port: int, seconds: float) -> None:
    """Attack a server for a while."""

    async def repeat(start: int) -> None:
        kinds = hostile_clients(port)
        for number in range(start, start + 10_000):
            await kinds[number % len(kinds)]()
            await asyncio.sleep(0.05)

    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            if kind == "idle":
                await asyncio.gather(*(hold_idle_connection(port) for _ in range(IDLE)))
            else:
                await asyncio.gather(*(repeat(number) for number in range(HOSTILE)))


# Figures


def table(*columns: str) -> None:
    """Print the header of a table."""
    print(f"| {' | '.join(columns)} |")
    print(f"|{'---|' * len(columns)}")


def under_attack(kind: str, clients: int, files: int) -> None:
    """Measure ordinary clients before and during an attack."""
    with target(files) as server:
        for name, attacked in (("no attack", False), (f"with {kind} clients", True)):
            crowd = None
            if attacked:
                mine = [sys.executable, __file__, "--attack", kind, str(server.port), str(SECONDS + 3)]
                crowd = subprocess.Popen(mine)
                asyncio.run(asyncio.sleep(2.0))  # until all its connections are open
            cpu, lines = server.cpu, server.lines
            taken, failed = asyncio.run(ordinary(server.port, SECONDS, clients))
            cpu, lines = server.cpu - cpu, server.lines - lines
            if crowd is not None:
                crowd.wait()
            middle, nearly_all = percentile(taken, 0.5), percentile(taken, 0.99)
            print(
                f"| {name}, ulimit -n {files} | {len(taken)} | {failed} | {middle:.1f} | {nearly_all:.1f} "
                f"| {max(taken) * 1000:.0f} | {cpu:.2f} | {lines} |",
                flush=True,
            )


def both(kind: str, clients: int, *limits: int) -> None:
    print(f"\n{kind}: {clients} ordinary clients for {SECONDS:g} s each time")
    print(f"targets: p99 under 100 ms, no failed requests, at most {SECONDS:g} log lines")
    table("", "responses", "failed", "p50 ms", "p99 ms", "max ms", "server CPU s", "log lines")
    for files in limits:
        under_attack(kind, clients, files)


async def longest_wait(port: int, request: bytes | None) -> float:
    """Return the longest response time of a steady client, in milliseconds, while a request is sent a few times."""
    client = await connected(port)
    longest = 0.0
    sending = asyncio.ensure_future(_repeat(port, request))
    while not sending.done():
        started = perf_counter()
        await client.ask(ASKED[0])
        longest = max(longest, perf_counter() - started)
        await asyncio.sleep(0.001)
    await sending
    client.transport.close()
    return longest * 1000


async def _repeat(port: int, request: bytes | None) -> None:
    for _ in range(3):
        await asyncio.sleep(0.1)
        if request is not None:
            await send_once(port, request, 0.5)


def headers() -> None:
    """Measure how long each expensive request stalls the server."""
    print("\nheaders: the longest wait of a steady client while each request is sent three times; target: under 50 ms")
    table("request", "longest ms")
    with target() as server:
        for name, request in (("none", None), *EXPENSIVE.items()):
            longest = min(asyncio.run(longest_wait(server.port, request)) for _ in range(2))
            print(f"| {name} | {longest:.1f} |", flush=True)


def main(chosen: list[str]) -> None:
    random.seed(0)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard if hard != resource.RLIM_INFINITY else max(soft, PLENTY), hard))
    kinds = {
        "idle": lambda: both("idle", 16, 1_024, PLENTY),
        "hostile": lambda: both("hostile", CLIENTS, PLENTY),
        "headers": headers,
    }
    for name in chosen or kinds:
        if name not in kinds:
            sys.exit(f"unknown attack {name!r}; choose from: {', '.join(kinds)}")
        kinds[name]()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--attack"]:
        asyncio.run(attack(sys.argv[2], int(sys.argv[3]), float(sys.argv[4])))
    else:
        main(sys.argv[1:])
