from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import noughts
from noughts.errors import BadPosition, BrokenGame, UnknownGame
from noughts.games.lines import LineGame
from noughts.notation import read_position
from tests.helpers import altered


def test_a_name_in_any_case_is_a_game(game: LineGame) -> None:
    assert noughts.load("tic-tac-toe") is noughts.load("Tic-Tac-Toe") is game


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("tictactoe", "there is no game 'tictactoe'; did you mean tic-tac-toe?"),
        ("chess", "there is no game 'chess'; there are: tic-tac-toe"),
        ("", "there is no game ''"),
        ("x" * 5000, "xxx ...'"),
        ("a\nb\x00", "'a?b?'"),
    ],
)
def test_unknown_games_get_one_line(name: str, complaint: str) -> None:
    with pytest.raises(UnknownGame) as caught:
        noughts.load(name)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


def test_objects_load_as_themselves_and_classes_as_instances(game: LineGame) -> None:
    assert noughts.load(game) is game

    class Sub(LineGame):
        def __init__(self) -> None:
            super().__init__("sub", 1, 1, [(1,)])

    assert isinstance(noughts.load(Sub), Sub)
    with pytest.raises(BrokenGame, match="LineGame cannot be made without arguments"):
        noughts.load(LineGame)


def test_the_name_of_a_game_is_not_the_game() -> None:
    for ask in (noughts.value, noughts.analyse, noughts.Engine):
        with pytest.raises(BrokenGame, match="'tic-tac-toe' is a text, not a game"):
            ask("tic-tac-toe")  # type: ignore[arg-type]


def test_what_is_no_game_says_what_is_missing() -> None:
    with pytest.raises(BrokenGame, match="SimpleNamespace is not a game: it has no function player, actions"):
        noughts.load(SimpleNamespace(initial=lambda: 0))
    with pytest.raises(BrokenGame, match="int is not a game"):
        noughts.load(7)


@pytest.mark.parametrize("text", ["5 1 3", "5,1,3", " 5, 1  3 ", "O.X/.X./...", "o.x/_x_/..."])
def test_positions_as_text(game: LineGame, text: str) -> None:
    assert noughts.replay(game, text) == noughts.replay(game, [5, 1, 3]) == noughts.replay(game, ["5", 1, "3"])


def test_actions_may_follow_a_diagram(game: LineGame) -> None:
    position = read_position(game, " O.X/.X./...  then 7, 4 ")
    assert position.state == noughts.replay(game, "5 1 3 7 4")
    assert (position.diagram, position.actions, len(position.states)) == ("O.X/.X./...", (7, 4), 3)
    assert position.text(game.action_name) == "O.X/.X./... then 7 4"
    assert read_position(game, "5,1 3").text(game.action_name) == "5 1 3"
    with pytest.raises(BadPosition, match=r"cannot be played after O\.X/\.X\./\.\.\. then 7; you can play 2 4 6 8 9"):
        read_position(game, "O.X/.X./... then 7 1")


def test_the_empty_position_is_the_start(game: LineGame) -> None:
    assert noughts.replay(game, "") == game.initial()


@pytest.mark.parametrize(
    ("position", "complaint"),
    [
        ("5 1 5", "'5' cannot be played after 5 1; you can play 2 3 4 6 7 8 9"),
        ("0", "'0' cannot be played at the start; you can play 1 2 3 4 5 6 7 8 9"),
        ("1 4 2 5 3 6", "'6' cannot be played after 1 4 2 5 3: the game is over"),
        ("five", "'five' cannot be played at the start"),
        ([5, 5], "5 cannot be played after 5"),
        ("XXX/OOO/...", "ended before"),
    ],
)
def test_illegal_positions_say_where_and_what_would_be_right(
    game: LineGame, position: str | list[int | str], complaint: str
) -> None:
    with pytest.raises(BadPosition, match=complaint) as caught:
        noughts.replay(game, position)
    assert "\n" not in str(caught.value)


def test_action_names_are_the_notation(game: LineGame) -> None:
    lettered: Any = altered(game, action_name=lambda cell: "abcdefghi"[cell - 1])
    assert noughts.replay(lettered, "e A c") == noughts.replay(game, "5 1 3")


def test_names_that_differ_in_case_are_told_apart() -> None:
    letters = SimpleNamespace(
        initial=lambda: "",
        player=lambda _: 1,
        actions=lambda _: ["a", "A", "b"],
        result=lambda _, action: action,
        terminal=lambda state: state != "",
        utility=lambda _: 0,
    )
    assert [noughts.replay(letters, word) for word in ("a", "A", "b", "B")] == ["a", "A", "b", "b"]


def test_actions_that_are_texts_or_none_can_be_played() -> None:
    odd = SimpleNamespace(
        initial=lambda: 0,
        player=lambda _: 1,
        actions=lambda _: ["take two", None],
        result=lambda state, _: state + 1,
        terminal=lambda state: state == 2,
        utility=lambda _: 0,
    )
    assert noughts.replay(odd, ["take two", None]) == noughts.replay(odd, "take_two none") == 2
    assert noughts.replay(odd, noughts.analyse(odd).line) == 2


def test_a_position_read_from_a_file_ends_in_a_newline(game: LineGame) -> None:
    assert noughts.replay(game, "5 1 3\n") == noughts.replay(game, "5 1 3")


def write(folder: Path, source: str, name: str = "mygame.py") -> str:
    path = folder / name
    path.write_text(source, encoding="utf-8")
    return str(path)


SIX_FUNCTIONS = Path("examples/matches.py").read_text(encoding="utf-8")


def test_a_file_of_six_functions_is_a_game(tmp_path: Path) -> None:
    path = write(tmp_path, SIX_FUNCTIONS)
    assert noughts.value(noughts.load(path)).best == (2,)
    assert noughts.value(noughts.load(Path(path))).best == (2,)


def test_a_file_with_one_class_or_object_is_a_game(tmp_path: Path) -> None:
    indented = "".join(f"    {line}\n" for line in SIX_FUNCTIONS.splitlines()).replace("(state", "(self, state")
    source = "class Matches:\n" + indented.replace("initial()", "initial(self)")
    assert noughts.value(noughts.load(write(tmp_path, source))).best == (2,)
    assert noughts.value(noughts.load(write(tmp_path, source + "\nother = 3\n"))).best == (2,)
    assert noughts.value(noughts.load(write(tmp_path, source + "\ngame = Matches()\n"))).best == (2,)
    line_game = "from noughts.games.lines import LineGame\ngame = LineGame('tiny', 1, 1, [(1,)])\n"
    assert noughts.value(noughts.load(write(tmp_path, line_game))).best == (1,)
    two = source + source.replace("class Matches", "class Others")
    with pytest.raises(BrokenGame, match="holds 2 games"):
        noughts.load(write(tmp_path, two))


def test_a_file_may_use_dataclasses_and_its_neighbours(tmp_path: Path) -> None:
    write(tmp_path, "TOTAL = 10\n", "neighbour_of_mine.py")
    source = (
        "from dataclasses import dataclass\nfrom neighbour_of_mine import TOTAL\n@dataclass\nclass S:\n    n: int\n"
    )
    assert noughts.value(noughts.load(write(tmp_path, source + SIX_FUNCTIONS))).best == (2,)


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("def initial(:\n", r"cannot be loaded: line 1: "),
        ("x = 1\ny = x / 0\n", r"cannot be loaded: line 2: ZeroDivisionError: division by zero"),
        ("import sys\nsys.exit()\n", r"cannot be loaded: line 2: SystemExit"),
        ("import no_such_module_anywhere\n", r"line 1: ModuleNotFoundError"),
        ("def initial(): pass\n", r"is not a game: it has no function player, actions"),
        ("\x00", r"cannot be loaded"),
    ],
)
def test_broken_files_get_one_line_that_names_the_place(tmp_path: Path, source: str, complaint: str) -> None:
    with pytest.raises(BrokenGame, match=complaint) as caught:
        noughts.load(write(tmp_path, source))
    assert "\n" not in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(BrokenGame, match="does not exist"):
        noughts.load("./no/such/file.py")
    with pytest.raises(BrokenGame, match="is a folder"):
        noughts.load(f"{tmp_path}/")
    (tmp_path / "notes.txt").write_text("hello")
    with pytest.raises(BrokenGame, match="is not a Python file"):
        noughts.load(str(tmp_path / "notes.txt"))
    (tmp_path / "latin.py").write_bytes(b"x = '\xff'\n")
    with pytest.raises(BrokenGame, match="cannot be loaded"):
        noughts.load(str(tmp_path / "latin.py"))
    with pytest.raises(BrokenGame, match="does not exist"):
        noughts.load("./nul\x00.py")
    with pytest.raises(BrokenGame, match="cannot be read: File name too long"):
        noughts.load(f"./{'a' * 300}.py")
    with pytest.raises(BrokenGame, match="is a folder"):
        noughts.load(".")


def test_a_word_that_a_file_uses_otherwise_is_no_capability(tmp_path: Path) -> None:
    path = write(tmp_path, SIX_FUNCTIONS + "\nboard = [[0] * 3] * 3\ntitle = 7\n")
    assert noughts.value(noughts.load(path)).best == (2,)
    report = noughts.testing.check_game(noughts.load(path))
    assert [(problem.kind, problem.seen) for problem in report.problems] == [("capability", 2)]
