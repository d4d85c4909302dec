"""Matches of the perfect player, with paired openings: each is played twice, and the players change seats.

    python benchmarks/matches.py --games 10
    python benchmarks/matches.py --games 2 --only ultimate --against mcts --peer .venv/peers/bin/python

The opponents are OpenSpiel's MCTS bot, if `--peer` names a Python that has OpenSpiel, and a greedy player that looks
one ply ahead. Prints each game and the points: 1 for a win, a half for a draw. `noughts` plays as the perfect player
does in the terminal: it asks the game's engine. With `--nodes`, its moves do not depend on how busy the machine is.
"""

import argparse
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Protocol

import noughts
from noughts.capabilities import ResolvedGame, resolve
from noughts.players.textbook import Textbook

PEER_PYTHON = ".venv/peers/bin/python"


class Match(NamedTuple):
    """A game to be played, and its openings; how OpenSpiel has it, if it does."""

    opening: int
    """How many random plies an opening has."""
    name: str = ""
    to_theirs: Callable[[Any, Any, Any], list[int]] = lambda _, __, action: [action - 1]
    """The moves of OpenSpiel that make an action in a state, to which another action has led (None at the start)."""
    to_ours: Callable[[Any, Any, list[int]], Any] = lambda _, __, moves: moves[0] + 1
    """The action that moves of OpenSpiel make in a state, to which another action has led."""
    central: int = 0
    """Openings take one of this many cells that are preferred; 0 for any action."""


def _field(state: Any, before: int | None) -> int:
    """Return the field to which the last action sends the player, or 0 if he may choose, be there only one left."""
    field = (before or 0) % 10
    return field if field and state.playable >> field - 1 & 1 else 0


MATCHES = {
    "reversi:8": Match(
        6,
        "othello",
        lambda _, __, action: [action - 1 if action else 64],
        lambda _, __, moves: moves[0] + 1 if moves[0] < 64 else 0,
    ),
    "ultimate": Match(
        4,
        "ultimate_tic_tac_toe",
        lambda state, before, action: [*([] if _field(state, before) else [action // 10 - 1]), action % 10 - 1],
        lambda state, before, moves: 10 * (_field(state, before) or moves[0] + 1) + moves[-1] + 1,
    ),
    "connect-four": Match(2, "connect_four"),
    "mnk:15,15,5": Match(2, "mnk(m=15,n=15,k=5)", central=25),
    "mnk:19,19,5": Match(2, central=25),
    "mnk:9,9,5": Match(2, "mnk(m=9,n=9,k=5)", central=25),
}


class Opponent(Protocol):
    """Another player of one game."""

    def choose(self, state: Any, actions: list[Any]) -> Any:
        """Return an action in a state, which the actions so far have led to."""

    def close(self) -> None:
        """End the game."""


class Bot:
    """OpenSpiel's MCTS bot, in a process of its own."""

    def __init__(self, game: ResolvedGame[Any, Any], match: Match, seed: int, python: str, simulations: int) -> None:
        self._game, self._match = game, match
        command = [python, "benchmarks/peers/openspiel_player.py", match.name, str(simulations), str(seed)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def choose(self, state: Any, actions: list[Any]) -> Any:
        """Return the bot's action."""
        process, moves, reached, before = self._process, list[int](), self._game.initial(), None
        assert process.stdin is not None
        assert process.stdout is not None
        for action in actions:
            moves += self._match.to_theirs(reached, before, action)
            reached, before = self._game.result(reached, action), action
        print(*moves, file=process.stdin, flush=True)
        return self._match.to_ours(state, before, [int(word) for word in process.stdout.readline().split()])

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


class Greedy:
    """Looks one ply ahead: takes the cell with the most valuable lines, or what the game's heuristic likes best."""

    def __init__(self, game: ResolvedGame[Any, Any], seed: int) -> None:
        self._game, self._random = game, Random(seed)

    def choose(self, state: Any, _: list[Any]) -> Any:
        """Return an action; a random one of equals."""
        lineup = None if self._game.lineup is None else self._game.lineup(state)
        values = self._by_lines(state, lineup) if lineup is not None and lineup.is_free else self._by_heuristic(state)
        most = max(values.values())
        return self._random.choice([action for action, value in values.items() if value == most])

    def _by_lines(self, state: Any, lineup: Any) -> dict[Any, float]:
        mover = self._game.to_move(state)
        values = dict.fromkeys(lineup.cells.values(), 0.0)
        for line in lineup.lines:
            mine, theirs = (sum(cell in lineup.held[player] for cell in line) for player in (mover, -mover))
            worth = (0 if theirs else 11 * 10**mine) + (0 if mine else 10 * 10**theirs)
            for cell in line:
                if cell in values:
                    values[cell] += worth
        return {action: values[cell] for action, cell in lineup.cells.items()}

    def _by_heuristic(self, state: Any) -> dict[Any, float]:
        game, mover, values = self._game, self._game.to_move(state), dict[Any, float]()
        for action in game.legal_actions(state):
            after = game.result(state, action)
            guess = 0 if game.heuristic is None else game.heuristic(after)
            values[action] = mover * (1e9 * game.utility(after) if game.terminal(after) else guess)
        return values

    def close(self) -> None:
        """Do nothing."""


def played(
    game: ResolvedGame[Any, Any], opening: list[Any], ours: int, opponent: Opponent, limits: noughts.Limits
) -> tuple[int, list[Any], float]:
    """Play a game in which noughts is `ours`; return its utility for noughts, the actions, and our longest think."""
    player: Textbook[Any, Any] = Textbook(noughts.Engine(game.game), limits=limits)
    state, actions, longest = game.initial(), list[Any](), 0.0
    while not game.terminal(state):
        if len(actions) < len(opening):
            action = opening[len(actions)]
        elif game.to_move(state) == ours:
            started = time.perf_counter()
            action = player.choose(state)
            longest = max(longest, time.perf_counter() - started)
        else:
            action = opponent.choose(state, actions)
        actions.append(action)
        state = game.result(state, action)
    return ours * game.utility(state), actions, longest


def random_opening(game: ResolvedGame[Any, Any], match: Match, seed: int) -> list[Any]:
    """Return the actions of a random opening."""
    random, state, actions = Random(seed), game.initial(), list[Any]()
    for _ in range(match.opening):
        legal = game.legal_actions(state)
        middle = [action for action in game.preferred if action in legal][: match.central]
        actions.append(random.choice(middle or legal))
        state = game.result(state, actions[-1])
    return actions


def play_match(notation: str, against: str, args: argparse.Namespace) -> None:
    """Play all games of a match, and print each of them and the points."""
    game, match = resolve(noughts.load(notation)), MATCHES[notation]
    limits = noughts.Limits(nodes=args.nodes) if args.nodes else noughts.Limits(seconds=args.seconds)
    noughts.Engine(game.game).prepare()  # compile the kernel before the first game
    points = {noughts.MAX: 0.0, noughts.MIN: 0.0}
    for number in range(args.games):
        seed, ours = args.first + number // 2, noughts.MIN if number % 2 else noughts.MAX
        opening = random_opening(game, match, seed)
        opponent = Greedy(game, seed) if against == "greedy" else Bot(game, match, seed, args.peer, args.simulations)
        utility, actions, longest = played(game, opening, ours, opponent, limits)
        opponent.close()
        points[ours] += 1.0 if utility > 0 else 0.5 if utility == 0 else 0.0
        seat = "first" if ours == noughts.MAX else "second"
        moves = f": {' '.join(map(game.action_name, actions))}" if utility < 0 else ""
        print(
            f"{notation} against {against}, opening {seed}, {seat}: {utility:+} after {len(actions)} plies, "
            f"longest think {longest:.1f} s{moves}",
            flush=True,
        )
    total = sum(points.values())
    print(
        f"{notation} against {against}: {total:g} of {args.games} points, {100 * total / args.games:.0f} %"
        f" ({points[noughts.MAX]:g} as the first player, {points[noughts.MIN]:g} as the second)",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=4, help="how many games of each match, half of them in each seat")
    parser.add_argument("--only", action="append", choices=MATCHES, help="play this game only; may be repeated")
    parser.add_argument("--against", choices=["mcts", "greedy"], help="play against this opponent only")
    parser.add_argument("--first", type=int, default=0, help="the number of the first opening")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each of our moves")
    parser.add_argument("--nodes", type=int, help="nodes for each of our moves, instead of seconds")
    parser.add_argument("--simulations", type=int, default=10_000, help="for each of the bot's moves")
    parser.add_argument("--peer", default=PEER_PYTHON, help=f"the Python that has OpenSpiel (default: {PEER_PYTHON})")
    args = parser.parse_args()
    opponents = [args.against] if args.against else ["mcts", "greedy"]
    if "mcts" in opponents and not Path(args.peer).exists():
        print(f"no match against mcts: there is no {args.peer}")
        opponents.remove("mcts")
    for notation in args.only or MATCHES:
        for against in opponents:
            if against == "greedy" or MATCHES[notation].name:
                play_match(notation, against, args)


if __name__ == "__main__":
    main()
