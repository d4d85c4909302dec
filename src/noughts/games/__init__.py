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
    "tic-tac-toe": Entry("tic-tac-toe", "three in a row on 3 x 3", "tictactoe", ("tic-tac-toe",), "a draw"),
    "misere": Entry(
        "misere",
        "tic-tac-toe in which three in a row lose",
        "misere",
        ("misere",),
        "a draw, by the centre only",
    ),
    "wild": Entry("wild", "tic-tac-toe in which both place X or O", "wild", ("wild",), "the first player wins"),
    "notakto": Entry(
        "notakto[:BOARDS]",
        "both place X, on 1 to 3 boards; whoever ends the last one loses",
        "notakto",
        ("notakto", "notakto:2"),
        "the first player wins on 1 or 3 boards, the second on 2",
    ),
    "mnk": Entry(
        "mnk:COLUMNS,ROWS,IN-A-ROW[,torus][,misere]",
        "any board, any length of line",
        "mnk",
        ("mnk:4,3,3", "mnk:4,4,4", "mnk:4,4,3,torus", "mnk:5,5,4"),
        "4,3,3 and 4,4,3: the first player wins; 4,4,4: a draw",
    ),
    "connect-four": Entry(
        "connect-four",
        "four in a row of stones dropped into 7 columns of 6",
        "connect_four",
        ("connect-four",),
        "the first player wins with move 41 (Allis 1988, Allen 1988)",
    ),
    "connect": Entry(
        "connect:WIDTHxHEIGHT[,IN-A-ROW]",
        "the same on other boards",
        "connect",
        ("connect:4x4", "connect:5x4", "connect:4x3,3"),
        "4x4 and 5x4: a draw",
    ),
    "cube": Entry("cube:SIZE", "in a row through a cube", "cube", ("cube:3",), "3: the first player wins"),
    "ultimate": Entry(
        "ultimate", "nine fields of tic-tac-toe; won fields are closed", "ultimate", ("ultimate",), "not known"
    ),
    "nim": Entry(
        "nim:HEAP,HEAP,...[,misere]",
        "take from one heap; who takes the last one wins",
        "nim",
        ("nim:3,4,5", "nim:3,4,5,misere"),
        "who faces heaps with xor 0 loses",
    ),
    "reversi": Entry(
        "reversi[:4|6|8]",
        "turn the other's discs over",
        "reversi",
        ("reversi:4", "reversi:8"),
        "4: the second player wins by 8",
    ),
}
"""Every game, by the part of its notation before the colon."""


def named(notation: str, also: str = "") -> Game[Any, Any]:
    """Return the game that a notation such as `tic-tac-toe` stands for, or raise UnknownGame.

    `also` says what else could have been written where it stood.

    >>> named("tic-tac-toe").title
    'Tic-tac-toe'
    """
    name, _, arguments = notation.strip().lower().partition(":")
    entry = GAMES.get(name)
    if entry is None:
        hint = suggest(name, GAMES) or f"; there are: {', '.join(GAMES)}{also}"
        raise UnknownGame(f"there is no game {shown(notation)}{hint}")
    try:
        return entry.make(arguments)
    except ValueError as error:
        reason = f": {error}" if str(error) else ""
        raise UnknownGame(f"{shown(notation)} is not written {entry.notation}{reason}") from None
