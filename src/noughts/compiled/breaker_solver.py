"""Running the proofs of `breaker`, and its strategy, for anybody who wants to check it."""

from array import array
from collections.abc import Sequence
from threading import Lock
from typing import Any

from noughts.compiled import breaker
from noughts.compiled.breaker import AT_PAIRS, LIMIT, MOST_CELLS, NODES, PAIRS, STOP, breaker_board
from noughts.compiled.build import available, build
from noughts.compiled.line_solver import within
from noughts.compiled.modules import Modules
from noughts.errors import NoKernel
from noughts.search.answer import Stopped
from noughts.search.limits import Limits

__all__ = ["BreakerSolver"]

_made: list[Modules] = []
"""The modules of the compiled search, once they are needed."""


class BreakerSolver:
    """Proves that a breaker can stop every line. Threads take turns; what was proven is kept for the next question."""

    def __init__(self, cells: int, lines: Sequence[Sequence[int]]) -> None:
        self.fits = cells <= MOST_CELLS
        self.lines = [sum(1 << cell for cell in line) for line in lines]
        self._board: array[int] | None = None
        self._run: Any = None
        self._lock = Lock()
        self.nodes = 0
        """How many nodes the last question took."""

    def load(self) -> None:
        """Load the compiled search, and compile it if need be; raise NoKernel if that cannot be done."""
        with self._lock:
            if self._run is None:
                if not available():
                    raise NoKernel("numba is not installed")
                if not _made:
                    _made.append(Modules("pairings", [breaker], entries=["run"], recursive=["paired", "holds"]))
                self._board = breaker_board(self.lines)
                self._run = build(_made[0]).run

    @property
    def is_ready(self) -> bool:
        """Whether the compiled search is loaded."""
        return self._run is not None

    def forget(self) -> None:
        """Drop what was proven."""
        with self._lock:
            if self._board is not None:
                self._board = breaker_board(self.lines)

    @property
    def bytes(self) -> int:
        """How much memory it takes."""
        return 0 if self._board is None else len(self._board) * 8

    def holds(self, maker: int, other: int, limits: Limits = Limits()) -> tuple[bool, Stopped]:  # noqa: B008 - immutable
        """Return whether the breaker, who holds `other`, is proven to stop every line with the maker to move."""
        with self._lock:
            board = self._board
            assert board is not None
            board[NODES], board[STOP] = 0, 0
            board[LIMIT] = 1 << 62 if limits.nodes is None else limits.nodes
            found: list[int] = []
            address = board.buffer_info()[0]
            stopped = within(limits, board, STOP, lambda: found.append(self._run(address, maker, other, 0)))
            self.nodes = board[NODES]
            if stopped == "done" and limits.nodes is not None and self.nodes >= limits.nodes:
                stopped = "node limit"
            return bool(found[0]), stopped

    def strategy(self, maker: int, other: int) -> list[int] | dict[int, int] | None:
        """Return the breaker's strategy where it holds: a pairing, or a reply to each stone; None if there is none."""
        with self._lock:
            board = self._board
            assert board is not None
            board[STOP], board[LIMIT] = 0, 1 << 62
            if self._run(board.buffer_info()[0], maker, other, 1):
                return list(board[board[AT_PAIRS] : board[AT_PAIRS] + board[PAIRS]])
        replies: dict[int, int] = {}
        cells = 0
        for line in self.lines:
            cells |= 0 if line & other else line & ~maker
        bits = [1 << bit for bit in range(cells.bit_length()) if cells >> bit & 1]
        for stone in bits:
            threats = [line & ~maker & ~stone for line in self.lines if not line & other]
            forced = [rest for rest in threats if rest.bit_count() == 1]
            for reply in forced or self._by_weight(threats, bits, stone):
                if self.holds(maker | stone, other | reply)[0]:
                    replies[stone] = reply
                    break
            else:
                return None
        return replies

    @staticmethod
    def _by_weight(rests: list[int], bits: list[int], stone: int) -> list[int]:
        """Return the cells in the order in which the search tries them, more or less."""
        weights = {bit: sum(2.0 ** -rest.bit_count() for rest in rests if rest & bit) for bit in bits if bit != stone}
        return sorted(weights, key=lambda bit: -weights[bit])
