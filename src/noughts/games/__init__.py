"""The games there are: the notation people type, and what makes each game from it."""

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from noughts.errors import UnknownGame, shown, suggest
from noughts.game import Game

__all__ = ["GAMES", "Entry", "named"]


class Entry(NamedTuple):
    """A game, or a family of them: how it is written, what it is, what is known of it."""

    notation: str
    """How it is written, `[...]` around what may be left out."""
    summary: str
    module: str
    """The module whose function `make(arguments)` returns the game; imported only when it is wanted."""
    examples: tuple[str, ...]
    """Instances that are played through in the tests."""
    known: str = ""
    """Values proven, and by whom if not by the tests."""

    def make(self, arguments: str) -> Game[Any, Any]:
        """Return the game for what stands after the colon."""
        maker: Callable[[str], Game[Any, Any]] = import_module(f"noughts.games.{self.module}").make
        return maker(arguments)


GAMES: dict[str, Entry] = {
    "tic-tac-toe": Entry(
        "tic-tac-toe",
        "three in a row on 3 x 3",
        "tictactoe",
        ("tic-tac-toe",),
        known="a draw",
    ),
}
"""Every game, by the part of its notation before the colon."""


def named(notation: str) -> Game[Any, Any]:
    """Return the game that a notation such as `tic-tac-toe` stands for, or raise UnknownGame.

    >>> named("tic-tac-toe").title
    'Tic-tac-toe'
    """
    name, _, arguments = notation.strip().lower().partition(":")
    entry = GAMES.get(name)
    if entry is None:
        hint = suggest(name, GAMES) or f"; there are: {', '.join(GAMES)}, or a path such as ./mygame.py"
        raise UnknownGame(f"there is no game {shown(notation)}{hint}")
    try:
        return entry.make(arguments)
    except ValueError as error:
        reason = f": {error}" if str(error) else ""
        raise UnknownGame(f"{shown(notation)} is not written {entry.notation}{reason}") from None
