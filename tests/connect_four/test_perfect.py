"""The perfect player at Connect Four: each of its moves keeps value and distance, as BitBully has them."""

from random import Random

import pytest

import noughts
from noughts.players.textbook import Textbook
from tests.connect_four.judge import OPPONENTS, Judge, Moves, judged_game, stones_after

GAME = noughts.load("connect-four")


@pytest.fixture(scope="module")
def judge() -> Judge:
    return Judge()


@pytest.fixture(scope="module")
def engine() -> noughts.Engine[object, object]:
    return noughts.Engine(GAME)


def replayed(moves: Moves) -> object:
    return noughts.replay(GAME, " ".join(map(str, moves)))


def random_positions(plies: int, number: int) -> list[Moves]:
    """Return unfinished positions of random games."""
    chance, found = Random(plies), list[Moves]()
    while len(found) < number:
        moves: Moves = []
        for _ in range(plies):
            moves.append(chance.choice([column for column in range(1, 8) if moves.count(column) < 6]))
            if stones_after(moves).has_lost:
                break
        else:
            found.append(moves)
    return found


def test_the_judge_knows_the_first_move(judge: Judge) -> None:
    assert judge.scores([]) == {4: 1, 3: 0, 5: 0, 2: -1, 6: -1, 1: -2, 7: -2}


@pytest.mark.parametrize("plies", [*range(8), *range(20, 40, 3)])
def test_every_value_agrees_with_the_judge(judge: Judge, engine: noughts.Engine[object, object], plies: int) -> None:
    """In the book, and where the kernel needs but a moment."""
    for moves in random_positions(plies, 5):
        answer, scores = engine.analyse(replayed(moves)), judge.scores(moves)
        expected = {}
        for each in answer.actions:
            stones = 0 if each.distance is None else (len(moves) + each.distance + 1) // 2
            expected[each.action] = {"win": 22 - stones, "draw": 0, "loss": stones - 22}[each.value]
        assert answer.proven
        assert scores == expected, moves


def judged(judge: Judge, name: str, games: int, *, begins: bool) -> None:
    player = Textbook(noughts.Engine(GAME))
    for seed in range(games):
        record = judged_game(
            lambda moves: player.choose(replayed(moves)), OPPONENTS[name](Random(seed), judge), judge, begins=begins
        )
        assert record.faults == []


@pytest.mark.long
@pytest.mark.parametrize("begins", [True, False])
@pytest.mark.parametrize("name", OPPONENTS)
def test_it_never_errs_in_two_hundred_games(judge: Judge, name: str, begins: bool) -> None:
    judged(judge, name, 20, begins=begins)
