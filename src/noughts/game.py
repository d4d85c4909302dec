"""A two-player, zero-sum game with perfect information: six functions, in the textbook's words and order.

Anything that has the six functions is a game: an object, a class or a module. So a file of six plain functions can be
played, solved and explained. Here is a complete game. Two players take one or two matches from a pile of four, and the
player who takes the last one wins:

>>> class Matches:
...     def initial(self):
...         return 4, MAX
...     def player(self, state):
...         left, mover = state
...         return mover
...     def actions(self, state):
...         left, mover = state
...         return [n for n in (1, 2) if n <= left]
...     def result(self, state, action):
...         left, mover = state
...         return left - action, -mover
...     def terminal(self, state):
...         left, mover = state
...         return left == 0
...     def utility(self, state):
...         left, mover = state
...         return -mover  # the player to move has nothing left to take, so the other player won

>>> import noughts
>>> answer = noughts.minimax(Matches)
>>> answer.value, answer.distance, answer.best
('win', 3, (1,))

`noughts.capabilities` lists what a game may offer beyond the six functions.
"""

from collections.abc import Iterable
from typing import Any, Final, Protocol, TypeVar

from noughts.errors import BrokenGame, shown

__all__ = [
    "FUNCTIONS",
    "MAX",
    "MIN",
    "Action",
    "Game",
    "State",
    "as_game",
    "legal_actions",
    "missing_functions",
    "to_move",
]

MAX: Final = 1
"""The player who wants a high utility."""

MIN: Final = -1
"""The player who wants a low utility. `-player` is always the other player."""

FUNCTIONS: Final = ("initial", "player", "actions", "result", "terminal", "utility")

State = TypeVar("State")
Action = TypeVar("Action")


class Game(Protocol[State, Action]):
    """The six functions of a game. States are values: `result` returns a new state and does not change the old one."""

    def initial(self) -> State:
        """Return the initial state."""

    def player(self, state: State, /) -> int:
        """Return who is to move: MAX (+1) or MIN (-1).

        In a finished game, return who would move next: its value takes the view of that player.
        """

    def actions(self, state: State, /) -> Iterable[Action]:
        """Return the legal actions, each once, always in the same order; none once the game is over."""

    def result(self, state: State, action: Action, /) -> State:
        """Return the state after `action`. The player to move may or may not change."""

    def terminal(self, state: State, /) -> bool:
        """Return whether the game is over."""

    def utility(self, state: State, /) -> int:
        """Return the result of a finished game for MAX: above 0 a win, below 0 a loss, 0 a draw."""


# Checked versions of the six functions: they report a broken game by name, where it would cause obscure errors later.


def missing_functions(candidate: Any) -> list[str]:
    """Return the names of the six functions that an object lacks; an object that lacks none is a game."""
    return [name for name in FUNCTIONS if not callable(getattr(candidate, name, None))]


def as_game(candidate: Any) -> Game[Any, Any]:
    """Return an object with the six functions unchanged, or an instance of a class; else raise BrokenGame."""
    called = getattr(candidate, "__name__", type(candidate).__name__)
    missing = missing_functions(candidate)
    if isinstance(candidate, str):
        raise BrokenGame(f"{shown(candidate)} is a text, not a game; noughts.load returns the game that a text names")
    if missing:
        raise BrokenGame(f"{called} is not a game: it has no function {', '.join(missing)}")
    if isinstance(candidate, type):
        try:
            candidate = candidate()
        except TypeError as error:
            raise BrokenGame(f"{called} cannot be made without arguments ({error}); make one yourself") from None
    game: Game[Any, Any] = candidate
    return game


def to_move(game: Game[State, Action], state: State) -> int:
    """Return `game.player(state)`, or raise BrokenGame if it is neither MAX nor MIN."""
    mover = game.player(state)
    if mover not in (MAX, MIN):
        raise BrokenGame(f"player(state) returned {mover!r}; it must be +1 (MAX) or -1 (MIN)")
    return MAX if mover == MAX else MIN  # a plain int, whatever type of number the game returns


def legal_actions(game: Game[State, Action], state: State) -> list[Action]:
    """Return the actions of an unfinished state; raise BrokenGame if there are none."""
    actions = list(game.actions(state))
    if not actions:
        raise BrokenGame(f"actions(state) is empty, yet terminal(state) is False, in {state!r}")
    return actions
