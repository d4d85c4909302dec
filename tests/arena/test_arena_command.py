"""`noughts arena`, as people and scripts use it."""

import json
from pathlib import Path
from typing import Any

import pexpect
import pytest

from noughts.arena import tournament
from noughts.record import read_record_file, read_records
from noughts.wire.types import ArenaFacts, ExactArenaFacts
from tests.command import Noughts
from tests.helpers import TIMEOUT


@pytest.fixture
def run(noughts_command: str, clean_env: dict[str, str]) -> Noughts:
    return Noughts(noughts_command, clean_env)


def test_the_report(run: Noughts) -> None:
    done = run("arena", "perfect", "random", "rules", "--games", "20", "--seed", "4")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "Tic-tac-toe: 60 games, after 1 random move, seed 4."
    found = tournament("tic-tac-toe", ["perfect", "random", "rules"], games=20, seed=4)
    rows = [line.split() for line in lines[3:6]]
    assert [(row[0], *map(int, row[1:5])) for row in rows] == [
        (each.player, each.tally.games, *each.tally[:3]) for each in found.standings
    ]
    for pairing in found.pairings:
        assert f"{pairing.one} against {pairing.other}" in lines
        pairs = " ".join(map(str, pairing.tally.pairs))
        assert f"  pairs         {pairs} of 0, 0.5, 1, 1.5, 2 points" in done.stdout


def test_the_json(run: Noughts, tmp_path: Path) -> None:
    args = ("arena", "rules", "random", "--game", "connect:4x4", "--games", "10", "--json")
    done = run(*args, "--jobs", "2")
    facts: dict[str, Any] = json.loads(done.stdout)
    assert set(facts) == set(ArenaFacts.__annotations__)
    assert facts == json.loads(run(*args).stdout)
    assert (facts["game"], facts["seed"], facts["played"], facts["complete"]) == ("connect:4x4", 0, 10, True)
    [found] = tournament("connect:4x4", ["rules", "random"], games=10).pairings
    [pairing] = facts["pairings"]
    assert [pairing["wins"], pairing["draws"], pairing["losses"]] == list(found.tally[:3])
    assert pairing["score"]["low"] == pytest.approx(found.tally.score.low)
    assert facts["players"][0]["superiority"] == pytest.approx(found.tally.superiority)


def test_infinite_elo_is_null_in_json(run: Noughts) -> None:
    done = run("arena", "perfect", "random", "--game", "nim:3,4,5", "--games", "2", "--json", "--opening-moves", "0")
    first = json.loads(done.stdout)["players"][0]
    assert first["wins"] in (1, 2)
    facts = json.loads(run("arena", "rules", "random", "--game", "connect:7x6", "--games", "4", "--json").stdout)
    if facts["players"][0]["losses"] + facts["players"][0]["draws"] == 0:
        assert facts["players"][0]["elo"]["value"] is None
        assert facts["players"][0]["normalised_elo"] is None


def test_exact_chances(run: Noughts) -> None:
    done = run("arena", "random", "random", "--exact")
    assert done.stdout.splitlines()[3].split() == [
        *("random#1", "random#2"),
        *("737/1260", "58.49", "%", "8/63", "12.70", "%", "121/420", "28.81", "%"),
    ]
    facts = json.loads(run("arena", "random", "random", "--exact", "--json").stdout)
    assert set(facts) == set(ExactArenaFacts.__annotations__)
    assert [facts["pairings"][0]["begun"][each] for each in ("win", "draw", "loss")] == ["737/1260", "8/63", "121/420"]
    assert facts["pairings"][0]["replied"]["win"] == "121/420"
    assert facts["players"][0]["score"] == "1/2"


def test_games_are_saved_and_scores_are_drawn(run: Noughts, tmp_path: Path) -> None:
    games, plot = tmp_path / "games.txt", tmp_path / "scores.svg"
    for jobs in ("1", "2"):
        done = run(
            "arena", "rules", "random", "--games", "6", "--save", str(games), "--plot", str(plot), "--jobs", jobs
        )
        assert done.returncode == 0
    records = read_records(read_record_file(str(games)))
    assert len(records) == 12
    assert records[:6] == records[6:]
    picture = plot.read_text("utf-8")
    assert picture.startswith("<svg")
    assert ">rules</text>" in picture
    assert "With 95 % confidence intervals" in picture
    assert [record.tag("Round") for record in records[:6]] == ["1.1", "1.2", "2.1", "2.2", "3.1", "3.2"]


def test_a_test_that_decides(run: Noughts) -> None:
    done = run("arena", "perfect", "random", "--sprt", "0,100")
    assert "accepted: the difference is 100 Elo rather than 0" in done.stdout
    assert "between -2.94 and 2.94" in done.stdout
    facts = json.loads(run("arena", "perfect", "random", "--sprt", "0,100", "--json").stdout)
    assert facts["sprt"]["decision"] == "elo1"
    assert facts["sprt"]["ratio"] >= facts["sprt"]["high"]
    done = run("arena", "random", "random", "--sprt", "-5,0", "--games", "10")
    assert "not decided" in done.stdout


def test_an_odd_number_of_games(run: Noughts) -> None:
    done = run("arena", "rules", "random", "--games", "5")
    assert done.stderr == "noughts: an opening is played twice, so these are 6 games for each two players\n"
    assert "6 games" in done.stdout


def test_ctrl_c_gives_what_was_played(noughts_command: str, clean_env: dict[str, str]) -> None:
    for more in ([], ["--jobs", "2"]):
        args = ["arena", "random", "random", "--game", "mnk:9,9,5", "--games", "200000", *more]
        child = pexpect.spawn(
            noughts_command, args, env=clean_env, encoding="utf-8", timeout=TIMEOUT, dimensions=(30, 120)
        )
        child.expect("leads with")
        child.sendintr()
        child.expect("It was stopped: 200,000 games were to be played.")
        child.expect("random#1 against random#2|random#2 against random#1")
        child.expect(pexpect.EOF)
        child.close()
        assert child.exitstatus == 0


WRONG = [
    (["perfect"], "two players or more"),
    ([], "two players or more"),
    (["perfect", "perfet"], "there is no player 'perfet'; did you mean perfect?"),
    (["perfect", "human"], "there is no player 'human'"),
    (["random", "random", "--games", "0"], "--games must be a number above 0"),
    (["random", "random", "--games", "-5"], "--games must be a number above 0"),
    (["random", "random", "--games", "two"], "--games must be a whole number, not 'two'"),
    (["random", "random", "--jobs", "0"], "--jobs must be a number above 0"),
    (["random", "random", "--think", "-1"], "--think must be 0, which sets no limit, or a number above 0"),
    (["random", "random", "--opening-moves", "-1"], "--opening-moves must be 0 or more"),
    (["random", "random", "--opening-moves", "9"], "over within an opening of 9 random moves; choose a shorter one"),
    (["random", "random", "--sprt", "5"], "--sprt needs two differences in Elo"),
    (["random", "random", "--sprt", "5,1"], "the lower first"),
    (["random", "random", "--sprt", "nan,1"], "the lower first"),
    (["random", "random", "random", "--sprt", "0,5"], "for two players"),
    (["random", "random", "--exact", "--games", "5"], "--games does not go with --exact"),
    (["random", "random", "--game", "chess"], "there is no game 'chess'"),
    (["random", "random", "--plot", "scores.png"], "a plot is SVG"),
    (["random", "random", "--plot", "none/scores.svg"], "cannot write"),
    (["random", "random", "--save", "none/games.txt"], "cannot write"),
    (["random", "random", "--save", "README.md"], "it is not a file of games"),
    (["random", "random", "--tournament"], "unrecognized arguments: --tournament"),
]


@pytest.mark.parametrize(("args", "told"), WRONG)
def test_one_line_says_what_is_wrong(run: Noughts, args: list[str], told: str) -> None:
    done = run("arena", *args)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert told in done.stderr
