"""`noughts review` as people and scripts use it, and the offer of a review after a game."""

import json
import re
from pathlib import Path

import pytest

from tests.command import Noughts
from tests.test_play_terminal import AGAIN, PROMPT, Start, ended, start

__all__ = ["start"]

GAMES = """\
[Game "tic-tac-toe"]
[First "Ann"]
[Second "Ben"]

1. 5 2 2. 1 9 3. 7 3 4. 4

[Game "tic-tac-toe"]

1. 5 1
"""


@pytest.fixture
def noughts(noughts_command: str, clean_env: dict[str, str]) -> Noughts:
    return Noughts(noughts_command, clean_env)


@pytest.fixture
def games(tmp_path: Path) -> str:
    """Return the path of a file of two games."""
    path = tmp_path / "games.txt"
    path.write_text(GAMES, encoding="utf-8")
    return str(path)


def test_a_game_of_a_file_and_the_same_by_its_moves(noughts: Noughts, games: str) -> None:
    done = noughts("review", games, "--game-number", "1")
    assert done.returncode == 0
    assert done.stdout == noughts("review", "tic-tac-toe", "5", "2", "1", "9", "7", "3", "4").stdout
    assert done.stdout.startswith("Tic-tac-toe: X won. X made no mistakes, O made 1 mistake.\n")
    assert re.search(
        r"2  O 2  D -> L6 +mistake: With 2, O loses in 6 moves; better is 1, 3, 7 or 9,\s+which draws\.", done.stdout
    )
    assert "7  X 4  W1 -> won" in done.stdout
    assert "X: 100% (3 of 3 decisions)\n" in done.stdout
    last = noughts("review", games)
    assert last.stdout.startswith("Tic-tac-toe: not finished. X made no mistakes, O made no mistakes.\n")


def test_retrying_only_the_mistakes_of_one_player(noughts: Noughts, games: str) -> None:
    done = noughts("review", games, "--game-number", "1", "--retry", "--for", "o", typed="2\nx\n7\n")
    assert done.returncode == 0
    assert "Move 2: O played 2. O could draw." in done.stdout
    assert "No. With 2, O loses in 6 moves. X plays 1." in done.stdout
    assert "'x' is not a move here" in done.stdout
    assert "Right: 7." in done.stdout
    assert "1 of 1 mistake corrected." in done.stdout
    assert noughts("review", games, "--game-number", "1", "--retry", "--for", "X").stdout == (
        "There is no mistake of X to retry.\n"
    )
    shown = noughts("review", games, "--game-number", "1", "--retry", typed="show\n")
    assert "0 of 1 mistake corrected." in shown.stdout
    assert noughts("review", games, "--game-number", "1", "--retry", typed="q\n").stdout.endswith("Bye.\n")
    gone = noughts("review", games, "--game-number", "1", "--retry")
    assert (gone.returncode, gone.stderr) == (1, "noughts: input ended before the mistakes were corrected\n")


def test_a_picture_and_json(noughts: Noughts, games: str, tmp_path: Path) -> None:
    path = tmp_path / "game.svg"
    facts = json.loads(noughts("review", games, "--game-number", "1", "--plot", str(path), "--json").stdout)
    assert path.read_text(encoding="utf-8").startswith("<svg ")
    assert [each["mark"] for each in facts["moves"]] == ["good", "mistake", *["good"] * 5]
    assert facts["moves"][1]["before"] == {"value": "draw", "distance": None, "margin": 0}
    assert facts["moves"][1]["better"] == ["1", "3", "7", "9"]
    assert [each["value"] for each in facts["course"]] == ["draw", "draw", *["win"] * 6]
    assert [each["percent"] for each in facts["accuracy"]] == [100, 50]
    assert facts["result"]["winner"] == "X"


def test_a_game_of_a_file_of_ones_own(noughts: Noughts, tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_text('[Game "examples/matches.py"]\n\n1. 1 1 2. 3 1\n', encoding="utf-8")
    by_file = noughts("review", "examples/matches.py", "--from", str(path))
    assert by_file.returncode == 0
    assert by_file.stdout == noughts("review", "examples/matches.py", "1", "1", "3", "1").stdout
    refused = noughts("review", str(path))
    assert refused.returncode == 2
    assert "is a file, and a file is only run if you name it yourself" in refused.stderr


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ((), "what is to be reviewed? A file of games, or a game and its moves"),
        (("tic-tac-toe",), "there is nothing to review: no move was played"),
        (("tic-tac-toe", "5", "5"), "'5' cannot be played after 5; you can play 1 2 3 4 6 7 8 9"),
        (("tic-tac-toe", "1", "4", "2", "5", "3", "6"), "'6' cannot be played after 1 4 2 5 3: the game is over"),
        (("missing.txt",), "cannot read 'missing.txt': No such file or directory"),
        (("README.md",), "README.md, line 1: a game begins with its name"),
        (("tic-tac-toe", "5", "--for", "X"), "--for is for --retry"),
        (("tic-tac-toe", "5", "--retry", "--for", "Z"), "there is no player 'Z'; choose X or O"),
        (("tic-tac-toe", "5", "--retry", "--json"), "--retry and --json exclude each other"),
        (("tic-tac-toe", "5", "--plot", "nowhere/x.svg"), "cannot write 'nowhere/x.svg': No such file or directory"),
        (("README.md", "5"), "'README.md' is a file of games; --game-number N chooses one of them"),
        (("tic-tac-toe", "5", "--game-number", "2"), "--game-number is for --from FILE"),
        (("tic-tac-toe", "5", "--seconds", "nan"), "--seconds must be 0, which sets no limit, or a number above 0"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(noughts: Noughts, args: tuple[str, ...], said: str) -> None:
    done = noughts("review", *args)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith(f"noughts: {said}")
    assert done.stderr.count("\n") == 1


def test_a_review_is_offered_after_a_lost_game(start: Start) -> None:
    child = start("play")
    for move in "532":
        child.expect(PROMPT)
        child.sendline(move)
    child.expect("You made 1 mistake: type review to see the game, or retry to try again.")
    child.expect(AGAIN)
    child.sendline("review")
    child.expect("O won. X made 1 mistake, O made no mistakes.")
    child.expect(AGAIN)
    child.sendline("retry")
    child.expect("Move 5: X played 2. X could draw.")
    child.expect("X, your move")
    child.sendline("4")
    child.expect("Right: 4.")
    child.expect("1 of 1 mistake corrected.")
    child.expect(AGAIN)
    child.sendline("no")
    assert ended(child) == 0


def test_no_review_is_offered_to_who_made_no_mistake(start: Start) -> None:
    child = start("play")
    for move in "59276":
        child.expect(PROMPT)
        child.sendline(move)
    child.expect("It's a draw")
    child.expect(AGAIN)
    assert "mistake" not in (child.before or "")
    child.sendline("no")
    assert ended(child) == 0
