"""Running the searches of a board of lines: compiled if numba is there, else interpreted, and always within limits."""

from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Event, Lock, Thread
from time import perf_counter
from typing import Any, NamedTuple

from noughts.compiled import line_board, line_search, threats
from noughts.compiled.build import available, build
from noughts.compiled.line_board import (
    AT_FOUND,
    AT_MOVES,
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
from noughts.errors import NoKernel
from noughts.interrupts import DeferredCtrlC
from noughts.search.answer import Stopped
from noughts.search.limits import Limits

__all__ = ["LineFound", "LineSolver", "within"]

POLL = 0.02
"""Seconds between two looks at the limits."""

TABLE_SIZE = 1 << 18
"""Positions in the table of the alpha-beta search; interpreted, a thousandth of it would do."""

SURE = 5, 7
"""How many plies of wins are examined in any case, and how many if that takes no more than `MORE_NODES`."""

MORE_NODES = 60_000
FOURS_PLIES, FOURS_NODES = 41, 30_000
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
    best: int | None
    """The cell that looks best, of those that are not known to lose."""
    depth: int
    score: int
    nodes: int
    stopped: Stopped


class LineSolver:
    """Searches one board of lines. Any number of threads may ask; each has a board of its own."""

    def __init__(self, cells: int, lines: Sequence[Sequence[int]]) -> None:
        self._shape = cells, lines
        self._free: list[array[int]] = []
        self._boards = 0
        self._native: Any = None
        self._loading = Lock()

    @property
    def is_ready(self) -> bool:
        """Whether the compiled search is loaded."""
        return self._native is not None

    def load(self) -> None:
        """Load the compiled search, and compile it if need be; raise NoKernel if that cannot be done."""
        with self._loading:
            if self._native is None:
                if not available():
                    raise NoKernel("numba is not installed")
                self._native = build(_modules()).run

    def forget(self) -> None:
        """Drop the boards that are not in use, with what they remember of earlier positions."""
        self._boards -= len(self._free)
        self._free.clear()

    @property
    def bytes(self) -> int:
        """About how much memory the boards take."""
        return self._boards * TABLE_SIZE * line_board.ENTRY * 8 if self.is_ready else 0

    def ask(self, stones: Sequence[int], player: int, limits: Limits) -> LineFound:
        """Return what can be found out about a position: stones are 0, 1 or 2 for each cell, `player` 0 or 1 moves."""
        with self._board() as board:
            start = board[AT_FOUND]
            for cell, stone in enumerate(stones):
                board[start + cell] = stone
            question = _Question(self._runner(board), board, player, limits)
            stopped = within(limits, board, STOP, question.work)
            return question.found(stopped)

    def _runner(self, board: "array[int]") -> Callable[..., int]:
        native = self._native
        if native is None:
            return lambda *arguments: line_search.run(board, *arguments)
        address = board.buffer_info()[0]
        return lambda *arguments: int(native(address, *arguments))

    @contextmanager
    def _board(self) -> Iterator["array[int]"]:
        """Yield a board that no other thread uses."""
        try:
            board = self._free.pop()
        except IndexError:
            cells, lines = self._shape
            board = new_board(cells, lines, TABLE_SIZE if self.is_ready else TABLE_SIZE >> 8)
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
        if self._is_settled():
            return
        self._deepen(FIRST_DEPTH)
        self._survey(SURE[0], None)
        if self._is_settled():
            return
        within = self._limited(FOURS_NODES, FOURS, FOURS_PLIES, line_board.LEVELS - 1)
        if within:
            self._forced = self._board[FIRST], within
        self._survey(SURE[1], MORE_NODES)
        if not self._is_settled() and self._forced is None:
            self._deepen(UNLIMITED_DEPTH if self._limits.seconds is self._limits.nodes is None else 99)

    @property
    def _distances(self) -> list[int]:
        start = self._board[AT_FOUND]
        return list(self._board[start : start + self._board[CELLS]])

    def _is_settled(self) -> bool:
        """Whether a win is known, or at most one cell is not known to lose."""
        distances = self._distances
        return any(each > 0 for each in distances) or sum(not distances[cell] for cell in self._empty) < 2

    @property
    def _empty(self) -> list[int]:
        start = self._board[line_board.AT_OWNERS]
        return [cell for cell in range(self._board[CELLS]) if not self._board[start + cell]]

    def _survey(self, most: int, nodes: int | None) -> None:
        if not self._is_settled():
            self._examined = self._limited(nodes, SURVEY, self._examined, most)

    def _deepen(self, depth: int) -> None:
        self._board[DEPTH] = 0
        self._limited(None, DEEPEN, min(depth, len(self._empty)), 0)

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
        distances = self._distances
        best = board[BEST]
        if best < 0 or distances[best]:
            listed = board[board[AT_MOVES] : board[AT_MOVES] + line_board.WIDTH]
            owners = board[line_board.AT_OWNERS]
            best = next((cell for cell in listed if not distances[cell] and not board[owners + cell]), -1)
        return LineFound(
            distances,
            self._examined,
            self._forced,
            best if best >= 0 else None,
            board[DEPTH],
            board[SCORE],
            nodes,
            stopped,
        )


def within(limits: Limits, board: "array[int]", stop: int, work: Callable[[], None]) -> Stopped:
    """Do the work in a thread, and stop it when the time is up or the caller cancels; return what stopped it.

    It is stopped by a 1 in the slot `stop` of its board.
    """
    failed: list[BaseException] = []
    done = Event()

    def guarded() -> None:
        try:
            work()
        except BaseException as error:  # raised below, in the thread that waits
            failed.append(error)
        finally:
            done.set()

    started = perf_counter()
    stopped: Stopped = "done"
    worker = Thread(target=guarded, daemon=True)
    with DeferredCtrlC() as ctrl_c:
        try:
            worker.start()
            while not done.wait(_pause(limits, perf_counter() - started)):
                ctrl_c.deliver()
                if limits.seconds is not None and perf_counter() - started >= limits.seconds:
                    stopped = "deadline"
                elif limits.cancel is not None and limits.cancel():
                    stopped = "cancelled"
                if stopped != "done":
                    board[stop] = 1
        finally:
            board[stop] = 1
            worker.join()
    if failed:
        raise failed[0]
    return stopped


def _pause(limits: Limits, spent: float) -> float:
    """Return how long to wait until the next look at the limits."""
    return POLL if limits.seconds is None else min(POLL, max(0.0005, limits.seconds - spent))


def _modules() -> Modules:
    """Return the modules of the compiled search; made once."""
    global _made
    if _made is None:
        _made = Modules(
            "boards of lines",
            [line_board, threats, line_search],
            entries=["run"],
            recursive=["attack", "fours", "search"],
        )
    return _made


_made: Modules | None = None
