"""Positions to ask kernels about, built by playing moves, and the scores that kernels should give."""

from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import noughts
from noughts.compiled.rules import Position
from noughts.compiled.solver import Solver
from noughts.game import Game
from noughts.search.answer import Answer
from noughts.search.memo import Memo
from noughts.sources.kernel import NativeSearch
from tests.helpers import every_state

LISTS = Path(__file__).parents[2] / "benchmarks" / "positions"


@cache
def native(notation: str, threads: int = 1) -> NativeSearch[Any, Any]:
    """Return the search by a game's kernel; one for the whole run, so that its table fills up."""
    return NativeSearch(noughts.load(notation), threads=threads)


@cache
def solved(notation: str) -> tuple[Memo[Any, Any], list[Any]]:
    """Return a memo for a small game, and all its positions."""
    game = noughts.load(notation)
    return Memo(game), every_state(game)


def kernel_score(kernel: NativeSearch[Any, Any], state: Any, truth: Answer[Any]) -> int:
    """Return the score that a kernel should give to an unfinished state, from its true answer."""
    sign = {"win": 1, "draw": 0, "loss": -1}[truth.value]
    if truth.distance is None:
        return 0
    return sign * (kernel.rules.longest + 1 - kernel.rules.plies(kernel.pack(state)) - truth.distance)


def exact(solver: Solver, position: Position) -> int:
    """Return the score of a position, proven by a search without limits."""
    found = solver.solve(position)
    assert (found.stopped, found.low) == ("done", found.high)
    return found.low


def random_states(game: Game[Any, Any], number: int, seed: int, least: int, most: int) -> list[Any]:
    """Return states that random play reaches after `least` to `most` plies, none of them finished."""
    random = Random(seed)
    found: list[Any] = []
    while len(found) < number:
        state = game.initial()
        for _ in range(random.randint(least, most)):
            if game.terminal(state):
                break
            state = game.result(state, random.choice(list(game.actions(state))))
        if not game.terminal(state):
            found.append(state)
    return found


def listed(name: str) -> list[tuple[str, int]]:
    """Return the lines of a list of Connect Four positions: the moves, and the score that BitBully gives."""
    lines = (LISTS / name).read_text(encoding="utf-8").splitlines()
    return [(moves, int(score)) for moves, score in (line.split() for line in lines if not line.startswith("#"))]


def in_stones(score: int) -> int:
    """Return a kernel's score of Connect Four as 22 less the stones that the winner will have placed."""
    return (score + 1) // 2 if score >= 0 else -((1 - score) // 2)
