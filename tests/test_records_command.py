"""Records on the command line: games are saved, gone on from, and analysed; no record runs a program or a file."""

from pathlib import Path

import pytest

import noughts
from noughts.record import Move, read_record, read_record_file, read_records
from tests.command import Noughts


@pytest.fixture
def run(noughts_command: str, clean_env: dict[str, str]) -> Noughts:
    return Noughts(noughts_command, clean_env)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.txt"


OWN_GAME = """
print("ran")
def initial(): return 3
def player(s): return 1 if s % 2 else -1
def actions(s): return ["take"] if s else []
def result(s, a): return s - 1
def terminal(s): return s == 0
def utility(s): return 1
"""


def test_games_are_added_to_a_file(run: Noughts, file: Path) -> None:
    """Finished ones, and those that were left; not if nobody moved."""
    for typed in ("5\n9\nquit\n", "5\n", "quit\n", ""):
        run("play", "--opponent", "rules", "--save", str(file), typed=typed)
    done = run("play", "nim:1,2", "2", "--you", "perfect", "--opponent", "random", "--seed", "5", "--save", str(file))
    assert done.returncode == 2, "no such move"
    done = run("play", "--you", "rules", "--opponent", "random", "--seed", "5", "--save", str(file))
    assert done.returncode == 0
    left, ended, computers = read_records(read_record_file(str(file)))
    assert [move.name for move in left.moves] == ["5", "2", "9", "1"]
    assert [move.name for move in ended.moves] == ["5", "2"]
    assert left.players == ended.players == ("human", "rules")
    assert left.result == ended.result == "unfinished"
    assert computers.players == ("rules", "random")
    assert computers.result != "unfinished"
    assert computers.tag("Seed") == "5"
    assert len(computers.tag("Date") or "") == 10


def test_a_game_goes_on(run: Noughts, file: Path) -> None:
    """With the same sides, with its comments, and in the file it came from."""
    file.write_text(
        '[Game "tic-tac-toe"][Position "5"][First "perfect"][Second "Ann"] 1 {Corner.} 3\n[Game "nim:3"]', "utf-8"
    )
    number = ("--from", str(file), "--game-number", "1", "--save", str(file))
    done = run("play", *number, typed="7\nquit\n")
    assert "you are O, the computer is X (perfect) and begins" in done.stdout
    run("play", *number, typed="undo\n7\nquit\n")
    first, _, longer, other = read_records(read_record_file(str(file)))
    assert (longer.position, longer.result) == (first.position, "unfinished")
    assert longer.moves[:2] == first.moves
    assert [move.name for move in longer.moves[:3]] == ["1", "3", "7"]
    assert len(longer.moves) == 4
    assert other.moves[0] == Move("7")
    file.write_text(str(first), "utf-8")
    done = run("play", "--from", str(file), "--opponent", "human", typed="quit\n")
    assert "X begins, O follows" in done.stdout
    done = run("play", "--from", str(file), "--you", "perfect", "--opponent", "perfect", "--json")
    assert '"result": {"winner": null' in done.stdout


def test_who_goes_on_is_whoever_played(run: Noughts, file: Path) -> None:
    """But a record never starts a program: a player who is not built in is taken to be a person."""
    for players, told in (
        (("random", "easy"), "X (random, plays at random) begins, O (easy"),
        (("cmd:touch x", "easy"), "you are X and begin, the computer is O (easy"),
        (("easy", "cmd:touch x"), "you are O, the computer is X (easy"),
        (("cmd:a", "cmd:b"), "X begins, O follows"),
        (("", "easy"), "you are X and begin, the computer is O (perfect)"),
        (("", ""), "you are X and begin, the computer is O (perfect)"),
    ):
        file.write_text(f'[Game "tic-tac-toe"][First "{players[0]}"][Second "{players[1]}"] 5 1', "utf-8")
        assert told in run("play", "--from", str(file), typed="quit\n").stdout


def test_a_record_is_analysed(run: Noughts, file: Path) -> None:
    file.write_text('[Game "tic-tac-toe"] 5 1 3 {Over.}\n[Game "connect:4x4"] 1', "utf-8")
    assert "connect:4x4" in run("analyse", "--from", str(file), "--json").stdout
    done = run("analyse", "--from", str(file), "--game-number", "1", "--json")
    assert done.stdout.startswith('{"game": "tic-tac-toe", "position": "5 1 3"')
    assert (
        done.stdout.partition('"actions"')[0]
        == run("analyse", "tic-tac-toe", "5 1 3", "--json").stdout.partition('"actions"')[0]
    )


def test_a_file_of_python_is_run_only_if_it_is_typed(run: Noughts, file: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.py"
    own.write_text(OWN_GAME, "utf-8")
    played = run("play", str(own), "--you", "random", "--opponent", "random", "--save", str(file))
    assert "ran" in played.stdout
    assert read_record(file.read_text("utf-8"), load=lambda _: noughts.load(str(own))).result == "first wins"
    file.write_text(f'[Game "{own}"] take', "utf-8")
    for command in ("play", "analyse"):
        done = run(command, "--from", str(file))
        assert done.returncode == 2
        assert "a file is only run if you name it yourself" in done.stderr
        assert "ran" not in done.stdout + done.stderr
        done = run(command, str(own), "--from", str(file), typed="quit\n")
        assert done.returncode == 0, done.stderr
        assert "ran" in done.stdout
    done = run("analyse", "tic-tac-toe", "--from", str(file))
    assert done.returncode == 2
    assert f"the game is {own}, not tic-tac-toe" in done.stderr


WRONG = [
    (["play", "--from", "FILE", "--game-number", "3"], "there is no game 3 here, but 2 games"),
    (["play", "--from", "FILE", "--game-number", "1"], "the game is already over in "),
    (["play", "--from", "FILE", "--game-number", "2"], "line 3: '5' cannot be played as move 2; you can play"),
    (["play", "--from", "NONE"], "cannot read"),
    (["play", "--from", "FILE", "tic-tac-toe", "5"], "--from does not go with a position"),
    (["play", "--game-number", "1"], "--game-number is for --from FILE"),
    (["analyse", "nim:3", "--from", "FILE", "--game-number", "1"], "the game is tic-tac-toe, not nim:3"),
    (["analyse", "--from", "BINARY"], "is not a record of games: line 2 is not UTF-8 text"),
    (["analyse"], "the following arguments are required: GAME"),
    (["play", "--save", "BINARY"], "cannot add a game to"),
    (["play", "--save", "FOLDER"], "it is a folder"),
    (["play", "--save", "FOLDER/none/games.txt"], "there is no folder to write in"),
]


@pytest.mark.parametrize(("args", "told"), WRONG)
def test_one_line_says_what_is_wrong(run: Noughts, file: Path, tmp_path: Path, args: list[str], told: str) -> None:
    file.write_text('[Game "tic-tac-toe"] 1 4 2 5 3\n[Game "tic-tac-toe"]\n5 5', "utf-8")
    binary = tmp_path / "binary"
    binary.write_bytes(bytes(range(256)))
    paths = {"FILE": str(file), "NONE": str(tmp_path / "none"), "BINARY": str(binary), "FOLDER": str(tmp_path)}
    for name, path in paths.items():
        args = [path + each.removeprefix(name) if each.startswith(name) else each for each in args]
    done = run(*args, typed="5\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert told in done.stderr
    assert binary.read_bytes() == bytes(range(256))
