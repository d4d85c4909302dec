"""The same question has the same JSON from every shell: the command line, HTTP and Python, however it is spelled.

Only what a question costs may differ: seconds, memory, and nodes, of which an engine that has learnt something needs
fewer.
"""

import io
import json
from collections.abc import Iterator
from contextlib import redirect_stdout
from datetime import date
from itertools import islice
from random import Random
from typing import Any

import pytest

import noughts
from noughts.capabilities import resolve
from noughts.cli import main
from noughts.engine import Engine
from noughts.games import GAMES
from noughts.notation import normalised, read_position
from noughts.puzzles.find import find
from noughts.search.limits import Limits
from noughts.web.endpoints import ENDPOINTS
from noughts.web.handlers import Handlers
from noughts.wire.answers import analysis, explanation
from noughts.wire.positions import position
from noughts.wire.puzzles import puzzles
from noughts.wire.reviews import review as review_facts
from noughts.wire.trees import tree
from noughts.words.explanation import explain

NODES = 3_000
"""A limit that is the same on every machine, unlike one of time; too few for a kernel to be loaded."""

TABLE_MIB = 32
"""What the server's engines have."""

COSTS = ("seconds", "nodes", "peak_mib")

EVERY_GAME = [example for entry in GAMES.values() for example in entry.examples]


def positions(notation: str, number: int = 3) -> Iterator[str]:
    """Yield the start of a game and random positions of it, as text."""
    game = resolve(noughts.load(notation))
    random = Random(notation)
    yield ""
    for _ in range(number):
        state, names = game.initial(), []
        for _ in range(random.randint(1, 20)):
            if game.terminal(state):
                break
            action = random.choice(game.legal_actions(state))
            names.append(game.action_name(action))
            state = game.result(state, action)
        yield " ".join(names)


def without_costs(facts: Any) -> Any:
    return {key: value for key, value in facts.items() if key not in COSTS}


def by_command(command: str, notation: str, where: str, *options: str) -> Any:
    """Return the JSON that a command prints."""
    output = io.BytesIO()
    with redirect_stdout(io.TextIOWrapper(output, "utf-8", write_through=True)):
        assert main([command, notation, where, "--json", *options]) == 0
        return json.loads(output.getvalue())


def by_http(kind: str, notation: str, where: str, **values: Any) -> Any:
    """Return the JSON that a worker of the server answers with."""
    endpoint = next(each for each in ENDPOINTS if each.kind == kind)
    given = {parameter.name: parameter.default for parameter in endpoint.parameters}
    reply = Handlers().answer(kind, {**given, "game": notation, "position": where, **values})
    assert reply.status == 200, reply.body
    return json.loads(reply.body)


@pytest.mark.parametrize("notation", EVERY_GAME)
def test_an_analysis_is_the_same_everywhere(notation: str) -> None:
    game = resolve(noughts.load(notation))
    for text in positions(notation):
        where = read_position(game, text)
        engine = Engine(game, table_mib=TABLE_MIB, threads=1)
        answer = engine.analyse(where.state, limits=Limits(nodes=NODES))
        in_python = without_costs(analysis(normalised(notation), where, game, answer))
        options = ("--seconds", "0", "--nodes", str(NODES), "--table-mib", str(TABLE_MIB), "--threads", "1")
        assert without_costs(by_command("analyse", notation, text, *options)) == in_python
        assert without_costs(by_http("analyse", notation, text, nodes=NODES, seconds=600.0)) == in_python


@pytest.mark.parametrize("notation", ["tic-tac-toe", "misere", "wild", "notakto", "connect:4x3,3", "nim:3,4,5"])
def test_an_explanation_is_the_same_everywhere(notation: str) -> None:
    game = resolve(noughts.load(notation))
    for text in positions(notation):
        where = read_position(game, text)
        found = explain(Engine(game), where.state)
        in_python = without_costs(explanation(normalised(notation), where, game, found))
        assert without_costs(by_command("explain", notation, text, "--seconds", "0")) == in_python
        assert without_costs(by_http("explain", notation, text, seconds=600.0)) == in_python


@pytest.mark.parametrize("notation", ["tic-tac-toe", "nim:3,4,5", "reversi:4", "connect-four"])
def test_a_tree_is_the_same_everywhere(notation: str) -> None:
    game = resolve(noughts.load(notation))
    for text in positions(notation, 1):
        where = read_position(game, text)
        found = noughts.tree(game, where.state, depth=2)
        in_python = json.loads(json.dumps(tree(normalised(notation), where, game, found)))
        assert by_command("tree", notation, text, "--depth", "2") == in_python
        assert by_http("tree", notation, text, depth=2) == in_python


@pytest.mark.parametrize("notation", ["tic-tac-toe", "misere", "nim:3,4,5", "notakto:1"])
def test_a_review_is_the_same_everywhere(notation: str) -> None:
    game = resolve(noughts.load(notation))
    for text in list(positions(notation))[1:]:
        where = read_position(game, text)
        in_python = without_costs(review_facts(normalised(notation), noughts.review(Engine(game), where)))
        assert without_costs(by_command("review", notation, text, "--seconds", "0")) == in_python
        assert without_costs(by_http("review", notation, text, seconds=600.0)) == in_python


@pytest.mark.parametrize("notation", ["tic-tac-toe", "nim:3,4,5", "connect-four"])
def test_a_puzzle_is_the_same_everywhere(notation: str) -> None:
    game = resolve(noughts.load(notation))
    seeded = puzzles(normalised(notation), game, 7, list(islice(find(game, 7), 2)))
    assert by_command("puzzle", notation, "--seed=7", "--count", "2") == seeded
    assert by_http("puzzle", notation, "", seed=7, count=2) == seeded
    day = puzzles(normalised(notation), game, date(2026, 1, 31), [noughts.puzzle(game, day=date(2026, 1, 31))])
    assert by_command("puzzle", notation, "--date=2026-01-31") == day
    assert by_http("puzzle", notation, "", date="2026-01-31") == day


SPELLINGS = {
    ("tic-tac-toe", "5 1 3"): [("TIC-TAC-TOE", "5,1,3"), (" tic-tac-toe ", " 5  1 3 "), ("Tic-Tac-Toe", "5 1,3")],
    ("connect-four", "4 4 5 3"): [("Connect-Four", "4453"), ("connect-four", "44 5,3")],
    ("mnk:4,3,3", "b2 a1"): [("MNK:4, 3,3", "6 1"), ("mnk:04,3,03", "B2 A1"), (" mnk:4,3,3", "b2,a1")],
    ("nim:3,4,5", "a2 b1"): [("NIM:3,4,5", "A2 B1"), ("nim: 3, 4, 5", "a2,b1")],
}


@pytest.mark.parametrize(("usual", "others"), SPELLINGS.items(), ids=str)
def test_every_spelling_has_the_same_answer(usual: tuple[str, str], others: list[tuple[str, str]]) -> None:
    notation, text = usual
    game = resolve(noughts.load(notation))
    expected = by_http("position", notation, text, after=True)
    assert (expected["game"], expected["position"]) == usual
    assert expected == json.loads(json.dumps(position(notation, read_position(game, text), game, after=True)))
    analysed = without_costs(by_command("analyse", notation, text, "--nodes", str(NODES), "--seconds", "0"))
    assert (analysed["game"], analysed["position"]) == usual
    for other, spelled in others:
        assert noughts.load(other) is noughts.load(notation)
        assert by_http("position", other, spelled, after=True) == expected
        found = by_command("analyse", other, spelled, "--nodes", str(NODES), "--seconds", "0")
        assert without_costs(found) == analysed
        assert by_http("analyse", other, spelled, nodes=NODES)["game"] == notation
