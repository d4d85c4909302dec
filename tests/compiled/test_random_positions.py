"""Kernels in random positions of larger games, against interpreted search."""

import pytest

from noughts.search.drivers import Options, alphabeta
from noughts.search.table import Table
from tests.compiled.positions import exact, kernel_score, native, random_states
from tests.compiled.test_exhaustive import same_answer

GAMES = {
    "connect-four": (400, 28, 39),
    "connect:5x4": (300, 9, 18),
    "connect:6x5": (300, 19, 28),
    "connect:7x6,5": (120, 31, 40),
    "connect:4x4,3": (200, 2, 14),
    "mnk:4,4,4": (200, 8, 15),
    "mnk:5,4,4": (250, 11, 19),
    "mnk:5,5,4": (200, 16, 24),
    "mnk:4,4,4,torus": (100, 10, 15),
    "mnk:4,4,4,misere": (120, 8, 15),
    "cube:3": (250, 13, 22),
}
"""How many positions of each, and after how many plies at least and at most."""

LATER = ("connect:6x5", "connect:4x4,3", "mnk:5,4,4", "mnk:4,4,4,torus")
"""Boards for the long tests only: each takes seconds to compile."""


def agrees(notation: str, number: int, seed: int, least: int, most: int) -> None:
    """Check that two searches agree on every action's value and distance, in each position."""
    kernel = native(notation)
    game = kernel.game
    options = Options(table=Table(64))
    values = set()
    for state in random_states(game, number, seed, least, most):
        truth = alphabeta(game, state, options=options, wanted="all")
        answer = kernel.ask(state)
        assert answer[:5] == truth[:5], game.draw(state) if hasattr(game, "draw") else state
        assert answer.actions == truth.actions
        assert answer.proven
        assert exact(kernel.solver, kernel.pack(state)) == kernel_score(kernel, state, truth)
        same_answer(answer, answer, game, state)
        values.add(truth.value)
    assert "win" in values
    assert "loss" in values or notation == "cube:3"


@pytest.mark.parametrize("notation", [pytest.param(name, marks=[pytest.mark.long] * (name in LATER)) for name in GAMES])
def test_late_positions(notation: str) -> None:
    number, least, most = GAMES[notation]
    agrees(notation, number, 20261115, least, most)


@pytest.mark.long
@pytest.mark.parametrize("notation", GAMES)
def test_many_positions_somewhat_earlier(notation: str) -> None:
    number, least, most = GAMES[notation]
    agrees(notation, 5 * number, 7, least - 2, most)
