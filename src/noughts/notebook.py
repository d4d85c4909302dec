"""Positions in notebooks: a picture of the board, or the game's drawing as text if it has no board."""

from html import escape
from typing import Any, NamedTuple

from noughts.capabilities import ResolvedGame, resolve
from noughts.game import Game
from noughts.svg import document
from noughts.trees.svg_board import BOARD_STYLE, Boards

__all__ = ["Shown", "show"]

MARGIN = 4
SCALE = 3
"""How many times larger a board is than in a tree."""


class Shown(NamedTuple):
    """A state with its game, which is needed to draw it."""

    game: ResolvedGame[Any, Any]
    state: Any

    def __repr__(self) -> str:
        return self.game.draw(self.state)

    def _repr_html_(self) -> str | None:
        """Return the drawing if there is no picture, else None: Jupyter shows HTML rather than SVG if it has both."""
        return None if self.game.board is not None else f"<pre>{escape(repr(self))}</pre>"

    def _repr_svg_(self) -> str | None:
        if self.game.board is None:
            return None
        boards = Boards(self.game, [self.state])
        width, height = (round(SCALE * (length + 2 * MARGIN)) for length in (boards.width, boards.height))
        body = [f'<g transform="scale({SCALE})">', *boards.draw(self.state, None, MARGIN, MARGIN), "</g>"]
        return document(width, height, self.game.title or "A position", repr(self), body, BOARD_STYLE)


def show(game: Game[Any, Any], state: Any = None) -> Shown:
    """Return a state, the initial one by default, as an object that notebooks display."""
    resolved = resolve(game)
    return Shown(resolved, resolved.state(state))
