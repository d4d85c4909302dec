"""Checks of a breaker's strategy, in plain Python and independent of the search that found it.

A strategy says for a position, with the maker to move, either a pairing of cells that stops every open line, or a reply
to each stone of the maker. Cells are bits, and so are lines.
"""

from collections.abc import Callable, Sequence

__all__ = ["Strategy", "is_pairing", "stops_every_line"]

Strategy = Callable[[int, int], "list[int] | dict[int, int] | None"]
"""For the cells of maker and breaker: pairs of cells, or a reply to each stone; None if it has no answer."""


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


def stops_every_line(lines: Sequence[int], maker: int, breaker: int, strategy: Strategy) -> int:
    """Return how many positions were checked to show that a strategy stops every line; raise ValueError if it does not.

    The maker is to move. A stone that is on no open line is like a pass, and a further stone never harms the breaker,
    so only stones on open lines are tried.
    """
    checked: set[tuple[int, int]] = set()
    waiting = [(maker, breaker)]
    while waiting:
        position = waiting.pop()
        if position in checked:
            continue
        checked.add(position)
        mine, theirs = position
        open_lines = [line for line in lines if not line & theirs]
        if any((line & ~mine).bit_count() <= 1 for line in open_lines):
            raise ValueError(f"the maker completes a line in {position}")
        answer = strategy(mine, theirs) if open_lines else []
        if isinstance(answer, list):
            if not is_pairing(lines, mine, theirs, answer):
                raise ValueError(f"the pairs do not stop every line in {position}")
            continue
        cells = 0
        for line in open_lines:
            cells |= line & ~mine
        for bit in range(cells.bit_length()):
            stone = 1 << bit
            if cells & stone:
                reply = (answer or {}).get(stone, 0)
                if reply.bit_count() != 1 or reply & (mine | theirs | stone):
                    raise ValueError(f"there is no reply to {stone} in {position}")
                waiting.append((mine | stone, theirs | reply))
    return len(checked)
