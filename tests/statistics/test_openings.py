"""Exact chances against those that others found, and against playing everything out by the players' own choices."""

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

import noughts
from noughts import MAX, MIN
from noughts.errors import EndlessGame
from noughts.players.textbook import Textbook
from noughts.search.limits import Limits
from noughts.statistics.openings import (
    RANDOM,
    Chances,
    Measure,
    Openings,
    Opponent,
    TooLarge,
    chances,
    claim_holds,
    openings,
)
from tests.helpers import altered

TENTH = Fraction(1, 10)


@pytest.fixture(scope="module")
def tic_tac_toe() -> Openings[int]:
    return openings(noughts.load("tic-tac-toe"))


def said(*fractions: str) -> Chances:
    return Chances(*map(Fraction, fractions))


@pytest.mark.parametrize(
    ("player", "measure", "expected"),
    [
        (MAX, Measure(False, RANDOM), said("737/1260", "8/63", "121/420")),
        (MIN, Measure(False, RANDOM), said("121/420", "8/63", "737/1260")),
        (MAX, Measure(True, RANDOM), said("75257/77760", "2503/77760", "0")),
        (MAX, Measure(True, RANDOM, "luckiest"), said("191/192", "1/192", "0")),
        (MAX, Measure(True, RANDOM, "unluckiest"), said("161/192", "31/192", "0")),
        (MIN, Measure(True, RANDOM, "luckiest"), said("866/945", "79/945", "0")),
        (MIN, Measure(True, RANDOM, "unluckiest"), said("542/945", "403/945", "0")),
    ],
)
def test_tic_tac_toe_as_known(player: int, measure: Measure, expected: Chances) -> None:
    assert chances(noughts.load("tic-tac-toe"), None, player, measure) == expected


def test_openings_are_grouped(tic_tac_toe: Openings[int]) -> None:
    assert [each.actions for each in tic_tac_toe.openings] == [(1, 3, 7, 9), (2, 4, 6, 8), (5,)]
    assert [(each.safe, each.replies) for each in tic_tac_toe.openings] == [(1, 8), (4, 8), (4, 8)]


def test_before_is_what_the_openings_come_to(tic_tac_toe: Openings[int]) -> None:
    at_random = Measure(False, RANDOM)
    wins = sum(len(each.actions) * each.chances[at_random].win for each in tic_tac_toe.openings) / 9
    assert tic_tac_toe.before[at_random].win == wins == Fraction(737, 1260)


@pytest.mark.parametrize(
    ("measure", "holds"),
    [
        (Measure(False, RANDOM), False),
        (Measure(True, RANDOM), True),
        (Measure(True, Opponent(TENTH, wilful=True)), False),
        (Measure(True, Opponent(TENTH, wilful=False)), False),
    ],
)
def test_corner_best_is_a_matter_of_the_opponent(tic_tac_toe: Openings[int], measure: Measure, holds: bool) -> None:
    assert claim_holds(noughts.load("tic-tac-toe"), tic_tac_toe, measure) is holds


def test_the_centre_is_best_against_someone_who_seldom_errs(tic_tac_toe: Openings[int]) -> None:
    for measure in (Measure(True, Opponent(TENTH, wilful)) for wilful in (True, False)):
        best = max(tic_tac_toe.openings, key=lambda each: each.chances[measure].win)
        assert best.actions == (5,)


def test_nobody_claimed_it_elsewhere() -> None:
    game = noughts.load("tic-tac-toe")
    for other, state in (
        (noughts.load("misere"), None),
        (noughts.load("connect:3x3,3"), None),
        (noughts.load("nim:2,3"), None),
        (game, noughts.replay(game, "5 1")),
    ):
        assert claim_holds(other, openings(other, state, rates=()), Measure(True, RANDOM)) is None


def test_chances_add_up_and_luck_bounds_them(tic_tac_toe: Openings[int]) -> None:
    for by_measure in (tic_tac_toe.before, *(each.chances for each in tic_tac_toe.openings)):
        assert all(sum(each) == 1 and min(each) >= 0 for each in by_measure.values())
        for measure, fared in by_measure.items():
            if measure.perfect:
                least, most = (by_measure[measure._replace(tie_break=luck)] for luck in ("unluckiest", "luckiest"))
                assert least.win <= fared.win <= most.win
                assert fared.loss == 0


def played_out(game: Any, state: Any, player: int, measure: Measure, perfect: Textbook[Any, Any]) -> Chances:
    """Return the chances by following what the perfect player and the levels may choose, one line after the other."""
    if game.terminal(state):
        won = player * game.utility(state)
        return Chances(Fraction(won > 0), Fraction(won == 0), Fraction(won < 0))

    def average(actions: Any) -> list[Fraction]:
        each = [played_out(game, game.result(state, action), player, measure, perfect) for action in actions]
        return [sum(values) / Fraction(len(each)) for values in zip(*each, strict=True)]

    if game.player(state) == player and not measure.perfect:
        return Chances(*average(game.actions(state)))
    judgement = perfect.judge(state)
    usual = average(judgement.choice)
    if game.player(state) == player:
        return Chances(*usual)
    rate, wilful = measure.opponent
    astray = judgement.mistakes if wilful else game.actions(state)
    if not astray:
        return Chances(*usual)
    return Chances(*(a * (1 - rate) + b * rate for a, b in zip(usual, average(astray), strict=True)))


@pytest.mark.parametrize(
    ("notation", "position"),
    [
        *(("tic-tac-toe", "1 5 9"), ("tic-tac-toe", "2 9 4 1"), ("misere", "1 5 2 8"), ("connect:3x3,3", "")),
        *(("nim:1,2,2", ""), ("wild", "5x 1o 9o 3x 7x"), ("mnk:3,2,2", "")),
    ],
)
@pytest.mark.parametrize("player", [MAX, MIN])
def test_the_same_as_played_out_by_the_players(notation: str, position: str, player: int) -> None:
    game = noughts.load(notation)
    state = noughts.replay(game, position)
    perfect: Textbook[Any, Any] = Textbook(game)
    for opponent in (RANDOM, Opponent(TENTH, True), Opponent(TENTH, False), Opponent(Fraction(1), True)):
        for measure in (Measure(False, opponent), Measure(True, opponent)):
            assert chances(game, state, player, measure) == played_out(game, state, player, measure, perfect)


def test_symmetry_changes_nothing_but_the_time(tic_tac_toe: Openings[int]) -> None:
    plain = openings(altered(noughts.load("tic-tac-toe"), ["key", "longest"]))
    assert len(plain.openings) == 9
    assert plain.before == tic_tac_toe.before
    assert plain.openings[0].chances == tic_tac_toe.openings[0].chances


def test_too_large_is_one_line() -> None:
    game = noughts.load("connect-four")
    with pytest.raises(TooLarge, match="more than 100 positions up to symmetry"):
        openings(game, limits=Limits(nodes=100))
    with pytest.raises(TooLarge, match=r"more than 0\.05 seconds"):
        openings(game, limits=Limits(seconds=0.05))
    with pytest.raises(TooLarge, match="stopped before it was done"):
        chances(game, None, MAX, Measure(True, RANDOM), limits=Limits(cancel=lambda: True))


def test_a_game_without_end_is_told() -> None:
    around = SimpleNamespace(
        initial=lambda: 0,
        player=lambda _: 1,
        actions=lambda _: [1, 2],
        result=lambda state, step: (state + step) % 5,
        terminal=lambda _: False,
        utility=lambda _: 0,
    )
    with pytest.raises(EndlessGame, match="no exact chances, since play can go on for ever"):
        openings(around)


def test_a_long_game_does_not_meet_a_limit_of_recursion() -> None:
    countdown = SimpleNamespace(
        initial=lambda: 20_000,
        player=lambda left: MAX if left % 2 == 0 else MIN,
        actions=lambda left: [1, 2] if left == 2 else [1],
        result=lambda left, taken: left - taken,
        terminal=lambda left: left == 0,
        utility=lambda _: -1,
    )
    found = openings(countdown, rates=())
    assert found.before[Measure(False, RANDOM)] == said("0", "0", "1")
