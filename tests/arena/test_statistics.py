"""The statistics of a match, against formulas that are written down again here, and against many simulated matches."""

from collections.abc import Sequence
from itertools import pairwise
from math import exp, inf, log, log10, sqrt
from random import Random
from statistics import NormalDist, fmean, pvariance

import pytest

from noughts.arena.statistics import SCORES, Pairs, Sprt, Tally, elo, expected_score
from noughts.errors import NoughtsError

COUNTS: list[Pairs] = [(1, 3, 10, 26, 10), (10, 26, 10, 3, 1), (0, 12, 11, 9, 11), (100, 300, 1000, 330, 110)]


def tally(pairs: Pairs) -> Tally:
    """Return a tally with these pairs; the games in it make no difference to the statistics."""
    return Tally(0, 2 * sum(pairs), 0, pairs)


def scores(pairs: Pairs) -> list[float]:
    """Return the score of each pair."""
    return [score for score, number in zip(SCORES, pairs, strict=True) for _ in range(number)]


def drawn(random: Random, chances: Sequence[float], number: int) -> Pairs:
    """Return the counts of so many random pairs."""
    found = random.choices(range(5), chances, k=number)
    return tuple(found.count(kind) for kind in range(5))  # type: ignore[return-value]


@pytest.mark.parametrize("pairs", COUNTS)
def test_the_published_formulas(pairs: Pairs) -> None:
    """Logistic Elo, the variance of pairs, the likelihood of superiority, and normalised Elo."""
    each = scores(pairs)
    mean, variance, number = fmean(each), pvariance(each), len(each)
    found = tally(pairs)
    assert found.score.value == pytest.approx(mean)
    assert found.elo.value == pytest.approx(-400 * log10(1 / mean - 1))
    assert found.superiority == pytest.approx(NormalDist(0.5, sqrt(variance / number)).cdf(mean))
    normalised = found.normalised_elo
    assert normalised is not None
    unit = 800 / log(10)
    assert normalised.value == pytest.approx((mean - 0.5) / sqrt(2 * variance) * unit)
    wide = NormalDist().inv_cdf(0.975) * sqrt(variance / number) / sqrt(2 * variance) * unit
    assert normalised.low == pytest.approx(normalised.value - wide)
    assert normalised.high == pytest.approx(normalised.value + wide)
    worst, bad, _, good, best = pairs
    assert found.pair_ratio == pytest.approx((good + best) / (worst + bad))


def test_known_numbers() -> None:
    """Worked out by hand: 3 of 4 points is 190.85 Elo; one pair lost and three won."""
    assert round(elo(0.75), 2) == 190.85
    assert expected_score(elo(0.75)) == pytest.approx(0.75)
    assert (elo(0.0), elo(0.5), elo(1.0)) == (-inf, 0.0, inf)
    found = tally((1, 0, 0, 0, 3))
    assert found.score.value == 0.75
    assert found.superiority == pytest.approx(NormalDist().cdf(0.25 / sqrt(0.1875 / 4)))


@pytest.mark.parametrize("pairs", COUNTS)
def test_the_other_side_sees_the_opposite(pairs: Pairs) -> None:
    one, other = tally(pairs), tally(pairs).reversed
    assert other.score.value == pytest.approx(1 - one.score.value)
    assert other.score.low == pytest.approx(1 - one.score.high)
    assert other.elo.high == pytest.approx(-one.elo.low)
    assert other.superiority == pytest.approx(1 - one.superiority)
    assert other.reversed == one


def fall(pairs: Pairs, mean: float) -> float:
    """Return by how much the logarithm of the likelihood falls, from a search of all chances of pairs with that mean.

    Only pairs of 0, 1 and 2 points may have occurred: chances of three kinds with a given mean are one number.
    """
    worst, _, even, _, best = pairs
    total = worst + even + best
    counts = (worst, even, best)

    def likelihood(chances: tuple[float, float, float]) -> float:
        return sum(
            number * log(chance) if chance > 0 else -inf
            for number, chance in zip(counts, chances, strict=True)
            if number
        )

    most = likelihood((worst / total, even / total, best / total))
    steps = 40_000
    tried = ((step / steps * 2 * min(mean, 1 - mean)) for step in range(steps + 1))
    return most - max(likelihood((1 - mean - half / 2, half, mean - half / 2)) for half in tried)


@pytest.mark.parametrize(
    "pairs", [(3, 0, 10, 0, 9), (0, 0, 10, 0, 0), (0, 0, 5, 0, 4), (2, 0, 0, 0, 7), (0, 0, 0, 0, 6)]
)
def test_the_interval_has_every_score_that_is_likely_enough(pairs: Pairs) -> None:
    """Its ends are where twice the fall of the logarithm of the likelihood is the 95 % quantile of its distribution."""
    score = tally(pairs).score
    limit = NormalDist().inv_cdf(0.975) ** 2 / 2
    assert 0 <= score.low <= score.value <= score.high <= 1
    for end in (score.low, score.high):
        if 1e-6 < end < 1 - 1e-6:
            assert fall(pairs, end) == pytest.approx(limit, abs=2e-3)
        else:
            assert score.value == pytest.approx(end), "a limit of 0 or 1 is the estimate itself"


def test_the_interval_of_matches_without_losses() -> None:
    """Six pairs won of six: the chance p of a won pair has a likelihood of p ** 6."""
    assert tally((0, 0, 0, 0, 6)).score.low == pytest.approx(exp(-(NormalDist().inv_cdf(0.975) ** 2) / 2 / 6))
    assert round(tally((0, 0, 0, 0, 6)).score.low, 2) == 0.73, "as docs/arena.md says"
    assert tally((0, 0, 0, 0, 6)).elo.high == inf
    assert tally((0, 0, 0, 0, 6)).normalised_elo is None
    assert 0.99 < tally((0, 0, 0, 0, 6)).superiority < 1
    assert tally((0, 0, 6, 0, 0)).superiority == 0.5
    assert tally((0, 0, 6, 0, 0)).pair_ratio is None
    assert tally((0, 0, 0, 0, 6)).pair_ratio == inf


@pytest.mark.parametrize(
    ("chances", "number"),
    [((0.05, 0.2, 0.4, 0.25, 0.1), 100), ((0.3, 0.1, 0.2, 0.1, 0.3), 50), ((0.0, 0.02, 0.08, 0.3, 0.6), 100)],
)
def test_95_percent_of_the_intervals_have_the_true_score(chances: tuple[float, ...], number: int) -> None:
    """Of 400 matches from a known distribution. 92 to 98 % is within 2.8 deviations of 95 %."""
    true = sum(chance * score for chance, score in zip(chances, SCORES, strict=True))
    hit = 0
    for seed in range(400):
        low, high = tally(drawn(Random(seed), chances, number)).score[1:]
        hit += low <= true <= high
    assert 0.92 <= hit / 400 <= 0.98


def test_superiority_is_uniform_between_equals() -> None:
    """Between equals, a likelihood of superiority below 0.1 has a chance of 0.1, and so on."""
    found = [tally(drawn(Random(seed), (0.1, 0.2, 0.4, 0.2, 0.1), 200)).superiority for seed in range(1000)]
    for limit in (0.1, 0.25, 0.5, 0.9):
        assert sum(each < limit for each in found) / 1000 == pytest.approx(limit, abs=0.05)


@pytest.mark.parametrize("pairs", [(40, 0, 0, 0, 60), (7, 0, 0, 0, 3), (0, 0, 0, 0, 9)])
def test_the_ratio_of_a_coin(pairs: Pairs) -> None:
    """If pairs are won or lost, the test is Wald's for a coin."""
    test = Sprt(0, 30)
    lost, *_, won = pairs
    low, high = expected_score(0), expected_score(30)
    assert test.ratio(pairs) == pytest.approx(won * log(high / low) + lost * log((1 - high) / (1 - low)))


@pytest.mark.parametrize("pairs", [(3, 0, 10, 0, 9), (0, 0, 10, 0, 4)])
def test_the_ratio_is_that_of_the_most_likely_chances(pairs: Pairs) -> None:
    test = Sprt(-10, 60)
    expected = fall(pairs, expected_score(-10)) - fall(pairs, expected_score(60))
    assert test.ratio(pairs) == pytest.approx(expected, abs=2e-3)


def test_the_ratio_of_many_pairs_is_near_its_usual_approximation() -> None:
    """(s1 - s0) * (2 * s - s0 - s1) * pairs / variance / 2, which holds where the scores differ by little."""
    for pairs in ((1000, 3000, 10000, 3300, 1100), (900, 2500, 9000, 2500, 900)):
        each = scores(pairs)
        low, high = expected_score(0), expected_score(5)
        near = (high - low) * (2 * fmean(each) - low - high) * len(each) / pvariance(each) / 2
        assert Sprt(0, 5).ratio(pairs) == pytest.approx(near, rel=0.02)


def test_the_test_errs_as_seldom_as_it_says() -> None:
    """Of 200 matches between equals no more than about 5 % are decided for `elo1`; likewise the other way round."""
    test = Sprt(0, 100)
    assert test.bounds == pytest.approx((-log(19), log(19)))

    def decided(chances: tuple[float, ...], seed: int) -> str:
        random, pairs = Random(seed), (0, 0, 0, 0, 0)
        while True:
            more = drawn(random, chances, 4)
            pairs = tuple(map(sum, zip(pairs, more, strict=True)))  # type: ignore[assignment]
            decision = test.decision(pairs)
            if decision is not None:
                return decision

    even = (0.1, 0.2, 0.4, 0.2, 0.1)
    score = expected_score(100)
    better = tuple(chance + shift for chance, shift in zip(even, (-0.07, -0.1, 0, 0.1, 0.07), strict=True))
    assert sum(chance * value for chance, value in zip(better, SCORES, strict=True)) == pytest.approx(score, abs=0.03)
    for chances, wrong in ((even, "elo1"), (better, "elo0")):
        assert sum(decided(chances, seed) == wrong for seed in range(200)) <= 200 * 0.09


@pytest.mark.parametrize("limits", [(10, 0), (0, 0), (0, inf), (float("nan"), 1)])
def test_a_test_needs_two_hypotheses(limits: tuple[float, float]) -> None:
    with pytest.raises(NoughtsError, match="two differences in Elo, the lower first"):
        Sprt(*limits).check()


def test_pairs_are_counted_by_their_points() -> None:
    kinds = [(0, 0), (0.5, 0), (0.5, 0.5), (1, 0), (0, 1), (1, 0.5), (1, 1)]
    found = [Tally.of_pair(*each).pairs.index(1) for each in kinds]
    assert found == [0, 1, 2, 2, 2, 3, 4]
    assert all(one <= other for one, other in pairwise(found))
    both = Tally.of_pair(1, 0.5) | Tally.of_pair(0, 0)
    assert both == Tally(1, 1, 2, (1, 0, 0, 1, 0))
    assert both.games == 4
