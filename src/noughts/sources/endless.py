"""Games in which positions can repeat as sources: solved whole by retrograde analysis, else looked ahead.

The searches that follow lines of play to their end refuse such a game, so the engine asks these instead.
"""

from typing import Generic

from noughts.capabilities import ResolvedGame
from noughts.errors import BrokenGame
from noughts.game import Action, State
from noughts.search.answer import Answer
from noughts.search.limits import Budget, Limits, OutOfBudget
from noughts.search.retrograde import Retrograde
from noughts.sources.question import Question, Source
from noughts.sources.solved import SMALL, within_processor_time

__all__ = ["EndlessGameSolved", "LookUp", "SolveEndlessGame"]

MOST = 1_000_000
"""A game of more positions than this is not solved whole: it would take too much memory."""

PREPARING = 5.0
"""How many seconds of processor time solving a game may take before it is played."""

SHARE = 0.75
"""The share of what is left that solving may spend; the rest is for looking ahead."""


class EndlessGameSolved(Generic[State, Action]):
    """The exact scores of a game in which positions can repeat, found when they are asked for and kept."""

    def __init__(self, game: ResolvedGame[State, Action]) -> None:
        low, high = game.utility_range
        if not low <= 0 <= high:
            raise BrokenGame(
                f"positions can repeat, and endless play counts 0, which is not within utility_range {low, high}"
            )
        self._game = game
        self.scores: Retrograde[State, Action] = Retrograde(game, MOST)

    def solve(self, seconds: float, limits: Limits, most: int = SMALL) -> bool:
        """Solve the whole game if it has at most so many positions; return whether it is, as `SolvedGame` does."""
        try:
            self.scores.solve(self._game.initial(), Budget(within_processor_time(seconds, limits, most)))
        except OutOfBudget:
            return False
        return True


class LookUp(Source[State, Action]):
    """The positions that are solved already."""

    def __init__(self, solved: EndlessGameSolved[State, Action]) -> None:
        self._scores = solved.scores

    def ask(self, question: Question[State, Action]) -> Answer[Action] | None:
        """Return the exact answer, or None if the position is not solved."""
        if not self.knows(question.state):
            return None
        found = self._scores.answer(question.state, question.budget.left, question.wanted)
        return found if found.proven else None

    def knows(self, state: State) -> bool:
        """Return whether a position is solved."""
        return self._scores.knows(state)

    def forget(self) -> None:
        """Drop all scores."""
        self._scores.forget()

    @property
    def bytes(self) -> int:
        """About how much memory the scores take."""
        return self._scores.bytes


class SolveEndlessGame(Source[State, Action]):
    """Solves a position and all that can follow. An attempt that a limit stops goes on with the next question."""

    def __init__(self, solved: EndlessGameSolved[State, Action]) -> None:
        self._solved, self._scores = solved, solved.scores
        self._is_prepared = False

    def prepare(self, limits: Limits) -> bool:
        """Solve the whole game, once, if some seconds suffice: looking ahead tells little where play can go on and on.

        They are seconds of the processor, whatever time a move may take, as for compiling a kernel.
        """
        if not self._is_prepared:
            self._is_prepared = True
            return self._solved.solve(PREPARING, limits._replace(seconds=None), MOST)
        return False

    def ask(self, question: Question[State, Action]) -> Answer[Action] | None:
        """Return the exact answer, or None if the game is too large, or the limits are too narrow to solve it."""
        if self._scores.is_too_large:
            return None
        limits = question.budget.part(SHARE)
        found = self._scores.answer(question.state, limits, question.wanted, question.progress)
        if found.proven:
            return found
        question.budget.add(found.nodes)
        return None
