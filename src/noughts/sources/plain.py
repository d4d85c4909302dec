"""Games in plain Python at native speed: their six functions, compiled, if that can be done exactly."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from types import SimpleNamespace
from typing import Any

from noughts.capabilities import resolve
from noughts.compiled.build import available
from noughts.compiled.deep_layout import LOW, UNIT
from noughts.compiled.deep_root import Child, RootSearch
from noughts.compiled.deep_solver import Run
from noughts.compiled.rules import Position
from noughts.errors import BrokenGame, NoKernel
from noughts.game import Action, Game, State
from noughts.plain import layout
from noughts.plain.build import PlainPlan
from noughts.plain.sample import numbers_like
from noughts.plain.solver import PlainRun, PlainSolver
from noughts.plain.source import Refused
from noughts.score import Scale
from noughts.search.alphabeta import Wanted
from noughts.search.answer import Answer
from noughts.search.deepening import Progress
from noughts.search.limits import Budget, Limits, OutOfBudget
from noughts.search.narrowing import narrow
from noughts.sources.deep import DeepNative, DeepQuestion
from noughts.sources.kernel import INSTALL, LOADING
from noughts.sources.kernel_attempts import TOO_FEW_NODES
from noughts.sources.question import Question, Source

__all__ = ["PlainAtOnce", "PlainNative", "PlainSearch", "why_not_native"]

TO_SAMPLE = 0.1
"""The share of what is left that may be spent to find out whether the functions can be compiled."""

SHARE = 0.5
"""The share of what is left that the search may spend; the rest is for looking ahead with the game's heuristic."""


LARGE = 1 << 62
"""A number that is too large for a state; so are all above it, and those below its negative."""


def _nothing() -> None:
    """Check nothing."""


class PlainNative(DeepNative[State, Action]):
    """Searches one game by its own six functions, compiled. Threads may share it.

    Raises NoKernel if numba is not installed, and Refused, when it is loaded, if the functions cannot be compiled.
    """

    def __init__(self, game: Game[State, Action], table_mib: float = 64, _: int | None = None) -> None:
        self.game = resolve(game)
        if not available():
            raise NoKernel(f"native speed needs numba: {INSTALL}")
        self.order = {action: number for number, action in enumerate(self.game.preferred)}
        self._sizes = table_mib, 1
        self._solver: Any = None
        self._check: Callable[[], None] = _nothing
        """Called while states are sampled and compared, since a game's functions may be slow."""
        self.rules: Any = SimpleNamespace(longest=layout.MOST_PLIES, functions=None, bounds=self._bounds)

    @cached_property
    def _plan(self) -> PlainPlan:
        return PlainPlan(self.game, self._check)

    def _new_solver(self, table_mib: float, _: int | None) -> Any:
        return PlainSolver(self._plan, table_mib, self._check)

    @contextmanager
    def within(self, limits: Limits) -> Iterator[None]:
        """A context in which sampling and comparing raise OutOfBudget when a limit is reached."""
        self._check = Budget(limits).check
        try:
            yield
        finally:
            self._check = _nothing

    def pack(self, state: State) -> Position:
        """Return the numbers of a state; raise Refused if it is not like the states that were sampled."""
        numbers = numbers_like(self._plan.samples.shape, state)
        if numbers is None:
            raise Refused("a state differs from others in its length, or in what it holds")
        if max(numbers, default=0) >= LARGE or min(numbers, default=0) <= -LARGE:
            raise Refused("a number of a state needs more than 62 bits")
        return tuple(numbers)

    @property
    def same_length(self) -> bool:
        """Whether all games that were sampled had the same length."""
        return self._plan.samples.same_length

    def is_current(self) -> bool:
        """Return whether what was compiled is still what the game does."""
        return self._plan.program.is_current()

    def _bounds(self, _: Position) -> tuple[int, int]:
        """Return the lowest and the highest score of an unfinished state, whoever moves."""
        low, high = self._solver.bounds
        return min(low, -high), max(high, -low)

    def _run(self, limits: Limits) -> Run:
        return PlainRun(self._solver, limits)

    def _question(
        self, run: Run, state: State, progress: Callable[[Progress], None] | None
    ) -> DeepQuestion[State, Action]:
        return _PlainQuestion(self, run, state, progress)

    def ask(
        self,
        state: State,
        limits: Limits = Limits(),  # noqa: B008 - immutable
        wanted: Wanted = "all",
        progress: Callable[[Progress], None] | None = None,
    ) -> Answer[Action]:
        """Value a state; `wanted` says for which actions. If a limit stops it, the answer holds what is proven."""
        if self._solver is not None and not self.is_current():
            raise Refused("a constant of the game has changed since it was compiled")
        try:
            return super().ask(state, limits, wanted, progress)
        except Refused as why:
            raise BrokenGame(f"the game has no kernel, and its functions are not compiled: {why}") from None


class _PlainQuestion(DeepQuestion[State, Action]):
    """One question to the native search of a game in plain Python."""

    def _root(self, children: list[Child], _: int) -> RootSearch:
        native: Any = self._native
        most, position = native.solver.most, native.pack(self._state)
        return _PlainRoot(self._run, children, most, position, native.same_length)


class _PlainRoot(RootSearch):
    """Values the children of a position: first the position itself, by how soon it can be won or lost."""

    def __init__(self, run: Run, children: list[Child], most: int, position: Position, same_length: bool) -> None:
        super().__init__(run, children, most, layout.MOST_PLIES)
        self._position, self._same_length = position, same_length

    def search(self, wanted: Wanted, report: Callable[[], None], deepest: int, *, unlimited: bool) -> None:  # noqa: ARG002
        """Prove what is wanted; raise OutOfBudget if a limit comes first. `report` is called after each step."""
        whole = _Whole(self._run, self._position, max(self.low), max(self.high))
        self._narrow(whole, report)
        score = whole.low
        likely = self._run.choice if isinstance(self._run, PlainRun) else -1
        self._order.sort(key=lambda number: number != likely)  # where actions have another order, this costs time only
        self.high = [min(high, score) for high in self.high]
        for number in self._order:
            if self._reaches(number, score):
                self.best = number
                if wanted == "one":
                    return
        if wanted == "all":
            for number in self._order:
                self._narrow(_One(self, number), report)

    def _narrow(self, bounds: "_Whole | _One", report: Callable[[], None]) -> None:
        """Ask until a score is exact."""
        scale, margins = Scale(layout.MOST_PLIES), self._most > layout.UNIT_SCORE
        narrow(bounds, scale, margins=margins, same_length=self._same_length, report=lambda _: report())

    @property
    def nodes(self) -> int:
        """How many nodes the run took so far."""
        return self._run.nodes


class _Whole:
    """The bounds of the score of the position that is asked about."""

    def __init__(self, run: Run, position: Any, low: int, high: int) -> None:
        self._run, self._position, self.low, self.high = run, position, low, high

    @property
    def nodes(self) -> int:
        """How many nodes the run took so far."""
        return self._run.nodes

    def ask(self, score: int) -> None:
        """Find out whether it scores at least this."""
        value, sure = self._run.value(self._position, score * UNIT - 1, score * UNIT, 0)
        if sure & LOW:
            self.low = max(self.low, value // UNIT)
        else:
            self.high = min(self.high, value // UNIT)


class _One:
    """The bounds of the score of one action."""

    def __init__(self, root: _PlainRoot, number: int) -> None:
        self._root, self._number = root, number

    @property
    def low(self) -> int:
        """The proven lower bound."""
        return self._root.low[self._number]

    @property
    def high(self) -> int:
        """The proven upper bound."""
        return self._root.high[self._number]

    @property
    def nodes(self) -> int:
        """How many nodes the run took so far."""
        return self._root.nodes

    def ask(self, score: int) -> None:
        """Find out whether it scores at least this."""
        self._root._reaches(self._number, score)


class PlainSearch(Source[State, Action]):
    """The native search of a game in plain Python as a source, loaded once a search in Python has taken too long."""

    def __init__(self, native: PlainNative[State, Action]) -> None:
        self.native = native
        self._is_off = False

    @property
    def is_loaded(self) -> bool:
        """Whether it is loaded, and so is worth asking first."""
        return self.native.is_loaded and not self._is_off

    def ask(self, question: Question[State, Action]) -> Answer[Action] | None:
        """Return the answer, or what was proven when the limits stopped it; None if there is no such search."""
        limits = question.budget.left
        few = question.limits.nodes is not None and question.limits.nodes < TOO_FEW_NODES
        if self._is_off or few or question.native:
            return None
        try:
            if not self.native.is_loaded:
                if limits.seconds is not None and limits.seconds * SHARE < LOADING:
                    return None
                with self.native.within(question.budget.part(TO_SAMPLE)):
                    needed = self.native.seconds_to_load
                if limits.seconds is not None and needed > limits.seconds * SHARE:
                    return None
                with self.native.within(question.budget.part(SHARE)):
                    self.native.load(question.budget.left)
            found = self.native.ask(question.state, question.budget.part(SHARE), question.wanted, question.progress)
            question.native = True
            return found
        except OutOfBudget:
            return None
        except (Refused, BrokenGame, NoKernel):  # what is wrong with a game, interpreted search reports
            self._is_off = True
            return None

    def prepare(self, limits: Limits) -> bool:
        """Load it if it was compiled before, within a share of the limits; return False: it may not know all."""
        try:
            with self.native.within(Budget(limits).part(TO_SAMPLE)):
                if not self._is_off and self.native.seconds_to_load <= LOADING:
                    self.native.load(limits)
        except OutOfBudget:
            pass
        except (Refused, BrokenGame, NoKernel):
            self._is_off = True
        return False

    def forget(self) -> None:
        """Empty the table."""
        self.native.forget()

    @property
    def bytes(self) -> int:
        """How much memory the table takes."""
        return self.native.bytes


class PlainAtOnce(Source[State, Action]):
    """The same search, asked before those in Python if it is loaded."""

    def __init__(self, search: PlainSearch[State, Action]) -> None:
        self._search = search

    def ask(self, question: Question[State, Action]) -> Answer[Action] | None:
        """Return the answer, or what was proven when the limits stopped it; None if it is not loaded."""
        return self._search.ask(question) if self._search.is_loaded else None


def why_not_native(game: Game[Any, Any]) -> str | None:
    """Return in one line why a game's six functions are not searched at native speed, or None if they are."""
    try:
        PlainNative(game).load(Limits())
    except (Refused, BrokenGame, NoKernel) as error:
        return str(error)
    return None
