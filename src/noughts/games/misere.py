"""Misère tic-tac-toe: whoever completes three in a row loses."""

from noughts.games.lines import LineGame
from noughts.games.tictactoe import LINES

__all__ = ["make"]


def make(arguments: str) -> LineGame:
    """Return the game, which takes no arguments."""
    if arguments:
        raise ValueError("misere takes no arguments; other boards are mnk:columns,rows,in-a-row,misere")
    return LineGame("Misère tic-tac-toe", columns=3, rows=3, lines=LINES, misere=True)
