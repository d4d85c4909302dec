"""The picture of a position that programs show beside a link to it: a PNG of the size that they ask for."""

from typing import Any

from noughts.capabilities import ResolvedGame
from noughts.skins import Skin, skin_of
from noughts.skins.geometry import (
    CELL,
    FLAT,
    MARGIN,
    NARROW,
    SLANT,
    Placed,
    cells_of,
    crossing,
    extent,
    grid_lines,
    parts,
    placed_cells,
)
from noughts.skins.raster import Canvas, Point, outlines, stroked

__all__ = ["SIZE", "preview"]

SIZE = (1200, 630)
"""The pixels of a preview; the Open Graph protocol's users agree on these."""
PAPER = "#f3efe6"
ROUND = 26


class _Drawing:
    """A canvas with the board in its middle, as large as fits."""

    def __init__(self, skin: Skin, width: float, height: float) -> None:
        self.skin = skin
        self.canvas = Canvas(*SIZE, PAPER)
        self.scale = min((SIZE[0] - 60) / width, (SIZE[1] - 50) / height)
        self.left, self.top = (SIZE[0] - width * self.scale) / 2, (SIZE[1] - height * self.scale) / 2

    def colour(self, name: str) -> str:
        return self.skin.colours[name][0]

    def fill(self, points: list[list[Point]], colour: str, opacity: float = 1.0) -> None:
        """Fill outlines, which are given in the units of the board."""
        self.canvas.fill(
            [[(self.left + x * self.scale, self.top + y * self.scale) for x, y in line] for line in points],
            self.colour(colour),
            opacity,
        )

    def cell(self, cell: Placed, shape: tuple[str, Any], times: float = 1.0, opacity: float = 1.0) -> None:
        """Draw a shape of the skin in a cell, filled and stroked."""
        attributes = shape[1]
        for points in outlines(shape):
            if "fill" in attributes:
                self.fill([self.in_cell(cell, points, times)], attributes["fill"], opacity)
            if "stroke" in attributes:
                lines = stroked(points, attributes.get("stroke-width", 1))
                self.fill([self.in_cell(cell, line, times) for line in lines], attributes["stroke"], opacity)

    def in_cell(self, cell: Placed, points: list[Point], times: float = 1.0) -> list[Point]:
        layers = self.skin.layout == "layers"
        lean, tall = (SLANT, FLAT) if layers else (0.0, 1.0)
        aside = (NARROW - 1) * CELL / 2 if self.skin.layout == "heaps" else 0.0
        return [(cell.x + aside + times * (x + lean * y), cell.y + times * tall * y) for x, y in points]


def _box(x: float, y: float, width: float, height: float) -> list[Point]:
    return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]


def _rounded(width: float, height: float) -> list[list[Point]]:
    corners = [(x, y) for x in (ROUND, width - ROUND) for y in (ROUND, height - ROUND)]
    discs = [outlines(("circle", {"cx": x, "cy": y, "r": ROUND}))[0] for x, y in corners]
    return [*discs, _box(ROUND, 0, width - 2 * ROUND, height), _box(0, ROUND, width, height - 2 * ROUND)]


def preview(game: ResolvedGame[Any, Any], notation: str, state: Any) -> bytes | None:
    """Return a PNG file of a state; None for a game without a board."""
    board = game.board(game.initial()) if game.board is not None else ()
    skin = skin_of(notation, max((len(row) for row in board), default=0))
    cells = cells_of(game, state, skin.layout)
    if cells is None:
        return None
    placed = list(placed_cells(cells, skin))
    width, height = extent(placed, skin)
    drawing = _Drawing(skin, width, height)
    _draw_board(drawing, placed, width, height)
    won = game.terminal(state) and any(each.cell.lit for each in placed)
    for each in placed:
        for shape in skin.marks.get(each.cell.mark, ()):
            drawing.cell(each, shape, opacity=0.35 if won and not each.cell.lit else 1.0)
    for cells_of_part in parts(placed) if skin.parts else ():
        _cover(drawing, cells_of_part)
    return drawing.canvas.png()


def _draw_board(drawing: _Drawing, placed: list[Placed], width: float, height: float) -> None:
    """Draw what is below the marks."""
    skin = drawing.skin
    drawing.fill(_rounded(width, height), "board")
    if skin.layout == "squares":
        inside = 2 * MARGIN - 12
        drawing.fill([_box(MARGIN - 6, MARGIN - 6, width - inside, height - inside)], "frame")
    if skin.layout == "lines":
        for x, y, right, down in grid_lines(placed):
            drawing.fill(stroked([(x, y), (x + right, y + down)], 5), "line")
    columns, rows = max(each.column for each in placed) + 1, max(each.row for each in placed) + 1
    square = ("path", {"d": "M0 0H100V100H0Z", "fill": "board", "stroke": "line", "stroke-width": 3})
    for each in placed:
        if skin.layout == "frame":
            drawing.cell(each, ("circle", {"cx": 50, "cy": 50, "r": 43, "fill": "hole"}))
        elif skin.layout in ("squares", "layers"):
            drawing.cell(each, square)
        elif skin.layout == "crossings":
            drawing.cell(each, ("path", {"d": crossing(each, columns, rows), "stroke": "line", "stroke-width": 5}))


def _cover(drawing: _Drawing, cells: list[Placed]) -> None:
    """Draw what covers a part of the board in which a line is complete."""
    marks = {each.cell.mark for each in cells if each.cell.lit}
    if not marks:
        return
    drawing.fill([_box(cells[0].x, cells[0].y, 3 * CELL, 3 * CELL)], "board", 0.8)
    for shape in drawing.skin.marks[marks.pop()] if drawing.skin.parts == "won" else ():
        drawing.cell(cells[0], shape, times=3)
