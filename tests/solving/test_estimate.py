"""Estimates: exact where a game is small; else the interval holds the known number, with fixed seeds and no clock."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

import noughts
from noughts.capabilities import resolve
from noughts.cli import estimate as words
from noughts.cli import solve as command
from noughts.errors import NoughtsError
from noughts.solving import first_tiers as module
from noughts.solving.estimate import Estimate, estimate
from noughts.solving.first_tiers import first_tiers, identity_of
from noughts.solving.size import Effort, Range, _learnt, rough_size, size_of

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(autouse=True)
def few_are_counted(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sample also what is so small that it would be counted, in tests of sampling."""
    if "command" not in request.node.name and "small" not in request.node.name:
        monkeypatch.setattr(module, "FEW", 1)


def sampled(notation: str, counted: int, size: int, seed: int = 1) -> Any:
    """Return the size of a game, as eight populations find it."""
    effort = Effort(seconds=None, counted=counted, populations=8, size=size, seed=seed)
    return size_of(resolve(noughts.load(notation)), effort)


# The numbers are those of tests/solving/test_solving.py; wild's is up to rotation, reflection and exchange of marks.
@pytest.mark.parametrize(
    ("notation", "counted", "size", "positions", "stored"),
    [("tic-tac-toe", 500, 12, 5478, 765), ("wild", 100, 12, 18_753, 1359), ("connect:4x3", 2000, 8, 12_031, None)],
)
def test_the_interval_holds_the_known_number(
    notation: str, counted: int, size: int, positions: int | None, stored: int | None
) -> None:
    found = sampled(notation, counted, size)
    assert not found.exact
    assert found.counted < len(found.tiers)
    for known, interval in ((positions, found.positions), (stored, found.stored)):
        if known is not None:
            assert interval.low <= known <= interval.high
            assert interval.high < 2 * interval.low


# connect-4 reachable positions, width x height: Tromp, confirmed by Bock 2025; OEIS A212693
@pytest.mark.long
@pytest.mark.parametrize(
    ("notation", "positions"), [("connect:4x4", 161_029), ("connect:5x4", 3_945_711), ("connect:5x5", 69_763_700)]
)
def test_the_interval_holds_the_known_number_of_larger_games(notation: str, positions: int) -> None:
    found = sampled(notation, 10_000, 40)
    assert found.positions.low <= positions <= found.positions.high
    assert found.positions.high < 3 * found.positions.low


@pytest.mark.long
def test_how_often_the_interval_holds_the_known_number() -> None:
    """About 38 of 40 are expected; fewer than 34 would be by chance once in 70 times."""
    found = [sampled("tic-tac-toe", 500, 12, seed).positions for seed in range(40)]
    assert sum(each.low <= 5478 <= each.high for each in found) >= 34


@pytest.mark.parametrize("notation", ["tic-tac-toe", "connect:3x3", "wild"])
def test_every_parent_is_found_and_no_other(notation: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = resolve(noughts.load(notation))
    monkeypatch.setattr(module, "MOST_EDGES", 1_000_000)
    whole, first, identity = first_tiers(game, 100_000), first_tiers(game, 20), identity_of(game)
    parents: dict[Any, set[Any]] = {}
    for state, _, child in whole.edges:
        parents.setdefault(identity(child), set()).add(identity(state))
    back = _learnt(game, first, Random(0), lambda: None)
    for edge in whole.edges:
        back.learn(*edge)
    tier_of: Any = game.tier or game.plies
    for child in {identity(child): child for _, _, child in whole.edges}.values():
        if tier_of(child) > first.tiers[-1].tier:
            assert back.parents(child, tier_of(child)) == parents[identity(child)]


def test_a_small_game_is_counted() -> None:
    found = estimate(noughts.load("tic-tac-toe"))
    assert found.size.exact
    assert found.size.positions is not None
    assert tuple(found.size.positions) == (5478, 5478, 5478)
    assert tuple(found.size.stored) == (765, 765, 765)
    assert [each.positions for each in found.size.tiers] == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    assert found.seconds is not None
    assert found.disk is not None
    assert found.table is not None
    assert found.disk.high is not None
    assert 0 < found.table.low < found.disk.high


def test_where_positions_repeat_it_says_no_more_than_was_counted() -> None:
    game = resolve(noughts.load(str(EXAMPLES / "king_and_rook.py")))
    found = size_of(game, Effort(seconds=None, counted=20))
    assert not found.exact
    assert not found.ordered
    assert found.stored.low > 20
    assert (found.stored.likely, found.stored.high) == (None, None)
    assert rough_size(game, 1e9) == 0


def test_what_cannot_be_taken_back_is_counted_only(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = noughts.load("tic-tac-toe")
    listed = resolve(plain)._replace(initial=lambda: [plain.initial()], symmetries=None, plies=None, tier=None)
    game = listed._replace(
        player=lambda s: plain.player(s[0]),
        actions=lambda s: plain.actions(s[0]),
        result=lambda s, a: [plain.result(s[0], a)],
        terminal=lambda s: plain.terminal(s[0]),
        utility=lambda s: plain.utility(s[0]),
        key=lambda s: resolve(plain).key(s[0]),
    )
    found = size_of(game, Effort(seconds=None, counted=500))
    assert (found.exact, found.ordered, found.stored.high) == (False, True, None)
    assert found.stored.low == 1 + 9 + 72 + 252


def test_a_rough_size_goes_no_further_than_it_must() -> None:
    game = resolve(noughts.load("connect-four"))
    assert rough_size(game, 10_000) > 10_000
    assert rough_size(resolve(noughts.load("connect:3x3")), 1e9) == 452


def test_the_command_says_what_it_takes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = tmp_path / "new" / "table"
    assert command.run(["nim:3,4,5", "--estimate", "--json", "-o", str(folder)]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["exact"]
    assert facts["positions"] is None
    assert facts["stored"]["low"] == facts["stored"]["high"]
    assert sum(each["stored"] for each in facts["tiers"]) == facts["stored"]["likely"]
    assert not folder.exists()
    assert command.run(["tic-tac-toe", "--estimate"]) == 0
    told = capsys.readouterr().out
    assert "positions  5,478\n" in told
    assert "stored     765 up to symmetry\n" in told


def an_estimate(seconds: float, disk: float) -> Estimate:
    found = estimate(noughts.load("tic-tac-toe"), effort=Effort(seconds=None))
    return found._replace(seconds=Range(seconds, seconds, seconds), disk=Range(disk, disk, disk), free=10**9)


def test_a_script_is_told_before_a_long_solve_begins() -> None:
    words.warn(an_estimate(3000, 10**6), "A game", "game")
    for seconds, disk, why in ((4000, 10**6, "about 1 h 6 min"), (10, 2 * 10**9, "2.00 GB of disk here")):
        with pytest.raises(NoughtsError, match="--yes begins all the same") as error:
            words.warn(an_estimate(seconds, disk), "A game", "game")
        assert why in str(error.value)


def test_what_is_too_large_is_not_begun(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / "table"
    monkeypatch.setattr(command, "SURELY_QUICK", 0)
    monkeypatch.setattr(command, "QUICK", 10)
    monkeypatch.setattr(words, "LONG", 0)
    with pytest.raises(NoughtsError, match="Tic-tac-toe has about 765 positions to store"):
        command.run(["tic-tac-toe", "-o", str(folder)])
    assert not folder.exists()
    assert command.run(["tic-tac-toe", "-o", str(folder), "--yes"]) == 0
    assert command.run(["tic-tac-toe", "-o", str(folder)]) == 0  # solved already


def test_wrong_options_are_one_line(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    for options, why in (
        (["tic-tac-toe", "--seconds", "3"], "belongs to --estimate"),
        (["tic-tac-toe", "-o", str(file)], "is a file; -o names a folder"),
        (["tic-tac-toe", "--estimate", "--seconds", "nan"], "--seconds must be"),
    ):
        with pytest.raises(NoughtsError, match=why):
            command.run(options)
