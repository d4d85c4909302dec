"""The file of a book: what is written is read, and what is damaged is refused."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

import noughts
from noughts.book.file import BLOCK, Book, BookFile, Row, book_bytes, read_book
from noughts.capabilities import resolve
from noughts.errors import BadBook, BrokenGame
from noughts.games import GAMES
from noughts.serial import rules_digest, serial_key
from tests.book.books import built, plain


def written(path: Path, content: bytes) -> str:
    """Write a file and return its path."""
    path.write_bytes(content)
    return str(path)


def all_of(content: bytes) -> list[Row]:
    """Read everything that a book holds."""
    return list(BookFile("a.book", content).rows())


@pytest.mark.parametrize("count", [0, 1, BLOCK, BLOCK + 1, 5 * BLOCK + 7])
def test_what_is_written_is_read(count: int) -> None:
    random = Random(count)
    keys = list({random.randrange(1 << 70) for _ in range(count)})
    rows = [Row(key, random.choice((-3, 0, 2)), random.randrange(300)) for key in keys]
    content = book_bytes("a game", 3, "rules", rows)
    assert all_of(content) == sorted(rows)
    book = BookFile("a.book", content)
    assert all(book.look_up(row.key) == row for row in rows)
    absent = [key for key in (0, 1, (1 << 70) + 1, 1 << 200, *(key + 1 for key in keys[:500])) if key not in keys]
    assert all(book.look_up(key) is None for key in absent)
    assert (book.header.game, book.header.plies, book.header.positions) == ("a game", 3, count)


def test_one_flipped_bit_anywhere_is_refused() -> None:
    content = built("tic-tac-toe", 3)
    assert len(all_of(content)) > 30
    for place in range(8 * len(content)):
        damaged = bytearray(content)
        damaged[place // 8] ^= 1 << place % 8
        with pytest.raises(BadBook):
            all_of(bytes(damaged))


def test_a_damaged_block_is_refused_by_the_look_up_and_the_others_are_not() -> None:
    rows = [Row(key, 1, 3) for key in range(2 * BLOCK)]
    content = book_bytes("a game", 3, "rules", rows)
    book = BookFile("a.book", content[:-1] + bytes([content[-1] ^ 1]))
    assert book.look_up(0) == rows[0]
    with pytest.raises(BadBook, match="block 1 does not match"):
        book.look_up(2 * BLOCK - 1)


@pytest.mark.parametrize("cut", [0, 5, 40, 200, -1])
def test_a_file_cut_short_or_too_long_is_refused(cut: int) -> None:
    content = built("tic-tac-toe", 3)
    with pytest.raises(BadBook):
        all_of(content[:cut])
    with pytest.raises(BadBook):
        all_of(content + content[:cut] + b"\0")


def test_what_is_not_a_file_is_refused_in_one_line(tmp_path: Path) -> None:
    for path in (str(tmp_path), str(tmp_path / "none"), "a\0b"):
        with pytest.raises(BadBook, match="cannot read") as refused:
            read_book(path)
        assert "\n" not in str(refused.value)


def test_a_book_is_for_its_own_rules_only(tmp_path: Path) -> None:
    path = written(tmp_path / "b", built("tic-tac-toe", 3))
    assert noughts.open_book(path, noughts.load("tic-tac-toe")).header.positions == 54
    for other in ("misere", "mnk:3,3,2", "mnk:4,3,3", "connect:3x3,3", "nim:3,4,5", "wild"):
        with pytest.raises(BadBook, match="for other rules"):
            Book(path, noughts.load(other))


def test_every_game_has_its_own_digest_and_keeps_it() -> None:
    games = [example for entry in GAMES.values() for example in entry.examples if "torus" not in example]
    digests: dict[str, str] = {}
    for game in games:
        digest = rules_digest(resolve(noughts.load(game)))
        assert digests.setdefault(digest, game) == game or {game, digests[digest]} <= {"connect-four", "connect:7x6"}
    # The digest is part of a book, so it must never change from one version to the next.
    assert rules_digest(plain("tic-tac-toe")) == "23a745874d42f908c2fd9511f00de59f"
    assert rules_digest(plain("connect:4x4")) == "8de75150a48dd3052b767ebc431ac602"


def test_keys_are_equal_exactly_for_symmetric_states() -> None:
    for notation in ("tic-tac-toe", "connect:4x4", "nim:3,4,5", "wild", "reversi:4"):
        game = resolve(noughts.load(notation))
        key, random = serial_key(game), Random(1)
        seen: dict[int, set[Any]] = {}
        for _ in range(60):
            state = game.initial()
            while not game.terminal(state):
                images = [state, *(game.symmetries(state) if game.symmetries else ())]
                assert len({key(image) for image in images}) == 1
                seen.setdefault(key(state), set()).add(frozenset(map(game.key, images)))
                state = game.result(state, random.choice(game.legal_actions(state)))
        assert all(len(classes) == 1 for classes in seen.values())


def test_a_key_that_cannot_be_stored_is_named() -> None:
    game = plain("tic-tac-toe")._replace(symmetries=None, key=lambda state: object())
    with pytest.raises(BrokenGame, match="it holds a object; offer a function key"):
        serial_key(game)(game.initial())
