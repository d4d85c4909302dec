"""The line of an answer: it goes to the end, with the value and distance that are stated, or says that it does not."""

from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

import noughts
from noughts import MAX, MIN
from noughts.engine import Engine
from noughts.game import Game
from noughts.search.answer import Answer
from noughts.search.deepening import deepening
from noughts.search.drivers import alphabeta
from noughts.search.limits import Limits
from noughts.search.mcts import mcts
from noughts.search.memo import Memo
from noughts.search.minimax import minimax
from noughts.search.mtd import mtd
from noughts.search.proof import proof
from noughts.sources.kernel import NativeSearch
from tests.compiled.positions import random_states

Ask = Callable[[Any, Limits], Answer[Any]]

GAMES = {"tic-tac-toe": (3, 6), "connect:4x4": (8, 12), "reversi:4": (5, 9)}
NODES = (1, 3, 10, 30, 60, 100, 150, 250, 400, 1_000)


def honest(game: Game[Any, Any], state: Any, answer: Answer[Any]) -> bool:
    """Check that a line is legal, and what it says of its end; return whether it is complete."""
    mover = game.player(state)
    assert answer.line[:1] == answer.choice[:1]
    for action in answer.line:
        assert action in list(game.actions(state))
        state = game.result(state, action)
    assert answer.line_complete == game.terminal(state) or not (answer.proven or answer.line_complete)
    if answer.proven and answer.line_complete and answer.score is not None:
        assert mover * game.utility(state) == answer.margin
        assert answer.distance in (None, len(answer.line))
    return answer.line_complete


def methods(notation: str) -> dict[str, Callable[[], Ask]]:
    """Return every way to ask about a game; each begins with knowing nothing."""
    game = noughts.load(notation)
    searches = {each.__name__: each for each in (minimax, alphabeta, deepening, mtd, proof, mcts)}
    found: dict[str, Callable[[], Ask]] = {
        name: lambda search=search: lambda state, limits: search(game, state, limits=limits)  # type: ignore[misc]
        for name, search in searches.items()
    }
    found["memo"] = lambda: Memo(game).analyse
    found["engine"] = lambda: Engine(game, table_mib=1, threads=1).ask
    if notation != "reversi:4":
        kernel: NativeSearch[Any, Any] = NativeSearch(game, table_mib=0.1, threads=1)

        def forgetful(wanted: Any) -> Ask:
            kernel.solver.forget()
            return partial(kernel.ask, wanted=wanted)

        found["kernel"] = partial(forgetful, "all")
        found["kernel, one"] = partial(forgetful, "one")
    return found


@pytest.mark.parametrize("notation", GAMES)
def test_a_proven_line_that_is_cut_short_says_so(notation: str) -> None:
    """For every search, over positions and node limits: a complete line ends the game just as the answer says."""
    game = noughts.load(notation)
    ways = methods(notation)
    cut: set[str] = set()
    for state in random_states(game, 4, 2, *GAMES[notation]):
        for name, make in ways.items():
            if name == "minimax" and notation != "tic-tac-toe":
                continue
            for nodes in NODES:
                answer = make()(state, Limits(nodes=nodes))
                complete = not answer.choice or honest(game, state, answer)
                if answer.proven and not complete:
                    cut.add(name)
            if name not in ("proof", "mcts"):
                unlimited = make()(state, Limits())
                assert unlimited.proven
                # The cheapest question to a kernel asks for no line beyond its first action.
                assert honest(game, state, unlimited) or name == "kernel, one"
    if notation != "tic-tac-toe":
        assert cut - {"proof", "mcts"}, "no line was cut short, so nothing was tested"
    assert not cut & {"memo", "minimax"}


def test_a_finished_game_has_a_complete_line() -> None:
    game = noughts.load("tic-tac-toe")
    over = noughts.replay(game, "1 4 2 5 3")
    for make in methods("tic-tac-toe").values():
        answer = make()(over, Limits())
        assert (answer.line, answer.line_complete) == ((), True)


def test_an_engine_goes_on_with_a_line_that_a_source_has_cut() -> None:
    """A source may spend a share of the nodes only; what is left goes into the line."""
    longest = 60
    game = SimpleNamespace(
        initial=lambda: 0,
        player=lambda state: MIN if state % 2 else MAX,
        actions=lambda _: [1, 2, 3],
        result=lambda state, action: state + action,
        terminal=lambda state: state >= longest,
        utility=lambda state: 1 if state % 2 else -1,
        longest=longest,
        key=lambda state: (state, object()),  # nothing is ever known again: a line costs a search for each ply
    )
    lines = 0
    for nodes in range(1_000, 60_000, 6_000):
        answer = Engine(game, table_mib=1).ask(longest - 9, Limits(nodes=nodes))
        assert answer.nodes <= nodes
        if answer.proven:
            lines += honest(game, longest - 9, answer)
    assert lines


def test_a_line_that_is_cut_is_shown_as_cut(capsys: pytest.CaptureFixture[str]) -> None:
    from noughts.cli import main

    main(["analyse", "connect:4x4", "--depth", "3", "--method", "alphabeta"])
    line = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("line: "))
    assert line.endswith(" ...")
    main(["analyse", "tic-tac-toe", "1", "4", "2", "5"])
    assert "line: 3\n" in capsys.readouterr().out
