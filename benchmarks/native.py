"""How fast questions are answered, compared with the best peers from PyPI and with textbook C++, in one run.

The rows of Connect Four positions ask the public function `noughts.value`, as any caller would. The others that need a
kernel call it directly. Every answer is checked before its time is printed. Times are CPU seconds on one thread unless
a row says otherwise. `--quick` leaves out the empty board of Connect Four, which takes the peer minutes.
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
from collections.abc import Callable, Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import noughts
from noughts.capabilities import resolve
from noughts.compiled.rules import Rules
from noughts.compiled.solver import Solver
from noughts.search.answer import Answer
from noughts.sources.kernel import NativeSearch

HERE = Path(__file__).parent
PEERS = HERE / "peers"
TABLE_MIB = 64
ROUNDS = 3
"""How often a measurement is repeated; the best counts, for the peers too, since the machine may be busy."""
STAGES = ("end", "middle", "opening")
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


class Position(NamedTuple):
    """A Connect Four position, how many stones are on the board, and its score as BitBully counts."""

    state: Any
    stones: int
    score: int


@cache
def positions(stage: str) -> list[Position]:
    """Return the positions of a list: those of the end, the middle or the opening of the game."""
    game = noughts.load("connect-four")
    lines = positions_file(stage).read_text(encoding="utf-8").splitlines()
    pairs = (line.split() for line in lines if not line.startswith("#"))
    return [Position(noughts.replay(game, moves), len(moves), int(score)) for moves, score in pairs]


def positions_file(stage: str) -> Path:
    return HERE / "positions" / f"connect_four_{stage}.txt"


def score_of(answer: Answer[Any], stones: int) -> int:
    """Return an answer as BitBully's score: 22 less the stones that the winner will have placed, 0 for a draw."""
    if answer.distance is None:
        return 0
    score = 22 - (stones + answer.distance + 1) // 2
    return score if answer.value == "win" else -score


def warm_engine(threads: int | None = None) -> noughts.Engine[Any, Any]:
    """Return an engine that has loaded its kernel and found out that the game is too large to be solved whole."""
    engine = noughts.Engine(noughts.load("connect-four"), threads=threads)
    noughts.value(engine, positions("opening")[0].state)
    return engine


def ask_all(engine: noughts.Engine[Any, Any], stage: str) -> tuple[int, float, float]:
    """Ask for the value of each position of a list; return the nodes, and the CPU and wall seconds it took.

    Nothing is carried over from one question to the next: before each, the engine forgets. That is not timed, and
    neither is the emptying of BitBully's table.
    """
    nodes, cpu, wall = 0, 0.0, 0.0
    for position in positions(stage):
        engine.forget()
        cpu_before, wall_before = time.process_time(), time.perf_counter()
        answer = noughts.value(engine, position.state)
        cpu += time.process_time() - cpu_before
        wall += time.perf_counter() - wall_before
        assert score_of(answer, position.stones) == position.score
        nodes += answer.nodes
    return nodes, cpu, wall


def connect_four(python: str) -> list[Row]:
    """Compare `noughts.value` with BitBully, one question for each position."""
    one, every = warm_engine(threads=1), warm_engine()
    rows = []
    for stage in STAGES:
        runs = [
            (
                peer(python, "bitbully_connect.py", str(positions_file(stage))),
                ask_all(one, stage),
                ask_all(every, stage),
            )
            for _ in range(ROUNDS)
        ]
        theirs = min((run[0] for run in runs), key=lambda run: float(run["cpu_seconds"]))
        nodes, cpu, _ = min((run[1] for run in runs), key=lambda run: run[1])
        wall = min(run[2][2] for run in runs)
        what = f"`noughts.value`, {len(positions(stage))} positions of Connect Four, {stage} play"
        rows += [
            Row(
                f"{what}, one thread",
                f"{theirs['peer']} ({theirs['version']})",
                f"{theirs['cpu_seconds']:.3f} s, {theirs['nodes'] / 1e6:.1f} M nodes",
                f"{cpu:.3f} s, {nodes / 1e6:.1f} M nodes",
                f"{theirs['cpu_seconds'] / cpu:.1f}",
                "1.5",
            ),
            Row(
                f"{what}, default engine, wall time",
                f"{theirs['peer']} ({theirs['version']})",
                f"{theirs['cpu_seconds']:.3f} s",
                f"{wall:.3f} s",
                f"{theirs['cpu_seconds'] / wall:.1f}",
                "",
            ),
        ]
    return rows


class KernelClock:
    """Measures the processor time that is spent in the questions to a solver, in any thread, while it is entered."""

    QUESTIONS = ("solve", "value_each", "follow", "children")

    def __enter__(self) -> "KernelClock":
        self.seconds = 0.0
        self._untimed = {name: getattr(Solver, name) for name in self.QUESTIONS}
        for name, ask in self._untimed.items():
            setattr(Solver, name, self._timed(ask))
        return self

    def _timed(self, ask: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*given: Any, **options: Any) -> Any:
            started = time.process_time()
            try:
                return ask(*given, **options)
            finally:
                self.seconds += time.process_time() - started

        return timed

    def __exit__(self, *_: object) -> None:
        for name, ask in self._untimed.items():
            setattr(Solver, name, ask)


def overheads(ask: Callable[..., Answer[Any]], engine: noughts.Engine[Any, Any], states: list[Any]) -> list[float]:
    """Return, in order, the microseconds that a question about each state takes outside the kernel; the best of some.

    That is processor time. The engine forgets before each question, so that none is answered from memory.
    """
    found = []
    with KernelClock() as clock:
        for state in states:
            spent = []
            for _ in range(ROUNDS):
                engine.forget()
                clock.seconds = 0.0
                started = time.process_time()
                ask(engine, state)
                spent.append(time.process_time() - started - clock.seconds)
            found.append(min(spent) * 1e6)
    return sorted(found)


def overhead() -> list[Row]:
    """Measure what `noughts.value` and `noughts.analyse` take beyond the kernel's own time."""
    engine = warm_engine(threads=1)
    rows = []
    for ask in (noughts.value, noughts.analyse):
        for stage in STAGES:
            states = [position.state for position in positions(stage)]
            found = overheads(ask, engine, states)
            median, late = found[len(found) // 2], found[-1 - len(found) // 100]
            rows.append(
                Row(
                    f"`noughts.{ask.__name__}`, what a question takes beyond its kernel, {stage} play",
                    "",
                    "",
                    f"median {median:.0f} microseconds, 99th percentile {late:.0f}",
                    "",
                    "200",
                )
            )
    return rows


def small_game() -> list[Row]:
    """Ask about every position of tic-tac-toe, in a process that has answered each before."""
    game = noughts.load("tic-tac-toe")
    states = list(dict.fromkeys(every_state(game, game.initial())))

    def ask_each() -> None:
        for state in states:
            noughts.value(game, state)

    ask_each()
    speed = len(states) / min(time_of(ask_each) for _ in range(5))
    what = f"`noughts.value`, all {len(states):,} positions of tic-tac-toe, asked before: questions a second"
    return [Row(what, "", "", f"{speed:,.0f}", "", "100,000")]


def every_state(game: Any, state: Any) -> Iterator[Any]:
    """Yield every state from one on, some of them several times."""
    yield state
    if not game.terminal(state):
        for action in game.actions(state):
            yield from every_state(game, game.result(state, action))


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
    one, two = warm_engine(threads=1), warm_engine(threads=2)
    runs = [(ask_all(one, "opening"), ask_all(two, "opening")) for _ in range(ROUNDS)]
    alone = min((run for run, _ in runs), key=lambda run: run[2])
    both = min((run for _, run in runs), key=lambda run: run[2])
    return [
        Row(
            "the same opening positions on two threads, wall time",
            "one thread",
            f"{alone[2]:.2f} s, {alone[0] / 1e6:.1f} M nodes",
            f"{both[2]:.2f} s, {both[0] / 1e6:.1f} M nodes",
            f"{alone[2] / both[2]:.2f}",
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
        kernel: NativeSearch[Any, Any] = NativeSearch(game, table_mib=256, threads=1)
        _ = kernel.solver
        cpu = time.process_time()
        answer = kernel.ask(game.initial(), wanted="one")
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
        overhead,
        small_game,
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
