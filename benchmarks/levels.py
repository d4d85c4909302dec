"""Matches between adjacent levels: each should score at least 55 % against the one below it.

    python benchmarks/levels.py --games 400
    python benchmarks/levels.py --games 100 --only connect-four --level 3

Each level plays half of the games first. Prints the score of the higher level, with a draw as half a point, and the
interval that holds the true score with a probability of 95 %. In tic-tac-toe the true score is computed, too. The same
seed gives the same games.
"""

import argparse
import math
import time
from typing import Any

import noughts
from noughts import MAX, MIN
from noughts.match import play_out
from noughts.players import HIGHEST_LEVEL
from noughts.players.levels import Level
from noughts.search.limits import Limits

GAMES = ("tic-tac-toe", "connect-four", "reversi:6", "mnk:9,9,5")


def scores(game: Any, higher: int, games: int, seed: int) -> list[float]:
    """Return the points of a level in games against the level below."""
    found = []
    for number in range(games):
        own = MAX if number % 2 == 0 else MIN
        seeds = 2 * (seed + number), 2 * (seed + number) + 1
        players: dict[int, Level[Any, Any]] = {
            own: Level(game, higher, seeds[0], Limits()),
            -own: Level(game, higher - 1, seeds[1], Limits()),
        }
        result = play_out(game, players).utility * own
        found.append(0.5 + ((result > 0) - (result < 0)) / 2)
    return found


def interval(points: list[float]) -> tuple[float, float, float]:
    """Return the mean, and the limits that hold the true mean with a probability of about 95 %."""
    mean = sum(points) / len(points)
    variance = sum((each - mean) ** 2 for each in points) / max(1, len(points) - 1)
    half = 1.96 * math.sqrt(variance / len(points))
    return mean, mean - half, mean + half


def exact(game: Any, higher: int) -> float:
    """Return the expected score of a level against the level below, from the chances of every choice."""
    levels: dict[int, Level[Any, Any]] = {number: Level(game, number) for number in (higher, higher - 1)}
    choices: dict[tuple[int, object], list[tuple[object, float]]] = {}

    def expected(first: int, second: int) -> float:
        known: dict[object, float] = {}

        def value(state: object) -> float:
            key = state
            if key not in known:
                if game.terminal(state):
                    known[key] = game.utility(state)
                else:
                    number = first if game.player(state) == MAX else second
                    if (number, state) not in choices:
                        choices[number, state] = levels[number].likely(state)
                    known[key] = math.fsum(
                        chance * value(game.result(state, action)) for action, chance in choices[number, state]
                    )
            return known[key]

        return value(game.initial())

    return 0.5 + (expected(higher, higher - 1) - expected(higher - 1, higher)) / 4


def main() -> None:
    """Play the matches, and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=400, help="games of each pair of levels (default: 400)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first game (default: 0)")
    parser.add_argument("--only", metavar="GAME", help="one game, such as reversi:8")
    parser.add_argument("--level", type=int, metavar="N", help="only level N against the level below")
    args = parser.parse_args()
    pairs = range(2, HIGHEST_LEVEL + 1) if args.level is None else [args.level]
    for notation in [args.only] if args.only else GAMES:
        game = noughts.load(notation)
        print(f"{notation}, {args.games} games of each pair")
        for higher in pairs:
            started = time.perf_counter()
            mean, low, high = interval(scores(game, higher, args.games, args.seed))
            seconds = (time.perf_counter() - started) / args.games
            computed = f"  computed {exact(game, higher):6.1%}" if notation == "tic-tac-toe" else ""
            print(
                f"  level {higher:2} against {higher - 1}: {mean:6.1%}  ({low:.1%} to {high:.1%}){computed}"
                f"  {1000 * seconds:7.1f} ms a game",
                flush=True,
            )


if __name__ == "__main__":
    main()
