"""Alpha-beta that reports each event to an observer. It visits the same nodes in the same order as `AlphaBeta`."""

from collections.abc import Generator
from typing import Any

from noughts.game import Action, Game, State, legal_actions, to_move
from noughts.score import whole_utility
from noughts.search.alphabeta import NO_HORIZON, UNIT, AlphaBeta, RootScores, Wanted, earlier
from noughts.search.answer import Bound
from noughts.search.events import Event, Kind, Observer, Reason
from noughts.search.limits import Budget
from noughts.search.table import Entry

__all__ = ["TracedAlphaBeta"]


class TracedAlphaBeta(AlphaBeta[State, Action]):
    """`AlphaBeta` with an observer."""

    def __init__(self, game: Game[State, Action], budget: Budget, observer: Observer, **options: Any) -> None:
        super().__init__(game, budget, **options)
        self._observer = observer
        self._silent = False
        self._taken: Action | None = None
        """The action that leads to the next node."""
        self._tried: list[list[Action]] = []
        """The actions tried so far at each node on the path from the root."""
        self._known: list[Entry] = []
        """The table entry that settled the current node, if there is one."""

    def root(
        self, state: State, depth: int = NO_HORIZON, wanted: Wanted = "best", known_best: int | None = None
    ) -> RootScores[Action]:
        """Score the actions of the root, and report it as a node with an infinite window."""
        at_root = (0, state, None, -self.infinite, self.infinite)
        self._report("enter", *at_root)
        self._tried.append([])
        found = super().root(state, depth, wanted, known_best)
        self._tried.pop()
        self._report("leave", *at_root, self._certain(found.best, found.complete), Bound.EXACT, "searched")
        return found

    def search(self, state: State, mover: int, alpha: int, beta: int, depth: int, ply: int) -> int:
        """Search a node, and report its events."""
        node = (ply, state, self._taken, alpha, beta)
        self._report("enter", *node)
        hits = self._horizon_hits
        self._taken = None
        self._known.clear()
        self._tried.append([])
        score = super().search(state, mover, alpha, beta, depth, ply)
        tried = self._tried.pop()
        value = self._certain(score, self._horizon_hits == hits)
        bound = Bound.UPPER if score <= alpha else Bound.LOWER if score >= beta else Bound.EXACT
        reason: Reason = "searched"
        skipped: tuple[Action, ...] = ()
        if tried:
            skipped = tuple(each for each in legal_actions(self.game, state) if each not in tried)
            reason = "enough" if skipped else "searched"
        if tried and score >= beta:
            reason = "cutoff"
            self._report("cutoff", ply, state, tried[-1], alpha, beta, value, bound, skipped=skipped)
        elif not tried and self._known:
            reason, bound = "table", self._known[0].bound
            self._report("table", *node, value, bound)
        elif not tried:
            reason = "horizon" if depth <= 0 else "bounds"
        self._known.clear()
        self._report("leave", *node, value, bound, reason, skipped)
        return score

    def line(self, state: State, score: int, depth: int = NO_HORIZON) -> Generator[Action, None, bool]:
        """Yield best play without reporting events, since the search is over."""
        self._silent = True
        try:
            return (yield from super().line(state, score, depth))
        finally:
            self._silent = False

    def _child(self, state: State, action: Action, mover: int, alpha: int, beta: int, depth: int, ply: int) -> int:
        if self._tried and action not in self._tried[-1]:
            self._tried[-1].append(action)
        self._taken = action
        child = self.game.result(state, action)
        ended = self.game.terminal(child)
        if ended:
            next_mover = to_move(self.game, child)
            alpha_there, beta_there = earlier(alpha), earlier(beta)
            window = (alpha_there, beta_there) if next_mover == mover else (-beta_there, -alpha_there)
            end = (ply + 1, child, action, *window)
            self._report("enter", *end)
            value = self.game.scale.score(next_mover * whole_utility(self.game.utility(child)))
            self._report("leave", *end, value, Bound.EXACT, "end")
        return super()._child(state, action, mover, alpha, beta, depth, ply)

    def _settles(self, entry: Entry, alpha: int, beta: int) -> bool:
        settles = super()._settles(entry, alpha, beta)
        if settles:
            self._known.append(entry)
        return settles

    @staticmethod
    def _certain(score: int, complete: bool) -> int | None:
        """Return a score on the game's scale, or None if it rests on an estimate at the horizon."""
        return score // UNIT if complete or abs(score) >= UNIT else None

    def _report(
        self,
        kind: Kind,
        ply: int,
        state: State,
        action: Action | None,
        alpha: int,
        beta: int,
        value: int | None = None,
        bound: Bound | None = None,
        reason: Reason | None = None,
        skipped: tuple[Action, ...] = (),
    ) -> None:
        if not self._silent:
            low = None if alpha <= -self.infinite else alpha // UNIT
            high = None if beta >= self.infinite else -(-beta // UNIT)
            self._observer(Event(kind, ply, state, action, low, high, value, bound, reason, skipped))
