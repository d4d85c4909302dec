"""Running the proofs of `breaker`, and its strategy, for anybody who wants to check it."""

from array import array
from collections.abc import Iterator, Sequence
from functools import cache
from threading import Lock
from typing import Any

from noughts.compiled import breaker
from noughts.compiled.breaker import AT_PAIRS, HOLDS, LIMIT, NODES, PAIRS, STOP, UNKNOWN, breaker_board
from noughts.compiled.build import build
from noughts.compiled.modules import Modules
from noughts.compiled.watch import watched
from noughts.search.answer import Stopped
from noughts.search.limits import Budget, Limits

__all__ = ["BreakerSolver", "breaker_modules"]


class BreakerSolver:
    """Proves that a breaker can stop every line. Threads take turns; what was proven is kept for the next question.

    `turns` are the symmetries of the board: where each moves each cell. Raises NoKernel if it cannot be compiled.
    """

    def __init__(self, cells: int, lines: Sequence[Sequence[int]], turns: Sequence[Sequence[int]] = ()) -> None:
        self._cells, self._turns = cells, turns
        self.lines = [sum(1 << cell for cell in line) for line in lines]
        self._run: Any = build(breaker_modules()).run
        self._board = self._new_board()
        self._lock = Lock()
        self.nodes = 0
        """How many nodes the last question took."""

    def _new_board(self) -> "array[int]":
        return breaker_board(self._cells, self.lines, self._turns)

    def forget(self) -> None:
        """Drop what was proven."""
        with self._lock:
            self._board = self._new_board()

    @property
    def bytes(self) -> int:
        """How much memory it takes."""
        return len(self._board) * 8

    def holds(self, maker: int, other: int, limits: Limits = Limits()) -> tuple[bool, Stopped]:  # noqa: B008 - immutable
        """Return whether the breaker, who holds `other`, is proven to stop every line with the maker to move."""
        with self._lock:
            board, known = self._board, UNKNOWN
            board[NODES], board[STOP] = 0, 0
            board[LIMIT] = 1 << 62 if limits.nodes is None else limits.nodes
            address = board.buffer_info()[0]
            deepest = (self._cells - (maker | other).bit_count()) // 2

            def work() -> None:
                nonlocal known
                for depth in range(deepest + 1):
                    known = int(self._run(address, maker, other, depth))
                    if known != UNKNOWN or board[STOP] or board[NODES] >= board[LIMIT]:
                        break

            def stop() -> None:
                board[STOP] = 1

            stopped = watched(work, stop, Budget(limits))
            self.nodes = board[NODES]
            if known == UNKNOWN and stopped == "done" and limits.nodes is not None and self.nodes >= limits.nodes:
                stopped = "node limit"
            return known == HOLDS, stopped

    def strategy(self, maker: int, other: int) -> list[int] | dict[int, int] | None:
        """Return the breaker's strategy where it holds: a pairing, or a reply to each stone; None if there is none."""
        with self._lock:
            board = self._board
            board[STOP], board[LIMIT] = 0, 1 << 62
            if self._run(board.buffer_info()[0], maker, other, -1) == HOLDS:
                return list(board[board[AT_PAIRS] : board[AT_PAIRS] + board[PAIRS]])
        cells = 0
        for line in self.lines:
            cells |= 0 if line & other else line & ~maker
        replies: dict[int, int] = {}
        for stone in _bits(cells):
            rests = [line & ~maker & ~stone for line in self.lines if not line & other]
            tried = [rest for rest in rests if rest.bit_count() == 1] or _by_weight(rests, cells & ~stone)
            reply = next((each for each in tried if self.holds(maker | stone, other | each)[0]), None)
            if reply is None:
                return None
            replies[stone] = reply
        return replies


def _bits(cells: int) -> Iterator[int]:
    while cells:
        yield cells & -cells
        cells &= cells - 1


def _by_weight(rests: list[int], cells: int) -> list[int]:
    """Return the cells in the order in which the search tries them, more or less."""
    return sorted(_bits(cells), key=lambda cell: -sum(2.0 ** -rest.bit_count() for rest in rests if rest & cell))


@cache
def breaker_modules() -> Modules:
    """Return the modules of the compiled search."""
    return Modules("pairings", [breaker], entries=["run"], recursive=["paired", "holds"])
