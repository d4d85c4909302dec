"""Probing: a table says of every state what the oracle says, and so do the engine with it and every search."""

import pickle
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import noughts
from noughts import BadPosition, Engine, Limits, Options, Table
from noughts.capabilities import resolve
from noughts.compiled.build import available
from noughts.notices import SlowerSearch
from noughts.players.textbook import Textbook
from noughts.search.memo import Memo
from noughts.solving.verify import verify_table
from noughts.sources.native import kernel
from noughts.tables.codings import SERIAL, Coding, numbers_coding
from tests.helpers import every_state
from tests.tables.reference import make_table

GAMES = ["tic-tac-toe", "nim:3,4,5", "misere", "mnk:3,3,2", "connect:4x3,3", "notakto", "wild"]


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Return a function that makes the table of a game once, and returns its folder."""
    made: dict[Any, Path] = {}

    def make(notation: str, **options: Any) -> Path:
        key = notation, tuple(sorted(options))
        if key not in made:
            made[key] = make_table(tmp_path_factory.mktemp("table") / "t", notation, **options)
        return made[key]

    return make


def known(answer: noughts.Answer[Any]) -> tuple[Any, ...]:
    """Return what is known, however it was found."""
    return answer.value, answer.distance, answer.margin, answer.score, answer.best, answer.actions, answer.proven


@pytest.mark.parametrize("notation", GAMES)
def test_a_table_and_an_engine_with_it_say_what_the_oracle_says(tables: Callable[..., Path], notation: str) -> None:
    game = noughts.load(notation)
    table: Table[Any, Any] = noughts.open_table(tables(notation))
    engine, bare = Engine(game, table=table), Engine(game)
    states = every_state(game)
    for state in states if len(states) < 1000 else Random(1).sample(states, 1000):
        expected = bare.analyse(state)
        probed = table.probe(state)
        assert (probed.score, probed.value, probed.distance) == (expected.score, expected.value, expected.distance)
        assert (probed.method, probed.best, probed.proven) == ("table", (), True)
        assert known(engine.analyse(state)) == known(expected)
        if not game.terminal(state):
            answer = engine.analyse(state, limits=Limits(nodes=0))
            assert (answer.method, answer.nodes, answer.stopped) == ("table", 0, "done")
            assert answer.line_complete
            assert answer.line[0] == answer.best[0]
            assert answer.distance in (None, len(answer.line))
            assert engine.value(state, limits=Limits(nodes=0)).best == answer.best[:1]
            assert engine.knows(state)


def test_values_alone_give_values_bounds_and_the_fastest_win_of_one_move(tables: Callable[..., Path]) -> None:
    folder = tables("tic-tac-toe", distances=False)
    game = noughts.load("tic-tac-toe")
    table: Table[Any, Any] = noughts.open_table(folder)
    engine, bare = Engine(game, table=table), Engine(game)
    assert not table.has_distances
    for state in Random(2).sample(every_state(game), 400):
        expected, probed, answer = bare.analyse(state), table.probe(state), engine.analyse(state)
        assert (probed.value, probed.margin, probed.proven) == (expected.value, expected.margin, True)
        assert expected.score is not None
        assert probed.low is not None
        assert probed.high is not None
        assert probed.low <= expected.score <= probed.high
        assert answer.value == expected.value
        assert {each.action: each.value for each in answer.actions} == {
            each.action: each.value for each in expected.actions
        }
        if expected.distance == 1:
            assert (answer.best, answer.distance) == (expected.best, 1)
        elif not game.terminal(state):
            assert set(answer.best) >= set(expected.best)


def test_a_copy_without_its_distances_gives_values(tables: Callable[..., Path], tmp_path: Path) -> None:
    copy = Path(shutil.copytree(tables("tic-tac-toe"), tmp_path / "copy"))
    for path in copy.glob("dtm-*"):
        path.unlink()
    game: Any = noughts.load("tic-tac-toe")
    found = noughts.open_table(copy, game).probe(noughts.replay(game, "5 2"))
    assert (found.value, found.distance) == ("win", None)


MARGINS = """
utility_range = (-12, 12)
longest = 9

def initial(): return (4, 2, 3), 0, 1

def player(state): return state[2]

def actions(state): return [place for place, coins in enumerate(state[0]) if coins]

def result(state, place):
    piles, ahead, mover = state
    gain = piles[place] * (2 if place == 1 else 1)
    return (*piles[:place], piles[place] // 2, *piles[place + 1:]), ahead + mover * gain, -mover

def terminal(state): return not any(state[0])

def utility(state): return max(-12, min(12, state[1]))
"""


NUMBERS = numbers_coding([[0, 0, 0], 0, 0], [(0, 4), (0, 2), (0, 3), (-12, 12), (-1, 1)])


@pytest.mark.parametrize("coding", [SERIAL, NUMBERS])
def test_margins_are_stored_in_as_many_bits_as_they_need(tmp_path: Path, coding: Coding) -> None:
    """With either coding. A state that does not fit into the fields of its numbers has no code, and is not found."""
    path = tmp_path / "margins.py"
    path.write_text(MARGINS, encoding="utf-8")
    game = noughts.load(str(path))
    table: Table[Any, Any] = noughts.open_table(make_table(tmp_path / "t", str(path), coding=coding))
    memo, engine = Memo(game), Engine(game, table=table)
    found = set()
    for state in every_state(game):
        expected = memo.analyse(state)
        assert table.probe(state).score == expected.score
        assert known(engine.analyse(state)) == known(expected)
        found.add(table.probe(state).margin)
    assert len(found) == 10
    for odd in (((5, 0, 0), 0, 1), ((4, 2, 3), 13, 1), ((4, 2), 0, 1), (4, 2, 3), ((4, 2, 3), 0, "1"), 7):
        assert table.find(odd) is None
    assert verify_table(table).problems == []


def test_states_that_play_does_not_reach_are_not_in_the_table(tables: Callable[..., Path]) -> None:
    game = noughts.load("tic-tac-toe")
    table: Table[Any, Any] = noughts.open_table(tables("tic-tac-toe"))
    odd = type(game.initial())(0b111111111, 0)
    assert table.find(odd) is None
    with pytest.raises(BadPosition, match="does not have this position: no play leads to it"):
        table.probe(odd)


def test_the_perfect_player_plays_from_the_table(tables: Callable[..., Path]) -> None:
    engine = Engine(noughts.load("connect:4x3,3"), table=tables("connect:4x3,3"))
    judgement = Textbook(engine, limits=Limits(nodes=0)).judge(engine.game.initial())
    assert judgement.doubt == ""
    assert set(judgement.choice) == set(Engine(engine.game.game).analyse().best)


def test_a_copy_of_an_engine_has_the_table_too(tables: Callable[..., Path]) -> None:
    engine = Engine(noughts.load("nim:3,4,5"), table=tables("nim:3,4,5"))
    copy = pickle.loads(pickle.dumps(engine))
    assert copy.analyse(limits=Limits(nodes=0)).method == "table"
    engine.analyse()
    assert engine.bytes > 0
    engine.forget()
    assert engine.analyse(limits=Limits(nodes=0)).method == "table", "it opens the files again"


def test_a_table_in_the_users_folder_is_found(
    tables: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "tables"
    shutil.copytree(tables("nim:3,4,5"), home / "a")
    shutil.copytree(tables("tic-tac-toe"), home / "b")
    (home / "c").mkdir()
    (home / "d").mkdir()
    (home / "d" / "manifest.json").write_text("{", encoding="utf-8")
    nothing = Limits(nodes=0)
    monkeypatch.setenv("NOUGHTS_TABLES", str(home))
    assert Engine(noughts.load("tic-tac-toe")).analyse(limits=nothing).method == "table"
    assert Engine(noughts.load("nim:3,4,5")).solve(0.0)
    with pytest.warns(SlowerSearch, match=r"manifest\.json' is damaged"):
        assert Engine(noughts.load("misere")).analyse().method != "table"
    monkeypatch.setenv("NOUGHTS_TABLES", "")
    assert Engine(noughts.load("tic-tac-toe")).analyse(limits=nothing).method != "table"


def test_where_the_users_folder_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from noughts.tables.places import found_tables, tables_folder

    monkeypatch.delenv("NOUGHTS_TABLES")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    for platform, variable, expected in (
        ("linux", "XDG_DATA_HOME", ".local/share/noughts/tables"),
        ("darwin", "XDG_DATA_HOME", "Library/Application Support/noughts/tables"),
        ("win32", "LOCALAPPDATA", "AppData/Local/noughts/tables"),
    ):
        monkeypatch.setattr("sys.platform", platform)
        monkeypatch.delenv(variable, raising=False)
        assert tables_folder() == str(tmp_path / expected)
        assert found_tables() == []
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert tables_folder() == str(tmp_path / "data" / "noughts" / "tables")


SEARCHES = ["minimax", "alphabeta", "deepening", "mtd", "proof"]


@pytest.mark.parametrize("notation", ["tic-tac-toe", "nim:3,4,5", "connect:4x3,3", "misere"])
def test_every_search_agrees_with_the_table(tables: Callable[..., Path], notation: str) -> None:
    game = noughts.load(notation)
    table: Table[Any, Any] = noughts.open_table(tables(notation))
    states = [state for state in every_state(game) if not game.terminal(state)]
    states.sort(key=resolve(game).plies or (lambda state: 0))
    for state in Random(3).sample(states[len(states) // 2 :], 12):
        expected = table.probe(state)
        for search in SEARCHES:
            answer = getattr(noughts, search)(game, state)
            assert answer.value == expected.value, search
            if search != "proof":
                assert (answer.score, answer.distance) == (expected.score, expected.distance), search
        if available() and resolve(game).kernel() is not None and notation != "nim:3,4,5":
            assert kernel(game, state).score == expected.score
    assert noughts.alphabeta(game, options=Options(table_mib=1)).score == table.probe(game.initial()).score
