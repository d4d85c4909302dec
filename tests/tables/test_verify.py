"""Verifying tables: what is right passes; a wrong value, a missing and an added position are found, and damage is."""

import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

import noughts
from noughts.capabilities import resolve
from noughts.solving.verify import verify_table
from noughts.tables.codings import SERIAL
from tests.tables.reference import Position, make_table, solved

Positions = dict[int, Position]


@pytest.fixture(scope="module")
def right() -> Positions:
    """The positions of tic-tac-toe by code, as they should be."""
    return solved(resolve(noughts.load("tic-tac-toe")), SERIAL)


@pytest.mark.parametrize("notation", ["tic-tac-toe", "nim:3,4,5", "connect:4x3,3", "wild"])
@pytest.mark.parametrize("distances", [True, False])
def test_what_is_right_passes(tmp_path: Path, notation: str, distances: bool) -> None:
    folder = make_table(tmp_path / "t", notation, distances=distances)
    found = verify_table(folder)
    assert found.problems == []
    assert found.complete
    assert found.checked == found.positions == len(noughts.open_table(folder))
    shutil.rmtree(folder)


def test_two_processes_find_the_same(tmp_path: Path, right: Positions) -> None:
    folder = make_table(tmp_path / "t", "connect:4x4,3")
    for workers in (1, 2):
        found = verify_table(folder, workers=workers)
        assert (found.problems, found.checked) == ([], found.positions)
    assert found.positions > 20_000, "else it is checked in one process"


CHANGES: list[Callable[[Position], Position]] = [
    lambda old: old._replace(utility=1 if old.utility < 1 else 0, distance=1 if old.utility < 1 else 0),
    lambda old: old._replace(utility=-1 if old.utility > -1 else 0, distance=2 if old.utility > -1 else 0),
    lambda old: old._replace(distance=old.distance + 2),
    lambda old: old._replace(distance=max(0, old.distance - 2)) if old.distance > 1 else old._replace(distance=7),
]


@pytest.mark.parametrize("change", CHANGES)
def test_one_wrong_value_is_found(tmp_path: Path, right: Positions, change: Callable[[Position], Position]) -> None:
    for code in Random(0).sample(sorted(right), 3):
        folder = make_table(tmp_path / f"{code:x}", "tic-tac-toe", positions=right | {code: change(right[code])})
        found = verify_table(folder)
        assert found.complete
        assert any(f"(code {code:x}) is stored as" in each for each in found.problems)
        assert verify_table(folder, sample=10_000, seed=1).problems


def test_a_wrong_value_is_found_without_distances(tmp_path: Path, right: Positions) -> None:
    for code in Random(0).sample(sorted(right), 3):
        wrong = right | {code: right[code]._replace(utility=-right[code].utility or 1)}
        folder = make_table(tmp_path / f"{code:x}", "tic-tac-toe", positions=wrong, distances=False)
        assert any(f"(code {code:x}) is stored as" in each for each in verify_table(folder).problems)


def test_a_missing_position_is_found(tmp_path: Path, right: Positions) -> None:
    start = min(right, key=lambda code: right[code].tier)
    for code in [start, *Random(0).sample(sorted(right), 3)]:
        rest = {each: position for each, position in right.items() if each != code}
        found = verify_table(make_table(tmp_path / f"{code:x}", "tic-tac-toe", positions=rest))
        assert [each for each in found.problems if each.endswith(f"(code {code:x}) is missing")]
        assert len(found.problems) == 1, "no other position is to blame"


def test_an_added_position_is_found(tmp_path: Path, right: Positions) -> None:
    for code in (1, 1 << 40, max(right) + 1):
        more = right | {code: Position(5, 0, 0)}
        (problem,) = verify_table(make_table(tmp_path / f"{code:x}", "tic-tac-toe", positions=more)).problems
        assert problem == f"1 stored position is reached by no play: code {code:x}"


def test_a_table_of_another_game_is_not_verified(tmp_path: Path, right: Positions) -> None:
    folder = make_table(tmp_path / "t", "tic-tac-toe")
    with pytest.raises(noughts.BadTable, match=r"it is for other rules \(tic-tac-toe\)"):
        verify_table(folder, noughts.load("misere"))


def test_damage_is_a_problem(tmp_path: Path) -> None:
    folder = make_table(tmp_path / "t", "tic-tac-toe")
    path = folder / "dtm-5-0.ntb"
    content = bytearray(path.read_bytes())
    content[40] ^= 1
    path.write_bytes(content)
    found = verify_table(folder)
    assert [each for each in found.problems if "dtm-5-0.ntb' is damaged" in each]


def test_values_alone_prove_nothing_where_tiers_do_not_rise(tmp_path: Path, right: Positions) -> None:
    flat = {code: position._replace(tier=0) for code, position in right.items()}
    folder = make_table(tmp_path / "t", "tic-tac-toe", positions=flat, distances=False, tiers="none")
    found = verify_table(folder)
    assert any("tier is not higher" in each for each in found.problems)
    full = make_table(tmp_path / "full", "tic-tac-toe", positions=flat, tiers="none")
    assert verify_table(full).problems == [], "distances prove it"


def test_it_can_be_stopped(tmp_path: Path) -> None:
    folder = make_table(tmp_path / "t", "tic-tac-toe")
    found = verify_table(folder, cancelled=lambda: True)
    assert not found.complete
    assert not verify_table(folder, sample=500, cancelled=lambda: True).complete
