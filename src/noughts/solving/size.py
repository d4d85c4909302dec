"""How many positions a game has: counted where it is small, estimated with an interval where it is large."""

from collections.abc import Callable, Hashable
from math import exp, log, sqrt
from random import Random
from statistics import fmean, variance
from time import perf_counter
from typing import Any, NamedTuple

from noughts.capabilities import ResolvedGame
from noughts.solving.first_tiers import FirstTiers, TierSize, first_tiers, identity_of
from noughts.solving.sampling import Climb, Climber
from noughts.solving.take_back import NoTakingBack, TakeBack

__all__ = ["Effort", "Range", "Size", "rough_size", "size_of"]

STUDENT = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13, 2.12)
"""What Student's distribution has 95 % within, by degrees of freedom from 1 on."""

WIDENED = 1.2
"""How much wider intervals are than that: small populations of tall games show too little of their spread."""

GAMES, PLIES = 200, 400
"""How many games are played at random to learn what actions change, and up to which ply."""

MOST_EXAMPLES = 60_000
"""How many examples of what actions change are learnt from, about."""

LEAST = 5
"""How many populations there are at least: the interval comes from how they differ."""

ROUGHLY = 2_000
"""How many positions are counted for a rough estimate, about."""

TRUSTED = 0.5
"""How large a share of parents may be missed, added up over the tiers, before an estimate is only an upper limit."""


class Effort(NamedTuple):
    """How much is done for an estimate."""

    seconds: float | None = 10.0
    """About how long it takes; None: as many populations of the same size as said, however long they take."""
    counted: int = 20_000
    """How many positions are counted before others are sampled, about."""
    populations: int = 8
    size: int = 24
    """How many positions a population has, if there is no time limit."""
    seed: int = 0


class Range(NamedTuple):
    """A number that is not known exactly."""

    low: float
    likely: float | None
    """None if only limits are known."""
    high: float | None
    """None if there is no upper limit."""

    def plus(self, number: float) -> "Range":
        """Return the range with a number added."""
        return Range(
            self.low + number,
            None if self.likely is None else self.likely + number,
            None if self.high is None else self.high + number,
        )

    def times(self, least: float, likely: float, most: float) -> "Range":
        """Return the range multiplied by another one."""
        return Range(
            self.low * least,
            None if self.likely is None else self.likely * likely,
            None if self.high is None else self.high * most,
        )


class Size(NamedTuple):
    """How many positions a game has."""

    exact: bool
    ordered: bool
    """Whether every action raises the tier; else positions repeat, or are met at several depths."""
    positions: Range | None
    """None if the game does not say which states are symmetric, but only which key they share."""
    stored: Range
    """Positions up to symmetry: with a probability of about 95 % within the range, if it is not exact."""
    tiers: tuple[TierSize, ...]
    counted: int
    """How many of the tiers were counted completely; the others are estimates."""
    populations: int

    @property
    def widest(self) -> float:
        """The most positions of a tier that are stored, as far as is known."""
        return max(each.stored for each in self.tiers)


def size_of(
    game: ResolvedGame[Any, Any],
    effort: Effort,
    check: Callable[[], None] = lambda: None,
    tell: Callable[[str], None] = lambda _: None,
) -> Size:
    """Return how many positions a game has."""
    started = perf_counter()

    def left() -> float:
        return 1e9 if effort.seconds is None else effort.seconds - (perf_counter() - started)

    tell("counting positions")
    share = 0.0 if effort.seconds is None else 0.7 * effort.seconds
    first = first_tiers(game, effort.counted, check, lambda: left() < share)
    if first.complete:
        return _counted(first)
    try:
        back = _learnt(game, first, Random(effort.seed), check)
    except NoTakingBack:
        return _at_least(first)
    except _MetAgain:  # such a game can only be counted
        first = first_tiers(game, 50 * effort.counted, check, lambda: left() <= 0)._replace(ordered=False)
        return _counted(first) if first.complete else _at_least(first)
    climber, found = Climber(game, first, back), list[Climb]()
    size = effort.size if effort.seconds is None else 4
    most = effort.populations if effort.seconds is None else 200
    while len(found) < LEAST or (len(found) < most and left() > 0):
        number = len(found)
        tell(f"sampling positions: population {number + 1}")
        before = perf_counter()
        try:
            climb = climber.climb(size, Random(f"{effort.seed} {number}"), check)
        except NoTakingBack:
            return _at_least(first)
        took = perf_counter() - before
        if effort.seconds is not None and number == 0:  # the first one shows how large the others may be
            size = max(4, min(200, int(size * left() / LEAST / 2 / max(took, 1e-6))))
        found.append(climb)
    return _estimated(first, found)


def rough_size(game: ResolvedGame[Any, Any], most: float, check: Callable[[], None] = lambda: None) -> float:
    """Return about how many positions are stored, within a factor of 20 perhaps; 0 if nothing is known.

    If there are more than `most`, it says no more than that.
    """
    first = first_tiers(game, ROUGHLY, check)
    if first.complete:
        return sum(each.stored for each in first.tiers)
    base = float(first.met)
    try:
        climber = Climber(game, first, _learnt(game, first, Random(0), check))
        for number in range(2 if base <= most else 0):
            found = climber.climb(4, Random(number), check, most)
            base = max(base, sum(each.stored for each in found.tiers))
    except NoTakingBack:
        return base
    except _MetAgain:
        return 0.0
    return base


class _MetAgain(Exception):
    """A position was met at two depths, so that the tiers of a game are not in order."""


def _learnt(game: ResolvedGame[Any, Any], first: FirstTiers, random: Random, check: Callable[[], None]) -> TakeBack:
    """Return what takes actions back: it has learnt from the first tiers, and from games played at random.

    Raises _MetAgain if the tiers or those games show that plies from the start are no tiers.
    """
    if not first.ordered:
        raise _MetAgain
    states, edges = [], list(first.edges)
    identity, told = identity_of(game), game.tier or game.plies
    depths: dict[Hashable, int] = {}
    for _ in range(GAMES):
        state = game.initial()
        for ply in range(PLIES):
            check()
            states.append(state)
            if told is None and depths.setdefault(identity(state), ply) != ply:
                raise _MetAgain
            if game.terminal(state):
                break
            found = [(state, action, game.result(state, action)) for action in game.legal_actions(state)]
            edges += found
            state = random.choice(found)[2]
        if len(edges) > MOST_EXAMPLES:
            break
    back = TakeBack(game, first, states)
    for edge in edges:
        back.learn(*edge)
    return back


def _counted(first: FirstTiers) -> Size:
    """Return the size of a game of which every position was found."""
    stored = sum(each.stored for each in first.tiers)
    return Size(True, first.ordered, _sum(first, 1), Range(stored, stored, stored), first.tiers, len(first.tiers), 0)


def _sum(first: FirstTiers, rest: float | None) -> Range | None:
    """Return the positions of the first tiers as a range; up to so many times as many."""
    if any(each.positions is None for each in first.tiers):
        return None
    total = sum(each.positions or 0 for each in first.tiers)
    return Range(total, total if rest else None, total * rest if rest else None)


def _at_least(first: FirstTiers) -> Size:
    """Return the size of a game of which nothing is known but what was counted."""
    stored = sum(each.stored for each in first.tiers)
    return Size(False, first.ordered, _sum(first, None), Range(stored, None, None), first.tiers, len(first.tiers), 0)


def _estimated(first: FirstTiers, found: list[Climb]) -> Size:
    """Return the size of a game from what several populations found."""
    missed = fmean(climb.missed for climb in found[len(found) // 2 :])
    stored, positions = (
        [sum(getattr(each, name) or 0 for each in climb.tiers) for climb in found] for name in ("stored", "positions")
    )
    base = _at_least(first)
    numbers = sorted({each.tier for climb in found for each in climb.tiers})
    tiers = [*first.tiers]
    for number in numbers:
        same = [each for climb in found for each in climb.tiers if each.tier == number]
        mean = sum(each.stored for each in same) / len(found)
        whole = None if same[0].positions is None else sum(each.positions or 0 for each in same) / len(found)
        tiers.append(TierSize(number, whole, mean))
    return Size(
        False,
        True,
        None if base.positions is None else _interval(positions, base.positions.low, missed),
        _interval(stored, base.stored.low, missed),
        tuple(tiers),
        len(first.tiers),
        len(found),
    )


def _interval(sampled: list[float], counted: float, missed: float) -> Range:
    """Return the mean and the 95 % interval of what was sampled, by Cox's method for products of chance, and counted.

    A missed parent makes the estimate too large, never too small: that lowers the lower limit.
    """
    logs = [log(max(each, 1)) for each in sampled]
    spread, number = variance(logs), len(logs)
    middle = fmean(logs) + spread / 2
    wide = (
        WIDENED
        * STUDENT[min(number - 2, len(STUDENT) - 1)]
        * sqrt(spread / number + spread * spread / (2 * (number - 1)))
    )
    likely, high = counted + exp(middle), counted + exp(middle + wide)
    if missed >= TRUSTED:
        return Range(counted, None, high)
    return Range(counted + exp(middle - wide - missed), likely, high)
