"""Interpreted searches: a short look ahead, searches to the end of the game, and iterative deepening."""

from collections.abc import Callable, Hashable, Sequence
from typing import Generic

from noughts.capabilities import ResolvedGame
from noughts.game import Action, State
from noughts.search.answer import Answer
from noughts.search.deepening import Progress, deepening
from noughts.search.drivers import Options
from noughts.search.graph import Graph
from noughts.search.limits import Limits
from noughts.search.prove import prove
from noughts.search.table import Table
from noughts.sources.question import Loadable, Question, Source

__all__ = ["AtLeisure", "AtOnce", "Glance", "LookAhead", "Proofs", "ToTheEnd"]

Reporting = Callable[[Progress], None] | None

GLANCE_DEPTH = 4
"""Plies to look ahead before a long search, so that there is a guess if that is stopped."""

SHARE = 0.25
"""The share of what is left that the short look ahead, or the search to the end, may spend."""

FOR_ONE = 25_000
"""How many nodes a question that wants one best action may take at once, before anything else is tried."""

QUICK_TO_FINISH = 100_000
"""A game that takes no more nodes than this is searched to its end before its functions are compiled."""


class _Search(Source[State, Action]):
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
        """Return a guess, or a proof if the end is near; None if no limit will stop the searches that follow."""
        if question.limits == Limits():
            return None
        limits = question.budget.part(SHARE)._replace(depth=GLANCE_DEPTH)
        return deepening(self._game, question.state, limits=limits, options=self._options, wanted=question.wanted)


class Proofs(Generic[State, Action]):
    """The positions that searches to the end of a game have met, and what these proved. One for all attempts."""

    def __init__(self, game: ResolvedGame[State, Action], table_mib: float) -> None:
        self._game, self._table_mib = game, table_mib
        self._about: Hashable = None
        self.forget()

    def search(self, question: Question[State, Action], limits: Limits, progress: Reporting = None) -> Answer[Action]:
        """Return the proven value, or the bounds found before the search was stopped."""
        graph, about = self._graph, self._game.key(question.state)
        if graph.is_full and about != self._about:
            self.forget()
            graph = self._graph
        self._about = about
        return prove(graph, question.state, limits, question.wanted, progress)

    def forget(self) -> None:
        """Drop everything; a search that is at work keeps what it uses."""
        self._graph: Graph[State, Action] = Graph(self._game, self._table_mib)

    @property
    def bytes(self) -> int:
        """About how much memory it takes."""
        return self._graph.bytes


class AtOnce(Source[State, Action]):
    """The first attempt: a question that wants one best action needs only some positions of a small game."""

    def __init__(self, proofs: Proofs[State, Action], faster: Sequence[Loadable] = ()) -> None:
        """Set up the source; `faster` are the compiled searches that make it useless once they are loaded."""
        self._proofs = proofs
        self._faster = faster

    def ask(self, question: Question[State, Action]) -> Answer[Action] | None:
        """Return the proven value, or bounds; None if more than one action is wanted."""
        if question.wanted != "one" or any(each.is_loaded for each in self._faster):
            return None
        return self._proofs.search(question, question.budget.part(SHARE, most_nodes=FOR_ONE))

    def forget(self) -> None:
        """Drop everything that was proven."""
        self._proofs.forget()

    @property
    def bytes(self) -> int:
        """How much memory the proofs take; the later attempts, which add to them, do not count it again."""
        return self._proofs.bytes


class ToTheEnd(Source[State, Action]):
    """Searches to the end of the game, within a node limit. Each attempt goes on where the last one was stopped."""

    def __init__(self, proofs: Proofs[State, Action]) -> None:
        self._proofs = proofs

    def ask(self, question: Question[State, Action]) -> Answer[Action] | None:
        """Return the proven value, or bounds; None if a kernel has searched already."""
        if question.native:
            return None
        return self._proofs.search(question, question.budget.part(SHARE, most_nodes=QUICK_TO_FINISH))


class AtLeisure(ToTheEnd[State, Action]):
    """The last attempt, for questions without limits on nodes or time: it ends when no more positions fit."""

    def ask(self, question: Question[State, Action]) -> Answer[Action] | None:
        """Return the proven value, or bounds; None if a limit will stop the search, so that a good guess is needed."""
        if question.native or question.limits[:2] != (None, None):
            return None
        return self._proofs.search(question, question.budget.left, question.progress)


class LookAhead(_Search[State, Action]):
    """Iterative deepening with all that is left."""

    def __init__(self, game: ResolvedGame[State, Action], table_mib: float) -> None:
        super().__init__(game, Options(table=Table(table_mib)))

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
