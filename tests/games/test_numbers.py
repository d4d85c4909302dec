"""Trees of numbers: read as they are written, and played like any other game."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import noughts
from noughts.errors import IllegalAction, NoughtsError
from noughts.games.numbers import Numbers, make
from noughts.notation import normalised

TREES: Any = st.recursive(
    st.integers(-99, 99), lambda below: st.lists(below, min_size=1, max_size=3).map(tuple), max_leaves=12
).filter(lambda tree: isinstance(tree, tuple))


def written(tree: Any) -> str:
    return str(tree) if isinstance(tree, int) else f"({' '.join(map(written, tree))})"


def value(tree: Any, mover: int) -> int:
    """Return the value of a tree, by its definition."""
    if isinstance(tree, int):
        return tree
    return mover * max(mover * value(branch, -mover) for branch in tree)


@given(TREES, st.sampled_from([1, -1]))
def test_a_tree_is_worth_what_its_definition_says(tree: Any, first: int) -> None:
    """Written, read in any spelling, and valued by three searches."""
    text = f"numbers:{'max' if first > 0 else 'min'} {written(tree)}"
    game = noughts.load(text)
    assert game is noughts.load(normalised(text))
    assert isinstance(game, Numbers)
    assert (game.tree, game.first) == (tree, first)
    worth = value(tree, first)
    for search in (noughts.minimax, noughts.alphabeta, noughts.value):
        answer = search(game)
        sign = {"win": first, "draw": 0, "loss": -first}[answer.value]
        assert (worth > 0) - (worth < 0) == sign
        assert answer.margin is None or abs(answer.margin) == abs(worth)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "a tree begins with a bracket"),
        ("3", "a tree begins with a bracket"),
        ("((3 12)", "a ) is missing"),
        ("(3 12))", "the tree ends before ')'"),
        ("(3 ())", "there is nothing between ( and )"),
        ("(3 x)", "'x' is not a whole number from -999 to 999"),
        ("(3 1000)", "'1000' is not a whole number"),
        ("(3.5 2)", "'3.5' is not a whole number"),
        ("(" * 30 + "1" + ")" * 30, "a tree is at most 20 branches deep"),
        (f"({'1 ' * 5_000})", "a tree has at most 2,000 nodes"),
    ],
)
def test_a_tree_that_cannot_be_read_is_told_in_a_line(text: str, problem: str) -> None:
    with pytest.raises(NoughtsError) as raised:
        noughts.load(f"numbers:{text}")
    assert problem in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_branch_that_is_not_there_is_refused() -> None:
    game = make("((1 2) 3)")
    with pytest.raises(IllegalAction, match="3 is not a branch of"):
        game.result(game.initial(), 3)
    with pytest.raises(IllegalAction):
        game.result(noughts.replay(game, "2"), 1)


def test_spellings_of_one_tree_are_one_game() -> None:
    spellings = ("numbers:((3 12) (8 -2))", "NUMBERS:((3,12),(8,-2))", "numbers: (( 3  12 )( 8 -2 ))")
    assert len({id(noughts.load(each)) for each in spellings[:2]}) == 1
    assert [make(each.partition(":")[2]).tree for each in spellings] == [((3, 12), (8, -2))] * 3


def test_numbers_keep_their_zeros() -> None:
    """Leading zeros are left out of a notation, others are not: nim with 105 stones is not nim with 15."""
    assert normalised("numbers:((100 5) (05 30))") == "numbers:((100,5),(5,30))"
    assert noughts.load("nim:15") is noughts.load("nim:015")
    with pytest.raises(NoughtsError):
        noughts.load("nim:105")
