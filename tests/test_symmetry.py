"""The same position, turned or not: one value for all symmetric images, and the same text in every process."""

import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest

import noughts
from noughts.capabilities import resolve
from noughts.game import legal_actions
from noughts.symmetry import UpToSymmetry, symmetry_key

NAMES = ["tic-tac-toe", "wild", "connect:4x3,3", "notakto:2", "nim:1,2,3", "reversi:4", "ultimate"]


@pytest.mark.parametrize("name", NAMES)
def test_it_is_equal_exactly_for_symmetric_positions(name: str) -> None:
    """It agrees with `UpToSymmetry`, which has one entry for all symmetric images of a position."""
    game = noughts.load(name)
    offers: Any = resolve(game)
    same = symmetry_key(offers)
    states = [game.initial()]
    for _ in range(2):
        states += [game.result(state, action) for state in states[-12:] for action in legal_actions(game, state)]
    seen: UpToSymmetry[Any, int] = UpToSymmetry(offers)
    numbers: dict[Any, int] = {}
    for number, state in enumerate(states):
        known = numbers.setdefault(same(state), number)
        assert (state in seen) == (known != number)
        if known == number:
            seen[state] = number
        assert seen[state] == known
        for turned in offers.symmetries(state) if offers.symmetries else ():
            assert same(turned) == same(state)
            assert repr(same(turned)) == repr(same(state))


def test_its_text_is_the_same_in_every_process() -> None:
    script = (
        "import noughts; from noughts.symmetry import symmetry_key; from noughts.capabilities import resolve\n"
        f"for name in {NAMES}:\n"
        "    game = noughts.load(name)\n"
        "    print(repr(symmetry_key(resolve(game))(game.result(game.initial(), game.actions(game.initial())[0]))))"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", script], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(told) == 1
    assert told != {b""}


def test_keys_need_no_order() -> None:
    """Sets are not ordered as numbers are: which image is the lowest is undefined, and does not matter."""
    game: Any = SimpleNamespace(
        initial=lambda: frozenset({1, 2}),
        player=lambda _: 1,
        actions=lambda _: [],
        result=lambda state, _: state,
        terminal=lambda _: True,
        utility=lambda _: 0,
        symmetries=lambda state: [state, frozenset(3 - each for each in state)],
    )
    same = symmetry_key(resolve(game))
    assert same(frozenset({1})) == same(frozenset({2})) != same(frozenset({1, 2}))
