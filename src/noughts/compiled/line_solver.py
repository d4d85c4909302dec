"""Running the searches of a board of lines: compiled or interpreted, and always within limits."""

from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple

from noughts.compiled import line_board, line_search, threats
from noughts.compiled.build import build
from noughts.compiled.line_board import (
    AT_FOUND,
    BEST,
    CELLS,
    DEPTH,
    FIRST,
    LIMIT,
    NODES,
    SCORE,
    STOP,
    new_board,
)
from noughts.compiled.line_search import DEEPEN, FOURS, PLACE, SURVEY
from noughts.compiled.modules import Modules
from noughts.compiled.watch import watched
from noughts.search.answer import Stopped
from noughts.search.limits import Budget, Limits, OutOfBudget

__all__ = ["LineFound", "LineSolver", "line_modules"]

TABLE_SIZE, SMALL_TABLE_SIZE = 1 << 18, 1 << 10
"""Positions in the table of the alpha-beta search, compiled and interpreted."""

SURE, MORE = 5, 7
"""How many plies of wins are examined in any case, and how many if that does not take too many nodes."""

FOURS_PLIES = 41
ROUNDS = 2_000, 8_000, 32_000
"""The nodes of each attempt to look ahead, to find forced wins and to examine more plies. They take turns, so that none
of them starves when there is little time."""

FIRST_DEPTH, UNLIMITED_DEPTH = 2, 6
"""How far to look ahead for a first guess, and how far if there is no limit; proofs need the time then."""


class LineFound(NamedTuple):
    """What was found about a position with a player to move."""

    distances: list[int]
    """For each cell: the exact distance of a win, or minus the distance of a loss; 0 if neither is known."""
    examined: int
    """How many plies of wins were examined in full."""
    forced_win: tuple[int, int] | None
    """The first cell of a win by forcing every reply, and within how many plies it wins."""
    best: int
    """The cell that looks best, of those that are not known to lose; if all are, of those that lose latest."""
    depth: int
    score: int
    nodes: int
    stopped: Stopped


class InterpretedBoard(array):  # type: ignore[type-arg]
    """A board that checks the limits itself, at every node."""

    budget = Budget()
    stopped: Stopped = "done"

    def poll(self) -> None:
        """Have the search stopped if the time is up or the caller cancels."""
        try:
            self.budget.check()
        except OutOfBudget as out:
            self.stopped = out.stopped
            self[STOP] = 1


class LineSolver:
    """Searches one board of lines, compiled if it is `native`. Any number of threads may ask; each has its own board.

    Raises NoKernel if it cannot be compiled.
    """

    def __init__(self, cells: int, lines: Sequence[Sequence[int]], *, native: bool) -> None:
        self._shape = cells, lines
        self._native: Any = build(line_modules()).run if native else None
        self._free: list[array[int]] = []
        self._boards = 0

    def forget(self) -> None:
        """Drop the boards that are not in use, with what they remember of earlier positions."""
        self._boards -= len(self._free)
        self._free.clear()

    @property
    def bytes(self) -> int:
        """About how much memory the boards take."""
        return self._boards * (TABLE_SIZE if self._native else SMALL_TABLE_SIZE) * line_board.ENTRY * 8

    def ask(self, stones: Sequence[int], player: int, limits: Limits) -> LineFound:
        """Return what can be found out about a position: stones are 0, 1 or 2 for each cell, `player` 0 or 1 moves."""
        budget = Budget(limits)
        with self._board() as board:
            start = board[AT_FOUND]
            for cell, stone in enumerate(stones):
                board[start + cell] = stone
            if isinstance(board, InterpretedBoard):
                board.budget, board.stopped = budget, "done"
                question = _Question(lambda *arguments: line_search.run(board, *arguments), board, player, limits)
                question.work()
                return question.found(board.stopped)
            native, address = self._native, board.buffer_info()[0]
            question = _Question(lambda *arguments: int(native(address, *arguments)), board, player, limits)

            def stop() -> None:
                board[STOP] = 1

            return question.found(watched(question.work, stop, budget))

    @contextmanager
    def _board(self) -> Iterator["array[int]"]:
        """Yield a board that no other thread uses."""
        try:
            board = self._free.pop()
        except IndexError:
            cells, lines = self._shape
            if self._native is None:
                board = InterpretedBoard("q", new_board(cells, lines, SMALL_TABLE_SIZE))
            else:
                board = new_board(cells, lines, TABLE_SIZE)
            self._boards += 1
        yield board
        board[STOP], board[LIMIT] = 0, 1 << 62
        self._free.append(board)  # not after an exception, which may have left stones on it


class _Question:
    """The steps of one question, in the order in which they are worth their time."""

    def __init__(self, run: Callable[..., int], board: "array[int]", player: int, limits: Limits) -> None:
        self._run, self._board, self._player, self._limits = run, board, player, limits
        self._before = board[NODES]
        self._examined = 0
        self._forced: tuple[int, int] | None = None
        board[BEST], board[DEPTH], board[SCORE] = -1, 0, 0

    def work(self) -> None:
        """Take all steps, until the position is settled or something stops them."""
        self._run(PLACE, 0, 0, 0)
        for most in (1, 3):
            self._survey(most, None)
        if self._open > 1:
            self._deepen(FIRST_DEPTH, None)
        self._survey(SURE, None)
        deepest = UNLIMITED_DEPTH if self._limits.seconds is self._limits.nodes is None else 99
        for nodes in (*ROUNDS, None):
            if self._open < 2 or self._forced is not None:
                break
            self._deepen(deepest, nodes)
            if nodes is not None:
                self._force(nodes)
                self._survey(MORE, nodes)

    @property
    def _distances(self) -> list[int]:
        start = self._board[AT_FOUND]
        return list(self._board[start : start + self._board[CELLS]])

    @property
    def _open(self) -> int:
        """How many cells are not known to lose; 0 if one is known to win."""
        distances = self._distances
        return 0 if max(distances) > 0 else sum(not distances[cell] for cell in self._empty)

    @property
    def _empty(self) -> list[int]:
        start = self._board[line_board.AT_OWNERS]
        return [cell for cell in range(self._board[CELLS]) if not self._board[start + cell]]

    def _survey(self, most: int, nodes: int | None) -> None:
        if self._open:
            self._examined = self._limited(nodes, SURVEY, self._examined, most)

    def _force(self, nodes: int) -> None:
        within = self._limited(nodes, FOURS, FOURS_PLIES, line_board.LEVELS - 1)
        if within:
            self._forced = self._board[FIRST], within

    def _deepen(self, depth: int, nodes: int | None) -> None:
        self._limited(nodes, DEEPEN, min(depth, len(self._empty)), 0)

    def _limited(self, nodes: int | None, task: int, first: int, second: int) -> int:
        """Run a task within what is left of the nodes, and no more than `nodes`."""
        board, most = self._board, self._limits.nodes
        limit = 1 << 62 if most is None else self._before + most
        board[LIMIT] = limit if nodes is None else min(limit, board[NODES] + nodes)
        if board[STOP] or board[NODES] >= board[LIMIT]:
            return self._examined if task == SURVEY else 0
        return self._run(task, self._player, first, second)

    def found(self, stopped: Stopped) -> LineFound:
        """Return what was found."""
        board, most = self._board, self._limits.nodes
        nodes = board[NODES] - self._before
        if stopped == "done" and most is not None and nodes >= most:
            stopped = "node limit"
        return LineFound(
            self._distances, self._examined, self._forced, self._best(), board[DEPTH], board[SCORE], nodes, stopped
        )

    def _best(self) -> int:
        """Return the cell that looks best to the search, if it is not known to lose; else the most promising one."""
        distances, best = self._distances, self._board[BEST]
        if best >= 0 and not distances[best]:
            return int(best)
        # The longest loss has the lowest number below 0.
        latest = min(distances[cell] for cell in self._empty)
        some = [cell for cell in self._empty if not distances[cell]]
        some = some or [cell for cell in self._empty if distances[cell] == latest]
        return max(some, key=lambda cell: line_search.promise(self._board, self._player, cell))


@cache
def line_modules() -> Modules:
    """Return the modules of the compiled search."""
    return Modules(
        "boards of lines", [line_board, threats, line_search], entries=["run"], recursive=["attack", "fours", "search"]
    )
