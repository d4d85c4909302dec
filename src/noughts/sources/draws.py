"""Draws of large boards of lines as a source: proven by a breaker that stops every line of a player."""

from typing import Generic

from noughts.capabilities import Lineup, ResolvedGame
from noughts.compiled.breaker_solver import BreakerSolver
from noughts.errors import NoKernel
from noughts.game import Action, State
from noughts.search.answer import Answer, action_between, answer_between
from noughts.search.limits import Limits
from noughts.sources.question import Question

__all__ = ["DrawSearch"]

SHARE = 0.15
"""The share of what is left that one proof may spend."""

MOST_NODES = 10_000_000
"""A proof that takes more nodes is given up, also if there is no limit."""


class DrawSearch(Generic[State, Action]):
    """Proves that neither player can complete a line, or that one of them cannot."""

    def __init__(self, game: ResolvedGame[State, Action], lineup: Lineup[Action]) -> None:
        assert game.lineup is not None
        self._game, self._lineup = game, game.lineup
        cells = sorted({cell for line in lineup.lines for cell in line})
        self._bit = {cell: 1 << number for number, cell in enumerate(cells)}
        numbers = {cell: number for number, cell in enumerate(cells)}
        self._solver = BreakerSolver(len(cells), [[numbers[cell] for cell in line] for line in lineup.lines])

    def load(self, limits: Limits) -> None:
        """Load the compiled search, and compile it if need be; without numba do nothing."""
        if self._solver.fits and not (limits.cancel is not None and limits.cancel()):
            try:
                self._solver.load()
            except NoKernel:
                return

    def ask(self, question: Question[State, Action]) -> Answer[Action] | None:
        """Return what is proven: at most a draw, at least a draw, or both; None if nothing is."""
        game, state = self._game, question.state
        if game.terminal(state) or not self._solver.fits:
            return None
        if not self._solver.is_ready and question.limits == Limits():
            self.load(question.limits)
        if not self._solver.is_ready:
            return None
        held = self._lineup(state).held
        mover = game.to_move(state)
        mine, theirs = (sum(self._bit.get(cell, 0) for cell in held[player]) for player in (mover, -mover))
        high = 0 if self._holds(question, mine, theirs) else None
        # If the other cannot complete a line even after a pass, every action is safe: it only adds a stone.
        low = 0 if self._holds(question, theirs, mine) else None
        if low is None and high is None:
            return None
        actions = game.legal_actions(state)
        return answer_between(
            [action_between(action, low, high, game.scale) for action in actions],
            low,
            high,
            scale=game.scale,
            method="pairings",
            nodes=0,
            seconds=0.0,
            stopped="done",
            guess=(next((action for action in game.preferred if action in actions), actions[0]),),
            depth=0,
        )

    def _holds(self, question: Question[State, Action], maker: int, other: int) -> bool:
        limits = question.budget.part(SHARE, most_nodes=MOST_NODES)
        holds, _ = self._solver.holds(maker, other, limits)
        question.budget.add(self._solver.nodes)
        return holds

    def forget(self) -> None:
        """Drop what was proven."""
        self._solver.forget()

    @property
    def bytes(self) -> int:
        """How much memory it takes."""
        return self._solver.bytes
