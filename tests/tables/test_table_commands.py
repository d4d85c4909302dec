"""Tables on the command line: verify, show and export one, and answer, play and serve with one."""

import json
import shutil
from pathlib import Path

import pytest

from tests.command import Noughts
from tests.tables.reference import make_table
from tests.web.serving import running


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table of tic-tac-toe."""
    return make_table(tmp_path_factory.mktemp("sound") / "ttt", "tic-tac-toe")


@pytest.fixture
def command(noughts_command: str, clean_env: dict[str, str]) -> Noughts:
    return Noughts(noughts_command, {**clean_env, "NOUGHTS_TABLES": ""})


def damaged(table: Path, copy: Path, name: str) -> str:
    """Return the folder of a copy of a table in which one bit of a file has flipped."""
    shutil.copytree(table, copy)
    content = bytearray((copy / name).read_bytes())
    content[len(content) // 3] ^= 4
    (copy / name).write_bytes(content)
    return str(copy)


def test_verify(command: Noughts, sound: Path, tmp_path: Path) -> None:
    done = command("verify", str(sound))
    assert (done.returncode, done.stderr) == (0, "")
    told = " ".join(done.stdout.split())
    assert "765 of 765 positions derived from their children" in told
    assert told.endswith("No problem found: every value is right, and no position is missing or too many.")
    facts = json.loads(command("verify", str(sound), "tic-tac-toe", "--json", "--workers", "1").stdout)
    assert {name: facts[name] for name in ("game", "ok", "complete", "sampled", "stored", "checked", "problems")} == {
        "game": "tic-tac-toe",
        "ok": True,
        "complete": True,
        "sampled": False,
        "stored": 765,
        "checked": 765,
        "problems": [],
    }
    facts = json.loads(command("verify", str(sound), "--sample", "100", "--seed", "1", "--json").stdout)
    assert (facts["ok"], facts["sampled"], facts["checked"]) == (True, True, 100)


def test_verify_tells_what_is_wrong(command: Noughts, sound: Path, tmp_path: Path) -> None:
    folder = damaged(sound, tmp_path / "bad", "wdl-6-0.ntb")
    done = command("verify", folder)
    assert (done.returncode, done.stderr) == (1, "")
    assert "wdl-6-0.ntb" in done.stdout.replace("\n", "")
    other = command("verify", str(sound), "misere", "--json")
    facts = json.loads(other.stdout)
    assert (other.returncode, facts["game"], facts["ok"], facts["stored"]) == (1, "misere", False, 0)
    assert facts["problems"] == [f"the table '{sound}' is not used: it is for other rules (tic-tac-toe)"]


def test_show_and_export(command: Noughts, sound: Path) -> None:
    shown = command("table", "show", str(sound))
    assert shown.stdout.startswith("game: tic-tac-toe\nstored: 765 positions, up to symmetry\ndistances: yes\n")
    facts = json.loads(command("table", "show", str(sound), "--json").stdout)
    assert facts["bytes"] == sum(path.stat().st_size for path in sound.iterdir())
    assert [each["stored"] for each in facts["tiers"]] == [1, 3, 12, 38, 108, 174, 204, 153, 57, 15]
    lines = command("table", "export", str(sound), "tic-tac-toe").stdout.splitlines()
    assert lines[:2] == ["tier,code,value,margin,distance", "0,0,draw,0,"]
    assert len(lines) == 766
    assert "noughts table export DIR" in command("table").stdout


def test_answers_come_from_the_table(command: Noughts, sound: Path, tmp_path: Path) -> None:
    facts = json.loads(command("analyse", "tic-tac-toe", "5", "2", "--table", str(sound), "--json").stdout)
    assert (facts["method"], facts["value"], facts["distance"], facts["nodes"]) == ("table", "win", 5, 0)
    explained = command("explain", "tic-tac-toe", "5 1 3", "7", "--table", str(sound))
    assert "table: 0 nodes" in explained.stdout
    players = ("--you", "perfect", "--opponent", "perfect", "--json", "--mark", "O")
    played = command("play", *players, "--table", str(sound))
    assert (played.returncode, json.loads(played.stdout)["result"]["sentence"]) == (0, "A draw.")
    folder = damaged(sound, tmp_path / "bad", "wdl-6-0.ntb")
    noticed = command("play", *players, "--table", folder)
    assert (noticed.returncode, json.loads(noticed.stdout)["result"]["sentence"]) == (0, "A draw.")
    assert "wdl-6-0.ntb' is damaged and not used" in noticed.stderr


def test_a_table_in_the_folder_of_tables(command: Noughts, sound: Path, clean_env: dict[str, str]) -> None:
    found = Noughts(command.command, {**clean_env, "NOUGHTS_TABLES": str(sound.parent)})
    assert json.loads(found("analyse", "tic-tac-toe", "--json").stdout)["method"] == "table"
    assert str(sound.parent) in found("table").stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["verify", "nowhere"], "'nowhere' is no table: there is no such folder"),
        (["verify", "tests"], "'tests' is no table: it has no manifest.json"),
        (["verify", "tests", "--sample", "0"], "--sample must be a number above 0"),
        (["table", "shwo", "x"], "there is no command table 'shwo'; did you mean show?"),
        (["table", "show", "nowhere"], "there is no table 'nowhere': there is no such folder"),
        (["analyse", "nim:3", "--table", "README.md"], "'README.md' is not a table: a table is a folder"),
        (["analyse", "nim:3", "--table", "x", "--method", "mtd"], "--table does not go with --method mtd"),
        (["explain", "nim:3", "--table", "nowhere"], "there is no table 'nowhere': there is no such folder"),
        (["play", "nim:3", "--table", "tests"], "'tests' is not a table, or not a whole one: it has no manifest.json"),
        (["serve", "--table", "nowhere", "--no-browser"], "there is no table 'nowhere': there is no such folder"),
    ],
)
def test_bad_input_is_one_line(command: Noughts, words: list[str], told: str) -> None:
    done = command(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"noughts: {told}")
    assert done.stderr.count("\n") == 1


def test_another_games_table_is_refused(command: Noughts, sound: Path) -> None:
    done = command("analyse", "misere", "--table", str(sound))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"noughts: the table '{sound}' is not used: it is for other rules (tic-tac-toe)\n"


def test_the_server_answers_from_the_table(noughts_command: str, sound: Path, tmp_path: Path) -> None:
    path = tmp_path / "misere3.py"
    path.write_text("from noughts.games import named\ngame = named('misere')\n", encoding="utf-8")
    own = make_table(tmp_path / "own", str(path))
    options = ("--table", str(sound), "--table", str(own), "--workers", "1")
    with running(noughts_command, "tic-tac-toe", "misere", str(path), *options) as server, server.client() as client:
        found = client.get("/api/analyse", game="tic-tac-toe", position="5 2").json()
        assert (found["method"], found["value"], found["distance"]) == ("table", "win", 5)
        assert client.get("/api/analyse", game="misere", position="").json()["method"] != "table"
        assert client.get("/api/analyse", game="./misere3.py", position="").json()["method"] == "table"
        assert client.get("/api/move", game="tic-tac-toe", position="5 1 3", player="perfect").json()["action"] == "7"


def test_the_server_goes_on_without_a_table_that_is_damaged_later(
    noughts_command: str, sound: Path, tmp_path: Path
) -> None:
    copy = Path(shutil.copytree(sound, tmp_path / "copy"))
    with (
        running(noughts_command, "tic-tac-toe", "--table", str(copy), quiet=False) as server,
        server.client() as client,
    ):
        for file in copy.glob("*.ntb"):
            file.write_bytes(bytes(file.stat().st_size))
        found = client.get("/api/analyse", game="tic-tac-toe", position="5 1").json()
        assert (found["value"], found["method"] != "table") == ("draw", True)
