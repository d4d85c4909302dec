"""Connect Four positions solved exactly by BitBully's `mtdf`, a solver in C++.

Each line of the file is the moves so far, as columns 1 to 7, and the score to expect; a line that begins with `#` is
a comment. A score is 22 less the number of stones the winner will have placed, in the view of the player to move:
positive for a win, negative for a loss, 0 for a draw. BitBully's own scores are the same, so they are compared as
they are, and the first difference ends the run.

No opening book is loaded and the transposition table is emptied before each position. Emptying takes BitBully longer
than solving most positions, so it is left out of `cpu_seconds` and stands in `reset_cpu_seconds`. A node is what
BitBully's own counter counts: a call of its `negamax`. The size of its table cannot be asked for: `table_bytes` is by
how much the process grew when the solver was made. In version 0.0.79 that is 2^22 entries of 24 bytes.
"""

import argparse
import resource
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import bitbully.bitbully_core as core  # type: ignore[import-not-found,import-untyped,unused-ignore]
from report import Timing, report, timed

EMPTY_SCORE = 1  # the first player wins with the 21st stone of his own


class Position(NamedTuple):
    """The columns played so far, counted from 1, and the score that must come out."""

    moves: str
    score: int


def read_positions(path: Path) -> list[Position]:
    """Return the positions of a file."""
    lines = [line.split() for line in path.read_text().splitlines() if line and not line.startswith("#")]
    return [Position(moves, int(score)) for moves, score in lines]


def board_after(moves: str) -> Any:
    """Return BitBully's board after the moves."""
    board = core.BoardCore()
    if moves and not board.play([int(column) - 1 for column in moves]):
        raise ValueError(f"{moves} is not a legal sequence of columns")
    return board


def memory() -> int:
    """Return the most bytes that the process has held so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


class Solver:
    """BitBully without a book, and what it has spent so far."""

    def __init__(self) -> None:
        before = memory()
        self.core = core.BitBullyCore()
        self.table_bytes = memory() - before
        self.nodes = 0
        self.searching = Timing(0.0, 0.0)
        self.resetting = Timing(0.0, 0.0)

    def solve(self, moves: str) -> int:
        """Return the score of a position, found with an empty table."""
        board = board_after(moves)
        _, spent = timed(self.core.resetTranspositionTable)
        self.resetting = Timing(self.resetting.cpu + spent.cpu, self.resetting.wall + spent.wall)
        self.core.resetNodeCounter()
        score, spent = timed(lambda: int(self.core.mtdf(board, first_guess=0)))
        self.searching = Timing(self.searching.cpu + spent.cpu, self.searching.wall + spent.wall)
        self.nodes += self.core.getNodeCounter()
        return score


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("file", nargs="?", type=Path, help="positions and their scores")
    what.add_argument("--empty", action="store_true", help="solve the empty board instead; this takes minutes")
    wanted = parser.parse_args()
    try:
        positions = [Position("", EMPTY_SCORE)] if wanted.empty else read_positions(wanted.file)
    except (OSError, ValueError) as error:
        parser.error(f"cannot read positions from {wanted.file}: {error}")
    solver = Solver()
    for moves, expected in positions:
        score = solver.solve(moves)
        if score != expected:
            sys.exit(f"BitBully scores {moves or 'the empty board'} as {score}, not {expected}")
    report(
        "BitBully mtdf",
        version("bitbully"),
        solver.nodes,
        solver.searching,
        positions=len(positions),
        reset_cpu_seconds=solver.resetting.cpu,
        table_bytes=solver.table_bytes,
    )


if __name__ == "__main__":
    main()
