"""Asking a kernel: its memory, and the tasks that it does in one native call, which settles most questions.

Longer ones go on in threads: `noughts.compiled.threads`.
"""

import os
from array import array
from collections.abc import Callable
from threading import RLock
from time import perf_counter
from typing import Any

from noughts.compiled import layout
from noughts.compiled.build import Plan, build
from noughts.compiled.found import BROKEN_RULES, Found, Running
from noughts.compiled.rules import Position, Rules
from noughts.compiled.table import Run, SharedTable, Workspace
from noughts.compiled.threads import SearchOfEach, SearchOfOne
from noughts.errors import BrokenGame
from noughts.interrupts import DeferredCtrlC
from noughts.search.answer import Stopped
from noughts.search.limits import Limits

__all__ = ["BUILDING", "FIRST_NODES", "Solver", "cores"]

FIRST_NODES = 1 << 13
"""Nodes that are searched in the calling thread, in about two milliseconds at most, before any thread is started.

Most questions are settled by then. It counts nodes, not time, so that node counts are the same each time.
"""

STEPS = 4
"""How many times the table is doubled each time that searches stop for it."""

BUILDING = RLock()
"""Held while a kernel is compiled or loaded: one at a time, since unfinished kernels are among Python's modules.

A fork waits for it, so that the child has no unfinished kernel and no compiler that is locked for ever.
"""

if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=BUILDING.acquire, after_in_parent=BUILDING.release, after_in_child=BUILDING.release)


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
        self.plies: Callable[[Position], int] = rules.functions.plies
        self.most = rules.longest + 1
        """The highest score that the scale has."""
        with BUILDING:
            # First, since it says what is wrong if numba or numpy is broken.
            self._module = build(Plan.of(rules))
        self.threads = threads or cores()
        wanted = max(1, int(table_mib * 2**20) // layout.WORD) if entries is None else entries
        constants: Any = rules.constants
        self._spare = layout.spare_bits(constants["longest"], constants["key_bits"])
        self._choices, self._arity = constants["choices"], constants["arity"]
        self._workspace_words = layout.workspace_words(constants["longest"], self._choices, self._arity)
        self.table = SharedTable(wanted, self._spare)
        self._busy = array("q", bytes(layout.WORD * (layout.MARKS + 1)))
        self._start: Position = (0,) * self._arity
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
        *,
        task: int = layout.SOLVE,
    ) -> Found:
        """Return proven bounds of a position's score, and a move if the search came across one.

        The window from `low` to `high` says what the caller wants to know: the search ends when nothing inside it is
        open, that is when the proven score is exact, at least `high`, or at most `low`. To ask only whether the score
        is at least n, let `low` be n - 1 and `high` be n. By default the search goes on until the score is exact.
        With the task VALUE, a short search also looks for a move if it came across none.

        If a limit is reached first, the bounds are those proven by then, and `stopped` names the limit.
        """
        most = self.most
        low, high = -most if low is None else low, most if high is None else high
        limit, seconds, cancel, _ = limits
        started = perf_counter()
        if progress is not None:
            progress(Running(0, 0.0, -most, most, 0))
        if seconds is not None and seconds <= 0:
            return Found(-most, most, None, 0, "deadline")
        if cancel is not None and cancel():
            return Found(-most, most, None, 0, "cancelled")
        workspace = self.take_workspace()
        before = workspace[layout.NODES]
        threaded: SearchOfOne | None = None
        try:
            nodes = FIRST_NODES if limit is None else max(1, min(FIRST_NODES, limit))
            self._run_shortly(task, workspace, position, low, high, 0, nodes)
            least, greatest, move = workspace[layout.LOW], workspace[layout.HIGH], workspace[layout.MOVE]
            if least >= greatest or least >= high or greatest <= low:
                self._check(least, greatest)
                return Found(least, greatest, move or None, workspace[layout.NODES] - before, "done")
            threaded = SearchOfOne(position, (low, high), self, limits, progress, started)
            threaded.add(workspace, before)
            stopped = threaded.search()
            least, greatest, move = threaded.proven
            self._check(least, greatest)
            return Found(least, greatest, move or None, threaded.nodes, stopped)
        finally:
            if threaded is None:
                self._free.append(workspace)
            elif not threaded.at_work:
                self._free.extend(threaded.workspaces)

    def value_each(
        self,
        positions: Workspace,
        number: int,
        step: int = 0,
        limits: Limits = Limits(),  # noqa: B008 - immutable
        progress: Callable[[Running], None] | None = None,
    ) -> tuple[int, int, Stopped]:
        """Value several positions; return the step to go on with, how many nodes were visited, and why it stopped.

        Each position in memory comes after its proven bounds, which are tightened. There are two steps for each: first
        each is searched for who wins, then for how fast. After twice their number of steps, all scores are exact.
        Where progress is reported, threads start at once.
        """
        limit, seconds, cancel, _ = limits
        started = perf_counter()
        if seconds is not None and seconds <= 0:
            return step, 0, "deadline"
        if cancel is not None and cancel():
            return step, 0, "cancelled"
        workspace = self.take_workspace()
        each = SearchOfEach(positions, number, step, self, limits, progress, started)
        each.add(workspace, workspace[layout.NODES])
        try:
            if progress is None:
                nodes = FIRST_NODES if limit is None else max(1, min(FIRST_NODES, limit))
                self._run_shortly(layout.EACH, workspace, self._start, step, number, address_of(positions), nodes)
            stopped = "done" if each.is_settled else each.search()
            for at in range(0, len(positions), layout.BOUNDS + self._arity):
                self._check(positions[at], positions[at + 1])
            return each.reached, each.nodes, stopped
        finally:
            if not each.at_work:
                self._free.extend(each.workspaces)

    def follow(self, position: Position, score: int) -> tuple[list[int], int]:
        """Return moves of best play from a position with a known score, and how many nodes were visited.

        The line ends where the rules know the score, which may be before the end of the game, or a short search does
        not find a move.
        """
        workspace = self.take_workspace()
        try:
            before, line = workspace[layout.NODES], array("q", bytes(layout.WORD * self.most))
            reached = self._run_shortly(
                layout.FOLLOW, workspace, position, score, self.most - 1, address_of(line), FIRST_NODES
            )
            return line[: reached or 0].tolist(), workspace[layout.NODES] - before
        finally:
            self._free.append(workspace)

    def children(self, position: Position) -> list[tuple[int, Position]]:
        """Return the moves of a position and the positions after them; nothing if the rules know its score."""
        workspace, arity = self.take_workspace(), self._arity
        try:
            workspace[layout.DEEPEST] = 0
            number = self.run(layout.CHILDREN, workspace, position, 0, 0, 0)
            if workspace[layout.DEEPEST] == layout.BROKEN:
                raise BrokenGame(BROKEN_RULES)
            moves = workspace[layout.FRAMES : layout.FRAMES + number]
            first = layout.FRAMES + self._choices
            after = (tuple(workspace[at : at + arity]) for at in range(first, first + number * arity, arity))
            return list(zip(moves, after, strict=True))
        finally:
            self._free.append(workspace)

    def _run_shortly(
        self, task: int, workspace: Workspace, position: Position, low: int, high: int, memory: int, nodes: int
    ) -> int | None:
        """Do a task in the calling thread, for so many nodes; return what it returns, or None if it would have to wait.

        Raises BrokenGame if the rules broke a promise.
        """
        table = self.table
        workspace[layout.SPLIT] = workspace[layout.DEEPEST] = 0
        with DeferredCtrlC():  # or the table would go on waiting for this search
            if not table.enter_at_once(workspace, nodes):
                return None
            stored = workspace[layout.STORED]
            try:
                returned = self.run(task, workspace, position, low, high, memory)
            finally:
                table.leave(workspace, stored)
        if workspace[layout.DEEPEST] == layout.BROKEN:
            raise BrokenGame(BROKEN_RULES)
        return returned

    def _check(self, low: int, high: int) -> None:
        """Raise BrokenGame if bounds contradict each other, or are not on the scale."""
        if not -self.most <= low <= high <= self.most:
            raise BrokenGame(BROKEN_RULES)

    def run(self, task: int, workspace: Workspace, position: Position, low: int, high: int, memory: int = 0) -> int:
        """Do a task of `layout` in this thread; return what it returns."""
        try:
            returned: int = self._module.answer(
                task, position, low, high, memory, self.table.address, workspace.buffer_info()[0]
            )
        except (ArithmeticError, AssertionError, LookupError, ValueError) as error:
            raise BrokenGame(f"its kernel raised {type(error).__name__}: {error}") from None
        return returned

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
        """Return a workspace that no other thread uses, with nothing proven yet; the caller gives it back."""
        try:
            workspace = self._free.pop()
        except IndexError:
            workspace = self.new_workspace()
            self._workspaces.append(workspace)
        workspace[layout.LOW], workspace[layout.HIGH], workspace[layout.MOVE] = -self.most, self.most, 0
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
