"""An engine with a book: every answer as without it, and at once where the book has it."""

import pickle
from pathlib import Path
from random import Random
from typing import Any

import pytest

import noughts
from noughts import Engine, Limits
from noughts.book.file import BookFile, book_bytes
from noughts.capabilities import ResolvedGame, resolve
from noughts.notices import SlowerSearch
from noughts.players.textbook import Textbook
from tests.book.books import built, plain, with_book
from tests.book.test_building import positions


@pytest.fixture
def connect(tmp_path: Path) -> ResolvedGame[Any, Any]:
    """Connect Four on 4 x 3 with a book up to ply 6, and without a kernel."""
    return with_book(plain("connect:4x3"), built("connect:4x3", 6), tmp_path)


def known(answer: noughts.Answer[Any]) -> tuple[Any, ...]:
    """Return what is known, however it was found."""
    return answer.value, answer.distance, answer.score, answer.best, answer.actions, answer.proven


@pytest.mark.parametrize("plies", [0, 3])
def test_every_answer_is_that_of_the_oracle(tmp_path: Path, plies: int) -> None:
    game = with_book(plain("tic-tac-toe"), built("tic-tac-toe", plies), tmp_path)
    engine, bare = Engine(game), Engine(plain("tic-tac-toe"))
    for state in positions(game, 4):
        assert known(engine.analyse(state)) == known(bare.analyse(state))
        assert engine.analyse(state).line_complete
        one, expected = engine.value(state), bare.value(state)
        assert (one.score, one.actions) == (expected.score, ())
        assert one.best[0] in bare.analyse(state).best


def test_where_all_children_are_in_the_book_it_costs_nothing(connect: ResolvedGame[Any, Any]) -> None:
    engine, bare = Engine(connect), Engine(plain("connect:4x3"))
    nothing = Limits(nodes=0)
    for state in Random(3).sample(list(positions(connect, 5)), 60):
        assert engine.knows(state)
        answer = engine.analyse(state, limits=nothing)
        assert known(answer) == known(bare.analyse(state))
        assert (answer.method, answer.nodes, answer.stopped) == ("book", 0, "done")
        assert answer.line[0] == answer.best[0]


def test_at_the_last_ply_the_value_is_known_and_the_search_finds_the_action(connect: ResolvedGame[Any, Any]) -> None:
    engine, bare = Engine(connect), Engine(plain("connect:4x3"))
    last = [state for state in positions(connect, 6) if (state.first | state.second).bit_count() == 6]
    for state in Random(4).sample(last, 20):
        assert not engine.knows(state)
        bound = Engine(connect).analyse(state, limits=Limits(nodes=1))
        expected = bare.analyse(state)
        if not bound.proven:
            assert (bound.low, bound.high) == (expected.score, expected.score)
        assert known(engine.analyse(state)) == known(expected)


def test_the_line_goes_on_beyond_the_book(connect: ResolvedGame[Any, Any]) -> None:
    answer = Engine(connect).analyse()
    assert answer.line_complete
    state = connect.initial()
    for action in answer.line:
        state = connect.result(state, action)
    assert connect.terminal(state)
    assert Engine(connect).ask(connect.initial(), to_play=True).line == answer.line[:6]


def test_the_perfect_player_needs_no_search_in_the_book(connect: ResolvedGame[Any, Any]) -> None:
    engine = Engine(connect)
    judgement = Textbook(engine, limits=Limits(nodes=0)).judge(connect.initial())
    assert judgement.doubt == ""
    assert set(judgement.choice) == set(Engine(plain("connect:4x3")).analyse().best)
    assert "searches" not in vars(engine._sources)


def test_without_a_kernel_the_player_says_that_the_book_has_ended(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    game = with_book(resolve(noughts.load("connect:4x3")), built("connect:4x3", 2), tmp_path)
    player = Textbook(Engine(game), limits=Limits(nodes=40))
    player.choose(game.initial())
    assert player.caveat == ""
    player.choose(noughts.replay(game, "1212"))
    assert player.caveat.startswith("the opening book ends here, and without numba the game is too large to solve")
    assert "pip install 'noughts[fast]'" in player.caveat


def test_a_book_that_is_damaged_is_told_once_and_not_believed(tmp_path: Path) -> None:
    content = bytearray(built("tic-tac-toe", 3))
    content[-3] ^= 4
    game = with_book(plain("tic-tac-toe"), bytes(content), tmp_path)
    engine = Engine(game)
    with pytest.warns(SlowerSearch, match=r"damaged and not used: block 0 does not match its digest"):
        answer = engine.analyse()
    assert known(answer) == known(Engine(plain("tic-tac-toe")).analyse())
    assert answer.method == "memo"
    assert engine.value(noughts.replay(game, "1")).method == "memo"  # and no second warning


@pytest.mark.parametrize("book", ["none.book", "."])
def test_a_book_that_cannot_be_read_is_told(tmp_path: Path, book: str) -> None:
    game = plain("tic-tac-toe")._replace(book=str(tmp_path / book))
    with pytest.warns(SlowerSearch, match="cannot read"):
        assert Engine(game).analyse().value == "draw"


def test_a_book_of_other_rules_is_not_believed(tmp_path: Path) -> None:
    game = with_book(plain("misere"), built("tic-tac-toe", 3), tmp_path)
    with pytest.warns(SlowerSearch, match="other rules"):
        assert known(Engine(game).analyse()) == known(Engine(plain("misere")).analyse())


def test_a_book_that_contradicts_itself_is_not_believed(tmp_path: Path) -> None:
    book = BookFile("b", built("tic-tac-toe", 3))
    rows = [row._replace(utility=1, distance=3) if row.key == 0 else row for row in book.rows()]
    content = book_bytes("tic-tac-toe", 3, book.header.rules, rows)
    game = with_book(plain("tic-tac-toe"), content, tmp_path)
    with pytest.warns(SlowerSearch, match="contradicts itself"):
        assert Engine(game).analyse().value == "draw"


@pytest.mark.parametrize("tells", [True, False])
def test_beyond_its_last_ply_a_book_is_not_searched(
    connect: ResolvedGame[Any, Any], monkeypatch: pytest.MonkeyPatch, tells: bool
) -> None:
    """If states tell their plies; else every position is looked up, and the answers are the same."""
    engine, bare = Engine(connect if tells else connect._replace(plies=None)), Engine(plain("connect:4x3"))
    looked: list[int] = []
    found = BookFile.look_up

    def look_up(book: BookFile, key: int) -> Any:
        looked.append(key)
        return found(book, key)

    monkeypatch.setattr(BookFile, "look_up", look_up)
    for state in Random(5).sample(list(positions(connect, 8)), 60):
        before, plies = len(looked), (state.first | state.second).bit_count()
        assert known(engine.value(state))[:3] == known(bare.value(state))[:3]
        assert (len(looked) > before) == (plies <= 6 or not tells)


def test_forgetting_and_memory(connect: ResolvedGame[Any, Any]) -> None:
    engine = Engine(connect)
    engine.value()
    with_file = engine.bytes
    engine.forget()
    assert with_file > engine.bytes
    assert engine.value().method == "book"


def test_a_file_game_has_its_book_beside_it(tmp_path: Path) -> None:
    source = Path("examples/matches.py").read_text(encoding="utf-8")
    (tmp_path / "own.py").write_text(source + '\nbook = "own.book"\n', encoding="utf-8")
    game = resolve(noughts.load(str(tmp_path / "own.py")))
    assert game.book == str(tmp_path / "own.book")
    from tests.book.books import build

    content = build(game._replace(book=None), "own.py", 2).content
    assert content is not None
    (tmp_path / "own.book").write_bytes(content)
    engine = Engine(game)
    assert engine.analyse().method == "book"
    assert pickle.loads(pickle.dumps(Engine(plain("tic-tac-toe")))).analyse().method == "memo"
