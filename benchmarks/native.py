"""What the kernels take, each as a ratio to the best peers from PyPI and to textbook C++, in one run on one machine.

Every answer is checked before its time is printed. Times are CPU seconds unless a row says otherwise, on one thread
unless it says two. `--quick` leaves out the empty board of Connect Four, which takes the peer minutes.
"""

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import noughts
from noughts.capabilities import resolve
from noughts.compiled.rules import Position, Rules
from noughts.compiled.solver import Solver
from noughts.sources.kernel import NativeSearch

HERE = Path(__file__).parent
PEERS = HERE / "peers"
TABLE_MIB = 64
FULL_TREE = 549_946
MIDDLE = "322741474476551"
"""A position of 15 stones."""

PROOFS = [
    ("mnk:5,5,4", "draw"),
    ("mnk:6,5,4", "win"),
    ("mnk:5,5,5", "draw"),
    ("connect:6x5", "draw"),
    ("connect:6x6", "loss"),
]


class Row(NamedTuple):
    """A line of the table: a piece of work, a peer's figure and ours, how they compare, and what was aimed at."""

    work: str
    peer: str
    theirs: str
    ours: str
    ratio: str
    aim: str


def peer(python: str, script: str, *arguments: str) -> dict[str, Any]:
    """Run a peer in its own environment and return what it reports."""
    done = subprocess.run([python, str(PEERS / script), *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{script} failed: {done.stderr.strip() or done.stdout.strip()}")
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


def solver(game: Any, threads: int = 1, table_mib: float = TABLE_MIB) -> Solver:
    kernel = resolve(noughts.load(game)).kernel()
    assert kernel is not None
    return Solver(Rules(kernel), table_mib, threads=threads)


def plain_minimax(python: str) -> list[Row]:
    ours = solver("tic-tac-toe")
    assert ours.minimax((0, 0)) == (0, FULL_TREE)
    seconds = min(time_of(lambda: ours.minimax((0, 0))) for _ in range(50))
    speed = FULL_TREE / seconds
    rows = []
    for script, aim in (
        ("textbook.py", 5),
        ("easyai_tictactoe.py", 200),
        ("aima_tictactoe.py", 200),
        ("openspiel_tictactoe.py", 200),
    ):
        theirs = peer(python, script)
        assert theirs["nodes"] == FULL_TREE
        rows.append(
            Row(
                f"tic-tac-toe, plain minimax, all {FULL_TREE:,} nodes",
                f"{theirs['peer']} ({theirs['version']})",
                f"{theirs['cpu_seconds'] * 1000:.2f} ms, {theirs['nodes_per_second'] / 1e6:.2f} M nodes/s",
                f"{seconds * 1000:.2f} ms, {speed / 1e6:.0f} M nodes/s",
                f"{theirs['cpu_seconds'] / seconds:.1f}",
                f"{aim}",
            )
        )
    return rows


def time_of(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def positions(name: str) -> list[tuple[Position, int]]:
    """Return the positions of a file, packed, with their scores as Connect Four solvers count them."""
    game = noughts.load("connect-four")
    kernel = resolve(game).kernel()
    assert kernel is not None
    lines = (HERE / "positions" / name).read_text(encoding="utf-8").splitlines()
    pairs = (line.split() for line in lines if not line.startswith("#"))
    return [(kernel.pack(noughts.replay(game, moves)), int(score)) for moves, score in pairs]


def solvers_score(score: int) -> int:
    """Return a kernel's score as 22 minus the stones of the winner: two plies are one stone of each."""
    return (score + 1) // 2 if score > 0 else -((1 - score) // 2)


def solve_all(ours: Solver, work: list[tuple[Position, int]]) -> tuple[int, float, float]:
    """Solve positions, the table emptied before each; return nodes, CPU and wall seconds."""
    before, cpu, wall = ours.nodes, time.process_time(), time.perf_counter()
    for position, score in work:
        ours.forget()
        assert solvers_score(ours.solve(position).low) == score
    return ours.nodes - before, time.process_time() - cpu, time.perf_counter() - wall


def connect_four(python: str) -> list[Row]:
    rows = []
    for name in ("connect_four_middle.txt", "connect_four_opening.txt"):
        work = positions(name)
        theirs = peer(python, "bitbully_connect.py", str(HERE / "positions" / name))
        nodes, cpu, _ = min((solve_all(solver("connect-four"), work) for _ in range(3)), key=lambda found: found[1])
        rows.append(
            Row(
                f"Connect Four, {len(work)} positions of {name.removesuffix('.txt').rpartition('_')[2]} play",
                f"{theirs['peer']} ({theirs['version']})",
                f"{theirs['cpu_seconds']:.2f} s, {theirs['nodes'] / 1e6:.1f} M nodes",
                f"{cpu:.2f} s, {nodes / 1e6:.1f} M nodes, emptying the table included",
                f"{theirs['cpu_seconds'] / cpu:.1f}",
                "1.5",
            )
        )
    return rows


def empty_board(python: str) -> list[Row]:
    ours = solver("connect-four", table_mib=128)
    cpu = time.process_time()
    assert ours.solve((0, 0, 0, 0)).low == 2  # the first player wins with the last stone but one, the 41st
    cpu = time.process_time() - cpu
    theirs = peer(python, "bitbully_connect.py", "--empty")
    return [
        Row(
            "Connect Four, the empty board, nothing precomputed",
            f"{theirs['peer']} ({theirs['version']})",
            f"{theirs['cpu_seconds']:.0f} s, {theirs['nodes'] / 1e9:.2f} G nodes",
            f"{cpu:.1f} s, {ours.nodes / 1e9:.2f} G nodes, table of 128 MiB",
            f"{theirs['cpu_seconds'] / cpu:.1f}",
            "under 132 s",
        )
    ]


def two_threads() -> list[Row]:
    work = positions("connect_four_opening.txt")
    runs = [(solve_all(solver("connect-four"), work), solve_all(solver("connect-four", 2), work)) for _ in range(3)]
    one, two = (
        min((one for one, _ in runs), key=lambda run: run[2]),
        min((two for _, two in runs), key=lambda run: run[2]),
    )
    return [
        Row(
            "the same opening positions on two threads, wall time",
            "one thread",
            f"{one[2]:.2f} s, {one[0] / 1e6:.1f} M nodes",
            f"{two[2]:.2f} s, {two[0] / 1e6:.1f} M nodes",
            f"{one[2] / two[2]:.2f}",
            "1.7",
        )
    ]


def own_game(python: str) -> list[Row]:
    ours = solver(str(HERE.parent / "examples" / "domineering.py"))
    rounds = []
    for _ in range(5):
        ours.forget()
        before, cpu = ours.positions, time.process_time()
        assert ours.solve((0, 0)).low > 0  # the first player wins
        rounds.append((ours.positions - before) / (time.process_time() - cpu))
    rows = []
    for arguments, aim in (((), "1,000"), (("--tuned",), "")):
        theirs = peer(python, "easyai_owngame.py", *arguments)
        speed = theirs["nodes_per_second"]
        rows.append(
            Row(
                "a person's own game: Domineering on 6 x 6, positions a second",
                f"{theirs['peer']} ({theirs['version']})",
                f"{speed / 1e3:.0f} k/s",
                f"{max(rounds) / 1e6:.0f} M/s",
                f"{max(rounds) / speed:,.0f}",
                aim,
            )
        )
    return rows


def whole_process() -> list[Row]:
    """Time the command itself, with its kernel compiled and not, on a position that needs it."""
    command = shutil.which("noughts", path=str(Path(sys.executable).parent)) or "noughts"
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "NOUGHTS_CACHE": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)

        def wall(*words: str) -> float:
            return time_of(lambda: subprocess.run(words, env=environment, capture_output=True, check=True))

        imported = min(wall(sys.executable, "-c", "import numba") for _ in range(3))
        analyse = [command, "analyse", "connect-four", MIDDLE, "--json"]
        cold = wall(*analyse)
        warm = min(wall(*analyse) for _ in range(3))
        done = subprocess.run(analyse, env=environment, capture_output=True, check=True)
    answer = json.loads(done.stdout)
    assert answer["method"] == "kernel"
    assert answer["proven"]
    what = f"`noughts analyse connect-four {MIDDLE}`, whole process, wall time"
    return [
        Row(
            what, "importing numba alone", f"{imported:.2f} s", f"{warm:.2f} s", f"{imported / warm:.2f}", "under 1.2 s"
        ),
        Row(f"{what}, kernel not yet compiled", "", "", f"{cold:.2f} s", "", "under 6 s"),
    ]


def proofs() -> list[Row]:
    rows = []
    for notation, value in PROOFS:
        game = noughts.load(notation)
        engine: NativeSearch[Any, Any] = NativeSearch(game, table_mib=256, threads=1)
        _ = engine.solver
        cpu = time.process_time()
        answer = engine.ask(game.initial(), wanted="one")
        cpu = time.process_time() - cpu
        assert answer.value == value
        rows.append(Row(f"{notation}: {value}", "", "", f"{cpu:.2f} s, {answer.nodes:,} nodes", "", "proven"))
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("peers", metavar="PYTHON", help="the interpreter of the environment that has the peers")
    parser.add_argument("--quick", action="store_true", help="leave out the empty board")
    wanted = parser.parse_args()
    print(
        f"Python {platform.python_version()}, numba {version('numba')}, {platform.machine()}, table {TABLE_MIB} MiB\n"
    )
    print("| work | peer | theirs | noughts | ratio | aim |\n|---|---|---|---|---|---|")
    parts: list[Callable[[], list[Row]]] = [
        lambda: plain_minimax(wanted.peers),
        lambda: connect_four(wanted.peers),
        two_threads,
        lambda: own_game(wanted.peers),
        whole_process,
        proofs,
    ]
    if not wanted.quick:
        parts.append(lambda: empty_board(wanted.peers))
    for part in parts:
        for row in part():
            print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
