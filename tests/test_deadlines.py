"""Whatever takes a limit of time keeps it: every command and question, in every game at its largest.

The clock is one that only the games' own functions move, and stones on a board of lines, so that nothing here depends
on how busy the machine is: a loop that calls them and forgets to look at the clock is seen by what it calls after the
time is up.
"""

import io
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout, suppress
from importlib import import_module
from typing import Any

import pytest

import noughts
from noughts.cli.commands import run
from noughts.engine import Engine
from noughts.errors import NoughtsError
from noughts.game import Game
from noughts.games import GAMES
from noughts.learn.page import page
from noughts.learn.positions import positions
from noughts.players import COMPUTERS, computer
from noughts.search.limits import Limits
from noughts.search.variants import VARIANTS
from noughts.statistics.counts import count, search_counts
from noughts.statistics.openings import openings
from noughts.trees import tree
from noughts.trees.pictures import as_dot, as_svg, as_text
from noughts.web import handlers
from noughts.web.endpoints import ENDPOINTS
from noughts.words.explanation import explain
from tests.slow_games import LARGEST, OWN, Clock, played, slowed
from tests.trees.golden_trees import as_json

GRACE = 0.5
"""Seconds after its limit by which everything has ended."""

SLOW = (0.01, 1.0)
"""What a call of a game's function takes, and the limit of time: few calls before it, and few after it."""

FASTER = (0.001, 0.5)
"""The same where a search comes further."""

METHODS = ("minimax", "alphabeta", "deepening", "mtd", "proof", "mcts")
FORMATS = ("text", "svg", "dot", "json", "html")
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("analyse",),
    *(("analyse", "--method", method) for method in METHODS),
    ("explain",),
    ("count",),
    ("openings",),
    *(("tree", "--format", form) for form in FORMATS),
    *(("tree", "--search", search, "--depth", "2", "--most", "5000") for search in VARIANTS),
    ("tree", "--merge", "--depth", "2"),
    ("lint",),
)
Ask = Callable[[float], object]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    monkeypatch.setattr(tree, "TO_THE_END", 100)  # so that trees to be drawn are grown at once
    for command in {words[0] for words in COMMANDS}:
        import_module(f"noughts.cli.{command}")
    clock = Clock()
    clock.install(monkeypatch)
    return clock


def game_named(notation: str) -> Game[Any, Any]:
    return OWN[notation]() if notation in OWN else noughts.load(notation)


def check(clock: Clock, asking: dict[str, Ask], cost: float, seconds: float) -> None:
    """Ask each question within the limit, and look how late its answer is."""
    late = {}
    for name, ask in asking.items():
        clock.cost, began = cost, clock.now
        with suppress(NoughtsError):  # the answer may be that it takes too long
            ask(seconds)
        clock.cost = 0.0
        late[name] = round(clock.now - began - seconds, 3)
    assert {name: by for name, by in late.items() if by > GRACE} == {}


def library(game: Any, state: Any) -> dict[str, Ask]:
    """Return every question of the library that takes a limit of time."""

    def within(function: Callable[..., Any], **options: Any) -> Ask:
        return lambda seconds: function(game, state, limits=Limits(seconds=seconds), **options)

    def chooses(name: str) -> Ask:
        return lambda seconds: computer(name, game, 1, limits=Limits(seconds=seconds)).choose(state)

    def draws(draw: Callable[..., str]) -> Ask:
        grown = noughts.tree(game, state, depth=1, most=5_000)
        return lambda seconds: draw(grown, Limits(seconds=seconds))

    return {
        "analyse": lambda seconds: Engine(game).analyse(state, limits=Limits(seconds=seconds)),
        "value": lambda seconds: Engine(game).value(state, limits=Limits(seconds=seconds)),
        **{method: within(getattr(noughts, method)) for method in METHODS},
        "explain": lambda seconds: explain(Engine(game), state, limits=Limits(seconds=seconds)),
        "explain one": lambda seconds: explain(
            Engine(game), state, next(iter(game.actions(state))), limits=Limits(seconds=seconds)
        ),
        "count": within(count),
        "searches": lambda seconds: list(search_counts(game, state, limits=Limits(seconds=seconds))),
        "openings": within(openings),
        "tree": within(noughts.tree),
        **{draw.__name__: draws(draw) for draw in (as_text, as_svg, as_dot, as_json)},
        "positions": within(positions),
        "page": within(page),
        **{name: chooses(name) for name in COMPUTERS},
    }


def commands(game: Any, monkeypatch: pytest.MonkeyPatch) -> dict[str, Ask]:
    """Return every command that takes a limit of time."""

    def command(words: tuple[str, ...]) -> Ask:
        def ask(seconds: float) -> None:
            monkeypatch.setattr(import_module(f"noughts.cli.{words[0]}"), "load", lambda _: game)
            told = io.StringIO()
            with redirect_stdout(io.TextIOWrapper(io.BytesIO(), "utf-8")), redirect_stderr(told):
                code = run([words[0], "the game", *words[1:], "--seconds", str(seconds)])
            assert (code, told.getvalue().count("\n")) in ((0, 0), (0, 1), (0, 2), (2, 1)), told.getvalue()

        return ask

    return {" ".join(words): command(words) for words in COMMANDS}


def over_http(game: Any, monkeypatch: pytest.MonkeyPatch) -> dict[str, Ask]:
    """Return every question over HTTP that takes a limit of time, as a worker answers it."""
    monkeypatch.setattr(handlers, "named", lambda _: game)
    options: dict[str, list[dict[str, Any]]] = {
        "move": [{"player": name} for name in COMPUTERS],
        "tree": [{"search": search, "most": 2_000} for search in VARIANTS] + [{"merge": True}],
        "steps": [{"search": search} for search in VARIANTS],
    }

    def question(kind: str, values: dict[str, Any]) -> Ask:
        def ask(seconds: float) -> None:
            found = handlers.Handlers().answer(kind, {**values, "seconds": seconds})
            assert found.status in (200, 400), found.body

        return ask

    asking = {}
    for endpoint in ENDPOINTS:
        values = {each.name: each.default for each in endpoint.parameters} | {"game": "the game"}
        if "seconds" in values:
            for option in options.get(endpoint.kind, [{}]):
                asking[f"{endpoint.kind} {option}"] = question(endpoint.kind, values | option)
    return asking


def test_every_game_is_tried_at_its_largest() -> None:
    assert {notation.partition(":")[0] for notation in LARGEST} == set(GAMES)


@pytest.mark.parametrize(
    "notation", [pytest.param(each, marks=[pytest.mark.long] * ("torus" in each)) for each in (*LARGEST, *OWN)]
)
def test_deadlines_hold_in_the_library(clock: Clock, notation: str) -> None:
    game = slowed(game_named(notation), clock)
    state = game.initial()
    for action in played(game, 9):
        state = game.result(state, action)
    check(clock, library(game, state), *SLOW)


@pytest.mark.parametrize("notation", [*LARGEST, *OWN])
def test_deadlines_hold_on_the_command_line(clock: Clock, notation: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check(clock, commands(slowed(game_named(notation), clock), monkeypatch), *SLOW)


@pytest.mark.parametrize("notation", [*LARGEST, *OWN])
def test_deadlines_hold_over_http(clock: Clock, notation: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check(clock, over_http(slowed(game_named(notation), clock), monkeypatch), *SLOW)


@pytest.mark.long
@pytest.mark.parametrize("plies", [0, 2, 30])
@pytest.mark.parametrize("notation", [*LARGEST, *OWN])
def test_deadlines_hold_when_a_search_comes_further(
    clock: Clock, notation: str, plies: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = slowed(game_named(notation), clock)
    state = game.initial()
    for action in played(game, plies):
        state = game.result(state, action)
    check(clock, library(game, state), *FASTER)
    if not plies:
        check(clock, commands(game, monkeypatch), *FASTER)
        check(clock, over_http(game, monkeypatch), *FASTER)
