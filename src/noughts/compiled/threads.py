"""Long searches: threads that share a table, the loop that watches limits and progress, and the proven bounds."""

from collections.abc import Callable
from functools import partial
from threading import Thread
from time import perf_counter
from typing import TYPE_CHECKING

from noughts.compiled import layout
from noughts.compiled.found import BROKEN_RULES, Found, Running
from noughts.compiled.rules import Position
from noughts.compiled.table import NEVER, Run, Workspace
from noughts.errors import BrokenGame
from noughts.interrupts import DeferredCtrlC
from noughts.search.answer import Stopped
from noughts.search.limits import Limits, OutOfBudget

if TYPE_CHECKING:
    from noughts.compiled.solver import Solver

__all__ = ["POLL", "ThreadedSearch"]

SPLIT = 12
"""Plies from the root in which threads keep out of each other's way; further down it costs more than it saves."""

TO_FILL = 3e-7
"""Seconds per entry after which a table is about full, and should grow."""

POLL = 0.02
"""Seconds between two checks of the limits."""


class ThreadedSearch:
    """A long search for one question to a solver: its threads, and the loop that monitors them."""

    def __init__(
        self,
        solver: "Solver",
        position: Position,
        window: tuple[int, int],
        limits: Limits,
        progress: Callable[[Running], None] | None,
        started: float,
    ) -> None:
        self._solver = solver
        self._position = position
        self._window = window
        self._limits = limits
        self._progress = progress
        self._started = started
        self._before = 0
        """How many nodes the workspaces had counted before this question."""
        self.workspaces: list[Workspace] = []
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

    def add(self, workspace: Workspace, nodes_before: int) -> None:
        """Add the workspace of a thread, and how many nodes it had counted before this question.

        The first one has been searched in by the calling thread for a short time.
        """
        self._before += nodes_before
        self.workspaces.append(workspace)

    def answer(self) -> Found:
        """Return what is proven when the question is settled, or a limit is reached."""
        stopped: Stopped = "done"
        try:
            if not self._is_over(self._limits.nodes):
                self._look()
                self._search_all()
        except OutOfBudget as out:
            stopped = out.stopped
        low, high, move = self._proven()
        if not -self._solver.most <= low <= high <= self._solver.most:
            raise BrokenGame(BROKEN_RULES)
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

    def _search_all(self) -> None:
        """Search until the bounds leave nothing open in the window; raise OutOfBudget if a limit is reached first."""
        solver, table = self._solver, self._solver.table
        while len(self.workspaces) < solver.threads:
            workspace = solver.take_workspace()
            self.add(workspace, workspace[layout.NODES])
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
                raise BrokenGame(BROKEN_RULES)
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
            self._solver.run(layout.SOLVE, workspace, self._position, *self._window)
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
