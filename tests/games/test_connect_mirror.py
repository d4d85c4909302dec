"""The mirror image of a board of Connect Four, by look-up, is the one that the lines of the board have."""

from random import Random

import pytest

import noughts
from noughts.games.connect import DropGame
from noughts.games.lines import LineGame


@pytest.mark.parametrize("notation", ["connect-four", "connect:5x4", "connect:12x12", "connect:3x3,3"])
def test_mirror_images(notation: str) -> None:
    game, random = noughts.load(notation), Random(1)
    assert isinstance(game, DropGame)
    for _ in range(20):
        state = game.initial()
        while not game.terminal(state):
            assert list(game.symmetries(state)) == list(LineGame.symmetries(game, state))
            state = game.result(state, random.choice(game.actions(state)))
