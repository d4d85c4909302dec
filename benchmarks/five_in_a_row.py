"""The strength of the perfect player at five in a row, in games against a greedy player, in both seats.

The greedy player looks one ply ahead: it takes the cell with the most valuable open lines, its own and the other's.
Each opening of two random stones near the centre is played twice, once from each seat.
"""

import argparse
import random
import time
from typing import Any

import noughts
from noughts.players.perfect import Perfect
from noughts.search.limits import Limits


def greedy(game: Any, state: Any, chance: random.Random) -> Any:
    """Return the cell with the most valuable open lines; a random one of equals."""
    lineup, mover = game.lineup(state), game.player(state)
    values = dict.fromkeys(lineup.cells.values(), 0.0)
    for line in lineup.lines:
        mine, theirs = (sum(cell in lineup.held[player] for cell in line) for player in (mover, -mover))
        worth = (0 if theirs else 11 * 10**mine) + (0 if mine else 10 * 10**theirs)
        for cell in line:
            if cell in values:
                values[cell] += worth
    most = max(values.values())
    return chance.choice([action for action, cell in lineup.cells.items() if values[cell] == most])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="mnk:15,15,5")
    parser.add_argument("--pairs", type=int, default=5, help="how many openings")
    parser.add_argument("--seconds", type=float, default=1.0, help="seconds a move")
    arguments = parser.parse_args()
    game: Any = noughts.load(arguments.game)
    player: Any = Perfect(game, limits=Limits(seconds=arguments.seconds))
    points, slowest = 0.0, 0.0
    for number in range(2 * arguments.pairs):
        chance = random.Random(number // 2)
        start = game.initial()
        for _ in range(2):
            middle = [cell for cell in game.preferred if cell in game.actions(start)][:25]
            start = game.result(start, chance.choice(middle))
        state, seat = start, 1 if number % 2 == 0 else -1
        while not game.terminal(state):
            if game.player(state) == seat:
                began = time.perf_counter()
                action = player.choose(state)
                slowest = max(slowest, time.perf_counter() - began)
            else:
                action = greedy(game, state, chance)
            state = game.result(state, action)
        points += (game.utility(state) * seat + 1) / 2
    print(f"{arguments.game}: {points:g} of {2 * arguments.pairs} points; slowest move {slowest:.2f} s")


if __name__ == "__main__":
    main()
