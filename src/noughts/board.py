"""What a board on a grid looks like, for whoever draws it: cells in rows, and one way to write them as text."""

from collections.abc import Callable
from typing import Any, NamedTuple

__all__ = ["NUMBERED", "Board", "Cell", "Style", "text"]


class Cell(NamedTuple):
    """One square: the mark on it (empty if none), the action that plays there, and whether it won the game."""

    mark: str
    action: Any = None
    lit: bool = False


Board = tuple[tuple[Cell, ...], ...]
"""Rows of cells. A row without cells is a gap, as between the layers of a cube."""


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

    >>> print(text(((Cell("X"), Cell("", 2)), (Cell("", 3), Cell("O")))))
     X | 2
    ---+---
     3 | O
    """

    def label(cell: Cell) -> str:
        if cell.mark:
            return cell.mark
        if style.blank is not None:
            return style.blank
        return "." if cell.action is None else name(cell.action)

    width = max(len(label(cell)) for row in board for cell in row)
    left, right = style.margin
    lines: list[str] = []
    for above, row in zip(((), *board), board, strict=False):
        if above and row and style.rule is not None:
            lines.append(style.cross.join(style.rule * (width + len(left + right)) for _ in row))
        line = style.joint.join(paint(cell, left + label(cell).center(width) + right) for cell in row)
        lines.append(line.rstrip(" ") if style.trim else line)
    return "\n".join(lines)
