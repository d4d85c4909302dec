"""One question to a kernel: what to search, in which order and for how long, and the answer from what is proven."""

from array import array
from collections.abc import Callable, Iterator
from typing import Any, Generic, NamedTuple

from noughts.capabilities import Kernel, ResolvedGame
from noughts.compiled import layout
from noughts.compiled.found import Found, Running
from noughts.compiled.rules import Position
from noughts.compiled.solver import FIRST_NODES, Solver
from noughts.errors import BrokenGame
from noughts.game import Action, State
from noughts.score import value_of, whole_utility
from noughts.search.alphabeta import Wanted
from noughts.search.answer import (
    ActionValue,
    Answer,
    Scored,
    Stopped,
    action_between,
    answer_between,
    answer_from,
    answer_of_one,
)
from noughts.search.deepening import Progress
from noughts.search.limits import Budget, Limits, OutOfBudget

__all__ = ["KernelQuestion", "PackedGame"]


class PackedGame(Generic[State, Action]):
    """A game, and how its states and actions correspond to the positions and moves of its kernel."""

    def __init__(self, game: ResolvedGame[State, Action], kernel: Kernel) -> None:
        self.game = game
        self.pack = kernel.pack
        self.action = kernel.action
        self._rank = _Ranks((action, rank) for rank, action in enumerate(game.preferred)).__getitem__

    def ordered(self, actions: list[Action]) -> list[Action]:
        """Return actions in the order in which to try them."""
        return sorted(actions, key=self._rank) if self.game.preferred else actions


class _Ranks(dict[Any, int]):
    """The place of each action in the order in which to try them; actions without one come last."""

    def __missing__(self, _: Any) -> int:
        return len(self)


class _Child(NamedTuple, Generic[Action]):
    """The position after an action, as the kernel has it; for a finished game, its score instead."""

    action: Action
    position: Position | None
    score: int | None


class KernelQuestion(Generic[State, Action]):
    """One question to a kernel. Scores are the kernel's, which count plies from the start of the game.

    So a score does not depend on the position from which it is seen: going up a ply only changes its sign.
    """

    def __init__(
        self,
        packed: PackedGame[State, Action],
        solver: Solver,
        state: State,
        budget: Budget,
        progress: Callable[[Progress], None] | None,
        known: Answer[Action] | None = None,
    ) -> None:
        self._packed, self._game, self._solver = packed, packed.game, solver
        self._worst = solver.most
        self._state = state
        self._budget = budget
        self._progress = progress
        self._known = known
        """What other sources have proven."""
        self._stopped: Stopped = "done"
        self._order: list[Action] = []
        """The actions in the order in which they are searched, if each is valued."""

    def answer(self, wanted: Wanted) -> Answer[Action]:
        """Return what is wanted, as far as the budget allows."""
        game, state, scale = self._game, self._state, self._game.scale
        if game.terminal(state):
            ended = scale.score(self._utility(state))
            return self._finished(answer_from([], scale=scale, method="kernel", nodes=0, seconds=0.0, ended=ended))
        self._position: Position = self._packed.pack(state)
        self._plies = self._solver.plies(self._position)
        return self._one() if wanted == "one" else self._finished(self._every())

    def _finished(self, answer: Answer[Action]) -> Answer[Action]:
        return answer._replace(nodes=self._budget.nodes, seconds=self._budget.seconds, stopped=self._stopped)

    def _one(self) -> Answer[Action]:
        """Value the state, with one best action."""
        game, state = self._game, self._state
        worst, known = self._worst, self._known
        low, high = (-worst, worst) if known is None else self._known_bounds(known)
        # If the score is known, a move is still to be found.
        found = self._solve(self._position, min(low, high - 1), high, self._budget.limits, task=layout.VALUE)
        if known is not None:
            found = found._replace(low=max(found.low, low), high=min(found.high, high))
        action = self._played(found.move)
        if found.low < found.high:
            guess = self._first() if action is None else action
            return self._finished(self._unfinished((), found.low, found.high, (guess,)))
        if action is None:
            try:
                action = self._reaching(state, self._plies, found.low)
            except OutOfBudget:
                return self._finished(self._unfinished((), found.low, found.high, (self._first(),)))
        score = self._on_scale(found.low)
        distance = game.scale.distance(score)
        is_last = distance == 1 or (not distance and game.terminal(game.result(state, action)))
        best, budget = (action,), self._budget
        return answer_of_one(score, distance, best, "kernel", budget.nodes, budget.seconds, is_last)

    def _every(self) -> Answer[Action]:
        """Value the state with every action: first who wins after each, then how fast."""
        legal = self._game.legal_actions(self._state)
        children = list(self._children(self._state, legal, self._plies, self._position))
        scores = self._bounds(children)
        known = {child.action: bounds for child, bounds in zip(children, scores, strict=True)}
        score = max(low for low, _ in scores)
        if any(low < high for low, high in scores):
            likely = max(children, key=lambda child: known[child.action][0])
            rows = tuple(self._row(action, *known[action]) for action in legal)
            return self._unfinished(rows, score, max(high for _, high in scores), (likely.action,))
        self._stopped = "done"
        best = next(action for action in legal if known[action][0] == score)
        after = next(child.position for child in children if child.action == best)
        line, complete = self._line(self._game.result(self._state, best), after, -score)
        scored = [Scored(action, self._on_scale(known[action][0]), line, complete) for action in legal]
        return answer_from(scored, scale=self._game.scale, method="kernel", nodes=0, seconds=0.0)

    def _bounds(self, children: list[_Child[Action]]) -> list[tuple[int, int]]:
        """Return the proven bounds of each action's score, for the player who takes it.

        There are two steps for each child, as in `Solver.value_each`, which takes as many as its limits allow: an equal
        share of what is left for each action, so that one hard position does not take all of it.
        """
        nowhere = (0,) * len(self._position)
        _, most = self._known_bounds(self._known)  # no action is worth more than the state
        rows = {} if self._known is None else {row.action: row for row in self._known.actions}
        numbers: list[int] = []
        for action, position, score in children:
            low, high = self._known_bounds(rows.get(action))
            numbers += (-min(most, high), -low) if score is None else (score, score)
            numbers += position or nowhere
        memory, words, number = array("q", numbers), layout.BOUNDS + len(nowhere), len(children)
        budget, step = self._budget, 0
        self._order = [child.action for child in children]
        progress = None if self._progress is None else self._report
        while step < 2 * number and self._stopped != "cancelled":
            if budget.stopped is not None:
                self._stopped = budget.stopped
                break
            limits = budget.part(1 / (number - step % number))
            reached, nodes, stopped = self._solver.value_each(memory, number, step, limits, progress)
            budget.add(nodes)
            if stopped != "done":
                self._stopped = stopped
            step = max(reached, step + 1)  # if it has got nowhere, the position has had its share
        self._order = []
        return [(-memory[at + 1], -memory[at]) for at in range(0, number * words, words)]

    def _known_bounds(self, known: Answer[Action] | ActionValue[Action] | None) -> tuple[int, int]:
        """Return bounds that other sources have proven, as scores of the kernel."""
        low, high = (None, None) if known is None else (known.low, known.high)
        return -self._worst if low is None else self._off_scale(low), (
            self._worst if high is None else self._off_scale(high)
        )

    def _off_scale(self, score: int) -> int:
        """Return the kernel's score for one on the game's scale, in the state that is asked about."""
        size = max(1, self._worst - self._plies - (self._game.scale.distance(score) or 0))  # a bound may be loose
        return 0 if score == 0 else size if score > 0 else -size

    def _is_short(self, limits: Limits) -> bool:
        """Return whether a short search is within the limits, and nobody waits for reports of its progress."""
        return self._progress is None and (limits.nodes is None or limits.nodes >= FIRST_NODES)

    def _unfinished(
        self, rows: tuple[ActionValue[Action], ...], low: int, high: int, guess: tuple[Action, ...]
    ) -> Answer[Action]:
        """Return the answer of a search that was stopped, with the bounds that it has proven."""
        return answer_between(
            rows,
            self._bound(low),
            self._bound(high),
            scale=self._game.scale,
            method="kernel",
            nodes=0,
            seconds=0.0,
            stopped=self._stopped,
            guess=guess,
            depth=0,
        )

    def _row(self, action: Action, low: int, high: int) -> ActionValue[Action]:
        return action_between(action, self._bound(low), self._bound(high), self._game.scale)

    def _bound(self, score: int) -> int | None:
        """Return a bound on the game's scale, or None if it excludes nothing."""
        return None if abs(score) >= self._worst - self._plies else self._on_scale(score)

    def _solve(
        self,
        position: Position,
        low: int,
        high: int,
        limits: Limits | None = None,
        *,
        task: int = layout.SOLVE,
    ) -> Found:
        """Ask the kernel for bounds of a position, within limits, or the whole budget that is left."""
        progress = None if self._progress is None else self._report
        budget = self._budget
        if limits is None:
            limits = budget.left
        if self._stopped == "cancelled":
            return Found(-self._worst, self._worst, None, 0, self._stopped)
        if limits.nodes == 0 and budget.stopped is not None:  # the solver would visit a node before it stops
            found = Found(-self._worst, self._worst, None, 0, budget.stopped)
        else:
            found = self._solver.solve(position, low, high, limits, progress, task=task)
        budget.add(found.nodes)
        if found.stopped != "done":
            self._stopped = found.stopped
        return found

    def _children(
        self, state: State, legal: list[Action], plies: int, position: Position | None = None
    ) -> Iterator[_Child[Action]]:
        """Yield the children of a state, the most promising first; with its position, the kernel plays most moves."""
        game, packed = self._game, self._packed
        played: dict[Action, Position] = {}
        if position is not None and packed.action is not None:
            played = {packed.action(move): after for move, after in self._solver.children(position)}
        for action in packed.ordered(legal):
            if action in played:
                yield _Child(action, played[action], None)
                continue
            child = game.result(state, action)
            if game.terminal(child):
                yield _Child(action, None, self._utility(child) * (self._worst - plies - 1))
            else:
                yield _Child(action, packed.pack(child), None)

    def _first(self) -> Action:
        """Return the most promising action, before anything is known."""
        return self._packed.ordered(self._game.legal_actions(self._state))[0]

    def _played(self, move: int | None) -> Action | None:
        """Return the action for a move of the kernel, or None if there is no move."""
        if move is None:
            return None
        if self._packed.action is not None:
            action: Action = self._packed.action(move)
            return action
        after = self._solver.rules.functions.play(self._position, move)
        children = self._children(self._state, self._game.legal_actions(self._state), self._plies)
        return next((child.action for child in children if child.position == after), None)

    def _utility(self, state: State) -> int:
        """Return the utility of a finished state, in the view of the player who would move."""
        return self._game.to_move(state) * whole_utility(self._game.utility(state), self._game.utility_range)

    def _reaching(self, state: State, plies: int, score: int) -> Action:
        """Return an action that reaches the score of a state; raise OutOfBudget if a limit comes first."""
        game = self._game
        actions = self._packed.ordered(game.legal_actions(state))
        wins_at_once = score == self._worst - plies - 1
        loses_next = score == plies + 2 - self._worst
        for action in actions:
            if action is actions[-1] and not wins_at_once:  # all others fall short
                break
            child = game.result(state, action)
            if game.terminal(child):
                if self._utility(child) * (self._worst - plies - 1) == -score:
                    return action
            elif loses_next:  # no game that goes on is lost sooner, so it scores at least this, and at most
                return action
            elif not wins_at_once:
                # The child scores at least `-score`: does it score exactly that?
                found = self._solve(self._packed.pack(child), -score, -score + 1)
                if found.stopped != "done":
                    raise OutOfBudget(found.stopped)
                if found.high <= -score:
                    return action
        return actions[-1]

    def _line(self, state: State, position: Position | None, score: int) -> tuple[tuple[Action, ...], bool]:
        """Return best play from a state whose score is known, within the budget, and whether it goes to the end."""
        game, line, stopped = self._game, list[Action](), self._stopped
        plies = self._worst - max(1, abs(score)) - self._plies - 1  # a draw may take fewer
        try:
            while not game.terminal(state):
                followed = self._followed(position or self._packed.pack(state), score)
                line += followed
                if len(line) == plies:
                    break
                for action in followed:
                    state, score = game.result(state, action), -score
                if not game.terminal(state):
                    line.append(self._reaching(state, self._plies + 1 + len(line), score))
                    state, score, position = game.result(state, line[-1]), -score, None
        except OutOfBudget:
            self._stopped = stopped  # the value is proven all the same
            return tuple(line), False
        return tuple(line), True

    def _followed(self, position: Position, score: int) -> list[Action]:
        """Return best play from a position, as far as the kernel finds it in a short time."""
        if self._packed.action is None or not self._is_short(self._budget.left) or self._budget.stopped is not None:
            return []
        moves, nodes = self._solver.follow(position, score)
        self._budget.add(nodes)
        return [self._packed.action(move) for move in moves]

    def _on_scale(self, score: int) -> int:
        """Return a kernel's score on the game's scale, from the state that is asked about."""
        plies = self._worst - abs(score) - self._plies
        if plies < 0:
            raise BrokenGame("its kernel says that the game was over before the position asked about")
        return self._game.scale.score((score > 0) - (score < 0), plies)

    def _report(self, running: Running) -> None:
        """Report the progress of the kernel."""
        assert self._progress is not None
        action, scale = self._order[running.place] if self._order else None, self._game.scale
        window = (running.low, running.high) if action is None else (-running.high, -running.low)
        most = self._worst - self._plies  # nobody wins before the position asked about
        scores = [self._on_scale(max(-most, min(most, score))) for score in window]
        values = tuple((value_of(score), scale.distance(score)) for score in scores)
        line = () if action is None else (self._game.action_name(action),)
        budget = self._budget
        self._progress(Progress(running.deepest, budget.nodes + running.nodes, budget.seconds, line, values))
