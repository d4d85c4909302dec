"""Openings: positions some random moves deep, from which both games of a pair begin."""

from functools import partial
from random import Random
from statistics import median_low
from typing import Any

from noughts.capabilities import ResolvedGame
from noughts.errors import NoughtsError, counted

__all__ = ["opening", "usual_depth"]

MOST_DEPTH = 8
"""Usual openings are no longer than this."""

SHARE = 8
"""A usual opening has one move for so many moves of a random game, and at least one."""

SAMPLES = 25
"""How many random games are played to find out how long games are."""

MOST_MOVES = 1_000
"""A random game is left after so many moves."""

TRIES = 1_000
"""How many random games may end within the opening until it is given up."""


def usual_depth(game: ResolvedGame[Any, Any]) -> int:
    """Return how many moves an opening usually has: an eighth of a random game, at least one and at most eight.

    >>> import noughts
    >>> from noughts.capabilities import resolve
    >>> [usual_depth(resolve(noughts.load(name))) for name in ("tic-tac-toe", "connect-four", "reversi:8")]
    [1, 2, 7]
    """
    lengths = sorted(map(partial(_random_length, game), range(SAMPLES)))
    if lengths[0] < 2:
        return 0
    return max(1, min(median_low(lengths) // SHARE, MOST_DEPTH, lengths[0] - 1))


def _random_length(game: ResolvedGame[Any, Any], seed: int) -> int:
    """Return how many moves a random game has."""
    random, state = Random(seed), game.initial()
    for number in range(MOST_MOVES):
        if game.terminal(state):
            return number
        state = game.result(state, random.choice(game.legal_actions(state)))
    return MOST_MOVES


def opening(game: ResolvedGame[Any, Any], moves: int, random: Random) -> tuple[Any, ...]:
    """Return the actions of an opening with so many moves: each of them is equally likely among the legal ones.

    If the game is over within the opening, it is drawn again from the start. Raises NoughtsError if that goes on.
    """
    for _ in range(TRIES):
        state = game.initial()
        played: list[Any] = []
        while len(played) < moves and not game.terminal(state):
            played.append(random.choice(game.legal_actions(state)))
            state = game.result(state, played[-1])
        if not game.terminal(state):
            return tuple(played)
    raise too_short(moves)


def too_short(moves: int) -> NoughtsError:
    """Return the error for a game that ends within each opening."""
    if not moves:
        return NoughtsError("the game is over at its start, so nothing can be played")
    return NoughtsError(f"the game is over within an opening of {counted(moves, 'random move')}; choose a shorter one")
