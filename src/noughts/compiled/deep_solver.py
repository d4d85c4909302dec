"""Running a deep kernel: its table, its threads and its limits."""

import mmap
from array import array
from collections.abc import Callable
from threading import Event, Thread
from time import perf_counter
from typing import Any, NamedTuple

from noughts.compiled import deep_layout as layout
from noughts.compiled.build import Plan, build
from noughts.compiled.rules import Position, Rules
from noughts.compiled.solver import BUILDING, cores
from noughts.compiled.threads import POLL
from noughts.errors import BrokenGame, NoughtsError
from noughts.interrupts import DeferredCtrlC
from noughts.search.limits import Limits, OutOfBudget

__all__ = ["DeepSolver", "Run", "Valued", "bounds_of"]

WORD = 8
"""Bytes of a word."""

FIRST_NODES = 1 << 13
"""Nodes that are searched in the calling thread, in about two milliseconds, before any thread is started."""

SPLIT = 12
"""Plies from the root in which threads keep out of each other's way."""

NEVER = 1 << 62
"""More nodes than are ever visited."""

BROKEN = (
    "its kernel breaks a promise: it has no move in a game that is not over, more moves than `choices`, or plays on for"
    " more than `longest` plies"
)


class Valued(NamedTuple):
    """What a search found about a position, in the view of the player to move; `deep_layout` explains values."""

    value: int
    sure: int
    """Bits: LOW if the true score is at least the value, HIGH if it is at most the value."""


class Table:
    """The memory of a transposition table; `deep_layout` says why threads can share it."""

    def __init__(self, entries: int, entry_words: int) -> None:
        import numpy

        self.entries = entries
        self.bytes = entries * entry_words * WORD
        private = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}
        try:
            memory = mmap.mmap(-1, self.bytes, **private)
        except (OSError, OverflowError, ValueError):
            raise NoughtsError(f"there is no memory for a table of {self.bytes // 2**20:,} MiB") from None
        if hasattr(mmap, "MADV_HUGEPAGE"):  # with small pages, most of the time is spent on address translation
            memory.madvise(mmap.MADV_HUGEPAGE)
        self._memory: Any = numpy.frombuffer(memory, numpy.int64)
        self.address: int = self._memory.ctypes.data


class DeepSolver:
    """Searches positions of one game, to a depth or to the end. What it learns stays in its table.

    The table takes `table_mib` mebibytes, or just `entries` entries. All threads share it. Questions may come from any
    number of threads at once, and from the callbacks of other questions: each has its own workspaces.
    """

    def __init__(
        self, rules: Rules, table_mib: float = 64, *, entries: int | None = None, threads: int | None = 1
    ) -> None:
        self.rules = rules
        with BUILDING:
            # First, since it says what is wrong if numba or numpy is broken.
            self.module: Any = build(Plan.of(rules))
        self.threads = threads or cores()
        constants: Any = rules.constants
        self.most = constants["most"] * (rules.longest + 1)
        """The highest score that the scale has."""
        self._entry_words = layout.entry_words(constants["key_words"])
        self._workspace_words = layout.workspace_words(
            constants["longest"], constants["choices"], constants["arity"], constants["move_words"]
        )
        fitting = max(1, int(table_mib * 2**20) // (self._entry_words * WORD))
        self.entries = fitting - fitting % 2 or 1 if entries is None else entries
        self.table = Table(self.entries, self._entry_words)
        self.busy = array("q", bytes(WORD * (layout.MARKS + 1)))
        self._free: list[Any] = []

    @property
    def bytes(self) -> int:
        """The size of the table."""
        return self.table.bytes

    def forget(self) -> None:
        """Start with an empty table; a search that is running keeps the old one."""
        self.table = Table(self.entries, self._entry_words)

    def take_workspace(self) -> Any:
        """Return a workspace that no other thread uses; the caller gives it back."""
        import numpy

        try:
            return self._free.pop()
        except IndexError:
            workspace = numpy.zeros(self._workspace_words, numpy.int64)
            workspace[layout.SIZE] = self.entries
            workspace[layout.BUSY] = self.busy.buffer_info()[0]
            return workspace

    def give_back(self, workspaces: list[Any]) -> None:
        """Take workspaces back that no thread uses any more."""
        self._free.extend(workspaces)


class Run:
    """The searches for one question: they share its limits, and each can use several threads.

    Use it as a context, and `value` in it.
    """

    def __init__(self, solver: DeepSolver, limits: Limits = Limits()) -> None:  # noqa: B008 - immutable
        self._solver = solver
        self._table = solver.table
        self._limits = limits
        self._started = perf_counter()
        self._workspaces: list[Any] = []
        self._before = 0
        self._workers: list[Thread] = []
        self._failed: list[BaseException] = []
        self.most_nodes: int | None = None
        """A further limit of nodes, of this run in all, which can be changed; reaching it raises OutOfBudget."""

    def __enter__(self) -> "Run":
        self._take_workspace()
        return self

    def __exit__(self, *_: object) -> None:
        if not any(worker.is_alive() for worker in self._workers):  # else an interrupt came while we waited for them
            self._solver.give_back(self._workspaces)

    def _take_workspace(self) -> None:
        workspace = self._solver.take_workspace()
        self._before += int(workspace[layout.NODES])
        self._workspaces.append(workspace)

    @property
    def nodes(self) -> int:
        """How many nodes were visited in this run."""
        return sum(int(workspace[layout.NODES]) for workspace in self._workspaces) - self._before

    @property
    def seconds(self) -> float:
        """The seconds since the run began."""
        return perf_counter() - self._started

    def check(self) -> None:
        """Raise OutOfBudget if a limit is reached or the caller cancels."""
        _, seconds, cancel, _ = self._limits
        if seconds is not None and self.seconds >= seconds:
            raise OutOfBudget("deadline")
        if cancel is not None and cancel():
            raise OutOfBudget("cancelled")
        if self._nodes_left() <= 0:
            raise OutOfBudget("node limit")

    def _nodes_left(self) -> int:
        limits = [each for each in (self._limits.nodes, self.most_nodes) if each is not None]
        return min(limits) - self.nodes if limits else NEVER

    def value(self, position: Position, alpha: int, beta: int, depth: int) -> Valued:
        """Search a position whose own bounds leave its score open; raise OutOfBudget if a limit is reached first.

        `alpha`, `beta` and the result are values, in the view of the player to move; see `search` in the kernel.
        """
        self.check()
        asked = position, alpha, beta, depth
        workspace = self._workspaces[0]
        workspace[layout.SPLIT] = 0
        with DeferredCtrlC():
            done = self._search(workspace, asked, min(FIRST_NODES, self._nodes_left()))
        if done:
            return _result(workspace)
        self.check()
        return self._in_threads(asked)

    def known_move(self, position: Position) -> int | None:
        """Return the number of the best move of a position that the table has, or None."""
        workspace = self._workspaces[0]
        move = self._solver.module.known_move(position, self._table.address, workspace.ctypes.data)
        return None if move == layout.NO_MOVE else int(move)

    def _search(self, workspace: Any, asked: tuple[Position, int, int, int], nodes: int) -> bool:
        """Run the kernel in this thread; return whether it finished, rather than being stopped."""
        workspace[layout.LIMIT] = int(workspace[layout.NODES]) + nodes + 1
        workspace[layout.DEEPEST] = 0
        return self._call(workspace, asked)

    def _call(self, workspace: Any, asked: tuple[Position, int, int, int]) -> bool:
        try:
            done = self._solver.module.look(*asked, self._table.address, workspace.ctypes.data)
        except (ArithmeticError, AssertionError, LookupError, ValueError) as error:
            raise BrokenGame(f"its kernel raised {type(error).__name__}: {error}") from None
        if workspace[layout.DEEPEST] == layout.BROKEN:
            raise BrokenGame(BROKEN)
        return bool(done)

    def _in_threads(self, asked: tuple[Position, int, int, int]) -> Valued:
        """Search in threads until the first has finished; look after the limits meanwhile."""
        threads = self._solver.threads
        while len(self._workspaces) < threads:
            self._take_workspace()
        nodes = max(1, self._nodes_left() // threads)
        for workspace in self._workspaces:
            workspace[layout.SPLIT] = SPLIT if threads > 1 else 0
            workspace[layout.DEEPEST] = 0
            workspace[layout.LIMIT] = int(workspace[layout.NODES]) + nodes + 1
        done = Event()
        results: list[Valued] = []

        def work(workspace: Any) -> None:
            try:
                if self._call(workspace, asked):
                    results.append(_result(workspace))
            except BaseException as error:  # raised below, in the thread that waits
                self._failed.append(error)
            finally:
                done.set()

        self._watch(work, done)
        if self._failed:
            raise self._failed[0]
        if not results:
            raise OutOfBudget("node limit")
        return results[0]

    def _patience(self) -> float:
        """Return how long to wait before the limits are checked again."""
        seconds = self._limits.seconds
        return POLL if seconds is None else min(POLL, max(0.0, seconds - self.seconds))

    def _watch(self, work: Callable[[Any], None], done: Event) -> None:
        """Run the threads until one is done or a limit is reached, then stop and join all."""
        with DeferredCtrlC() as ctrl_c:
            try:
                for workspace in self._workspaces:
                    worker = Thread(target=work, args=(workspace,), daemon=True)
                    worker.start()
                    self._workers.append(worker)
                while not done.wait(self._patience()):
                    ctrl_c.deliver()
                    self.check()
            finally:
                for workspace in self._workspaces:
                    workspace[layout.LIMIT] = 0
                for worker in self._workers:
                    worker.join()
                self._workers.clear()


def bounds_of(solver: DeepSolver, position: Position, limits: Limits = Limits()) -> tuple[int, int]:  # noqa: B008
    """Return proven bounds of a position's score, by a search to the end; equal unless a limit stops it."""
    low, high = solver.rules.bounds(position)
    if low < high:
        infinite = (solver.most + 1) * layout.UNIT
        with Run(solver, limits) as run:
            try:
                value, sure = run.value(position, -infinite, infinite, layout.FULL)
            except OutOfBudget:
                return low, high
        low = max(low, value // layout.UNIT) if sure & layout.LOW else low
        high = min(high, value // layout.UNIT) if sure & layout.HIGH else high
    return low, high


def _result(workspace: Any) -> Valued:
    return Valued(int(workspace[layout.VALUE]), int(workspace[layout.SURE]))
