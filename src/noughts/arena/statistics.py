"""The statistics of a match: score with its interval, Elo, likelihood of superiority, a sequential test.

Games are counted in pairs: both games of a pair have the same opening, with the seats swapped. So a pair is worth 0,
0.5, 1, 1.5 or 2 points to the first player, and the counts of these five kinds (the pentanomial counts) are all that is
needed. Pairs do not depend on each other. The two games of a pair do: some openings are good for whoever begins.
docs/arena.md has the formulas.
"""

from collections.abc import Callable
from math import copysign, erf, exp, inf, isfinite, log, log10, sqrt
from typing import Literal, NamedTuple

from noughts.errors import NoughtsError

__all__ = ["NO_PAIRS", "SCORES", "Interval", "Pairs", "Sprt", "Tally", "elo", "expected_score"]

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""What the five kinds of pairs score: the points of both games, divided by two."""

NORMAL_95 = 1.959963984540054
"""95 % of a normal distribution are within so many standard deviations."""

ELO_UNIT = 400 / log(10)
"""Elo points of a factor of e in the odds."""

STEPS = 45
"""How often an interval is halved in search of a place."""

CLOSE = 1e-12
"""Two steps that are so close to each other have arrived."""

Pairs = tuple[int, int, int, int, int]
"""How many pairs scored 0, 0.5, 1, 1.5 and 2 points."""

NO_PAIRS: Pairs = (0, 0, 0, 0, 0)


class Interval(NamedTuple):
    """An estimate, and the limits of its 95 % confidence interval."""

    value: float
    low: float
    high: float


class Tally(NamedTuple):
    """What a player has reached against another one, or against several."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: Pairs = NO_PAIRS

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.wins + self.draws + self.losses

    def __or__(self, other: "Tally") -> "Tally":
        """Return both together."""
        pairs = tuple(one + another for one, another in zip(self.pairs, other.pairs, strict=True))
        results = (self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)
        return Tally(*results, pairs)  # type: ignore[arg-type]

    @property
    def reversed(self) -> "Tally":
        """The same games as the other side sees them."""
        worst, bad, even, good, best = self.pairs
        return Tally(self.losses, self.draws, self.wins, (best, good, even, bad, worst))

    @classmethod
    def of_pair(cls, first: float, second: float) -> "Tally":
        """Return the tally of one pair, whose two games gave these points: 1, 0.5 or 0.

        >>> Tally.of_pair(1, 0.5)
        Tally(wins=1, draws=1, losses=0, pairs=(0, 0, 0, 1, 0))
        """
        points = (first, second)
        kind = int(2 * sum(points))
        pairs: Pairs = tuple(int(kind == each) for each in range(5))  # type: ignore[assignment]
        return cls(points.count(1), points.count(0.5), points.count(0), pairs)

    @property
    def mean(self) -> float:
        """The mean score of a game, from 0 to 1."""
        return _mean(self.pairs)

    @property
    def score(self) -> Interval:
        """The mean score of a game, from 0 to 1, with the means that the pairs do not contradict.

        The interval has each mean whose likelihood ratio to the best one is not too small, as the test below has it. So
        it has a width also where all pairs ended alike, and never leaves 0 to 1.
        """
        mean = _mean(self.pairs)
        limit = NORMAL_95**2 / 2
        low = _where(lambda tried: _deficit(self.pairs, tried) > limit, 0.0, mean)
        high = _where(lambda tried: _deficit(self.pairs, tried) > limit, 1.0, mean)
        return Interval(mean, low, high)

    @property
    def elo(self) -> Interval:
        """The difference in Elo that the score means; infinite for 0 and 1."""
        return Interval(*map(elo, self.score))

    @property
    def superiority(self) -> float:
        """The likelihood of superiority: how likely it is that the player is better, by a normal distribution.

        Where all pairs ended alike, there is no deviation; then the likelihood ratio to a score of 0.5 takes its place.
        """
        gap = _mean(self.pairs) - 0.5
        deviation = sqrt(_variance(self.pairs) / max(1, sum(self.pairs)))
        errors = gap / deviation if deviation else copysign(sqrt(2 * _deficit(self.pairs, 0.5)), gap)
        return 0.5 * (1 + erf(errors / sqrt(2)))

    @property
    def normalised_elo(self) -> Interval | None:
        """The difference in standard deviations of a game; close to Elo where that is small and nobody draws.

        None where all pairs ended alike, so that there is no deviation.
        """
        deviation = sqrt(2 * _variance(self.pairs))
        if not deviation:
            return None
        value = (_mean(self.pairs) - 0.5) / deviation
        error = NORMAL_95 / sqrt(2 * sum(self.pairs))
        return Interval(*(2 * ELO_UNIT * each for each in (value, value - error, value + error)))

    @property
    def pair_ratio(self) -> float | None:
        """Pairs that were won for each that was lost; None if there is neither."""
        worst, bad, _, good, best = self.pairs
        if not worst + bad:
            return inf if good + best else None
        return (good + best) / (worst + bad)


def expected_score(difference: float) -> float:
    """Return the score that a player expects who is stronger by so many Elo points.

    >>> expected_score(0), round(expected_score(400), 4)
    (0.5, 0.9091)
    """
    return 1 / (1 + exp(-difference / ELO_UNIT))


def elo(score: float) -> float:
    """Return the difference in Elo that leads to a score.

    >>> round(elo(0.75), 2), elo(0), elo(1)
    (190.85, -inf, inf)
    """
    if not 0 < score < 1:
        return inf if score >= 1 else -inf
    return 400 * log10(score / (1 - score))


class Sprt(NamedTuple):
    """A sequential test of two hypotheses: the first player is stronger by `elo0`, or by `elo1`.

    It is the generalised sequential probability ratio test on pairs. The ratio compares the most likely chances of the
    five kinds of pairs that give the mean score of `elo1` with those that give the mean score of `elo0`.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    """The chance to accept `elo1` though `elo0` is true."""
    beta: float = 0.05
    """The chance to accept `elo0` though `elo1` is true."""

    def check(self) -> None:
        """Raise NoughtsError if there is nothing to test."""
        if not (isfinite(self.elo0) and isfinite(self.elo1) and self.elo0 < self.elo1):
            raise NoughtsError("a sequential test needs two differences in Elo, the lower first, as in 0,10")

    @property
    def bounds(self) -> tuple[float, float]:
        """At and below which ratio `elo0` is accepted, and at and above which `elo1`."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def ratio(self, pairs: Pairs) -> float:
        """Return the logarithm of the likelihood ratio."""
        return _deficit(pairs, expected_score(self.elo0)) - _deficit(pairs, expected_score(self.elo1))

    def decision(self, pairs: Pairs) -> Literal["elo0", "elo1"] | None:
        """Return which hypothesis is accepted; None if that is still open."""
        low, high = self.bounds
        ratio = self.ratio(pairs)
        return "elo0" if ratio <= low else "elo1" if ratio >= high else None


def _mean(pairs: Pairs) -> float:
    return sum(number * score for number, score in zip(pairs, SCORES, strict=True)) / max(1, sum(pairs))


def _variance(pairs: Pairs) -> float:
    mean = _mean(pairs)
    return sum(number * (score - mean) ** 2 for number, score in zip(pairs, SCORES, strict=True)) / max(1, sum(pairs))


def _deficit(pairs: Pairs, mean: float) -> float:
    """Return by how much the likelihood of the pairs falls, as a logarithm, if their mean score has to be this.

    The most likely chances with that mean are count / total / (1 + tilt * (score - mean)). The tilt maximises the sum
    of count * log(1 + tilt * (score - mean)), which is the result. No kind of pair may get a negative chance, so the
    tilt has limits; there, a kind that has not occurred gets what is left.
    """
    if not 0 < mean < 1:
        worst, *_, best = pairs
        return 0.0 if sum(pairs) == (worst if mean <= 0 else best) else inf
    seen = [(number, score - mean) for number, score in zip(pairs, SCORES, strict=True) if number]
    low, high, tilt = -1 / (1 - mean), 1 / mean, 0.0
    for _ in range(STEPS):  # Newton's method, with a step to the middle where it leaves the limits
        parts = [(number, gap / (1 + tilt * gap)) for number, gap in seen]
        slope = sum(number * part for number, part in parts)
        low, high = (tilt, high) if slope > 0 else (low, tilt)
        before, bend = tilt, sum(number * part * part for number, part in parts)
        tilt += slope / bend if bend else 0.0
        if not low < tilt < high:
            tilt = (low + high) / 2
        if abs(tilt - before) < CLOSE:
            break
    return sum(number * log(1 + tilt * gap) for number, gap in seen)


def _where(holds: Callable[[float], bool], start: float, end: float) -> float:
    """Return where a condition that holds from `start` on ceases to hold, between `start` and `end`."""
    for _ in range(STEPS):
        middle = (start + end) / 2
        if holds(middle):
            start = middle
        else:
            end = middle
    return (start + end) / 2
