"""The arena: tournaments with their statistics, exact chances of players, one player against every line of play.

>>> from noughts.arena import tournament
>>> found = tournament("tic-tac-toe", ["perfect", "rules"], games=20, seed=1)
>>> found.pairings[0].tally.losses
0
"""

from noughts.arena.every_line import AllLines, against_everyone
from noughts.arena.exact import Chances, ExactPairing, ExactTournament, exact_chances, exact_tournament
from noughts.arena.pairs import Setting
from noughts.arena.statistics import Interval, Sprt, Tally
from noughts.arena.tournament import Pairing, Standing, Tournament, tournament

__all__ = [
    "AllLines",
    "Chances",
    "ExactPairing",
    "ExactTournament",
    "Interval",
    "Pairing",
    "Setting",
    "Sprt",
    "Standing",
    "Tally",
    "Tournament",
    "against_everyone",
    "exact_chances",
    "exact_tournament",
    "tournament",
]
