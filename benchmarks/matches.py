"""Matches against OpenSpiel's MCTS bot, with paired openings: each is played twice, and the players change seats.

    python benchmarks/matches.py .venv/peers/bin/python --pairs 2 --seconds 1 reversi:8 ultimate

Prints each game and the share of points: 1 for a win, a half for a draw. `noughts` plays as the perfect player does in
the terminal: it asks the game's engine.
"""

import argparse
import subprocess
import time
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

import noughts
from noughts.capabilities import resolve
from noughts.players.perfect import Perfect


class Peer(NamedTuple):
    """A game of noughts as OpenSpiel has it."""

    name: str
    to_theirs: Callable[[Any, Any], list[int]]
    """The moves of OpenSpiel that make an action in a state."""
    to_ours: Callable[[Any, list[int]], Any]
    """The action that moves of OpenSpiel make in a state."""
    opening: int
    """How many random plies an opening has."""


def _field(state: Any) -> int:
    """Return the one field that may be played in, or 0 if there are several."""
    return state.playable.bit_length() if state.playable.bit_count() == 1 else 0


PEERS = {
    "reversi:8": Peer(
        "othello",
        lambda _, action: [action - 1 if action else 64],
        lambda _, moves: moves[0] + 1 if moves[0] < 64 else 0,
        6,
    ),
    "ultimate": Peer(
        "ultimate_tic_tac_toe",
        lambda state, action: [action % 10 - 1] if _field(state) else [action // 10 - 1, action % 10 - 1],
        lambda state, moves: 10 * (_field(state) or moves[0] + 1) + moves[-1] + 1,
        4,
    ),
    "mnk:15,15,5": Peer("mnk(m=15,n=15,k=5)", lambda _, action: [action - 1], lambda _, moves: moves[0] + 1, 2),
}


class Bot:
    """The other program, in a process of its own."""

    def __init__(self, python: str, game: str, simulations: int, seed: int) -> None:
        command = [python, "benchmarks/peers/openspiel_player.py", game, str(simulations), str(seed)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def choose(self, moves: list[int]) -> list[int]:
        """Return the bot's moves after those of the game so far."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        print(*moves, file=process.stdin, flush=True)
        return [int(word) for word in process.stdout.readline().split()]

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def played(notation: str, opening: list[Any], ours: int, bot: Bot, limits: noughts.Limits) -> tuple[int, int, float]:
    """Play a game in which noughts is `ours`; return its utility for noughts, the plies, and our longest think."""
    game, peer = resolve(noughts.load(notation)), PEERS[notation]
    player: Perfect[Any, Any] = Perfect(noughts.Engine(game.game), limits=limits)
    state, moves, plies, longest = game.initial(), list[int](), 0, 0.0
    while not game.terminal(state):
        if plies < len(opening):
            action = opening[plies]
        elif game.player(state) == ours:
            started = time.perf_counter()
            action = player.choose(state)
            longest = max(longest, time.perf_counter() - started)
        else:
            action = peer.to_ours(state, bot.choose(moves))
        moves += peer.to_theirs(state, action)
        state = game.result(state, action)
        plies += 1
    return ours * game.utility(state), plies, longest


def random_opening(notation: str, seed: int) -> list[Any]:
    """Return the actions of a random opening."""
    game, random = resolve(noughts.load(notation)), Random(seed)
    state, actions = game.initial(), []
    for _ in range(PEERS[notation].opening):
        actions.append(random.choice(game.legal_actions(state)))
        state = game.result(state, actions[-1])
    return actions


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("python", help="the Python that has OpenSpiel")
    parser.add_argument("games", nargs="+", choices=PEERS)
    parser.add_argument("--pairs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=1.0, help="for each of our moves")
    parser.add_argument("--simulations", type=int, default=10_000, help="for each of the bot's moves")
    args = parser.parse_args()
    for notation in args.games:
        noughts.Engine(noughts.load(notation)).prepare()  # compile the kernel before the first game
        points, games = 0.0, 0
        for pair in range(args.pairs):
            opening = random_opening(notation, pair)
            for ours in (noughts.MAX, noughts.MIN):
                bot = Bot(args.python, PEERS[notation].name, args.simulations, pair)
                utility, plies, longest = played(notation, opening, ours, bot, noughts.Limits(seconds=args.seconds))
                bot.close()
                games += 1
                points += 1.0 if utility > 0 else 0.5 if utility == 0 else 0.0
                seat = "first" if ours == noughts.MAX else "second"
                print(
                    f"{notation}, opening {pair}, {seat}: {utility:+} after {plies} plies, {longest:.1f} s", flush=True
                )
        print(f"{notation}: {points:g} of {games} points, {100 * points / games:.0f} %", flush=True)


if __name__ == "__main__":
    main()
