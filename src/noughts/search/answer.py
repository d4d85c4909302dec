"""What a search answers: a proven value with its actions, or an honest "unknown", and what it spent."""

from collections.abc import Iterable
from html import escape
from typing import Any, Generic, Literal, NamedTuple

from noughts.game import Action
from noughts.score import Scale, Value, value_of

__all__ = ["ActionValue", "Answer", "Scored", "Stopped", "action_value", "answer_from", "unknown"]

Stopped = Literal["done", "depth limit", "deadline", "node limit", "cancelled"]
"""Why a search stopped."""


class ActionValue(NamedTuple, Generic[Action]):
    """What one action leads to, for the player who takes it; `distance` counts this action as 1."""

    action: Action
    value: Value
    distance: int | None
    exact: bool
    """Whether it is just that; else it is that or worse, or unknown."""
    margin: int | None = None


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
    """The best actions by value and distance, in the game's order; the best guesses where the value is unknown."""
    line: tuple[Action, ...]
    """One line of best play, beginning with `best[0]`; `line_complete` says whether it goes to the end."""
    actions: tuple[ActionValue[Action], ...]
    """What each action leads to, where the search looked at each."""
    proven: bool
    """Whether the value is certain, and distance and best actions as far as the method gives them."""
    bound: Literal["lower", "upper"] | None
    """`lower` if the true value is the one stated or better, `upper` if it is that or worse; else None."""
    depth: int | None
    """How many plies ahead the search looked everywhere; None if it looked to the end."""
    method: str
    nodes: int
    seconds: float
    stopped: Stopped
    line_complete: bool = False
    """Whether `line` goes to the end of the game; else it was cut short, by a limit or by how far the search looks."""

    def _repr_html_(self) -> str:
        """Return the value and every action as a table, for notebooks; the best are marked."""
        rows = [
            f"<tr><td>{'* ' if each.action in self.best else ''}{escape(str(each.action))}</td>"
            f"<td>{'' if each.exact or each.value == 'unknown' else 'at best '}{each.value}</td>"
            f"<td>{each.distance or ''}</td></tr>"
            for each in self.actions
        ]
        far = "" if self.distance is None else f" in {self.distance}"
        head = "<tr><th>action</th><th>value</th><th>plies</th></tr>"
        return f"<table><caption>{self.value}{far}, for the player to move</caption>{head}{''.join(rows)}</table>"


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
    )


def action_value(action: Action, score: int | None, scale: Scale, exact: bool = True) -> ActionValue[Action]:
    """Say what a score means for the action that has it; None is an unknown score."""
    if score is None:
        return ActionValue(action, "unknown", None, exact=False)
    return ActionValue(action, value_of(score), scale.distance(score), exact, scale.utility(score))


def unknown(method: str, nodes: int, seconds: float, stopped: Stopped, best: tuple[Any, ...] = ()) -> Answer[Any]:
    """Build the answer of a search that was stopped before it knew anything; `best` is some legal action."""
    return Answer(
        value="unknown",
        distance=None,
        margin=None,
        score=None,
        best=best,
        line=best,
        actions=(),
        proven=False,
        bound=None,
        depth=None,
        method=method,
        nodes=nodes,
        seconds=seconds,
        stopped=stopped,
    )
