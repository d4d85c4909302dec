"""The events of a search: what it did at each node. Searches report them to an observer, if they are given one.

Events take the view of the player to move at their node.
"""

from collections.abc import Callable
from typing import Any, Generic, Literal, NamedTuple

from noughts.game import Action, Game, State, to_move
from noughts.search.answer import Bound

__all__ = ["Event", "Kind", "Observer", "Reason", "entered", "left"]

Reason = Literal["end", "horizon", "bounds", "table", "cutoff", "enough", "searched"]
"""How the value of a node was found: `end`, the game is over there; `horizon`, the search looks no further; `bounds`,
the game states what it must be; `table`, the table had it; `cutoff`, an action was so good that the others do not
matter; `enough`, no action can be better than one that was found; `searched`, all actions were searched."""


Kind = Literal["enter", "cutoff", "table", "leave"]


class Event(NamedTuple, Generic[State, Action]):
    """One thing that a search did at one node."""

    kind: Kind
    ply: int
    """Plies from the root."""
    state: State
    action: Action | None
    """What led to the node, None at the root; of a cutoff, the action that is good enough."""
    alpha: int | None
    beta: int | None
    """The window: scores outside it need not be known exactly. None is no limit; plain minimax has none."""
    value: int | None = None
    """The score, when the node is left or the table knows it; None for a guess at the horizon."""
    bound: Bound | None = None
    """Whether the value is exact, or the true one is no lower or no higher."""
    reason: Reason | None = None
    """How the value was found, when the node is left."""
    skipped: tuple[Action, ...] = ()
    """The actions that are left out, at a cutoff or when nothing better is possible."""


Observer = Callable[[Event[Any, Any]], None]
"""A function that is called with each event as it happens."""


def entered(ply: int, state: State, action: Action | None) -> Event[State, Action]:
    """Return the event of entering a node without a window."""
    return Event("enter", ply, state, action, None, None)


def left(game: Game[State, Action], ply: int, state: State, action: Action | None, score: int) -> Event[State, Action]:
    """Return the event of leaving a node that was searched whole, with MAX's score of it."""
    reason: Reason = "end" if game.terminal(state) else "searched"
    return Event("leave", ply, state, action, None, None, to_move(game, state) * score, Bound.EXACT, reason)
