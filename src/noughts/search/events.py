"""Events: what a search did at each node. A search reports them to its observer, if it has one.

Scores in an event take the view of the player to move at its node.
"""

from collections.abc import Callable
from typing import Any, Generic, Literal, NamedTuple

from noughts.game import Action, Game, State, to_move
from noughts.search.answer import Bound

__all__ = ["Event", "Kind", "Observer", "Reason", "entered", "left"]

Reason = Literal["end", "horizon", "bounds", "table", "cutoff", "enough", "searched", "repeated"]
"""How the value of a node was found. `end`: the game is over there. `horizon`: the search looks no deeper. `bounds`: it
follows from the bounds that the game states. `table`: it was in the table. `cutoff`: one action was so good that the
others do not matter. `enough`: no action can be better than the best one found. `searched`: all actions were
searched. `repeated`, in trees only: the position is the same as one on the way to it, below which it is drawn."""


Kind = Literal["enter", "cutoff", "table", "leave"]


class Event(NamedTuple, Generic[State, Action]):
    """One step of a search at one node."""

    kind: Kind
    ply: int
    """Plies from the root."""
    state: State
    action: Action | None
    """The action that led to the node, None at the root; for a cutoff, the action that caused it."""
    alpha: int | None
    beta: int | None
    """The window: scores outside it need not be exact. None is no limit; plain minimax has no window."""
    value: int | None = None
    """The score, when the node is left or found in the table; None for an estimate at the horizon."""
    bound: Bound | None = None
    """Whether the value is exact, a lower bound or an upper bound."""
    reason: Reason | None = None
    """How the value was found, when the node is left."""
    skipped: tuple[Action, ...] = ()
    """The actions that were not searched, after a cutoff or when nothing better is possible."""


Observer = Callable[[Event[Any, Any]], None]
"""A function that is called with each event as it happens."""


def entered(ply: int, state: State, action: Action | None) -> Event[State, Action]:
    """Return the event of entering a node without a window."""
    return Event("enter", ply, state, action, None, None)


def left(game: Game[State, Action], ply: int, state: State, action: Action | None, score: int) -> Event[State, Action]:
    """Return the event of leaving a node that was searched completely; `score` is MAX's."""
    reason: Reason = "end" if game.terminal(state) else "searched"
    return Event("leave", ply, state, action, None, None, to_move(game, state) * score, Bound.EXACT, reason)
