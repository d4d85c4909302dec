"""The answer of a search: a proven value, bounds, or "unknown"; the actions; and the nodes and time that it took."""

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
    "answer_of_one",
    "as_known",
    "refined",
    "unknown",
]

Stopped = Literal["done", "depth limit", "deadline", "node limit", "cancelled"]
"""Why a search stopped."""


class Bound(Enum):
    """How a stored score relates to the true one."""

    EXACT = "exact"
    LOWER = "lower"
    """The true score is this or higher."""
    UPPER = "upper"
    """The true score is this or lower."""


BoundSide = Literal["lower", "upper"]
"""`lower`: the true value is the stated one or better. `upper`: it is the stated one or worse."""


class ActionValue(NamedTuple, Generic[Action]):
    """The value of one action for the player who takes it; `distance` counts this action as 1."""

    action: Action
    value: Value
    distance: int | None
    exact: bool
    """Whether the value is exact; if not, it is a bound or unknown."""
    margin: int | None = None
    bound: BoundSide | None = None
    """The kind of bound, if the value is one; None if the value is exact or unknown."""
    low: int | None = None
    high: int | None = None
    """Proven bounds of the score on the game's scale; None if there is no bound."""


class Scored(NamedTuple, Generic[Action]):
    """An action, its score for the player who takes it, and best play after it."""

    action: Action
    score: int
    line: tuple[Action, ...]
    line_complete: bool = True
    """Whether `line` reaches the end of the game."""


class Answer(NamedTuple, Generic[Action]):
    """The value of a state for the player to move, and how it was found."""

    value: Value
    distance: int | None
    """Plies to the end of the game under best play; None if the value is a draw or unknown."""
    margin: int | None
    """The utility at the end for the mover: 1, 0, -1, or the margin of the win or loss; None if unknown."""
    score: int | None
    """Value and distance as one number on the game's scale, for the mover; None if unknown."""
    best: tuple[Action, ...]
    """The best actions by value and distance, in the game's order; empty if nothing is proven."""
    line: tuple[Action, ...]
    """One line of best play, which begins with `choice[0]`; see `line_complete`."""
    actions: tuple[ActionValue[Action], ...]
    """The value of each action, if the search valued them separately."""
    proven: bool
    """Whether the value is certain, and so are the distance and the best actions, if the method finds them."""
    bound: BoundSide | None
    """The kind of bound, if the value is one; None if it is proven or unknown."""
    depth: int | None
    """How many plies ahead the search looked in every line; None if it looked to the end of the game."""
    method: str
    nodes: int
    seconds: float
    stopped: Stopped
    line_complete: bool = False
    """Whether `line` reaches the end of the game; if not, a limit or the depth of the search cut it short."""
    guess: tuple[Action, ...] = ()
    """If nothing is proven: the actions that look best as far as the search saw, at least one."""
    low: int | None = None
    high: int | None = None
    """Proven bounds of the score, for the mover: equal if it is exact, None if there is no bound."""
    endless: bool = False
    """Whether best play goes on for ever: the last action of `line` then leads to a position that it had before."""

    @property
    def choice(self) -> tuple[Action, ...]:
        """The best actions, or the guesses if nothing is proven; empty only when the game is over."""
        return self.best or self.guess

    def _repr_html_(self) -> str:
        """Return an HTML table of the value and every action, for notebooks; `*` marks the best."""
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


_SPENT = Answer._fields.index("nodes"), Answer._fields.index("seconds") + 1


def as_known(answer: Answer[Action]) -> Answer[Action]:
    """Return an answer as it is given when it is known already: without nodes and time."""
    fields: tuple[Any, ...] = answer
    first, after = _SPENT
    return Answer._make((*fields[:first], 0, 0.0, *fields[after:]))  # takes half the time of `_replace`


BOUND_WORDS: dict[BoundSide | None, str] = {None: "", "lower": "at least ", "upper": "at best "}
"""The words before a value that is a bound."""


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

    A finished game has no actions; `ended` is its score.
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


def answer_of_one(
    score: int, distance: int | None, best: tuple[Action], method: str, nodes: int, seconds: float, is_last: bool
) -> Answer[Action]:
    """Build the answer of a search that found a score without margins, and one action that reaches it.

    `is_last` says whether that action ends the game.
    """
    value, won = value_of(score), (score > 0) - (score < 0)
    # Without names, which takes a third of the time: a short search takes no longer than that.
    return Answer(
        value,
        distance,
        won,
        score,
        best,
        best,
        (),
        True,
        None,
        None,
        method,
        nodes,
        seconds,
        "done",
        is_last,
        (),
        score,
        score,
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
    """Build the answer of a search that was stopped, from proven bounds of the state or of single actions.

    Bounds of the actions also bound the state. Its score is at least the lower bound of any action, and at most the
    highest of their upper bounds if every action has one.
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
            return found._replace(best=best, guess=(), line=best[:1], depth=None)
    if (low is not None and low >= 0) or (high is not None and high <= 0):
        value, distance, margin, bound = describe(low, high, scale)
        # Where the score is known and no action that reaches it, that much is certain and no more.
        return found._replace(value=value, distance=distance, margin=margin, bound=bound or "lower")
    return found


def _most(*scores: int | None) -> int | None:
    """Return the highest of the scores that are known."""
    return max((score for score in scores if score is not None), default=None)


def describe(low: int | None, high: int | None, scale: Scale) -> tuple[Value, int | None, int | None, BoundSide | None]:
    """Return value, distance, margin and kind of the bound that says most about a score from `low` to `high`.

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
    """Return the actions of two searches of the same state, each with the tighter of its bounds."""
    rows, more = list(rows), list(others)
    if [each.action for each in rows] != [each.action for each in more]:  # not every search lists them in order
        more = [next((other for other in more if other.action == each.action), each) for each in rows]
    found = []
    for each, other in zip(rows, more, strict=True):
        lows = [score for score in (each.low, other.low) if score is not None]
        highs = [score for score in (each.high, other.high) if score is not None]
        found.append(action_between(each.action, max(lows, default=None), min(highs, default=None), scale))
    return tuple(found)


def action_value(action: Action, score: int | None, scale: Scale, exact: bool = True) -> ActionValue[Action]:
    """Return the value of an action with a given score: exact, an upper bound, or unknown if the score is None."""
    if score is None:
        return action_between(action, None, None, scale)
    return action_between(action, score if exact else None, score, scale)


def action_between(action: Action, low: int | None, high: int | None, scale: Scale) -> ActionValue[Action]:
    """Return the value of an action whose score lies from `low` to `high`; None is no bound."""
    value, distance, margin, bound = describe(low, high, scale)
    exact = low is not None and low == high
    return ActionValue(action, value, distance, exact, margin, bound, low, high)


def unknown(method: str, nodes: int, seconds: float, stopped: Stopped, guess: tuple[Any, ...] = ()) -> Answer[Any]:
    """Build the answer of a search that was stopped before it found anything; `guess` is any legal action."""
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
