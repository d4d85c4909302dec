"""The perfect player: it gives nothing away, and gets the most that can be got out of opponents who err."""

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

import noughts
from noughts import MAX, MIN
from noughts.arena import against_everyone
from noughts.engine import Engine
from noughts.games.lines import LineGame, Marks, straight_lines
from noughts.match import play_out
from noughts.players import Player, computer
from noughts.players.levels import Level
from noughts.players.perfect import Perfect
from noughts.search.answer import Answer
from noughts.search.limits import Limits
from tests.helpers import altered

Allowed = Callable[[Any], Iterable[Any]]

FRACTIONS = {MAX: Fraction(191, 192), MIN: Fraction(866, 945)}
"""The most wins that a player who never loses can have against a random opponent in tic-tac-toe."""

DRAWN = ["tic-tac-toe", "misere", "mnk:4,2,3", "connect:3x4,3"]
"""Games whose value is a draw."""


def most_wins(game: Any, seat: int, allowed: Allowed) -> Fraction:
    """Return the highest chance of a win against a random opponent, if only some actions may be taken."""

    @cache
    def wins(state: Any) -> Fraction:
        if game.terminal(state):
            return Fraction(int(seat * game.utility(state) > 0))
        if game.player(state) == seat:
            return max(wins(game.result(state, action)) for action in allowed(state))
        children = [wins(game.result(state, action)) for action in game.actions(state)]
        return sum(children, Fraction(0)) / len(children)

    return wins(game.initial())


def chosen_by(player: Player[Any, Any]) -> Allowed:
    return lambda state: [player.choose(state)]


@pytest.mark.parametrize("seat", [MAX, MIN])
def test_it_wins_as_often_as_any_player_who_never_loses(
    game: LineGame, oracle: dict[Marks, Answer[int]], seat: int
) -> None:
    """The maximum over all moves that keep the value; the player's own share, with each of its moves, is the same."""

    def keep_the_value(state: Marks) -> list[int]:
        return [each.action for each in oracle[state].actions if each.value == oracle[state].value]

    perfect = Perfect(game)
    assert most_wins(game, seat, keep_the_value) == FRACTIONS[seat]
    assert most_wins(game, seat, chosen_by(perfect)) == FRACTIONS[seat]
    for seed in range(3):
        by_chance = Perfect(game, seed)
        assert most_wins(game, seat, chosen_by(by_chance)) == FRACTIONS[seat]
    textbook = computer("textbook", game)
    share = most_wins(game, seat, chosen_by(textbook))
    assert share == {MAX: Fraction(191, 192), MIN: Fraction(254, 315)}[seat], "the first best move is worse for O"


def test_no_move_gives_up_value_or_distance(game: LineGame, oracle: dict[Marks, Answer[int]]) -> None:
    perfect = Perfect(game)
    for state, answer in oracle.items():
        if not game.terminal(state):
            assert set(perfect.candidates(state)) <= set(answer.best)
            assert perfect.choose(state) == perfect.candidates(state)[0]
    assert perfect.caveat == ""


def test_it_opens_in_a_corner_and_varies_with_a_seed(game: LineGame) -> None:
    assert Perfect(game).candidates(game.initial()) == (1, 3, 7, 9)
    assert {Perfect(game, seed).choose(game.initial()) for seed in range(30)} == {1, 3, 7, 9}
    assert [Perfect(game, 5).choose(game.initial()) for _ in range(3)] == [Perfect(game, 5).choose(game.initial())] * 3


@pytest.mark.parametrize("seat", [MAX, MIN])
def test_it_never_loses_whatever_is_replied(game: LineGame, seat: int) -> None:
    assert against_everyone(game, Perfect(game), seat).losses == 0


@pytest.mark.parametrize("notation", DRAWN)
def test_of_many_games_none_is_lost(notation: str) -> None:
    record = games_played(notation, 400)
    assert sum(record) == 400
    assert record[-1] == 0


@pytest.mark.long
@pytest.mark.parametrize("notation", DRAWN)
def test_of_a_hundred_thousand_games_none_is_lost(notation: str) -> None:
    record = games_played(notation, 100_000)
    assert sum(record) == 100_000
    assert record[-1] == 0
    assert record[1] > 0


def games_played(notation: str, games: int) -> list[int]:
    """Return how many games a perfect player wins, draws and loses against a random one, taking turns to begin."""
    game = noughts.load(notation)
    assert noughts.value(game).value == "draw"
    record = [0, 0, 0]
    perfect, random = Perfect(game, 1), computer("random", game, 2)
    for number in range(games):
        seat = MAX if number % 2 else MIN
        record[1 - seat * play_out(game, {seat: perfect, -seat: random}).utility] += 1
    return record


@pytest.mark.parametrize("games", [300, pytest.param(100_000, marks=pytest.mark.long)])
def test_two_perfect_players_always_draw(game: LineGame, games: int) -> None:
    players = {MAX: Perfect(game, 1), MIN: Perfect(game, 2)}
    lines = {play_out(game, players).played for _ in range(games)}
    assert {game.utility(noughts.replay(game, " ".join(map(str, line)))) for line in lines} == {0}
    assert len(lines) > 10, "they do not play the same game again and again"


@pytest.mark.long
def test_in_a_lost_position_it_makes_an_error_of_the_opponent_likely() -> None:
    """Connect Four after 44444: all seven moves lose equally late, after two of them errors are likelier."""
    game = noughts.load("connect-four")
    state = noughts.replay(game, "44444")
    engine = Engine(game)
    perfect: Perfect[Any, Any] = Perfect(engine, limits=Limits())
    judgement = perfect.judge(state)
    assert judgement.value == "loss"
    chosen = set(perfect.candidates(state))
    assert chosen < set(judgement.choice)

    def errors(action: int) -> float:
        child = game.result(state, action)
        answer = engine.analyse(child)
        mistakes = {each.action for each in answer.actions if each.value != answer.value}
        likely = Level(game, 3).likely(child)
        return math.fsum(chance for reply, chance in likely if reply in mistakes)

    assert {
        action for action in judgement.choice if errors(action) > max(map(errors, judgement.choice)) - 1e-6
    } == chosen


@pytest.mark.parametrize(
    ("notation", "position"),
    [("nim:20,30,40", "c30"), ("nim:3,4,5", ""), ("./examples/three_mens_morris.py", ""), ("connect-four", "44")],
)
def test_it_takes_a_best_move_whatever_the_source(notation: str, position: str) -> None:
    """A theory, a solved game, one in which positions repeat, or a book."""
    game = noughts.load(notation)
    state = noughts.replay(game, position)
    perfect: Perfect[Any, Any] = Perfect(game)
    chosen = perfect.choose(state)
    assert perfect.caveat == ""
    assert chosen in noughts.analyse(game, state).best


def test_a_choice_that_is_a_guess_says_so() -> None:
    game = altered(LineGame("large", 5, 5, straight_lines(5, 5, 4)), ["preferred", "heuristic"])
    perfect: Perfect[Any, Any] = Perfect(game, limits=Limits(nodes=100))
    assert perfect.choose(game.initial()) in game.actions(game.initial())
    assert "this is a guess" in perfect.caveat


def test_what_is_known_is_played_without_time() -> None:
    for notation in ("nim:20,30,40", "connect-four"):
        game = noughts.load(notation)
        perfect: Perfect[Any, Any] = Perfect(Engine(game), limits=Limits(nodes=0))
        assert perfect.choose(game.initial()) in noughts.analyse(game).best
        assert perfect.caveat == ""
