"""Draws counts by ply as an SVG chart with a logarithmic scale."""

from collections.abc import Callable, Iterator
from math import log10
from typing import NamedTuple

from noughts.errors import counted
from noughts.statistics.counts import Counts, PlyCount
from noughts.svg import document, element, text

__all__ = ["plot"]

WIDTH, HEIGHT = 760, 480
LEFT, RIGHT, TOP, BOTTOM = 92, 24, 84, 56
MOST_DECADES, MOST_PLIES = 9, 21
"""How many labels fit along an axis."""

STYLE = """\
.heading { font-size: 17px; font-weight: 600; }
.grid { stroke: var(--faint); stroke-width: 1; }
.line { fill: none; stroke-width: 2; }
.mark { stroke: var(--paper); stroke-width: 1; }
""" + "".join(
    f".line-{n} {{ stroke: var(--series-{n}); }}\n.mark-{n} {{ fill: var(--series-{n}); }}\n" for n in range(1, 5)
)


class Series(NamedTuple):
    """One line of the chart: its name, the value it shows for a ply, and the shape of its markers."""

    name: str
    value: Callable[[PlyCount], int | None]
    mark: str
    """A path around its centre. Shapes distinguish the lines where colours do not."""


SERIES = (
    Series("nodes", lambda each: each.nodes, "M-5,-5h10v10h-10z"),
    Series("positions", lambda each: each.positions, "M-5,0a5,5 0 1,0 10,0a5,5 0 1,0 -10,0z"),
    Series("positions up to symmetry", lambda each: each.classes, "M0,-6.5L6.5,0L0,6.5L-6.5,0z"),
    Series("games that end", lambda each: each.games, "M0,-6L6,5H-6z"),
)


def plot(counts: Counts, title: str) -> str:
    """Return the chart as a whole SVG file; `title` says which game and position it shows."""
    chart = _Chart(counts)
    shown = [(number, each) for number, each in enumerate(SERIES, 1) if any(map(each.value, counts.plies))]
    body = [text(LEFT, 30, title, class_="heading"), *_legend(shown), *chart.axes()]
    for number, series in shown:
        body.extend(chart.line(number, series))
    return document(WIDTH, HEIGHT, f"{title}: counts by ply", _description(counts), body, STYLE)


def _description(counts: Counts) -> str:
    most = "" if counts.complete and not counts.endless else "at least "
    totals = [most + counted(counts.nodes, "node"), most + counted(counts.positions, "position")]
    if counts.classes is not None:
        totals.append(f"{most}{counted(counts.classes, 'position')} up to symmetry")
    reach = f"0 to {counts.plies[-1].ply}" if counts.plies else "none"
    return (
        f"By ply, {reach}, on a logarithmic scale. In all: {', '.join(totals)}, {most}{counted(counts.games, 'game')}."
    )


def _legend(shown: list[tuple[int, Series]]) -> Iterator[str]:
    x = LEFT + 6.0
    for number, series in shown:
        yield _mark(number, series, x, 52)
        yield text(x + 13, 57, series.name)
        x += 40 + 7.2 * len(series.name)


def _mark(number: int, series: Series, x: float, y: float, tooltip: str = "") -> str:
    place = f"translate({x:.1f},{y:.1f})"
    told = element("title", tooltip) if tooltip else ""
    return element("path", told, class_=f"mark mark-{number}", d=series.mark, transform=place)


class _Chart:
    """The coordinates of the chart: plies from left to right, powers of ten upwards."""

    def __init__(self, counts: Counts) -> None:
        self._plies = counts.plies
        self._last = max((each.ply for each in counts.plies), default=0)
        self._decades = len(str(max((each.nodes for each in counts.plies), default=1)))

    def _x(self, ply: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * ply / max(self._last, 1)

    def _y(self, value: int) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * log10(value) / self._decades

    def axes(self) -> Iterator[str]:
        """Yield a grid line for each power of ten, and the labels of the plies."""
        for power in range(0, self._decades + 1, -(-self._decades // MOST_DECADES)):
            y = self._y(10**power)
            yield element("line", class_="grid", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y)
            yield text(LEFT - 14, y + 4, _power_of_ten(power), text_anchor="end")
        for ply in range(0, self._last + 1, -(-(self._last + 1) // MOST_PLIES)):
            yield text(self._x(ply), HEIGHT - BOTTOM + 24, str(ply), text_anchor="middle")
        yield text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, "ply", text_anchor="middle")

    def line(self, number: int, series: Series) -> Iterator[str]:
        """Yield the line of a series, with gaps where there is no value, and its markers with tooltips."""
        points = [(each.ply, value) for each in self._plies if (value := series.value(each))]
        path, before = "", None
        for ply, value in points:
            path += f"{'L' if before == ply - 1 else 'M'}{self._x(ply):.1f},{self._y(value):.1f}"
            before = ply
        yield element("path", class_=f"line line-{number}", d=path)
        for ply, value in points:
            yield _mark(number, series, self._x(ply), self._y(value), f"ply {ply}: {value:,} {series.name}")


def _power_of_ten(power: int) -> str:
    """Return a power of ten, in full if that is short.

    >>> _power_of_ten(3), _power_of_ten(12)
    ('1,000', '10¹²')
    """
    return f"{10**power:,}" if power <= 6 else "10" + str(power).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
