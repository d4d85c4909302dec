"""Draws positions as SVG: a grid with marks, or the lines of the game's drawing."""

from collections.abc import Iterable, Iterator
from typing import Any

from noughts.board import Board, Cell
from noughts.capabilities import ResolvedGame
from noughts.svg import element, text

__all__ = ["BOARD_STYLE", "Boards"]

BOARD_STYLE = """\
.grid, .x, .o, .won { fill: none; stroke: var(--ink); stroke-width: 1; }
.grid { stroke-opacity: 0.35; }
.new { fill: var(--faint); }
.x { stroke: var(--series-1); stroke-width: 2; }
.o { stroke: var(--series-2); stroke-width: 2; }
.won { stroke: var(--series-3); stroke-width: 2; }
.mark { text-anchor: middle; font-weight: bold; }
.drawn { font-family: ui-monospace, "Liberation Mono", monospace; font-size: 11px; white-space: pre; }
"""

LETTER = 6.7
"""The width of a letter in a drawing: a little more than in most fonts."""
LINE = 13
GAP = 0.5
"""The size of a gap between rows or columns, in cells."""


class Boards:
    """Draws the positions of a game, all in the size that the largest of the given states needs."""

    def __init__(self, offers: ResolvedGame[Any, Any], states: Iterable[Any]) -> None:
        self._offers = offers
        if offers.board is None:
            drawings = [offers.draw(state).splitlines() for state in states]
            self.width = max(len(line) for lines in drawings for line in lines) * LETTER + 8
            self.height = max(map(len, drawings)) * LINE + 6.0
        else:
            boards = [offers.board(state) for state in states]
            across = max(map(_across, (row for board in boards for row in board)))
            self._cell = 16 if across <= 4 else 11 if across <= 7 else 9
            self.width = across * self._cell
            self.height = max(sum(self._cell * (1 if row else GAP) for row in board) for board in boards)

    def draw(self, state: Any, before: Any, left: float, top: float) -> Iterator[str]:
        """Yield the elements of a state. Marks that `before` did not have, if it is given, are highlighted."""
        if self._offers.board is None:
            for number, line in enumerate(self._offers.draw(state).splitlines(), 1):
                yield text(left + 4, top + LINE * number, line, class_="drawn")
            return
        former = None if before is None else self._offers.board(before)
        yield from self._cells(self._offers.board(state), former, left, top)

    def _cells(self, board: Board, former: Board | None, left: float, top: float) -> Iterator[str]:
        """Draw a board: the last move's background, then the grid, the marks, and the winning cells."""
        size = self._cell
        paths: dict[str, list[str]] = {"grid": [], "x": [], "o": [], "won": []}
        signs = []
        for line, row in enumerate(board):
            for column, cell in enumerate(row):
                if cell.gap:
                    continue
                x, y = left + _across(row[:column]) * size, top
                if cell.mark and former is not None and not former[line][column].mark:
                    yield element("rect", x=x, y=y, width=size, height=size, class_="new")
                paths["grid"].append(f"M{x:.1f} {y:.1f}h{size}v{size}h-{size}z")
                if cell.mark in ("X", "O"):
                    paths[cell.mark.lower()].append(_cross(x, y, size) if cell.mark == "X" else _ring(x, y, size))
                elif cell.mark:
                    signs.append(text(x + size / 2, y + size * 0.78, cell.mark, class_="mark", font_size=size * 0.8))
                if cell.lit:
                    paths["won"].append(f"M{x + 1:.1f} {y + 1:.1f}h{size - 2}v{size - 2}h-{size - 2}z")
            top += size * (1 if row else GAP)
        yield from (element("path", d="".join(found), class_=name) for name, found in paths.items() if found)
        yield from signs


def _across(cells: tuple[Cell, ...]) -> float:
    """Return the total width of cells and gaps, in cells."""
    return float(sum(GAP if cell.gap else 1 for cell in cells))


def _cross(x: float, y: float, size: int) -> str:
    span = size * 0.52
    return f"M{x + size * 0.24:.1f} {y + size * 0.24:.1f}l{span:.1f} {span:.1f}m0 -{span:.1f}l-{span:.1f} {span:.1f}"


def _ring(x: float, y: float, size: int) -> str:
    span, half = size * 0.56, size * 0.28
    arcs = f"a{half:.1f} {half:.1f} 0 1 0 {span:.1f} 0a{half:.1f} {half:.1f} 0 1 0 -{span:.1f} 0"
    return f"M{x + size * 0.22:.1f} {y + size / 2:.1f}{arcs}"
