"""Positions that show themselves in a notebook: a picture of the board, or the game's own drawing as text."""

from html import escape
from typing import Any, NamedTuple

from noughts.capabilities import resolve
from noughts.game import Game, as_game
from noughts.svg import document
from noughts.trees.svg_board import BOARD_STYLE, Boards

__all__ = ["Shown", "show"]

MARGIN = 4
LARGER = 3
"""Than a board in a tree."""


class Shown(NamedTuple):
    """A state with its game, since a state alone does not know the size of its board."""

    game: Game[Any, Any]
    state: Any

    def __repr__(self) -> str:
        return resolve(self.game).draw(self.state)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(repr(self))}</pre>"

    def _repr_svg_(self) -> str | None:
        offers = resolve(self.game)
        if offers.board is None:
            return None
        boards = Boards(offers, [self.state])
        width, height = (round(LARGER * (length + 2 * MARGIN)) for length in (boards.width, boards.height))
        body = [f'<g transform="scale({LARGER})">', *boards.draw(self.state, None, MARGIN, MARGIN), "</g>"]
        return document(width, height, offers.title or "A position", repr(self), body, BOARD_STYLE)


def show(game: Game[Any, Any], state: Any = None) -> Shown:
    """Return a state, the initial one by default, as something that a notebook shows."""
    game = as_game(game)
    return Shown(game, game.initial() if state is None else state)
