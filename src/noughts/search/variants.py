"""The searches that pictures and counts compare: each adds one technique to the one before it.

All but the last use nothing but the game's rules, its keys and its symmetries. The first alpha-beta is the textbook's,
with scores that count distance.
"""

from typing import Any, Literal

from noughts.capabilities import ResolvedGame
from noughts.search.alphabeta import NO_HORIZON, AlphaBeta
from noughts.search.events import Observer
from noughts.search.limits import Budget, OutOfBudget
from noughts.search.minimax import minimax
from noughts.search.recursion_limit import deep_recursion
from noughts.search.table import Table
from noughts.search.traced import TracedAlphaBeta

__all__ = ["VARIANTS", "Variant", "search_variant"]

Variant = Literal["minimax", "alphabeta", "table", "symmetry", "principal", "bounds"]

VARIANTS: dict[Variant, str] = {
    "minimax": "every node",
    "alphabeta": "the textbook's alpha-beta, actions in the game's order",
    "table": "alpha-beta that remembers positions",
    "symmetry": "alpha-beta that remembers positions, symmetric ones as the same",
    "principal": "alpha-beta that asks of later actions only whether they are better (principal variation search)",
    "bounds": "principal variation search that also uses what the game states of its outcome",
}
"""Each search with a description."""


def search_variant(
    game: ResolvedGame[Any, Any],
    state: Any,
    variant: Variant,
    budget: Budget,
    observer: Observer | None = None,
    horizon: int | None = None,
) -> int:
    """Search a state, pass each event to the observer, and return the number of nodes that the budget has counted.

    The search looks to the end of the game, or `horizon` plies ahead. Raises OutOfBudget when the budget is used up, or
    when the observer raises it, and EndlessGame if a position is repeated and there is no horizon.

    >>> import noughts
    >>> from noughts.capabilities import resolve
    >>> game = resolve(noughts.load("tic-tac-toe"))
    >>> three = ("alphabeta", "table", "symmetry")
    >>> {variant: search_variant(game, game.initial(), variant, Budget()) for variant in three}
    {'alphabeta': 20866, 'table': 5481, 'symmetry': 1308}
    """
    if variant == "minimax" or game.terminal(state):  # a finished game is one node, whatever the search
        answer = minimax(game, state, limits=budget.left, observer=observer)
        budget.add(answer.nodes)
        if answer.stopped != "done":
            raise OutOfBudget(answer.stopped)
        return budget.nodes
    parts: dict[str, Any] = {
        "table": None if variant == "alphabeta" else Table(),
        "symmetry": NO_HORIZON if variant in ("symmetry", "principal", "bounds") else 0,
        "principal": variant in ("principal", "bounds"),
        "killers": False,
        "history": False,
        "hints": variant == "bounds",
        "endless": horizon is not None,
    }
    alpha_beta: AlphaBeta[Any, Any]
    if observer is None:
        alpha_beta = AlphaBeta(game, budget, **parts)
    else:
        alpha_beta = TracedAlphaBeta(game, budget, observer, **parts)
    with deep_recursion():
        infinite = alpha_beta.infinite
        alpha_beta.search(state, game.to_move(state), -infinite, infinite, horizon or NO_HORIZON, 0)
    return budget.nodes
