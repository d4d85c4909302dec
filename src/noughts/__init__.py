"""noughts: perfect play for two-player games. Play it, explain it, prove it, solve it.

>>> import noughts
>>> game = noughts.load("tic-tac-toe")
>>> state = noughts.replay(game, "5 1 3")
>>> answer = noughts.analyse(game, state)
>>> answer.value, answer.best
('draw', (7,))
"""

from typing import Any

from noughts.analysis import analyse, value
from noughts.errors import BadPosition, BrokenGame, IllegalAction, NoughtsError, UnknownGame
from noughts.game import MAX, MIN, Game
from noughts.notation import load, replay
from noughts.search.answer import ActionValue, Answer
from noughts.search.minimax import minimax

__version__ = "0.1.0"

__all__ = [
    "MAX",
    "MIN",
    "ActionValue",
    "Answer",
    "BadPosition",
    "BrokenGame",
    "Game",
    "IllegalAction",
    "NoughtsError",
    "UnknownGame",
    "analyse",
    "load",
    "minimax",
    "replay",
    "value",
]


def __getattr__(name: str) -> Any:
    """Import the rooms that are not needed at once when they are first asked for, as in `noughts.testing`."""
    if name in ("arena", "match", "players", "presentation", "testing"):
        from importlib import import_module

        return import_module(f"noughts.{name}")
    raise AttributeError(f"module 'noughts' has no attribute {name!r}")
