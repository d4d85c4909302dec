from collections import deque
from copy import deepcopy
from typing import Any

import pytest

import noughts
from noughts.capabilities import CAPABILITIES, ResolvedGame, default_draw, resolve
from noughts.errors import BrokenGame
from noughts.game import FUNCTIONS
from noughts.games.lines import LineGame
from noughts.keys import contents, default_key
from tests.helpers import altered


class Plain:
    def __init__(self, cells: list[int]) -> None:
        self.cells = cells


class Slotted:
    __slots__ = ("cells",)

    def __init__(self, cells: list[int]) -> None:
        self.cells = cells


class Array:
    """Stands for an array of another package: unhashable, compares element by element."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, *cells: int) -> None:
        self._cells = cells

    def tolist(self) -> list[int]:
        return list(self._cells)


@pytest.mark.parametrize("make", [Plain, Slotted, list, lambda cells: {"a": set(cells)}, lambda cells: Array(*cells)])
def test_equal_contents_have_equal_keys_and_others_have_not(make: Any) -> None:
    assert default_key(make([1, 2])) == default_key(make([1, 2]))
    assert default_key(make([1, 2])) != default_key(make([1, 3]))
    hash(default_key(make([1, 2])))


def test_a_state_that_is_its_own_game_is_told_apart_by_what_it_holds() -> None:
    """What is kept with a game is no part of a state, though both may be one object."""

    class Countdown:
        def __init__(self, left: int = 4, turn: int = 1) -> None:
            self.left, self.turn = left, turn

        def initial(self) -> "Countdown":
            return self

        def player(self, state: "Countdown") -> int:
            return state.turn

        def actions(self, state: "Countdown") -> list[int]:
            return [1, 2][: state.left]

        def result(self, state: "Countdown", action: int) -> "Countdown":
            child = deepcopy(state)
            child.left, child.turn = state.left - action, -state.turn
            return child

        def terminal(self, state: "Countdown") -> bool:
            return state.left == 0

        def utility(self, state: "Countdown") -> int:
            return -state.turn

    game = Countdown()
    fresh = default_key(game)
    answer = noughts.analyse(game)
    assert (answer.value, answer.distance, answer.best) == ("win", 3, (1,))
    assert default_key(game) == fresh == default_key(deepcopy(game)) == default_key(Countdown())
    assert vars(deepcopy(game)) == vars(game)
    assert noughts.analyse(game).nodes == 0, "it is known by then"


class WithSlotsBelow(Slotted):
    """Has both a __dict__ and the slots of its base."""

    def __init__(self, cells: list[int]) -> None:
        super().__init__(cells)
        self.note = "same"


class Board(list[int]):
    """A list with an attribute of its own."""

    turn = 0


def test_keys_of_unusual_containers() -> None:
    assert contents(WithSlotsBelow([1])) != contents(WithSlotsBelow([2]))
    one, other = Board([1]), Board([1])
    assert contents(one) == contents(other)
    other.turn = 1
    assert contents(one) != contents(other)
    assert contents(deque([1])) != contents(deque([2]))
    knot: list[object] = [1]
    knot.append(knot)
    assert contents(knot) == contents(knot)


def test_a_plain_object_inside_a_tuple_counts_by_its_contents() -> None:
    assert default_key((Plain([1]), 1)) == default_key((Plain([1]), 1))
    assert default_key((Plain([1]), 1)) != default_key((Plain([2]), 1))


def test_hashable_states_are_their_own_key() -> None:
    assert default_key((1, "a")) == (1, "a")
    assert default_key("board") == "board"


def test_contents_see_a_change_inside() -> None:
    state = ([1], {"k": [2]})
    before = contents(state)
    state[1]["k"].append(3)
    assert contents(state) != before


def test_what_cannot_be_hashed_is_said() -> None:
    class Odd:
        __slots__ = ()
        __hash__ = None  # type: ignore[assignment]

    with pytest.raises(BrokenGame, match="offer a function key"):
        default_key(Odd())


def test_default_drawings() -> None:
    assert default_draw((("X", " "), (None, 10))) == "X  .\n.  10"
    assert default_draw((3, 1)) == "(3, 1)"
    assert default_draw("X.O") == "X.O"


def test_defaults(game: LineGame) -> None:
    offers = resolve(altered(game))
    assert (offers.title, offers.marks, offers.symmetries, offers.parse, offers.board) == (None,) * 5
    assert offers.scale.longest == 999_999
    assert offers.utility_range == (-1, 1)
    assert not offers.misere


@pytest.mark.parametrize(
    "wrong",
    [
        {"title": 3},
        {"marks": ("X",)},
        {"longest": 0},
        {"utility_range": ("a", "b")},
        {"misere": "yes"},
        {"key": 7},
        {"preferred": 3},
    ],
)
def test_capabilities_of_the_wrong_kind_are_named(game: LineGame, wrong: dict[str, Any]) -> None:
    with pytest.raises(BrokenGame, match=next(iter(wrong))):
        resolve(altered(game, **wrong))


def test_drawings_and_names_must_be_text(game: LineGame) -> None:
    offers = resolve(altered(game, draw=lambda _: None, action_name=lambda _: 3))
    with pytest.raises(BrokenGame, match=r"draw\(\) returned None"):
        offers.draw(game.initial())
    with pytest.raises(BrokenGame, match=r"action_name\(\) returned 3"):
        offers.action_name(1)


def test_a_capability_is_found_on_anything_with_attributes(game: LineGame) -> None:
    assert resolve(altered(game, longest=4)).scale.longest == 4


def test_the_table_names_every_field_of_a_resolved_game() -> None:
    """What a game may offer, what is looked up and what mypy knows are one list."""
    names = [each.name for each in CAPABILITIES]
    assert len(set(names)) == len(names)
    assert set(ResolvedGame._fields) == {*FUNCTIONS, *names, "game", "scale"}


def test_a_resolved_game_is_a_game_and_resolves_to_itself(game: LineGame) -> None:
    resolved = resolve(game)
    assert resolve(resolved) is resolved
    assert noughts.minimax(resolved, noughts.replay(game, "5 1 3")).best == (7,)
