"""Retrying a mistake: the position before it as a task, until a move is as good as the best."""

from typing import Generic

from noughts.engine import Engine
from noughts.game import Action, State
from noughts.reviews.marks import with_played
from noughts.reviews.review import ReviewedMove
from noughts.search.answer import ActionValue
from noughts.search.limits import Limits
from noughts.words.report import names_of
from noughts.words.tries import about_wrong_try
from noughts.words.values import bounded_by

__all__ = ["Retry"]

TRY = Limits(seconds=2.0)
"""What may be spent on the value of a move that was tried, if the review has not found it."""


class Retry(Generic[State, Action]):
    """The position before a mistake. A move is right if it is as good as the best: in value, distance and margin.

    Where the best is not known, any move is right that is not known to be worse than another.

    >>> import noughts
    >>> from noughts.reviews.review import review
    >>> engine = noughts.Engine(noughts.load("tic-tac-toe"))
    >>> [mistake] = review(engine, "5 2 1 9 7").mistakes
    >>> retry = Retry(engine, mistake)
    >>> [action for action in range(1, 10) if action != 5 and retry.is_right(action)]
    [1, 3, 7, 9]
    >>> retry.why_not(4)
    'With 4, O loses in 6 moves. X plays 1.'
    """

    def __init__(self, engine: Engine[State, Action], move: ReviewedMove[State, Action]) -> None:
        self._engine, self._game = engine, engine.game
        self.move = move
        self.state = move.state
        """The position in which a move is tried."""
        self._before = move.before

    @property
    def solution(self) -> Action:
        """A best move, or a guess at one."""
        return self._before.choice[0]

    def is_right(self, action: Action) -> bool:
        """Return whether a move is as good as the best, or not known to be worse."""
        if action in self._before.best:
            return True
        value = self._value(action)
        least = self._before.low
        if self._before.proven:
            return value.low is not None and value.low == least
        if least is not None and least > 0:  # another move is known to win
            return value.low is not None and value.low > 0
        return value.high is None or value.high >= (0 if least is None else least)

    def why_not(self, action: Action) -> str:
        """Return in words why a move is not good enough, without telling a better one."""
        best = next((each for each in self._before.actions if each.action in self._before.best), None)
        said = about_wrong_try(self._engine, self.state, action, best)
        if said is not None:
            return said
        value, names = self._value(action), names_of(self._game, self.state)
        if value.value == "unknown":
            return f"What {names.action(action)} leads to is not known, and there is a move that wins."
        return f"With {names.action(action)}, {names.mover} {bounded_by(value)}."

    def among(self, most: int = 3) -> list[Action]:
        """Return some moves for a hint, in the game's order: a right one, the one that was played, and others."""
        legal = self._game.legal_actions(self.state)
        best = self._before.choice
        wrong = [self.move.action, *(each.action for each in self._before.actions if each.action not in best)]
        shown = [self.solution, *dict.fromkeys(wrong)][:most]
        return [action for action in legal if action in shown]

    def _value(self, action: Action) -> ActionValue[Action]:
        """Return what is known of a move; if that is not all, what a short search finds."""
        game = self._game
        row = next(each for each in self._before.actions if each.action == action)
        if not row.exact:
            child = game.result(self.state, action)
            after = self._engine.analyse(child, limits=TRY)
            same = game.to_move(child) == game.to_move(self.state)
            legal = game.legal_actions(self.state)
            self._before = with_played(self._before, action, after, same, legal, game.scale)
            row = next(each for each in self._before.actions if each.action == action)
        return row
