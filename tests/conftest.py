"""Shared ground: every tic-tac-toe position, and what the oracle says of it."""

import os
import pickle
import sys
from pathlib import Path

import pytest

from noughts.games.lines import LineGame, Marks
from noughts.games.tictactoe import TIC_TAC_TOE
from noughts.kept import ATTRIBUTE
from noughts.search.answer import Answer
from noughts.search.minimax import minimax
from tests.helpers import every_state


@pytest.fixture(scope="session")
def kernel_cache() -> Path:
    """Where compiled kernels are kept during the run; the conftest.py at the root chooses it."""
    return Path(os.environ["NOUGHTS_CACHE"])


@pytest.fixture(scope="session")
def game() -> LineGame:
    return TIC_TAC_TOE


@pytest.fixture(scope="module", autouse=True)
def nothing_known() -> None:
    """Start each file with a new engine of tic-tac-toe: what an engine was asked before decides how it answers."""
    vars(TIC_TAC_TOE).pop(ATTRIBUTE, None)


@pytest.fixture(scope="session")
def states(game: LineGame) -> list[Marks]:
    """All 5,478 states that play can reach."""
    return every_state(game)


@pytest.fixture(scope="session")
def oracle(game: LineGame, states: list[Marks], kernel_cache: Path) -> dict[Marks, Answer[int]]:
    """What plain minimax answers in each of them; the first process that needs it leaves it to the others."""
    path = kernel_cache.with_name("oracle.pickle")
    try:
        found: dict[Marks, Answer[int]] = pickle.loads(path.read_bytes())
    except FileNotFoundError:
        found = {state: minimax(game, state) for state in states}
        part = path.with_name(f"{path.name}-{os.getpid()}")
        part.write_bytes(pickle.dumps(found))
        part.replace(path)
    return found


@pytest.fixture(scope="session")
def noughts_command() -> str:
    """The installed command, the one that a user would run."""
    command = Path(sys.executable).with_name("noughts")
    assert command.exists(), f"{command} is missing: install the package into this environment"
    return str(command)


@pytest.fixture
def clean_env(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """An environment that says nothing about colour."""
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR"):
        monkeypatch.delenv(name, raising=False)
    return {**os.environ, "TERM": "xterm", "PYTHONUTF8": "1"}
