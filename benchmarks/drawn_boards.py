"""How many nodes and seconds of CPU time it takes to prove that boards of lines are drawn, by pairings.

Each proof says that the first player cannot complete a line, and so that the second cannot either. With `--check`, the
strategy is checked by plain Python, which takes longer.
"""

import argparse
import time
from typing import Any

import noughts
from noughts.compiled.breaker_solver import BreakerSolver
from noughts.search.limits import Limits
from noughts.search.pairing import stops_every_line

BOARDS = [
    "mnk:4,4,4",
    "mnk:5,4,4",
    "mnk:5,5,5",
    "mnk:6,5,5",
    "mnk:6,6,5",
    "mnk:7,6,5",
    "mnk:8,6,5",
    "mnk:7,7,5",
    "mnk:5,5,4",
    "mnk:8,4,4",
]
MOST_NODES = 5_000_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("boards", nargs="*", default=BOARDS)
    parser.add_argument("--check", action="store_true", help="check each strategy independently")
    arguments = parser.parse_args()
    print("| board | result | nodes | CPU s | positions checked |\n|---|---|---|---|---|")
    for notation in arguments.boards:
        game: Any = noughts.load(notation)
        lines, turns = ([[cell - 1 for cell in each] for each in some] for some in (game.lines, game._turns))
        solver = BreakerSolver(len(game.cells), lines, turns)
        started = time.process_time()
        holds, stopped = solver.holds(0, 0, Limits(nodes=MOST_NODES))
        seconds, nodes = time.process_time() - started, solver.nodes
        checked = stops_every_line(solver.lines, 0, 0, solver, turns) if holds and arguments.check else ""
        result = "draw" if holds else f"not proven ({stopped})"
        print(f"| {notation} | {result} | {nodes:,} | {seconds:.2f} | {checked} |", flush=True)


if __name__ == "__main__":
    main()
