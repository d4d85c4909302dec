"""The rules that a kernel is compiled from: read from their file, run by the interpreter, and as an ordinary game.

The functions that are compiled also run interpreted, so the plain oracle can check them. `RulesGame` is the game that a
kernel searches: without the moves that the rules leave out, and over as soon as the rules know the score.
"""

import ast
import os
import sys
from collections.abc import Mapping
from functools import cache, cached_property, lru_cache
from hashlib import sha256
from importlib.util import decode_source
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from noughts.capabilities import KERNEL_FUNCTIONS, Kernel
from noughts.compiled.layout import MOST_CHOICES
from noughts.compiled.python_subset import CompiledFunctions
from noughts.errors import BrokenGame, shown
from noughts.game import MAX, MIN
from noughts.gamefile import blame, named_error
from noughts.interrupts import was_pressed
from noughts.score import Scale
from noughts.search.recursion_limit import steady_limit

__all__ = ["DeepRulesGame", "Position", "Rules", "RulesGame", "rules_of", "with_parameters"]

PACKAGE = Path(__file__).parents[1]

Position = tuple[int, ...]

OPTIONAL_FUNCTIONS = ("order", "foresee", "finish")
"""Functions that rules of the solving search may leave out."""

DEEP_FUNCTIONS = ("order", "plies", "evaluate", "plies_left", "player")
"""Functions that rules of the deep search may leave out."""


class Rules:
    """The rules of one kernel: their source, with the parameters filled in, and the functions, interpreted."""

    def __init__(self, kernel: Kernel, is_fixed: bool = False) -> None:
        self.kernel = kernel
        self.is_fixed = is_fixed
        """Whether they cannot change while the process runs."""
        self.path = Path(kernel.rules)
        self.source = with_parameters(_source(self.path), kernel.parameters)

    @cached_property
    def functions(self) -> ModuleType:
        """The rules as a module of plain Python functions; the game itself if the rules are in its file."""
        module = self.kernel.module or self.run(self.source, str(self.path))
        missing = [name for name in KERNEL_FUNCTIONS if not callable(getattr(module, name, None))]
        if missing:
            raise BrokenGame(f"{self.path.name} has no kernel: it has no function {', '.join(missing)}")
        if not isinstance(getattr(module, "longest", None), int):
            raise BrokenGame(f"{self.path.name} has no kernel: it does not say `longest`, the most plies of a game")
        return module

    def run(self, source: str, filename: str) -> ModuleType:
        """Run the source of the rules, or another version of it, as if it were their file; return the module."""
        module = ModuleType(f"noughts_rules_{self.path.stem}_{sha256(self.source.encode()).hexdigest()[:16]}")
        module.__file__ = str(self.path)
        sys.modules[module.__name__] = module  # where dataclasses and numba look it up
        try:
            with steady_limit():
                code = compile(source, filename, "exec", dont_inherit=True)
            exec(code, module.__dict__)
        except BaseException as error:  # SystemExit too
            if was_pressed(error):
                raise
            where = blame(error, filename) or named_error(error)
            raise BrokenGame(f"{self.path.name} cannot be loaded: {where}") from None
        return module

    @cached_property
    def compiled(self) -> CompiledFunctions:
        """The functions that are compiled; raises BrokenGame if they would not mean the same when compiled."""
        optional = DEEP_FUNCTIONS if self.is_deep else ("plies", *OPTIONAL_FUNCTIONS)
        names = [name for name in (*KERNEL_FUNCTIONS, *optional) if hasattr(self.functions, name)]
        return CompiledFunctions(self.functions, self.source, names)

    @property
    def is_deep(self) -> bool:
        """Whether they are for the deep search: they have `evaluate`, or count plies from each position."""
        return hasattr(self.functions, "evaluate") or not hasattr(self.functions, "plies")

    @property
    def longest(self) -> int:
        """The most plies that a game can take."""
        longest: int = self.functions.longest
        return longest

    @property
    def most(self) -> int:
        """The highest utility: above 1 if margins count."""
        utility_range: tuple[int, int] = getattr(self.functions, "utility_range", (-1, 1))
        return max(map(abs, utility_range))

    def bounds(self, position: Position) -> tuple[int, int]:
        """Return the bounds of a position's score, with plies counted from the position, whatever the rules count."""
        low, high = self.functions.score_bounds(position)
        played = self.plies(position) if hasattr(self.functions, "plies") else 0
        most = self.most * (self.longest + 1)
        low += (low > 0) * played - (low < 0) * played
        high += (high > 0) * played - (high < 0) * played
        return max(low, -most), min(high, most)

    @property
    def constants(self) -> dict[str, int | tuple[int, ...]]:
        """The constants of the rules that are compiled into the search, with defaults for those left out."""
        functions, arity = self.functions, self._arity()
        if not self.is_deep:
            return {
                "longest": self.longest,
                "key_bits": getattr(functions, "key_bits", 63),
                "choices": getattr(functions, "choices", MOST_CHOICES),
                "arity": arity,
            }
        start = functions.initial()
        moves, key = functions.expand(start), functions.key(start)
        move_words = len(moves) if isinstance(moves, tuple) else 1
        return {
            "longest": self.longest,
            "most": self.most,
            "choices": getattr(functions, "choices", MOST_CHOICES * move_words),
            "arity": arity,
            "key_words": len(key) if isinstance(key, tuple) else 1,
            "move_words": move_words,
        }

    def _arity(self) -> int:
        start = self.functions.initial()
        if not isinstance(start, tuple) or not all(isinstance(number, int) for number in start):
            raise BrokenGame(f"{self.path.name} has no kernel: its states are no tuples of whole numbers")
        return len(start)

    def plies(self, position: Position) -> int:
        """Return how many plies were played before a position."""
        plies: int = self.functions.plies(position)
        return plies


def rules_of(kernel: Kernel) -> Rules:
    """Return a kernel's rules. Files of this package are read once, since they do not change.

    Other files are read each time: the constants that they compute may depend on other files, or on the time.
    """
    if kernel.module is not None or not _is_ours(kernel.rules):
        return Rules(kernel)
    parameters = tuple(sorted(kernel.parameters.items()))
    status = os.stat(kernel.rules)
    return _our_rules(kernel.rules, (status.st_mtime_ns, status.st_size), parameters)


@lru_cache(maxsize=256)
def _our_rules(path: str, _: tuple[int, int], parameters: tuple[tuple[str, int | tuple[int, ...]], ...]) -> Rules:
    return Rules(Kernel(path, tuple, dict(parameters)), is_fixed=True)


@cache
def _is_ours(path: str) -> bool:
    return PACKAGE in Path(path).parents


class RulesGame:
    """The game that a kernel searches, as an ordinary game of positions, to be checked against the real game.

    It begins at any `position`. It is over where `score_bounds` are equal, which may be earlier than in the real game.
    Its utility is the score, which includes the distance.
    """

    def __init__(self, rules: Rules, position: Position) -> None:
        self._rules = rules.functions
        self._start = position
        self.longest = rules.longest
        self.utility_range = (-rules.longest - 1, rules.longest + 1)

    def initial(self) -> Position:
        """Return the position to begin at."""
        return self._start

    def player(self, position: Position) -> int:
        """Return MAX after an even number of plies, else MIN: players alternate in every game that has a kernel."""
        return MIN if self._rules.plies(position) % 2 else MAX

    def actions(self, position: Position) -> list[int]:
        """Return the moves that the rules do not leave out, each as a bit."""
        if self.terminal(position):
            return []
        moves = self._rules.expand(position)
        return [1 << place for place in range(MOST_CHOICES) if moves >> place & 1]

    def result(self, position: Position, move: int) -> Position:
        """Return the position after a move."""
        after: Position = self._rules.play(position, move)
        return after

    def terminal(self, position: Position) -> bool:
        """Return whether the rules know the score."""
        low, high = self._rules.score_bounds(position)
        return bool(low == high)

    def utility(self, position: Position) -> int:
        """Return the score in MAX's view."""
        return self.player(position) * int(self._rules.score_bounds(position)[0])


class Standing(NamedTuple):
    """A state of a `DeepRulesGame`."""

    position: Position
    mover: int
    left: int | None
    """Where the rules know the score: how many plies are left; else None."""


class DeepRulesGame:
    """The game that a deep kernel searches, as an ordinary game, to be checked against the real game.

    Where the rules know the score, players only wait. So the game ends when the real one does, however early the rules
    know how.
    """

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._scale = Scale(rules.longest)
        self.longest = rules.longest
        self.utility_range = (-rules.most, rules.most)

    def state(self, position: Position, mover: int = MAX) -> Standing:
        """Return the state of a position; `mover` counts only where the rules do not say who is to move."""
        low, high = self._rules.bounds(position)
        player = getattr(self._rules.functions, "player", None)
        left = None if low < high else self._scale.distance(low) or 0
        return Standing(position, mover if player is None else player(position), left)

    def initial(self) -> Standing:
        """Return the initial state."""
        return self.state(self._rules.functions.initial())

    def player(self, state: Standing) -> int:
        """Return who is to move."""
        return state.mover

    def actions(self, state: Standing) -> list[int]:
        """Return the moves of the rules; a single one, to wait, where they know the score."""
        if state.left is not None:
            return [0] * (state.left > 0)
        moves = self._rules.functions.expand(state.position)
        if not isinstance(moves, tuple):
            return [1 << place for place in range(MOST_CHOICES) if moves >> place & 1]
        return [MOST_CHOICES * n + p for n, word in enumerate(moves) for p in range(MOST_CHOICES) if word >> p & 1]

    def result(self, state: Standing, move: int) -> Standing:
        """Return the state after a move."""
        if state.left is not None:
            return state._replace(left=state.left - 1)
        return self.state(self._rules.functions.play(state.position, move), -state.mover)

    def terminal(self, state: Standing) -> bool:
        """Return whether no ply is left."""
        return state.left == 0

    def utility(self, state: Standing) -> int:
        """Return the utility of the score that the rules know, in MAX's view."""
        return state.mover * self._scale.utility(self._rules.bounds(state.position)[0])


def _source(path: Path) -> str:
    """Return the text of a Python file, or raise BrokenGame."""
    try:
        return decode_source(path.read_bytes())
    except (OSError, SyntaxError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BrokenGame(f"{shown(str(path), 200)} cannot be read: {reason}") from None


def with_parameters(source: str, parameters: Mapping[str, int | tuple[int, ...]]) -> str:
    """Return a file's source with other values for some of the constants that it assigns at its top level.

    >>> print(with_parameters("ROWS = 6\\nCELLS = 7 * ROWS", {"ROWS": 4}))
    ROWS = 4
    CELLS = 7 * ROWS
    """
    if not parameters:
        return source
    with steady_limit():
        tree = ast.parse(source)
    left = dict(parameters)
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            name = statement.targets[0].id
            if name in left:
                value: Any = left.pop(name)
                with steady_limit():
                    statement.value = ast.parse(repr(value), mode="eval").body
    assert not left, f"no such constants: {', '.join(left)}"
    return ast.unparse(tree)
