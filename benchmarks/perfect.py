"""The perfect player at Connect Four in matches against five opponents, with every one of its moves judged by BitBully.

    PYTHONPATH=. python benchmarks/perfect.py --games 20 --think 1

Each opponent is played from both seats. A line says how many games were won, drawn and lost, how many of the perfect
player's moves gave up a value or a distance, and the longest that it thought about one. The exit code is 1 if it made
a mistake, did not win as first player, or lost a game that was not lost before.
"""

import argparse
import sys
import time
from random import Random

from tests.connect_four.judge import OPPONENTS, Judge, Moves, Opponent, judged_game

import noughts
from noughts.players import computer


def timed_player(think: float, spent: list[float]) -> Opponent:
    """Return noughts' perfect player, and note how long it thinks about each move."""
    game = noughts.load("connect-four")
    engine = noughts.Engine(game)
    engine.prepare()
    player = computer("perfect", engine, limits=noughts.Limits(seconds=think or None))

    def choose(moves: Moves) -> int:
        state = noughts.replay(game, " ".join(map(str, moves)))
        started = time.perf_counter()
        column: int = player.choose(state)
        spent.append(time.perf_counter() - started)
        return column

    return choose


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=4, help="against each opponent from each seat (default: 4)")
    parser.add_argument("--think", type=float, default=1.0, help="seconds for a move; 0: no limit (default: 1)")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    judge, failed = Judge(), False
    for name, make in OPPONENTS.items():
        for begins in (True, False):
            spent: list[float] = []
            player = timed_player(args.think, spent)
            results = {1: 0, 0: 0, -1: 0}
            mistakes = []
            for number in range(args.games):
                record = judged_game(player, make(Random(args.seed + number), judge), judge, begins=begins)
                results[record.result] += 1
                mistakes += record.mistakes
                failed |= bool(record.faults)
            print(
                f"{'first' if begins else 'second':6} against {name:12} won {results[1]:3}, drawn {results[0]:3}, "
                f"lost {results[-1]:3}; {len(mistakes)} mistakes in {len(spent)} moves; at most {max(spent):.2f} s",
                flush=True,
            )
            for mistake in mistakes:
                print(f"    {mistake}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
