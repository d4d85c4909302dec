"""The memo against the oracle, everywhere; and what it does when it may not finish."""

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noughts
from noughts import MAX, MIN
from noughts.engine import Engine
from noughts.errors import EndlessGame
from noughts.games.lines import LineGame, Marks, straight_lines
from noughts.search.answer import Answer
from noughts.search.limits import Limits
from noughts.search.memo import Memo
from tests.endless import CORRIDOR
from tests.helpers import every_state

SAME = slice(0, 8)  # value, distance, margin, score, best, line, actions, proven


def test_the_memo_agrees_with_the_oracle_in_all_positions(game: LineGame, oracle: dict[Marks, Answer[int]]) -> None:
    memo = Memo(game)
    for state, answer in oracle.items():
        assert memo.analyse(state)[SAME] == answer[SAME]
        value = memo.value(state)
        assert (value.value, value.distance, value.best) == (answer.value, answer.distance, answer.best[:1])


def test_a_fresh_memo_agrees_too(game: LineGame, states: list[Marks], oracle: dict[Marks, Answer[int]]) -> None:
    for state in states[::50]:
        assert noughts.analyse(game, state)[SAME] == oracle[state][SAME]


@pytest.mark.parametrize("misere", [False, True])
def test_other_boards(misere: bool) -> None:
    other = LineGame("other", 3, 2, straight_lines(3, 2, 2), misere=misere)
    memo = Memo(other)
    for state in every_state(other):
        assert memo.analyse(state)[SAME] == noughts.minimax(other, state)[SAME]


def test_nodes_are_positions(game: LineGame) -> None:
    assert Engine(game).analyse().nodes == 5478
    memo = Memo(game)
    memo.analyse(game.initial())
    assert memo.analyse(game.initial()).nodes == 0, "a second question costs nothing"


trees = st.recursive(
    st.integers(-3, 3), lambda inner: st.tuples(st.booleans(), st.lists(inner, min_size=1, max_size=3))
)


def tree_game(tree: Any) -> Any:
    """An abstract game tree, in which either player may move at any node, with margins at the leaves."""

    def at(path: tuple[int, ...]) -> Any:
        node = tree
        for step in path:
            node = node[1][step]
        return node

    return SimpleNamespace(
        initial=lambda: (),
        player=lambda path: MIN if not isinstance(at(path), int) and at(path)[0] else MAX,
        actions=lambda path: range(len(at(path)[1])),
        result=lambda path, action: (*path, action),
        terminal=lambda path: isinstance(at(path), int),
        utility=at,
    )


@given(trees)
@settings(max_examples=300)
def test_abstract_trees(tree: Any) -> None:
    game = tree_game(tree)
    assert noughts.analyse(game)[SAME] == noughts.minimax(game)[SAME]


def test_limits_stop_it_and_say_why(game: LineGame) -> None:
    stopped = Engine(game).analyse(limits=Limits(nodes=100))
    assert (stopped.value, stopped.proven, len(stopped.choice), stopped.nodes) == ("unknown", False, 1, 100)
    assert stopped.stopped == "node limit"
    assert Engine(game).analyse(limits=Limits(seconds=0)).stopped == "deadline"
    assert Engine(game).analyse(limits=Limits(cancel=lambda: True)).stopped == "cancelled"
    assert Engine(game).value(limits=Limits(cancel=lambda: False)).stopped == "done"


def test_a_stopped_memo_goes_on_where_it_was(game: LineGame, oracle: dict[Marks, Answer[int]]) -> None:
    memo = Memo(game)
    answers = [memo.analyse(game.initial(), Limits(nodes=1000)) for _ in range(40)]
    assert not answers[0].proven
    assert answers[-1][SAME] == oracle[game.initial()][SAME]


def test_long_games_do_not_meet_the_recursion_limit() -> None:
    walk = SimpleNamespace(
        initial=lambda: 22_000,
        player=lambda left: MAX if left % 2 else MIN,
        actions=lambda left: [1],
        result=lambda left, _: left - 1,
        terminal=lambda left: left == 0,
        utility=lambda left: 1,
    )
    answer = noughts.analyse(walk)
    assert (answer.value, answer.distance) == ("loss", 22_000)


def test_a_repeated_position_is_named() -> None:
    with pytest.raises(EndlessGame, match="position asked about is repeated after left right"):
        Memo(CORRIDOR).analyse(2)


def test_states_that_hold_plain_objects() -> None:
    class Pile:
        def __init__(self, left: int) -> None:
            self.left = left

    piles = SimpleNamespace(
        initial=lambda: (Pile(6), MAX),
        player=lambda state: state[1],
        actions=lambda state: [n for n in (1, 2) if n <= state[0].left],
        result=lambda state, n: (Pile(state[0].left - n), -state[1]),
        terminal=lambda state: state[0].left == 0,
        utility=lambda state: -state[1],
    )
    assert noughts.analyse(piles)[SAME] == noughts.minimax(piles)[SAME]
    by_identity = SimpleNamespace(**vars(piles), key=lambda _: object())
    assert noughts.analyse(by_identity).value == "loss", "slow, but not wrong"


def test_states_need_not_be_hashable() -> None:
    """Boards as lists of lists, the way beginners write them, are remembered by their contents."""
    tally = SimpleNamespace(
        initial=lambda: [[0, 0], [0]],
        player=lambda board: MAX if (board[0][0] + board[0][1]) % 2 == 0 else MIN,
        actions=lambda board: [column for column in (0, 1) if board[0][column] < 20],
        result=lambda board, column: [[n + (i == column) for i, n in enumerate(board[0])], [0]],
        terminal=lambda board: board[0] == [20, 20],
        utility=lambda board: 0,
    )
    answer = noughts.analyse(tally)
    assert answer.value == "draw"
    assert answer.nodes == 21 * 21, "each position once, not each path"
