"""Probing: a table says of every state what the oracle says, and so do the engine with it and every search."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import noughts
from noughts import Engine, Limits, Table
from noughts.tables.codings import Coding, numbers_coding
from tests.helpers import every_state
from tests.tables.reference import make_table

GAMES = ["tic-tac-toe", "nim:3,4,5", "misere", "mnk:3,3,2", "connect:4x3,3", "notakto", "wild"]
PAIR_OF_BOARDS: Coding = numbers_coding([0, 0], [(0, 511), (0, 511)])


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
