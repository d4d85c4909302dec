"""Checks of a breaker's strategy, in plain Python and independent of the search that found it.

For a position with the maker to move, a strategy has a pairing of cells that stops every open line, or a reply to each
stone of the maker. Cells are bits, and so are lines.
"""

from collections.abc import Iterable, Sequence
from typing import Protocol

__all__ = ["Strategy", "is_pairing", "stops_every_line"]


class Strategy(Protocol):
    """How a breaker plays. Both functions take the cells of maker and breaker, with the maker to move."""

    def pairs(self, maker: int, other: int) -> list[int] | None:
        """Return pairs of cells, one in each open line; None if there are none."""

    def reply(self, maker: int, other: int, stone: int) -> int:
        """Return the cell that answers a stone of the maker; 0 if there is no answer."""


def is_pairing(lines: Sequence[int], maker: int, breaker: int, pairs: Sequence[int]) -> bool:
    """Return whether pairs of cells stop every line: they are empty and disjoint, and each open line contains one.

    >>> is_pairing([0b0011, 0b1100], 0, 0, [0b0011, 0b1100]), is_pairing([0b0011, 0b0110], 0, 0, [0b0011])
    (True, False)
    """
    used = maker | breaker
    for pair in pairs:
        if pair.bit_count() != 2 or pair & used:
            return False
        used |= pair
    return all(line & breaker or any(pair & ~line == 0 for pair in pairs) for line in lines)


def stops_every_line(
    lines: Sequence[int],
    maker: int,
    breaker: int,
    strategy: Strategy,
    turns: Sequence[Sequence[int]] = (),
) -> int:
    """Return how many positions were checked to show that a strategy stops every line; raise ValueError if it does not.

    The maker is to move. If the breaker can complete a line of its own, the maker must stop that: the game ends there.
    `turns` are symmetries of the lines: where each moves each cell.
    """
    check = _Check(lines, strategy, turns)
    check.needed(maker, breaker)
    return check.positions


MOST_TURNED = 4
"""Up to this many stones, symmetric positions are checked once; later that takes longer than it saves."""


class _Check:
    """One check of a strategy, and what has passed it.

    A position is told by its rests: the cells that each player still needs for each line.
    """

    def __init__(self, lines: Sequence[int], strategy: Strategy, turns: Sequence[Sequence[int]]) -> None:
        self._lines, self._strategy = lines, strategy
        self._turns = [[1 << to for to in turn] for turn in turns]
        self._known: dict[frozenset[int], list[frozenset[int]]] = {}
        """For the maker's rests, the rests of its own lines that the breaker needs: perhaps several such sets."""
        self.positions = 0

    def needed(self, maker: int, breaker: int) -> list[int]:
        """Check a position, and return the breaker's lines that its strategy needs."""
        rests = _least({line & ~maker for line in self._lines if not line & breaker})
        own = {line & ~breaker: line for line in self._lines if not line & maker}
        for needed in self._known.get(rests, ()):
            if needed <= own.keys():
                return [own[rest] for rest in needed]
        self.positions += 1
        lines = self._newly_needed(maker, breaker, rests, own)
        self._keep(rests, frozenset(line & ~breaker for line in lines), (maker | breaker).bit_count())
        return lines

    def _newly_needed(self, maker: int, breaker: int, rests: frozenset[int], own: dict[int, int]) -> list[int]:
        if any(rest.bit_count() < 2 for rest in rests):
            raise ValueError(f"the maker completes a line in {(maker, breaker)}")
        if not rests:
            return []
        threats = {rest: line for rest, line in own.items() if rest.bit_count() == 1}
        lines = set(threats.values())
        if len(threats) > 1:  # the breaker completes one
            return list(lines)
        pairs = self._strategy.pairs(maker, breaker)
        if pairs is not None:
            if not is_pairing(self._lines, maker, breaker, pairs):
                raise ValueError(f"the pairs do not stop every line in {(maker, breaker)}")
            return []
        tried = 0
        while left := (_union(threats) or _worthy(rests) | _union(lines) & ~(maker | breaker)) & ~tried:
            stone = left & -left
            tried |= stone
            reply = self._strategy.reply(maker, breaker, stone)
            if reply.bit_count() != 1 or reply & (maker | breaker | stone):
                raise ValueError(f"there is no reply to {stone} in {(maker, breaker)}")
            lines.update(self.needed(maker | stone, breaker | reply))
        return list(lines)

    def _keep(self, rests: frozenset[int], needed: frozenset[int], stones: int) -> None:
        """Remember what a position needs and, near the start, what its symmetric images need."""
        self._known.setdefault(rests, []).append(needed)
        if stones <= MOST_TURNED:
            for turn in self._turns:
                turned = _turned(rests, turn)
                self._known.setdefault(turned, []).append(_turned(needed, turn))


def _least(rests: set[int]) -> frozenset[int]:
    """Return the rests that contain no other: to stop the other one stops both."""
    kept: list[int] = []
    for rest in sorted(rests, key=int.bit_count):
        if all(each & ~rest for each in kept):
            kept.append(rest)
    return frozenset(kept)


def _worthy(rests: frozenset[int]) -> int:
    """Return the cells that are worth a stone of the maker: no other cell is on all lines of one of these, and more.

    A stone on no open line is like a pass, and a stone on better lines never harms.
    """
    common: dict[int, int] = {}
    for rest in rests:
        left = rest
        while left:
            cell = left & -left
            left ^= cell
            common[cell] = common.get(cell, rest) & rest
    cells = 0
    for cell, others in common.items():
        better = others ^ cell
        while better:
            other = better & -better
            better ^= other
            if other < cell or not common[other] & cell:
                break
        else:
            cells |= cell
    return cells


def _union(rests: Iterable[int]) -> int:
    cells = 0
    for rest in rests:
        cells |= rest
    return cells


def _turned(rests: frozenset[int], turn: Sequence[int]) -> frozenset[int]:
    return frozenset(sum(to for number, to in enumerate(turn) if rest >> number & 1) for rest in rests)
