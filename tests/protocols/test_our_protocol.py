"""`noughts engine` in our own protocol: every command, what is wrong with one, stopping, and whatever is sent."""

import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noughts
from noughts.protocols.inbox import LONGEST_COMMAND
from noughts.protocols.session import Session
from tests.command import Noughts
from tests.helpers import TIMEOUT
from tests.protocols.talk import Make, engine, told


@pytest.fixture
def command(noughts_command: str, clean_env: dict[str, str]) -> Noughts:
    return Noughts(noughts_command, clean_env)


def test_a_whole_conversation(command: Noughts) -> None:
    typed = "\n".join(
        [
            *("noughts", "game tic-tac-toe", "isready", "go nodes 100000", "position moves 5 1 3", "go", "newgame"),
            *("position O.X/.X./... moves", "go seconds 60", "position O.X/.X./... moves 7 4", "go"),
        ]
    )
    played = command("engine", typed=typed)
    assert (played.returncode, played.stderr) == (0, "")
    lines = [line for line in played.stdout.splitlines() if not line.startswith("info")]
    assert lines == [
        *(f"id name noughts {noughts.__version__}", "ok", "readyok", "bestmove 1", "bestmove 7", "bestmove 7"),
        "bestmove 6",
    ]
    infos = [line for line in played.stdout.splitlines() if line.startswith("info")]
    assert infos[-1].startswith("info score draw nodes ")
    assert " line 6" in infos[-1]


def test_what_is_known_of_a_won_position() -> None:
    typed = b"game tic-tac-toe\nposition moves 1 4 2 5\ngo nodes 100000\nposition moves 1 9\ngo nodes 100000\n"
    assert [line.partition(" nodes")[0] for line in told(Session, typed)] == [
        *("info score win 1", "bestmove 3", "info score win 5", "bestmove 3"),
    ]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("hello", "there is no command 'hello'; there are: noughts, game, newgame, position, isready, go, stop, quit"),
        ("game chess", "there is no game 'chess'"),
        ("game mnk:x", "'mnk:x' is not written mnk:COLUMNS"),
        ("position moves 5 5", "'5' cannot be played after 5"),
        ("position XX/ moves", "a board here has 3 rows"),
        ("go seconds", "go takes seconds S, nodes N or both"),
        ("go seconds x", "seconds takes a number, not 'x'"),
        ("go seconds nan", "a limit is a number above 0"),
        ("go nodes 0", "a limit is a number above 0"),
        ("go nodes 1.5", "nodes takes a number, not '1.5'"),
        ("go fast 1", "go has no limit called 'fast'"),
        ("go " + "9" * LONGEST_COMMAND, "a line has at most 1,048,576 bytes"),
    ],
)
def test_a_wrong_line_gets_one_error_and_changes_nothing(line: str, complaint: str) -> None:
    said = told(Session, f"game tic-tac-toe\nposition moves 5 1 3\n{line}\n\nisready\ngo nodes 100000\n".encode())
    error, ready, _, move = said
    assert error.startswith(f"error {complaint}")
    assert (ready, move) == ("readyok", "bestmove 7")


def test_without_a_game_and_after_its_end() -> None:
    typed = b"go\nposition moves\nnewgame\nisready\ngame tic-tac-toe\nposition moves 1 4 2 5 3\ngo\n"
    first = "error say first which game it is, such as: game tic-tac-toe"
    assert told(Session, typed) == [first, first, first, "readyok", "error the game is over in this position"]


def test_a_game_of_ones_own_that_fails_and_prints(command: Noughts, tmp_path: Path) -> None:
    """What it prints must not be taken for an answer."""
    path = tmp_path / "own.py"
    source = Path("examples/matches.py").read_text(encoding="utf-8")
    path.write_text(
        source + "\n\nplain = actions\n\n\ndef actions(state):\n    print('readyok')\n    return plain(state)\n"
    )
    played = command("engine", typed=f"game {path}\ngo seconds 60\n")
    assert [line for line in played.stdout.splitlines() if not line.startswith("info")] == ["bestmove 2"]
    path.write_text(source + "\n\ndef actions(state):\n    raise SystemExit('no')\n")
    played = command("engine", typed=f"game {path}\ngo seconds 60\nisready\n")
    errors = played.stdout.splitlines()
    assert errors[0].startswith("error ")
    assert errors[-1] == "readyok"


def test_stop_ends_a_search_that_would_go_on(noughts_command: str) -> None:
    """Both a search of many hours and one without any limit; the second has not begun when it is stopped."""
    with engine(noughts_command, "engine", "--think", "0") as ask:
        for go in ("go seconds 100000", "go"):
            answer = ask("game mnk:9,9,5", "position moves e5 e6 d5", go, "stop", end="\n")
            while answer.startswith(b"info"):
                answer = ask()
            assert answer.split()[0] == b"bestmove"
            assert answer.split()[1] in {b"b5", b"c5", b"f5", b"g5"}, "it stops a row of two from growing"


@pytest.mark.parametrize("last", [b"", b"quit\n", b"quit"])
def test_the_end_of_the_input_ends_a_search_without_limits(last: bytes, noughts_command: str) -> None:
    done = subprocess.run(
        [noughts_command, "engine", "--think", "0"],
        input=b"game mnk:9,9,5\nposition moves e5 e6 d5\ngo\n" + last,
        capture_output=True,
        timeout=TIMEOUT,
        check=True,
    )
    assert b"bestmove" in done.stdout.splitlines()[-1]
    assert done.stderr == b""


def test_nobody_reads_the_answers(noughts_command: str) -> None:
    process = subprocess.Popen(
        [noughts_command, "engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.close()
    _, errors = process.communicate(b"noughts\n" * 10, timeout=TIMEOUT)
    assert (process.returncode, errors) == (1, b"")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--player", "nobody"], "there is no player 'nobody'"),
        (["--player", "cmd:true"], "--player is one of our own players"),
        (["--protocol", "uci"], "invalid choice: 'uci'"),
        (["--think", "-1"], "--think must be 0, which sets no limit, or a number above 0"),
    ],
)
def test_a_wrong_option_is_one_line(options: list[str], complaint: str, command: Noughts) -> None:
    played = command("engine", *options)
    assert (played.returncode, played.stdout) == (2, "")
    assert complaint in played.stderr
    assert played.stderr.count("\n") == 1


def test_a_seed_makes_choices_vary_the_same_way() -> None:
    typed = b"game tic-tac-toe\n" + b"position moves\ngo nodes 9\n" * 5
    assert told(Session, typed, Make("random")) == told(Session, typed, Make("random"))


WORDS = st.sampled_from(
    [
        *("noughts", "game", "tic-tac-toe", "mnk:3,3,3", "newgame", "position", "moves", "isready", "go", "stop", "5"),
        *("1", "seconds", "nodes", "0.01", "-1", "1e999", "O.X/.X./...", "then", "\x00", "nim:1,2", "./none.py", "é"),
    ]
)
LINES = st.one_of(
    st.lists(WORDS, max_size=8).map(lambda words: " ".join(words).encode()),
    st.binary(max_size=40),
    st.integers(1, 3).map(lambda size: b"position moves " + b"5 " * 10**5 * size),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(LINES, max_size=12), st.sampled_from([b"\n", b"\r\n"]))
def test_whatever_is_sent_the_engine_goes_on(lines: list[bytes], end: bytes) -> None:
    """Each line gets what it asks for, or one error; at the end, the engine still answers."""
    lines = [line for line in lines if b"quit" not in line]
    said = told(Session, end.join([*lines, b"game nim:1,2", b"isready", b"go", b""]))
    ready = len(said) - 1 - said[::-1].index("readyok")
    assert said[-1].startswith("bestmove ")
    assert ready < len(said) - 1
    known: Any = ("id name ", "ok", "readyok", "info ", "bestmove ", "error ")
    assert all(line.startswith(known) and "\n" not in line for line in said)
