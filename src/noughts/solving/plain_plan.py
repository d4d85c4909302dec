"""Building the native sweep of a game in plain Python: its functions, translated, compiled with the loop over them."""

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

from noughts.capabilities import ResolvedGame
from noughts.compiled.build import Plan
from noughts.compiled.searches import CompiledSearch
from noughts.plain import layout, memory
from noughts.plain import stub as plain_stub
from noughts.plain.build import HEAD
from noughts.plain.program import Program, shape_of
from noughts.plain.sample import numbers_of
from noughts.plain.source import Refused
from noughts.solving import look_up, plain_sweep
from noughts.solving import plain_stub as more

__all__ = ["PlainSweepPlan", "Samples", "random_games"]

PLAIN_SWEEP = CompiledSearch(
    source=Path(str(plain_sweep.__file__)),
    layout=Path(str(layout.__file__)),
    from_rules=(*(name for name in plain_stub.__all__ if name not in ("code_of", "pack")), *more.__all__),
    defaults={},
    recursive="",
    returns="number",
    takes="",
    entries={
        "begin": "number",
        "expand": "number number number number number number number number number",
        "fill": "number number number number number number",
        "start": "number number number number",
        "settle": "number number number number number number number number number number",
        "tell": "number number number number number number number",
    },
    before=(Path(str(look_up.__file__)),),
)

GAMES, PLIES = 64, 400
"""How many games are played at random to see what states look like, and up to which ply."""

NO_TIER = "def game_tier(m, state):\n    return 0\n"
NO_IMAGES = """\
def game_images(m, state):
    found = new(m, 1)
    append(m, found, state)
    return found
"""


def random_games(game: ResolvedGame[Any, Any]) -> Iterator[tuple[Any, Any]]:
    """Yield the states of some games, always the same ones, each with the action played; None at an end."""
    random = Random(0)
    for _ in range(GAMES):
        state = game.initial()
        for _ in range(PLIES):
            action = None if game.terminal(state) else random.choice(game.legal_actions(state))
            yield state, action
            if action is None:
                break
            state = game.result(state, action)


class Samples:
    """What states of a game look like. Raises Refused if they are no tuples of whole numbers, all of one shape."""

    def __init__(self, game: ResolvedGame[Any, Any]) -> None:
        played = list(random_games(game))
        self.states = [state for state, _ in played]
        self.action = next((action for _, action in played if action is not None), None)
        if self.action is None:
            raise Refused("the game is over at the start")
        self.shape = shape_of(self.states[0])
        if any(shape_of(state) != self.shape for state in self.states):
            raise Refused("its states differ in their length, or in what they hold")

    @property
    def ranges(self) -> list[tuple[int, int]]:
        """The lowest and the highest value of each number."""
        return [(min(column), max(column)) for column in zip(*map(numbers_of, self.states), strict=True)]


class PlainSweepPlan(Plan):
    """The sweep of a game in plain Python to be built. Raises Refused if its functions cannot be translated."""

    def __init__(self, game: ResolvedGame[Any, Any], samples: Samples) -> None:
        self.name = game.display_title
        self.search = PLAIN_SWEEP
        tier = "tier" if game.tier is not None else "plies" if game.plies is not None else None
        images = "symmetries" if game.symmetries is not None else None
        if game.canonical is not None:
            raise Refused("its canonical() is not translated")
        also = [name for name in (tier, images) if name is not None]
        self.program = Program(game, samples.states[0], samples.shape, samples.action, also)
        added = [NO_TIER if tier is None else f"def game_tier(m, state):\n    return game_{tier}(m, state)\n"]
        if tier == "tier":
            added = []
        added.append(
            NO_IMAGES if images is None else "def game_images(m, state):\n    return game_symmetries(m, state)\n"
        )
        runtime = Path(str(memory.__file__)).read_text(encoding="utf-8")
        texts = {path.name: path.read_text(encoding="utf-8") for path in self.search.before}
        self.texts = {
            "rules.py": "\n\n".join([runtime, HEAD, self.program.source, *added]),
            **texts,
            "kernel.py": self.search.source.read_text(encoding="utf-8"),
        }
        self.digest = self._digest([Path(__file__).read_text(encoding="utf-8")])

    def check(self) -> None:
        """Do nothing: what is compiled is compared with Python before it is used."""

    def functions(self, filename: str) -> ModuleType:
        """Return the module of the translated functions."""
        module = ModuleType(f"noughts_plain_{self.digest}")
        sys.modules[module.__name__] = module  # where numba looks it up
        exec(compile(self.texts["rules.py"], filename, "exec", dont_inherit=True), vars(module))
        return module
