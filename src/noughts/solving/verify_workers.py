"""Verifying a table on several processes, each of which walks through the game on its own."""

import json
import os
import selectors
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from mmap import mmap
from typing import Any

from noughts.errors import BadTable, BrokenGame, NoughtsError
from noughts.solving.derive import Problem
from noughts.solving.sources import GameSource
from noughts.solving.verify import Step, walk
from noughts.solving.worker import end_with_parent
from noughts.tables.table import Table

__all__ = ["main", "walks"]

LOOK_EVERY = 0.2
"""Seconds between two looks at whether to stop."""
REPORT_EVERY = 2_000
"""How many positions a process checks between two reports."""
ERRORS: dict[str, type[NoughtsError]] = defaultdict(lambda: NoughtsError, BadTable=BadTable, BrokenGame=BrokenGame)
"""What a process may end with, by name."""


def walks(folder: str, source: GameSource, marks: str, workers: int) -> Iterator[Step]:
    """Yield what the walks of several processes yield, and None now and then; end them if this is closed."""
    processes = [_start(folder, source, marks, number, workers) for number in range(workers)]
    try:
        with selectors.DefaultSelector() as selector:
            for process in processes:
                assert process.stdout is not None
                selector.register(process.stdout, selectors.EVENT_READ, process)
            while selector.get_map():
                yield None
                for key, _ in selector.select(LOOK_EVERY):
                    line = key.data.stdout.readline()
                    if line.endswith(b"\n"):
                        yield _told(json.loads(line))
                        continue
                    selector.unregister(key.fileobj)
                    if key.data.wait():
                        raise NoughtsError("a process that verified the table has died; verify it again")
    finally:
        for process in processes:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    stream.close()


def _told(found: Any) -> Step:
    """Return what a process has written; raise the error that it ended with."""
    if isinstance(found, dict):
        raise ERRORS[found["kind"]](found["error"])
    return found if isinstance(found, int) else Problem(*found)


def _start(folder: str, source: GameSource, marks: str, number: int, workers: int) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-c", "from noughts.solving.verify_workers import main; main()", str(os.getpid())]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(each for each in sys.path if each)}
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, start_new_session=True
    )
    assert process.stdin is not None
    process.stdin.write(json.dumps([folder, source, marks, number, workers]).encode() + b"\n")
    process.stdin.flush()
    return process


def main() -> None:
    """Walk through the game that standard input names, and write what is found to standard output, a line each."""
    end_with_parent(int(sys.argv[1]))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started this one
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever a game prints
    folder, source, path, number, workers = json.loads(sys.stdin.readline())

    def write(found: object) -> None:
        answers.write(json.dumps(found) + "\n")
        answers.flush()

    checked = 0
    try:
        table = Table(folder, GameSource(*source).load())
        with open(path, "r+b") as file, mmap(file.fileno(), len(table)) as marks:
            for found in walk(table, marks, number, workers):
                checked += found if isinstance(found, int) else 0
                if isinstance(found, Problem):
                    write(found)
                elif checked >= REPORT_EVERY:
                    write(checked)
                    checked = 0
    except NoughtsError as error:
        write({"kind": type(error).__name__, "error": str(error)})
        return
    write(checked)
