"""Exact chances, against counts that are made here in another way, and against games that are played."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

import noughts
from noughts.arena import exact as exact_module
from noughts.arena import exact_chances, exact_tournament, tournament
from noughts.capabilities import resolve
from noughts.errors import EndlessGame, NoughtsError
from noughts.games.lines import LineGame, Marks
from noughts.players import COMPUTERS, computer
from noughts.players.base import KnownChances, chances
from noughts.players.human import Human
from noughts.search.answer import Answer

LINES = ("012", "345", "678", "036", "147", "258", "048", "246")


def test_random_against_random_by_counting_boards() -> None:
    """Without the library: X wins 737/1260, O wins 121/420, and 8/63 are drawn."""

    @cache
    def ends(board: str) -> tuple[Fraction, Fraction, Fraction]:
        for mark, end in (("X", (1, 0, 0)), ("O", (0, 0, 1))):
            if any(all(board[int(cell)] == mark for cell in line) for line in LINES):
                return Fraction(end[0]), Fraction(end[1]), Fraction(end[2])
        empty = [cell for cell in range(9) if board[cell] == "."]
        if not empty:
            return Fraction(0), Fraction(1), Fraction(0)
        mark = "X" if len(empty) % 2 else "O"
        after = [ends(board[:cell] + mark + board[cell + 1 :]) for cell in empty]
        win, draw, loss = (sum(each, Fraction(0)) / len(empty) for each in zip(*after, strict=True))
        return win, draw, loss

    assert ends("." * 9) == (Fraction(737, 1260), Fraction(8, 63), Fraction(121, 420))
    for moves in (0, 3):  # random moves in the opening make no difference between random players
        [pairing] = exact_tournament("tic-tac-toe", ["random", "random"], opening_moves=moves).pairings
        assert pairing.begun == ends("." * 9)
        assert pairing.replied == pairing.begun.reversed


def counted(
    game: LineGame, state: Marks, choices: Mapping[int, Callable[[Marks], dict[int, Fraction]]], weight: Fraction
) -> dict[int, Fraction]:
    """Return the chance of each utility, by following every line of play on its own."""
    if game.terminal(state):
        return {game.utility(state): weight}
    found: dict[int, Fraction] = {}
    for action, chance in choices[game.player(state)](state).items():
        for utility, part in counted(game, game.result(state, action), choices, weight * chance).items():
            found[utility] = found.get(utility, Fraction(0)) + part
    return found


def test_the_textbook_player_against_rules(game: LineGame, oracle: dict[Marks, Answer[int]]) -> None:
    """The oracle's best moves, all equally likely, along every line of play."""
    rules = computer("rules", game)

    def best(state: Marks) -> dict[int, Fraction]:
        actions = oracle[state].best
        return dict.fromkeys(actions, Fraction(1, len(actions)))

    def by_rules(state: Marks) -> dict[int, Fraction]:
        return {rules.choose(state): Fraction(1)}

    for first, second, choices in (
        (computer("textbook", game, 1), rules, {1: best, -1: by_rules}),
        (rules, computer("textbook", game, 1), {1: by_rules, -1: best}),
    ):
        expected = counted(game, game.initial(), choices, Fraction(1))
        found = exact_chances(game, first, second)
        assert found == tuple(expected.get(utility, Fraction(0)) for utility in (1, 0, -1))


@pytest.mark.parametrize("name", COMPUTERS)
def test_a_player_chooses_as_often_as_it_says(name: str) -> None:
    """In positions with several kinds of moves; 400 choices each, and four deviations."""
    game = noughts.load("tic-tac-toe")
    for position in ("", "5 1", "1 2", "1 5 9"):
        state = noughts.replay(game, position)
        told = chances(computer(name, game, 0), state)
        assert told is not None
        assert sum(told.values()) == 1
        assert set(told) <= set(game.actions(state))
        player = computer(name, game, 5)
        chosen = [player.choose(state) for _ in range(400)]
        for action in game.actions(state):
            share = float(told.get(action, 0))
            assert chosen.count(action) == pytest.approx(400 * share, abs=4 * (400 * share * (1 - share)) ** 0.5 + 1e-9)


def test_games_that_are_played_agree() -> None:
    """2,000 games between players that err, from the start: each result within four deviations of its chance."""
    [expected] = exact_tournament("tic-tac-toe", ["rules", "random"], opening_moves=2).pairings
    [played] = tournament("tic-tac-toe", ["rules", "random"], games=2000, opening_moves=2).pairings
    for chance, seen in zip(
        (*expected.begun, *expected.replied), (*played.begun[:3], *played.replied[:3]), strict=True
    ):
        share = float(chance)
        assert seen == pytest.approx(1000 * share, abs=4 * (1000 * share * (1 - share)) ** 0.5)


def test_an_opening_is_drawn_again_if_the_game_ends_in_it() -> None:
    """nim:1,2: one random move, of 3, never ends it; two end it in 1 of 4 lines, three always."""
    game = resolve(noughts.load("nim:1,2"))
    random = computer("random", game, 0)

    def going_on(state: Any, moves: int) -> dict[Any, Fraction]:
        if game.terminal(state) or not moves:
            return {} if game.terminal(state) else {state: Fraction(1)}
        found: dict[Any, Fraction] = {}
        actions = list(game.actions(state))
        for action in actions:
            for end, chance in going_on(game.result(state, action), moves - 1).items():
                found[end] = found.get(end, Fraction(0)) + chance / len(actions)
        return found

    for moves in (1, 2):
        ends = going_on(game.initial(), moves)
        share = sum(ends.values())
        expected = sum(chance / share * counted_random(game, state) for state, chance in ends.items())
        assert exact_chances(game, random, random, opening_moves=moves).win == expected
    with pytest.raises(NoughtsError, match="over within an opening of 3 random moves; choose a shorter one"):
        exact_chances(game, random, random, opening_moves=3)


def counted_random(game: Any, state: Any) -> Fraction:
    """Return the chance that MAX wins if both play at random."""
    if game.terminal(state):
        return Fraction(int(game.utility(state) > 0))
    after = [counted_random(game, game.result(state, action)) for action in game.actions(state)]
    return sum(after, Fraction(0)) / len(after)


def test_the_second_player_may_be_max() -> None:
    """`first` is whoever begins."""
    game = noughts.load("tic-tac-toe")
    other = SimpleNamespace(
        **{name: getattr(game, name) for name in ("initial", "actions", "result", "terminal")},
        player=lambda state: -game.player(state),
        utility=lambda state: -game.utility(state),
    )
    random = computer("random", game, 0)
    assert exact_chances(other, random, random).win == Fraction(737, 1260)


def test_what_cannot_be_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    game = noughts.load("tic-tac-toe")
    random = computer("random", game, 0)
    with pytest.raises(NoughtsError, match="the second player does not say how likely its moves are"):
        exact_chances(game, random, Human(game, lambda _: 1))
    assert not isinstance(Human(game, lambda _: 1), KnownChances)

    class Sure:
        description, caveat = "", ""

        def candidates(self, state: Any) -> list[int]:
            return []

        def choose(self, state: Any) -> int:
            return 1

        def chances(self, state: Any) -> dict[int, Fraction]:
            return {next(iter(game.actions(state))): Fraction(2, 3)}

    with pytest.raises(NoughtsError, match="the moves of the first player add up to 2/3, not to 1"):
        exact_chances(game, Sure(), random)
    guessing = Sure()
    guessing.caveat = "it is late"
    with pytest.raises(NoughtsError, match="the first player can only guess, so nothing about it is exact: it is late"):
        exact_chances(game, guessing, random)
    with pytest.raises(NoughtsError, match="stopped before all positions"):
        exact_chances(game, random, random, cancel=lambda: True)
    monkeypatch.setattr(exact_module, "MOST_POSITIONS", 5_000)
    with pytest.raises(NoughtsError, match="more than 5,000 positions"):
        exact_chances(game, random, random)
    with pytest.raises(NoughtsError, match="two players or more"):
        exact_tournament("tic-tac-toe", ["random"])


def test_a_game_that_goes_on_for_ever() -> None:
    game = noughts.load("examples/king_and_rook.py")
    random = computer("random", game, 0)
    with pytest.raises(EndlessGame, match="a position can be repeated"):
        exact_chances(game, random, random)


def test_seeds_make_no_difference() -> None:
    """Players choose among equal moves by their seed, and the chances are those of any seed."""
    game = noughts.load("tic-tac-toe")
    state = noughts.replay(game, "5")
    told = {
        tuple(sorted(chances(computer("perfect", game, Random(seed).getrandbits(60)), state) or {}))
        for seed in range(5)
    }
    assert told == {(1, 3, 7, 9)}
