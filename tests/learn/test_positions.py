"""The positions of a page: the game's own tree, as data."""

import json
from types import SimpleNamespace
from typing import Any

import pytest

import noughts
from noughts.capabilities import resolve
from noughts.errors import NoughtsError
from noughts.learn.positions import GUESSES, MOST_POSITIONS, Positions, positions
from noughts.search.limits import Limits
from noughts.symmetry import symmetry_key

CASES = [
    ("tic-tac-toe", "5 1 3"),
    ("nim:1,2,3", ""),
    ("connect:3x3,3", "1 2"),
    ("reversi:4", "c4 b4 a1 d3 a4 a3 a2"),
    ("ultimate", ""),
    ("numbers:((3,12,8),(2,4,6),(14,5,2))", ""),
]


def marks_of(found: Positions, number: int) -> list[str]:
    return [found["marks"][int(mark)] for mark in found["boards"][number]]


@pytest.mark.parametrize(("name", "played"), CASES)
def test_every_position_is_the_games(name: str, played: str) -> None:
    """Followed action by action: movers, utilities, boards, symmetry and the game's order of actions."""
    game = resolve(noughts.load(name))
    found = positions(game, noughts.replay(game, played), most=300)
    same = symmetry_key(game)
    states = {0: noughts.replay(game, played)}
    classes: dict[int, Any] = {}
    for number in range(len(found["movers"])):
        state = states[number]
        assert found["movers"][number] == game.to_move(state)
        utility = found["utilities"][number]
        assert (utility is not None) == game.terminal(state)
        if utility is not None:
            assert utility == game.utility(state) * found["unit"]
        if game.board is not None:
            cells = [cell for row in game.board(state) for cell in row if not cell.gap]
            assert marks_of(found, number) == [cell.mark for cell in cells]
            assert found["lit"].get(str(number), []) == [place for place, cell in enumerate(cells) if cell.lit]
        else:
            assert found["boards"][number] == game.draw(state)
        if found["alike"] is not None and found["horizon"] is None:
            assert classes.setdefault(found["alike"][number], same(state)) == same(state)
        if found["children"][number]:
            actions = [found["actions"][each] for each in found["children"][number][::2]]
            assert actions == [game.action_name(action) for action in game.actions(state)]
            for action, child in zip(game.actions(state), found["children"][number][1::2], strict=True):
                after = game.result(state, action)
                assert game.key(states.setdefault(child, after)) == game.key(after)
        else:
            assert game.terminal(state) or found["guesses"][number] is not None
    assert len(set(classes.values())) == len(classes)
    json.dumps(found)


def test_all_of_tic_tac_toe_fits(game: Any) -> None:
    found = positions(game)
    assert len(found["movers"]) == 5_478 < MOST_POSITIONS == 6_000
    assert found["horizon"] is None
    assert found["alike"] is not None
    assert len(set(found["alike"])) == 765
    assert len(json.dumps(found, separators=(",", ":"))) < 400_000


def test_a_large_game_ends_at_a_horizon_of_guesses() -> None:
    game = resolve(noughts.load("connect-four"))
    found = positions(game, depth=2)
    assert (found["horizon"], found["unit"], found["range"]) == (2, 100, (-100, 100))
    guesses = [guess for guess in found["guesses"] if guess is not None]
    assert len(guesses) == 49
    assert game.heuristic is not None
    state = noughts.replay(game, "4 4")
    assert max(-GUESSES, min(GUESSES, game.heuristic(state))) in guesses
    assert positions(game, most=60)["horizon"] == 2
    with pytest.raises(NoughtsError, match=r"^5 plies ahead there are more than 60 positions; choose fewer$"):
        positions(game, most=60, depth=5)


def test_positions_that_repeat_end_at_a_horizon() -> None:
    """Two players walk round a ring for ever; the same place after other numbers of plies is another position."""
    game = SimpleNamespace(
        initial=lambda: (0, 1),
        player=lambda state: state[1],
        actions=lambda _: [1, 2],
        result=lambda state, action: ((state[0] + action) % 5, -state[1]),
        terminal=lambda _: False,
        utility=lambda _: 0,
    )
    found = positions(game, most=50)
    assert found["horizon"] is not None
    assert all(child > number for number, children in enumerate(found["children"]) for child in children[1::2])
    assert {guess for guess in found["guesses"] if guess is not None} == {0}


def test_without_time_there_is_an_error_of_one_line(game: Any) -> None:
    with pytest.raises(NoughtsError, match=r"^the search was stopped before there were steps to show: deadline$"):
        positions(game, limits=Limits(seconds=0.0))


def test_a_finished_game_is_one_position(game: Any) -> None:
    found = positions(game, noughts.replay(game, "1 4 2 5 3"))
    assert (found["utilities"], found["children"], found["lit"]) == ([1], [[]], {"0": [0, 1, 2]})
