"""Games of the perfect player on small boards whose value is a draw, against itself and against a random player.

    python benchmarks/games_per_second.py --games 100000

Prints how many it won, drew and lost, and how many games were played in a second. It must not lose any.
"""

import argparse
import time
from typing import Any

import noughts
from noughts import MAX, MIN
from noughts.match import play_out
from noughts.players import Player, computer

BOARDS = ("tic-tac-toe", "misere", "mnk:4,2,3", "connect:3x4,3")


def main() -> None:
    """Play the games, and print a line for each board and opponent."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100_000, help="games of each pair (default: 100,000)")
    games = parser.parse_args().games
    for board in BOARDS:
        game = noughts.load(board)
        perfect: Player[Any, Any] = computer("perfect", game, 1)
        for opponent in ("perfect", "random"):
            other = computer(opponent, game, 2)
            record, started = [0, 0, 0], time.perf_counter()
            for number in range(games):
                seat = MAX if number % 2 else MIN
                record[1 - seat * play_out(game, {seat: perfect, -seat: other}).utility] += 1
            won, drawn, lost = record
            per_second = games / (time.perf_counter() - started)
            results = f"{won:,} won, {drawn:,} drawn, {lost:,} lost"
            print(f"{board:14} against {opponent:8} {results}; {per_second:,.0f} games/s", flush=True)


if __name__ == "__main__":
    main()
