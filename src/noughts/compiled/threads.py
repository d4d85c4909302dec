"""Long searches: threads that share a table, the loop that watches limits and progress, and the proven bounds."""

from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable
from functools import partial
from threading import Thread
from time import perf_counter
from typing import TYPE_CHECKING, Any

from noughts.compiled import layout
from noughts.compiled.found import BROKEN_RULES, Running
from noughts.compiled.rules import Position
from noughts.compiled.table import NEVER, Run, Workspace
from noughts.errors import BrokenGame
from noughts.interrupts import DeferredCtrlC
from noughts.search.answer import Stopped
from noughts.search.limits import Limits, OutOfBudget

if TYPE_CHECKING:
    from noughts.compiled.solver import Solver

__all__ = ["POLL", "SearchOfEach", "SearchOfOne"]

SPLIT = 12
"""Plies from the root in which threads keep out of each other's way; further down it costs more than it saves."""

TO_FILL = 3e-7
"""Seconds per entry after which a table is about full, and should grow."""

POLL = 0.02
"""Seconds between two checks of the limits."""


class ThreadedSearch(ABC):
    """A long search for one question to a solver: its threads, and the loop that monitors them."""

    def __init__(
        self, solver: "Solver", limits: Limits, progress: Callable[[Running], None] | None, started: float
    ) -> None:
        self._solver = solver
        self._limits = limits
        self._progress = progress
        self._started = started
        self._before = 0
        """How many nodes the workspaces had counted before this question."""
        self.workspaces: list[Workspace] = []
        self._failed: list[BaseException] = []
        self._workers: list[Thread] = []

    @property
    @abstractmethod
    def is_settled(self) -> bool:
        """Whether nothing that was asked about is open."""

    @abstractmethod
    def _prepare(self) -> None:
        """Give each workspace its part of the work, and what is proven by now."""

    @abstractmethod
    def _do(self, thread: int, workspace: Workspace) -> None:
        """Do the part of a thread, in that thread."""

    @abstractmethod
    def _gather(self) -> None:
        """Take over what the threads have proven, now that they have ended."""

    @abstractmethod
    def _running(self, nodes: int, seconds: float) -> Running:
        """Return how far the threads have got."""

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

    def search(self) -> Stopped:
        """Search until the question is settled, or a limit is reached; return which."""
        stopped: Stopped = "done"
        try:
            if not self._is_over(self._limits.nodes):
                self._look()
                self._search_all()
        except OutOfBudget as out:
            stopped = out.stopped
        return "done" if self.is_settled else stopped

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
            size, since = table.size, perf_counter()
            patience = TO_FILL * size if size < table.entries else None
            if self._search(patience, alone=False):
                return
            late = patience is not None and perf_counter() - since >= patience
            full = table.size == size and (late or table.stored > size)

    def _search(self, patience: float | None, *, alone: bool) -> bool:
        """Let threads search, from the tightest bounds proven by now; return whether the question is settled.

        If not, a thread has done its part, patience ran out, or another search needed the table.
        """
        limit, threads = self._limits.nodes, len(self.workspaces)
        self._prepare()
        for workspace in self.workspaces:
            workspace[layout.SPLIT] = 0 if threads == 1 else SPLIT
            workspace[layout.DEEPEST] = 0
        left = NEVER if limit is None else max(1, (limit - self.nodes) // threads)
        run = Run(self.workspaces, left, alone=alone)
        try:
            self._watch(run, [partial(self._work, run, *each) for each in enumerate(self.workspaces)], patience)
        finally:
            self._gather()
        return self._is_over(self.nodes if run.out_of_nodes else limit)

    def _is_over(self, node_limit: int | None) -> bool:
        """Return whether the question is settled; raise OutOfBudget if it is not and the node limit is reached."""
        for workspace in self.workspaces:
            if workspace[layout.DEEPEST] == layout.BROKEN:
                raise BrokenGame(BROKEN_RULES)
        if self.is_settled:
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

    def _work(self, run: Run, thread: int, workspace: Workspace) -> None:
        table = self._solver.table
        if not table.enter(run, workspace):
            return
        nodes, stored = workspace[layout.NODES], workspace[layout.STORED]
        try:
            self._do(thread, workspace)
        finally:
            table.leave(workspace, stored)
        if workspace[layout.NODES] - nodes >= run.nodes:
            run.out_of_nodes = True

    def _look(self) -> None:
        """Report progress, and raise OutOfBudget if the time is up or the caller cancels."""
        _, seconds, cancel, _ = self._limits
        spent = perf_counter() - self._started
        if self._progress is not None:
            self._progress(self._running(self.nodes, spent))
        if seconds is not None and spent >= seconds:
            raise OutOfBudget("deadline")
        if cancel is not None and cancel():
            raise OutOfBudget("cancelled")


class SearchOfOne(ThreadedSearch):
    """A long search for the score of one position, in a window: all threads search the same."""

    def __init__(self, position: Position, window: tuple[int, int], *question: Any) -> None:
        super().__init__(*question)
        self._position = position
        self._window = window

    @property
    def proven(self) -> tuple[int, int, int]:
        """The tightest bounds that any thread has proven, and the move that goes with the lower one, or 0."""
        best = self.workspaces[0]
        high = best[layout.HIGH]
        for each in self.workspaces[1:]:
            high = min(high, each[layout.HIGH])
            if (each[layout.LOW], each[layout.MOVE]) > (best[layout.LOW], best[layout.MOVE]):
                best = each
        return best[layout.LOW], high, best[layout.MOVE]

    @property
    def is_settled(self) -> bool:
        """Whether the bounds leave nothing open in the window."""
        low, high, _ = self.proven
        return low >= high or low >= self._window[1] or high <= self._window[0]

    def _prepare(self) -> None:
        low, high, move = self.proven
        for workspace in self.workspaces:
            workspace[layout.LOW], workspace[layout.HIGH], workspace[layout.MOVE] = low, high, move

    def _do(self, _: int, workspace: Workspace) -> None:
        self._solver.run(layout.SOLVE, workspace, self._position, *self._window)

    def _gather(self) -> None:
        """Leave the bounds in the workspaces."""

    def _running(self, nodes: int, seconds: float) -> Running:
        low, high, _ = self.proven
        return Running(nodes, seconds, low, high, self.workspaces[0][layout.DEEPEST])


class SearchOfEach(ThreadedSearch):
    """A long search for the scores of several positions: threads share out those that are open.

    `memory` holds each position after its two bounds, which are tightened. There are two steps for each position: who
    wins, and how fast. Those from `step` on are done first.
    """

    def __init__(self, memory: Workspace, number: int, step: int, *question: Any) -> None:
        super().__init__(*question)
        self._memory, self._number, self._step = memory, number, step
        self._words = len(memory) // number
        self._parts: list[list[int]] = []
        """The positions that each thread searches."""
        self._copies: list[Workspace] = []
        """What each thread works on: these positions, as in memory."""

    @property
    def reached(self) -> int:
        """The first step from `step` on that is not done; twice the number of positions if there is none."""
        step = self._step
        while step < 2 * self._number and self._is_done(self._memory, step % self._number, step < self._number):
            step += 1
        return step

    def _is_done(self, memory: Workspace, index: int, only_who: bool) -> bool:
        low, high = memory[index * self._words], memory[index * self._words + 1]
        return low >= high or (only_who and (low >= 1 or high <= -1))

    @property
    def is_settled(self) -> bool:
        """Whether all scores are exact."""
        return all(self._is_done(self._memory, index, only_who=False) for index in range(self._number))

    def _prepare(self) -> None:
        number, words, threads = self._number, self._words, len(self.workspaces)
        rotated = ((self._step + index) % number for index in range(number))
        waiting = [index for index in rotated if not self._is_done(self._memory, index, only_who=False)]
        self._parts = [waiting[thread::threads] or [waiting[thread % len(waiting)]] for thread in range(threads)]
        self._copies = [
            array("q", [word for index in part for word in self._memory[index * words : (index + 1) * words]])
            for part in self._parts
        ]

    def _do(self, thread: int, workspace: Workspace) -> None:
        copy, number = self._copies[thread], len(self._parts[thread])
        first = 0 if self._step < self._number else number
        position = tuple(copy[layout.BOUNDS : self._words])
        self._solver.run(layout.EACH, workspace, position, first, number, copy.buffer_info()[0])

    def _gather(self) -> None:
        for part, copy in zip(self._parts, self._copies, strict=True):
            for place, index in enumerate(part):
                at, found = index * self._words, place * self._words
                self._memory[at] = max(self._memory[at], copy[found])
                self._memory[at + 1] = min(self._memory[at + 1], copy[found + 1])

    def _running(self, nodes: int, seconds: float) -> Running:
        """Return how far the first thread has got: in which position, and what is proven about that."""
        part, copy = (self._parts[0], self._copies[0]) if self._parts else (range(self._number), self._memory)
        steps = ((place, only_who) for only_who in (True, False) for place in range(len(part)))
        place = next((place for place, only_who in steps if not self._is_done(copy, place, only_who)), 0)
        low, high = copy[place * self._words], copy[place * self._words + 1]
        return Running(nodes, seconds, low, high, self.workspaces[0][layout.DEEPEST], part[place])
