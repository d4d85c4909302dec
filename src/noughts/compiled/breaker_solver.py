"""Running the proofs of `breaker`, and their strategies, for anybody who wants to check them."""

from array import array
from collections.abc import Sequence
from functools import cache
from threading import Lock
from typing import Any

from noughts.compiled import breaker, breaker_lines, breaker_pairs
from noughts.compiled.breaker import HOLDS, PAIR, REPLY, SEARCH, UNKNOWN
from noughts.compiled.breaker_lines import AT_PAIRS, LIMIT, NODES, PAIRS, STOP, breaker_board
from noughts.compiled.build import build
from noughts.compiled.modules import Modules
from noughts.compiled.watch import watched
from noughts.search.answer import Stopped
from noughts.search.limits import Budget, Limits

__all__ = ["BreakerSolver", "breaker_modules"]


class BreakerSolver:
    """Proves that a breaker stops every line or completes one first; its strategy is `pairs` and `reply`.

    Threads take turns; what was proven is kept for the next question. `turns` are the symmetries of the board: where
    each moves each cell. Raises NoKernel if it cannot be compiled.
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
                    known = int(self._run(address, SEARCH, maker, other, depth))
                    if known != UNKNOWN or board[STOP] or board[NODES] >= board[LIMIT]:
                        break

            def stop() -> None:
                board[STOP] = 1

            stopped = watched(work, stop, Budget(limits))
            self.nodes = board[NODES]
            if known == UNKNOWN and stopped == "done" and limits.nodes is not None and self.nodes >= limits.nodes:
                stopped = "node limit"
            return known == HOLDS, stopped

    def pairs(self, maker: int, other: int) -> list[int] | None:
        """Return pairs of cells, one in each open line; None if they are not found."""
        with self._lock:
            board = self._board
            if self._run(self._unlimited(), PAIR, maker, other, 0) != HOLDS:
                return None
            return list(board[board[AT_PAIRS] : board[AT_PAIRS] + board[PAIRS]])

    def reply(self, maker: int, other: int, stone: int) -> int:
        """Return a cell with which the breaker answers a stone and still holds; 0 if none is found."""
        with self._lock:
            return int(self._run(self._unlimited(), REPLY, maker, other, stone))

    def _unlimited(self) -> int:
        """Return the address of the board, after taking all limits off."""
        self._board[STOP], self._board[LIMIT] = 0, 1 << 62
        return self._board.buffer_info()[0]


@cache
def breaker_modules() -> Modules:
    """Return the modules of the compiled search."""
    return Modules("pairings", [breaker_lines, breaker_pairs, breaker], entries=["run"], recursive=["paired", "holds"])
