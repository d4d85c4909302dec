import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.errors import BrokenGame
from noughts.score import Scale, one_ply_later, value_of, whole_utility

utilities = st.integers(-50, 50)
plies = st.integers(0, 100)
SCALE = Scale(longest=100)


@given(utilities, plies)
def test_a_score_gives_back_its_utility_and_distance(utility: int, distance: int) -> None:
    score = SCALE.score(utility, distance)
    assert SCALE.utility(score) == utility
    assert SCALE.distance(score) == (distance if utility else None)


@given(utilities, plies, utilities, plies)
def test_value_comes_first_and_distance_second(one: int, near: int, other: int, far: int) -> None:
    def rank(utility: int, distance: int) -> tuple[int, int]:
        return utility, -distance if utility > 0 else distance if utility < 0 else 0

    assert (SCALE.score(one, near) < SCALE.score(other, far)) == (rank(one, near) < rank(other, far))


@given(utilities, st.integers(0, 99))
def test_one_ply_later_adds_one_to_the_distance_and_commutes_with_changing_sides(utility: int, distance: int) -> None:
    score = SCALE.score(utility, distance)
    assert one_ply_later(score) == SCALE.score(utility, distance + 1)
    assert one_ply_later(-score) == -one_ply_later(score)


def test_a_tic_tac_toe_win_scores_ten_less_its_plies() -> None:
    assert [Scale(9).score(1, plies) for plies in (0, 1, 5)] == [10, 9, 5]


def test_values_are_named() -> None:
    assert [value_of(score) for score in (3, 0, -3, None)] == ["win", "draw", "loss", "unknown"]


@pytest.mark.parametrize("wrong", [0.5, "1", None])
def test_a_utility_must_be_whole(wrong: object) -> None:
    with pytest.raises(BrokenGame, match="whole number"):
        whole_utility(wrong)
