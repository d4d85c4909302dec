"""The built-in games: how people write each one, and the module that makes it."""

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from noughts.errors import UnknownGame, shown, suggest
from noughts.game import Game

__all__ = ["GAMES", "Entry", "named"]


class Entry(NamedTuple):
    """A game or a family of games: how it is written, what it is, what is known about it."""

    notation: str
    """How it is written; `[...]` marks what may be left out."""
    summary: str
    module: str
    """The module whose function `make(arguments)` returns the game; imported only when needed."""
    examples: tuple[str, ...]
    """Games of the family that the tests play through."""
    known: str = ""
    """Proven values, with the source if the tests do not prove them."""
    sizes: str = ""
    """Which sizes are allowed; empty if there is only one."""

    def make(self, arguments: str) -> Game[Any, Any]:
        """Return the game for the text after the colon."""
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
        "both place X; whoever completes a line on the last open board loses",
        "notakto",
        ("notakto", "notakto:2"),
        "the first player wins on 1 or 3 boards, the second on 2",
        "1 to 3 boards (default: 1)",
    ),
    "mnk": Entry(
        "mnk:COLUMNS,ROWS,IN-A-ROW[,torus][,misere]",
        "tic-tac-toe on any board, with any length of line",
        "mnk",
        ("mnk:4,3,3", "mnk:4,4,4", "mnk:4,4,3,torus", "mnk:5,5,4"),
        "4,3,3 and 4,4,3: the first player wins; 4,4,4: a draw",
        "1 to 20 columns and rows; a line must fit on the board",
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
        "Connect Four on other boards",
        "connect",
        ("connect:4x4", "connect:5x4", "connect:4x3,3"),
        "4x4 and 5x4: a draw",
        "width, height and line 1 to 12 (default line: 4)",
    ),
    "cube": Entry(
        "cube:SIZE",
        "tic-tac-toe in a cube: as many in a row as it is long",
        "cube",
        ("cube:3",),
        "3: the first player wins",
        "2 to 5",
    ),
    "ultimate": Entry(
        "ultimate",
        "nine boards of tic-tac-toe in one; a won board is closed",
        "ultimate",
        ("ultimate",),
        "nothing proven yet",
    ),
    "nim": Entry(
        "nim:HEAP,HEAP,...[,misere]",
        "take stones from one heap; whoever takes the last stone wins",
        "nim",
        ("nim:3,4,5", "nim:3,4,5,misere"),
        "a player who faces heaps with xor 0 loses",
        "1 to 9 heaps of 1 to 99 stones",
    ),
    "reversi": Entry(
        "reversi[:4|6|8]",
        "turn the opponent's discs over; the most discs win",
        "reversi",
        ("reversi:4", "reversi:8"),
        "4: the second player wins by 8",
        "4, 6 or 8 (default: 8)",
    ),
    "numbers": Entry(
        "numbers:TREE",
        "a tree of numbers as textbooks draw it: MAX chooses a branch, then MIN, and a number ends it",
        "numbers",
        ("numbers:((3,12,8),(2,4,6),(14,5,2))", "numbers:min((1,(2,-3)),4)"),
        "what minimax makes of the numbers",
        "brackets within brackets, such as ((3 12 8) (2 4 6) (14 5 2)); `min` before them lets MIN choose first",
    ),
}
"""Every game, by the part of its notation before the colon."""


def named(notation: str, also: str = "") -> Game[Any, Any]:
    """Return the game with a notation such as `tic-tac-toe`, or raise UnknownGame.

    `also` is added to the list of games in the error message, to name what else is accepted.

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
