"""The games there are, by the names people type."""

from collections.abc import Callable
from typing import Any

from noughts.errors import UnknownGame, shown, suggest
from noughts.game import Game
from noughts.games.tictactoe import TIC_TAC_TOE

__all__ = ["GAMES", "named"]

GAMES: dict[str, Callable[[], Game[Any, Any]]] = {
    "tic-tac-toe": lambda: TIC_TAC_TOE,
}
"""Each game's name, and what makes it."""


def named(name: str) -> Game[Any, Any]:
    """Return the game of that name, or raise UnknownGame.

    >>> named("tic-tac-toe").title
    'Tic-tac-toe'
    """
    if name.lower() not in GAMES:
        hint = suggest(name, GAMES) or f"; there are: {', '.join(GAMES)}, or a path such as ./mygame.py"
        raise UnknownGame(f"there is no game {shown(name)}{hint}")
    return GAMES[name.lower()]()
