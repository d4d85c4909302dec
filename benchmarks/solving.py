"""Strong solving through the command: time, memory, bytes and probes, next to the aims and to published figures.

    python benchmarks/solving.py [--quick]

Each game is solved by two workers, and the first one by one worker, too. How many positions a game has must be the
number that is known; else, and where a figure misses its aim, the exit code is 1. `--quick` takes smaller games. The
rules are compiled before the time is taken, as they are for all but the first solve of a game.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import noughts
from noughts.tables.table import Table

OWN = str(Path(__file__).parent / "games" / "four_by_four.py")

MIB = 1 << 20
LOOK_EVERY = 0.1
"""Seconds between two looks at the memory of all processes."""

PROBES = 4_000
"""How many states are probed."""

COMPILE = """
import sys
import noughts
from noughts.capabilities import resolve
from noughts.solving.rules import NativeRules, native_coding
game = resolve(noughts.load(sys.argv[1]))
NativeRules(game, native_coding(game))
"""

PUBLISHED = """\
Published: connect:5x5 in about 40 s for win, draw and loss alone, without distances (Boeck, 2025);
GamesmanPy, a game in plain Python: 25,000 positions a second."""


class Work(NamedTuple):
    """A game to be solved."""

    game: str
    positions: int | None
    """How many it has; None if it must have as many as `like`."""
    seconds: float | None
    """The aim for two workers."""
    rate: float | None = None
    """The aim, in positions a second."""
    like: str | None = None
    """A game with the same positions, whose count is taken from its own table."""


WHOLE = (
    Work("connect:5x5", 69_763_700, 40),
    Work("connect:6x4", 94_910_577, None),
    Work("mnk:4,4,4", None, None),
    Work(OWN, None, None, 100_000, like="mnk:4,4,4"),
)
QUICK = (Work("connect:5x4", 3_945_711, None), Work("connect:4x5", 1_706_255, None))


class Run(NamedTuple):
    """What a run of the command took."""

    facts: dict[str, Any]
    wall: float
    processor: float
    memory: int


def descendants(process: int) -> list[int]:
    """Return a process and all that it has started, directly or not."""
    found = [process]
    for each in found:
        try:
            found += map(int, Path(f"/proc/{each}/task/{each}/children").read_text().split())
        except OSError:  # it has ended
            continue
    return found


def memory_of(process: int) -> int:
    """Return how much memory a process and its descendants have, in bytes; what they share counts several times."""
    pages = 0
    for each in descendants(process):
        try:
            pages += int(Path(f"/proc/{each}/statm").read_text().split()[1])
        except (OSError, IndexError):  # it has ended
            continue
    return pages * os.sysconf("SC_PAGE_SIZE")


def solve(game: str, folder: Path, workers: int) -> Run:
    """Solve a game by the command."""
    command = [sys.executable, "-m", "noughts", "solve", game, "-o", str(folder), "--workers", str(workers), "--json"]
    before, started, memory = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter(), 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        while process.poll() is None:
            memory = max(memory, memory_of(process.pid))
            time.sleep(LOOK_EVERY)
        wall = time.perf_counter() - started
        assert process.stdout is not None
        text = process.stdout.read()
    if process.returncode:
        raise SystemExit(f"{game}: exit code {process.returncode}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(json.loads(text), wall, processor, memory)


def states_of(table: Table[Any, Any], number: int) -> list[Any]:
    """Return states of games that are played at random, each of them a different way to probe."""
    random, game = Random(0), table.game
    found: list[Any] = []
    while len(found) < number:
        state = game.initial()
        while not game.terminal(state) and len(found) < number:
            state = game.result(state, random.choice(game.legal_actions(state)))
            found.append(state)
    return found


def probes(folder: Path, game: str) -> tuple[float, float]:
    """Return how many states are probed in a second of processor time, in a random order and in that of their codes."""
    rates = []
    for is_sorted in (False, True):
        with noughts.open_table(folder, noughts.load(game)) as table:
            states = states_of(table, PROBES)
            Random(1).shuffle(states)
            if is_sorted:
                states.sort(key=lambda state: (table.game.plies(state) if table.game.plies else 0, table.code(state)))
            started = time.process_time()
            for state in states:
                table.probe(state)
            rates.append(len(states) / (time.process_time() - started))
    return rates[0], rates[1]


def told(game: str, workers: int, run: Run) -> str:
    """Return a row of the table."""
    facts = run.facts
    positions, stored, size = facts["positions"], facts["stored"], facts["bytes"]
    name = Path(game).stem if game.endswith(".py") else game
    rate = positions / run.wall
    return (
        f"| {name} | {workers} | {positions:,} | {stored:,} | {run.wall:.1f} s | {run.processor:.1f} s | {rate:,.0f}/s "
        f"| {run.memory / MIB:,.0f} MiB | {size / positions:.2f} | {size / stored:.2f} |"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="solve smaller games")
    parser.add_argument("--folder", help="where the tables go (default: a temporary folder)")
    args = parser.parse_args()
    missed: list[str] = []
    counts: dict[str, int] = {}
    print("| game | workers | positions | stored | wall | processor | rate | memory | bytes/position | bytes/stored |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    ratio = ""
    with tempfile.TemporaryDirectory(dir=args.folder) as where:
        rows = []
        for number, work in enumerate(QUICK if args.quick else WHOLE):
            folder = Path(where, str(number))
            subprocess.run([sys.executable, "-c", COMPILE, work.game], check=True)
            run = solve(work.game, folder, 2)
            print(told(work.game, 2, run), flush=True)
            counts[work.game] = run.facts["positions"]
            expected = work.positions if work.like is None else counts[work.like]
            if expected is not None and run.facts["positions"] != expected:
                missed.append(f"{work.game} has {expected:,} positions, not {run.facts['positions']:,}")
            if work.seconds is not None and run.wall > work.seconds:
                missed.append(f"{work.game} took {run.wall:.1f} s; the aim is {work.seconds:.0f} s")
            if work.rate is not None and run.facts["positions"] / run.wall < work.rate:
                missed.append(f"{Path(work.game).name}: the aim is {work.rate:,.0f} positions a second")
            if run.memory > 2048 * MIB:
                missed.append(f"{work.game} took {run.memory / MIB:,.0f} MiB; the aim is 2,048 MiB")
            if run.facts["bytes"] > 1.5 * run.facts["stored"]:
                missed.append(f"{work.game} takes more than 1.5 bytes for a stored position")
            rows.append(
                "{}: {:,.0f} probes a second at random, {:,.0f} in order".format(work.game, *probes(folder, work.game))
            )
            if number == 0:
                alone = solve(work.game, Path(where, "alone"), 1)
                print(told(work.game, 1, alone), flush=True)
                faster = alone.wall / run.wall
                ratio = f"{work.game}: two workers are {faster:.2f} times as fast as one; the aim is 1.7"
                if faster < 1.7:
                    missed.append(ratio)
        print("", *rows, ratio, PUBLISHED, *(f"MISSED: {each}" for each in missed), sep="\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
