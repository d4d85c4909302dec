"""A clock that only a game's functions move, and games that are the worst there are: large, wide, long and slow."""

import sys
from collections.abc import Callable
from functools import wraps
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from noughts.compiled import line_board, line_search, threats
from noughts.game import MAX, Game
from noughts.sources import lines

FREE = ("action_name", "action_aliases", "split_actions", "line_name", "parse", "with_marks", "kernel")
"""Functions that take no time on the clock: naming, and reading a position, which is done before anything is asked."""


class Clock:
    """Stands where it is, but for what each call of a game's function takes, and each stone on a board of lines."""

    def __init__(self) -> None:
        self.now = 0.0
        self.calls = 0
        self.cost = 0.0

    def __call__(self) -> float:
        return self.now

    def tick(self) -> None:
        self.now += self.cost
        self.calls += 1

    def install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Let everything in the package that reads the time read it here."""
        for name, module in list(sys.modules.items()):
            if name.startswith("noughts"):
                for clock in ("perf_counter", "process_time", "monotonic"):
                    if hasattr(module, clock):
                        monkeypatch.setattr(module, clock, self)
        monkeypatch.setattr(lines, "available", lambda: False)  # compiled, a search would not move the clock
        placed = line_board.change

        @wraps(placed)  # or the search could not be compiled meanwhile, and would not be tried again
        def change(*arguments: Any) -> None:
            self.tick()
            placed(*arguments)

        for module in (line_board, threats, line_search):
            monkeypatch.setattr(module, "change", change)


def slowed(game: Game[Any, Any], clock: Clock) -> Any:
    """Return the game with every function taking its time on the clock, and without a kernel or a book."""

    def slow(function: Callable[..., Any]) -> Callable[..., Any]:
        def called(*args: Any) -> Any:
            clock.tick()
            return function(*args)

        return called

    offered = {name: getattr(game, name) for name in dir(game) if not name.startswith("_")}
    for name in ("kernel", "book"):
        offered.pop(name, None)
    functions = {name: slow(found) for name, found in offered.items() if callable(found) and name not in FREE}
    return SimpleNamespace(**(offered | functions))


class Wide:
    """Two thousand actions in every state; the game ends after so many plies, and who moved last wins if odd."""

    longest = 40

    def __init__(self, width: int = 2_000) -> None:
        self._width = width

    def initial(self) -> tuple[int, ...]:
        return ()

    def player(self, state: tuple[int, ...]) -> int:
        return -MAX if len(state) % 2 else MAX

    def actions(self, state: tuple[int, ...]) -> list[int]:
        return list(range(self._width)) if len(state) < self.longest else []

    def result(self, state: tuple[int, ...], action: int) -> tuple[int, ...]:
        return (*state, action)

    def terminal(self, state: tuple[int, ...]) -> bool:
        return len(state) == self.longest

    def utility(self, state: tuple[int, ...]) -> int:
        return 1 if sum(state) % 2 else -1


class Long:
    """Five thousand plies of two choices, which meet again."""

    def initial(self) -> tuple[int, int]:
        return 0, 0

    def player(self, state: tuple[int, int]) -> int:
        return -MAX if state[0] % 2 else MAX

    def actions(self, state: tuple[int, int]) -> list[int]:
        return [0, 1] if state[0] < 5_000 else []

    def result(self, state: tuple[int, int], action: int) -> tuple[int, int]:
        return state[0] + 1, (state[1] + action) % 3

    def terminal(self, state: tuple[int, int]) -> bool:
        return state[0] == 5_000

    def utility(self, state: tuple[int, int]) -> int:
        return state[1] - 1


LARGEST = (
    "tic-tac-toe",
    "misere",
    "wild",
    "notakto:3",
    "mnk:19,19,5",
    "mnk:19,19,5,torus",
    "mnk:19,19,5,misere",
    "connect-four",
    "connect:12x12",
    "cube:5",
    "ultimate",
    "nim:99,99,99,99,99,99,99,99,99",
    "nim:99,99,99,99,99,99,99,99,99,misere",
    "reversi:8",
    "numbers:" + "(" * 11 + "1,2)" + ",3)" * 10,
)
"""Every game in the package at its largest."""

OWN: dict[str, type] = {"wide": Wide, "long": Long}


def played(game: Game[Any, Any], plies: int) -> list[Any]:
    """Return the first actions of a game played by chance, no more than so many, and one short of its end."""
    random, state, actions = Random(3), game.initial(), []
    for _ in range(plies):
        action = random.choice(list(game.actions(state)))
        state = game.result(state, action)
        if game.terminal(state):
            break
        actions.append(action)
    return actions
