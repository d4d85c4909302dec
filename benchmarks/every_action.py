"""How long `analyse` takes to value every action of Connect Four exactly, at each ply, on one core.

    python benchmarks/every_action.py --positions 100 --plies 6-14

Each position is the end of a random game of so many plies. The engine has loaded its kernel and keeps nothing from one
question to the next. A line gives the median, the 99th percentile and the longest of the CPU times of a ply, and the
slowest position.
"""

import argparse
import time
from random import Random
from typing import Any

import noughts


def random_position(game: Any, plies: int, chance: Random) -> tuple[Any, str]:
    """Return an unfinished state after so many random moves, and the moves."""
    while True:
        state, moves = game.initial(), ""
        while len(moves) < plies and not game.terminal(state):
            action = chance.choice(list(game.actions(state)))
            state, moves = game.result(state, action), f"{moves}{action}"
        if not game.terminal(state):
            return state, moves


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=40, help="at each ply (default: 40)")
    parser.add_argument("--plies", default="0-40", help="the first ply and the last (default: 0-40)")
    args = parser.parse_args()
    first, last = map(int, args.plies.split("-"))
    game = noughts.load("connect-four")
    engine = noughts.Engine(game, threads=1)
    engine.prepare()
    engine.value(noughts.replay(game, "44444222"))
    print("ply   median     99 %      most  position")
    for plies in range(first, last + 1):
        chance, spent = Random(plies), list[tuple[float, str]]()
        for _ in range(args.positions):
            state, moves = random_position(game, plies, chance)
            engine.forget()
            started = time.process_time()
            answer = engine.analyse(state)
            spent.append((time.process_time() - started, moves))
            assert answer.proven
            assert all(each.exact for each in answer.actions), moves
        spent.sort()
        at_99 = spent[-(-99 * len(spent) // 100) - 1][0]
        print(
            f"{plies:3} {spent[len(spent) // 2][0]:8.4f} {at_99:8.4f} {spent[-1][0]:9.4f}  {spent[-1][1]}", flush=True
        )


if __name__ == "__main__":
    main()
