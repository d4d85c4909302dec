"""Other programs as players: matches between engines through both protocols, and how they learn of a position."""

import sys
from pathlib import Path
from typing import Any

import pytest

import noughts
from noughts.capabilities import resolve
from noughts.game import MAX, MIN
from noughts.match import Match, play_out
from noughts.notation import notation_of
from noughts.players import computer
from noughts.players.base import close
from noughts.protocols.history import History
from noughts.search.limits import Limits
from tests.command import Noughts
from tests.helpers import TIMEOUT, altered

LONG = Limits(seconds=TIMEOUT)
TICTACTOE: Any = noughts.load("tic-tac-toe")
BOT = f"cmd:{sys.executable} examples/bots/random_bot.py"


@pytest.fixture
def command(noughts_command: str, clean_env: dict[str, str]) -> Noughts:
    return Noughts(noughts_command, clean_env)


def match_of(notation: str, one: str, other: str, games: int, limits: Limits = LONG) -> list[Match[Any, Any]]:
    """Play a match between two players, who begin in turn; each is started once."""
    game: Any = noughts.load(notation)
    players = [computer(name, game, limits=limits) for name in (one, other)]
    try:
        return [play_out(game, {MAX: players[number % 2], MIN: players[1 - number % 2]}) for number in range(games)]
    finally:
        close(players)


def test_a_match_between_two_engines(noughts_command: str) -> None:
    perfect, random = (f"cmd:{noughts_command} engine --player {name} --seed 3" for name in ("perfect", "random"))
    played = match_of("tic-tac-toe", perfect, random, 20)
    assert all(match.over for match in played)
    assert len({match.played for match in played}) > 10
    points = [match.utility * (1 if number % 2 == 0 else -1) for number, match in enumerate(played)]
    assert min(points) >= 0, "the perfect player never loses"
    assert sum(points) > 5


def test_both_protocols_against_each_other(noughts_command: str) -> None:
    for gomocup, own in (("rules", "random"), ("random", "rules")):
        played = match_of(
            "mnk:7,6,5",
            f"gomocup:{noughts_command} engine --protocol gomocup --player {gomocup} --seed 2",
            f"cmd:{noughts_command} engine --player {own} --seed 1",
            4,
        )
        assert all(match.over and len(match.played) >= 9 for match in played)
        points = [match.utility * (1 if number % 2 == 0 else -1) for number, match in enumerate(played)]
        assert (sum(points) > 0) == (gomocup == "rules")


@pytest.mark.long
@pytest.mark.parametrize("notation", ["mnk:15,15,5", "mnk:20,20,5", "mnk:19,12,5"])
def test_long_matches(notation: str, noughts_command: str) -> None:
    played = match_of(
        notation,
        f"gomocup:{noughts_command} engine --protocol gomocup",
        f"cmd:{noughts_command} engine",
        20,
        Limits(seconds=0.3),
    )
    assert all(match.over for match in played)


def test_the_example_bot_plays_whole_games() -> None:
    played = match_of("tic-tac-toe", BOT, "random", 6)
    assert all(match.over for match in played)
    played = match_of("tic-tac-toe", BOT, "perfect", 6)
    assert all(match.utility * (1 if number % 2 == 0 else -1) <= 0 for number, match in enumerate(played))


def test_the_page_shows_the_example_bot_as_it_is() -> None:
    example = Path("examples/bots/random_bot.py").read_text(encoding="utf-8")
    assert f"```py\n{example}```" in Path("docs/protocol.md").read_text(encoding="utf-8")
    assert len(example.splitlines()) <= 20


def test_a_person_plays_the_example_bot(command: Noughts) -> None:
    played = command("play", "--opponent", BOT, typed="5\nundo\n1\nhint\nquit\n")
    assert played.returncode == 0
    assert f"the computer is O ({BOT}, another program)" in played.stdout
    assert played.stdout.count("The computer plays") == 2
    assert "Best: " in played.stdout


def test_marks_and_positions_are_told(command: Noughts) -> None:
    played = command("play", "--opponent", BOT, "--mark", "O", "--first", "you", typed="5\nquit\n")
    assert "The computer plays" in played.stdout, "a game with other marks is known by its notation, too"
    played = command("play", "tic-tac-toe", "5", "1", "--you", BOT, "--opponent", "perfect", "--json")
    assert '"game": "tic-tac-toe", "position": "5 1 ' in played.stdout


@pytest.mark.parametrize("notation", ["mnk:4,4,3", "connect:5x4", "nim:3,4,5", "reversi:4", "examples/matches.py"])
def test_a_game_has_the_notation_it_was_loaded_by(notation: str) -> None:
    game = noughts.load(notation)
    assert noughts.load(notation_of(game)) is game
    assert notation_of(resolve(game)) == notation_of(game)


# How a position has come about.


def course(history: History[Any, Any], text: str) -> tuple[str, str, bool]:
    game = resolve(TICTACTOE)
    found = history.follow(noughts.replay(TICTACTOE, text))
    return found.diagram, " ".join(map(game.action_name, found.actions)), found.continues


def test_the_course_of_a_game() -> None:
    history: History[Any, Any] = History(resolve(TICTACTOE))
    assert course(history, "5") == ("", "5", True)
    history.play(1)
    assert course(history, "5 1 3") == ("", "5 1 3", True)
    history.play(7)
    assert course(history, "5 1 3 7 4") == ("", "5 1 3 7 4", True)
    assert course(history, "5 1 9") == ("", "5 1 9", False), "two moves were taken back"
    assert course(history, "") == ("", "", False)
    assert course(history, "2 3") == ("", "2 3", True), "two moves at once, as in a game where a player moves twice"


def test_a_position_far_from_the_start_is_told_by_a_diagram() -> None:
    game: Any = noughts.load("mnk:15,15,5")
    history: History[Any, Any] = History(resolve(game))
    state = noughts.replay(game, "a1 b2 c3 d4 e5 f6")
    found = history.follow(state)
    assert found.actions == ()
    assert game.parse(found.diagram) == state
    assert "\n" not in found.diagram
    assert history.follow(noughts.replay(game, "a1 b2 c3 d4 e5 f6 g8")).actions == (7 * 15 + 7,)


def test_a_game_without_diagrams_is_followed_from_its_start() -> None:
    plain = resolve(altered(TICTACTOE))
    history: History[Any, Any] = History(plain)
    found = history.follow(noughts.replay(TICTACTOE, "1 2 3"))
    assert noughts.replay(TICTACTOE, found.actions) == noughts.replay(TICTACTOE, "1 2 3")
    large: Any = noughts.load("mnk:15,15,5")
    far: History[Any, Any] = History(resolve(altered(large)))
    with pytest.raises(noughts.NoughtsError, match="another program cannot be told this position"):
        far.follow(noughts.replay(large, "a1 b2 c3 d4 e5 f6"))


def test_a_move_of_two_steps(tmp_path: Path) -> None:
    """In dots and boxes a player who closes a box moves again; the other program is told of both."""
    played = match_of("examples/dots_and_boxes.py", "random", "random", 1)[0]
    game = resolve(noughts.load("examples/dots_and_boxes.py"))
    history: History[Any, Any] = History(game)
    state = game.initial()
    for action, mover in zip(played.played, played.movers, strict=True):
        if mover == MIN:
            found = history.follow(state)
            assert found.continues
            history.play(action)
        state = game.result(state, action)
