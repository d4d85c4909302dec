"""The compiled loops over all positions of a game: with its own rules for them, or with its six functions translated."""

from itertools import islice
from typing import Any

from noughts.capabilities import ResolvedGame
from noughts.compiled.all_positions import rules_module, source_of_rules
from noughts.compiled.build import available, build
from noughts.errors import BrokenGame, NoKernel
from noughts.plain import layout
from noughts.plain.sample import numbers_of
from noughts.plain.source import Refused
from noughts.solving.look_up import GOES_ON
from noughts.solving.plain_plan import PlainSweepPlan, Samples, random_games
from noughts.solving.plans import SweepPlan
from noughts.tables.codings import RULES, Coding, coding_of, numbers_coding

__all__ = ["NativeRules", "native_coding"]

FREE_WORDS = 1 << 20
"""The size of the free memory of translated functions."""

MOST_BITS = 63
"""How many bits a code of arrays has."""

COMPARED = 300
"""In how many states what is compiled is compared with the game."""

UNLIMITED = 64
"""How many children are made room for where it is not known how many a position has."""


def native_coding(game: ResolvedGame[Any, Any]) -> Coding | None:
    """Return the coding by which a game is solved natively, or None if it cannot be."""
    if not available():
        return None
    if game.solver() is not None:
        return RULES
    try:
        samples = Samples(game)
        PlainSweepPlan(game, samples)
        coding = numbers_coding(samples.shape, samples.ranges)
        return coding if _bits(coding["ranges"]) <= MOST_BITS else None
    except (Refused, BrokenGame, NoKernel):
        return None


def _bits(ranges: Any) -> int:
    return sum((high - low).bit_length() for low, high in ranges)


class NativeRules:
    """The loops over all positions of a game, as functions on the addresses of arrays."""

    def __init__(self, game: ResolvedGame[Any, Any], coding: Coding) -> None:
        import numpy

        self._game, self.coding = game, coding
        self.choices = UNLIMITED
        """The most actions that a position has, if that is known."""
        self._memory: Any = numpy.zeros(1, numpy.int64)
        self.has_tiers = True
        """Whether it says in which tier a position is."""
        kernel = game.solver()
        if kernel is not None:
            rules = rules_module(source_of_rules(kernel), kernel.rules)
            self.choices, self.has_tiers = rules.choices, hasattr(rules, "tier")
            self.module: Any = build(SweepPlan(kernel))
            return
        plan = PlainSweepPlan(game, Samples(game))
        self.module = build(plan)
        constants, ranges = plan.program.constants, coding["ranges"]
        start = layout.CONSTANTS + len(constants)
        self._memory = memory = numpy.zeros(start + FREE_WORDS, numpy.int64)
        memory[layout.CONSTANTS : start] = constants
        memory[layout.FREE], memory[layout.END] = start, len(memory) - 64
        memory[layout.WORDS] = len(ranges)
        shift = _bits(ranges)
        for number, (low, high) in enumerate(ranges):
            bits = (high - low).bit_length()
            shift -= bits
            slot = layout.SLOTS + 4 * number
            memory[slot : slot + 4] = low, (1 << bits) - 1, 0, shift
            memory[layout.HISTORY + 2 * number : layout.HISTORY + 2 * number + 2] = low, high
        self._start = start

    def begin(self) -> int:
        """Return the code of the initial position."""
        if self.coding["kind"] == "numbers":
            numbers = numbers_of(self._game.initial())
            self._memory[layout.INPUT : layout.INPUT + len(numbers)] = numbers
        return int(self._run(self.module.begin, self._memory.ctypes.data))

    def expand(
        self, codes: Any, start: int, children: Any, fits: int, tiers: Any | None, parents: Any | None, results: Any
    ) -> int:
        """Write the children of the positions from `start` on, as `sweep.expand` says; return how many there are."""
        addresses = (0 if each is None else each.ctypes.data for each in (tiers, parents, results, self._memory))
        if self.coding["kind"] == "numbers":
            self._memory[layout.FREE] = self._start
        found = self._run(
            self.module.expand, codes.ctypes.data, start, len(codes), children.ctypes.data, fits, *addresses
        )
        return int(found)

    def _run(self, function: Any, *arguments: Any) -> Any:
        try:
            return function(*arguments)
        except (ValueError, ArithmeticError, LookupError, MemoryError) as error:
            raise BrokenGame(f"compiled, a function raises {type(error).__name__}: {error}") from None

    @property
    def wider(self) -> Coding | None:
        """The coding that has room for the numbers that did not fit so far; None if all of them did."""
        if self.coding["kind"] != "numbers" or not self._memory[layout.WIDEN]:
            return None
        count = 2 * len(self.coding["ranges"])
        seen = self._memory[layout.HISTORY : layout.HISTORY + count].tolist()
        return {**self.coding, "ranges": [seen[place : place + 2] for place in range(0, count, 2)]}

    def compare(self) -> None:
        """Raise BrokenGame if it does not say what the six functions do, in states of games played at random."""
        import numpy

        game, code = self._game, coding_of(self._game, self.coding)
        for state, _ in islice(random_games(game), COMPARED):
            mover, over = game.to_move(state), game.terminal(state)
            expected = [] if over else [game.result(state, action) for action in game.legal_actions(state)]
            room = len(expected) + self.choices
            children, parents, tiers = (numpy.zeros(room, numpy.int64) for _ in range(3))
            results = numpy.zeros(3, numpy.int64)
            codes = numpy.array([code(state)], numpy.int64)
            found = self.expand(codes, 0, children, room, tiers if self.has_tiers else None, parents, results)
            if self.wider is not None:
                return  # it begins again, with another coding
            same = [game.to_move(child) == mover for child in expected]
            known = sorted(zip(map(code, expected), same, strict=True))
            given = sorted(zip(children[:found].tolist(), [each == 1 for each in parents[:found].tolist()], strict=True))
            end = mover * game.utility(state) if over else GOES_ON
            if known != given or results[1] != end:
                raise BrokenGame(f"compiled, its rules say something else than in Python, in the state {state!r}")
