"""Solving with faults: a solve in a process of its own, with many small tasks, and ways to kill it and its workers."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Any, NamedTuple

from tests.solving.solved import bytes_of

SCRIPT = """
import sys
import noughts
from noughts.solving import room, solve
if __name__ == "__main__":
    folder, notation, part, workers, method, engine, *address = sys.argv[1:]
    room.PART[method] = room.LARGEST[method] = int(part)
    solve.SMALL = 0
    if method == "interpreted":
        solve.native_coding = lambda _: None
    options = {"notation": notation, "workers": int(workers), "engine": engine, "address": [*address, None][0]}
    try:
        noughts.solve(noughts.load(notation), folder, **options)
    except noughts.NoughtsError as error:
        sys.exit(str(error))
"""

DEADLINE = 60
"""Seconds after which something that should happen is taken not to."""


class Case(NamedTuple):
    """What is solved, and how: in many small parts, so that there is much to interrupt."""

    notation: str = "tic-tac-toe"
    part: int = 24
    """The most positions of a part."""
    workers: int = 2
    method: str = "interpreted"
    engine: str = "processes"
    address: str | None = None

    def begin(self, folder: Path, **options: Any) -> "subprocess.Popen[Any]":
        """Return a solve that has begun, in a process of its own."""
        arguments = [str(each) for each in (folder, *self) if each is not None]
        return subprocess.Popen([sys.executable, "-c", SCRIPT, *arguments], **options)

    def whole(self, folder: Path) -> dict[str, str]:
        """Solve without faults, in one process; return a digest of each file."""
        local = self._replace(engine="local", address=None)
        assert local.begin(folder).wait() == 0
        return bytes_of(folder)


def workers_of(driver: int) -> list[int]:
    """Return the processes that a driver has started."""
    found = Path(f"/proc/{driver}/task/{driver}/children").read_text()
    return [int(word) for word in found.split()]


def files_in(folder: Path) -> int:
    """Return how many files of work there are."""
    try:
        return len(os.listdir(folder / "work"))
    except FileNotFoundError:
        return 0


def solve_with_kills(folder: Path, kills: int, random: Random, case: Case) -> int:
    """Solve, with so many kills of the driver or a worker, each some files after the last; return how many there were.

    A driver that was killed begins again; in the end the solve is done.
    """
    done = 0
    driver = case.begin(folder)
    target = random.randrange(1, 40)
    while True:
        if driver.poll() is not None:
            assert driver.returncode in (0, -signal.SIGKILL)
            if driver.returncode == 0:
                return done
            driver = case.begin(folder)
        if done < kills and files_in(folder) >= target:
            workers = [] if driver.poll() is not None else workers_of(driver.pid)
            victim = random.choice([driver.pid, *workers])
            try:
                os.kill(victim, signal.SIGKILL)
            except ProcessLookupError:
                continue
            done += 1
            if victim == driver.pid:
                driver.wait()
                wait_until_gone(workers)
            target = random.randrange(1, 40) + files_in(folder)
        sleep(0.002)


def wait_until_gone(processes: list[int], seconds: float = 5.0) -> None:
    """Wait until some processes have ended; fail if that takes too long."""
    until = monotonic() + seconds
    while any(Path(f"/proc/{each}").exists() and not is_zombie(each) for each in processes):
        assert monotonic() < until, "a worker outlives its driver"
        sleep(0.01)


def is_zombie(process: int) -> bool:
    """Return whether a process has ended, and nobody has asked how."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True
