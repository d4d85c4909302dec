"""A two-player, zero-sum game with perfect information: six functions, in the textbook's words and order.

Anything that has the six is a game: an object, a class, or a module, so that a file of six plain
functions plays, solves and explains at once. Here is a whole game. Two players take one or two matches
from a pile of four, and whoever takes the last one wins:

>>> from types import SimpleNamespace
>>> matches = SimpleNamespace(
...     initial=lambda: (4, MAX),
...     player=lambda s: s[1],
...     actions=lambda s: [n for n in (1, 2) if n <= s[0]],
...     result=lambda s, a: (s[0] - a, -s[1]),
...     terminal=lambda s: s[0] == 0,
...     utility=lambda s: -s[1],
... )
>>> import noughts
>>> answer = noughts.minimax(matches)
>>> answer.value, answer.distance, answer.best
('win', 3, (1,))

What a game may offer beyond the six is in `noughts.capabilities`.
"""

from collections.abc import Iterable
from typing import Final, Protocol, TypeVar

from noughts.errors import BrokenGame

__all__ = ["MAX", "MIN", "SIX", "Action", "Game", "State", "legal_actions", "to_move"]

MAX: Final = 1
"""The player who wants a high utility."""

MIN: Final = -1
"""The player who wants a low utility. `-player` is always the other one."""

SIX: Final = ("initial", "player", "actions", "result", "terminal", "utility")
"""The names of the six functions, in order."""

State = TypeVar("State")
Action = TypeVar("Action")


class Game(Protocol[State, Action]):
    """The six functions. States are values: `result` returns a new one and leaves the old one alone."""

    def initial(self) -> State:
        """Return the state in which the game starts."""

    def player(self, state: State, /) -> int:
        """Return who is to move: MAX (+1) or MIN (-1); in a finished game, who would have been."""

    def actions(self, state: State, /) -> Iterable[Action]:
        """Return the legal actions, each once, always in the same order; none once the game is over."""

    def result(self, state: State, action: Action, /) -> State:
        """Return the state after `action`. The player to move may or may not change."""

    def terminal(self, state: State, /) -> bool:
        """Say whether the game is over."""

    def utility(self, state: State, /) -> int:
        """Return what a finished game is worth to MAX: above 0 a win, below 0 a loss, 0 a draw."""


def to_move(game: Game[State, Action], state: State) -> int:
    """Return `game.player(state)`, or raise BrokenGame if it is neither MAX nor MIN."""
    mover = game.player(state)
    if mover not in (MAX, MIN):
        raise BrokenGame(f"player(state) returned {mover!r}; it must be +1 (MAX) or -1 (MIN)")
    return mover


def legal_actions(game: Game[State, Action], state: State) -> list[Action]:
    """Return the actions of an unfinished state, or raise BrokenGame if there are none."""
    actions = list(game.actions(state))
    if not actions:
        raise BrokenGame(f"actions(state) is empty, yet terminal(state) is False, in {state!r}")
    return actions
