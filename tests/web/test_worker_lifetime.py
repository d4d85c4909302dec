"""Workers end with their server, whatever they are doing."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from tests.helpers import TIMEOUT, until
from tests.web.serving import Server, offspring, running, runs
from tests.web.test_pool import BORROWED, asked, game_file

HOLDS_THE_LOCK = "import re; re.match('(a*)*b', 'a' * 60)"

ENDLESS = {
    "in Python": "while True: pass",
    "in C, with the interpreter's lock": HOLDS_THE_LOCK,
    "in C, without it": "import time; time.sleep(10**6)",
    "deaf to signals": "import signal; [signal.signal(n, signal.SIG_IGN) for n in (1, 13, 15)]; 7 ** 10**9",
}
"""Ways in which a game's function may never return."""

WITHOUT_DEATH_SIGNAL = """
import faulthandler
from noughts.web import worker

def counted(*args, reset=faulthandler.dump_traceback_later, **options):
    reset(*args, **options)
    faulthandler.resets += 1

faulthandler.resets, faulthandler.dump_traceback_later = 0, counted
worker._die_with_parent = lambda: False
worker.WATCHDOG_TIMEOUT, worker.WATCHDOG_INTERVAL = {timeout}, 0.01
worker.main()
"""
"""A worker that the system does not kill with its parent, as on systems other than Linux; it counts the resets."""


def game_files(folder: Path) -> list[str]:
    """Write a game file for each endless function; each creates a file beside it when it starts."""
    paths = []
    for number, misdeed in enumerate(ENDLESS.values()):
        path = folder / f"game{number}.py"
        misdeed = f"open({str(path.with_suffix('.begun'))!r}, 'w').close()\n    {misdeed}"
        path.write_text(BORROWED.format(misdeed=misdeed), encoding="utf-8")
        paths.append(str(path))
    return paths


@contextmanager
def asking(server: Server, game: str) -> Iterator[None]:
    """Send a question without waiting for the answer."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=TIMEOUT) as connection:
        query = urlencode({"game": game, "seconds": 10})
        connection.sendall(f"GET /api/analyse?{query} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        yield


def test_no_worker_outlives_a_killed_server(noughts_command: str, tmp_path: Path) -> None:
    """One worker for each endless function, one that compiles a kernel, and one that is suspended."""
    paths = game_files(tmp_path)
    games = ("tic-tac-toe", "connect-four", *paths, "--workers", str(len(paths) + 1))
    with ExitStack() as stack:
        server = stack.enter_context(running(noughts_command, *games, NOUGHTS_CACHE=str(tmp_path / "cache")))
        for path in paths:
            stack.enter_context(asking(server, f"./{Path(path).name}"))
        until(lambda: all(Path(path).with_suffix(".begun").exists() for path in paths))
        stack.enter_context(asking(server, "connect-four"))
        until(lambda: len(offspring(server.process.pid)) >= len(paths) + 2)
        workers = offspring(server.process.pid)
        os.kill(max(workers), signal.SIGSTOP)
        server.stop(signal.SIGKILL)
        until(lambda: not any(map(runs, workers)))


@contextmanager
def worker(program: str, files: dict[str, tuple[str, str]]) -> Iterator["subprocess.Popen[str]"]:
    """Start a worker and wait until it is ready."""
    settings = {"files": files, "only": [], "tables": {}, "nice": 0, "memory_mib": 2048, "retire_mib": 1024}
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            send(process, settings)
            assert process.stdout is not None
            assert json.loads(process.stdout.readline()) == {"ready": True}
            yield process
        finally:
            process.kill()


def send(process: "subprocess.Popen[str]", message: dict[str, Any]) -> None:
    assert process.stdin is not None
    process.stdin.write(f"{json.dumps(message)}\n")
    process.stdin.flush()


def test_the_watchdog_ends_a_worker_whose_threads_cannot_run(tmp_path: Path) -> None:
    """The thread that would notice the end of its server cannot run either, so that the watchdog does not wait for it.

    Its input stays open: a thread that saw it end before the game takes the lock would end the process.
    """
    files = game_file(tmp_path, HOLDS_THE_LOCK)
    with worker(WITHOUT_DEATH_SIGNAL.format(timeout=2.0), files) as process:
        send(process, {"id": 1, "kind": "position", "values": asked("position", "./mygame.py").values})
        assert process.wait(TIMEOUT) == 1


def test_the_watchdog_spares_a_worker_that_is_busy_in_python(tmp_path: Path) -> None:
    """Its threads run: the watchdog is reset again and again while the game's function runs."""
    busy = "import faulthandler; end = faulthandler.resets + 20\n    while faulthandler.resets < end: pass"
    with worker(WITHOUT_DEATH_SIGNAL.format(timeout=float(TIMEOUT)), game_file(tmp_path, busy)) as process:
        send(process, {"id": 1, "kind": "position", "values": asked("position", "./mygame.py").values})
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["reply"][0] == 200


def test_a_worker_whose_server_reads_no_more_ends_in_silence() -> None:
    """It used to print a traceback of a broken pipe if the server ended while it wrote an answer."""
    command = [sys.executable, "-c", "from noughts.web.worker import main; main()"]
    settings = {"nice": 0, "memory_mib": 2048, "retire_mib": 768, "files": False, "only": [], "tables": {}}
    reading, writing = os.pipe()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=writing, stderr=subprocess.PIPE) as process:
        os.close(writing)
        os.close(reading)
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(f"{json.dumps(settings)}\n".encode())
        process.stdin.flush()  # and left open, or the worker would end for that reason
        assert (process.wait(TIMEOUT), process.stderr.read()) == (0, b"")
