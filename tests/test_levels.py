"""Levels 1 to 10: what they see, how often they err, and that each is stronger than the one below."""

import math
import subprocess
import sys
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import noughts
from noughts import MAX, MIN
from noughts.cli.levels import report
from noughts.errors import NoughtsError
from noughts.games.lines import LineGame
from noughts.match import play_out
from noughts.players import HIGHEST_LEVEL, computer
from noughts.players.calibration import Calibration, calibrate
from noughts.players.levels import NO_TIME, STRENGTHS, Level
from noughts.search.limits import Limits
from tests.command import Noughts

LEVELS = range(1, HIGHEST_LEVEL + 1)


@pytest.fixture
def command(noughts_command: str, clean_env: dict[str, str]) -> Noughts:
    return Noughts(noughts_command, clean_env)


@pytest.fixture(scope="module")
def measured(game: LineGame) -> Calibration:
    return calibrate(game)


def test_there_are_ten(game: LineGame) -> None:
    assert list(STRENGTHS) == list(LEVELS)
    for number in LEVELS:
        assert computer(f"level-{number}", game).description == f"level {number} of 10"
    for name in ("level-0", "level-11", "level-", "easy"):
        with pytest.raises(NoughtsError, match="there is no player"):
            computer(name, game)


def test_higher_levels_err_less(measured: Calibration) -> None:
    """Over all positions of tic-tac-toe; the documentation shows the table."""
    assert (measured.complete, measured.positions, measured.decisions) == (True, 627, 431)
    assert all(lower.errors > higher.errors + 0.01 for lower, higher in pairwise(measured.rates))
    assert [each.wins for each in measured.rates[1:]] == pytest.approx([1.0] * 9)
    blocks = [each.blocks or 0.0 for each in measured.rates]
    assert blocks[1] < blocks[2] - 0.1
    assert all(lower < higher for lower, higher in pairwise(blocks[1:]))


def test_the_documentation_shows_the_table_that_the_command_prints(measured: Calibration, command: Noughts) -> None:
    printed = command("levels", "tic-tac-toe").stdout
    assert printed == report("Tic-tac-toe", measured) + "\n"
    assert printed in Path("docs/players.md").read_text(encoding="utf-8")


@pytest.mark.long
@pytest.mark.parametrize("notation", ["connect-four", "reversi:6", "mnk:9,9,5"])
def test_rates_fall_in_large_games_too(notation: str) -> None:
    rates = calibrate(noughts.load(notation)).rates
    assert all(lower.errors > higher.errors for lower, higher in pairwise(rates))


@pytest.mark.parametrize(
    "higher", [pytest.param(each, marks=[pytest.mark.long] * (each not in (3, 10))) for each in LEVELS[1:]]
)
def test_each_level_scores_55_percent_against_the_one_below(game: LineGame, higher: int) -> None:
    """The exact expected score in tic-tac-toe, each level beginning half of the games."""
    lower = higher - 1
    choices = {number: cache(Level(game, number).likely) for number in (lower, higher)}

    def expected(first: int, second: int) -> float:
        """Return the expected utility of a game between two levels."""

        @cache
        def utility(state: Any) -> float:
            if game.terminal(state):
                return float(game.utility(state))
            likely = choices[first if game.player(state) == MAX else second](state)
            return math.fsum(chance * utility(game.result(state, action)) for action, chance in likely)

        return utility(game.initial())

    assert 0.5 + (expected(higher, lower) - expected(lower, higher)) / 4 >= 0.565


def test_the_chances_add_up_and_are_those_of_the_choices(game: LineGame) -> None:
    state = noughts.replay(game, "1 5")
    for number in (1, 4, 10):
        level: Level[Any, Any] = Level(game, number, 7)
        chances = dict(level.likely(state))
        assert math.fsum(chances.values()) == pytest.approx(1)
        assert set(chances) == set(level.candidates(state))
        played = [level.choose(state) for _ in range(2_000)]
        for action, chance in chances.items():
            assert abs(played.count(action) / len(played) - chance) < 0.05


@pytest.mark.parametrize(
    ("notation", "position", "win"),
    [("tic-tac-toe", "1 4 2 5", 3), ("connect-four", "414141", 4), ("mnk:9,9,5", "d5 a1 e5 i1 f5 a9 g5 i9", None)],
)
def test_from_level_2_a_win_at_once_is_never_missed(notation: str, position: str, win: int | None) -> None:
    game = noughts.load(notation)
    state = noughts.replay(game, position)
    for number in LEVELS[1:]:
        level: Level[Any, Any] = Level(game, number)
        for action in level.candidates(state):
            assert game.utility(game.result(state, action)) == 1
            assert action == (win or action)
    assert len(Level(game, 1).candidates(state)) > 2


@pytest.mark.parametrize("notation", ["mnk:9,9,5", "mnk:15,15,5"])
@pytest.mark.parametrize("number", [1, 10])
def test_on_a_large_board_every_level_plays_near_the_action(notation: str, number: int) -> None:
    """An answer to a stone in the middle is at most two cells away from it."""
    game: Any = noughts.load(notation)
    middle = "h8" if game.columns == 15 else "e5"
    state = noughts.replay(game, middle)
    row, column = divmod(state.first.bit_length() - 1, game.columns)
    for action in Level(game, number).candidates(state):
        other_row, other_column = divmod(action - 1, game.columns)
        assert max(abs(other_row - row), abs(other_column - column)) <= 2


def test_a_lost_position_is_resisted(game: LineGame) -> None:
    """O has lost after 1 2 5: of its moves, those that lose latest are the likeliest at any level from 3."""
    state = noughts.replay(game, "1 2 5")
    answer = noughts.analyse(game, state)
    assert answer.value == "loss"
    assert len(answer.best) < len(answer.actions)
    shares = [sum(dict(Level(game, number).likely(state))[action] for action in answer.best) for number in LEVELS]
    assert shares[1] < 0.3 < shares[2] < shares[8]
    assert shares[9] > 0.85


CODE = """
import noughts
from noughts import MAX, MIN
from noughts.match import play_out
from noughts.players import computer
for notation in ("tic-tac-toe", "connect:5x4", "reversi:4", "mnk:7,7,4", "nim:20,30,40", "./examples/isolation.py"):
    game = noughts.load(notation)
    players = {MAX: computer("level-3", game, 1), MIN: computer("level-5", game, 2)}
    print(notation, play_out(game, players).played)
"""


def test_the_same_seed_gives_the_same_game_in_every_process() -> None:
    """Whatever the seed of hashes."""
    runs = [
        subprocess.run([sys.executable, "-c", CODE], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True)
        for seed in ("1", "2")
    ]
    assert runs[0].stderr == ""
    assert runs[0].stdout == runs[1].stdout
    assert runs[0].stdout.count("\n") == 6


def test_another_seed_gives_another_game(game: LineGame) -> None:
    def played(seed: int) -> tuple[int, ...]:
        return play_out(game, {MAX: computer("level-3", game, seed), MIN: computer("level-3", game, seed + 1)}).played

    assert len({played(seed) for seed in range(10)}) > 3


def test_without_time_a_level_says_that_it_has_not_looked() -> None:
    game = noughts.load("connect-four")
    level: Level[Any, Any] = Level(game, 10, 1, Limits(cancel=lambda: True))
    assert level.choose(game.initial()) in range(1, 8)
    assert level.caveat == NO_TIME
    level = Level(game, 10, 1)
    level.choose(game.initial())
    assert level.caveat == ""


def test_the_command_answers_with_json_and_complains_in_one_line(command: Noughts) -> None:
    done = command("levels", "connect:4x3", "--json")
    assert done.returncode == 0
    assert '"levels": [{"level": 1, "player": "level-1", "errors": ' in done.stdout
    for args, complaint in (
        (["--sample", "0"], "--sample must be a number above 0"),
        (["--seconds", "-1"], "--seconds must be"),
        (["--seconds", "0.001"], "it takes more than 0.001 seconds; raise --seconds, or lower --sample"),
    ):
        done = command("levels", "reversi:6", *args)
        assert (done.returncode, done.stdout) == (2, "")
        assert complaint in done.stderr
        assert done.stderr.count("\n") == 1
