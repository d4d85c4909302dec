"""The kernel of a game as a source: search at native speed, loaded when it is first needed."""

from collections.abc import Callable, Iterator
from functools import cached_property
from time import perf_counter
from typing import Any, Generic, NamedTuple

from noughts.capabilities import resolve
from noughts.compiled.build import Plan, available
from noughts.compiled.rules import rules_of
from noughts.compiled.solver import BUILDING, POLL, Found, Running, Solver
from noughts.errors import BrokenGame, NoKernel
from noughts.game import Action, Game, State
from noughts.notices import tell_once
from noughts.score import value_of, whole_utility
from noughts.search.alphabeta import Wanted
from noughts.search.answer import Answer, Scored, Stopped, action_between, answer_between, answer_from, unknown
from noughts.search.deepening import Progress
from noughts.search.limits import Budget, Limits, OutOfBudget
from noughts.sources.question import Question

__all__ = ["INSTALL", "KernelAtOnce", "KernelSearch", "NativeSearch"]

LOADING, COMPILING = 1.0, 6.0
"""Seconds to import numba and load a kernel, and to compile one."""

INSTALL = "pip install 'noughts[fast]'"

AT_ONCE = 0.05
"""Seconds for a first attempt, before a short look ahead; most positions take far less."""

AT_ONCE_SHARE = 0.25
"""The share of what is left of the nodes that a first attempt may take; the glance needs some, too."""

SHARE: dict[Wanted, float] = {"one": 0.95, "best": 0.75, "all": 0.75}
"""The share of what is left that a long attempt may spend; the rest is for looking ahead if it does not finish."""

TOO_FEW_NODES = 10_000
"""For a question with a lower limit of nodes than this, a kernel is not worth loading."""


class NativeSearch(Generic[State, Action]):
    """Searches one game by its kernel, and keeps its table from one question to the next. Threads may share it.

    Raises BrokenGame if the game has no kernel, and NoKernel if numba is not installed.
    """

    def __init__(self, game: Game[State, Action], table_mib: float = 64, threads: int | None = None) -> None:
        self.game = resolve(game)
        offered = self.game.kernel()
        if offered is None:
            raise BrokenGame("the game has no kernel; docs/own-game.md says how to write one")
        if self.game.has_margins:
            raise BrokenGame(f"a kernel knows no margins, but utility_range is {self.game.utility_range}")
        if not available():
            raise NoKernel(f"a kernel needs numba: {INSTALL}")
        self.pack = offered.pack
        self.action = offered.action
        self.rules = rules_of(offered)
        self.order = {action: number for number, action in enumerate(self.game.preferred)}
        """The place of each action in the order in which to try them."""
        self._sizes = table_mib, threads
        self._solver: Solver | None = None

    @cached_property
    def _plan(self) -> Plan:
        """How the kernel is built."""
        return Plan.of(self.rules)

    @property
    def solver(self) -> Solver:
        """The compiled search; loaded, or compiled if necessary, when it is first needed."""
        if self._solver is None:
            self.load(Limits())
        assert self._solver is not None
        return self._solver

    @property
    def is_loaded(self) -> bool:
        """Whether the compiled search is loaded."""
        return self._solver is not None

    def load(self, limits: Limits) -> None:
        """Load the compiled search, or compile it if necessary; raise OutOfBudget if a limit is reached first."""
        if self._solver is not None:
            return
        started = perf_counter()
        while not BUILDING.acquire(timeout=POLL):
            if limits.seconds is not None and perf_counter() - started >= limits.seconds:
                raise OutOfBudget("deadline")
            if limits.cancel is not None and limits.cancel():
                raise OutOfBudget("cancelled")
        try:
            if self._solver is None:
                table_mib, threads = self._sizes
                self._solver = Solver(self.rules, table_mib, threads=threads)
        finally:
            BUILDING.release()

    @property
    def seconds_to_load(self) -> float:
        """About how long it takes to get ready for the first question."""
        if self._solver is not None:
            return 0.0
        return 0.0 if self._plan.loaded else LOADING if self._plan.is_kept() else COMPILING

    def forget(self) -> None:
        """Empty the table."""
        if self._solver is not None:
            self._solver.forget()

    @property
    def bytes(self) -> int:
        """How much memory the table may take; 0 before the kernel is loaded."""
        return 0 if self._solver is None else self._solver.bytes

    def ask(
        self,
        state: State,
        limits: Limits = Limits(),  # noqa: B008 - immutable
        wanted: Wanted = "all",
        progress: Callable[[Progress], None] | None = None,
    ) -> Answer[Action]:
        """Value a state; `wanted` says for which actions. If a limit stops it, the answer holds what is proven."""
        budget = Budget(limits)
        if self._solver is None:
            try:
                self.load(limits)
            except OutOfBudget as out:
                some = () if self.game.terminal(state) else tuple(self.game.legal_actions(state)[:1])
                return unknown("kernel", 0, 0.0, out.stopped, some)._replace(depth=0)
        return _Asking(self, state, budget, progress).answer(wanted)


class _Child(NamedTuple, Generic[Action]):
    """The position after an action, as the kernel has it; for a finished game, its score instead."""

    action: Action
    position: Any
    score: int | None


class _Asking(Generic[State, Action]):
    """One question to a kernel. Scores are the kernel's, which count plies from the start of the game.

    So a score does not depend on the position from which it is seen: going up a ply only changes its sign.
    """

    def __init__(
        self,
        native: NativeSearch[State, Action],
        state: State,
        budget: Budget,
        progress: Callable[[Progress], None] | None,
    ) -> None:
        self._native, self._game, self._solver = native, native.game, native.solver
        self._worst = native.rules.longest + 1
        self._state = state
        self._budget = budget
        self._progress = progress
        self._stopped: Stopped = "done"
        self._looking_at: Action | None = None
        self._position: Any = None
        self._plies = 0

    def answer(self, wanted: Wanted) -> Answer[Action]:
        """Return what is wanted, as far as the budget allows."""
        game, state, scale = self._game, self._state, self._game.scale
        if game.terminal(state):
            ended = scale.score(self._utility(state))
            return self._finished(answer_from([], scale=scale, method="kernel", nodes=0, seconds=0.0, ended=ended))
        self._position = self._native.pack(state)
        self._plies = self._native.rules.plies(self._position)
        return self._one() if wanted == "one" else self._finished(self._every())

    def _finished(self, answer: Answer[Action]) -> Answer[Action]:
        return answer._replace(nodes=self._budget.nodes, seconds=self._budget.seconds, stopped=self._stopped)

    def _one(self) -> Answer[Action]:
        """Value the state, with one best action."""
        game, state = self._game, self._state
        found = self._solve(self._position, -self._worst, self._worst)
        action = self._played(found.move)
        if found.low < found.high:
            guess = self._first(state) if action is None else action
            return self._finished(self._unfinished((), found.low, found.high, (guess,)))
        if action is None:
            try:
                action = self._reaching(state, self._plies, found.low)
            except OutOfBudget:
                return self._finished(self._unfinished((), found.low, found.high, (self._first(state),)))
        score, scale = self._on_scale(found.low), game.scale
        return Answer(
            value=value_of(score),
            distance=scale.distance(score),
            margin=scale.utility(score),
            score=score,
            best=(action,),
            line=(action,),
            actions=(),
            proven=True,
            bound=None,
            depth=None,
            method="kernel",
            nodes=self._budget.nodes,
            seconds=self._budget.seconds,
            stopped="done",
            line_complete=game.terminal(game.result(state, action)),
            low=score,
            high=score,
        )

    def _every(self) -> Answer[Action]:
        """Value the state with every action: first who wins after each, then how fast.

        Each action gets an equal share of the time that is left, so that one hard position does not take all of it.
        """
        children = list(self._children(self._state, self._plies))
        bounds = dict.fromkeys(range(len(children)), (-self._worst, self._worst))
        for low, high in ((-1, 1), (-self._worst, self._worst)):
            for number, child in enumerate(children):
                least, most = bounds[number]
                if least == most or ((low, high) == (-1, 1) and (least >= 1 or most <= -1)):
                    continue
                self._looking_at = child.action
                if child.score is not None:
                    bounds[number] = -child.score, -child.score
                    continue
                if self._budget.stopped is not None:
                    self._stopped = self._budget.stopped
                    continue
                window = max(low, -most), min(high, -least)
                found = self._solve(child.position, *window, share=1 / (len(children) - number))
                bounds[number] = max(least, -found.high), min(most, -found.low)
        known = {child.action: bounds[number] for number, child in enumerate(children)}
        legal = self._game.legal_actions(self._state)
        if any(low < high for low, high in known.values()):
            low = max(low for low, _ in known.values())
            high = max(high for _, high in known.values())
            likely = max(children, key=lambda child: known[child.action][0])
            rows = [self._row(action, *known[action]) for action in legal]
            return self._unfinished(tuple(rows), low, high, (likely.action,))
        self._stopped = "done"
        score = max(low for low, _ in known.values())
        best = next(action for action in legal if known[action][0] == score)
        line, complete = self._line(self._game.result(self._state, best), -score)
        scored = [Scored(action, self._on_scale(known[action][0]), line, complete) for action in legal]
        return answer_from(scored, scale=self._game.scale, method="kernel", nodes=0, seconds=0.0)

    def _unfinished(self, rows: tuple[Any, ...], low: int, high: int, guess: tuple[Action, ...]) -> Answer[Action]:
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

    def _row(self, action: Action, low: int, high: int) -> Any:
        return action_between(action, self._bound(low), self._bound(high), self._game.scale)

    def _bound(self, score: int) -> int | None:
        """Return a bound on the game's scale, or None if it excludes nothing."""
        return None if abs(score) >= self._worst - self._plies else self._on_scale(score)

    def _solve(self, position: Any, low: int, high: int, share: float = 1.0) -> Found:
        """Ask the kernel for bounds of a position, within a share of the budget that is left."""
        progress = None if self._progress is None else self._report
        budget = self._budget
        limits = budget.part(share)
        if self._stopped == "cancelled":
            return Found(-self._worst, self._worst, None, 0, self._stopped)
        if limits.nodes == 0 and budget.stopped is not None:  # the solver would visit a node before it stops
            found = Found(-self._worst, self._worst, None, 0, budget.stopped)
        else:
            found = self._solver.solve(position, low, high, limits, progress)
        budget.add(found.nodes)
        if found.stopped != "done":
            self._stopped = found.stopped
        return found

    def _children(self, state: State, plies: int) -> Iterator[_Child[Action]]:
        """Yield the children of a state, the most promising first."""
        game, pack = self._game, self._native.pack
        for action in self._ordered(state):
            child = game.result(state, action)
            if game.terminal(child):
                yield _Child(action, None, self._utility(child) * (self._worst - plies - 1))
            else:
                yield _Child(action, pack(child), None)

    def _ordered(self, state: State) -> list[Action]:
        """Return the actions of a state, the most promising first."""
        actions, order = self._game.legal_actions(state), self._native.order
        return sorted(actions, key=lambda action: order.get(action, len(order))) if order else actions

    def _first(self, state: State) -> Action:
        """Return the most promising action, before anything is known."""
        return self._ordered(state)[0]

    def _played(self, move: int | None) -> Action | None:
        """Return the action for a move of the kernel, or None if there is no move."""
        native = self._native
        if move is None:
            return None
        if native.action is not None:
            action: Action = native.action(move)
            return action
        after = native.rules.functions.play(self._position, move)
        children = self._children(self._state, self._plies)
        return next((child.action for child in children if child.position == after), None)

    def _utility(self, state: State) -> int:
        """Return the utility of a finished state, in the view of the player who would move."""
        return self._game.to_move(state) * whole_utility(self._game.utility(state), self._game.utility_range)

    def _reaching(self, state: State, plies: int, score: int) -> Action:
        """Return an action that reaches the score of a state; raise OutOfBudget if a limit comes first."""
        game = self._game
        actions = self._ordered(state)
        if score == self._worst - plies - 1:  # a win at once
            for action in actions:
                if game.terminal(game.result(state, action)):
                    return action
        for child in self._children(state, plies):
            if child.action == actions[-1]:
                break
            if child.score is not None:
                if child.score == -score:
                    return child.action
                continue
            # The child scores at least `-score`: does it score exactly that?
            found = self._solve(child.position, -score, -score + 1)
            if found.stopped != "done":
                raise OutOfBudget(found.stopped)
            if found.high <= -score:
                return child.action
        return actions[-1]

    def _line(self, state: State, score: int) -> tuple[tuple[Action, ...], bool]:
        """Return best play from a state whose score is known, within the budget, and whether it goes to the end."""
        line: list[Action] = []
        stopped = self._stopped
        try:
            while not self._game.terminal(state):
                line.append(self._reaching(state, self._plies + 1 + len(line), score))
                state, score = self._game.result(state, line[-1]), -score
        except OutOfBudget:
            self._stopped = stopped  # the value is proven all the same
            return tuple(line), False
        return tuple(line), True

    def _on_scale(self, score: int) -> int:
        """Return a kernel's score on the game's scale, from the state that is asked about."""
        plies = self._worst - abs(score) - self._plies
        if plies < 0:
            raise BrokenGame("its kernel says that the game was over before the position asked about")
        return self._game.scale.score((score > 0) - (score < 0), plies)

    def _report(self, running: Running) -> None:
        """Report the progress of the kernel."""
        assert self._progress is not None
        action, scale = self._looking_at, self._game.scale
        window = (running.low, running.high) if action is None else (-running.high, -running.low)
        most = self._worst - self._plies  # nobody wins before the position asked about
        scores = [self._on_scale(max(-most, min(most, score))) for score in window]
        values = tuple((value_of(score), scale.distance(score)) for score in scores)
        line = () if action is None else (self._game.action_name(action),)
        budget = self._budget
        self._progress(Progress(running.deepest, budget.nodes + running.nodes, budget.seconds, line, values))


class KernelAtOnce(Generic[State, Action]):
    """A kernel asked for what it can settle in a moment, if it is loaded."""

    def __init__(self, native: NativeSearch[State, Action]) -> None:
        self.native = native

    def ask(self, question: Question[State, Action]) -> Answer[Action] | None:
        """Return the answer, or the bounds found in a moment; None if the kernel is not loaded yet."""
        if not self.native.is_loaded:
            return None
        question.native = True
        left, limits = question.budget.left, question.budget.part(AT_ONCE_SHARE)
        seconds = AT_ONCE if left.seconds is None else min(AT_ONCE, left.seconds * SHARE[question.wanted])
        return self.native.ask(question.state, limits._replace(seconds=seconds), question.wanted)

    def forget(self) -> None:
        """Empty the table."""
        self.native.forget()

    @property
    def bytes(self) -> int:
        """How much memory the table may take."""
        return self.native.bytes


class KernelSearch(Generic[State, Action]):
    """The same kernel, loaded if need be, and asked for as long as the limits allow."""

    bytes = 0
    """`KernelAtOnce` counts the table."""

    def __init__(self, native: NativeSearch[State, Action]) -> None:
        self.native = native
        self._broken: str | None = None
        """Why the kernel cannot be built, once that has failed."""

    def ask(self, question: Question[State, Action]) -> Answer[Action] | None:
        """Return the answer, or the bounds proven when the limits stopped it; None if there is no time to load it."""
        if not self._ready(question):
            return None
        question.native = True
        limits = question.budget.part(SHARE[question.wanted])
        return self.native.ask(question.state, limits, question.wanted, question.progress)

    def _ready(self, question: Question[State, Action]) -> bool:
        """Load the kernel if that is worth it; return whether it is loaded."""
        native, limits = self.native, question.budget.left
        if native.is_loaded:
            return True
        if self._broken is not None:
            return self._tell()
        few = question.limits.nodes is not None and question.limits.nodes < TOO_FEW_NODES
        if few or (limits.cancel is not None and limits.cancel()):
            return False
        if limits.seconds is not None and native.seconds_to_load > limits.seconds:
            return False
        self.load(limits)
        return native.is_loaded if self._broken is None else self._tell()

    def _tell(self) -> bool:
        """Tell the user, once, why the search is slower; return False, since there is no kernel."""
        tell_once(f"the search is interpreted, which is slower: {self._broken}")
        return False

    def load(self, limits: Limits) -> None:
        """Load the kernel, and compile it if need be, within limits. Once that has failed, it is not tried again.

        Says nothing of a failure: the server compiles kernels before anybody asks. The next question reports it.
        """
        if self._broken is not None:
            return
        try:
            self.native.load(limits)
        except OutOfBudget:
            return
        except NoKernel as why:
            self._broken = str(why)

    def forget(self) -> None:
        """Do nothing: `KernelAtOnce` empties the table."""
