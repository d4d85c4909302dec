"""Where everything is on the picture of a board: its cells, its extent, and the lines between the cells."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from noughts.board import Board, Cell
from noughts.capabilities import ResolvedGame
from noughts.skins import Skin

__all__ = [
    "CELL",
    "FLAT",
    "MARGIN",
    "NARROW",
    "SLANT",
    "Placed",
    "cells_of",
    "crossing",
    "extent",
    "grid_lines",
    "parts",
    "placed_cells",
]

CELL = 100
"""The side of a cell, in the units of the drawing."""
MARGIN = 30
GAP = 40
SLANT = -0.45
"""How far a layer of a cube leans, for each unit downwards."""
FLAT = 0.62
"""How much lower than wide a layer is drawn."""
NARROW = 0.46
"""How much narrower than high the place of a match is."""
TAKES = re.compile(r"([a-z])(\d+)")


class Placed(NamedTuple):
    """A cell with its place: the upper left corner, its row and column in the board, and its layer."""

    cell: Cell
    x: float
    y: float
    row: int
    column: int
    layer: int


def cells_of(game: ResolvedGame[Any, Any], state: Any, layout: str) -> Board | None:
    """Return the rows of cells that show a state; heaps get a cell for each match that there was to begin with."""
    if layout != "heaps":
        return None if game.board is None else game.board(state)
    full, left = (_heaps(game, each) for each in (game.initial(), state))
    return tuple(
        tuple(Cell("match" if place < left.get(heap, 0) else "") for place in range(size))
        for heap, size in full.items()
    )


def _heaps(game: ResolvedGame[Any, Any], state: Any) -> dict[str, int]:
    """Return the size of each heap, by its letter, from what can be taken: a3 is three of the first heap."""
    found: dict[str, int] = {}
    for action in [] if game.terminal(state) else game.legal_actions(state):
        taken = TAKES.fullmatch(game.action_name(action))
        if taken:
            found[taken[1]] = max(found.get(taken[1], 0), int(taken[2]))
    return found


def _steps(skin: Skin) -> tuple[float, float]:
    """Return how far apart neighbouring cells are, across and down."""
    return (CELL * (NARROW if skin.layout == "heaps" else 1), CELL * (FLAT if skin.layout == "layers" else 1))


def placed_cells(board: Board, skin: Skin) -> Iterator[Placed]:
    """Yield every cell of a board with its place."""
    across, down = _steps(skin)
    lean = SLANT * down if skin.layout == "layers" else 0.0
    y, layer, row_number = float(MARGIN), 0, 0
    rows = next((count for count, row in enumerate(board) if not row), len(board))
    for row in board:
        if not row:
            y, layer, row_number = y + GAP, layer + 1, 0
            continue
        x = MARGIN + lean * (row_number - rows)
        for column, cell in enumerate(row):
            if not cell.gap:
                yield Placed(cell, x, y, row_number, column, layer)
            x += GAP if cell.gap else across
        y, row_number = y + down, row_number + 1


def extent(placed: list[Placed], skin: Skin) -> tuple[float, float]:
    """Return how wide and high the picture is, with its margin."""
    across, down = _steps(skin)
    return max(each.x for each in placed) + across + MARGIN, max(each.y for each in placed) + down + MARGIN


def grid_lines(placed: list[Placed]) -> Iterator[tuple[float, float, float, float]]:
    """Yield the lines between neighbours, as where they begin and how far they go; the grid is open at its edges."""
    at = {(each.x, each.y) for each in placed}
    for x, y in sorted(at):
        if (x + CELL, y) in at:
            yield x + CELL, y + 4, 0, CELL - 8
        if (x, y + CELL) in at:
            yield x + 4, y + CELL, CELL - 8, 0


def crossing(placed: Placed, columns: int, rows: int) -> str:
    """Return the path of the two lines that cross in a cell, which end there at the edges of the board."""
    left, right = (50 if placed.column == 0 else 0), (50 if placed.column == columns - 1 else 100)
    top, bottom = (50 if placed.row == 0 else 0), (50 if placed.row == rows - 1 else 100)
    return f"M{left} 50H{right}M50 {top}V{bottom}"


def parts(placed: list[Placed]) -> list[list[Placed]]:
    """Return the cells of each part of a board that gaps divide into squares of three by three."""
    found: dict[tuple[int, int], list[Placed]] = {}
    for each in placed:
        found.setdefault((each.layer, each.column // 4), []).append(each)
    return list(found.values())
