"""Compares estimates of `noughts solve --estimate` with known numbers of positions: python benchmarks/estimates.py

With names, only those games: python benchmarks/estimates.py connect:5x5 connect-four
"""

import sys

import noughts
from noughts.capabilities import resolve
from noughts.cli.estimate import large
from noughts.solving.size import Effort, size_of

KNOWN = {
    "tic-tac-toe": 5_478,
    "connect:4x4": 161_029,
    "connect:5x4": 3_945_711,
    "connect:5x5": 69_763_700,
    "connect:6x4": 94_910_577,
    "connect:5x6": 1_044_334_437,
    "connect:7x4": 2_265_792_710,
    "connect:6x5": 2_818_972_642,
    "connect:6x6": 69_173_028_785,
    "connect-four": 4_531_985_219_092,
}
"""Positions of Connect Four boards: Tromp, confirmed by Bock 2025; OEIS A212693."""

SECONDS = 30.0


def main() -> None:
    """Print a line for each game: the known number, the estimate, its interval, and whether it holds the number."""
    print("| game | known | estimate | 95 % interval | estimate / known | within |\n|---|---|---|---|---|---|")
    for name in sys.argv[1:] or KNOWN:
        found = size_of(resolve(noughts.load(name)), Effort(seconds=SECONDS)).positions
        assert found is not None
        known = KNOWN[name]
        if found.likely is None or found.high is None:
            print(f"| {name} | {large(known)} | | | | |", flush=True)
            continue
        within = "yes" if found.low <= known <= found.high else "no"
        interval = "counted" if found.low == found.high else f"{large(found.low)} to {large(found.high)}"
        ratio = f"{found.likely / known:.2f}"
        print(f"| {name} | {large(known)} | {large(found.likely)} | {interval} | {ratio} | {within} |", flush=True)


if __name__ == "__main__":
    main()
