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
from noughts.sources.interpreted import Glance, LookAhead
from noughts.sources.question import Question, Source

__all__ = ["EndlessSearches"]

MOST = 1_000_000
"""A game of more positions than this is not solved whole: it would take too much memory."""

SHARE_TO_SOLVE = 0.75
"""The share of what is left that solving may spend; the rest is for looking ahead."""


class EndlessSearches(Generic[State, Action]):
    """What an engine asks about a game in which positions can repeat."""

    def __init__(self, game: ResolvedGame[State, Action], table_mib: float) -> None:
        low, high = game.utility_range
        if not low <= 0 <= high:
            raise BrokenGame(
                f"positions can repeat, and endless play counts 0, which is not within utility_range {low, high}"
            )
        self._game = game
        self._solved: Retrograde[State, Action] = Retrograde(game, MOST)
        self.known: Source[State, Action] = _Known(self._solved)
        self.searches: tuple[Source[State, Action], ...] = (
            Glance(game, endless=True),
            _Solving(self._solved),
            LookAhead(game, table_mib, endless=True),
        )
        """In the order in which they are asked."""

    def knows(self, state: State) -> bool:
        """Return whether a state is solved."""
        return self._solved.knows(state)

    def solve(self, limits: Limits) -> bool:
        """Solve the whole game, and return whether the limits sufficed."""
        try:
            self._solved.solve(self._game.initial(), Budget(limits))
        except OutOfBudget:
            return False
        return True


class _Known(Generic[State, Action]):
    """The positions that are solved: they are looked up."""

    def __init__(self, solved: Retrograde[State, Action]) -> None:
        self._solved = solved

    def ask(self, question: Question[State, Action]) -> Answer[Action] | None:
        """Return the exact answer, or None if the position is not solved."""
        if not self._solved.knows(question.state):
            return None
        found = self._solved.answer(question.state, question.budget.left, question.wanted)
        return found if found.proven else None

    def forget(self) -> None:
        """Drop all scores."""
        self._solved.forget()

    @property
    def bytes(self) -> int:
        """About how much memory the scores take."""
        return self._solved.bytes


class _Solving(Generic[State, Action]):
    """Solves a position and all that can follow. An attempt that a limit stops goes on with the next question."""

    bytes = 0
    """`_Known` counts the memory."""

    def __init__(self, solved: Retrograde[State, Action]) -> None:
        self._solved = solved

    def ask(self, question: Question[State, Action]) -> Answer[Action] | None:
        """Return the exact answer, or None if the game is too large, or the limits are too narrow to solve it."""
        if self._solved.is_too_large:
            return None
        limits = question.budget.part(SHARE_TO_SOLVE)
        found = self._solved.answer(question.state, limits, question.wanted, question.progress)
        if found.proven:
            return found
        question.budget.add(found.nodes)
        return None

    def forget(self) -> None:
        """Do nothing: `_Known` drops the scores."""
