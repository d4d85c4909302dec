"""The JSON of everything: typed facts about positions, answers, explanations, trees, counts and checks.

Every shell uses these functions: the command line, the server, files. The same question gives the same object, with the
game and the position in their usual spelling. Actions are given by name, and values are for the player to move.
"""

from noughts.wire.answers import analysis, explanation, move
from noughts.wire.positions import games, position, result

__all__ = ["analysis", "explanation", "games", "move", "position", "result"]
