"""A question to a graph of positions: asked until it is proven, or a limit is reached."""

from collections.abc import Callable
from typing import Any, Generic

from noughts.game import Action, State
from noughts.score import one_ply_earlier, one_ply_later, whole_utility
from noughts.search.alphabeta import Wanted
from noughts.search.answer import Answer, Scored, Stopped, action_between, answer_between, answer_from
from noughts.search.deepening import Progress
from noughts.search.graph import Graph, Position
from noughts.search.limits import Budget, Limits, OutOfBudget
from noughts.search.narrowing import narrow
from noughts.search.prover import Prover
from noughts.search.recursion_limit import deep_recursion

__all__ = ["prove"]


def prove(
    graph: Graph[State, Action],
    state: State,
    limits: Limits = Limits(),  # noqa: B008 - immutable
    wanted: Wanted = "one",
    progress: Callable[[Progress], None] | None = None,
) -> Answer[Action]:
    """Value a state by null windows, to the end of the game; if a limit stops it, the answer holds what is proven.

    What is found stays in the graph, for later questions.
    """
    game = graph.game
    if game.terminal(state):
        score = game.scale.score(game.to_move(state) * whole_utility(game.utility(state)))
        return answer_from([], ended=score, scale=game.scale, method="alphabeta", nodes=1, seconds=0.0)
    budget = Budget(limits)
    with deep_recursion():
        answer = _Question(graph, state, budget, progress).answer(wanted)
    return answer._replace(nodes=budget.nodes, seconds=budget.seconds)


class _Whole:
    """The score of a position, between proven bounds."""

    def __init__(self, prover: Prover[Any, Any], position: Position) -> None:
        self._prover, self._position = prover, position

    @property
    def low(self) -> int:
        """The proven lower bound."""
        return self._position.low

    @property
    def high(self) -> int:
        """The proven upper bound."""
        return self._position.high

    @property
    def nodes(self) -> int:
        """How many nodes the question took so far."""
        return self._prover.budget.nodes

    def ask(self, score: int) -> None:
        """Find out whether it is at least this."""
        self._prover.search(self._position, score)


class _One(_Whole):
    """The score of moving to a position, for the player who does, between proven bounds."""

    def __init__(self, prover: Prover[Any, Any], child: Position, mover: int) -> None:
        super().__init__(prover, child)
        self._mover = mover

    @property
    def low(self) -> int:
        """The proven lower bound."""
        return self._prover.bounds_after(self._position, self._mover)[0]

    @property
    def high(self) -> int:
        """The proven upper bound."""
        return self._prover.bounds_after(self._position, self._mover)[1]

    def ask(self, score: int) -> None:
        """Find out whether it is at least this."""
        self._prover.reaches(self._position, self._mover, score)


class _Question(Generic[State, Action]):
    """A question about an unfinished state."""

    def __init__(
        self,
        graph: Graph[State, Action],
        state: State,
        budget: Budget,
        progress: Callable[[Progress], None] | None,
    ) -> None:
        self._game, self._graph, self._state, self._budget, self._progress = graph.game, graph, state, budget, progress
        self._legal = graph.game.legal_actions(state)
        self._root: Position | None = None
        self._options: list[tuple[Action, Position]] = []

    def answer(self, wanted: Wanted) -> Answer[Action]:
        """Return what is wanted, as far as the limits allow."""
        stopped: Stopped = "done"
        best: Action | None = None
        try:
            self._budget.visit()
            self._same_length = self._graph.has_same_length(self._state, self._budget)
            self._prover = prover = Prover(self._graph, self._budget, history=not self._same_length)
            self._root = root = self._graph.root(self._state)
            mover = root.mover
            self._narrow(_Whole(prover, root))
            self._options = list(prover.options(root))
            best = next((action for action, child in self._options if prover.reaches(child, mover, root.low)), None)
            if wanted != "one":
                for _, child in self._options:
                    prover.reaches(child, mover, root.low)
            if wanted == "all":
                for _, child in self._options:
                    self._narrow(_One(prover, child, mover))
        except OutOfBudget as out:
            stopped = out.stopped
        found = self._one(best) if wanted == "one" and best is not None else self._every(stopped)
        if found.proven:
            assert found.score is not None
            line, complete = self._line(found.best[0], found.score)
            found = found._replace(line=line, line_complete=complete)
        return found

    def _narrow(self, bounds: _Whole) -> None:
        scale = self._game.scale
        narrow(bounds, scale, margins=self._game.has_margins, same_length=self._same_length, report=self._report)

    def _report(self, plies: int) -> None:
        """Report the progress of the search."""
        if self._progress is not None:
            self._progress(Progress(plies, self._budget.nodes, self._budget.seconds, ()))

    def _one(self, best: Action) -> Answer[Action]:
        """Return the proven answer with one best action."""
        assert self._root is not None
        scored = [Scored(best, self._root.low, (), False)]
        found = answer_from(scored, scale=self._game.scale, method="alphabeta", nodes=0, seconds=0.0)
        return found._replace(actions=())

    def _every(self, stopped: Stopped) -> Answer[Action]:
        """Return the answer with what is proven about each action."""
        game, root = self._game, self._root
        rows = []
        for action in self._legal:
            child = next((child for each, child in self._options if each == action), None)
            if child is None or root is None:
                rows.append(action_between(action, None, None, game.scale))
            else:
                least, most = self._prover.bounds_after(child, root.mover)
                bounds = self._stated(least, min(most, root.high))  # no action is better than the best
                rows.append(action_between(action, *bounds, game.scale))
        low, high = (None, None) if root is None else self._stated(root.low, root.high)
        likely = self._legal if root is None or root.moves is None else root.moves[0]
        return answer_between(
            rows,
            low,
            high,
            scale=game.scale,
            method="alphabeta",
            nodes=0,
            seconds=0.0,
            stopped=stopped,
            guess=(likely[0],),
            depth=0,
        )

    def _stated(self, low: int, high: int) -> tuple[int | None, int | None]:
        """Return bounds as an answer states them: None where they say no more than that the game goes on."""
        assert self._root is not None
        root, (least, most) = self._root, self._graph.bounds[self._root.mover]
        says_low = low == high or low > min(-1, one_ply_later(least))
        says_high = low == high or high < max(1, one_ply_later(most)) or high < root.low
        return low if says_low else None, high if says_high else None

    def _line(self, action: Action, score: int) -> tuple[tuple[Action, ...], bool]:
        """Return best play from the root, as far as the budget allows, and whether it reaches the end of the game."""
        game, prover = self._game, self._prover
        assert self._root is not None
        line, mover = [action], self._root.mover
        state = game.result(self._state, action)
        try:
            while not game.terminal(state):
                position = self._graph.root(state)
                score = one_ply_earlier(score) * (1 if position.mover == mover else -1)
                mover = position.mover
                options = prover.options(position)
                found = next((each for each, child in options if prover.reaches(child, mover, score)), None)
                if found is None:
                    return tuple(line), False
                line.append(found)
                state = game.result(state, found)
        except OutOfBudget:
            return tuple(line), False
        return tuple(line), True
