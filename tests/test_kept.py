"""What is kept with a game: made once, shared, and gone together with the game."""

import copy
import gc
import pickle
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple

import pytest

import noughts
from noughts import kept as keeping
from noughts.capabilities import resolve
from noughts.engine import engine_of
from noughts.games import named
from noughts.kept import ATTRIBUTE, kept

Pile = tuple[int, int]


class Matches:
    """Take one or two from a pile; whoever takes the last one wins."""

    size = 4

    def initial(self) -> Pile:
        return self.size, 1

    def player(self, state: Pile) -> int:
        return state[1]

    def actions(self, state: Pile) -> list[int]:
        return [1, 2][: state[0]]

    def result(self, state: Pile, action: int) -> Pile:
        return state[0] - action, -state[1]

    def terminal(self, state: Pile) -> bool:
        return state[0] == 0

    def utility(self, state: Pile) -> int:
        return -state[1]


@dataclass(frozen=True)
class Frozen(Matches):
    size: int = 4


@dataclass(frozen=True, slots=True)
class FrozenWithSlots:
    size: int = 4

    initial = Matches.initial
    player = Matches.player
    actions = Matches.actions
    result = Matches.result
    terminal = Matches.terminal
    utility = Matches.utility


class Slots:
    __slots__ = ("size",)

    def __init__(self) -> None:
        self.size = 4

    initial = Matches.initial
    player = Matches.player
    actions = Matches.actions
    result = Matches.result
    terminal = Matches.terminal
    utility = Matches.utility


class Six(NamedTuple):
    initial: Callable[..., Any]
    player: Callable[..., Any]
    actions: Callable[..., Any]
    result: Callable[..., Any]
    terminal: Callable[..., Any]
    utility: Callable[..., Any]


def six() -> dict[str, Callable[..., Any]]:
    game = Matches()
    return {name: getattr(game, name) for name in Six._fields}


class NoAttributes(Matches):
    """Refuses attributes, as some authors have it."""

    def __setattr__(self, name: str, value: object) -> None:
        raise TypeError("this game does not change")


def module() -> ModuleType:
    found = ModuleType("matches")
    vars(found).update(six())
    return found


KINDS: dict[str, Callable[[], Any]] = {
    "object": Matches,
    "frozen dataclass": Frozen,
    "frozen dataclass with slots": FrozenWithSlots,
    "slots": Slots,
    "named tuple": lambda: Six(**six()),
    "namespace": lambda: SimpleNamespace(**six()),
    "module": module,
    "class": lambda: type("Own", (Matches,), {}),
    "no attributes": NoAttributes,
}

WITH_ROOM = [name for name in KINDS if "slots" not in name and name not in ("named tuple", "namespace")]
"""Those that take an attribute, and can be referred to weakly."""


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_game_is_resolved_once_and_has_one_engine(kind: str) -> None:
    game = KINDS[kind]()
    assert resolve(game) is resolve(game)
    assert engine_of(game) is engine_of(game)
    answer = noughts.analyse(game)
    assert (answer.value, answer.distance, answer.best, answer.nodes > 0) == ("win", 3, (1,), True)
    assert noughts.analyse(game).nodes == 0
    assert noughts.explain(game).answer.value == "win"


@pytest.mark.parametrize("kind", KINDS)
def test_two_games_share_nothing(kind: str) -> None:
    one, other = KINDS[kind](), KINDS[kind]()
    assert resolve(one) is not resolve(other)
    assert engine_of(one) is not engine_of(other)


@pytest.mark.parametrize("kind", WITH_ROOM)
def test_what_is_kept_is_gone_with_its_game(kind: str) -> None:
    game = KINDS[kind]()
    noughts.analyse(game)
    noughts.explain(game)
    noughts.tree(game)
    alive, engine = weakref.ref(game), weakref.ref(engine_of(game))
    del game
    gc.collect()
    assert (alive(), engine()) == (None, None)


@pytest.mark.parametrize("notation", ["mnk:4,3,3", "connect:5x4", "nim:3,4,5", "reversi:4"])
def test_built_in_games_die_with_what_was_learnt(notation: str) -> None:
    """With a table, and a kernel if there is one."""
    game = named(notation)
    noughts.analyse(game, limits=noughts.Limits(nodes=30_000))
    if resolve(game).kernel() is not None:
        noughts.kernel(game, limits=noughts.Limits(nodes=1_000))
    alive = weakref.ref(game)
    del game
    gc.collect()
    assert alive() is None


def test_a_game_that_is_loaded_is_kept_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last few are at hand for the next question, though nobody holds them; older ones are not."""
    from noughts import notation

    alive = weakref.ref(noughts.load("mnk:7,3,3"))
    gc.collect()
    assert alive() is noughts.load("mnk:7,3,3")
    for size in range(2 * notation.MOST_RECENT):  # twice as many: others may have loaded some of them before
        noughts.load(f"mnk:8,{size + 3},3")
    gc.collect()
    assert alive() is None


def test_games_without_room_for_attributes_are_kept_in_a_short_list() -> None:
    games = [Slots() for _ in range(3 * keeping.MOST_WITHOUT_ATTRIBUTES)]
    engines = [engine_of(game) for game in games]
    assert len(keeping._without_attributes) == keeping.MOST_WITHOUT_ATTRIBUTES
    assert engine_of(games[-1]) is engines[-1]
    assert engine_of(games[0]) is not engines[0], "it was dropped"
    assert noughts.value(games[0]).best == (1,)
    for _ in range(2 * keeping.MOST_WITHOUT_ATTRIBUTES):
        engine_of(Slots())
        assert engine_of(games[0]) is engine_of(games[0]), "what is used is not dropped"


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])
@pytest.mark.parametrize("kind", ["object", "frozen dataclass", "frozen dataclass with slots", "slots"])
def test_a_copy_begins_without_anything(kind: str, copied: Callable[[Any], Any]) -> None:
    game = KINDS[kind]()
    noughts.analyse(game)
    other = copied(game)
    assert resolve(other).game is other
    assert engine_of(other) is not engine_of(game)
    assert noughts.analyse(other).nodes > 0
    assert noughts.analyse(game).nodes == 0
    assert noughts.analyse(other)[:5] == noughts.analyse(game)[:5]


def test_a_copy_may_be_changed() -> None:
    game = Matches()
    assert noughts.value(game).value == "win"
    other = copy.deepcopy(game)
    other.size = 3
    assert (noughts.value(other).value, noughts.value(game).value) == ("loss", "win")


def test_an_instance_and_a_subclass_do_not_take_what_is_kept_for_the_class() -> None:
    own: Any = type("Own", (Matches,), {})
    below: Any = type("Below", (own,), {"size": 3})
    assert noughts.value(own).value == "win"
    instance = own()
    assert engine_of(instance) is not engine_of(own)
    assert (noughts.value(below).value, noughts.value(instance).value) == ("loss", "win")
    assert noughts.value(below()).value == "loss"


def test_equal_games_stay_equal() -> None:
    one, other = Frozen(), Frozen()
    noughts.value(one)
    assert one == other
    assert hash(one) == hash(other)
    assert repr(one) == repr(other)


def test_a_resolved_game_is_pickled_by_its_game() -> None:
    resolved = resolve(Matches())
    again = pickle.loads(pickle.dumps(resolved))
    assert type(again) is type(resolved)
    assert noughts.value(again).best == (1,)


def test_nothing_else_is_left_on_the_game() -> None:
    game = Matches()
    before = set(vars(game))
    noughts.analyse(game)
    assert set(vars(game)) - before == {ATTRIBUTE}


def test_what_could_not_be_made_is_tried_again() -> None:
    tries: list[int] = []

    def make(_: Any) -> int:
        tries.append(1)
        if len(tries) == 1:
            raise ValueError("not yet")
        return len(tries)

    game = Matches()
    with pytest.raises(ValueError, match="not yet"):
        kept(game, make)
    assert kept(game, make) == kept(game, make) == 2


# Nothing is looked up twice.


@pytest.fixture
def look_ups(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The games that were looked up, one after the other; each is held, so that none is taken for another."""
    from noughts import capabilities

    found: list[Any] = []
    look_up = capabilities._look_up

    def counting(game: Any) -> Any:
        found.append(game)
        return look_up(game)

    monkeypatch.setattr(capabilities, "_look_up", counting)
    return found


COMMANDS = [
    ["play", "GAME"],
    ["play", "GAME", "--you", "level-3", "--opponent", "perfect", "--json"],
    ["analyse", "GAME"],
    ["analyse", "GAME", "--json"],
    ["analyse", "GAME", "2", "--json", "--method", "alphabeta"],
    ["explain", "GAME"],
    ["explain", "GAME", "--json"],
    ["tree", "GAME"],
    ["tree", "GAME", "--json"],
    ["count", "GAME"],
]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_no_command_looks_a_game_up_twice(
    words: list[str], look_ups: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import io

    from noughts.cli.commands import run

    path = tmp_path / "matches.py"
    path.write_text(Path("examples/matches.py").read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr("sys.stdin", io.StringIO("1\nhint\nq\n"))
    assert run([str(path) if word == "GAME" else word for word in words]) == 0
    assert len({id(game) for game in look_ups}) == len(look_ups)
    own = [game for game in look_ups if isinstance(game, ModuleType)]  # count searches another without what is offered
    assert len(own) == 1
    assert len(look_ups) == 1 or words[0] == "count"


@pytest.mark.parametrize("kind", ["position", "analyse", "explain", "move"])
def test_no_request_looks_a_game_up_twice(kind: str, look_ups: list[Any]) -> None:
    from noughts.web.handlers import Handlers

    handlers = Handlers()
    values = {"game": "mnk:3,2,2", "position": "", "player": "perfect", "seed": None, "after": True, "action": None}
    for _ in range(2):
        assert handlers.answer(kind, values).status == 200
    assert len(look_ups) == 1


def test_no_function_looks_a_game_up_twice(look_ups: list[Any]) -> None:
    game = Matches()
    noughts.value(game)
    noughts.analyse(game, noughts.replay(game, "1"))
    noughts.explain(game)
    noughts.tree(game)
    noughts.count(game)
    noughts.show(game)
    for search in (noughts.minimax, noughts.alphabeta, noughts.deepening, noughts.mtd, noughts.proof, noughts.mcts):
        search(game, limits=noughts.Limits(nodes=1_000))
    assert look_ups == [game]
