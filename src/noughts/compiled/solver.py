"""Running a kernel: its table, its threads, its budget, and what it says while it runs."""

import mmap
import os
from collections.abc import Callable
from threading import Event, Thread
from time import perf_counter
from typing import Any, NamedTuple

from noughts.compiled import kernel as places
from noughts.compiled.build import Plan, build
from noughts.compiled.rules import Position, Rules
from noughts.errors import BrokenGame, NoughtsError
from noughts.search.limits import Limits, OutOfBudget

__all__ = ["Running", "Solver"]

WORD = 8
"""Bytes of an entry of the table."""

SMALL = 1 << 16
"""Entries in use at first: half a mebibyte, which stays in the cache of one core."""

NEVER = 1 << 62

SPLIT = 12
"""Plies from the root in which threads keep out of each other's way; further down it costs more than it saves."""

ALONE = 0.002
"""Seconds that one thread is given before others help it; most questions are answered by then."""

TO_FILL = 3e-7
"""Seconds, for each entry of a table, until it is full and had better grow."""

STEPS = 4
"""How many times the table is doubled when threads stop for it."""

POLL = 0.02
"""Seconds between two looks at the clock."""


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
    scores as one does; only node counts differ from run to run.
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
        self._module = build(Plan(rules))  # first of all: it says what is wrong if numba, or numpy, is broken
        import numpy

        self._numpy = numpy
        self.threads = threads or _cores()
        wanted = max(1, int(table_mib * 2**20) // WORD) if entries is None else entries
        self._small, self.entries = _sizes(wanted, 1 << self._module.SPARE)
        self._table = self._new_table()
        self._busy = numpy.zeros(places.MARKS + 1, numpy.int64)
        self.desks = [self._new_desk() for _ in range(self.threads)]

    @property
    def bytes(self) -> int:
        """The size of the table."""
        return self.entries * WORD

    @property
    def nodes(self) -> int:
        """How many nodes were visited since the solver was made."""
        return sum(int(desk[places.NODES]) for desk in self.desks)

    @property
    def positions(self) -> int:
        """How many moves were played and the positions after them looked at, searched further or not."""
        return sum(int(desk[places.PLAYED]) for desk in self.desks)

    def forget(self) -> None:
        """Empty the table."""
        self._table[: int(self.desks[0][places.SIZE])] = 0
        for desk in self.desks:
            desk[places.SIZE], desk[places.STORED] = self._small, 0

    def score(
        self,
        position: Position,
        low: int | None = None,
        high: int | None = None,
        limits: Limits = Limits(),  # noqa: B008 - immutable
        progress: Callable[[Running], None] | None = None,
    ) -> int:
        """Return the score of a position, mover's view, or the limit that it lies beyond; raise OutOfBudget.

        To ask only whether it is at least n, let `low` be n - 1 and `high` be n.
        """
        least = -self.rules.longest - 1 if low is None else low
        most = self.rules.longest + 1 if high is None else high
        return max(least, min(most, _Question(self, position, (least, most), limits, progress).answer()))

    def solve(self, number: int, position: Position, low: int, high: int) -> int | None:
        """Run the kernel in this thread, at desk `number`; return the score, or None if the desk's limit stopped it."""
        table, desk = self._table.ctypes.data, self.desks[number].ctypes.data
        score = int(self._module.solve(position, low, high, table, desk))
        return None if score == self._module.WORST else score

    def grow(self, steps: int) -> bool:
        """Double the part of the table that is in use some times, for all threads; say whether more is left then."""
        first = self.desks[0]
        for _ in range(steps):
            if first[places.SIZE] < self.entries:
                self._module.grow(self._table.ctypes.data, first.ctypes.data)
        for desk in self.desks:
            desk[places.SIZE] = first[places.SIZE]
        return bool(first[places.SIZE] < self.entries)

    def minimax(self, position: Position) -> tuple[int, int]:
        """Return the score of a position by plain minimax, which visits everything, and how many nodes there are."""
        desk = self._new_desk()
        return int(self._module.minimax(position, desk.ctypes.data)), int(desk[places.NODES])

    def _new_desk(self) -> Any:
        frames = (self.rules.longest + 2) * self._module.FRAME + self._module.MOST_WORDS
        desk = self._numpy.zeros(places.FRAMES + frames, self._numpy.int64)
        desk[places.SIZE], desk[places.LARGEST] = self._small, self.entries
        desk[places.PAIR] = (self._small >> self._module.SPARE) % 2 == 0
        desk[places.BUSY] = self._busy.ctypes.data
        return desk

    def _new_table(self) -> Any:
        try:
            memory = mmap.mmap(-1, self.bytes)
        except (OSError, OverflowError, ValueError):
            raise NoughtsError(f"there is no memory for a table of {self.bytes // 2**20:,} MiB") from None
        if hasattr(mmap, "MADV_HUGEPAGE"):  # where pages are small, most of the time goes into finding them
            memory.madvise(mmap.MADV_HUGEPAGE)
        return self._numpy.frombuffer(memory, self._numpy.int64)


def _cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _sizes(wanted: int, unit: int) -> tuple[int, int]:
    """Return how many entries a table begins with, and how many it is doubled to, in multiples of `unit`.

    >>> _sizes(1, 1), _sizes(131_072, 1), _sizes(100 * 131_072, 1), _sizes(100_001, 1), _sizes(1, 256)
    ((1, 1), (65536, 131072), (51200, 13107200), (100001, 100001), (256, 256))
    """
    largest = small = max(unit, wanted // unit * unit)
    while small > SMALL and small % (4 * unit) == 0:  # two parts at least stay in each unit: entries stand in pairs
        small //= 2
    return small, largest


class _Question:
    """One question to a solver: the threads at work on it, and the eye that is kept on them."""

    def __init__(
        self,
        solver: Solver,
        position: Position,
        window: tuple[int, int],
        limits: Limits,
        progress: Callable[[Running], None] | None,
    ) -> None:
        self._solver = solver
        self._arguments = (position, *window)
        self._limits = limits
        self._progress = progress
        self._started = perf_counter()
        self._before = solver.nodes
        self._scores: list[int] = []
        self._failed: list[BaseException] = []
        self._done = Event()

    def answer(self) -> int:
        """Return the score; raise OutOfBudget if a limit is reached first."""
        solver = self._solver
        self._look()
        if solver.threads == 1:
            self._run(1)
        elif not self._run(1, ALONE):
            # While threads share a table it cannot grow. So they stop for it now and then, and begin again with all
            # that they know from it.
            while solver.grow(STEPS):
                if self._run(solver.threads, TO_FILL * int(solver.desks[0][places.SIZE])):
                    return self._scores[0]
            self._run(solver.threads)
        return self._scores[0]

    def _run(self, threads: int, patience: float | None = None) -> bool:
        """Let threads work on the question until one has the answer; say whether it has, or patience ran out."""
        solver, limits = self._solver, self._limits
        desks = solver.desks[:threads]
        for desk in desks:
            left = NEVER if limits.nodes is None else (limits.nodes - (solver.nodes - self._before)) // threads
            desk[places.LIMIT] = desk[places.NODES] + max(1, left)
            desk[places.SPLIT] = 0 if threads == 1 else SPLIT
            desk[places.LARGEST] = solver.entries if threads == 1 else desk[places.SIZE]
            desk[places.DEEPEST] = 0
        self._done.clear()
        workers = [Thread(target=self._work, args=(number,), daemon=True) for number in range(threads)]
        give_up = None if patience is None else perf_counter() + patience
        try:
            for worker in workers:
                worker.start()
            while not self._done.wait(POLL if give_up is None else min(POLL, max(0, give_up - perf_counter()))):
                if give_up is not None and perf_counter() >= give_up:
                    break
                self._look()
        finally:
            for desk in desks:
                desk[places.LIMIT] = 0
            for worker in workers:
                worker.join()
        if self._failed:
            raise self._failed[0]
        if any(desk[places.DEEPEST] == places.BROKEN for desk in desks):
            raise BrokenGame(
                "its kernel has no move in a game that is not over, or plays on for more than `longest` plies"
            )
        if not self._scores and give_up is None:
            raise OutOfBudget("node limit")
        return bool(self._scores)

    def _work(self, number: int) -> None:
        solver = self._solver
        try:
            score = solver.solve(number, *self._arguments)
            if score is not None:
                self._scores.append(score)
        except BaseException as error:  # it must not end unheard, with someone waiting
            self._failed.append(error)
        finally:
            self._done.set()

    def _look(self) -> None:
        """Tell how far the search has come, and see whether it may go on."""
        _, seconds, cancel, _ = self._limits
        spent = perf_counter() - self._started
        if self._progress is not None:
            desk = self._solver.desks[0]
            window = int(desk[places.LOW]), int(desk[places.HIGH])
            nodes = self._solver.nodes - self._before
            self._progress(Running(nodes, spent, *window, int(desk[places.DEEPEST])))
        if seconds is not None and spent >= seconds:
            raise OutOfBudget("deadline")
        if cancel is not None and cancel():
            raise OutOfBudget("cancelled")
