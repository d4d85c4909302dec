"""Records of games: what is written is read back, by every built-in game; a mistake is told with its line."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noughts
from noughts.capabilities import resolve
from noughts.errors import BadRecord
from noughts.game import MAX, MIN
from noughts.match import Match
from noughts.record import Move, Record, read_record, read_record_file, read_records, write_records
from noughts.record import reading as reading_module
from tests.playthrough import examples

TEXT = st.text(max_size=30)
LINE = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp"), exclude_characters="\ufeff"), max_size=30)


def played(game: Any, choices: list[int]) -> Match[Any, Any]:
    """Return a match in which each choice is a number of a legal action, taken again from the first after the last."""
    match = Match(game)
    for choice in choices:
        if match.over:
            break
        actions = list(match.game.actions(match.state))
        match.play(actions[choice % len(actions)])
    return match


@pytest.mark.parametrize("notation", examples())
@settings(max_examples=15)
@given(
    choices=st.lists(st.integers(0, 99), max_size=60),
    names=st.tuples(LINE, LINE),
    comments=st.dictionaries(st.integers(0, 60), TEXT, max_size=4),
    tags=st.dictionaries(st.sampled_from(["Date", "Seed", "Round", "Event_1"]), LINE, max_size=3),
)
def test_what_is_written_is_read_back(
    notation: str, choices: list[int], names: tuple[str, str], comments: dict[int, str], tags: dict[str, str]
) -> None:
    game = resolve(noughts.load(notation))
    match = played(game, choices)
    begins = game.to_move(game.initial())
    record = Record.of_match(
        match, notation, players={begins: names[0], -begins: names[1]}, tags=tags.items(), comments=comments
    )
    assert record.players == names
    assert record.tags == tuple(tags.items())
    other = Record(notation, result="unfinished")
    assert read_records(write_records([other, record, other, record])) == [other, record, other, record]
    assert read_records(str(record).replace("\n", "\r\n")) == [record]
    assert read_records("\ufeff" + str(record).replace("\n", "\r")) == [record]
    assert record.match().played == match.played
    assert record.replayed().state == match.state
    assert all(len(line) <= 80 or " " not in line for line in str(record).partition("\n\n")[2].splitlines())


@pytest.mark.parametrize("notation", examples())
def test_the_result_is_that_of_the_rules(notation: str) -> None:
    """With its margin where the game has one; also if the record begins in the middle."""
    game = resolve(noughts.load(notation))
    begins = game.to_move(game.initial())
    for first in range(12):
        match = played(game, [first * 7 + number * number for number in range(400)])
        assert match.over
        record = Record.of_match(match, notation)
        utility = begins * match.utility
        assert record.result == ("first wins" if utility > 0 else "second wins" if utility < 0 else "draw")
        assert record.margin == (abs(utility) if game.has_margins and utility else None)
        middle = len(match.played) // 2
        names = [move.name for move in record.moves]
        later = record._replace(position=" ".join(names[:middle]), moves=record.moves[middle:])
        assert read_records(str(later)) == [later]
        assert later.replayed() == record.replayed()


def test_it_is_read_as_people_write_it() -> None:
    """Without numbers, with numbers joined to moves or after dots, moves together, comments over lines, in any case."""
    for moves in ("4 4 5 3", "4453", "1.4 4 2.5 3", "1. 4 1... 4 2.5 2...3", "1.44 2.53", "1.4 {a\n\nb}{c} 4 53"):
        [record] = read_records(f'[Game " Connect-Four "]\n[Result  "draw" ]{moves}')
        assert [move.name for move in record.moves] == ["4", "4", "5", "3"]
        assert record.result == "draw"
        assert record.game == "connect-four"
    assert record.moves[0].comment == "a b c"
    [record] = read_records('[Game "mnk:5,5,4"] {Before.} B2 13')
    assert record.moves == (Move("b2"), Move("c3"))
    assert record.comment == "Before."


def test_any_name_of_a_move_can_be_written() -> None:
    """Also those of a game of one's own that look like numbers, tags, comments or results."""
    names = ["1.", "12...", "{a}", "[Game", '"', "\\", "}", "]", "a b", "1-0", "*", "", "5,6", "\u00a0", "1.e4", "e4"]
    game = SimpleNamespace(
        initial=lambda: (),
        player=lambda state: 1 if len(state) % 2 == 0 else -1,
        actions=lambda state: [number for number in range(len(names)) if number not in state],
        result=lambda state, action: (*state, action),
        terminal=lambda state: len(state) == len(names),
        utility=lambda state: 0,
        action_name=names.__getitem__,
    )
    match = played(game, [0] * len(names))
    record = Record.of_match(match, "own.py", comments={3: "}{\\"})
    assert read_records(str(record), load=lambda _: game) == [record]


def test_a_position_may_be_a_diagram() -> None:
    text = '[Game "tic-tac-toe"]\n[Position "O.X/.X./... then 7"]\n\n6'
    record = read_record(text)
    assert record.position == "O.X/.X./... then 7"
    assert record.replayed().text(str) == "O.X/.X./... then 7 6"
    assert read_record(str(record)) == record
    game = noughts.load("tic-tac-toe")
    drawn = Record.of_match(Match(game, noughts.replay(game, "O.X\n.X.\n...")), "tic-tac-toe", position="O.X\n.X.\n...")
    assert read_record(str(drawn)).replayed().state == noughts.replay(game, "5 1 3")


def test_the_first_player_is_the_one_who_begins_the_game() -> None:
    """Also where MIN begins, and where the record begins with a move of the second."""
    game = noughts.load("tic-tac-toe")
    other = SimpleNamespace(
        **{name: getattr(game, name) for name in ("initial", "actions", "result", "terminal", "action_name")},
        player=lambda state: -game.player(state),
        utility=lambda state: -game.utility(state),
    )
    for rules, first in ((resolve(game), MAX), (resolve(other), MIN)):
        match = Match(rules, noughts.replay(rules, "5"))
        for action in (1, 3, 2, 7):
            match.play(action)
        record = Record.of_match(match, "own.py", position="5", players={first: "Ann", -first: "Ben"})
        assert record.players == ("Ann", "Ben")
        assert record.result == "first wins"
        assert read_records(str(record), load=lambda _: rules.game)  # noqa: B023 - called at once == [record]


def test_a_game_may_end_before_its_end() -> None:
    record = read_record('[Game "reversi:4"][Result "second wins by 3"][Termination "the program has ended"]')
    assert (record.result, record.margin, record.tag("Termination")) == ("second wins", 3, "the program has ended")
    assert record.tag("Date") is None
    assert read_record(str(record)) == record


def test_a_result_is_filled_in_from_the_moves() -> None:
    [lost] = read_records('[Game "tic-tac-toe"] 1 4 2 5 9 6')
    assert lost.result == "second wins"
    match = played(noughts.load("reversi:4"), [0] * 40)
    record = Record.of_match(match, "reversi:4")
    assert record.margin is not None
    without = str(record).replace(f" by {record.margin}", "")
    assert read_record(without) == record


def test_a_draw_by_repetition() -> None:
    pacing = SimpleNamespace(
        initial=lambda: (0, 0),
        player=lambda state: 1 - 2 * state[1],
        actions=lambda state: ["step"],
        result=lambda state, action: (1 - state[0] if state[1] else state[0], 1 - state[1]),
        terminal=lambda state: False,
        utility=lambda state: 0,
    )
    match = Match(pacing)
    while not match.can_be_drawn:
        match.play("step")
    match.end_as_draw()
    record = Record.of_match(match, "own.py")
    assert record.result == "draw"
    assert record.match(pacing).drawn
    assert not record._replace(result="unfinished").match(pacing).drawn
    assert read_records(str(record), load=lambda _: pacing) == [record]


WRONG = {
    '[Game "tic-tac-toe"]\n\n5 1\n5': r"line 4: '5' cannot be played as move 3; you can play 2 3 4 6 7 8 9",
    '[Game "tic-tac-toe"]\n1 4 2 5 3 6': r"line 2: '6' cannot be played as move 6: the game is over",
    '[Game "tic-tac-toe"]\n5 {a\n}\n{b\nc': "line 4: this comment is not closed by }",
    '[Game "tic-tac-toe"]\n5 } 1': "line 2: there is a } without a { before it",
    '[Game "tic-tac-toe"]\n5 ] 1': "line 2: there is a ] without a tag before it",
    '[Game "tic-tac-toe"]\n5 "1': "line 2: this quotation is not closed in its line",
    '[Game "tic-tac-toe"]\n[Date 2026]': r'line 2: this is not a tag, which is written \[Name "value"\]',
    '[Game "tic-tac-toe]\n5': r'line 1: this is not a tag, which is written \[Name "value"\]',
    '[Date "2026-01-01"]\n[Game "nim:1"]': r'line 1: a game begins with its name, as in \[Game "tic-tac-toe"\]',
    "5 1 3": r'line 1: a game begins with its name, as in \[Game "tic-tac-toe"\]',
    '[Game "chess"]': "line 1: there is no game 'chess'; there are: .*",
    '\n[Game "tictactoe"]': r"line 2: there is no game 'tictactoe'; did you mean tic-tac-toe\?",
    '[Game "./evil.py"]': r"line 1: '\./evil\.py' is a file, and a file is only run if you name it yourself",
    '[Game "tic-tac-toe"]\n[Position "5 5"]': r"line 2: '5' cannot be played after 5; .*",
    '[Game "tic-tac-toe"]\n[X "a"]\n[X "b"]': "line 3: this game has a tag X already",
    '[Game "tic-tac-toe"]\n5\n[Date "a"]': r'line 3: tags stand before the moves; the next game begins with \[Game .*',
    '[Game "tic-tac-toe"]\n[Result "1-0"]': "line 2: '1-0' is not a result; the results are first wins, draw, .*",
    '[Game "tic-tac-toe"]\n[Result "draw"]\n1 4 2 5 3': "line 2: the result is 'draw', but .* it is first wins",
    '[Game "tic-tac-toe"]\n[Result "first wins by 2"]\n1 4 2 5 3': "line 2: .* by the moves it is first wins",
    '[Game "tic-tac-toe"]\n5 \0': "line 2: there is a null character; this is no text",
    "": None,
}  # fmt: skip


@pytest.mark.parametrize("text", WRONG)
def test_a_mistake_is_told_with_its_line(text: str) -> None:
    told = WRONG[text]
    for variant in (text, text.replace("\n", "\r\n"), "\ufeff" + text):
        if told is None:
            assert read_records(variant) == []
            continue
        with pytest.raises(BadRecord, match=f"^{told}$"):
            read_records(variant)


@settings(max_examples=300)
@given(
    st.lists(
        st.sampled_from(
            [
                '[Game "tic-tac-toe"]',
                '[Game "nim:3,4,5"]',
                '[Result "draw"]',
                "5",
                "1.",
                "{",
                "}",
                '"',
                "\\",
                "\n",
                "[x]",
            ]
        )
        | TEXT,
        max_size=12,
    ).map(" ".join)
)
def test_no_text_does_worse_than_a_clear_line(text: str) -> None:
    """What can be read can be written, and read again."""
    told = ""
    try:
        records = read_records(text)
    except BadRecord as error:
        records, told = [], str(error)
    assert "\n" not in told
    assert not told or told.startswith("line ")
    assert read_records(write_records(records)) == records


def test_one_game_of_several() -> None:
    text = '[Game "tic-tac-toe"] 5 [Game "chess"] [Game "tic-tac-toe"] 1'
    assert read_record(text).moves == (Move("1"),)
    assert read_record(text, 1).moves == (Move("5"),)
    with pytest.raises(BadRecord, match="line 1: there is no game 'chess'"):
        read_record(text, 2)
    for number in (0, -1, 4):
        with pytest.raises(BadRecord, match=f"^there is no game {number} here, but 3 games$"):
            read_record(text, number)
    with pytest.raises(BadRecord, match="there is no game here; a game begins with its name"):
        read_record(" \n")


def test_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.txt"
    path.write_bytes('\ufeff[Game "tic-tac-toe"]\r\n5 {Ünï}\r\n'.encode())
    assert read_records(read_record_file(str(path)))[0].moves == (Move("5", "Ünï"),)
    path.write_bytes(b"one\ntwo\xff\xfe")
    with pytest.raises(BadRecord, match=r"games.txt' is not a record of games: line 2 is not UTF-8 text"):
        read_record_file(str(path))
    monkeypatch.setattr(reading_module, "MOST_BYTES", 4)
    with pytest.raises(BadRecord, match=r"more than 0 MiB, which is more than is read"):
        read_record_file(str(path))
    for name, why in (
        (str(tmp_path / "none"), "No such file"),
        (str(tmp_path), "Is a directory"),
        ("a\0b", "not a file"),
    ):
        with pytest.raises(BadRecord, match=why):
            read_record_file(name)


def test_a_long_comment_is_read_in_one_go() -> None:
    """A pattern that tries every way to read it would not come to an end, or fill the memory."""
    comment = "\\} word " * 100_000
    [record] = read_records('[Game "tic-tac-toe"] 5 {' + comment + "}")
    assert len(record.moves[0].comment) == 700_000 - 1
    with pytest.raises(BadRecord, match="line 1: this comment is not closed"):
        read_records('[Game "tic-tac-toe"] 5 {' + comment)


def test_tags_that_cannot_be_written() -> None:
    match = Match(noughts.load("tic-tac-toe"))
    for name in ("two words", "Result", "", "ä", "1st"):
        with pytest.raises(BadRecord, match="cannot be a tag"):
            Record.of_match(match, "tic-tac-toe", tags=[(name, "")])
