"""Tournaments: everybody meets everybody, in pairs with the same opening, and the seed decides everything."""

import re
from collections import Counter
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

import noughts
from noughts.arena import Sprt, Tally, tournament
from noughts.arena.exact import MOST_POSITIONS
from noughts.arena.openings import MOST_DEPTH, SHARE, opening, usual_depth
from noughts.arena.pairs import PairTask, Setting, play_pair
from noughts.arena.tournament import MOST_SPRT_GAMES, USUAL_GAMES
from noughts.capabilities import resolve
from noughts.errors import NoughtsError, PlayerFailed
from noughts.players.random_player import RandomPlayer
from noughts.record import Record, read_records, write_records
from noughts.search.limits import Limits

PLAYERS = ["perfect", "random", "rules"]


def test_everybody_plays_everybody_as_often_in_both_seats() -> None:
    kept: list[Record] = []
    found = tournament("tic-tac-toe", PLAYERS, games=6, seed=3, keep=kept.append)
    assert found.complete
    assert found.played == len(kept) == 3 * 6
    assert Counter(record.players for record in kept) == {
        pair: 3 for one, other in combinations(PLAYERS, 2) for pair in ((one, other), (other, one))
    }
    for one, other in zip(kept[::2], kept[1::2], strict=True):
        assert one.position == other.position
        assert one.players == other.players[::-1]
        assert one.tag("Seed") == other.tag("Seed") == "3"
        assert (one.tag("Round") or "").removesuffix(".1") == (other.tag("Round") or "").removesuffix(".2")
    assert read_records(write_records(kept)) == kept


def test_the_counts_are_those_of_the_games() -> None:
    kept: list[Record] = []
    found = tournament("tic-tac-toe", PLAYERS, games=10, seed=1, keep=kept.append)
    for pairing in found.pairings:
        points = {pairing.one: 0.0, pairing.other: 0.0}
        begun = [0, 0, 0]
        for record in kept:
            if set(record.players) == {pairing.one, pairing.other}:
                first = {"first wins": 1.0, "draw": 0.5, "second wins": 0.0}[record.result]
                points[record.players[0]] += first
                points[record.players[1]] += 1 - first
                if record.players[0] == pairing.one:
                    begun[int(2 - 2 * first)] += 1
        tally = pairing.tally
        assert tally.wins + tally.draws / 2 == points[pairing.one]
        assert tally.losses + tally.draws / 2 == points[pairing.other]
        assert tally.mean == points[pairing.one] / 10
        assert list(pairing.begun[:3]) == begun
        assert pairing.begun.games == pairing.replied.games == 5
        assert sum(tally.pairs) == 5
    standings = found.standings
    assert [each.tally.games for each in standings] == [20] * 3
    assert [each.tally.mean for each in standings] == sorted((each.tally.mean for each in standings), reverse=True)
    assert sum(each.tally.wins for each in standings) == sum(each.tally.losses for each in standings)


def test_the_same_seed_gives_the_same_games_in_any_number_of_processes() -> None:
    games: dict[int, list[Record]] = {}
    results = []
    for jobs in (1, 2, 3):
        games[jobs] = []
        results.append(tournament("nim:3,4,5", PLAYERS, games=12, seed=7, jobs=jobs, keep=games[jobs].append))
    assert results[0] == results[1] == results[2]
    assert games[1] == games[2] == games[3]
    other: list[Record] = []
    tournament("nim:3,4,5", PLAYERS, games=12, seed=8, keep=other.append)
    assert [record.moves for record in other] != [record.moves for record in games[1]]


def test_a_test_stops_at_the_same_game_in_any_number_of_processes() -> None:
    test = Sprt(0, 100)
    one = tournament("tic-tac-toe", ["perfect", "random"], sprt=test, seed=2)
    two = tournament("tic-tac-toe", ["perfect", "random"], sprt=test, seed=2, jobs=2)
    assert one == two
    assert one.complete
    assert test.decision(one.pairings[0].tally.pairs) == "elo1"
    assert one.played < one.games
    short = tournament("tic-tac-toe", ["random", "random"], sprt=Sprt(0, 5), games=10)
    assert short.played == 10
    assert test.decision(short.pairings[0].tally.pairs) is None


def test_two_players_of_the_same_name_differ() -> None:
    found = tournament("tic-tac-toe", ["random", "random"], games=200, opening_moves=0)
    assert found.players == ("random#1", "random#2")
    [pairing] = found.pairings
    assert pairing.tally.wins != pairing.begun.wins, "both games of a pair would be the same"
    assert pairing.begun != Tally(100)


def test_openings_are_random_positions_of_that_depth() -> None:
    """Each move equally likely: two moves of tic-tac-toe, 72 lines, 7,200 times."""
    game = resolve(noughts.load("tic-tac-toe"))
    found = Counter(opening(game, 2, Random(seed)) for seed in range(7200))
    assert len(found) == 72
    assert sum((seen - 100) ** 2 / 100 for seen in found.values()) < 71 + 4 * (2 * 71) ** 0.5, "chi squared"
    for moves in (5, 6, 7, 8):
        for seed in range(40):
            state = game.initial()
            for action in opening(game, moves, Random(seed)):
                state = game.result(state, action)
            assert not game.terminal(state)


def test_usual_openings_leave_something_to_play() -> None:
    depths = {
        name: usual_depth(resolve(noughts.load(name))) for name in ("tic-tac-toe", "nim:1", "nim:1,1", "mnk:9,9,5")
    }
    assert depths == {"tic-tac-toe": 1, "nim:1": 0, "nim:1,1": 1, "mnk:9,9,5": 6}


class Faulty(RandomPlayer[Any, Any]):
    """Plays at random, and fails in its third move."""

    closed = 0
    how = "fails"

    def choose(self, state: Any) -> Any:
        if len(self.candidates(state)) <= 5:
            if self.how == "fails":
                raise PlayerFailed("bot", "ended")
            return 99
        return super().choose(state)

    def close(self) -> None:
        type(self).closed += 1


@pytest.mark.parametrize(
    ("how", "told"), [("fails", "'bot' loses: it ended"), ("cheats", "'faulty' loses: it played 99, .*")]
)
def test_a_player_that_fails_loses_its_game(how: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """And every player is closed after its game."""
    monkeypatch.setattr(Faulty, "how", how)
    monkeypatch.setattr(Faulty, "closed", 0)
    kept: list[Record] = []
    players = {
        "faulty": lambda game, seed, **_: Faulty(game, seed),
        "random": lambda game, seed, **_: RandomPlayer(game, seed),
    }
    found = tournament("tic-tac-toe", players, games=10, keep=kept.append)
    failures = found.failures["faulty"]
    assert failures
    assert found.pairings[0].tally.losses >= len(failures)
    assert Faulty.closed == 10
    lost = [record for record in kept if record.tag("Termination")]
    assert len(lost) == len(failures)
    for record in lost:
        assert record.result == ("second wins" if record.players[0] == "faulty" else "first wins")
        assert not record.match().over
    assert all(re.fullmatch(told, reason) for reason in failures)
    assert read_records(write_records(kept)) == kept


def test_a_player_that_cannot_be_made_loses() -> None:
    def broken(*_: Any, **__: Any) -> Any:
        raise PlayerFailed("bot", "did not start")

    players = {"random": lambda game, seed, **_: RandomPlayer(game, seed), "bot": broken}
    found = tournament("tic-tac-toe", players, games=4)
    assert found.pairings[0].tally == Tally(4, 0, 0, (0, 0, 0, 0, 2))
    assert found.failures == {"bot": ("'bot' loses: it did not start",) * 4}


class Guessing(RandomPlayer[Any, Any]):
    """Has a caveat in its second move only."""

    caveat = ""

    def choose(self, state: Any) -> Any:
        left = len(self.candidates(state))
        self.caveat = "it was late" if left in (6, 7) else ""
        return super().choose(state)


def test_players_that_can_only_guess_say_so() -> None:
    players = {
        "guessing": lambda game, seed, **_: Guessing(game, seed),
        "random": lambda game, seed, **_: RandomPlayer(game, seed),
    }
    assert tournament("tic-tac-toe", players, games=2).caveats == {"guessing": "it was late"}


def test_it_can_be_stopped() -> None:
    seen = 0

    def stopped() -> bool:
        nonlocal seen
        seen += 1
        return seen > 60

    found = tournament("tic-tac-toe", ["random", "random"], games=1000, limits=Limits(cancel=stopped))
    assert 0 < found.played < 60
    assert found.played % 2 == 0
    assert not found.complete
    whole = tournament("tic-tac-toe", ["random", "random"], games=found.played)
    assert whole.pairings == found.pairings, "what was played is what would have been played"


def test_one_pair_again() -> None:
    """A pair of games follows from the seed, the players and its number alone."""
    game = resolve(noughts.load("tic-tac-toe"))
    setting = Setting("tic-tac-toe", ("rules", "random"), 4, 1, None, 1.0)
    assert play_pair(setting, game, PairTask(0, 1, 5)) == play_pair(setting, game, PairTask(0, 1, 5))
    kept: list[Record] = []
    tournament("tic-tac-toe", ["rules", "random"], games=12, seed=4, keep=kept.append)
    one, other = play_pair(setting, game, PairTask(0, 1, 5))
    assert [record.moves for record in kept[-2:]] == [
        each.record("tic-tac-toe", ("", ""), {}).moves for each in (one, other)
    ]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"players": ["random"]}, "two players or more"),
        ({"players": ["random", "perfet"]}, "did you mean perfect"),
        ({"games": 0}, "must be 1 or more"),
        ({"games": -2}, "must be 1 or more"),
        ({"jobs": 0}, "number of processes must be 1 or more"),
        ({"opening_moves": -1}, "must be 0 or more"),
        ({"opening_moves": 9}, "over within an opening of 9 random moves; choose a shorter one"),
        ({"sprt": Sprt(5, 0)}, "the lower first"),
        ({"sprt": Sprt(0, 5), "players": ["random"] * 3}, "for two players"),
        ({"game": noughts.load("nim:3"), "jobs": 2}, "several processes need the notation of the game"),
        ({"game": "nim:0"}, "is not written"),
    ],
)
def test_what_cannot_be_played(changes: dict[str, Any], told: str) -> None:
    asked: dict[str, Any] = {"game": "tic-tac-toe", "players": ["random", "random"], "games": 2} | changes
    with pytest.raises(NoughtsError, match=told):
        tournament(**asked)


def test_an_odd_number_of_games_is_rounded_up() -> None:
    assert tournament("tic-tac-toe", ["random", "rules"], games=3).played == 4


def test_a_game_that_fails_in_another_process(tmp_path: Any) -> None:
    path = tmp_path / "broken.py"
    path.write_text(
        "def initial(): return 0\n"
        "def player(s): return 1\n"
        "def actions(s): return ['go']\n"
        "def result(s, a): return s + 1 + 0 * (1 // (5 - s))\n"
        "def terminal(s): return s > 9\n"
        "def utility(s): return 0\n"
    )
    with pytest.raises(NoughtsError, match="line 4: ZeroDivisionError"):
        tournament(str(path), ["random", "random"], games=4, opening_moves=0, jobs=2)


def test_the_figures_of_the_page() -> None:
    page = Path("docs/arena.md").read_text("utf-8")
    assert f"each two players play; {USUAL_GAMES}, or up to {MOST_SPRT_GAMES:,} with" in page
    assert f"reach more than {MOST_POSITIONS:,} positions" in page
    assert (SHARE, MOST_DEPTH) == (8, 8), "an eighth, at most eight"
