"""Nim, against the rule that has been known since 1901."""

from functools import reduce
from itertools import combinations_with_replacement, permutations, product
from operator import xor

import pytest

import noughts
from noughts import MAX, MIN
from noughts.errors import BadPosition, IllegalAction
from noughts.games.nim import LARGEST_HEAP, MOST_HEAPS, Heaps, Nim, make
from noughts.search.memo import Memo
from noughts.testing import check_game
from tests.helpers import every_state, in_the_long_run, without_kernel

GAME = Nim((3, 4, 5))


def mover_wins(sizes: tuple[int, ...], misere: bool) -> bool:
    """Say who wins by Bouton's rule, which is no search."""
    if misere and max(sizes) <= 1:
        return sum(sizes) % 2 == 0
    return reduce(xor, sizes) != 0


def counted_by_hand(sizes: tuple[int, ...]) -> set[Heaps]:
    """Return what can be reached, ply by ply, with no use of the game."""
    found: set[Heaps] = set()
    now, mover = {sizes}, MAX
    while now:
        found |= {Heaps(heaps, mover) for heaps in now}
        now = {
            (*heaps[:place], left, *heaps[place + 1 :])
            for heaps in now
            for place, size in enumerate(heaps)
            for left in range(size)
        }
        mover = -mover
    return found


CHECKED = ("3,4,5", "3,4,5,misere", "1,2,3,2", "1,2,1,2,1", "1", "7", "1,misere")


@pytest.mark.parametrize("arguments", CHECKED)
def test_the_checker_finds_nothing(arguments: str) -> None:
    report = check_game(without_kernel(make(arguments)))
    assert report.ok, report
    assert report.complete


@pytest.mark.parametrize("arguments", in_the_long_run(CHECKED, all_but=["3,4,5"]))
def test_the_checker_finds_nothing_in_the_kernel(arguments: str) -> None:
    """Each takes seconds to compile."""
    report = check_game(make(arguments))
    assert report.ok, report
    assert report.complete


@pytest.mark.parametrize("sizes", [(3, 4, 5), (1,), (1, 1, 1), (2, 3)])
def test_positions(sizes: tuple[int, ...]) -> None:
    states = every_state(Nim(sizes))
    assert len(states) == len(set(states))
    assert set(states) == counted_by_hand(sizes)


def test_number_of_positions() -> None:
    """Of 4 * 5 * 6 heaps with either player to move, 8 are out of step: up to one stone gone from each heap."""
    assert len(every_state(GAME)) == 4 * 5 * 6 * 2 - 8 == 232


@pytest.mark.parametrize("misere", [False, True])
def test_every_position_of_every_small_nim_follows_the_rule(misere: bool) -> None:
    small = [sizes for heaps in (1, 2, 3) for sizes in combinations_with_replacement(range(1, 5), heaps)]
    assert len(small) == 34
    for sizes in [*small, (1, 2, 3, 4), (1, 1, 1, 1, 2)]:
        game = Nim(sizes, misere)
        memo = Memo(game)
        for state in every_state(game):
            assert memo.value(state).value == ("win" if mover_wins(state.sizes, misere) else "loss"), (state, misere)


def test_the_classic_opening() -> None:
    answer = noughts.analyse(GAME)
    assert answer.proven
    assert (answer.value, answer.best) == ("win", ("a2",))


def test_who_takes_the_last_stone_wins_or_loses() -> None:
    normal, misere = Nim((1, 1)), Nim((1, 1), misere=True)
    assert [normal.utility(noughts.replay(normal, "a1 b1")), misere.utility(noughts.replay(misere, "a1 b1"))] == [-1, 1]
    assert (normal.misere, misere.misere) == (False, True)


def test_symmetries_are_every_order_of_few_heaps() -> None:
    for state in every_state(GAME):
        expected = {Heaps(order, state.mover) for order in permutations(state.sizes)}
        assert set(GAME.symmetries(state)) == expected
        assert GAME.canonical(state) == min(expected, key=GAME.key)


def test_symmetries_are_the_rotations_of_many_heaps() -> None:
    many = Nim((1, 2, 3, 4, 5))
    assert [image.sizes for image in many.symmetries(many.initial())] == [
        (1, 2, 3, 4, 5),
        (2, 3, 4, 5, 1),
        (3, 4, 5, 1, 2),
        (4, 5, 1, 2, 3),
        (5, 1, 2, 3, 4),
    ]


def test_drawings_and_diagrams_of_all_positions_are_read_back() -> None:
    for game in (GAME, Nim((2,)), Nim((12, 1))):
        for state in every_state(game):
            assert game.parse(game.diagram(state)) == game.parse(game.draw(state)) == state
            assert noughts.replay(game, game.diagram(state)) == noughts.replay(game, game.draw(state)) == state


@pytest.mark.parametrize("sizes", [(3, 4, 5), (1, 1, 1), (2, 1)])
def test_exactly_the_reachable_positions_are_read(sizes: tuple[int, ...]) -> None:
    game = Nim(sizes)
    reachable = counted_by_hand(sizes)
    for heaps in product(*(range(size + 2) for size in sizes)):
        for mover, word in ((MAX, "first"), (MIN, "second")):
            diagram = "/".join([*map(str, heaps), word])
            if Heaps(heaps, mover) in reachable:
                assert game.parse(diagram) == Heaps(heaps, mover)
            else:
                with pytest.raises(BadPosition, match=r"none can grow|turn after"):
                    game.parse(diagram)


def test_the_drawing() -> None:
    assert GAME.draw(noughts.replay(GAME, "a3 c1 b3")).splitlines() == ["a 0", "b 1 *", "c 4 ****", "Second to move"]


@pytest.mark.parametrize(
    ("diagram", "complaint"),
    [
        ("", "ends with whose turn it is"),
        ("3/4/5", "ends with whose turn it is"),
        ("3/4/5/third", "ends with whose turn it is"),
        ("3/4/first", "this game has 3 heaps"),
        ("3/4/5/5/first", "this game has 3 heaps"),
        ("3/x/5/second", "'x' is not a heap"),
        ("3/-1/5/second", "'-1' is not a heap"),
        ("3/4/555/second", "'555' is not a heap"),
        ("b 3/4/5/first", "'b 3' stands where heap a should"),
        ("a 3 **/4/5/first", "says 3 and shows 2"),
        ("3/5/5/second", "began as 3/4/5, and none can grow"),
        ("3/4/5/second", "not Second's turn after 0 actions"),
        ("2/3/5/second", "not Second's turn after 2 actions"),
        ("2/4/5/first", "not First's turn after 1 action:"),
    ],
)
def test_bad_diagrams_get_one_clear_line(diagram: str, complaint: str) -> None:
    with pytest.raises(BadPosition, match=complaint) as caught:
        GAME.parse(diagram)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("action", ["a0", "d1", "z1", "A1", "a", "a100", "2", "", 2, None, ["a1"]])
def test_no_such_action(action: str) -> None:
    with pytest.raises(IllegalAction, match="is not an action in 3/4/5/first") as caught:
        GAME.result(GAME.initial(), action)
    assert repr(action) in str(caught.value)


def test_more_than_the_heap_holds() -> None:
    with pytest.raises(IllegalAction, match="b3 cannot be played: heap b holds 2 in 3/2/5/second"):
        GAME.result(noughts.replay(GAME, "b2"), "b3")


def test_nothing_can_be_played_after_the_end() -> None:
    ended = noughts.replay(GAME, "a3 b4 c5")
    assert GAME.actions(ended) == []
    with pytest.raises(IllegalAction, match="a1 cannot be played: the game is over in 0/0/0/second"):
        GAME.result(ended, "a1")


def test_what_it_prefers() -> None:
    assert GAME.preferred[:5] == ("a1", "b1", "c1", "a2", "b2")
    assert sorted(GAME.preferred) == GAME.actions(GAME.initial())
    assert [GAME.action_name(action) for action in GAME.preferred] == list(GAME.preferred)


def test_the_largest_nim_can_be_played() -> None:
    largest = Nim((LARGEST_HEAP,) * MOST_HEAPS)
    state = largest.result(largest.initial(), "i99")
    assert (state.sizes[-1], largest.longest, len(largest.actions(state))) == (0, 891, 8 * 99)
    assert largest.parse(largest.draw(state)) == state


@pytest.mark.parametrize(
    ("arguments", "sizes", "misere"),
    [
        ("3,4,5", (3, 4, 5), False),
        ("3,4,5,misere", (3, 4, 5), True),
        (" 1 , 2 ,misère", (1, 2), True),
        ("99", (99,), False),
        ("1,2,3,4,5,6,7,8,9", (1, 2, 3, 4, 5, 6, 7, 8, 9), False),
    ],
)
def test_make(arguments: str, sizes: tuple[int, ...], misere: bool) -> None:
    game = make(arguments)
    assert (game.initial(), game.misere) == (Heaps(sizes, MAX), misere)
    assert game.title.startswith("Misère" if misere else "Nim")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("", "say how many stones"),
        ("misere", "say how many stones"),
        (",", "say how many stones"),
        ("3,,5", "'' is not a number of stones"),
        ("3,x", "'x' is not a number of stones"),
        ("3,-4", "'-4' is not a number of stones"),
        ("3,²", "'²' is not a number of stones"),
        ("misere,3", "'misere' is not a number of stones"),
        ("3,0", "1 to 99 stones"),
        ("100", "1 to 99 stones"),
        ("9" * 5000, "1 to 99 stones"),
        ("1,1,1,1,1,1,1,1,1,1", "1 to 9 heaps, not 10"),
    ],
)
def test_make_refuses(arguments: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint) as caught:
        make(arguments)
    assert len(str(caught.value)) < 80


def test_so_does_the_class() -> None:
    with pytest.raises(ValueError, match="1 to 9 heaps, not 0"):
        Nim(())
