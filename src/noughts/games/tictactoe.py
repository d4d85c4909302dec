"""Tic-tac-toe, or noughts and crosses: three in a row on a board of three by three."""

from noughts.games.lines import LineGame, straight_lines

__all__ = ["LINES", "TIC_TAC_TOE", "make"]

LINES = straight_lines(3, 3, 3)

CENTRE_SIDES_CORNERS = (5, 2, 4, 6, 8, 1, 3, 7, 9)
"""The order in which a player without look-ahead tries the cells."""

TIC_TAC_TOE = LineGame("Tic-tac-toe", columns=3, rows=3, lines=LINES, preferred=CENTRE_SIDES_CORNERS)


def make(arguments: str) -> LineGame:
    """Return the game, which takes no arguments."""
    if arguments:
        raise ValueError("tic-tac-toe takes no arguments; other boards are mnk:columns,rows,in-a-row")
    return TIC_TAC_TOE
