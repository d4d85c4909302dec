"""Building a book and verifying it: against the oracle, from checkpoints of all kinds, and with wrong scores in it."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import noughts
from noughts.book.file import Book, BookFile, Row, book_bytes
from noughts.bookmaking.build import build_book
from noughts.bookmaking.leaves import ByKernel, leaf_solver
from noughts.bookmaking.verify import Verified, verify_book
from noughts.capabilities import ResolvedGame, resolve
from noughts.errors import EndlessGame, NoughtsError
from noughts.search.memo import Memo
from noughts.serial import rules_digest, serial_key
from tests.book.books import build, built, plain

BOOKS = [("tic-tac-toe", 4), ("misere", 3), ("connect:4x3,3", 5), ("nim:3,4,5", 4), ("wild", 2), ("notakto:1", 4)]


def positions(game: ResolvedGame[Any, Any], plies: int) -> Iterator[Any]:
    """Yield every unfinished state up to a ply, symmetric ones too."""
    level = [game.initial()]
    for _ in range(plies + 1):
        yield from level
        children = (game.result(state, action) for state in level for action in game.legal_actions(state))
        level = list({game.key(child): child for child in children if not game.terminal(child)}.values())


@pytest.mark.parametrize(("notation", "plies"), BOOKS)
def test_a_book_has_the_scores_of_the_oracle(notation: str, plies: int) -> None:
    game, book = plain(notation), BookFile("a.book", built(notation, plies))
    key, memo, keys = serial_key(game), Memo(game), set()
    for state in positions(game, plies):
        row = book.look_up(key(state))
        assert row is not None
        assert game.scale.score(row.utility, row.distance) == memo.value(state).score
        keys.add(row.key)
    assert {row.key for row in book.rows()} == keys


@pytest.mark.parametrize("plies", [0, 1, 9, 12])
def test_a_book_may_hold_the_root_alone_or_the_whole_game(plies: int) -> None:
    book = BookFile("a.book", built("tic-tac-toe", plies))
    assert book.header.positions == {0: 1, 1: 4}.get(plies, 627)
    row = book.look_up(serial_key(plain("tic-tac-toe"))(noughts.load("tic-tac-toe").initial()))
    assert row is not None
    assert row.utility == 0


def test_margins_and_passes(tmp_path: Path) -> None:
    game = plain("reversi:4")
    content = build(game, "reversi:4", 2).content
    assert content is not None
    (tmp_path / "b").write_bytes(content)
    book, engine = Book(str(tmp_path / "b"), game), noughts.Engine(game)
    for state in positions(game, 2):
        assert book.score(state) == engine.value(state).score


def test_the_engine_confirms_what_the_kernel_built(tmp_path: Path) -> None:
    content = built_by_kernel()
    (tmp_path / "b").write_bytes(content)
    game = plain("connect:4x4")
    found = verify_book(Book(str(tmp_path / "b"), game), game, sample=12, seed=1)
    assert (found.problems, found.solved, found.positions) == ([], 12, 901)


def test_a_book_of_an_endless_game_is_refused() -> None:
    class Circle:
        """Two states that lead to each other."""

        def initial(self) -> int:
            return 0

        def player(self, _: int) -> int:
            return 1

        def actions(self, _: int) -> list[int]:
            return [1]

        def result(self, state: int, _: int) -> int:
            return 1 - state

        def terminal(self, _: int) -> bool:
            return False

        def utility(self, _: int) -> int:
            return 0

    with pytest.raises(EndlessGame, match="for ever"):
        build(resolve(Circle()), "circle", 3)


@cache
def built_by_kernel() -> bytes:
    """Return a book of Connect Four on 4 x 4."""
    content = build(resolve(noughts.load("connect:4x4")), "connect:4x4", 6).content
    assert content is not None
    return content


# Checkpoints.


def leaves(game: ResolvedGame[Any, Any], folder: Path, notation: str, plies: int) -> list[str]:
    """Return the lines of the checkpoint of a book."""
    path = folder / "all.leaves"
    build_book(game, notation, plies, str(path))
    return path.read_text(encoding="utf-8").splitlines()


def test_a_checkpoint_spares_the_work(tmp_path: Path) -> None:
    game = plain("connect:4x3,3")
    heading, *lines = leaves(game, tmp_path, "connect:4x3,3", 4)
    assert heading == f"# noughts book leaves, rules {rules_digest(game)}"
    part = tmp_path / "part.leaves"
    part.write_text("\n".join(lines[:20]) + "\n", encoding="utf-8")  # no heading: another program may write it
    again = build_book(game, "connect:4x3,3", 4, str(part))
    assert (again.known, again.solved) == (20, len(lines) - 20)
    assert again.content == built("connect:4x3,3", 4)
    assert build_book(game, "connect:4x3,3", 4, str(part)).solved == 0


def test_any_moves_that_lead_to_a_leaf_or_its_mirror_image_name_it(tmp_path: Path) -> None:
    game = plain("connect:4x3,3")
    lines = leaves(game, tmp_path, "connect:4x3,3", 4)[1:]
    mirrored = [line.split()[0].translate(str.maketrans("1234", "4321")) + line[4:] for line in lines]
    # Where the first three stones are in three columns, the first and the third can be exchanged.
    swapped = [line[2::-1] + line[3:] if len({*line[:3]}) == 3 else line for line in mirrored]
    assert swapped != mirrored
    path = tmp_path / "mirrored.leaves"
    path.write_text("\n".join([*swapped, *mirrored]) + "\n", encoding="utf-8")
    found = build_book(game, "connect:4x3,3", 4, str(path))
    assert (found.solved, found.content) == (0, built("connect:4x3,3", 4))


def test_scores_count_plies_from_the_start_as_a_kernel_does(tmp_path: Path) -> None:
    game = resolve(noughts.load("tic-tac-toe"))
    lines = leaves(game._replace(kernel=lambda: None), tmp_path, "tic-tac-toe", 4)
    found = {line.split()[0]: int(line.split()[1]) for line in lines[1:]}
    assert found["1,2,4,3"] == 9 + 1 - 5  # MAX wins with the fifth ply
    assert found["1,2,4,7"] == 9 + 1 - 7


def test_lines_that_are_cut_short_or_say_nothing_are_passed_over(tmp_path: Path) -> None:
    game = plain("connect:4x3,3")
    lines = leaves(game, tmp_path, "connect:4x3,3", 4)[1:]
    path = tmp_path / "torn.leaves"
    torn = ["", "1234", "9999 3 1", "11111 2 3", "1234 x 5", "1234 - 5", "# a comment 3", lines[0]]
    path.write_text("\n".join(torn) + "\n" + lines[1][:-1], encoding="utf-8")
    found = build_book(game, "connect:4x3,3", 4, str(path))
    assert (found.known, found.content) == (1, built("connect:4x3,3", 4))
    assert build_book(game, "connect:4x3,3", 4, str(path)).known == len(lines)


def test_a_checkpoint_that_contradicts_itself_or_is_for_other_rules_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.leaves"
    path.write_text("1234 0 5\n1234 3 5\n", encoding="utf-8")
    with pytest.raises(NoughtsError, match="two scores for the position after 1 2 3 4"):
        build_book(plain("connect:4x4"), "connect:4x4", 4, str(path))
    path.write_text("1234 99 5\n", encoding="utf-8")
    with pytest.raises(NoughtsError, match="a score that no game has, after 1 2 3 4"):
        build_book(plain("connect:4x4"), "connect:4x4", 4, str(path))
    path.write_text("# noughts book leaves, rules 00\n1234 0 5\n", encoding="utf-8")
    with pytest.raises(NoughtsError, match="other rules"):
        build_book(plain("connect:4x4"), "connect:4x4", 4, str(path))


def test_work_that_is_stopped_is_kept(tmp_path: Path) -> None:
    game, path = plain("connect:4x3,3"), tmp_path / "a.leaves"
    solved: list[str] = []

    def progress(text: str) -> None:
        if "solved" in text:
            solved.append(text)

    stopped = build_book(
        game, "connect:4x3,3", 4, str(path), progress=progress, cancelled=lambda: len(solved) >= 7, threads=1
    )
    assert stopped.content is None
    assert stopped.solved == 7
    again = build_book(game, "connect:4x3,3", 4, str(path))
    assert (again.known, again.content) == (7, built("connect:4x3,3", 4))
    assert build_book(game, "connect:4x3,3", 4, str(path), cancelled=lambda: True).content is None


# Verification.


def verified(folder: Path, notation: str, plies: int, rows: list[Row], **options: Any) -> Verified:
    """Verify a book of these rows."""
    game = plain(notation)
    path = folder / "v.book"
    path.write_bytes(book_bytes(notation, plies, rules_digest(game), rows))
    return verify_book(Book(str(path), game), game, **options)


def test_a_book_that_is_right_passes(tmp_path: Path) -> None:
    rows = list(BookFile("b", built("connect:4x3,3", 4)).rows())
    found = verified(tmp_path, "connect:4x3,3", 4, rows)
    assert (found.problems, found.complete) == ([], True)
    assert found.derived + found.leaves == found.positions == len(rows)
    assert found.solved == found.leaves
    assert verified(tmp_path, "connect:4x3,3", 4, rows, sample=5).solved == 5
    assert not verified(tmp_path, "connect:4x3,3", 4, rows, cancelled=lambda: True).complete


def test_every_wrong_score_is_found(tmp_path: Path) -> None:
    rows = list(BookFile("b", built("tic-tac-toe", 2)).rows())
    for number, row in enumerate(rows):
        wrong = row._replace(distance=row.distance + 2) if row.utility else row._replace(utility=1, distance=5)
        changed = [*rows[:number], wrong, *rows[number + 1 :]]
        assert verified(tmp_path, "tic-tac-toe", 2, changed).problems


def test_missing_and_foreign_positions_are_found(tmp_path: Path) -> None:
    rows = list(BookFile("b", built("tic-tac-toe", 2)).rows())
    assert verified(tmp_path, "tic-tac-toe", 2, rows[1:]).problems == ["1 position missing"]
    foreign = verified(tmp_path, "tic-tac-toe", 2, [*rows, Row(1 << 20, 0, 0)]).problems
    assert foreign == ["1 position that the game cannot reach in 2 plies"]


def test_leaves_that_are_solved_at_once_have_a_whole_table() -> None:
    solver = leaf_solver(resolve(noughts.load("connect:4x4")), table_mib=2, threads=2)
    assert isinstance(solver, ByKernel)
    assert solver.table.size == solver.table.entries


def test_the_kernel_finds_a_wrong_leaf(tmp_path: Path) -> None:
    game = resolve(noughts.load("connect:4x4"))
    rows = list(BookFile("b", built_by_kernel()).rows())
    path = tmp_path / "v.book"
    path.write_bytes(book_bytes("connect:4x4", 6, rules_digest(game), rows))
    right = verify_book(Book(str(path), game), game)
    assert (right.problems, right.solved) == ([], right.leaves)
    wrong = [row._replace(utility=-row.utility) if number % 5 == 0 else row for number, row in enumerate(rows)]
    path.write_bytes(book_bytes("connect:4x4", 6, rules_digest(game), wrong))
    assert any("the search finds" in each for each in verify_book(Book(str(path), game), game).problems)
