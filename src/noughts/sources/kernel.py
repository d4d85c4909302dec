"""The kernel of a game: search at native speed, loaded when it is first needed."""

from collections.abc import Callable
from functools import cached_property
from time import perf_counter
from typing import Generic

from noughts.capabilities import resolve
from noughts.compiled.build import Plan, available
from noughts.compiled.rules import rules_of
from noughts.compiled.solver import BUILDING, Solver
from noughts.compiled.threads import POLL
from noughts.errors import BrokenGame, NoKernel
from noughts.game import Action, Game, State
from noughts.search.alphabeta import Wanted
from noughts.search.answer import Answer, unknown
from noughts.search.deepening import Progress
from noughts.search.limits import Budget, Limits, OutOfBudget
from noughts.sources.kernel_question import KernelQuestion, PackedGame

__all__ = ["INSTALL", "LOADING", "NativeSearch"]

LOADING, COMPILING = 1.0, 6.0
"""Seconds to import numba and load a kernel, and to compile one."""

INSTALL = "pip install 'noughts[fast]'"


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
        self.rules = rules_of(offered)
        self._packed_game: PackedGame[State, Action] = PackedGame(self.game, offered)
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
                self._solver = self._new_solver(*self._sizes)
        finally:
            BUILDING.release()

    def _new_solver(self, table_mib: float, threads: int | None) -> Solver:
        return Solver(self.rules, table_mib, threads=threads)

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
        return self.ask_beyond(None, state, limits, wanted, progress)

    def ask_beyond(
        self,
        known: Answer[Action] | None,
        state: State,
        limits: Limits,
        wanted: Wanted,
        progress: Callable[[Progress], None] | None = None,
    ) -> Answer[Action]:
        """Value a state; what other sources have proven is not searched for again."""
        budget = Budget(limits)
        if self._solver is None:
            try:
                self.load(limits)
            except OutOfBudget as out:
                some = () if self.game.terminal(state) else tuple(self.game.legal_actions(state)[:1])
                return unknown("kernel", 0, 0.0, out.stopped, some)._replace(depth=0)
        solver = self._solver or self.solver
        question = KernelQuestion(self._packed_game, solver, state, budget, progress, known)
        return question.answer(wanted)
