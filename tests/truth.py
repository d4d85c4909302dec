"""The score of every position of a small game by plain recursion, from the six functions alone."""

from collections.abc import Hashable
from typing import Any

from noughts.capabilities import resolve
from noughts.game import Game


class Truth:
    """Scores of the player to move: longer than any game minus the moves to a win, the reverse for a loss, 0 a draw."""

    LONG = 1_000

    def __init__(self, game: Game[Any, Any]) -> None:
        self._game = resolve(game)
        self._scores: dict[Hashable, int] = {}

    def score(self, state: Any) -> int:
        """Return the score of a state."""
        key = self._game.key(state)
        if key not in self._scores:
            self._scores[key] = self._value(state)
        return self._scores[key]

    def _value(self, state: Any) -> int:
        if self._game.terminal(state):
            won = self._game.player(state) * self._game.utility(state)
            return self.LONG * ((won > 0) - (won < 0))
        return max(self.actions(state).values())

    def actions(self, state: Any) -> dict[Any, int]:
        """Return the score of each action of a state, for the player who takes it."""
        found = {}
        for action in self._game.actions(state):
            child = self._game.result(state, action)
            same = self._game.player(child) == self._game.player(state)
            score = self.score(child) * (1 if same else -1)
            found[action] = score - (score > 0) + (score < 0)
        return found

    def moves(self, score: int) -> int:
        """Return in how many moves a win or a loss with this score comes."""
        return self.LONG - abs(score)
