"""Questions about a game's states, answered by its kernel."""

from collections.abc import Callable
from functools import cached_property
from time import perf_counter
from typing import Generic

from noughts.capabilities import capabilities
from noughts.compiled.build import Plan, available
from noughts.compiled.rules import rules_of
from noughts.compiled.solver import BUILDING, POLL, Running, Solver
from noughts.errors import BrokenGame, NoKernel
from noughts.game import Action, Game, State, as_game, legal_actions, to_move
from noughts.score import value_of, whole_utility
from noughts.search.alphabeta import Wanted
from noughts.search.answer import Answer, Scored, action_value, answer_from, unknown
from noughts.search.deepening import Progress
from noughts.search.limits import Limits, OutOfBudget

__all__ = ["INSTALL", "KernelAnalyst", "kernel"]

LOADING, COMPILING = 1.0, 6.0
"""Seconds to import numba and load a kernel, and to compile one."""

INSTALL = "pip install 'noughts[fast]'"


class KernelAnalyst(Generic[State, Action]):
    """Answers questions about one game by its kernel, and keeps its table from one to the next.

    Threads may share it: each question has its own budget, and the solver says what else is shared.
    """

    def __init__(
        self,
        game: Game[State, Action],
        table_mib: float = 64,
        threads: int | None = None,
    ) -> None:
        self.game = game
        self.offers = capabilities(game)
        offered = self.offers.kernel()
        if offered is None:
            raise BrokenGame("the game has no kernel; docs/own-game.md says how to write one")
        if not has_no_margins(self.offers.utility_range):
            raise BrokenGame(f"a kernel knows no margins, but utility_range is {self.offers.utility_range}")
        if not available():
            raise NoKernel(f"a kernel needs numba: {INSTALL}")
        self.pack = offered.pack
        self.rules = rules_of(offered)
        self._sizes = table_mib, threads
        self._solver: Solver | None = None

    @cached_property
    def _plan(self) -> Plan:
        """How the kernel is built."""
        return Plan.of(self.rules)

    @property
    def solver(self) -> Solver:
        """What does the work; asked for, it is loaded, and compiled if it has to be."""
        self.load(Limits())
        assert self._solver is not None
        return self._solver

    def load(self, limits: Limits) -> float:
        """Load the solver, and compile it if need be; return the seconds spent waiting while others compiled.

        Raises OutOfBudget if a limit is reached in that time.
        """
        if self._solver is not None:
            return 0.0
        started = perf_counter()
        while not BUILDING.acquire(timeout=POLL):
            if limits.seconds is not None and perf_counter() - started >= limits.seconds:
                raise OutOfBudget("deadline")
            if limits.cancel is not None and limits.cancel():
                raise OutOfBudget("cancelled")
        waited = perf_counter() - started
        try:
            if self._solver is None:
                table_mib, threads = self._sizes
                self._solver = Solver(self.rules, table_mib, threads=threads)
        finally:
            BUILDING.release()
        return waited

    @property
    def bytes(self) -> int:
        """How much memory its table may take; nothing before it is loaded."""
        return 0 if self._solver is None else self._solver.bytes

    @property
    def seconds_to_start(self) -> float:
        """About how long it takes until a first question can be looked at."""
        if self._solver is not None:
            return 0.0
        plan = self._plan
        return 0.0 if plan.loaded else LOADING if plan.is_kept() else COMPILING

    def ask(
        self,
        state: State,
        limits: Limits = Limits(),  # noqa: B008 - immutable
        wanted: Wanted = "all",
        progress: Callable[[Progress], None] | None = None,
    ) -> Answer[Action]:
        """Value a state; `wanted` says of which actions. Stopped, it says what it knows of them by then."""
        try:
            waited = self.load(limits)
        except OutOfBudget as out:
            some = () if self.game.terminal(state) else tuple(legal_actions(self.game, state)[:1])
            return unknown("kernel", 0, 0.0, out.stopped, some)._replace(depth=0)
        if limits.seconds is not None:
            limits = limits._replace(seconds=max(0.0, limits.seconds - waited))
        return _Asking(self, state, limits, progress).answer(wanted)


def kernel(
    game: Game[State, Action],
    state: State | None = None,
    *,
    limits: Limits = Limits(),  # noqa: B008 - immutable
    table_mib: float = 64,
    threads: int | None = None,
    wanted: Wanted = "best",
    progress: Callable[[Progress], None] | None = None,
) -> Answer[Action]:
    """Value a state, the initial one by default, at native speed, by the game's kernel; all cores by default.

    Raises BrokenGame if the game has no kernel, and NoKernel if numba is not installed or cannot be loaded.

    >>> import noughts
    >>> game = noughts.load("connect-four")
    >>> answer = kernel(game, noughts.replay(game, "4444445522222"), wanted="one")
    >>> answer.value, answer.distance, answer.method
    ('win', 21, 'kernel')
    """
    game = as_game(game)
    root = game.initial() if state is None else state
    return KernelAnalyst(game, table_mib, threads).ask(root, limits, wanted, progress)


class _Asking(Generic[State, Action]):
    """One question, and what is left of its budget. Scores are the kernel's: going up a ply only turns the sign."""

    def __init__(
        self,
        analyst: KernelAnalyst[State, Action],
        state: State,
        limits: Limits,
        progress: Callable[[Progress], None] | None,
    ) -> None:
        self._game, self._offers, self._solver = analyst.game, analyst.offers, analyst.solver
        self._pack, self._longest = analyst.pack, analyst.rules.longest
        self._state = state
        self._plies = 0 if self._game.terminal(state) else analyst.rules.plies(self._pack(state))
        self._limits = limits
        self._progress = progress
        self._started = perf_counter()
        self._nodes = 0
        self._known: dict[Action, int] = {}
        self._looking_at: Action | None = None

    def answer(self, wanted: Wanted) -> Answer[Action]:
        """Return what is asked for, as far as the budget goes."""
        game, state, scale = self._game, self._state, self._offers.scale
        if game.terminal(state):
            ended = scale.score(self._utility(state))
            return answer_from([], scale=scale, method="kernel", nodes=0, seconds=self._seconds, ended=ended)
        actions = self._sorted(state)
        try:
            if wanted == "one":
                score = self._score(state, self._plies)
                action = self._reaching(state, score, self._plies)
                self._known[action] = score
            else:
                for action in actions:
                    self._looking_at = action
                    self._known[action] = -self._score(game.result(state, action), self._plies + 1)
        except OutOfBudget as out:
            return self._stopped(actions, out)
        score = max(self._known.values())
        in_order = [action for action in legal_actions(game, state) if action in self._known]
        best = next(action for action in in_order if self._known[action] == score)
        line, line_complete = self._line(game.result(state, best), -score)
        scored = [Scored(action, self._on_scale(self._known[action]), line, line_complete) for action in in_order]
        answer = answer_from(scored, scale=scale, method="kernel", nodes=self._nodes, seconds=self._seconds)
        return answer._replace(actions=()) if wanted == "one" else answer

    @property
    def _seconds(self) -> float:
        return perf_counter() - self._started

    def _left(self) -> Limits:
        nodes, seconds, _, _ = self._limits
        return self._limits._replace(
            nodes=None if nodes is None else max(0, nodes - self._nodes),
            seconds=None if seconds is None else max(0.0, seconds - self._seconds),
        )

    def _score(self, state: State, plies: int, low: int | None = None, high: int | None = None) -> int:
        """Return the score of a state, mover's view, or the limit that it lies beyond."""
        game = self._game
        if game.terminal(state):
            return self._utility(state) * (self._longest + 1 - plies)
        progress = None if self._progress is None else self._tell
        found = self._solver.solve(self._pack(state), low, high, self._left(), progress)
        self._nodes += found.nodes
        if found.stopped != "done":
            raise OutOfBudget(found.stopped)
        return found.low if low is None or high is None else max(low, min(high, found.low))

    def _utility(self, state: State) -> int:
        """Return the utility of a finished state, in the view of the player who would move."""
        utility = whole_utility(self._game.utility(state), self._offers.utility_range)
        return to_move(self._game, state) * utility

    def _reaching(self, state: State, score: int, plies: int) -> Action:
        """Return an action that reaches the score of a state."""
        *others, last = self._sorted(state)
        for action in others:
            # The state after it scores no less than `-score`: is it that?
            if self._score(self._game.result(state, action), plies + 1, -score, -score + 1) == -score:
                return action
        return last

    def _line(self, state: State, score: int) -> tuple[tuple[Action, ...], bool]:
        """Return best play from a state whose score is known, within the budget, and whether it goes to the end."""
        line: list[Action] = []
        try:
            while not self._game.terminal(state):
                line.append(self._reaching(state, score, self._plies + 1 + len(line)))
                state, score = self._game.result(state, line[-1]), -score
        except OutOfBudget:
            return tuple(line), False  # what is proven is proven
        return tuple(line), True

    def _sorted(self, state: State) -> list[Action]:
        """Return the actions, those that are good without looking first."""
        preferred = {action: number for number, action in enumerate(self._offers.preferred)}
        return sorted(legal_actions(self._game, state), key=lambda action: preferred.get(action, len(preferred)))

    def _stopped(self, actions: list[Action], out: OutOfBudget) -> Answer[Action]:
        """Return what was found before the budget ran out; the best of what is known is no more than a guess."""
        guess = max(actions, key=lambda action: self._known.get(action, 0))
        scores = {action: self._on_scale(score) for action, score in self._known.items()}
        scale = self._offers.scale
        rows = tuple(action_value(a, scores.get(a), scale, a in scores) for a in legal_actions(self._game, self._state))
        found = unknown("kernel", self._nodes, self._seconds, out.stopped, (guess,))._replace(actions=rows, depth=0)
        if scores.get(guess, 0) <= 0:
            return found
        score = scores[guess]  # there may be a faster win
        margin, distance = scale.utility(score), scale.distance(score)
        return found._replace(value="win", distance=distance, margin=margin, score=score, bound="lower")

    def _on_scale(self, score: int) -> int:
        """Return a score as the game's scale has it, seen from the state that is asked about."""
        plies = self._longest + 1 - abs(score) - self._plies
        if plies < 0:
            raise BrokenGame("its kernel says that the game was over before the position asked about")
        return self._offers.scale.score(value_sign(score), plies)

    def _tell(self, running: Running) -> None:
        assert self._progress is not None
        action, scale = self._looking_at, self._offers.scale
        window = (running.low, running.high) if action is None else (-running.high, -running.low)
        most = self._longest + 1 - self._plies  # nobody wins before the position asked about
        scores = [self._on_scale(max(-most, min(most, score))) for score in window]
        values = tuple((value_of(score), scale.distance(score)) for score in scores)
        line = () if action is None else (self._offers.name(action),)
        nodes = self._nodes + running.nodes
        self._progress(Progress(running.deepest, nodes, self._seconds, line, values))


def has_no_margins(utility_range: tuple[int, int]) -> bool:
    """Say whether a game has wins, draws and losses only."""
    low, high = utility_range
    return low >= -1 and high <= 1


def value_sign(number: int) -> int:
    """Return 1, 0 or -1 for a number above, at or below 0."""
    return (number > 0) - (number < 0)
