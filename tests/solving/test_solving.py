"""Solving: every value and distance against plain recursion, the counts against known ones, the same bytes always."""

from pathlib import Path
from typing import Any

import pytest

import noughts
from noughts.capabilities import resolve
from noughts.solving import solve as module
from noughts.solving.first_tiers import first_tiers
from noughts.solving.room import LARGEST, PART
from tests.solving.solved import bytes_of, check_against_oracle, every_state


@pytest.fixture
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Solve in plain Python."""
    monkeypatch.setattr(module, "native_coding", lambda _: None)


GAMES = (
    *("tic-tac-toe", "misere", "mnk:4,3,3", "mnk:2,2,2", "mnk:3,3,3,torus", "wild", "nim:3,4,5", "nim:2,2,misere"),
    *("connect:4x3,3", "connect:3x3,2", "connect:1x4,2", "notakto"),
)


@pytest.mark.parametrize("notation", GAMES)
def test_every_position_interpreted(notation: str, tmp_path: Path, interpreted: None) -> None:
    game: Any = noughts.load(notation)
    solved = noughts.solve(game, tmp_path, engine="local")
    check_against_oracle(game, tmp_path)
    if solved.positions is not None:
        assert solved.positions == len(every_state(game))


@pytest.mark.parametrize("notation", GAMES)
def test_every_position_natively(notation: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As above, with compiled rules for those games that have them."""
    monkeypatch.setattr(module, "SMALL", 0)
    test_every_position_interpreted(notation, tmp_path, None)


def test_known_counts_of_tic_tac_toe(tmp_path: Path) -> None:
    solved = noughts.solve(noughts.load("tic-tac-toe"), tmp_path, engine="local")
    assert (solved.positions, solved.stored, solved.value, solved.distance) == (5478, 765, "draw", None)
    assert [each.positions for each in solved.tiers] == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    assert [each.stored for each in solved.tiers] == [1, 3, 12, 38, 108, 174, 204, 153, 57, 15]
    # X wins from an even tier if the player to move wins, and O from an odd one.
    even, odd = ([each for each in solved.tiers if each.tier % 2 == rest] for rest in (0, 1))
    x_wins = sum(each.wins or 0 for each in even) + sum(each.losses or 0 for each in odd)
    o_wins = sum(each.losses or 0 for each in even) + sum(each.wins or 0 for each in odd)
    assert (x_wins, o_wins, sum(each.draws or 0 for each in solved.tiers)) == (2936, 1474, 1068)
    assert sum(each.ends or 0 for each in solved.tiers) == 958
    assert solved.longest == 5


long = pytest.mark.long


@pytest.mark.parametrize(
    ("board", "positions", "value"),
    [
        ("3x3", 869, "draw"),
        ("3x4", 6_000, "draw"),
        ("4x3", 12_031, "draw"),
        ("3x5", 38_310, "draw"),
        ("4x4", 161_029, "draw"),
        ("5x3", 158_911, "draw"),
        pytest.param("6x3", 2_087_325, "draw", marks=long),
        pytest.param("5x4", 3_945_711, "draw", marks=long),
        pytest.param("5x5", 69_763_700, "draw", marks=long),
    ],
)
def test_known_counts_of_connect(board: str, positions: int, value: str, tmp_path: Path) -> None:
    """The numbers of OEIS A212693; the values as published, or as the search says."""
    game = noughts.load(f"connect:{board}")
    solved = noughts.solve(game, tmp_path)
    assert (solved.positions, solved.value) == (positions, value)
    assert noughts.value(noughts.Engine(game)).value == value


def test_known_values_of_connect(tmp_path: Path) -> None:
    """How many positions of 4 x 4 are won, drawn and lost for the player who begins."""
    solved = noughts.solve(noughts.load("connect:4x4"), tmp_path)
    even, odd = ([each for each in solved.tiers if each.tier % 2 == rest] for rest in (0, 1))
    won = sum(each.wins or 0 for each in even) + sum(each.losses or 0 for each in odd)
    lost = sum(each.losses or 0 for each in even) + sum(each.wins or 0 for each in odd)
    assert (won, sum(each.draws or 0 for each in solved.tiers), lost) == (36_499, 90_120, 34_410)


def test_known_counts_of_the_first_tiers_of_connect_four() -> None:
    first = first_tiers(resolve(noughts.load("connect-four")), 22_100)
    counts = [each.positions for each in first.tiers]
    assert counts == [1, 7, 49, 238, 1_120, 4_263, 16_422]


def test_same_bytes_whatever_runs_the_tasks(tmp_path: Path, interpreted: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """One process or three: tiers of tic-tac-toe are cut into parts of 40 positions here."""
    monkeypatch.setitem(PART, "interpreted", 40)
    monkeypatch.setitem(LARGEST, "interpreted", 40)
    game = noughts.load("tic-tac-toe")
    noughts.solve(game, tmp_path / "local", notation="tic-tac-toe", engine="local")
    noughts.solve(game, tmp_path / "pool", notation="tic-tac-toe", workers=3)
    found = bytes_of(tmp_path / "local")
    assert found == bytes_of(tmp_path / "pool")
    assert len([name for name in found if name.startswith("wdl-5-")]) > 2


def test_nothing_is_left_of_the_work(tmp_path: Path) -> None:
    noughts.solve(noughts.load("tic-tac-toe"), tmp_path, engine="local")
    assert {path.suffix for path in tmp_path.iterdir()} == {".ntb", ".json"}


def test_what_is_solved_is_not_solved_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = noughts.load("tic-tac-toe")
    first = noughts.solve(game, tmp_path, engine="local")
    monkeypatch.setattr(module, "Driver", None)
    again = noughts.solve(game, tmp_path)
    assert again._replace(seconds=0.0) == first._replace(seconds=0.0)


def test_the_table_of_another_game_is_kept(tmp_path: Path) -> None:
    noughts.solve(noughts.load("tic-tac-toe"), tmp_path, engine="local")
    with pytest.raises(noughts.NoughtsError, match="other rules"):
        noughts.solve(noughts.load("misere"), tmp_path)
