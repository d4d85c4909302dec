"""What a perfect player can expect of an opponent who plays at random, exactly, in a game that is solved."""

from collections.abc import Hashable, Iterable
from typing import Generic

from noughts.capabilities import ResolvedGame
from noughts.game import Action, State
from noughts.search.limits import Budget
from noughts.search.memo import Memo
from noughts.search.recursion_limit import STEP, deep_recursion, raise_limit

__all__ = ["SAME", "Expectation"]

SAME = 1e-9
"""Expectations that differ by less than this are equal; they are sums of floats."""


class Expectation(Generic[State, Action]):
    """The expected result of each position for a player who makes best moves, against one who plays at random.

    Of several best moves, by value and distance, the player takes the one of which it can expect most. A win counts 1,
    a draw 0, a loss -1.
    """

    def __init__(self, game: ResolvedGame[State, Action], solved: Memo[State, Action]) -> None:
        self._game, self._solved = game, solved
        self._known: dict[tuple[int, Hashable], float] = {}

    def most(self, state: State, actions: Iterable[Action], budget: Budget) -> tuple[Action, ...]:
        """Return those of the mover's actions of which it can expect most; raise OutOfBudget if that takes too long."""
        mover = self._game.to_move(state)
        with deep_recursion():
            values = [(action, self._of(self._game.result(state, action), mover, budget, 1)) for action in actions]
        highest = max(value for _, value in values)
        return tuple(action for action, value in values if value > highest - SAME)

    def _of(self, state: State, player: int, budget: Budget, ply: int) -> float:
        """Return what a player can expect of a position."""
        game, key = self._game, (player, self._game.key(state))
        found = self._known.get(key)
        if found is not None:
            return found
        budget.visit()
        if ply % STEP == 0:
            raise_limit(ply)
        if game.terminal(state):
            utility = player * game.utility(state)
            found = float((utility > 0) - (utility < 0))
        elif game.player(state) == player:
            found = max(self._of(child, player, budget, ply + 1) for child in self._best(state, player))
        else:
            children = [game.result(state, action) for action in game.legal_actions(state)]
            found = sum([self._of(child, player, budget, ply + 1) for child in children]) / len(children)
        self._known[key] = found
        return found

    def _best(self, state: State, mover: int) -> list[State]:
        """Return the states after the best actions, by value and distance."""
        game = self._game
        children = [game.result(state, action) for action in game.legal_actions(state)]
        scores = [mover * (self._solved.score(child) or 0) for child in children]
        highest = max(scores)
        return [child for child, score in zip(children, scores, strict=True) if score == highest]
