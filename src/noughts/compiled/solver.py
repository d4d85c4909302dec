"""Running a kernel: its threads, its budget, and what it says while it runs."""

import os
from collections.abc import Callable
from functools import partial
from threading import RLock, Thread
from time import perf_counter
from typing import Any, NamedTuple

from noughts.compiled import kernel as places
from noughts.compiled.build import Plan, build
from noughts.compiled.rules import Position, Rules
from noughts.compiled.table import NEVER, WORD, Run, SharedTable
from noughts.errors import BrokenGame
from noughts.search.limits import Limits, OutOfBudget

__all__ = ["BUILDING", "POLL", "Running", "Solver"]

SPLIT = 12
"""Plies from the root in which threads keep out of each other's way; further down it costs more than it saves."""

ALONE = 0.002
"""Seconds that one thread is given before others help it; most questions are answered by then."""

TO_FILL = 3e-7
"""Seconds, for each entry of a table, until it is full and had better grow."""

STEPS = 4
"""How many times the table is doubled when searches stop for it."""

POLL = 0.02
"""Seconds between two looks at the clock."""

BUILDING = RLock()
"""Held while a kernel is compiled or loaded: one at a time, since what is half made stands among Python's modules.

A fork waits for it, so that a child has no half of a kernel, and no compiler that is locked for ever.
"""

if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=BUILDING.acquire, after_in_parent=BUILDING.release, after_in_child=BUILDING.release)


BROKEN = (
    "its kernel breaks a promise: it has no move in a game that is not over, more moves than `choices`, a key of more"
    " than `key_bits` bits, a score beyond `longest` + 1, or plays on for more than `longest` plies"
)


class Running(NamedTuple):
    """How far a kernel has come with a question."""

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
        plan: Plan | None = None,
    ) -> None:
        self.rules = rules
        with BUILDING:
            # First of all: it says what is wrong if numba, or numpy, is broken.
            self._module = build(plan or Plan(rules))
        import numpy

        self._numpy = numpy
        self.threads = threads or _cores()
        wanted = max(1, int(table_mib * 2**20) // WORD) if entries is None else entries
        self.table = SharedTable(wanted, self._module.SPARE)
        self._busy = numpy.zeros(places.MARKS + 1, numpy.int64)
        self._desks: list[Any] = []
        self._free: list[Any] = []

    @property
    def entries(self) -> int:
        """The most entries that the table can have."""
        return self.table.entries

    @property
    def bytes(self) -> int:
        """The size of the table."""
        return self.entries * WORD

    @property
    def nodes(self) -> int:
        """How many nodes were visited since the solver was made, for all questions."""
        return sum(int(desk[places.NODES]) for desk in self._desks)

    @property
    def positions(self) -> int:
        """How many moves were played and the positions after them looked at, searched further or not."""
        return sum(int(desk[places.PLAYED]) for desk in self._desks)

    def forget(self) -> None:
        """Empty the table."""
        with self.table.changing():
            self.table.clear()

    def score(
        self,
        position: Position,
        low: int | None = None,
        high: int | None = None,
        limits: Limits = Limits(),  # noqa: B008 - immutable
        progress: Callable[[Running], None] | None = None,
        count: Callable[[int], None] | None = None,
    ) -> int:
        """Return the score of a position, mover's view, or the limit that it lies beyond; raise OutOfBudget.

        To ask only whether it is at least n, let `low` be n - 1 and `high` be n. `count` is told at the end, in any
        case, how many nodes this question took.
        """
        least = -self.rules.longest - 1 if low is None else low
        most = self.rules.longest + 1 if high is None else high
        desks = [self._taken_desk() for _ in range(self.threads)]
        question = _Question(self, position, (least, most), limits, progress, desks)
        try:
            score = question.answer()
            if abs(score) > self.rules.longest + 1:
                raise BrokenGame(BROKEN)
            return max(least, min(most, score))
        finally:
            if count is not None:
                count(question.nodes)
            if not question.at_work:
                self._free.extend(desks)

    def solve(self, desk: Any, position: Position, low: int, high: int) -> int | None:
        """Run the kernel in this thread, at a desk; return the score, or None if the desk's limit stopped it."""
        try:
            score = int(self._module.solve(position, low, high, self.table.address, desk.ctypes.data))
        except (ArithmeticError, AssertionError, LookupError, ValueError) as error:
            raise BrokenGame(f"its kernel raised {type(error).__name__}: {error}") from None
        return None if score == self._module.WORST else score

    def grow(self, run: Run, size: int) -> None:
        """Double the part of the table that is in use some times, unless it is larger than `size` by now."""
        desk = self._taken_desk()
        with self.table.changing():
            table = self.table
            if table.size == size:
                for _ in range(STEPS):
                    if table.size < table.entries and not run.stopped:
                        desk[places.SIZE] = table.size
                        self._module.grow(table.address, desk.ctypes.data)
                        table.size = int(desk[places.SIZE])
        self._free.append(desk)

    def minimax(self, position: Position) -> tuple[int, int]:
        """Return the score of a position by plain minimax, which visits everything, and how many nodes there are."""
        desk = self.new_desk()
        return int(self._module.minimax(position, desk.ctypes.data)), int(desk[places.NODES])

    def _taken_desk(self) -> Any:
        """Return a desk that nobody else uses."""
        try:
            return self._free.pop()
        except IndexError:
            desk = self.new_desk()
            self._desks.append(desk)
            return desk

    def new_desk(self) -> Any:
        """Return the memory of one thread, as it is before a search."""
        frames = (self.rules.longest + 2) * self._module.FRAME + self._module.MOST_WORDS
        desk = self._numpy.zeros(places.FRAMES + frames, self._numpy.int64)
        desk[places.SIZE], desk[places.LARGEST] = self.table.small, self.table.entries
        desk[places.PAIR] = (self.table.small >> self._module.SPARE) % 2 == 0
        desk[places.BUSY] = self._busy.ctypes.data
        return desk


def _cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Question:
    """One question to a solver: the threads at work on it, and the eye that is kept on them."""

    def __init__(
        self,
        solver: Solver,
        position: Position,
        window: tuple[int, int],
        limits: Limits,
        progress: Callable[[Running], None] | None,
        desks: list[Any],
    ) -> None:
        self._solver = solver
        self._arguments = (position, *window)
        self._limits = limits
        self._progress = progress
        self._desks = desks
        self._before = sum(int(desk[places.NODES]) for desk in desks)
        desks[0][places.LOW], desks[0][places.HIGH] = window
        self._started = perf_counter()
        self._scores: list[int] = []
        self._failed: list[BaseException] = []
        self._workers: list[Thread] = []

    @property
    def nodes(self) -> int:
        """How many nodes were visited for this question."""
        return sum(int(desk[places.NODES]) for desk in self._desks) - self._before

    @property
    def at_work(self) -> bool:
        """Whether a thread still uses a desk: only if an interrupt came while we waited for it."""
        return any(worker.is_alive() for worker in self._workers)

    def answer(self) -> int:
        """Return the score; raise OutOfBudget if a limit is reached first."""
        solver, table = self._solver, self._solver.table
        self._look()
        # 1. One thread, with the table alone: it gets to the end, unless another question comes or it takes long.
        score = self._search(1, None if solver.threads == 1 else ALONE, alone=True)
        full = solver.threads > 1
        while score is None:
            # 2. While searches share a table it cannot grow. So they stop for it now and then, and begin again with
            #    all that they know from it.
            if full and table.size < table.entries:
                self._grow(table.size)
            size = table.size
            score = self._search(solver.threads, TO_FILL * size if size < table.entries else None, alone=False)
            full = table.size == size
        return score

    def _search(self, threads: int, patience: float | None, *, alone: bool) -> int | None:
        """Let threads work on the question until one has the answer; None if patience ran out or others stopped us."""
        limits = self._limits
        desks = self._desks[:threads]
        for desk in desks:
            desk[places.SPLIT] = 0 if threads == 1 else SPLIT
            desk[places.DEEPEST] = 0
        left = NEVER if limits.nodes is None else max(1, (limits.nodes - self.nodes) // threads)
        run = Run(desks, left, alone=alone)
        self._watch(run, [partial(self._work, run, desk) for desk in desks], patience)
        if any(desk[places.DEEPEST] == places.BROKEN for desk in desks):
            raise BrokenGame(BROKEN)
        if not self._scores and (run.out_of_nodes or (limits.nodes is not None and self.nodes >= limits.nodes)):
            raise OutOfBudget("node limit")
        return self._scores[0] if self._scores else None

    def _grow(self, size: int) -> None:
        """Have the table doubled, and keep an eye on the limits meanwhile."""
        run = Run([], 0, alone=True)
        self._watch(run, [lambda: self._solver.grow(run, size)], None)

    def _watch(self, run: Run, tasks: list[Callable[[], None]], patience: float | None) -> None:
        """Do tasks in threads until one of them has ended, or patience has; look at the limits while they work."""

        def work(task: Callable[[], None]) -> None:
            try:
                task()
            except BaseException as error:  # it must not end unheard, with someone waiting
                self._failed.append(error)
            finally:
                run.done.set()

        self._workers = [Thread(target=work, args=(task,), daemon=True) for task in tasks]
        give_up = None if patience is None else perf_counter() + patience
        started = []
        try:
            with self._solver.table.running(run):
                for worker in self._workers:
                    worker.start()
                    started.append(worker)
                while not run.done.wait(POLL if give_up is None else min(POLL, max(0, give_up - perf_counter()))):
                    if give_up is not None and perf_counter() >= give_up:
                        break
                    self._look()
        finally:
            for worker in started:
                worker.join()
        if self._failed:
            raise self._failed[0]

    def _work(self, run: Run, desk: Any) -> None:
        solver, table = self._solver, self._solver.table
        if not table.enter(run, desk):
            return
        nodes, stored = int(desk[places.NODES]), int(desk[places.STORED])
        try:
            score = solver.solve(desk, *self._arguments)
            if score is not None:
                self._scores.append(score)
        finally:
            table.leave(run, desk, nodes, stored)

    def _look(self) -> None:
        """Tell how far the search has come, and see whether it may go on."""
        _, seconds, cancel, _ = self._limits
        spent = perf_counter() - self._started
        if self._progress is not None:
            desk = self._desks[0]
            window = int(desk[places.LOW]), int(desk[places.HIGH])
            self._progress(Running(self.nodes, spent, *window, int(desk[places.DEEPEST])))
        if seconds is not None and spent >= seconds:
            raise OutOfBudget("deadline")
        if cancel is not None and cancel():
            raise OutOfBudget("cancelled")
