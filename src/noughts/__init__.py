"""noughts: perfect play for two-player games. Play it, explain it, prove it, solve it.

>>> import noughts
>>> game = noughts.load("tic-tac-toe")
>>> state = noughts.replay(game, "5 1 3")
>>> answer = noughts.analyse(game, state)
>>> answer.value, answer.best
('draw', (7,))
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from noughts.analysis import analyse, value
    from noughts.compiled.answers import kernel
    from noughts.errors import BadPosition, BrokenGame, IllegalAction, NoughtsError, UnknownGame
    from noughts.game import MAX, MIN, Game
    from noughts.notation import load, replay
    from noughts.notebook import show
    from noughts.search.answer import ActionValue, Answer
    from noughts.search.deepening import deepening
    from noughts.search.drivers import alphabeta
    from noughts.search.mcts import mcts
    from noughts.search.minimax import minimax
    from noughts.search.mtd import mtd
    from noughts.search.proof import proof

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
    "alphabeta",
    "analyse",
    "deepening",
    "kernel",
    "load",
    "mcts",
    "minimax",
    "mtd",
    "proof",
    "replay",
    "show",
    "value",
]

_HOMES = {
    "analysis": ("analyse", "value"),
    "compiled.answers": ("kernel",),
    "notebook": ("show",),
    "errors": ("BadPosition", "BrokenGame", "IllegalAction", "NoughtsError", "UnknownGame"),
    "game": ("MAX", "MIN", "Game"),
    "notation": ("load", "replay"),
    "search.answer": ("ActionValue", "Answer"),
    "search.drivers": ("alphabeta",),
    "search.deepening": ("deepening",),
    "search.mcts": ("mcts",),
    "search.minimax": ("minimax",),
    "search.mtd": ("mtd",),
    "search.proof": ("proof",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
_ROOMS = ("arena", "compiled", "match", "players", "presentation", "testing")


def __getattr__(name: str) -> Any:
    """Import a name, or a room such as `noughts.testing`, when it is first asked for.

    So the command shows its first board sooner, and can be interrupted from its first moment.
    """
    from importlib import import_module

    if name in _ROOMS:
        return import_module(f"noughts.{name}")
    if name not in _HOME_OF:
        raise AttributeError(f"module 'noughts' has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f"noughts.{_HOME_OF[name]}"), name)
    return found


def __dir__() -> list[str]:
    return [*globals(), *__all__, *_ROOMS]
