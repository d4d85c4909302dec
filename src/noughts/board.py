"""What a board on a grid looks like, for whoever draws it: cells in rows, and one way to write them as text."""

from collections.abc import Callable
from typing import Any, NamedTuple

__all__ = ["GAP", "NUMBERED", "Board", "Cell", "Style", "text"]


class Cell(NamedTuple):
    """One square: the mark on it (empty if none), the action that plays there, and whether it won something.

    What it won is the game, or a part of it, as a field of ultimate tic-tac-toe.
    """

    mark: str
    action: Any = None
    lit: bool = False
    plays: tuple[Any, ...] = ()
    """The actions that a touch of the cell may mean, where that is not simply its `action`."""
    gap: bool = False
    """Whether it is no square at all, but space between columns."""


GAP = Cell("", gap=True)
"""Space between two columns. Who only looks for marks and actions may take it for an empty cell."""

Board = tuple[tuple[Cell, ...], ...]
"""Rows of cells. A row without cells is a gap, as between the layers of a cube; GAP in a row is one between columns."""


class Style(NamedTuple):
    """How a grid is written: the frame around a cell's text, what joins cells, the rule between rows.

    `blank` is what an empty cell shows; None shows the name of the action that plays there, a dot if there is none.
    """

    blank: str | None = None
    margin: tuple[str, str] = (" ", " ")
    joint: str = "|"
    rule: str | None = "-"
    cross: str = "+"
    trim: bool = True


NUMBERED = Style()


def text(
    board: Board,
    style: Style = NUMBERED,
    name: Callable[[Any], str] = str,
    paint: Callable[[Cell, str], str] = lambda _, framed: framed,
) -> str:
    """Write a board as lines of text. `paint` may dress each framed cell without changing its width.

    A gap between rows is an empty line, and one between columns has no width: the joint stands there twice.

    >>> print(text(((Cell("X"), Cell("", 2)), (Cell("", 3), Cell("O")))))
     X | 2
    ---+---
     3 | O
    >>> print(text(((Cell("X"), GAP, Cell("", 2)),)))
     X || 2
    """

    def label(cell: Cell) -> str:
        if cell.mark:
            return cell.mark
        if style.blank is not None:
            return style.blank
        return "." if cell.action is None else name(cell.action)

    def framed(cell: Cell) -> str:
        return "" if cell.gap else paint(cell, left + label(cell).center(width) + right)

    width = max(len(label(cell)) for row in board for cell in row if not cell.gap)
    left, right = style.margin
    rule = (style.rule or "") * (width + len(left + right))
    lines: list[str] = []
    for above, row in zip(((), *board), board, strict=False):
        if above and row and style.rule is not None:
            lines.append(style.cross.join("" if cell.gap else rule for cell in row))
        line = style.joint.join(map(framed, row))
        lines.append(line.rstrip(" ") if style.trim else line)
    return "\n".join(lines)
