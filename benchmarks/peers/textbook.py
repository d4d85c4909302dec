"""Textbook plain minimax in C++: all of tic-tac-toe from the empty board, compiled here by `g++ -O2`.

A node is a call of `minimax`, the root included. The figure is the fastest of many rounds, each the whole tree.
The compiler is `$CXX` if that is set.
"""

import json
import os
import subprocess
import tempfile
from pathlib import Path

from report import FULL_TREE, Timing, report, rounds_wanted

SOURCE = Path(__file__).with_suffix(".cpp")
FLAGS = ["-O2", "-std=c++17"]


def main() -> None:
    rounds = rounds_wanted(__doc__, default=50)
    compiler = os.environ.get("CXX", "g++")
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder, "textbook"))
        subprocess.run([compiler, *FLAGS, str(SOURCE), "-o", program], check=True)
        output = subprocess.run([program, str(rounds)], check=True, capture_output=True, text=True).stdout
    version = subprocess.run([compiler, "--version"], check=True, capture_output=True, text=True).stdout
    figures = json.loads(output)
    assert figures["nodes"] == FULL_TREE, f"{figures['nodes']} nodes, not {FULL_TREE}"
    assert figures["value"] == 0, f"tic-tac-toe is a draw, not {figures['value']}"
    timing = Timing(figures["cpu_seconds"], figures["wall_seconds"])
    report(
        "textbook C++ minimax",
        version.splitlines()[0],
        figures["nodes"],
        timing,
        value=figures["value"],
        rounds=rounds,
        milliseconds=timing.cpu * 1000,
        flags=" ".join(FLAGS),
    )


if __name__ == "__main__":
    main()
