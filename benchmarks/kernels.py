"""Nodes a second of each game's kernel, beside interpreted search of the same position, and beside OpenSpiel.

    python benchmarks/kernels.py [.venv/peers/bin/python]

One thread and CPU time on both sides, in one run, so the ratio is what counts. A kernel is compiled before it is timed.
"""

import json
import subprocess
import sys
import time
from random import Random
from typing import Any

import noughts
from noughts.capabilities import resolve
from noughts.search.answer import Answer
from noughts.sources.native import native_search

NODES, INTERPRETED_NODES = 1_000_000, 10_000
"""How many nodes are searched: at native speed, and interpreted."""

GAMES = [
    ("reversi:8", 20),
    ("reversi:6", 8),
    ("ultimate", 12),
    ("cube:4", 8),
    ("mnk:7,7,5", 6),
    ("nim:5,7,9,11", 2),
    ("notakto:3", 2),
]
"""The games, and after how many random plies they are searched."""

OTHELLO_DEPTH = 9

ENDINGS = [("reversi:8", 18), ("reversi:6", 20)]
"""Games of reversi, and how many squares are empty when they are searched to the end."""

SOLVED = 5
"""How many positions of each."""


def position(game: Any, plies: int) -> Any:
    """Return a state after some random plies that is not over."""
    random, state = Random(1), game.initial()
    for _ in range(plies):
        state = game.result(state, random.choice(game.legal_actions(state)))
    assert not game.terminal(state)
    return state


def speed(search: Any) -> tuple[float, Answer[Any]]:
    """Return the nodes a second of a search, and its answer."""
    started = time.process_time()
    answer = search()
    return answer.nodes / (time.process_time() - started), answer


def depth_of(answer: Answer[Any]) -> str:
    return "proven" if answer.proven else str(answer.depth)


def ending(game: Any, empty: int, seed: int) -> Any:
    """Return a state of a random game in which so many squares are empty."""
    random = Random(seed)
    while True:
        state = game.initial()
        while not game.terminal(state) and (state.black | state.white).bit_count() < len(game.game.squares) - empty:
            state = game.result(state, random.choice(game.legal_actions(state)))
        if not game.terminal(state):
            return state


def endings() -> None:
    """Print what it takes to prove margin, distance and a best action near the end of reversi, on one thread."""
    for notation, empty in ENDINGS:
        game = resolve(noughts.load(notation))
        native = native_search(game, threads=1)
        native.load(noughts.Limits())
        seconds, nodes = [], 0
        for seed in range(SOLVED):
            native.forget()
            started = time.process_time()
            answer = native.ask(ending(game, empty, seed), wanted="one")
            seconds.append(time.process_time() - started)
            assert answer.proven
            nodes += answer.nodes
        print(
            f"{notation}, {empty} empty squares, {SOLVED} positions proven: {sum(seconds) / SOLVED:.2f} s each,"
            f" {max(seconds):.2f} s at most, {nodes // SOLVED:,} nodes each",
            flush=True,
        )


def main() -> None:
    print("| game | kernel, nodes/s | depth | interpreted, nodes/s | depth | ratio |")
    print("|---|---|---|---|---|---|")
    reversi = 0.0
    for notation, plies in GAMES:
        game = resolve(noughts.load(notation))
        native, state = native_search(game, threads=1), position(game, plies)
        native.load(noughts.Limits())
        fast, answer = speed(lambda: native.ask(state, noughts.Limits(nodes=NODES), "one"))  # noqa: B023 - called here
        slow, guess = speed(
            lambda: noughts.deepening(game, state, limits=noughts.Limits(nodes=INTERPRETED_NODES), wanted="one")  # noqa: B023
        )
        reversi = reversi or fast
        print(
            f"| {notation} | {fast:,.0f} | {depth_of(answer)} | {slow:,.0f} | {depth_of(guess)} | {fast / slow:,.0f} |",
            flush=True,
        )
    endings()
    if len(sys.argv) > 1:
        command = [sys.argv[1], "benchmarks/peers/openspiel_alphabeta.py", "othello", str(OTHELLO_DEPTH)]
        theirs = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        rate = theirs["nodes_per_second"]
        print(
            f"{theirs['peer']} ({theirs['version']}): {rate:,.0f} nodes/s;"
            f" the kernel of reversi:8 has {reversi / rate:,.0f} times as many"
        )


if __name__ == "__main__":
    main()
