"""The opening book of Connect Four that comes with noughts."""

from random import Random
from typing import Any

import pytest

import noughts
from noughts.book.file import Book
from noughts.bookmaking.verify import Verified, verify_book
from noughts.capabilities import ResolvedGame, resolve
from noughts.engine import LINE_NODES, Engine
from noughts.notices import SlowerSearch
from noughts.players.textbook import Textbook
from noughts.search.limits import Limits
from tests.helpers import altered

PLIES, POSITIONS = 8, 129_498
FIRST_MOVES = {1: ("loss", 40), 2: ("loss", 42), 3: ("draw", None), 4: ("win", 41)}
"""Who wins after a first move, and in how many plies; solved by James D. Allen and by Victor Allis, both in 1988."""


@pytest.fixture(scope="module")
def game() -> ResolvedGame[Any, Any]:
    return resolve(noughts.load("connect-four"))


def verified(game: ResolvedGame[Any, Any], sample: int | None) -> Verified:
    assert game.book is not None
    return verify_book(Book(game.book, game), game, sample=sample, seed=1, threads=1)


@pytest.mark.long
def test_it_has_every_position_and_scores_that_follow_from_each_other(game: ResolvedGame[Any, Any]) -> None:
    found = verified(game, 0)
    assert (found.problems, found.complete, found.positions) == ([], True, POSITIONS)
    assert found.derived + found.leaves == POSITIONS


def test_it_has_positions_of_many_games_and_scores_that_follow_from_each_other(game: ResolvedGame[Any, Any]) -> None:
    """Along games played at random; the long run sees all positions."""
    assert game.book is not None
    book, chance = Book(game.book, game), Random(1)
    assert (book.header.plies, book.header.positions) == (PLIES, POSITIONS)
    for _ in range(60):
        state = game.initial()
        for _ in range(PLIES):
            children = [game.result(state, action) for action in game.legal_actions(state)]
            scores = [book.score(child) for child in children if not game.terminal(child)]
            won = [child for child in children if game.terminal(child) and game.utility(child)]
            assert None not in scores
            best = max(game.scale.one_ply_later(-score) for score in scores if score is not None)
            assert book.score(state) == (game.scale.score(1, 1) if won else best)
            state = chance.choice([child for child in children if not game.terminal(child)])
        beyond = (game.result(state, action) for action in game.legal_actions(state))
        assert all(book.score(child) is None for child in beyond)


@pytest.mark.long
def test_the_kernel_finds_the_same_scores(game: ResolvedGame[Any, Any]) -> None:
    found = verified(game, 60)
    assert (found.problems, found.solved) == ([], 60)


def test_every_first_move_is_valued_without_a_search(game: ResolvedGame[Any, Any]) -> None:
    engine = Engine(game)
    answer = engine.ask(game.initial(), Limits(nodes=0), to_play=True)
    assert (answer.method, answer.proven, answer.value, answer.distance, answer.best) == ("book", True, "win", 41, (4,))
    mirrored = FIRST_MOVES | {8 - column: value for column, value in FIRST_MOVES.items()}
    assert {each.action: (each.value, each.distance) for each in answer.actions} == mirrored
    assert "searches" not in vars(engine._sources)


def test_a_game_of_other_rules_cannot_have_it(game: ResolvedGame[Any, Any]) -> None:
    misere = altered(game.game, utility=lambda state: -game.utility(state), book=game.book, kernel=lambda: None)
    with pytest.warns(SlowerSearch, match="it is for other rules"):
        answer = Engine(misere).analyse(limits=Limits(nodes=50))
    assert answer.method != "book"


def test_the_perfect_player_opens_in_the_centre_without_a_doubt(game: ResolvedGame[Any, Any]) -> None:
    player = Textbook(Engine(game), limits=Limits(nodes=0))
    state = game.initial()
    for _ in range(PLIES):  # its own best moves, from both sides
        action = player.choose(state)
        assert player.caveat == ""
        state = game.result(state, action)
    assert noughts.open_book(str(game.book), game.game).header.plies == PLIES


def test_the_line_of_a_position_in_the_book_takes_no_long_search(game: ResolvedGame[Any, Any]) -> None:
    """It goes as far as the book, and then as far as some nodes reach."""
    answer = Engine(game, threads=1).analyse(noughts.replay(game, "6 7 1"))
    assert answer.proven
    assert all(each.exact for each in answer.actions)
    assert len(answer.line) >= PLIES - 3
    assert answer.nodes <= 40 * LINE_NODES
