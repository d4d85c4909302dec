"""Wins within so many plies: can a player force one, and which replies prevent it?

The search looks no further ahead than that, so it also ends where positions can repeat. What it finds is exact, and
the number of positions that it visits is the same on every machine.
"""

from collections.abc import Hashable
from typing import Generic

from noughts.capabilities import ResolvedGame
from noughts.game import Action, State
from noughts.search.limits import Budget

__all__ = ["WinsWithin"]

NEVER = 1 << 30
"""More plies than any game has."""


class WinsWithin(Generic[State, Action]):
    """Answers about forced wins in one game. What was found is kept for the next question; `budget` counts positions.

    >>> import noughts
    >>> from noughts.capabilities import resolve
    >>> game = resolve(noughts.load("tic-tac-toe"))
    >>> wins = WinsWithin(game, Budget())
    >>> state = noughts.replay(game, "1 2")
    >>> wins.forced(state, noughts.MAX, 4), wins.forced(state, noughts.MAX, 5), wins.distance(state, noughts.MAX, 9)
    (False, True, 5)
    """

    def __init__(self, game: ResolvedGame[State, Action], budget: Budget) -> None:
        self._game, self.budget = game, budget
        self._known: dict[tuple[Hashable, int], list[int]] = {}
        """For a position and a player: the fewest plies in which a win is known, the most in which there is none."""
        self._good: dict[tuple[bool, int], Action] = {}
        """The action that was good enough last time, by whether the player moves, and the plies that are left."""

    def forced(self, state: State, player: int, plies: int) -> bool:
        """Return whether a player can force a win in at most so many plies, whoever is to move."""
        game = self._game
        if game.terminal(state):
            return player * game.utility(state) > 0
        if plies < 1:
            return False
        known = self._known.setdefault((game.key(state), player), [NEVER, 0])
        if plies >= known[0]:
            return True
        if plies <= known[1]:
            return False
        self.budget.visit()
        own = game.player(state) == player
        found = self._some(state, player, plies, own) is not None
        if found == own:
            known[0] = min(known[0], plies)
        else:
            known[1] = max(known[1], plies)
        return found == own

    def move(self, state: State, player: int, plies: int) -> Action | None:
        """Return an action that settles it: one that keeps the win if the player moves, else one that prevents it."""
        return self._some(state, player, plies, self._game.player(state) == player)

    def distance(self, state: State, player: int, most: int) -> int | None:
        """Return in how many plies a player can force a win; None if it takes more than `most`, or cannot be forced."""
        return next((plies for plies in range(most + 1) if self.forced(state, player, plies)), None)

    def _some(self, state: State, player: int, plies: int, wanted: bool) -> Action | None:
        """Return the first action after which the player does, or does not, win in the plies that are left."""
        game = self._game
        actions = game.legal_actions(state)
        first = self._good.get((wanted, plies))
        if first in actions:
            actions.remove(first)
            actions.insert(0, first)
        for action in actions:
            self.budget.check()
            if self.forced(game.result(state, action), player, plies - 1) == wanted:
                self._good[wanted, plies] = action
                return action
        return None
