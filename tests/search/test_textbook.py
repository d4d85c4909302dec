"""The textbook's alpha-beta is the textbook's: written out here a second time, it visits the same nodes."""

from collections.abc import Callable
from typing import Any

import pytest

import noughts
from noughts.capabilities import resolve
from noughts.search.limits import Budget
from noughts.search.variants import Variant, search_variant
from noughts.statistics.counts import search_counts

WITH_DISTANCE = 20_866
"""Nodes of tic-tac-toe where a win scores 10 less its depth."""

WITHOUT_DISTANCE = 18_297
"""The same where every win scores 1."""


def textbook(game: Any, score: Callable[[int, int], int]) -> int:
    """Return how many nodes alpha-beta visits from the start: max-value and min-value, as books print them."""
    nodes = 0

    def max_value(state: Any, alpha: float, beta: float, depth: int) -> float:
        nonlocal nodes
        nodes += 1
        if game.terminal(state):
            return score(game.utility(state), depth)
        value = float("-inf")
        for action in game.actions(state):
            value = max(value, min_value(game.result(state, action), alpha, beta, depth + 1))
            if value >= beta:
                return value
            alpha = max(alpha, value)
        return value

    def min_value(state: Any, alpha: float, beta: float, depth: int) -> float:
        nonlocal nodes
        nodes += 1
        if game.terminal(state):
            return score(game.utility(state), depth)
        value = float("inf")
        for action in game.actions(state):
            value = min(value, max_value(game.result(state, action), alpha, beta, depth + 1))
            if value <= alpha:
                return value
            beta = min(beta, value)
        return value

    max_value(game.initial(), float("-inf"), float("inf"), 0)
    return nodes


def with_distance(game: Any) -> Callable[[int, int], int]:
    return lambda utility, depth: utility * (resolve(game).scale.longest + 1 - depth)


def test_the_textbooks_count_of_tic_tac_toe() -> None:
    game = noughts.load("tic-tac-toe")
    assert textbook(game, lambda utility, _: utility) == WITHOUT_DISTANCE
    assert textbook(game, with_distance(game)) == WITH_DISTANCE


@pytest.mark.parametrize("notation", ["tic-tac-toe", "misere", "notakto", "nim:3,4,5", "mnk:3,3,2", "connect:3x3,3"])
def test_our_alpha_beta_visits_the_same_nodes_as_the_textbooks(notation: str) -> None:
    game = resolve(noughts.load(notation))
    nodes = search_variant(game, game.initial(), "alphabeta", Budget())
    assert nodes == textbook(game, with_distance(game))


def test_counts_trees_and_comparisons_tell_one_number() -> None:
    game = noughts.load("tic-tac-toe")
    counted = {each.search: each.nodes for each in search_counts(game)}
    resolved = resolve(game)
    variants: tuple[Variant, ...] = ("alphabeta", "table", "symmetry")
    compared = {each: search_variant(resolved, game.initial(), each, Budget()) for each in variants}
    assert counted["alpha-beta"] == compared["alphabeta"] == WITH_DISTANCE
    assert noughts.tree(game, depth=1).searched == WITH_DISTANCE
    assert counted["alpha-beta with a table"] == compared["table"]
    assert counted["alpha-beta with a table and symmetry"] == compared["symmetry"]
