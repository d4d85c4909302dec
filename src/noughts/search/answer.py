"""What a search answers: a proven value with its actions, bounds, or an honest "unknown", and what it spent."""

from collections.abc import Iterable
from enum import Enum
from html import escape
from typing import Any, Generic, Literal, NamedTuple

from noughts.game import Action
from noughts.score import Scale, Value, value_of

__all__ = [
    "ActionValue",
    "Answer",
    "Bound",
    "BoundSide",
    "Scored",
    "Stopped",
    "action_between",
    "action_value",
    "answer_between",
    "answer_from",
    "refined",
    "unknown",
]

Stopped = Literal["done", "depth limit", "deadline", "node limit", "cancelled"]
"""Why a search stopped."""


class Bound(Enum):
    """What a stored score says about the true one."""

    EXACT = "exact"
    LOWER = "lower"
    """The true score is this or higher."""
    UPPER = "upper"
    """The true score is this or lower."""


BoundSide = Literal["lower", "upper"]
"""`lower`: the true value is the one stated, or better; `upper`: that, or worse."""


class ActionValue(NamedTuple, Generic[Action]):
    """What one action leads to, for the player who takes it; `distance` counts this action as 1."""

    action: Action
    value: Value
    distance: int | None
    exact: bool
    """Whether the value is exactly that; else it is a bound, or unknown."""
    margin: int | None = None
    bound: BoundSide | None = None
    """Where it is not exact: which way the true value may differ. None if it is exact or unknown."""
    low: int | None = None
    high: int | None = None
    """Proven bounds of the score on the game's scale; None where nothing is known."""


class Scored(NamedTuple, Generic[Action]):
    """An action, its score in the view of the player who takes it, and the best play that follows it."""

    action: Action
    score: int
    line: tuple[Action, ...]
    line_complete: bool = True
    """Whether that play goes to the end of the game."""


class Answer(NamedTuple, Generic[Action]):
    """The value of a state for the player to move, and how it was found."""

    value: Value
    distance: int | None
    """Plies to the end under best play; None for a draw, and where the value is unknown."""
    margin: int | None
    """The utility at the end in the mover's view: 1, 0, -1, or by how much; None where unknown."""
    score: int | None
    """Value and distance as one number on the game's scale, mover's view; None where unknown."""
    best: tuple[Action, ...]
    """The best actions by value and distance, in the game's order; empty unless that is proven."""
    line: tuple[Action, ...]
    """One line of best play, beginning with `choice[0]`; `line_complete` says whether it goes to the end."""
    actions: tuple[ActionValue[Action], ...]
    """What each action leads to, where the search looked at each."""
    proven: bool
    """Whether the value is certain, and distance and best actions as far as the method gives them."""
    bound: BoundSide | None
    """Where the value is not proven but bounded: which way the true one may differ; else None."""
    depth: int | None
    """How many plies ahead the search looked everywhere; None if it looked to the end."""
    method: str
    nodes: int
    seconds: float
    stopped: Stopped
    line_complete: bool = False
    """Whether `line` goes to the end of the game; else it was cut short, by a limit or by how far the search looks."""
    guess: tuple[Action, ...] = ()
    """Where nothing is proven: the actions that look best as far as the search saw; at least one legal action."""
    low: int | None = None
    high: int | None = None
    """Proven bounds of the score, mover's view; equal if it is exact, None where nothing is known."""

    @property
    def choice(self) -> tuple[Action, ...]:
        """The best actions, or the guesses where nothing is proven; empty only when the game is over."""
        return self.best or self.guess

    def _repr_html_(self) -> str:
        """Return the value and every action as a table, for notebooks; the best are marked."""
        rows = [
            f"<tr><td>{'* ' if each.action in self.best else ''}{escape(str(each.action))}</td>"
            f"<td>{BOUND_WORDS[each.bound]}{each.value}</td>"
            f"<td>{each.distance or ''}</td></tr>"
            for each in self.actions
        ]
        far = "" if self.distance is None else f" in {self.distance}"
        head = "<tr><th>action</th><th>value</th><th>plies</th></tr>"
        value = f"{BOUND_WORDS[self.bound]}{self.value}{far}"
        return f"<table><caption>{value}, for the player to move</caption>{head}{''.join(rows)}</table>"


BOUND_WORDS: dict[BoundSide | None, str] = {None: "", "lower": "at least ", "upper": "at best "}
"""What stands before a value that is only a bound."""


def answer_from(
    scored: Iterable[Scored[Action]],
    *,
    scale: Scale,
    method: str,
    nodes: int,
    seconds: float,
    ended: int | None = None,
) -> Answer[Action]:
    """Build the answer of a finished search from its exact scores of all actions, in the mover's view.

    A finished game has no actions: `ended` is then its score.
    """
    scored = list(scored)
    score = max((each.score for each in scored), default=ended)
    assert score is not None
    best = [each for each in scored if each.score == score]
    return Answer(
        value=value_of(score),
        distance=scale.distance(score),
        margin=scale.utility(score),
        score=score,
        best=tuple(each.action for each in best),
        line=(best[0].action, *best[0].line) if best else (),
        actions=tuple(action_value(each.action, each.score, scale) for each in scored),
        proven=True,
        bound=None,
        depth=None,
        method=method,
        nodes=nodes,
        seconds=seconds,
        stopped="done",
        line_complete=best[0].line_complete if best else True,
        low=score,
        high=score,
    )


def answer_between(
    actions: Iterable[ActionValue[Action]],
    low: int | None,
    high: int | None,
    *,
    scale: Scale,
    method: str,
    nodes: int,
    seconds: float,
    stopped: Stopped,
    guess: tuple[Action, ...],
    depth: int | None = None,
) -> Answer[Action]:
    """Build the answer of a search that was stopped with proven bounds of the state, or of single actions.

    Bounds of the actions bound the state: it is worth at least what any action is, and at most what all of them are.
    """
    rows = tuple(actions)
    low = _most(low, *(each.low for each in rows))
    highs = [each.high for each in rows]
    if rows and None not in highs:
        top = max(each for each in highs if each is not None)
        high = top if high is None else min(high, top)
    found = unknown(method, nodes, seconds, stopped, guess)._replace(actions=rows, depth=depth, low=low, high=high)
    if low is not None and low == high:
        best = tuple(each.action for each in rows if each.exact and each.low == low)
        if best and all(each.exact or (each.high is not None and each.high < low) for each in rows):
            value, distance, margin, _ = describe(low, high, scale)
            found = found._replace(value=value, distance=distance, margin=margin, score=low, proven=True)
            return found._replace(best=best, guess=(), line=best[:1])
    if (low is not None and low >= 0) or (high is not None and high <= 0):
        value, distance, margin, bound = describe(low, high, scale)
        return found._replace(value=value, distance=distance, margin=margin, bound=bound)
    return found


def _most(*scores: int | None) -> int | None:
    """Return the highest of the scores that are known."""
    return max((score for score in scores if score is not None), default=None)


def describe(low: int | None, high: int | None, scale: Scale) -> tuple[Value, int | None, int | None, BoundSide | None]:
    """Return value, distance, margin and side of the bound that says most about a score between `low` and `high`.

    >>> scale = Scale(longest=9)
    >>> describe(0, 5, scale), describe(None, 0, scale)
    (('draw', None, 0, 'lower'), ('draw', None, 0, 'upper'))
    >>> describe(7, 7, scale), describe(3, None, scale), describe(None, None, scale)
    (('win', 3, 1, None), ('win', 7, 1, 'lower'), ('unknown', None, None, None))
    """
    bound: BoundSide | None
    if low is not None and (low == high or low >= 0 or high is None):
        score, bound = low, None if low == high else "lower"
    elif high is not None:
        score, bound = high, "upper"
    else:
        return "unknown", None, None, None
    return value_of(score), scale.distance(score), scale.utility(score), bound


def refined(
    rows: Iterable[ActionValue[Action]], others: Iterable[ActionValue[Action]], scale: Scale
) -> tuple[ActionValue[Action], ...]:
    """Return what two searches know of the same actions, put together: the tighter bounds of each."""
    more = list(others)
    found = []
    for each in rows:
        other = next((other for other in more if other.action == each.action), each)
        lows = [score for score in (each.low, other.low) if score is not None]
        highs = [score for score in (each.high, other.high) if score is not None]
        found.append(action_between(each.action, max(lows, default=None), min(highs, default=None), scale))
    return tuple(found)


def action_value(action: Action, score: int | None, scale: Scale, exact: bool = True) -> ActionValue[Action]:
    """Return what a score means for the action that has it: exact, or an upper bound; None is an unknown score."""
    if score is None:
        return action_between(action, None, None, scale)
    return action_between(action, score if exact else None, score, scale)


def action_between(action: Action, low: int | None, high: int | None, scale: Scale) -> ActionValue[Action]:
    """Return what is known of an action whose score lies between two bounds; None is no bound."""
    value, distance, margin, bound = describe(low, high, scale)
    exact = low is not None and low == high
    return ActionValue(action, value, distance, exact, margin, bound, low, high)


def unknown(method: str, nodes: int, seconds: float, stopped: Stopped, guess: tuple[Any, ...] = ()) -> Answer[Any]:
    """Build the answer of a search that was stopped before it knew anything; `guess` is some legal action."""
    return Answer(
        value="unknown",
        distance=None,
        margin=None,
        score=None,
        best=(),
        line=guess,
        actions=(),
        proven=False,
        bound=None,
        depth=None,
        method=method,
        nodes=nodes,
        seconds=seconds,
        stopped=stopped,
        guess=guess,
    )
