"""Small games: solved completely, so that later answers are looked up."""

from collections.abc import Sequence
from math import inf
from time import process_time

from noughts.capabilities import ResolvedGame
from noughts.game import Action, State
from noughts.search.answer import Answer
from noughts.search.limits import Budget, Limits
from noughts.search.memo import Memo
from noughts.sources.question import Loadable, Question, Source

__all__ = ["SMALL", "TINY", "SolvedGame", "within_processor_time"]

SMALL = 20_000
"""A game of at most this many positions is solved completely."""

TINY = 6_000
"""A game of no more positions than this is solved rather than its kernel loaded."""

SMALL_WITH_THEORY = 1_500
"""The same for a game with a theory, which says who wins, but not how fast: that is worth a moment and no more."""

SHARE = 0.25
"""The share of a question's limits that may be spent on solving the game."""


class SolvedGame(Source[State, Action]):
    """The exact scores of a small game's positions, found question by question and kept.

    The size of a game is not known in advance. Once more than `most` positions were visited for all questions
    together, the game is too large: the scores are dropped, and the attempt is never repeated.
    """

    def __init__(self, game: ResolvedGame[State, Action], faster: Sequence[Loadable] = ()) -> None:
        """Set up the source; `faster` are the compiled searches that, once loaded, solve a position more quickly."""
        self._game = game
        self._faster = faster
        self._memo: Memo[State, Action] | None = Memo(game)
        self._visited = 0
        self.is_whole = False
        """Whether every position of the game is known to be solved."""
        self._most = SMALL if game.theory is None else SMALL_WITH_THEORY

    def ask(self, question: Question[State, Action]) -> Answer[Action] | None:
        """Return the exact answer, or None if the game is too large, or the limits are too narrow to solve it.

        One best action is only looked up, since a search for it needs fewer positions than all. In a game with a theory
        it is worth solving the game even for that, since a theory does not know how fast a game is won.
        """
        memo = self._memo
        if memo is None or (not self.is_whole and any(each.is_loaded for each in self._faster)):
            return None
        if question.wanted == "one" and self._game.theory is None and not memo.knows(question.state):
            return None
        ask = memo.value if question.wanted == "one" else memo.analyse
        answer = ask(question.state, question.budget.part(SHARE, most_nodes=self._most - self._visited))
        self._count(answer)
        if answer.proven:
            return answer
        question.budget.add(answer.nodes)
        return None

    def prepare(self, limits: Limits) -> bool:
        """Solve the whole game if it is tiny; return whether it is.

        Processor time counts, within the limits: on a busy machine, loading a kernel instead would take far longer.
        """
        seconds = inf if limits.seconds is None else SHARE * limits.seconds
        nodes = Budget(limits).part(SHARE, most_nodes=TINY).nodes
        return self.solve(seconds, limits._replace(nodes=nodes))

    def solve(self, seconds: float, limits: Limits = Limits()) -> bool:  # noqa: B008 - immutable
        """Solve the whole game if it is small, and return whether it is.

        It may take `seconds` of processor time, however busy the machine is, and no more than the limits allow.
        """
        memo = self._memo
        if memo is None:
            return False
        most_nodes = max(0, self._most - self._visited)
        answer = memo.value(self._game.initial(), within_processor_time(seconds, limits, most_nodes))
        self._count(answer)
        self.is_whole = answer.proven
        return answer.proven

    def _count(self, answer: Answer[Action]) -> None:
        self._visited += answer.nodes
        if not answer.proven and answer.stopped == "node limit" and self._visited >= self._most:
            self._memo = None

    def forget(self) -> None:
        """Drop all scores. A game that was found to be too large is not tried again."""
        if self._memo is not None:
            self._memo, self._visited, self.is_whole = Memo(self._game), 0, False

    @property
    def bytes(self) -> int:
        """About how much memory the scores take."""
        return 0 if self._memo is None else self._memo.bytes


def within_processor_time(seconds: float, limits: Limits, most_nodes: int) -> Limits:
    """Return limits that also stop after so many seconds of processor time, and so many nodes."""
    end = process_time() + seconds

    def is_over() -> bool:
        return process_time() > end or (limits.cancel is not None and limits.cancel())

    nodes = most_nodes if limits.nodes is None else min(most_nodes, limits.nodes)
    return limits._replace(nodes=nodes, cancel=is_over)
