"""Draws the scores of a tournament, with their intervals, as an SVG chart."""

from collections.abc import Iterator
from html import escape

from noughts.arena.statistics import Interval
from noughts.arena.tournament import Tournament
from noughts.svg import document, element, text

__all__ = ["plot_scores"]

WIDTH, TOP, ROW, BOTTOM, RIGHT = 760, 64, 34, 56, 190
LETTER = 7.6
"""About how wide a letter is."""

MOST_LETTERS = 30

STYLE = """\
.heading { font-size: 17px; font-weight: 600; }
.grid { stroke: var(--faint); stroke-width: 1; }
.half { stroke: var(--ink); stroke-width: 1; stroke-dasharray: 4 4; }
.range { stroke: var(--series-1); stroke-width: 3; }
.score { fill: var(--series-1); }
"""


def plot_scores(found: Tournament, title: str) -> str:
    """Return the chart as a whole SVG file: a row for each player, the best first."""
    rows = [(each.player, each.tally.score, each.tally.games) for each in found.standings if each.tally.games]
    left = 40 + LETTER * min(MOST_LETTERS, max(len(name) for name, *_ in rows)) if rows else 40.0
    height = TOP + ROW * len(rows) + BOTTOM
    heading = f"{title}: scores of {found.played:,} games"
    body = [text(20, 30, heading, class_="heading"), *_axis(left, height)]
    for place, (name, score, games) in enumerate(rows):
        body.extend(_row(left, TOP + ROW * (place + 0.5), name, score, games))
    said = "; ".join(f"{name} {percent(score)}" for name, score, _ in rows)
    return document(WIDTH, height, heading, f"With 95 % confidence intervals. {said}.", body, STYLE)


def percent(score: Interval) -> str:
    """Return a score with its interval, in percent.

    >>> percent(Interval(0.5, 0.41, 0.599))
    '50.0 % (41.0 to 59.9)'
    """
    value, low, high = (f"{100 * each:.1f}" for each in score)
    return f"{value} % ({low} to {high})"


def _x(left: float, score: float) -> float:
    return left + (WIDTH - RIGHT - left) * score


def _axis(left: float, height: int) -> Iterator[str]:
    for tenth in range(0, 11, 2):
        x = _x(left, tenth / 10)
        yield element("line", class_="grid", x1=x, x2=x, y1=TOP, y2=height - BOTTOM)
        yield text(x, height - BOTTOM + 22, f"{10 * tenth} %", text_anchor="middle")
    yield element("line", class_="half", x1=_x(left, 0.5), x2=_x(left, 0.5), y1=TOP, y2=height - BOTTOM)
    yield text(_x(left, 0.5), height - 10, "score, with 95 % confidence intervals", text_anchor="middle")


def _row(left: float, y: float, name: str, score: Interval, games: int) -> Iterator[str]:
    shown = name if len(name) <= MOST_LETTERS else f"{name[: MOST_LETTERS - 1]}…"
    yield text(left - 12, y + 4, shown, text_anchor="end")
    low, high = _x(left, score.low), _x(left, score.high)
    yield element("line", class_="range", x1=low, x2=high, y1=y, y2=y)
    for end in (low, high):
        yield element("line", class_="range", x1=end, x2=end, y1=y - 6, y2=y + 6)
    tooltip = element("title", escape(f"{name}: {percent(score)}, {games:,} games"))
    yield element("circle", tooltip, class_="score", cx=_x(left, score.value), cy=y, r=5)
    yield text(WIDTH - RIGHT + 16, y + 4, percent(score))
