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
    from noughts.book.file import Book, open_book
    from noughts.certificates.certificate import Certificate, Checked, check, prove
    from noughts.engine import Engine, analyse, value
    from noughts.errors import (
        BadBook,
        BadCertificate,
        BadPosition,
        BadRecord,
        BadTable,
        BrokenGame,
        EndlessGame,
        IllegalAction,
        NoKernel,
        NoughtsError,
        UnknownGame,
    )
    from noughts.game import MAX, MIN, Game
    from noughts.notation import load, replay
    from noughts.notebook import show
    from noughts.puzzles.find import puzzle
    from noughts.reviews.review import review
    from noughts.search.answer import ActionValue, Answer
    from noughts.search.deepening import deepening
    from noughts.search.drivers import Options, alphabeta
    from noughts.search.limits import Limits
    from noughts.search.mcts import mcts
    from noughts.search.minimax import minimax
    from noughts.search.mtd import mtd
    from noughts.search.proof import proof
    from noughts.solving.estimate import estimate
    from noughts.solving.solve import solve
    from noughts.solving.summary import Solved
    from noughts.solving.verify import verify_table
    from noughts.sources.native import kernel
    from noughts.statistics.counts import count
    from noughts.statistics.openings import openings
    from noughts.tables.table import Table, open_table
    from noughts.trees.tree import tree
    from noughts.words.explanation import Explanation, explain

__version__ = "0.1.0"

__all__ = [
    "MAX",
    "MIN",
    "ActionValue",
    "Answer",
    "BadBook",
    "BadCertificate",
    "BadPosition",
    "BadRecord",
    "BadTable",
    "Book",
    "BrokenGame",
    "Certificate",
    "Checked",
    "EndlessGame",
    "Engine",
    "Explanation",
    "Game",
    "IllegalAction",
    "Limits",
    "NoKernel",
    "NoughtsError",
    "Options",
    "Solved",
    "Table",
    "UnknownGame",
    "alphabeta",
    "analyse",
    "check",
    "count",
    "deepening",
    "estimate",
    "explain",
    "kernel",
    "load",
    "mcts",
    "minimax",
    "mtd",
    "open_book",
    "open_table",
    "openings",
    "proof",
    "prove",
    "puzzle",
    "replay",
    "review",
    "show",
    "solve",
    "tree",
    "value",
    "verify_table",
]

_MODULES = {
    "book.file": ("Book", "open_book"),
    "certificates.certificate": ("Certificate", "Checked", "check", "prove"),
    "engine": ("Engine", "analyse", "value"),
    "errors": (
        "BadBook",
        "BadCertificate",
        "BadPosition",
        "BadRecord",
        "BadTable",
        "BrokenGame",
        "EndlessGame",
        "IllegalAction",
        "NoKernel",
        "NoughtsError",
        "UnknownGame",
    ),
    "game": ("MAX", "MIN", "Game"),
    "notation": ("load", "replay"),
    "notebook": ("show",),
    "puzzles.find": ("puzzle",),
    "reviews.review": ("review",),
    "search.answer": ("ActionValue", "Answer"),
    "search.deepening": ("deepening",),
    "search.drivers": ("Options", "alphabeta"),
    "search.limits": ("Limits",),
    "search.mcts": ("mcts",),
    "search.minimax": ("minimax",),
    "search.mtd": ("mtd",),
    "search.proof": ("proof",),
    "solving.estimate": ("estimate",),
    "solving.solve": ("solve",),
    "solving.summary": ("Solved",),
    "sources.native": ("kernel",),
    "solving.verify": ("verify_table",),
    "statistics.counts": ("count",),
    "statistics.openings": ("openings",),
    "tables.table": ("Table", "open_table"),
    "trees.tree": ("tree",),
    "words.explanation": ("Explanation", "explain"),
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}
_SUBPACKAGES = ("arena", "compiled", "match", "players", "presentation", "record", "testing")


def __getattr__(name: str) -> Any:
    """Import a name, or a module such as `noughts.testing`, when it is first used.

    So the command shows its first board sooner, and can be interrupted from its first moment.
    """
    from importlib import import_module

    if name in _SUBPACKAGES:
        return import_module(f"noughts.{name}")
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'noughts' has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f"noughts.{_MODULE_OF[name]}"), name)
    return found


def __dir__() -> list[str]:
    return [*globals(), *__all__, *_SUBPACKAGES]
