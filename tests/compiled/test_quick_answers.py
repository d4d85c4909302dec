"""The quick way from `noughts.value` to a kernel and back: every shortcut on it gives the same as the long way."""

from functools import cache
from random import Random
from typing import Any

import pytest

import noughts
from noughts import Engine
from noughts.capabilities import resolve
from noughts.compiled.rules import Position, rules_of
from noughts.games import GAMES
from noughts.games.connect import DropGame
from noughts.games.lines import LineGame, Marks
from noughts.search.answer import Answer
from noughts.search.memo import Memo
from noughts.sources.kernel import NativeSearch
from tests.compiled.positions import native, random_states

OPPOSITE = {"win": "loss", "draw": "draw", "loss": "win"}

SMALL_BOARDS = {"connect:4x4": (6, 14), "connect:5x4": (10, 18), "mnk:4,4,4": (9, 14), "connect:5x4,3": (5, 9)}
"""After how many plies, at least and at most, positions are asked about."""

LATER = ("connect:5x4,3",)
"""Boards for the long tests only: each takes seconds to compile."""

NAMING_ACTIONS = sorted(
    {
        notation
        for entry in GAMES.values()
        for notation in (*entry.examples, "connect:5x4,3", "mnk:4,4,4,misere")
        if getattr(resolve(noughts.load(notation)).kernel(), "action", None) is not None
    }
)
"""Games whose kernel says which action a move is; of the others, the positions after the actions are compared."""


@cache
def memo_of(notation: str) -> Memo[Any, Any]:
    return Memo(noughts.load(notation))


def reaches(ask: Any, game: Any, state: Any, answer: Answer[Any], truth: Answer[Any]) -> None:
    """Check that an answer is the truth, and that its one best action leads to a state with the opposite value."""
    assert (answer.value, answer.distance, answer.proven) == (truth.value, truth.distance, True)
    (action,) = answer.best
    after = ask(game.result(state, action))
    assert after.value == OPPOSITE[answer.value]
    assert after.distance == (None if answer.distance is None else answer.distance - 1)


def test_the_value_of_connect_four_positions() -> None:
    """One engine, so that its table fills up, against searches of every action with another table."""
    game = noughts.load("connect-four")
    engine: Engine[Any, Any] = Engine(game, threads=1)
    other: NativeSearch[Any, Any] = NativeSearch(game, threads=1)
    values = set()
    for plies in range(16, 41, 2):
        for state in random_states(game, 24, plies, plies, plies + 1):
            answer, truth = engine.value(state), other.ask(state)
            assert answer.best[0] in truth.best
            reaches(lambda after: other.ask(after, wanted="one"), game, state, answer, truth)
            values.add((answer.value, answer.method))
    assert {value for value, _ in values} == {"win", "draw", "loss"}
    assert "kernel" in {method for _, method in values}


@pytest.mark.parametrize(
    "notation", [pytest.param(name, marks=[pytest.mark.long] * (name in LATER)) for name in SMALL_BOARDS]
)
def test_the_value_of_positions_on_small_boards(notation: str) -> None:
    """By an engine, which may solve the game whole, and by the kernel itself, against the memo."""
    memo, kernel = memo_of(notation), native(notation)
    game = kernel.game
    engine: Engine[Any, Any] = Engine(game, threads=1)
    least, most = SMALL_BOARDS[notation]
    for state in random_states(game, 80, 5, least, most):
        truth = memo.value(state)
        reaches(memo.value, game, state, engine.value(state), truth)
        reaches(memo.value, game, state, kernel.ask(state, wanted="one"), truth)


@pytest.mark.parametrize("notation", NAMING_ACTIONS)
def test_the_action_of_a_move_leads_where_the_move_leads(notation: str) -> None:
    """Of all actions, only the one that a kernel names for a move leads to the position after the move."""
    game: Any = noughts.load(notation)
    kernel = resolve(game).kernel()
    assert kernel is not None
    assert kernel.action is not None
    functions = rules_of(kernel).functions
    moves = 0
    for state in random_states(game, 40, 3, 0, functions.longest - 1):
        position = kernel.pack(state)
        low, high = functions.score_bounds(position)
        after = {action: kernel.pack(game.result(state, action)) for action in game.actions(state)}
        left = functions.expand(position) if low < high else 0
        while left:
            move = left & -left
            left ^= move
            child = functions.play(position, move)
            assert [action for action in after if after[action] == child] == [kernel.action(move)]
            moves += 1
    assert moves > 20


def packed_by_lines(game: DropGame, state: Marks) -> Position:
    """Return a position as a kernel has it, found by looking at every line, and moved into columns bit by bit."""

    def in_columns(cells: int) -> int:
        found = 0
        for cell in range(game.columns * game.rows):
            row, column = divmod(cell, game.columns)
            found |= (cells >> cell & 1) << column * (game.rows + 1) + game.rows - 1 - row
        return found

    mine, theirs, my_lasts, their_lasts = (in_columns(cells) for cells in LineGame._packed(game, state))
    return mine, mine | theirs, my_lasts, their_lasts


@pytest.mark.parametrize("size", ["7x6", "4x4", "5x4", "6x6", "8x6", "9x6", "12x4", "4x12", "5x11", "3x7", "7x3"])
def test_quick_packing_is_the_packing_by_lines(size: str) -> None:
    """Every position of random games, the finished one at the end included."""
    game = noughts.load(f"connect:{size}")
    assert isinstance(game, DropGame)
    kernel = game.kernel()
    assert kernel is not None
    random = Random(size)
    with_threats = 0
    for _ in range(60):
        state = game.initial()
        while True:
            packed = kernel.pack(state)
            assert packed == packed_by_lines(game, state), game.diagram(state)
            with_threats += bool(packed[2] or packed[3])
            if game.terminal(state):
                break
            state = game.result(state, random.choice(game.actions(state)))
    assert with_threats > 60
