"""A kernel's table of any size: it changes how long a search takes, never the score."""

from functools import cache
from typing import Any

import pytest

import noughts
from noughts.capabilities import resolve
from noughts.compiled.rules import Rules
from noughts.compiled.solver import Solver
from noughts.errors import NoughtsError
from tests.compiled.positions import exact, native, random_states

SAMPLES = {
    "tic-tac-toe": (60, 0, 8),
    "connect-four": (25, 22, 36),
    "connect:4x4": (40, 5, 14),
    "mnk:4,4,4": (40, 7, 14),
    "mnk:5,5,4": (30, 14, 22),
    "cube:3": (40, 9, 20),
}
"""How many positions of each game, and after how many plies at least and at most."""


@cache
def truth(notation: str) -> list[tuple[Any, int]]:
    """Return positions and their scores, by a table of the usual size."""
    kernel = native(notation)
    states = random_states(kernel.game, *_sample(notation))
    positions = [kernel.pack(state) for state in states]
    return [(position, exact(kernel.solver, position)) for position in positions]


def _sample(notation: str) -> tuple[int, int, int, int]:
    number, least, most = SAMPLES[notation]
    return number, 5, least, most


def same_scores(solver: Solver, notation: str) -> None:
    for position, score in truth(notation):
        assert exact(solver, position) == score, position


@pytest.mark.parametrize("entries", [1, 3, 7, 1000, 100_001, 131_072])
@pytest.mark.parametrize("notation", SAMPLES)
def test_any_number_of_entries(notation: str, entries: int) -> None:
    solver = Solver(native(notation).rules, entries=entries)
    assert solver.bytes == 8 * solver.entries
    assert solver.entries <= max(entries, 256)
    same_scores(solver, notation)


@pytest.mark.parametrize("mib", [1, 2, 3, 5, 64, 1000, 1024])
def test_the_table_takes_what_was_asked_for(mib: int) -> None:
    for notation in SAMPLES:
        solver = Solver(native(notation).rules, table_mib=mib)
        assert solver.bytes == mib * 2**20, notation
        if mib in (1, 1024):
            same_scores(solver, notation)


def test_a_table_of_less_than_an_entry_has_one() -> None:
    solver = Solver(native("tic-tac-toe").rules, table_mib=1e-9)
    assert solver.entries == 1
    same_scores(solver, "tic-tac-toe")


@pytest.mark.parametrize("notation", ["connect:5x4", "mnk:5,5,4"])
def test_a_table_that_grows_keeps_the_answer(notation: str) -> None:
    """From the start of the game, with a table that is doubled several times, or is always full."""
    kernel = native(notation)
    position = kernel.pack(kernel.game.initial())
    scores = {}
    for mib in (0.25, 1, 8):
        solver = Solver(kernel.rules, table_mib=mib)
        scores[mib] = exact(solver, position)
        assert solver.nodes > 10_000
    assert len(set(scores.values())) == 1, scores


@pytest.mark.parametrize("notation", SAMPLES)
def test_a_forgotten_table_answers_as_a_new_one(notation: str) -> None:
    """A solver with an emptied table visits the same nodes as a new one."""
    rules = native(notation).rules
    solver, counts = Solver(rules, table_mib=2), []
    for _ in range(2):
        before = solver.nodes
        same_scores(solver, notation)
        counts.append(solver.nodes - before)
        solver.forget()
    new = Solver(rules, table_mib=2)
    same_scores(new, notation)
    assert counts == [new.nodes, new.nodes]


def test_forgetting_a_table_that_has_grown() -> None:
    kernel = native("mnk:5,5,4")
    solver = Solver(kernel.rules, table_mib=16)
    start = kernel.pack(kernel.game.initial())
    found, counts = set(), set()
    for _ in range(2):
        before = solver.nodes
        found.add(exact(solver, start))
        counts.add(solver.nodes - before)
        solver.forget()
    assert len(found) == 1
    assert len(counts) == 1


def test_a_table_larger_than_any_memory_is_refused_in_one_line() -> None:
    kernel = resolve(noughts.load("connect-four")).kernel()
    assert kernel is not None
    with pytest.raises(NoughtsError, match="there is no memory for a table of"):
        Solver(Rules(kernel), entries=1 << 58)
