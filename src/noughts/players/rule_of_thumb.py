"""A player that plays by rules of thumb without a search: win if possible, else block, else centre, else sides."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Generic

from noughts.capabilities import resolve
from noughts.game import Action, Game, State, to_move
from noughts.players.base import even
from noughts.search.limits import Budget, Limits, OutOfBudget

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = ["MOVE_LIMITS", "RuleOfThumbPlayer"]

MOVE_LIMITS = Limits(seconds=1.0)
"""What a player may spend on one move, unless other limits are given."""

NO_TIME = "there was no time to look at every reply"

TOO_MANY = 200
"""With more actions than this, the opponent's replies to each are not examined."""


class RuleOfThumbPlayer(Generic[State, Action]):
    """Looks one move ahead for each side. It can be beaten.

    1. Take a win.
    2. If the opponent threatens to win, play on that cell if it stops the threat, else any move that does.
    3. Follow the game's order of preference: in tic-tac-toe the centre, the sides, the corners.
    """

    description = "plays by rules of thumb"

    def __init__(self, game: Game[State, Action], limits: Limits = MOVE_LIMITS) -> None:
        self._game = game
        self._preferred = resolve(game).preferred
        self._limits = limits._replace(nodes=None)
        self.caveat = ""

    def candidates(self, state: State) -> tuple[Action, ...]:
        """Return the one action that the rules choose."""
        return (self.choose(state),)

    def chances(self, state: State) -> "dict[Action, Fraction]":
        """Return the one action that the rules choose, which is certain."""
        return even(self.candidates(state))

    def choose(self, state: State) -> Action:
        """Return the action that the rules choose, as far as there is time to apply them."""
        budget = Budget(self._limits)
        self.caveat = ""
        actions = list(self._game.actions(state))
        answers: list[list[Action]] = []
        try:
            wins = self._wins(state, actions, budget)
            first = next(wins, None)
            if first is not None:
                return first
            if len(actions) <= TOO_MANY:
                answers += (self._answers(state, action, budget) for action in actions)
        except OutOfBudget:
            self.caveat = NO_TIME
        if len(answers) < len(actions):
            return next((action for action in self._preferred if action in actions), actions[0])
        safe = [action for action, wins in zip(actions, answers, strict=True) if not wins] or actions
        blocks = [action for action in safe if any(action in wins for wins in answers)]
        if blocks:
            return blocks[0]
        return next((action for action in self._preferred if action in safe), safe[0])

    def _answers(self, state: State, action: Action, budget: Budget) -> list[Action]:
        """Return the replies with which the opponent could win at once after an action."""
        after = self._game.result(state, action)
        if self._game.terminal(after) or self._game.player(after) == self._game.player(state):
            return []
        return list(self._wins(after, self._game.actions(after), budget))

    def _wins(self, state: State, actions: Iterable[Action], budget: Budget) -> Iterator[Action]:
        mover = to_move(self._game, state)
        for action in actions:
            budget.check()
            after = self._game.result(state, action)
            if self._game.terminal(after) and mover * self._game.utility(after) > 0:
                yield action
