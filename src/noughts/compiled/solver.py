"""Running a kernel: its threads, its limits, its progress, and the bounds that it has proven."""

import os
from array import array
from collections.abc import Callable
from functools import partial
from threading import RLock, Thread
from time import perf_counter
from typing import Any, NamedTuple

from noughts.compiled import layout
from noughts.compiled.build import Plan, build
from noughts.compiled.rules import Position, Rules
from noughts.compiled.table import NEVER, Run, SharedTable, Workspace
from noughts.errors import BrokenGame
from noughts.interrupts import DeferredCtrlC
from noughts.search.answer import Stopped
from noughts.search.limits import Limits, OutOfBudget

__all__ = ["BUILDING", "POLL", "Found", "Running", "Solver", "cores"]

SPLIT = 12
"""Plies from the root in which threads keep out of each other's way; further down it costs more than it saves."""

FIRST_NODES = 1 << 13
"""Nodes that are searched in the calling thread, in about two milliseconds at most, before any thread is started.

Most questions are settled by then. It counts nodes, not time, so that node counts are the same each time.
"""

TO_FILL = 3e-7
"""Seconds per entry after which a table is about full, and should grow."""

STEPS = 4
"""How many times the table is doubled each time that searches stop for it."""

POLL = 0.02
"""Seconds between two checks of the limits."""

BUILDING = RLock()
"""Held while a kernel is compiled or loaded: one at a time, since unfinished kernels are among Python's modules.

A fork waits for it, so that the child has no unfinished kernel and no compiler that is locked for ever.
"""

if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=BUILDING.acquire, after_in_parent=BUILDING.release, after_in_child=BUILDING.release)


BROKEN = (
    "its kernel breaks a promise: it has no move in a game that is not over, more moves than `choices`, a key of more"
    " than `key_bits` bits, a score beyond `longest` + 1, or plays on for more than `longest` plies"
)


class Found(NamedTuple):
    """What a kernel has proven about a position's score, in the mover's view on the kernel's scale."""

    low: int
    high: int
    """Proven bounds: `low <= score <= high` is always true, also after a stop. They are equal if the score is exact."""
    move: int | None
    """A move, as a bit of the rules, that scores at least `low`; None if the search did not need one to prove `low`."""
    nodes: int
    stopped: Stopped
    """Why the search ended: "done" if the bounds leave nothing open in the window that was asked about."""


class Running(NamedTuple):
    """The progress of a search: what it has spent, the bounds proven by now, and the deepest ply it has looked at."""

    nodes: int
    seconds: float
    low: int
    high: int
    deepest: int


class Solver:
    """Scores positions of one game. What it learns stays in its table, for the next question.

    The table takes `table_mib` mebibytes, or just `entries` entries. All threads share it, and so find the same
    scores as one does; only node counts differ from run to run. Questions may come from any number of threads at once,
    and from the callbacks of other questions: `noughts.compiled.table` says why that is safe.
    """

    def __init__(
        self,
        rules: Rules,
        table_mib: float = 64,
        *,
        entries: int | None = None,
        threads: int | None = 1,
    ) -> None:
        self.rules = rules
        self.most = rules.longest + 1
        """The highest score that the scale has."""
        with BUILDING:
            # First, since it says what is wrong if numba or numpy is broken.
            self._module = build(Plan.of(rules))
        self.threads = threads or cores()
        wanted = max(1, int(table_mib * 2**20) // layout.WORD) if entries is None else entries
        constants: Any = rules.constants
        self._spare = layout.spare_bits(constants["longest"], constants["key_bits"])
        self._workspace_words = layout.workspace_words(constants["longest"], constants["choices"], constants["arity"])
        self.table = SharedTable(wanted, self._spare)
        self._busy = array("q", bytes(layout.WORD * (layout.MARKS + 1)))
        self._workspaces: list[Workspace] = []
        self._free: list[Workspace] = []

    @property
    def entries(self) -> int:
        """The most entries that the table can have."""
        return self.table.entries

    @property
    def bytes(self) -> int:
        """The size of the table."""
        return self.entries * layout.WORD

    @property
    def nodes(self) -> int:
        """How many nodes were visited since the solver was made, for all questions."""
        return sum(workspace[layout.NODES] for workspace in self._workspaces)

    @property
    def positions(self) -> int:
        """How many moves were played and the positions after them looked at, searched further or not."""
        return sum(workspace[layout.PLAYED] for workspace in self._workspaces)

    def forget(self) -> None:
        """Empty the table."""
        with self.table.changing():
            self.table.clear()

    def solve(
        self,
        position: Position,
        low: int | None = None,
        high: int | None = None,
        limits: Limits = Limits(),  # noqa: B008 - immutable
        progress: Callable[[Running], None] | None = None,
    ) -> Found:
        """Return proven bounds of a position's score, and a move if the search came across one.

        The window from `low` to `high` says what the caller wants to know: the search ends when nothing inside it is
        open, that is when the proven score is exact, at least `high`, or at most `low`. To ask only whether the score
        is at least n, let `low` be n - 1 and `high` be n. By default the search goes on until the score is exact.

        If a limit is reached first, the bounds are those proven by then, and `stopped` names the limit.
        """
        window = -self.most if low is None else low, self.most if high is None else high
        question = _Question(self, position, window, limits, progress)
        try:
            return question.answer()
        finally:
            if not question.at_work:
                self._free.extend(question.workspaces)

    def run(self, workspace: Workspace, position: Position, low: int, high: int) -> bool:
        """Run the kernel in this thread; return whether it finished, rather than being stopped by its node limit."""
        try:
            return bool(self._module.solve(position, low, high, self.table.address, address_of(workspace)))
        except (ArithmeticError, AssertionError, LookupError, ValueError) as error:
            raise BrokenGame(f"its kernel raised {type(error).__name__}: {error}") from None

    def grow(self, run: Run, size: int) -> None:
        """Double the part of the table that is in use some times, unless it is larger than `size` by now."""
        workspace = self.take_workspace()
        with self.table.changing():
            table = self.table
            if table.size == size:
                for _ in range(STEPS):
                    if table.size < table.entries and not run.stopped:
                        workspace[layout.SIZE] = table.size
                        self._module.grow(table.address, address_of(workspace))
                        table.size = workspace[layout.SIZE]
        self._free.append(workspace)

    def minimax(self, position: Position) -> tuple[int, int]:
        """Return the score of a position by plain minimax, which visits everything, and how many nodes there are."""
        workspace = self.new_workspace()
        return int(self._module.minimax(position, address_of(workspace))), workspace[layout.NODES]

    def take_workspace(self) -> Workspace:
        """Return a workspace that no other thread uses; the caller gives it back."""
        try:
            return self._free.pop()
        except IndexError:
            workspace = self.new_workspace()
            self._workspaces.append(workspace)
            return workspace

    def new_workspace(self) -> Workspace:
        """Return the memory of one thread, as it is before a search."""
        workspace = array("q", bytes(layout.WORD * self._workspace_words))
        workspace[layout.SIZE], workspace[layout.LARGEST] = self.table.small, self.table.entries
        workspace[layout.PAIR] = (self.table.small >> self._spare) % 2 == 0
        workspace[layout.BUSY] = address_of(self._busy)
        workspace[layout.LOW], workspace[layout.HIGH] = -self.most, self.most
        return workspace


def address_of(memory: Workspace) -> int:
    """Return where the first number of an array is in memory."""
    return memory.buffer_info()[0]


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Question:
    """One question to a solver: the threads that work on it, and the loop that monitors them."""

    def __init__(
        self,
        solver: Solver,
        position: Position,
        window: tuple[int, int],
        limits: Limits,
        progress: Callable[[Running], None] | None,
    ) -> None:
        self._solver = solver
        self._position = position
        self._window = window
        self._limits = limits
        self._progress = progress
        self._started = perf_counter()
        self._before = 0
        """How many nodes the workspaces had counted before this question."""
        self.workspaces: list[Workspace] = []
        self._take_workspace()
        self._failed: list[BaseException] = []
        self._workers: list[Thread] = []

    @property
    def nodes(self) -> int:
        """How many nodes were visited for this question."""
        return sum(workspace[layout.NODES] for workspace in self.workspaces) - self._before

    @property
    def at_work(self) -> bool:
        """Whether a thread still uses a workspace: only if an interrupt came while we waited for it."""
        return any(worker.is_alive() for worker in self._workers)

    def _take_workspace(self) -> None:
        workspace, most = self._solver.take_workspace(), self._solver.most
        workspace[layout.LOW], workspace[layout.HIGH], workspace[layout.MOVE] = -most, most, 0
        self._before += workspace[layout.NODES]
        self.workspaces.append(workspace)

    def answer(self) -> Found:
        """Return what is proven when the question is settled, or a limit is reached."""
        stopped: Stopped = "done"
        try:
            self._look()
            if not self._search_here():
                self._look()
                self._search_in_threads()
        except OutOfBudget as out:
            stopped = out.stopped
        low, high, move = self._proven()
        if not -self._solver.most <= low <= high <= self._solver.most:
            raise BrokenGame(BROKEN)
        if self._is_settled(low, high):
            stopped = "done"
        return Found(low, high, move or None, self.nodes, stopped)

    def _proven(self) -> tuple[int, int, int]:
        """Return the tightest bounds that any thread has proven, and the move that goes with the lower one, or 0."""
        best = self.workspaces[0]
        high = best[layout.HIGH]
        for each in self.workspaces[1:]:
            high = min(high, each[layout.HIGH])
            if (each[layout.LOW], each[layout.MOVE]) > (best[layout.LOW], best[layout.MOVE]):
                best = each
        return best[layout.LOW], high, best[layout.MOVE]

    def _is_settled(self, low: int, high: int) -> bool:
        return low >= high or low >= self._window[1] or high <= self._window[0]

    def _search_here(self) -> bool:
        """Search in the calling thread, for a short time; return whether the question is settled."""
        table, (workspace,), limit = self._solver.table, self.workspaces, self._limits.nodes
        nodes = FIRST_NODES if limit is None else max(1, min(FIRST_NODES, limit))
        workspace[layout.SPLIT] = workspace[layout.DEEPEST] = 0
        with DeferredCtrlC():  # or the table would go on waiting for this search
            if not table.enter_at_once(workspace, nodes):
                return False
            stored = workspace[layout.STORED]
            try:
                self._solver.run(workspace, self._position, *self._window)
            finally:
                table.leave(workspace, stored)
        return self._is_over(limit)

    def _search_in_threads(self) -> None:
        """Search until the bounds leave nothing open in the window; raise OutOfBudget if a limit is reached first."""
        solver, table = self._solver, self._solver.table
        while len(self.workspaces) < solver.threads:
            self._take_workspace()
        # 1. A single thread has the table alone. It gets to the end, unless another question comes.
        if solver.threads == 1 and self._search(None, alone=True):
            return
        # 2. While searches share a table it cannot grow. So they stop for it now and then, and begin again with all
        #    that they know from it.
        full = solver.threads > 1
        while True:
            if full and table.size < table.entries:
                self._grow(table.size)
            size = table.size
            if self._search(TO_FILL * size if size < table.entries else None, alone=False):
                return
            full = table.size == size

    def _search(self, patience: float | None, *, alone: bool) -> bool:
        """Let threads search, from the tightest bounds proven by now; return whether the question is settled.

        If not, patience ran out, or another search needed the table.
        """
        limit, threads = self._limits.nodes, len(self.workspaces)
        low, high, move = self._proven()
        for workspace in self.workspaces:
            workspace[layout.LOW], workspace[layout.HIGH], workspace[layout.MOVE] = low, high, move
            workspace[layout.SPLIT] = 0 if threads == 1 else SPLIT
            workspace[layout.DEEPEST] = 0
        left = NEVER if limit is None else max(1, (limit - self.nodes) // threads)
        run = Run(self.workspaces, left, alone=alone)
        self._watch(run, [partial(self._work, run, workspace) for workspace in self.workspaces], patience)
        return self._is_over(self.nodes if run.out_of_nodes else limit)

    def _is_over(self, node_limit: int | None) -> bool:
        """Return whether the question is settled; raise OutOfBudget if it is not and the node limit is reached."""
        for workspace in self.workspaces:
            if workspace[layout.DEEPEST] == layout.BROKEN:
                raise BrokenGame(BROKEN)
        low, high, _ = self._proven()
        if self._is_settled(low, high):
            return True
        if node_limit is not None and self.nodes >= node_limit:
            raise OutOfBudget("node limit")
        return False

    def _grow(self, size: int) -> None:
        """Have a thread double the table, and watch the limits meanwhile."""
        run = Run([], 0, alone=True)
        self._watch(run, [lambda: self._solver.grow(run, size)], None)

    def _watch(self, run: Run, tasks: list[Callable[[], None]], patience: float | None) -> None:
        """Run tasks in threads until one of them has ended or patience runs out; watch the limits meanwhile."""

        def work(task: Callable[[], None]) -> None:
            try:
                task()
            except BaseException as error:  # raised below, in the thread that waits
                self._failed.append(error)
            finally:
                run.done.set()

        give_up = None if patience is None else perf_counter() + patience
        with DeferredCtrlC() as ctrl_c:
            try:
                with self._solver.table.running(run):
                    for task in tasks:
                        worker = Thread(target=work, args=(task,), daemon=True)
                        worker.start()
                        self._workers.append(worker)
                    while not run.done.wait(POLL if give_up is None else min(POLL, max(0, give_up - perf_counter()))):
                        ctrl_c.deliver()
                        if give_up is not None and perf_counter() >= give_up:
                            break
                        self._look()
            finally:
                for worker in self._workers:
                    worker.join()
                self._workers.clear()
        if self._failed:
            raise self._failed[0]

    def _work(self, run: Run, workspace: Workspace) -> None:
        table = self._solver.table
        if not table.enter(run, workspace):
            return
        nodes, stored = workspace[layout.NODES], workspace[layout.STORED]
        try:
            self._solver.run(workspace, self._position, *self._window)
        finally:
            table.leave(workspace, stored)
        if workspace[layout.NODES] - nodes >= run.nodes:
            run.out_of_nodes = True

    def _look(self) -> None:
        """Report progress, and raise OutOfBudget if the time is up or the caller cancels."""
        _, seconds, cancel, _ = self._limits
        spent = perf_counter() - self._started
        if self._progress is not None:
            low, high, _ = self._proven()
            self._progress(Running(self.nodes, spent, low, high, self.workspaces[0][layout.DEEPEST]))
        if seconds is not None and spent >= seconds:
            raise OutOfBudget("deadline")
        if cancel is not None and cancel():
            raise OutOfBudget("cancelled")
