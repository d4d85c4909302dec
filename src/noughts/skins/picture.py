"""Pictures of positions: SVG files that show a board in the skin of its game."""

from collections.abc import Iterator
from typing import Any

from noughts.capabilities import ResolvedGame
from noughts.skins import Shape, Skin, skin_of
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
from noughts.svg import document, element, text

__all__ = ["picture"]

PIXELS = 480
"""About how wide a picture is shown, if nothing else says so."""


def picture(game: ResolvedGame[Any, Any], notation: str, state: Any, last: Any = None) -> str:
    """Return an SVG file of a state; the cell of the last action is marked.

    >>> import noughts
    >>> from noughts.capabilities import resolve
    >>> game = noughts.load("connect-four")
    >>> svg = picture(resolve(game), "connect-four", noughts.replay(game, "4 4"))
    >>> svg.count('class="hole"'), svg.count('class="mark"')
    (42, 2)
    """
    board = game.board(game.initial()) if game.board is not None else ()
    skin = skin_of(notation, max((len(row) for row in board), default=0))
    cells = cells_of(game, state, skin.layout)
    title = game.display_title
    if cells is None:
        return _drawn_as_text(title, game.draw(state))
    placed = list(placed_cells(cells, skin))
    lit = any(each.cell.lit for each in placed) and game.terminal(state)
    width, height = extent(placed, skin)
    scale = min(1.0, PIXELS / max(width, height))
    size = max(each.column for each in placed) + 1, max(each.row for each in placed) + 1
    body = [*_around(placed, skin, width, height)]
    for each in placed:
        faded = lit and bool(each.cell.mark) and not each.cell.lit
        played = last is not None and bool(each.cell.mark) and each.cell.action == last
        body.append(_cell(each, skin, size, faded, played))
    body += _covers(placed, skin)
    drawing = element("g", "\n".join(body), transform=f"scale({scale:.4f})")
    about = game.draw(state) if len(placed) < 100 else title
    colours = {**skin.colours, "paper": ("none", "none")}
    return document(round(width * scale), round(height * scale), title, about, [drawing], _style(skin), colours)


def _drawn_as_text(title: str, drawing: str) -> str:
    lines = drawing.split("\n")
    size = 22
    width = max(len(line) for line in lines) * size * 0.62 + 2 * MARGIN
    body = [
        text(MARGIN, MARGIN + size * (row + 1), line, class_="text", xml_space="preserve")
        for row, line in enumerate(lines)
    ]
    style = f".text {{ font: {size}px monospace; white-space: pre; }}"
    return document(round(width), round(2 * MARGIN + size * (len(lines) + 0.5)), title, drawing, body, style)


def _around(placed: list[Placed], skin: Skin, width: float, height: float) -> Iterator[str]:
    """Yield what is below the cells: the board and its frame."""
    yield element("rect", class_="board", width=width, height=height, rx=26)
    if skin.layout == "squares":
        inner = {"x": MARGIN - 6, "y": MARGIN - 6, "width": width - 2 * MARGIN + 12, "height": height - 2 * MARGIN + 12}
        yield element("rect", class_="frame", **inner, rx=8)
    if skin.layout != "lines":
        return
    for x, y, right, down in grid_lines(placed):
        yield element("path", class_="line", d=f"M{x:g} {y:g}l{right:g} {down:g}")


def _cell(placed: Placed, skin: Skin, size: tuple[int, int], faded: bool, last: bool) -> str:
    """Return one cell: its square, hole or crossing, and its mark."""
    cell, x, y, *_ = placed
    columns, rows = size
    drawing = []
    drawn = bool(skin.marks.get(cell.mark)) and any("fill" in shape for _, shape in skin.marks[cell.mark])
    if last and not drawn:
        drawing.append(element("rect", class_="played", x=8, y=8, width=84, height=84, rx=12))
    if skin.layout == "frame":
        drawing.append(element("circle", class_="hole", cx=50, cy=50, r=43))
    elif skin.layout == "squares":
        drawing.append(element("rect", class_="square", width=CELL, height=CELL))
    elif skin.layout == "crossings":
        drawing.append(element("path", class_="line", d=crossing(placed, columns, rows)))
    elif skin.layout == "layers":
        drawing.append(element("rect", class_="square", width=CELL, height=CELL))
    if cell.mark:
        mark = "".join(_shape(shape) for shape in skin.marks.get(cell.mark, ()))
        if not mark:
            mark = text(50, 50, cell.mark, class_="sign", text_anchor="middle", dominant_baseline="central")
        drawing.append(element("g", mark, class_="mark faded" if faded else "mark"))
        if last and drawn:
            drawing.append(element("circle", class_="last", cx=50, cy=50, r=7))
    slanted = f" matrix(1 0 {SLANT} {FLAT} 0 0)" if skin.layout == "layers" else ""
    narrow = f" translate({(NARROW - 1) * 50:g} 0)" if skin.layout == "heaps" else ""
    return element("g", "".join(drawing), transform=f"translate({x:g} {y:g}){slanted}{narrow}")


def _shape(shape: Shape) -> str:
    """Return an element of a mark, with a class for each of its colours."""
    tag, attributes = shape
    colours = [f"{kind}-{attributes[kind]}" for kind in ("fill", "stroke") if kind in attributes]
    rest = {name: value for name, value in attributes.items() if name not in ("fill", "stroke")}
    return element(tag, class_=" ".join(colours), **rest)


def _covers(placed: list[Placed], skin: Skin) -> Iterator[str]:
    """Yield what covers a part of the board in which a line is complete."""
    for cells in parts(placed) if skin.parts else ():
        marks = {each.cell.mark for each in cells if each.cell.lit}
        x, y = cells[0].x, cells[0].y
        if marks and skin.parts == "won":
            mark = "".join(_shape(shape) for shape in skin.marks[marks.pop()])
            veil = element("rect", class_="veil", width=300, height=300)
            yield element("g", veil + element("g", mark, transform="scale(3)"), transform=f"translate({x:g} {y:g})")
        elif marks:
            yield element("rect", class_="veil", x=x, y=y, width=300, height=300)


def _style(skin: Skin) -> str:
    """Return the style of a picture, with the colours of the skin as variables."""
    own = {f".{kind}-{name} {{ {kind}: var(--{name}); }}" for name in skin.colours for kind in ("fill", "stroke")}
    frame = "frame" if "frame" in skin.colours else "line"
    fixed = f"""
.mark path, .mark circle, g > path, g > circle {{ fill: none; stroke-linecap: round; stroke-linejoin: round; }}
.board {{ fill: var(--board); }}
.frame {{ fill: var(--{frame}); }}
.line {{ stroke: var(--line); stroke-width: 5; fill: none; }}
.square {{ fill: var(--board); stroke: var(--line); stroke-width: 3; }}
.veil {{ fill: var(--board); opacity: .8; }}
.faded {{ opacity: .35; }}
g > .last {{ fill: #e8590c; stroke: #ffffff; stroke-width: 3; }}
.played {{ fill: var(--line); opacity: .22; }}
.sign {{ font-size: 44px; font-weight: 700; }}
"""
    hole = "g > .hole { fill: var(--hole); }\n" if "hole" in skin.colours else ""
    return fixed + hole + "\n".join(f"g {rule}" for rule in sorted(own))
