"""Interpreted searches: a short look ahead, a search to the end where that is quick, and iterative deepening."""

from typing import Generic

from noughts.capabilities import ResolvedGame
from noughts.game import Action, State
from noughts.search.answer import Answer
from noughts.search.deepening import deepening
from noughts.search.drivers import Options, alphabeta
from noughts.search.limits import Limits
from noughts.search.table import Table
from noughts.sources.question import Question

__all__ = ["Glance", "LookAhead", "ToTheEnd"]

GLANCE_DEPTH = 4
"""Plies to look ahead before a long search, so that there is a guess if that is stopped."""

SHARE = 0.25
"""The share of what is left that the short look ahead, or the search to the end, may spend."""

QUICK_TO_FINISH = 40_000
"""A game that takes no more nodes than this is searched to its end at once; a larger one ply by ply."""


class _Search(Generic[State, Action]):
    """What the interpreted searches of one game share: a table."""

    def __init__(self, game: ResolvedGame[State, Action], options: Options) -> None:
        self._game = game
        self._options = options

    def forget(self) -> None:
        """Drop the table's entries."""
        if self._options.table is not None:
            self._options.table.clear()

    @property
    def bytes(self) -> int:
        """How much memory the table takes."""
        return 0 if self._options.table is None else self._options.table.bytes


class Glance(_Search[State, Action]):
    """Looks a few plies ahead for a guess. It has its own small table, so that it does not mislead deeper searches."""

    def __init__(self, game: ResolvedGame[State, Action]) -> None:
        super().__init__(game, Options(table_mib=1))

    def ask(self, question: Question[State, Action]) -> Answer[Action] | None:
        """Return a guess, or a proof if the end is near; None where a kernel is at work that no limit will stop."""
        if question.native and question.limits == Limits():
            return None
        limits = question.budget.part(SHARE)._replace(depth=GLANCE_DEPTH)
        return deepening(self._game, question.state, limits=limits, options=self._options, wanted=question.wanted)


class ToTheEnd(_Search[State, Action]):
    """Alpha-beta to the end of the game, within a node limit; skipped if a kernel has searched already."""

    def ask(self, question: Question[State, Action]) -> Answer[Action] | None:
        """Return the proven value, or the bounds found before the search was given up."""
        if question.native:
            return None
        limits = question.budget.part(SHARE, most_nodes=QUICK_TO_FINISH)
        return alphabeta(self._game, question.state, limits=limits, options=self._options, wanted=question.wanted)


class LookAhead(_Search[State, Action]):
    """Iterative deepening with all that is left. It shares its table with `ToTheEnd`, which counts the memory."""

    bytes = 0

    def ask(self, question: Question[State, Action]) -> Answer[Action]:
        """Return the answer of the deepest search that was finished."""
        return deepening(
            self._game,
            question.state,
            limits=question.budget.left,
            options=self._options,
            wanted=question.wanted,
            progress=question.progress,
        )


def shared_table(table_mib: float) -> Options:
    """Return options with a table that several searches share."""
    return Options(table=Table(table_mib))
