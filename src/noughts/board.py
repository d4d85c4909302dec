"""Boards as cells in rows, for every kind of drawing; and a function that writes them as text."""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

__all__ = ["GAP", "NUMBERED", "Board", "Cell", "Style", "grid", "text"]


class Cell(NamedTuple):
    """One cell: the mark on it (empty if none), the action that plays there, and whether it belongs to a win.

    The win may be of the game, or of a part of it, such as a small board of ultimate tic-tac-toe.
    """

    mark: str
    action: Any = None
    lit: bool = False
    plays: tuple[Any, ...] = ()
    """The actions that a click on the cell may mean, if that is not simply its `action`."""
    gap: bool = False
    """Whether this is not a cell but space between columns."""


GAP = Cell("", gap=True)
"""Space between two columns. Code that looks only for marks and actions may treat it as an empty cell."""

Board = tuple[tuple[Cell, ...], ...]
"""Rows of cells. An empty row is a gap between rows, as between layers of a cube; GAP is one between columns."""


class Style(NamedTuple):
    """How a grid is written: the margin around a cell's text, the joint between cells, the rule between rows.

    `blank` is the text of an empty cell; None shows the name of the action that plays there, or a dot.
    """

    blank: str | None = None
    margin: tuple[str, str] = (" ", " ")
    joint: str = "|"
    rule: str | None = "-"
    cross: str = "+"
    trim: bool = True


NUMBERED = Style()

NARROW = Style(blank=".", joint="", rule=None)

COORDINATES = re.compile(r"([a-z]+)(\d+)")
"""The name of an action on a board whose columns have letters and whose rows have numbers."""


def text(
    board: Board,
    style: Style = NUMBERED,
    name: Callable[[Any], str] = str,
    paint: Callable[[Cell, str], str] = lambda _, framed: framed,
) -> str:
    """Return a board as lines of text. `paint` may colour each framed cell, but must not change its width.

    A gap between rows is an empty line. A gap between columns has no width: the joint appears twice.

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


def grid(
    board: Board, name: Callable[[Any], str] = str, paint: Callable[[Cell, str], str] = lambda _, framed: framed
) -> str | None:
    """Return a board as a narrow grid with the names of its columns and rows; None if cells are named in another way.

    >>> print(grid(((Cell("X", "a1"), Cell("", "b1")), (Cell("", "a2"), Cell("O", "b2")))))
       a  b
    1  X  .
    2  .  O
    """
    columns, rows = _coordinates(board, name) or ((), ())
    if not columns:
        return None
    width = max(map(len, rows))
    head = " ".join(column.center(2) for column in columns)
    body = text(board, NARROW, name, paint).split("\n")
    lines = (f"{row.rjust(width)} {line}" for row, line in zip(rows, body, strict=True))
    return "\n".join([f"{' ' * (width + 2)}{head}".rstrip(), *lines])


def _coordinates(board: Board, name: Callable[[Any], str]) -> tuple[list[str], list[str]] | None:
    """Return the names of the columns and rows if every cell's action has a name like c4, made of these."""
    if any(cell.gap or cell.action is None for row in board for cell in row):
        return None
    names = [[COORDINATES.fullmatch(name(cell.action)) for cell in row] for row in board]
    columns = [found[1] for found in names[0] if found]
    rows = [row[0][2] for row in names if row and row[0]]
    expected = [[column + row for column in columns] for row in rows]
    return (columns, rows) if expected == [[found[0] if found else "" for found in row] for row in names] else None
