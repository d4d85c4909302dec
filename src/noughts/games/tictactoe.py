"""Tic-tac-toe, or noughts and crosses: three in a row on a board of three by three."""

from noughts.games.lines import LineGame, straight_lines

__all__ = ["LINES", "TIC_TAC_TOE"]

LINES = straight_lines(3, 3, 3)

TIC_TAC_TOE = LineGame("Tic-tac-toe", columns=3, rows=3, lines=LINES)
