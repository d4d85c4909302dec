"""Draws the positions of a solved game by tier as an SVG chart: stacked wins, draws and losses."""

from collections.abc import Iterator

from noughts.errors import counted
from noughts.solving.summary import Solved, TierCount
from noughts.svg import document, element, text

__all__ = ["plot_solved"]

WIDTH, HEIGHT = 760, 480
LEFT, RIGHT, TOP, BOTTOM = 110, 24, 84, 56
MOST_TIERS = 21
"""How many labels fit along the axis."""
LINES = 5
"""How many lines there are across the chart, about."""

KINDS = ("wins", "draws", "losses")

STYLE = """\
.heading { font-size: 17px; font-weight: 600; }
.grid { stroke: var(--faint); stroke-width: 1; }
.wins { fill: var(--series-3); }
.draws { fill: var(--series-1); }
.losses { fill: var(--series-2); }
"""


def plot_solved(found: Solved, title: str) -> str:
    """Return the chart as a whole SVG file."""
    heading = f"{title}: every position, for the player to move"
    body = [text(LEFT, 30, heading, class_="heading"), *_legend(), *_bars(found.tiers)]
    known = "not known without symmetry" if found.positions is None else counted(found.positions, "position")
    told = f"By tier. In all: {known}, {found.stored:,} up to symmetry. The first player's value: {found.value}."
    return document(WIDTH, HEIGHT, heading, told, body, STYLE)


def _legend() -> Iterator[str]:
    for place, kind in enumerate(KINDS):
        x = LEFT + 100 * place
        yield element("rect", class_=kind, x=x, y=48, width=12, height=12)
        yield text(x + 18, 59, kind)


def _bars(tiers: tuple[TierCount, ...]) -> Iterator[str]:
    """Yield the grid and a bar for each tier: where it is known only up to symmetry, of what is stored."""
    most = max((each.positions or each.stored for each in tiers), default=1)
    height, wide = HEIGHT - TOP - BOTTOM, (WIDTH - LEFT - RIGHT) / max(1, len(tiers))
    step = _step(most)
    for value in range(0, most + 1, step):
        y = HEIGHT - BOTTOM - height * value / most
        yield element("line", class_="grid", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y)
        yield text(LEFT - 10, y + 4, f"{value:,}", text_anchor="end")
    for place, each in enumerate(tiers):
        x, y = LEFT + wide * place, float(HEIGHT - BOTTOM)
        shares = [(kind, getattr(each, kind)) for kind in KINDS] if each.positions else [("draws", each.stored)]
        for kind, number in shares:
            size = height * number / most
            y -= size
            tooltip = element("title", f"tier {each.tier}: {number:,} {kind if each.positions else 'positions'}")
            if number:
                yield element("rect", tooltip, class_=kind, x=x + wide * 0.1, y=y, width=wide * 0.8, height=size)
        if place % -(-len(tiers) // MOST_TIERS) == 0:
            yield text(x + wide / 2, HEIGHT - BOTTOM + 24, str(each.tier), text_anchor="middle")
    yield text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, "tier", text_anchor="middle")


def _step(most: int) -> int:
    """Return a round number, about a fifth of the most.

    >>> _step(78), _step(1520), _step(9_000_000)
    (20, 500, 2000000)
    """
    power: int = 10 ** max(0, len(str(most // LINES or 1)) - 1)
    return power * next(each for each in (1, 2, 5, 10) if power * each * LINES >= most)
