"""Games with a theory: it agrees with the search wherever that is possible, and answers where it is not."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

import noughts
from noughts import MAX, MIN, Engine, Limits
from noughts.capabilities import ResolvedGame, Theory, resolve
from noughts.errors import BrokenGame
from noughts.games.nim import Heaps, Nim
from noughts.match import play_out
from noughts.players import computer
from noughts.players.textbook import Textbook
from noughts.search.memo import Memo
from noughts.sources.question import Question
from noughts.sources.theory import TheoryOf
from noughts.testing import check_game
from noughts.words.explanation import explain
from noughts.words.report import first_sentence, names_of
from tests.helpers import altered

LARGE = "nim:20,30,40"


def small_heaps(sizes: tuple[int, ...]) -> Iterator[Heaps]:
    """Yield every unfinished state of heaps up to these sizes."""
    for heaps in product(*(range(size + 1) for size in sizes)):
        if any(heaps):
            yield from (Heaps(heaps, mover) for mover in (MAX, MIN))


def by_theory(game: ResolvedGame[Any, Any], state: Any) -> noughts.Answer[Any]:
    """Return what the theory alone answers."""
    answer = TheoryOf(game).ask(Question(game, state, "all", Limits()))
    assert answer is not None
    return answer


@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize("sizes", [(4, 4, 4), (9, 9), (2, 2, 2, 2), (1, 1, 1, 1, 1), (15,)])
def test_the_theory_agrees_with_the_search_on_all_small_heaps(sizes: tuple[int, ...], misere: bool) -> None:
    game = resolve(Nim(sizes, misere))
    memo = Memo(game)
    for state in small_heaps(sizes):
        found, searched = by_theory(game, state), memo.analyse(state)
        assert found.value == searched.value
        assert [each.value for each in found.actions] == [each.value for each in searched.actions]
        winning = {each.action for each in searched.actions if each.value == searched.value}
        assert set(found.best) == winning >= set(searched.best)
        assert searched.score is not None
        assert found.low is not None
        assert found.high is not None
        assert found.low <= searched.score <= found.high
        assert (found.distance, found.score, found.proven, found.method) == (None, None, True, "theory")


def test_the_engine_answers_large_heaps_at_once() -> None:
    for misere in ("", ",misere"):
        engine = Engine(noughts.load(LARGE + misere))
        assert engine.knows(engine.game.initial())
        answer = engine.analyse()
        assert (answer.value, answer.best, answer.method, answer.stopped) == ("win", ("c30",), "theory", "done")
        assert all(each.exact for each in answer.actions)
        assert engine.value().best == ("c30",)
        assert "searches" not in vars(engine._sources)


def test_small_heaps_keep_their_distances() -> None:
    answer = Engine(noughts.load("nim:3,4,5")).analyse()
    assert (answer.method, answer.distance) == ("memo", 11)


@pytest.mark.parametrize("notation", [LARGE, LARGE + ",misere"])
@pytest.mark.parametrize("opponent", ["random", "rules", "perfect"])
def test_the_perfect_player_wins_every_won_game(notation: str, opponent: str) -> None:
    game = noughts.load(notation)
    for seed in range(3):
        player = Textbook(Engine(game), seed)
        assert play_out(game, {MAX: player, MIN: computer(opponent, game, seed)}).utility == 1
        assert player.caveat == ""


def test_levels_err_by_the_theory_too() -> None:
    game = noughts.load(LARGE)
    level = computer("level-3", game, 1)
    assert len(level.candidates(game.initial())) == 90


def test_a_lost_position_offers_every_action() -> None:
    game = noughts.load(LARGE)
    state = noughts.replay(game, "c30")
    answer = Engine(game).analyse(state)
    assert (answer.value, len(answer.best)) == ("loss", 60)


def test_explanations_say_what_an_action_leaves() -> None:
    game = noughts.load(LARGE)
    state = game.initial()
    told = first_sentence(explain(game, state), names_of(game, state))
    assert told == "First wins, with c30: it leaves heaps with xor 0."
    lost = noughts.replay(game, "c30")
    told = first_sentence(explain(game, lost), names_of(game, lost))
    assert told == "Second loses, whatever the move: even a1 leaves heaps with xor 7."
    misere = noughts.load("nim:1,1,1,misere")
    assert "leaves an even number of single stones" in first_sentence(
        explain(misere, misere.initial(), "a1"), names_of(misere, misere.initial())
    )


def test_where_the_theory_is_silent_the_search_answers() -> None:
    game = resolve(noughts.load("nim:3,4,5"))._replace(theory=lambda _: None)
    engine = Engine(game)
    assert not engine.knows(game.initial())
    assert (engine.analyse().value, engine.analyse().distance) == ("win", 11)


def test_a_theory_that_contradicts_itself_is_refused() -> None:
    game = resolve(noughts.load(LARGE))._replace(theory=lambda state: Theory(state.mover, ""))
    with pytest.raises(BrokenGame, match="does not agree about the children"):
        Engine(game).analyse(noughts.replay(game, "c30"))


def test_lint_checks_a_theory_against_itself() -> None:
    nim: Any = noughts.load("nim:3,4,5")
    assert check_game(nim).ok
    for theory, words in (
        (lambda _: Theory(1, "something"), "by what it says about the next positions"),
        (lambda _: 1, "is 1, which is not a Theory"),
        (lambda state: Theory(-nim.theory(state).utility, ""), "by what it says about the next positions"),
    ):
        (problem,) = check_game(altered(nim, theory=theory)).problems
        assert problem.kind == "theory"
        assert words in problem.message
    assert check_game(altered(nim, theory=lambda _: None)).ok


def test_lint_opens_the_book() -> None:
    (problem,) = check_game(altered(noughts.load("nim:1,2"), book="nowhere.book")).problems
    assert (problem.kind, problem.position) == ("book", "")
    assert "cannot read 'nowhere.book'" in problem.message
