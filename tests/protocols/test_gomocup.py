"""`noughts engine --protocol gomocup`: a whole session, every command and key, and the time for a move."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noughts
from noughts.protocols.gomocup import Gomocup, seconds_for_a_move
from noughts.sources import lines
from tests.protocols.talk import Make, engine, told

TRANSCRIPT = """\
> ABOUT
< name="noughts", version="VERSION", author="the authors of noughts", country="-"
> START 20
< OK
> INFO timeout_turn 400
> INFO timeout_match 600000
> INFO time_left 600000
> INFO max_memory 350000000
> INFO game_type 1
> INFO rule 0
> INFO folder /tmp
> INFO evaluate 3,4
> INFO something new
> BEGIN
< 9,9
> TURN 0,0
< *
> RESTART
< OK
> BOARD
> 0,19,2
> 16,19,1
> 1,18,2
> 17,19,1
> 2,17,2
> 18,19,1
> 19,0,2
> 19,19,1
> 5,5,2
> DONE
< 15,19
> TAKEBACK 15,19
< OK
> TAKEBACK 5,5
< OK
> TURN 3,16
< 15,19
> RESTART
< OK
> TURN 19,7
< *
> RECTSTART 20,7
< OK
> BOARD
> 19,0,1
> 19,1,2
> 19,5,1
> 19,2,2
> 0,0,1
> 19,3,2
> 0,5,1
> 19,4,2
> DONE
< *
> SWAP2BOARD
> 7,7
> DONE
< UNKNOWN
> PLAY 1,1
< UNKNOWN
> START 21
< ERROR the board cannot be 21 x 21: columns and rows are 1 to 20, and a line is 1 or more
> END
"""
"""What the manager and the engine say; a star is any move."""


def test_a_session_from_a_transcript(noughts_command: str) -> None:
    """With CR LF at the ends of lines, both ways."""
    waiting: list[str] = []
    with engine(noughts_command, "engine", "--protocol", "gomocup") as ask:
        for line in TRANSCRIPT.replace("VERSION", noughts.__version__).splitlines():
            said = line[2:]
            if line[0] == ">":
                waiting.append(said)
                continue
            answer = ask(*waiting).decode()
            waiting.clear()
            assert answer.endswith("\r\n")
            if said == "*":
                x, y = map(int, answer.split(","))
                assert max(x, y) < 20
            else:
                assert answer == f"{said}\r\n"
        assert ask(*waiting) == b"", "END ends it"


@pytest.fixture
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do without a kernel."""
    monkeypatch.setattr(lines, "available", lambda: False)


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize(
    ("typed", "answers"),
    [
        ("BEGIN", ["ERROR there is no board; START 15 sets one up"]),
        ("START x", ["ERROR START takes the size of the board, such as START 15"]),
        ("START 4", ["ERROR the board cannot be 4 x 4: no line of 5 fits on the board"]),
        ("RECTSTART 9", ["ERROR RECTSTART takes the columns and the rows of the board, such as RECTSTART 20,15"]),
        ("START 15\nTURN 15,0", ["OK", "ERROR 15,0 is not on the board of 15 x 15"]),
        ("START 15\nTURN a", ["OK", "ERROR TURN takes a square, such as TURN 7,7, not 'a'"]),
        ("START 15\nBEGIN\nBEGIN", ["OK", "7,7", "ERROR BEGIN is for an empty board; RESTART empties it"]),
        ("START 15\nBEGIN\nTURN 7,7", ["OK", "7,7", "ERROR 7,7 is taken"]),
        ("START 15\nTAKEBACK 7,7", ["OK", "ERROR there is no stone on 7,7"]),
        ("START 15\nBOARD\n7,7,1\n7,7,2\nDONE", ["OK", "ERROR 7,7 is listed twice"]),
        (
            "START 15\nBOARD\n7,7\nDONE\nSTART 9",
            ["OK", "ERROR '7,7' is not a stone; a line of BOARD is X,Y,1 or X,Y,2", "OK"],
        ),
        (
            "START 15\nBOARD\n7,7,1\nDONE",
            ["OK", "ERROR with 1 stones of mine and 0 of the opponent's it is not my turn"],
        ),
        ("start 15\nbegin", ["OK", "7,7"]),
        (
            "START 5\nINFO timeout_turn 60000\nBOARD\n0,0,1\n0,1,2\n1,0,1\n1,1,2\n2,0,1\n2,1,2\n3,0,1\n3,1,2\nDONE",
            ["OK", "4,0"],
        ),
        (
            "START 15\nINFO rule 1\nBEGIN\nINFO rule 0\nBEGIN",
            [
                "OK",
                "ERROR this engine plays freestyle, five or more in a row, and not exactly five in a row",
                "ERROR this engine plays freestyle, five or more in a row, and not exactly five in a row",
                "7,7",
            ],
        ),
        ("START 15\nINFO rule 4", ["OK", "ERROR this engine plays freestyle, five or more in a row, and not renju"]),
    ],
)
def test_what_is_said_of_mistakes(typed: str, answers: list[str]) -> None:
    for end in ("\n", "\r\n"):
        assert told(Gomocup, f"{typed}\n".replace("\n", end).encode()) == answers


@pytest.mark.usefixtures("interpreted")
def test_six_in_a_row_win_too() -> None:
    typed = b"START 15\nBOARD\n1,1,1\n1,2,2\n2,1,1\n2,2,2\n3,1,1\n3,2,2\n5,1,1\n5,2,2\n6,1,1\n7,2,2\nDONE\n"
    assert told(Gomocup, typed.replace(b"6,1,1\n7,2,2\n", b"6,1,1\n9,9,2\n"))[-1] == "4,1"


@pytest.mark.usefixtures("interpreted")
def test_the_board_is_as_before_after_an_error() -> None:
    typed = b"START 15\nBEGIN\nBOARD\n1,1,1\nDONE\nTURN 7,7\nTURN 8,8\nEND\n"
    said = told(Gomocup, typed)
    assert said[:2] == ["OK", "7,7"]
    assert [line.split()[0] for line in said[2:4]] == ["ERROR", "ERROR"]
    assert said[4] not in ("7,7", "8,8")


@pytest.mark.parametrize("timeout", [0, 1, 100, 500, 1_000, 5_000, 30_000, 10**9])
def test_a_search_ends_before_the_time_for_a_move(timeout: int) -> None:
    seconds = seconds_for_a_move({"timeout_turn": timeout}, 7.0)
    assert seconds is not None
    assert 0 < seconds <= 0.9 * max(timeout, 50) / 1000
    assert timeout < 1_000 or seconds <= timeout / 1000 - 0.2


def test_the_time_for_a_game_is_shared_among_moves() -> None:
    turn = {"timeout_turn": 30_000}
    assert seconds_for_a_move({}, 7.0) == 7.0
    assert seconds_for_a_move(turn | {"timeout_match": 0, "time_left": 2_147_483_647}, None) == pytest.approx(26.85)
    shared = [
        seconds_for_a_move(turn | {"timeout_match": 180_000, "time_left": left}, None) or 0
        for left in (180_000, 60_000, 6_000, 0)
    ]
    assert shared == sorted(shared, reverse=True)
    assert all(each <= left / 10 for each, left in zip(shared, (180, 60, 6), strict=False))


COMMANDS = st.sampled_from(
    [
        *("START 15", "START 5", "RECTSTART 6,5", "RESTART", "BEGIN", "TURN 1,1", "TURN 2,2", "TURN 9,9", "BOARD"),
        *("1,1,1", "1,2,2", "3,3,3", "0,0,1", "7,7", "DONE", "TAKEBACK 1,1", "TAKEBACK 2,2", "SWAP2BOARD", "ABOUT"),
        *("INFO rule 0", "INFO rule 1", "INFO timeout_turn 50", "INFO timeout_turn x", "INFO max_memory 1", "INFO"),
        *("SUGGEST 1,1", "TURN", "TURN -1,4", "START 99999999999999999999", "", "hello", "INFO time_left -5"),
    ]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.one_of(COMMANDS.map(str.encode), st.binary(max_size=30)), max_size=20))
def test_whatever_is_sent_the_engine_goes_on(sent: list[bytes]) -> None:
    sent = [line for line in sent if not line.strip().upper().startswith(b"END")]
    typed = b"\r\n".join([*sent, b"DONE", b"INFO rule 0", b"START 6", b"BEGIN", b""])
    said = told(Gomocup, typed, Make("random"))
    assert said[-2] == "OK"
    x, y = map(int, said[-1].split(","))
    assert 0 <= x < 6
    assert 0 <= y < 6
    known: Any = ("OK", "ERROR ", "UNKNOWN", "name=")
    assert all(line.startswith(known) or line.replace(",", "").isdecimal() for line in said)
