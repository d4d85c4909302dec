"""Connect Four in the terminal: the computer is the perfect player, and BitBully judges its moves."""

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import pytest

from tests.connect_four.judge import OPPONENTS, Judge, Moves, Opponent, judged_game

pytestmark = pytest.mark.long
OPPONENT = "four plies"


@contextmanager
def in_the_terminal(command: str, env: dict[str, str], *, begins: bool) -> Iterator[Opponent]:
    """Yield the computer of `noughts play`, with no limit of time, in a process of its own."""
    mark = "O" if begins else "X"
    arguments = [command, "play", "connect-four", "--mark", mark, "--think", "0"]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env) as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def choose(moves: Moves) -> int:
            assert process.stdin is not None
            assert process.stdout is not None
            if moves:
                process.stdin.write(f"{moves[-1]}\n")
                process.stdin.flush()
            for line in process.stdout:
                if found := re.match(r"(?:Your move \(.*\): )?The computer plays (\d)\.", line):
                    return int(found[1])
            raise AssertionError("the game ended before the computer moved")

        yield choose
        process.stdin.close()
        process.stdout.read()


@pytest.mark.parametrize("begins", [True, False])
@pytest.mark.parametrize("seed", range(2))
def test_in_the_terminal(noughts_command: str, clean_env: dict[str, str], seed: int, begins: bool) -> None:
    judge = Judge()
    with in_the_terminal(noughts_command, clean_env, begins=begins) as computer:
        record = judged_game(computer, OPPONENTS[OPPONENT](Random(seed), judge), judge, begins=begins)
        assert record.faults == []
