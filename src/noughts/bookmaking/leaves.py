"""Solving the leaves of a book: by the kernel on all cores, or by the engine if there is none."""

from collections.abc import Callable, Iterable
from queue import Empty, SimpleQueue
from threading import Thread
from time import sleep
from typing import Any, NamedTuple, Protocol

from noughts.bookmaking.positions import Leaf
from noughts.capabilities import ResolvedGame
from noughts.compiled.build import available
from noughts.compiled.rules import rules_of
from noughts.compiled.solver import cores
from noughts.engine import Engine
from noughts.errors import NoughtsError
from noughts.search.limits import Limits
from noughts.sources.kernel import NativeSearch

__all__ = ["ByEngine", "ByKernel", "Solved", "Solver", "leaf_solver", "solve_leaves"]

POLL = 0.05
"""Seconds between two looks at the threads."""


class Solved(NamedTuple):
    """The exact score of a leaf, on the game's scale, and the nodes that it took."""

    score: int
    nodes: int


class Solver(Protocol):
    """Solves leaves; `threads` of them at once."""

    threads: int

    def solve(self, leaf: Leaf, cancelled: Callable[[], bool], claimed: int | None = None) -> Solved | None:
        """Return the exact score of a leaf, or None if it was cancelled. To check a claimed score is quicker."""


def leaf_solver(game: ResolvedGame[Any, Any], table_mib: float, threads: int | None) -> Solver:
    """Return the solver of a game's leaves. It uses neither a book nor a theory of the game."""
    plain = game._replace(book=None, theory=None)
    offered = game.kernel()
    solvable = offered is not None and not game.has_margins and not rules_of(offered).is_deep
    if solvable and available():
        return ByKernel(plain, table_mib, threads)
    return ByEngine(plain, table_mib)


class ByKernel:
    """Solves each leaf in one thread, all with the same table."""

    def __init__(self, game: ResolvedGame[Any, Any], table_mib: float, threads: int | None) -> None:
        self.threads = threads or cores()
        self._native: NativeSearch[Any, Any] = NativeSearch(game, table_mib, threads=1)
        self._solver = self._native.solver
        self.table = self._solver.table
        self.table.use_all()  # searches that share a table would stop each time that it grows
        self._scale = game.scale

    def solve(self, leaf: Leaf, cancelled: Callable[[], bool], claimed: int | None = None) -> Solved | None:
        """Return the exact score of a leaf, or None if it was cancelled."""
        position = self._native.pack(leaf.state)
        plies = self._native.rules.plies(position)
        window: tuple[int | None, int | None] = (None, None)
        if claimed is not None:  # a kernel counts plies from the start of the game
            seen = claimed - plies * ((claimed > 0) - (claimed < 0))
            window = seen - 1, seen + 1
        found = self._solver.solve(position, *window, limits=Limits(cancel=cancelled))
        if found.low < found.high and found.stopped == "done":  # the claim is wrong
            more = self._solver.solve(position, limits=Limits(cancel=cancelled))
            found = more._replace(nodes=found.nodes + more.nodes)
        if found.low < found.high:
            return None
        sign = (found.low > 0) - (found.low < 0)
        return Solved(self._scale.score(sign, self._solver.most - abs(found.low) - plies), found.nodes)


class ByEngine:
    """Solves each leaf with an engine, in one thread."""

    threads = 1

    def __init__(self, game: ResolvedGame[Any, Any], table_mib: float) -> None:
        self._engine: Engine[Any, Any] = Engine(game, table_mib=table_mib)

    def solve(self, leaf: Leaf, cancelled: Callable[[], bool], claimed: int | None = None) -> Solved | None:  # noqa: ARG002
        """Return the exact score of a leaf, or None if it was cancelled."""
        answer = self._engine.value(leaf.state, limits=Limits(cancel=cancelled))
        if not answer.proven or answer.score is None:
            if cancelled():
                return None
            raise NoughtsError("the game cannot be solved this far from its end")
        return Solved(answer.score, answer.nodes)


def solve_leaves(
    solver: Solver,
    leaves: Iterable[Leaf],
    done: Callable[[Leaf, Solved], None],
    cancelled: Callable[[], bool],
    claims: dict[int, int] | None = None,
) -> bool:
    """Solve leaves on all cores, and call `done` for each, in any order; return whether all are solved.

    `claims` are the scores that they should have. An error in a thread, or in `done`, stops all of them.
    """
    waiting: SimpleQueue[Leaf] = SimpleQueue()
    for leaf in leaves:
        waiting.put(leaf)
    failed: list[BaseException] = []

    def stop() -> bool:
        return bool(failed) or cancelled()

    def work() -> None:
        try:
            while not stop():
                leaf = waiting.get_nowait()
                solved = solver.solve(leaf, stop, None if claims is None else claims[leaf.key])
                if solved is None:
                    waiting.put(leaf)
                else:
                    done(leaf, solved)
        except Empty:
            return
        except BaseException as error:  # the calling thread raises it
            failed.append(error)

    threads = [Thread(target=work, daemon=True) for _ in range(solver.threads)]
    for thread in threads:
        thread.start()
    try:
        while any(thread.is_alive() for thread in threads):
            sleep(POLL)
    except BaseException as error:
        failed.append(error)
        raise
    if failed:
        raise failed[0]
    return waiting.empty()
