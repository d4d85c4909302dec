"""The sources of an engine: which there are, in which order, and that the engine only asks one after the other."""

from typing import Any

import pytest

import noughts
from noughts import Answer, Engine, Limits
from noughts.compiled import build
from noughts.search.memo import Memo
from noughts.sources.question import Question, Source
from noughts.sources.solved import SolvedGame
from tests.helpers import without_kernel

FIRST, LAST = "SolvedGame", "AtLeisure LookAhead"

IN_ORDER = {
    "tic-tac-toe": f"{FIRST} AtOnce KernelAtOnce Glance KernelSearch ToTheEnd {LAST}",
    "connect-four": f"OpeningBook {FIRST} AtOnce KernelAtOnce Glance KernelSearch ToTheEnd {LAST}",
    "nim:3,4,5": f"{FIRST} TheoryOf AtOnce GlanceBeforeLoading DeepSearch ToTheEnd {LAST}",
    "mnk:6,6,5": f"{FIRST} AtOnce LineSearch DrawSearch DeepSearch ToTheEnd {LAST}",
    "mnk:15,15,5": f"{FIRST} AtOnce LineSearch ToTheEnd {LAST}",
    "reversi:4": f"{FIRST} AtOnce GlanceBeforeLoading DeepSearch ToTheEnd {LAST}",
    "./examples/matches.py": f"{FIRST} AtOnce PlainAtOnce Glance ToTheEnd PlainSearch {LAST}",
}


def sources_of(engine: Engine[Any, Any]) -> str:
    """Return the names of the classes of an engine's sources, in the order in which they are asked."""
    return " ".join(type(source).__name__ for source in engine._sources)


@pytest.mark.parametrize("notation", IN_ORDER)
def test_the_order_of_the_sources(notation: str) -> None:
    assert sources_of(Engine(noughts.load(notation))) == IN_ORDER[notation]


def test_without_numba_only_python_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "available", lambda: False)
    for notation, in_order in IN_ORDER.items():
        left = [name for name in in_order.split() if "Kernel" not in name and name[:5] not in ("Glanc", "Plain")]
        left = [name for name in left if name not in ("DrawSearch", "DeepSearch")]
        if "LineSearch" not in left:
            left.insert(left.index("AtOnce") + 1, "Glance")
        assert sources_of(Engine(noughts.load(notation))) == " ".join(left)


class Table(Source[Any, Any]):
    """A source that knows some of a game, as a table does, and counts how often it is asked."""

    def __init__(self, game: Any, known: set[Any]) -> None:
        self._memo, self._known = Memo(game), known
        self.asked = self.forgotten = self.prepared = 0

    def ask(self, question: Question[Any, Any]) -> Answer[Any] | None:
        self.asked += 1
        if question.state not in self._known:
            return None
        return self._memo.analyse(question.state)._replace(method="table", nodes=0)

    def knows(self, state: Any) -> bool:
        return state in self._known

    def prepare(self, limits: Limits) -> bool:
        self.prepared += 1
        return limits.nodes == 1

    def forget(self) -> None:
        self.forgotten += 1

    @property
    def bytes(self) -> int:
        return 1 << 40


def test_a_source_is_added_by_putting_it_into_the_list() -> None:
    """The engine takes what it answers, goes on to the next if it does not, and asks nothing else about it."""
    game = without_kernel(noughts.load("tic-tac-toe"))
    first, second = (noughts.replay(game, moves) for moves in ("5 1", "5 2"))
    engine, table = Engine(game), Table(game, {first})
    engine._sources.at_hand = (table, *engine._sources.at_hand)
    assert engine.knows(first)
    assert not engine.knows(second)
    assert engine.bytes >= 1 << 40
    engine.prepare(Limits(nodes=1))
    assert table.prepared == 1
    solved = engine._sources.solved
    assert isinstance(solved, SolvedGame)
    assert not solved.is_whole, "the table is all that need be prepared"
    assert (engine.analyse(first).method, engine.analyse(second).method) == ("table", "memo")
    assert engine.analyse(first)[:5] == Memo(game).analyse(first)[:5]
    assert table.asked == 2, "the engine keeps complete answers"
    engine.forget()
    assert table.forgotten == 1


def test_a_source_needs_nothing_but_ask() -> None:
    class Silent(Source[Any, Any]):
        def ask(self, question: Question[Any, Any]) -> None:
            assert question.wanted == "one"

    game = without_kernel(noughts.load("tic-tac-toe"))
    engine, silent = Engine(game), Silent()
    engine._sources.at_hand = (silent, *engine._sources.at_hand)
    assert engine.value().value == "draw"
    assert (silent.knows(game.initial()), silent.prepare(Limits()), silent.bytes) == (False, False, 0)
    engine.forget()
