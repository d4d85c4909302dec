"""The course of a game as an SVG chart: who was winning after each move, how soon, and where the mistakes were."""

from collections.abc import Iterator
from typing import Any

from noughts.errors import counted
from noughts.game import MAX
from noughts.reviews.picture import SIGNS, value_for_max
from noughts.reviews.review import Review
from noughts.svg import document, element, text
from noughts.words.values import leads_to

__all__ = ["plot"]

LEFT, RIGHT, TOP, BOTTOM, HIGH = 110, 24, 52, 56, 240
NARROWEST, WIDEST = 480, 1600
COLUMN = 34
"""How wide the column of a move is, where there is room."""

NEAR = 0.4
"""How far from the middle a win is drawn that is as far away as any in the game; one that is at hand is at 1."""

STYLE = """\
.heading { font-size: 17px; font-weight: 600; }
.grid { stroke: var(--faint); stroke-width: 1; }
.line { fill: none; stroke: var(--series-1); stroke-width: 2; }
.dot { fill: var(--series-1); }
.mistake { fill: var(--series-2); }
.guess { fill: var(--paper); stroke: var(--series-1); stroke-width: 1.5; }
"""


def plot(review: Review[Any, Any]) -> str:
    """Return the chart as a whole SVG file. The nearer a win, the further it is from the middle."""
    game, moves = review.game, review.moves
    names = game.player_name(MAX), game.player_name(-MAX)
    width = max(NARROWEST, min(WIDEST, LEFT + RIGHT + COLUMN * (len(moves) + 1)))
    title = f"{game.display_title}: {counted(len(moves), 'move')}"
    wrong = [f"{each.number} {game.action_name(each.action)}" for each in review.mistakes]
    about = f"Who was winning after each move, {names[0]} at the top, {names[1]} at the bottom. "
    about += f"Mistakes: {', '.join(wrong)}." if wrong else "No mistakes."
    body = [text(LEFT, 30, title, class_="heading"), *_Chart(review, width).elements(names)]
    return document(width, TOP + HIGH + BOTTOM, title, about, body, STYLE)


class _Chart:
    """The coordinates of the chart: moves from left to right, wins of MAX upwards."""

    def __init__(self, review: Review[Any, Any], width: int) -> None:
        self._review, self._width = review, width
        self._furthest = max([each.distance or 0 for each in review.answers] or [0])

    def elements(self, names: tuple[str, str]) -> Iterator[str]:
        """Yield the lines of the grid, the course, the positions and the moves."""
        for label, height in ((f"{names[0]} wins", 1), ("draw", 0), (f"{names[1]} wins", -1)):
            y = self._y(height)
            yield element("line", class_="grid", x1=LEFT, x2=self._width - RIGHT, y1=y, y2=y)
            yield text(LEFT - 14, y + 4, label, text_anchor="end")
        yield element("path", class_="line", d=self._course())
        for number in range(len(self._review.answers)):
            yield self._dot(number)
        every = -(-len(self._review.moves) * COLUMN // max(1, self._width - LEFT - RIGHT))
        for number, each in enumerate(self._review.moves):
            if number % max(1, every) == 0 or SIGNS[each.mark]:
                name = self._review.game.action_name(each.action) + SIGNS[each.mark]
                low = TOP + HIGH + (24 if number % 2 else 40)
                yield text(self._x(number + 1), low, name, text_anchor="middle")

    def _course(self) -> str:
        """Return a path through the positions whose values are known, with gaps where they are not."""
        path, before = "", False
        for number in range(len(self._review.answers)):
            height = self._height(number)
            if height is not None:
                path += f"{'L' if before else 'M'}{self._x(number):.1f},{self._y(height):.1f}"
            before = height is not None
        return path

    def _dot(self, number: int) -> str:
        """Return a position: orange after a mistake, hollow where nothing is known."""
        review, height = self._review, self._height(number)
        move = review.moves[number - 1] if number else None
        wrong = move is not None and move.mark in ("mistake", "doubtful")
        kind = "mistake" if wrong else "guess" if height is None else "dot"
        answer = review.answers[number]
        said = leads_to(answer.value, answer.distance, answer.margin)
        who = "the player to move" if answer.value in ("win", "loss", "draw") else "what follows"
        played = "at the start" if move is None else f"after {move.number} {review.game.action_name(move.action)}"
        place = {"cx": self._x(number), "cy": self._y(height or 0), "r": 6 if wrong else 4.5}
        return element("circle", element("title", f"{played}: {who} {said}"), class_=kind, **place)

    def _height(self, number: int) -> float | None:
        worth = value_for_max(self._review, number)
        distance = self._review.answers[number].distance
        if not worth or distance is None:
            return worth
        return worth * (1 - (1 - NEAR) * distance / max(1, self._furthest))

    def _x(self, number: int) -> float:
        return LEFT + 12 + (self._width - LEFT - RIGHT - 24) * number / max(1, len(self._review.moves))

    def _y(self, height: float) -> float:
        return TOP + HIGH / 2 - height * HIGH / 2
