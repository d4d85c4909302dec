"""Players against everyone. What is said of them in the documentation is proven here."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

import noughts
from noughts import MAX, MIN
from noughts.arena import against_everyone
from noughts.cli.seats import arrange
from noughts.errors import EndlessGame, IllegalAction, NoughtsError
from noughts.games.lines import LineGame, Marks, straight_lines
from noughts.match import Match, play_out
from noughts.players import COMPUTERS, computer
from noughts.players.rule_of_thumb import RuleOfThumbPlayer
from noughts.players.textbook import Textbook
from noughts.search.answer import Answer
from noughts.search.limits import Limits
from tests.helpers import altered


@pytest.mark.parametrize("marks", [("X", "O"), ("O", "X")])
@pytest.mark.parametrize("seat", [MAX, MIN])
def test_the_perfect_player_never_loses(game: LineGame, seat: int, marks: tuple[str, str]) -> None:
    """As X and as O, first and second, with every tie-break, against every possible line of replies."""
    record = against_everyone(game.with_marks(marks), Textbook(game.with_marks(marks)), seat)
    assert record.losses == 0
    assert record.lost_lines == ()
    assert (record.wins, record.draws) == {MAX: (7056, 3584), MIN: (2528, 3584)}[seat]


def test_from_any_position_it_loses_only_what_is_lost(game: LineGame, oracle: dict[Marks, Answer[int]]) -> None:
    """In all 4,520 unfinished positions its choices are the oracle's, so its distance is the oracle's too."""
    perfect = Textbook(game)
    unfinished = [state for state in oracle if not game.terminal(state)]
    assert len(unfinished) == 4520
    for state in unfinished:
        assert perfect.candidates(state) == oracle[state].best
        assert perfect.choose(state) == min(oracle[state].best)
        for action in perfect.candidates(state):
            child = oracle[game.result(state, action)]
            if oracle[state].distance is not None:
                assert child.distance is not None
                assert child.distance + 1 == oracle[state].distance
    assert perfect.caveat == ""


def test_the_perfect_player_wins_fastest_and_resists_longest(game: LineGame, oracle: dict[Marks, Answer[int]]) -> None:
    """Two perfect players take exactly as many plies as the oracle foresees, from every decided position."""
    perfect = Textbook(game)
    for state, answer in oracle.items():
        if answer.distance is not None:
            match = play_out(game, {MAX: perfect, MIN: perfect}, state)
            assert len(match.played) == answer.distance


def test_a_seed_varies_the_perfect_player_and_repeats(game: LineGame, oracle: dict[Marks, Answer[int]]) -> None:
    def openings(seed: int) -> list[int]:
        player = Textbook(game, seed)
        return [player.choose(game.initial()) for _ in range(20)]

    assert openings(1) == openings(1)
    assert openings(1) != openings(2)
    assert set(openings(1)) <= set(oracle[game.initial()].best)
    assert len(set(openings(1))) > 3


@pytest.mark.parametrize(
    ("seat", "record", "some_lost_lines"),
    [
        (MAX, (87, 23, 5), [(5, 2, 4, 6, 8, 3, 1, 9), (5, 8, 2, 6, 4, 9, 3, 7)]),
        (MIN, (394, 141, 42), [(1, 5, 8, 2, 7, 4, 9), (2, 5, 4, 6, 1, 3, 7)]),
    ],
)
def test_the_rule_based_player_can_be_beaten(
    game: LineGame, seat: int, record: Sequence[int], some_lost_lines: list[tuple[int, ...]]
) -> None:
    """Measured like the perfect player; docs/players.md lists every line it loses, and is run as a test."""
    measured = against_everyone(game, RuleOfThumbPlayer(game), seat)
    assert measured[:3] == record
    assert len(measured.lost_lines) == record[2]
    assert set(some_lost_lines) <= set(measured.lost_lines)


@pytest.mark.parametrize(
    ("position", "choice"),
    [
        ("", 5),  # the centre
        ("5", 2),  # a side, since the centre is taken
        ("1 5 2", 3),  # block
        ("1 5 2 4", 3),  # win rather than block
        ("5 1 9", 2),  # a side: it does not see the fork that the corner would stop
        ("2 1 4 3 6 5 8 ", 7),  # a corner, when nothing else is left, and it wins
    ],
)
def test_the_rules_in_order(game: LineGame, position: str, choice: int) -> None:
    assert RuleOfThumbPlayer(game).choose(noughts.replay(game, position)) == choice


def test_rules_block_even_one_of_two_threats(game: LineGame) -> None:
    assert RuleOfThumbPlayer(game).choose(noughts.replay(game, "1 5 9 3 7")) == 4


def test_rules_work_without_preference_and_avoid_giving_the_win_away() -> None:
    matches = noughts.load("examples/matches.py")
    assert RuleOfThumbPlayer(matches).choose((5, 1)) == 1  # any other leaves three or fewer, which wins at once
    assert RuleOfThumbPlayer(matches).choose((3, 1)) == 3


def test_weaker_players_do_lose(game: LineGame) -> None:
    for name in ("rules", "random"):
        assert against_everyone(game, computer(name, game, 0), MIN).losses > 0


def test_random_against_everyone_is_every_game(game: LineGame) -> None:
    assert against_everyone(game, computer("random", game, 0), MAX)[:3] == (131184, 46080, 77904)


def test_every_choice_is_a_candidate(game: LineGame, states: list[Marks]) -> None:
    for name in COMPUTERS:
        player = computer(name, game, 3)
        for state in states[::37]:
            if not game.terminal(state):
                assert player.choose(state) in player.candidates(state)


def test_unknown_players_are_named(game: LineGame) -> None:
    with pytest.raises(NoughtsError, match="did you mean perfect"):
        computer("prefect", game)


def test_a_game_too_large_to_solve_is_played_by_rules_and_said_so() -> None:
    large = LineGame("large", 5, 5, straight_lines(5, 5, 4))
    player: Textbook[Any, Any] = Textbook(altered(large, ["preferred", "heuristic"]), limits=Limits(nodes=100))
    assert player.choose(large.initial()) == 13
    assert player.caveat == "the game is too large to solve from here; this is a guess, looking 1 move ahead"


def test_a_kernel_that_finds_nothing_leaves_nodes_for_a_guess() -> None:
    large = LineGame("large", 5, 5, straight_lines(5, 5, 4))
    player = Textbook(large, limits=Limits(nodes=2_000))
    assert player.choose(large.initial()) == 13
    said, _, far = player.caveat.partition(", looking ")
    assert said == "the game is too large to solve from here; this is a guess"
    assert far in ("2 moves ahead", "3 moves ahead"), "how far depends on how many nodes the kernel's threads took"


def test_actions_may_be_anything() -> None:
    lists = altered(
        noughts.load("examples/matches.py"),
        actions=lambda state: [[n] for n in (1, 2, 3) if n <= state[0]],
        result=lambda state, action: (state[0] - action[0], -state[1]),
    )
    for name in COMPUTERS:
        assert computer(name, lists, 1).choose((5, 1)) in [[1], [2], [3]]


def test_a_match_of_computers_is_drawn_when_a_position_occurs_for_the_third_time() -> None:
    walk = SimpleNamespace(
        initial=lambda: 50,
        player=lambda place: MAX if place % 2 else MIN,
        actions=lambda place: ["left", "right"],
        result=lambda place, action: place + (1 if action == "right" else -1),
        terminal=lambda place: place in (0, 99),
        utility=lambda place: 1 if place else -1,
    )
    match = play_out(walk, {MAX: computer("random", walk, 1), MIN: computer("random", walk, 2)})
    places = [50]
    for action in match.played:
        places.append(walk.result(places[-1], action))
    assert (match.over, match.drawn, match.utility) == (True, True, 0)
    assert places.count(places[-1]) == match.times == 3
    assert all(places[:-1].count(place) < 3 for place in places)
    match.undo()
    assert (match.over, match.drawn, match.can_be_drawn) == (False, False, False)
    with pytest.raises(IllegalAction, match="has not occurred three times"):
        match.end_as_draw()
    with pytest.raises(EndlessGame, match="is repeated"):
        against_everyone(walk, computer("random", walk, 1), MAX)


def test_two_computers_with_one_seed_choose_apart(game: LineGame) -> None:
    def ask(_: Any) -> int:
        raise AssertionError

    table = arrange(game, ask, you="random", opponent="random", mark=None, first=None, seed=1, limits=Limits())
    first, second = ([seat.player.choose(game.initial()) for _ in range(20)] for seat in table.seats.values())
    assert first != second


def test_a_match_takes_only_legal_actions_and_takes_them_back(game: LineGame) -> None:
    match = Match(game)
    match.play(5)
    with pytest.raises(IllegalAction, match="5 cannot be played after 5"):
        match.play(5)
    assert match.undo() == 5
    assert match.state == game.initial()
    with pytest.raises(IllegalAction, match="nothing to take back"):
        match.undo()
    for action in (1, 4, 2, 5, 3):
        match.play(action)
    assert (match.over, match.utility, match.movers) == (True, 1, (MAX, MIN, MAX, MIN, MAX))
    with pytest.raises(IllegalAction):
        match.play(9)


def test_a_player_that_needs_no_time_takes_none() -> None:
    """What is known without a search is played even if there is no time at all."""
    for notation, position in (("nim:20,30,40", ""), ("nim:20,30,40,misere", "a1"), ("nim:3,4,5", "")):
        game = noughts.load(notation)
        player = Textbook(noughts.Engine(game), limits=Limits(nodes=0))
        player.choose(noughts.replay(game, position))
        assert player.caveat == ""
