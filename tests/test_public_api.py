"""What `import noughts` offers: which names, with which keywords, and that each says what it is for."""

import inspect
from collections.abc import Callable
from typing import Any

import pytest

import noughts
from noughts import Engine, Limits

SEARCHES = ("minimax", "alphabeta", "deepening", "mtd", "proof", "mcts", "kernel")
WITH_LIMITS = ("analyse", "value", "explain", "tree", "count", "openings", "prove", "puzzle", "review", *SEARCHES)
ENGINE_OR_GAME = ("analyse", "value", "explain", "tree", "count")


def test_public_names() -> None:
    """What `from noughts import *` gives; a change here is a change of what others rely on."""
    assert set(noughts.__all__) == {
        *("MAX", "MIN", "Game", "Answer", "ActionValue", "Explanation"),
        *("Engine", "Limits", "Options"),
        *("load", "replay", "show"),
        *("Book", "open_book", "BadBook"),
        *("Table", "open_table", "verify_table", "BadTable"),
        *("estimate", "solve", "Solved"),
        *("Certificate", "check", "Checked", "BadCertificate"),
        *WITH_LIMITS,
        *(
            "NoughtsError",
            "IllegalAction",
            "UnknownGame",
            "BadPosition",
            "BadRecord",
            "BrokenGame",
            "EndlessGame",
            "NoKernel",
        ),
    }
    assert len(noughts.__all__) == len(set(noughts.__all__))
    for name in noughts.__all__:
        assert getattr(noughts, name) is not None
        assert name in dir(noughts)


def test_there_are_no_others() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Analyst'"):
        _ = noughts.Analyst


@pytest.mark.parametrize("name", sorted(set(noughts.__all__) - {"MAX", "MIN"}))
def test_every_public_name_says_what_it_is(name: str) -> None:
    first, *_ = (inspect.getdoc(getattr(noughts, name)) or "").split("\n")
    assert len(first) > 20
    assert first.rstrip().endswith((".", ";", ":", ","))


def functions() -> dict[str, Callable[..., Any]]:
    """Return the public functions, and those methods of an engine that answer something."""
    found = {name: getattr(noughts, name) for name in noughts.__all__}
    methods = {f"Engine.{name}": getattr(Engine, name) for name in dir(Engine) if not name.startswith("_")}
    return {name: each for name, each in (found | methods).items() if inspect.isfunction(each)}


def test_every_function_that_searches_takes_limits() -> None:
    taking = [name for name, each in functions().items() if "limits" in inspect.signature(each).parameters]
    assert {name for name in taking if not name.startswith("Engine.")} == set(WITH_LIMITS)
    assert {"Engine.value", "Engine.analyse"} <= set(taking)


@pytest.mark.parametrize(("name", "function"), functions().items())
def test_limits_are_one_keyword(name: str, function: Callable[..., Any]) -> None:
    """Never nodes, seconds or cancel one by one, and never by place; `depth` is that of a tree, not of a search."""
    parameters = inspect.signature(function).parameters
    assert not {"nodes", "seconds", "cancel"} & set(parameters) or name == "Engine.solve"
    assert "depth" not in parameters or name == "tree"
    if name in (*WITH_LIMITS, "Engine.value", "Engine.analyse"):
        limits = parameters["limits"]
        assert limits.kind is inspect.Parameter.KEYWORD_ONLY
        assert limits.default == Limits()
        assert limits.annotation is Limits


@pytest.mark.parametrize("name", WITH_LIMITS)
def test_limits_stop_everything_that_takes_them(name: str) -> None:
    """With no time at all, a large game is left at once; what cannot be told without looking is said to be so."""
    game = noughts.load("connect:7x6,5")
    function = getattr(noughts, name)
    if name in ("tree", "openings", "prove", "puzzle"):
        said = r"stopped before|more than 0 seconds|not solved before|found in 0 seconds"
        with pytest.raises(noughts.NoughtsError, match=said):
            function(game, limits=Limits(seconds=0.0))
        return
    if name == "review":
        assert function(game, "4 4", limits=Limits(seconds=0.0)).stopped == "deadline"
        return
    answer = function(game, limits=Limits(seconds=0.0))
    found = answer.answer if isinstance(answer, noughts.Explanation) else answer
    if isinstance(found, noughts.Answer):
        assert not found.proven
        assert found.stopped == "deadline"


@pytest.mark.parametrize("name", ENGINE_OR_GAME)
def test_an_engine_stands_for_its_game(name: str) -> None:
    game = noughts.load("tic-tac-toe")
    function = getattr(noughts, name)
    state = noughts.replay(game, "5 1 3 7 4")
    engine = Engine(game)

    def known(found: Any) -> Any:
        found = getattr(found, "answer", getattr(found, "root", found))
        return found._replace(seconds=0.0, nodes=0, method="") if isinstance(found, noughts.Answer) else found

    assert known(function(engine, state)) == known(function(game, state))


@pytest.mark.parametrize(
    "name", [name for name in WITH_LIMITS if name not in ("openings", "prove", "puzzle", "review")]
)
def test_the_initial_state_is_the_default(name: str) -> None:
    game = noughts.load("mnk:2,2,2")
    function = getattr(noughts, name)

    def known(found: Any) -> Any:
        found = getattr(found, "answer", getattr(found, "root", found))
        return found._replace(seconds=0.0, nodes=0) if isinstance(found, noughts.Answer) else found

    assert known(function(game)) == known(function(game, game.initial()))
