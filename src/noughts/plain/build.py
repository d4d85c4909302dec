"""Building the native search of a game's six functions: translated, compiled or loaded, and compared with Python."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from noughts.capabilities import ResolvedGame
from noughts.compiled import deep_layout
from noughts.compiled.build import Plan
from noughts.compiled.searches import CompiledSearch
from noughts.plain import layout, memory, search, stub
from noughts.plain.program import Program
from noughts.plain.sample import Samples, sampled

__all__ = ["PlainPlan"]

FROM_PROGRAM = tuple(stub.__all__)
"""What the search takes from the translated functions."""

PLAIN = CompiledSearch(
    source=Path(str(search.__file__)),
    layout=Path(str(layout.__file__)),
    from_rules=FROM_PROGRAM,
    defaults={},
    recursive="search",
    returns="number",
    takes="number number number number number number number number number",
    entries={"look": "number number number number"},
)

HEAD = "from noughts.plain.layout import KEY, SLOTS\n"


class PlainPlan(Plan):
    """The native search of a game to be built: its program, its texts, its digest and its folder.

    Raises Refused if the functions cannot be translated. `check` is called now and then, and may raise an exception.
    """

    def __init__(self, game: ResolvedGame[Any, Any], check: Callable[[], None] = lambda: None) -> None:
        self.game = game
        self.name = game.display_title
        self.samples: Samples = sampled(game, check)
        self.program = Program(game, self.samples.states[0], self.samples.shape, self.samples.action)
        self.search = PLAIN
        runtime = Path(str(memory.__file__)).read_text(encoding="utf-8")
        self.texts = {
            "rules.py": "\n\n".join([runtime, HEAD, self.program.source]),
            "kernel.py": PLAIN.source.read_text(encoding="utf-8"),
        }
        self.digest = self._digest([Path(str(deep_layout.__file__)).read_text(encoding="utf-8")])

    def check(self) -> None:
        """Do nothing: what is compiled is compared with Python before it is used."""

    def functions(self, filename: str) -> ModuleType:
        """Return the module of the translated functions."""
        module = ModuleType(f"noughts_plain_{self.digest}")
        sys.modules[module.__name__] = module  # where numba looks it up
        exec(compile(self.texts["rules.py"], filename, "exec", dont_inherit=True), vars(module))
        return module
