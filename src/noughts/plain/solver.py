"""Running the native search of a game's six functions: its memory, its table, and the comparison with Python."""

from collections.abc import Callable
from random import Random
from threading import Lock, RLock
from typing import Any

from noughts.compiled import deep_layout
from noughts.compiled.build import build
from noughts.compiled.deep_solver import WORD, DeepSolver, Run, Table, Valued
from noughts.compiled.rules import Position
from noughts.compiled.solver import BUILDING
from noughts.plain import layout
from noughts.plain.build import PlainPlan
from noughts.plain.sample import numbers_of
from noughts.plain.source import Refused
from noughts.search.limits import OutOfBudget

__all__ = ["PlainRun", "PlainSolver"]

FREE_WORDS = 1 << 20
"""The size of the free memory."""

FIRST_ENTRIES = 1 << 12
"""How many entries the table has at first: a large one takes longer to clear than a short search."""

FULLNESS = 2
"""How many nodes are visited for each entry before the table grows."""

GROWTH = 8
"""How many times larger it becomes when it is full."""

COMPARED = 400
"""In how many states the compiled functions are compared with Python's."""


class _TooWide(Exception):
    """A number of a state does not fit in the key; the argument is its slot."""


class PlainSolver(DeepSolver):
    """Searches states of one game, as numbers. What it learns stays in its table.

    Raises Refused if what was compiled differs from Python in any of the states that are compared. `check` is called
    for each of these, and may raise an exception to stop.
    """

    def __init__(self, plan: PlainPlan, table_mib: float = 64, check: Callable[[], None] = lambda: None) -> None:
        with BUILDING:
            self.module: Any = build(plan)
        self.plan, self.threads = plan, 1
        low, high = plan.game.utility_range
        self._utilities = low, high
        self.most = max(abs(low), abs(high)) * layout.UNIT_SCORE
        """The highest score that the scale has."""
        self.bounds = _lowest(low), -_lowest(-high)
        """The lowest and the highest score of an unfinished state, for MAX."""
        self._table_mib = table_mib
        self._free: list[Any] = []
        self._layouts = 0
        """How often keys were laid out; a workspace of an earlier layout is not used again."""
        self.changing = RLock()
        """Held while the layout changes, and while a run takes its memory."""
        self.in_use = Lock()
        """Held by the run that uses the table: two threads must not write to it at once."""
        rows = [numbers_of(state) for state in plan.samples.states]
        self._ranges = [(min(column), max(column)) for column in zip(*rows, strict=True)]
        self._lay_out()
        self._compare(check)

    def _lay_out(self) -> None:
        """Decide where in the key each number of a state goes, and start with an empty table."""
        self.slots: list[int] = []
        word = shift = 0
        for low, high in self._ranges:
            bits = (high - low).bit_length()
            if bits > 60:
                low, bits = 0, 64
            begins = shift + bits > 64
            if begins:
                word, shift = word + 1, 0
            mask = -1 if bits == 64 else (1 << bits) - 1
            factor = 1 << min(shift, 63)
            self.slots += [low, mask, int(begins), factor if factor < 1 << 63 else -factor]
            shift += bits
        self.words = word + 1
        fitting = int(self._table_mib * 2**20) // (layout.entry_words(self.words) * WORD)
        self._most_entries = max(2, 1 << fitting.bit_length() - 1 if fitting else 0)
        self._layouts += 1
        self.forget()

    def widen(self, slot: int) -> None:
        """Allow for larger and smaller numbers in a slot: the range was that of the samples."""
        number = (slot - layout.SLOTS) // 4
        low, high = self._ranges[number]
        if high - low > 1 << 60:
            raise Refused("a number of a state needs more than 64 bits")
        more = 1 + high - low
        self._ranges[number] = low - more, high + 2 * more
        self._lay_out()

    def forget(self) -> None:
        """Start with an empty table; a search that is running keeps the old one."""
        self._free.clear()
        self.table = self.new_table()

    def new_table(self) -> Table:
        """Return an empty table, of the size that tables have at first."""
        return Table(min(FIRST_ENTRIES, self._most_entries), layout.entry_words(self.words))

    def give_back(self, workspaces: list[Any]) -> None:
        """Take workspaces back that no thread uses any more."""
        self._free.extend(filter(self.is_current, workspaces))

    def is_current(self, workspace: Any) -> bool:
        """Return whether a workspace has the layout of keys that is used now."""
        return bool(workspace[layout.LAYOUT] == self._layouts)

    @property
    def bytes(self) -> int:
        """The size of the table, which grows as it fills up."""
        return self.table.bytes

    def larger(self, table: Table, workspace: Any) -> Table | None:
        """Return a larger table with the entries of this one, or None if it is as large as it may be."""
        if table.entries >= self._most_entries:
            return None
        entry_words = table.bytes // WORD // table.entries  # another run may have changed the layout meanwhile
        larger = Table(min(GROWTH * table.entries, self._most_entries), entry_words)
        workspace[layout.INPUT], workspace[deep_layout.SIZE] = table.entries, larger.entries // 2
        self.module.look(layout.GROW, table.address, larger.address, workspace.ctypes.data)
        return larger

    def take_workspace(self) -> Any:
        """Return a workspace that no other thread uses; the caller gives it back."""
        import numpy

        try:
            return self._free.pop()
        except IndexError:
            constants = self.plan.program.constants
            start = layout.CONSTANTS + len(constants)
            workspace = numpy.zeros(start + FREE_WORDS, numpy.int64)
            workspace[layout.SLOTS : layout.SLOTS + len(self.slots)] = self.slots
            workspace[layout.CONSTANTS : start] = constants
            workspace[layout.END], workspace[layout.WORDS] = len(workspace) - 64, self.words
            workspace[layout.LEAST], workspace[layout.MOST] = self._utilities
            workspace[layout.LOWEST], workspace[layout.HIGHEST] = self.bounds
            workspace[layout.LAYOUT] = self._layouts
            workspace[layout.IN_ORDER] = self.plan.samples.same_length
            workspace[layout.PLIES] = min(self.plan.game.longest, layout.MOST_PLIES - 10)
            return workspace

    def prepare(self, workspace: Any, numbers: Position) -> None:
        """Write a state to the memory of a search, and free all the rest."""
        workspace[layout.FREE] = layout.CONSTANTS + len(self.plan.program.constants)
        workspace[layout.INPUT : layout.INPUT + len(numbers)] = numbers

    def _compare(self, check: Callable[[], None]) -> None:
        """Raise Refused if the compiled functions do not return what Python's do, in the states that were sampled."""
        import numpy

        game, states = self.plan.game, self.plan.samples.states
        chosen = states if len(states) <= COMPARED else Random(0).sample(states, COMPARED)
        workspace = self.take_workspace()
        for state in chosen:
            check()
            ended = bool(game.terminal(state))
            expected = [int(ended), game.player(state)]
            if ended:
                expected.append(game.utility(state))
            else:
                actions = game.legal_actions(state)
                expected.append(len(actions))
                expected += [number for action in actions for number in numbers_of(game.result(state, action))]
            out = numpy.zeros(len(expected) + 8 + 64 * len(numbers_of(state)), numpy.int64)
            self.prepare(workspace, tuple(numbers_of(state)))
            try:
                used = self.module.look(layout.DESCRIBE, out.ctypes.data, 0, workspace.ctypes.data)
            except Exception as error:
                raise Refused(f"compiled, a function raises {type(error).__name__}: {error}") from None
            if out[:used].tolist() != expected:
                raise Refused(f"compiled, the functions return something else than in Python, in the state {state!r}")
        self._free.append(workspace)


def _lowest(utility: int) -> int:
    """Return the lowest score of an unfinished state, for a player who gets at least a utility."""
    if utility < 0:
        return utility * layout.UNIT_SCORE + 1
    return utility * layout.UNIT_SCORE - layout.MOST_PLIES if utility > 0 else 0


class PlainRun(Run):
    """The searches for one question to a `PlainSolver`."""

    _solver: PlainSolver

    def __enter__(self) -> "PlainRun":
        solver = self._solver
        with solver.changing:
            self._has_shared = solver.in_use.acquire(blocking=False)
            # Another thread may use the table, or the question whose callback asks this one.
            self._table = solver.table if self._has_shared else solver.new_table()
            super().__enter__()
        self._workspaces[0][layout.CHOICE] = 0
        return self

    def __exit__(self, *_: object) -> None:
        stopped = not any(worker.is_alive() for worker in self._workers)
        super().__exit__()
        if self._has_shared:
            solver = self._solver
            with solver.changing:
                if not stopped:  # a thread that an interrupt left at work may still write to the table
                    solver.forget()
                elif solver.is_current(self._workspaces[0]):
                    solver.table = self._table
            solver.in_use.release()

    def value(self, position: Position, alpha: int, beta: int, depth: int) -> Valued:
        """Return a bound of a score, as a value: a lower one if the score reaches `beta`, else an upper one.

        Keys are made wider when a number does not fit, and the table larger when it is full; then the search goes on.
        """
        while True:
            try:
                return super().value(position, alpha, beta, depth)
            except _TooWide as wide:
                self._widen(*wide.args)
            except OutOfBudget as out:
                if out.stopped != "node limit" or super()._nodes_left() <= 0:
                    raise
                larger = self._solver.larger(self._table, self._workspaces[0])
                if larger is None:
                    self._is_largest = True
                else:
                    self._table = larger

    _is_largest = False

    def _nodes_left(self) -> int:
        left = super()._nodes_left()
        if self._is_largest:
            return left
        visited = int(self._workspaces[0][deep_layout.NODES])
        return min(left, max(0, FULLNESS * self._table.entries - visited))

    def _widen(self, slot: int) -> None:
        """Begin with another table, whose keys have more room for a number."""
        spent = self.nodes
        self._failed.clear()
        self._workspaces.clear()
        self._before, self._is_largest = -spent, False
        solver = self._solver
        with solver.changing:
            solver.widen(slot)
            self._table = solver.new_table()
            self._take_workspace()

    @property
    def choice(self) -> int:
        """The place of the action that was best in the last position searched; -1 if none is known."""
        return int(self._workspaces[0][layout.CHOICE]) - 1

    def known_move(self, position: Position) -> int | None:  # noqa: ARG002 - the signature of the base class
        """Return None: moves are not numbered as in Python."""
        return None

    def _call(self, workspace: Any, asked: tuple[Position, int, int, int]) -> bool:
        position, _, beta, _ = asked
        solver = self._solver
        solver.prepare(workspace, position)
        workspace[deep_layout.SIZE] = self._table.entries // 2
        target = -(-beta // deep_layout.UNIT)
        try:
            solver.module.look(layout.SEARCH, target, self._table.address, workspace.ctypes.data)
        except TimeoutError:
            return False
        except KeyError:
            raise _TooWide(int(workspace[layout.WIDEN])) from None
        except Exception as error:
            raise Refused(f"compiled, a function raises {type(error).__name__}: {error}") from None
        return True
