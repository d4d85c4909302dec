"""`noughts book`, as people and scripts use it."""

import json
from pathlib import Path

import pytest

from tests.book.books import built
from tests.command import Noughts


@pytest.fixture
def command(noughts_command: str, clean_env: dict[str, str]) -> Noughts:
    return Noughts(noughts_command, clean_env)


def test_build_verify_and_show(command: Noughts, tmp_path: Path) -> None:
    path = str(tmp_path / "nim.book")
    done = command("book", "build", "nim:3,4,5", "--plies", "3", "-o", path, "--json")
    facts = json.loads(done.stdout)
    assert (done.returncode, facts["complete"], facts["positions"], facts["solved"]) == (0, True, 80, 33)
    assert Path(path).read_bytes() == built("nim:3,4,5", 3)
    assert [each.name for each in tmp_path.iterdir()] == ["nim.book"]  # the checkpoint is gone
    shown = json.loads(command("book", "show", path, "--json").stdout)
    assert (shown["game"], shown["plies"], shown["positions"]) == ("nim:3,4,5", 3, 80)
    assert shown["bytes"] == facts["bytes"] == len(built("nim:3,4,5", 3))
    verified = json.loads(command("book", "verify", path, "--json").stdout)
    assert (verified["ok"], verified["derived"], verified["solved"], verified["problems"]) == (True, 47, 33, [])
    told = command("book", "verify", path, "nim:3,4,5", "--sample", "2")
    assert told.returncode == 0
    assert "2 of 33 leaves solved again" in told.stdout
    assert told.stdout.endswith("No problem found.\n")


def test_a_checkpoint_is_taken_up_and_kept(command: Noughts, tmp_path: Path) -> None:
    path, leaves = str(tmp_path / "n.book"), tmp_path / "n.txt"
    leaves.write_text("a1,a1,b3 7 4\n", encoding="utf-8")
    done = command("book", "build", "nim:3,4,5", "--plies", "3", "-o", path, "--resume", str(leaves))
    assert (done.returncode, done.stderr) == (0, "")
    assert "80 positions up to ply 3" in done.stdout
    assert "32 of 33 leaves solved now" in done.stdout
    assert len(leaves.read_text(encoding="utf-8").splitlines()) == 33


def test_a_damaged_or_foreign_book_is_a_problem(command: Noughts, tmp_path: Path) -> None:
    path = tmp_path / "nim.book"
    content = built("nim:3,4,5", 3)
    path.write_bytes(content[:-1] + bytes([content[-1] ^ 128]))
    done = command("book", "verify", str(path), "--json")
    facts = json.loads(done.stdout)
    assert (done.returncode, facts["ok"]) == (1, False)
    assert "damaged" in facts["problems"][0]
    path.write_bytes(content)
    other = command("book", "verify", str(path), "nim:3,4,6")
    assert (other.returncode, other.stderr) == (1, "")
    assert "for other rules (nim:3,4,5)" in " ".join(other.stdout.split())


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["bild"], "there is no command 'book bild'; did you mean build?"),
        (["verify", "nowhere.book"], "cannot read 'nowhere.book': there is no such file"),
        (["show", "README.md"], "'README.md' is not a book"),
        (["build", "nim:3", "--plies", "-1", "-o", "x"], "--plies must be 0 or more"),
        (["build", "nim:3", "--plies", "1", "-o", "/nowhere/x"], "cannot write '/nowhere/x': No such file"),
        (["build", "nim:3", "--plies", "1", "-o", "x", "--resume", "no"], "cannot read 'no': there is no such file"),
        (["build", "nim:3", "-o", "x"], "the following arguments are required: --plies"),
        (["verify", "README.md", "--sample", "-2"], "--sample must be 0 or more"),
    ],
)
def test_bad_input_is_one_line(command: Noughts, words: list[str], told: str) -> None:
    done = command("book", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"noughts: {told}")
    assert done.stderr.count("\n") == 1


def test_help(command: Noughts) -> None:
    assert "noughts book verify FILE" in command("book").stdout
    for name in ("build", "verify", "show"):
        done = command("book", name, "--help")
        assert done.returncode == 0
        assert "examples:" in done.stdout
