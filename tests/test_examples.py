"""The games in `examples`, on boards so small that plain minimax can judge them."""

from pathlib import Path
from typing import Any

import pytest

import noughts
from noughts.testing import check_game

EXAMPLES = Path(__file__).parents[1] / "examples"

SMALL = [
    ("hex", "SIZE = 4", "SIZE = 2"),
    ("isolation", "SIZE = 4", "SIZE = 3"),
    ("kalah", "HOUSES, SEEDS = 4, 3", "HOUSES, SEEDS = 2, 2"),
    ("dots_and_boxes", "SIZE = 2", "SIZE = 1"),
]


def small(folder: Path, name: str, old: str, new: str) -> Any:
    """Return an example with other constants, as a game."""
    source = (EXAMPLES / f"{name}.py").read_text(encoding="utf-8")
    assert old in source
    path = folder / f"{name}.py"
    path.write_text(source.replace(old, new), encoding="utf-8")
    return noughts.load(str(path))


@pytest.mark.parametrize(("name", "old", "new"), SMALL)
def test_examples_keep_the_contract_and_are_valued_as_by_minimax(tmp_path: Path, name: str, old: str, new: str) -> None:
    game = small(tmp_path, name, old, new)
    report = check_game(game, seconds=60)
    assert report.ok, report
    oracle = noughts.minimax(game)
    answers = [noughts.value(game), noughts.analyse(game), noughts.alphabeta(game), noughts.deepening(game)]
    assert {(each.value, each.distance) for each in answers} == {(oracle.value, oracle.distance)}
    assert answers[1].best == oracle.best


@pytest.mark.parametrize("name", ["three_mens_morris", "dodgem", "king_and_rook"])
def test_examples_in_which_positions_repeat_keep_the_contract(name: str) -> None:
    report = check_game(noughts.load(str(EXAMPLES / f"{name}.py")), positions=3_000, seconds=60)
    assert report.ok, report
    assert "positions can repeat; endless play is a draw" in report.notes[0]
