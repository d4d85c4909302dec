"""The oracle itself, against figures from outside."""

from collections import Counter
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import noughts
from noughts import MAX, MIN
from noughts.errors import BrokenGame, EndlessGame
from noughts.games.lines import LineGame, Marks
from noughts.search.answer import Answer
from noughts.search.memo import Memo
from tests.helpers import altered


def test_the_whole_tree_has_549946_nodes(oracle: dict[Marks, Answer[int]], game: LineGame) -> None:
    answer = oracle[game.initial()]
    assert answer.nodes == 549_946
    assert (answer.value, answer.distance, answer.best) == ("draw", None, tuple(range(1, 10)))


@pytest.mark.parametrize(("cell", "nodes"), [(1, 59_705), (2, 63_905), (5, 55_505)])
def test_nodes_after_a_corner_an_edge_and_the_centre(
    oracle: dict[Marks, Answer[int]], game: LineGame, cell: int, nodes: int
) -> None:
    assert oracle[noughts.replay(game, [cell])].nodes == nodes


def test_values_of_all_positions(oracle: dict[Marks, Answer[int]], game: LineGame) -> None:
    sign = {"win": 1, "draw": 0, "loss": -1}
    values = Counter(game.player(state) * sign[answer.value] for state, answer in oracle.items())
    assert values == {MAX: 2936, MIN: 1474, 0: 1068}


def test_distances_of_all_positions(oracle: dict[Marks, Answer[int]], game: LineGame) -> None:
    won = Counter(answer.distance for answer in oracle.values() if answer.value == "win")
    lost = Counter(answer.distance for answer in oracle.values() if answer.value == "loss")
    assert won == {1: 2358, 3: 356, 5: 122}
    assert lost == {0: 942, 2: 508, 4: 124}


def test_drawing_replies_to_each_opening(oracle: dict[Marks, Answer[int]], game: LineGame) -> None:
    replies = {cell: oracle[noughts.replay(game, [cell])].best for cell in (1, 2, 5)}
    assert replies == {1: (5,), 2: (1, 3, 5, 8), 5: (1, 3, 7, 9)}


def test_every_answer_is_consistent(oracle: dict[Marks, Answer[int]], game: LineGame) -> None:
    for state, answer in oracle.items():
        assert answer.proven
        assert answer.stopped == "done"
        assert [each.action for each in answer.actions] == game.actions(state)
        assert answer.best == tuple(
            each.action for each in answer.actions if (each.value, each.distance) == (answer.value, answer.distance)
        )
        assert answer.line[:1] == answer.best[:1]
        end = state
        for action in answer.line:
            end = game.result(end, action)
        assert game.terminal(end)
        assert game.player(state) * game.utility(end) == answer.margin
        if answer.distance is not None:
            assert len(answer.line) == answer.distance


def test_a_finished_game_has_no_actions_and_distance_nought(game: LineGame) -> None:
    answer = noughts.minimax(game, noughts.replay(game, "1 4 2 5 3"))
    assert (answer.value, answer.distance, answer.best, answer.line, answer.nodes) == ("loss", 0, (), (), 1)


def test_a_player_may_move_twice() -> None:
    """MAX moves twice, then MIN once: negation by ply parity would get this wrong."""
    tree: dict[str, list[str]] = {"": ["a", "b"], "a": ["aa", "ab"], "b": ["ba"], "aa": ["aaa", "aab"]}
    utility = {"ab": -3, "ba": 0, "aaa": 2, "aab": 5}
    twice = SimpleNamespace(
        initial=lambda: "",
        player=lambda state: MAX if len(state) < 2 else MIN,
        actions=lambda state: tree[state],
        result=lambda _, action: action,
        terminal=lambda state: state in utility,
        utility=lambda state: utility[state],
    )
    answer = noughts.minimax(twice)
    assert (answer.margin, answer.distance, answer.line) == (2, 3, ("a", "aa", "aaa"))
    assert noughts.analyse(twice)[:6] == answer[:6]


def test_classes_objects_and_modules_are_games(game: LineGame) -> None:
    class Countdown:
        @staticmethod
        def initial() -> int:
            return 3

        @staticmethod
        def player(state: int) -> int:
            return MAX if state % 2 else MIN

        @staticmethod
        def actions(state: int) -> list[int]:
            return [1] if state else []

        @staticmethod
        def result(state: int, action: int) -> int:
            return state - action

        @staticmethod
        def terminal(state: int) -> bool:
            return state == 0

        @staticmethod
        def utility(state: int) -> int:
            return 1

    assert noughts.minimax(Countdown).value == "win"
    assert noughts.minimax(Countdown()).value == "win"

    class WithMethods:
        def initial(self) -> int:
            return 3

        def player(self, state: int) -> int:
            return Countdown.player(state)

        def actions(self, state: int) -> list[int]:
            return Countdown.actions(state)

        def result(self, state: int, action: int) -> int:
            return state - action

        def terminal(self, state: int) -> bool:
            return state == 0

        def utility(self, state: int) -> int:
            return 1

    for search in (noughts.minimax, noughts.analyse, noughts.value):
        assert search(WithMethods).value == search(WithMethods()).value == "win"  # type: ignore[arg-type]
    assert noughts.testing.check_game(WithMethods, positions=10).positions == 4
    module = noughts.load("examples/matches.py")
    assert isinstance(module, ModuleType)
    assert noughts.minimax(module).value == "win"


@pytest.mark.parametrize("search", [noughts.minimax, noughts.analyse, noughts.value])
@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"player": lambda _: "X"}, "'X'"),
        ({"utility": lambda _: 0.5}, "whole number"),
        ({"actions": lambda _: []}, "empty"),
    ],
)
def test_broken_games_are_named_and_not_searched(
    game: LineGame, search: object, changes: dict[str, Any], complaint: str
) -> None:
    assert callable(search)
    with pytest.raises(BrokenGame, match=complaint):
        search(altered(game, **changes))


def test_a_game_without_end_is_refused(game: LineGame) -> None:
    endless = altered(game, result=lambda state, _: state)
    with pytest.raises(EndlessGame, match=r"can go on for ever, which noughts\.analyse can value"):
        noughts.minimax(endless)
    with pytest.raises(EndlessGame, match="position asked about is repeated after 1"):
        Memo(endless).analyse(endless.initial())
    longer = altered(game, initial=lambda: 0, player=lambda _: 1, actions=lambda _: [1], terminal=lambda _: False)
    with pytest.raises(BrokenGame, match="too long for plain minimax, or never ends"):
        noughts.minimax(altered(longer, result=lambda state, _: state + 1))
