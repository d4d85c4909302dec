"""Retrograde analysis: the value of every position of a game in which positions can repeat, from the ends backwards.

Endless play counts 0, a draw. A player secures a utility above 0 by forcing an end that is worth it, and keeps a
utility of 0 if the opponent can force nothing better. So the score of a position is what its best line of at most n
plies comes to, where play that still goes on after n plies counts 0, for every n that is large enough: the utility
first, then the number of plies, fewest for the player who gains by the end and most for the other one.

1. Visit every position below the one asked about, and note from which others it can be reached.
2. For each player, and each margin by which that player can win, the largest first: mark the ends with that margin;
   then, one ply further from the end at a time, every position from which the player can move to a marked one, and
   every position from which the opponent can move to nothing but marked ones.
3. What is not marked is a draw.

A position is marked by what follows it, never by how it was reached, so that each score holds on every path.
"""

from collections import defaultdict
from collections.abc import Callable
from typing import Any, Generic

from noughts.capabilities import ResolvedGame
from noughts.game import MAX, MIN, Action, State
from noughts.score import whole_utility
from noughts.search.alphabeta import Wanted
from noughts.search.answer import Answer, Scored, answer_from, unknown
from noughts.search.deepening import Progress
from noughts.search.limits import Budget, Limits, OutOfBudget
from noughts.symmetry import UpToSymmetry

__all__ = ["Retrograde"]

NOW_AND_THEN = 4_096
"""How many positions are visited, or marked, between two looks at the clock and reports of progress."""

POSITION_BYTES = 420
"""About how much memory a position takes while it is visited: its key, its state, and where it is reached from."""

SOLVED_BYTES = 150
"""About how much memory a solved position takes."""

Reporting = Callable[[Progress], None] | None


class Retrograde(Generic[State, Action]):
    """The exact scores of the positions of a finite game, whether or not they can repeat, and whoever moves.

    A question that a limit stops goes on where it was stopped the next time. Threads may share it: what is visited
    belongs to one question at a time, and a score is exact when it is stored.
    """

    def __init__(self, game: ResolvedGame[State, Action], most: int | None = None) -> None:
        self._game, self._most = game, most
        """The game, and how many positions may be visited for one question; None is no limit."""
        self._scores: UpToSymmetry[State, int] = UpToSymmetry(game)
        """MAX's score of each solved position."""
        self._waiting: _Visit[State, Action] | None = None
        """What was visited for the latest question, if a limit stopped it."""
        self.is_too_large = False
        """Whether more positions were found than may be visited."""

    def knows(self, state: State) -> bool:
        """Return whether the score of a state is known, so that valuing it takes no search."""
        return state in self._scores

    def answer(
        self,
        state: State,
        limits: Limits = Limits(),  # noqa: B008 - immutable
        wanted: Wanted = "all",
        progress: Reporting = None,
    ) -> Answer[Action]:
        """Value a state and every action, or one action if `wanted` says so; unknown if a limit stops the search."""
        budget = Budget(limits)
        try:
            self.solve(state, budget, progress)
            return self._answer(state, budget, wanted)
        except OutOfBudget as out:
            return unknown("retrograde", budget.nodes, budget.seconds, out.stopped)

    def solve(self, state: State, budget: Budget, progress: Reporting = None) -> None:
        """Find the score of a state and of every position below it; raise OutOfBudget if a limit stops it."""
        if state in self._scores:
            return
        if self.is_too_large:
            raise OutOfBudget("node limit")
        visit, self._waiting = self._waiting, None
        if visit is None or state not in visit.numbers:
            visit = _Visit(self._game, self._scores, state)
        try:
            self.is_too_large = not visit.run(budget, self._most, progress)
            if self.is_too_large:
                raise OutOfBudget("node limit")
            scores = _scores(self._game, visit, budget)
        except OutOfBudget:
            if not self.is_too_large:
                self._waiting = visit
            raise
        self._scores.add_all(visit.numbers, scores.__getitem__)

    def score(self, state: State) -> int:
        """Return MAX's score of a solved state."""
        return self._scores[state]

    def _answer(self, state: State, budget: Budget, wanted: Wanted) -> Answer[Action]:
        """Return the answer about a solved state."""
        game, mover = self._game, self._game.to_move(state)
        rows = self._rows(state, mover, budget)
        ended = mover * self._scores[state]
        best = max(rows, key=lambda row: row[1], default=None)
        scored: list[Scored[Action]] = []
        endless = False
        if best is not None:
            line, endless = self._line(state, best[0], budget)
            scored = [Scored(*row, line, not endless) for row in ([best] if wanted == "one" else rows)]
        found = answer_from(
            scored,
            ended=ended,
            scale=game.scale,
            method="retrograde",
            nodes=budget.nodes,
            seconds=budget.seconds,
        )
        return found._replace(endless=endless, actions=() if wanted == "one" else found.actions)

    def _rows(self, state: State, mover: int, budget: Budget) -> list[tuple[Action, int]]:
        """Return each action with its score for the player who takes it."""
        game, scores, rows = self._game, self._scores, []
        if not game.terminal(state):
            for action in game.legal_actions(state):
                budget.check()
                score = scores[game.result(state, action)]
                rows.append((action, mover * game.scale.one_ply_later(score)))
        return rows

    def _line(self, state: State, action: Action, budget: Budget) -> tuple[tuple[Action, ...], bool]:
        """Return best play after an action, and whether it never ends: then the last action repeats a position."""
        game, key = self._game, self._game.key
        line: list[Action] = []
        seen = {key(state)}
        state = game.result(state, action)
        while not game.terminal(state):
            own = key(state)
            if own in seen:
                return tuple(line), True
            seen.add(own)
            rows = self._rows(state, game.to_move(state), budget)
            action, _ = max(rows, key=lambda row: row[1])
            line.append(action)
            state = game.result(state, action)
        return tuple(line), False

    def forget(self) -> None:
        """Drop all scores. A game that was found to be too large is not tried again."""
        self._scores, self._waiting = UpToSymmetry(self._game), None

    @property
    def bytes(self) -> int:
        """About how much memory it takes."""
        waiting = self._waiting
        visited = 0 if waiting is None else len(waiting.numbers) * POSITION_BYTES
        return len(self._scores) * SOLVED_BYTES + visited


class _Visit(Generic[State, Action]):
    """The positions below a root, as numbers in the order in which they were found."""

    def __init__(self, game: ResolvedGame[State, Action], known: UpToSymmetry[State, int], root: State) -> None:
        self._game, self._known = game, known
        self.numbers: UpToSymmetry[State, int] = UpToSymmetry(game)
        self.movers: list[int] = []
        self.before: list[list[int]] = []
        """The positions from which each can be reached, once for every action that leads there."""
        self.actions: list[int] = []
        """How many actions each position has; none where play ends, or where the score is known."""
        self.ends: defaultdict[int, defaultdict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        """The positions where play ends, or whose score is known: by utility, and by plies to the end."""
        self._states: list[Any] = []
        """The states; None once their actions were followed."""
        self._next = 0
        """The first position whose actions were not followed yet."""
        self._ply, self._ply_ends = 0, 1
        self._add(root)

    def run(self, budget: Budget, most: int | None, progress: Reporting = None) -> bool:
        """Visit all positions; return False if there are more than `most`. Raises OutOfBudget if a limit stops it."""
        legal_actions, result, look_up = self._game.legal_actions, self._game.result, self.numbers.get
        states, actions, before = self._states, self.actions, self.before
        while self._next < len(states):
            own, state = self._next, states[self._next]
            budget.visit()
            if own == self._ply_ends:
                self._ply, self._ply_ends = self._ply + 1, len(states)
            if progress is not None and own % NOW_AND_THEN == 0:
                progress(Progress(self._ply, budget.nodes, budget.seconds, ()))
            if actions[own]:
                found = []
                for action in legal_actions(state):
                    budget.check()  # a game's functions may be slow, and there may be thousands
                    child = result(state, action)
                    number = look_up(child)
                    found.append(self._add(child) if number is None else number)
                for number in found:
                    before[number].append(own)
                actions[own] = len(found)
            states[own] = None
            self._next = own + 1
            if most is not None and len(states) > most:
                return False
        return True

    def _add(self, state: State) -> int:
        """Add a new position, and return its number."""
        game, number, scale = self._game, len(self._states), self._game.scale
        known = self._known.get(state)
        ended = known is not None or game.terminal(state)
        if known is not None:
            self.ends[scale.utility(known)][scale.distance(known) or 0].append(number)
        elif ended:
            self.ends[whole_utility(game.utility(state), game.utility_range)][0].append(number)
        self.movers.append(game.to_move(state))
        self.before.append([])
        self.actions.append(0 if ended else UNKNOWN)
        self.numbers[state] = number
        self._states.append(state)
        return number


UNKNOWN = -1
"""Stands for the number of actions of a position that was not visited yet."""


def _scores(game: ResolvedGame[Any, Any], visit: _Visit[Any, Any], budget: Budget) -> list[int]:
    """Return MAX's score of every position that was visited; raise OutOfBudget if the time is up."""
    scale, left = game.scale, visit.actions.copy()
    found: list[int | None] = [None] * len(left)
    for utility, by_plies in visit.ends.items():
        for plies, numbers in by_plies.items():
            for number in numbers:
                found[number] = scale.score(utility, plies)
    for winner in (MAX, MIN):
        for margin in sorted((abs(utility) for utility in visit.ends if utility * winner > 0), reverse=True):
            _mark(game, visit, found, left, winner * margin, budget)
    return [score or 0 for score in found]


def _mark(
    game: ResolvedGame[Any, Any],
    visit: _Visit[Any, Any],
    found: list[int | None],
    left: list[int],
    utility: int,
    budget: Budget,
) -> None:
    """Mark the positions from which the player who wants this utility can force it, the nearest to the end first.

    `left` counts for each position the actions that lead to nothing marked yet for the opponent of the player to move.
    """
    movers, before, scale, ends = visit.movers, visit.before, game.scale, visit.ends[utility]
    winner = MAX if utility > 0 else MIN
    layer: list[int] = []
    plies, last = min(ends), max(ends)
    while layer or plies <= last:
        if plies in ends:
            layer = layer + ends[plies]
        plies += 1
        score = scale.score(utility, plies)
        following: list[int] = []
        for place, number in enumerate(layer):
            if place % NOW_AND_THEN == 0:
                budget.check()
            for parent in before[number]:
                if found[parent] is not None:
                    continue
                if movers[parent] != winner:
                    left[parent] -= 1
                    if left[parent]:
                        continue
                if plies > scale.longest:
                    raise scale.too_long()
                found[parent] = score
                following.append(parent)
        layer = following
