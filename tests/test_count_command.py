"""`noughts count` and `noughts openings`, as people and scripts use them."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.command import Noughts


@pytest.fixture
def command(noughts_command: str, clean_env: dict[str, str]) -> Noughts:
    return Noughts(noughts_command, clean_env)


def answered(command: Noughts, *args: str) -> dict[str, Any]:
    done = command(*args, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("\n") == 1
    facts: dict[str, Any] = json.loads(done.stdout)
    return facts


def test_counts_for_scripts(command: Noughts) -> None:
    facts = answered(command, "count", "tic-tac-toe")
    assert (facts["game"], facts["position"], facts["complete"], facts["stopped"]) == ("tic-tac-toe", "", True, "done")
    assert (facts["nodes"], facts["nodes_past_wins"], facts["games"]) == (549_946, 986_410, 255_168)
    assert (facts["positions"], facts["positions_up_to_symmetry"]) == (5_478, 765)
    assert facts["results"] == {"won_by_max": 131_184, "won_by_min": 77_904, "drawn": 46_080}
    assert list(facts["plies"][9]) == ["ply", "nodes", "positions", "positions_up_to_symmetry", "games"]
    assert list(facts["plies"][9].values()) == [9, 127_872, 78, 15, 127_872]
    assert facts["searches"][0] == {"search": "minimax", "nodes": 549_946, "stopped": "done", "complete": True}


def test_counts_for_people(command: Noughts) -> None:
    text = command("count", "tic-tac-toe", "5", "1").stdout
    assert text.startswith("Tic-tac-toe, after 5 1\n\nply  ")
    assert "\nall  " in text
    assert "If play went on past a completed line, there would be 13,700 nodes." in text
    text = command("count", "examples/matches.py").stdout
    assert "symmetry" not in text
    assert "past a completed line" not in text


def test_counts_that_are_stopped_say_so(command: Noughts) -> None:
    text = command("count", "tic-tac-toe", "--positions", "500", "--nodes", "2000").stdout
    assert "so far    586        334              54      0" in text
    assert "There is more: the count was stopped by --positions." in text
    assert "more than 2,000" in text
    assert "times fewer" not in text
    facts = answered(command, "count", "connect-four", "--seconds", "0.5")
    assert (facts["complete"], facts["stopped"]) == (False, "deadline")
    assert facts["plies"]
    assert not any(each["complete"] for each in facts["searches"])
    assert "not run" in command("count", "connect-four", "--seconds", "0.000001").stdout


def test_a_picture_is_written(command: Noughts, tmp_path: Path) -> None:
    path = tmp_path / "counts.svg"
    done = command("count", "tic-tac-toe", "--plot", str(path))
    assert done.returncode == 0
    assert "549,946" in done.stdout
    title = ElementTree.parse(path).getroot()[0]
    assert title.text == "Tic-tac-toe, from the start: counts by ply"


@pytest.mark.parametrize("file", ["no-such-folder/counts.svg", "", "a\0b.svg"])
def test_a_picture_that_cannot_be_written(command: Noughts, tmp_path: Path, file: str) -> None:
    if "\0" in file:  # no shell can pass it on
        from noughts.cli.count import run
        from noughts.errors import NoughtsError

        with pytest.raises(NoughtsError, match="cannot write"):
            run(["tic-tac-toe", "--plot", file])
        return
    done = command("count", "tic-tac-toe", "--plot", str(tmp_path / file))
    assert (done.returncode, done.stdout) == (2, "")
    assert "cannot write " in done.stderr
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_failed_count_leaves_the_old_picture(command: Noughts, tmp_path: Path) -> None:
    game = tmp_path / "around.py"
    game.write_text(
        "def initial(): return 0\ndef player(state): return 1\ndef actions(state): return [1]\n"
        "def result(state, action): return (state + 1) % 3\ndef terminal(state): return False\n"
        "def utility(state): return 0\n",
        encoding="utf-8",
    )
    for path in (tmp_path / "old.svg", tmp_path / "new.svg"):
        if path.name == "old.svg":
            path.write_text("old", encoding="utf-8")
        done = command("count", str(game), "--plot", str(path))
        assert (done.returncode, done.stdout) == (2, "")
        assert "for ever" in done.stderr
    assert (tmp_path / "old.svg").read_text(encoding="utf-8") == "old"
    assert not (tmp_path / "new.svg").exists()


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        (["count"], "GAME"),
        (["count", "tictactoe"], "did you mean tic-tac-toe?"),
        (["count", "tic-tac-toe", "5", "5"], "'5' cannot be played after 5"),
        (["count", "tic-tac-toe", "--seconds", "-1"], "--seconds must be 0, which sets no limit, or a number above 0"),
        (["count", "tic-tac-toe", "--seconds", "nan"], "--seconds must be 0, which sets no limit, or a number above 0"),
        (["count", "tic-tac-toe", "--positions", "0"], "--positions must be a number above 0"),
        (["count", "tic-tac-toe", "--nodes", "-3"], "--nodes must be a number above 0"),
        (["count", "tic-tac-toe", "--nodes", "many"], "--nodes must be a whole number, not 'many'"),
        (["count", "tic-tac-toe", "--plots", "x.svg"], "did you mean --plot?"),
        (["count", "tic-tac-toe", "--plot"], "expected one argument"),
        (["count", "tic-tac-toe", "--plot", "x.png"], "cannot write 'x.png': a plot is SVG; end the name in .svg"),
        (["openings"], "GAME"),
        (
            ["openings", "tic-tac-toe", "--errs", "2"],
            "--errs must be a number from 0 to 1, such as 0.1 or 1/3",
        ),
        (["openings", "tic-tac-toe", "--errs", "-0.1"], "--errs"),
        (["openings", "tic-tac-toe", "--errs", "1/0"], "--errs must be a number from 0 to 1"),
        (["openings", "tic-tac-toe", "--errs", "often"], "not 'often'"),
        (["openings", "tic-tac-toe", "--errs", "1e-999999"], "--errs must be a number from 0 to 1"),
        (["openings", "tic-tac-toe", "--errs", "nan"], "--errs must be a number from 0 to 1"),
        (["openings", "tic-tac-toe", "--positions", "0"], "--positions must be a number above 0"),
        (["openings", "connect-four", "--positions", "1000"], "there are more than 1,000 positions up to symmetry"),
        (["openings", "connect-four", "--seconds", "0.2"], "it takes more than 0.2 seconds"),
    ],
)
def test_wrong_calls_get_one_line_and_exit_code_2(command: Noughts, args: list[str], complaint: str) -> None:
    done = command(*args)
    assert (done.returncode, done.stdout) == (2, "")
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1


def test_insight_for_scripts(command: Noughts) -> None:
    facts = answered(command, "openings", "tic-tac-toe", "--errs", "3/10")
    assert facts["to_move"] == "X"
    at_random, perfect, errs, slips = facts["measures"]
    assert [each["claim_holds"] for each in facts["measures"]] == [False, True, False, False]
    assert at_random["before"]["win"] == "737/1260"
    before = perfect["before"]
    assert (before["win"], before["draw"], before["loss"]) == ("75257/77760", "2503/77760", "0")
    assert (before["win_decimal"], before["win_bounds"]) == (float(Fraction(75257, 77760)), ["161/192", "191/192"])
    assert errs["opponent"] == {"rate": "3/10", "wilful": True}
    assert slips["opponent"] == {"rate": "3/10", "wilful": False}
    assert perfect["openings"][0]["actions"] == ["1", "3", "7", "9"]
    assert facts["safe_replies"][0] == {"actions": ["1", "3", "7", "9"], "safe": 1, "replies": 8}


def test_insight_for_people(command: Noughts) -> None:
    text = command("openings", "tic-tac-toe", "5", "--errs", "1/3").stdout
    assert "Against a random opponent, O wins most often with 1, 3, 7 or 9: 0.7238 of the games." in text
    assert "O perfect, X errs in 33.33% of the moves where it can:" in text
    assert "corner" not in text
    assert "First wins most often with 2: every game." in command("openings", "examples/matches.py").stdout


@pytest.mark.parametrize("name", ["count", "openings"])
def test_help(command: Noughts, name: str) -> None:
    done = command(name, "--help")
    assert done.returncode == 0
    assert done.stdout.startswith(f"usage: noughts {name} GAME [POSITION] [OPTIONS]")
    assert f"noughts {name} GAME" in command("--help").stdout


def test_openings_of_a_finished_game(command: Noughts) -> None:
    done = command("openings", "tic-tac-toe", "1 4 2 5 3")
    assert (done.returncode, done.stderr) == (0, "")
    assert "The game is over: X has won. There is no move left to compare.\n" in done.stdout
    facts = answered(command, "openings", "tic-tac-toe", "1 4 2 5 3")
    assert (facts["to_move"], facts["measures"], facts["safe_replies"]) == (None, [], [])
    assert facts["result"] == {"winner": "X", "margin": 1, "sentence": "X wins."}
    facts = answered(command, "openings", "tic-tac-toe", "XOX/OOX/XXO")
    assert facts["result"] == {"winner": None, "margin": 0, "sentence": "A draw."}
    assert answered(command, "openings", "nim:1,2")["result"] is None


def test_a_plot_is_not_written_as_svg_under_another_ending(command: Noughts, tmp_path: Path) -> None:
    for name in ("counts.png", "counts.PDF", "counts.svg.gz"):
        done = command("count", "nim:1,2", "--plot", str(tmp_path / name))
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.endswith(": a plot is SVG; end the name in .svg\n")
    assert not list(tmp_path.iterdir())
    for name in ("counts.SVG", "counts"):
        assert command("count", "nim:1,2", "--plot", str(tmp_path / name)).returncode == 0
        assert (tmp_path / name).read_text(encoding="utf-8").startswith("<svg")
