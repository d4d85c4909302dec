"""Marks of moves: what a move gave away, from proven bounds alone."""

from collections.abc import Sequence
from typing import Literal

from noughts.game import Action
from noughts.score import Scale, one_ply_later
from noughts.search.answer import ActionValue, Answer, action_between, answer_between, refined

__all__ = ["Mark", "is_decision", "marked", "played_value", "with_played"]

Mark = Literal["good", "inaccuracy", "mistake", "doubtful", "unknown"]
"""`good`: as good as the best. `inaccuracy`: the same value, but a slower win, a faster loss, or a worse margin.
`mistake`: a win given away, or a draw. `doubtful`: it loses, and no other move is known to; or another move is known to
win, and this one is not. `unknown`: too little is known."""


def with_played(
    before: Answer[Action],
    action: Action,
    after: Answer[Action],
    same_player: bool,
    legal: Sequence[Action],
    scale: Scale,
) -> Answer[Action]:
    """Return what is known of a position, with what is known of the one after a move that was played there."""
    row = next((each for each in before.actions if each.action == action), None)
    if row is not None and row.exact:
        return before
    low, high = (after.low, after.high) if same_player else (_negated(after.high), _negated(after.low))
    played = action_between(action, _later(low), _later(high), scale)
    rows = before.actions or tuple(action_between(each, None, None, scale) for each in legal)
    others = tuple(played if each.action == action else each for each in rows)
    rows = refined(rows, others, scale)
    if before.proven:
        return before._replace(actions=rows)
    found = answer_between(
        rows,
        before.low,
        before.high,
        scale=scale,
        method=before.method,
        nodes=before.nodes,
        seconds=before.seconds,
        stopped=before.stopped,
        guess=before.guess,
        depth=before.depth,
    )
    return found if found.proven else found._replace(line=before.line)


def played_value(before: Answer[Action], action: Action) -> ActionValue[Action]:
    """Return what is known of an action in a position."""
    return next(each for each in before.actions if each.action == action)


def marked(before: Answer[Action], value: ActionValue[Action]) -> Mark:
    """Return the mark of a move with this value in a position."""
    if value.action in before.best:
        return "good"
    least, most = before.low, before.high
    low, high = value.low, value.high
    if least is not None and high is not None and _sign(high) < _sign(least):
        return "mistake"
    worst = -1 if low is None else _sign(low)
    if worst >= (1 if most is None else _sign(most)):
        return "inaccuracy" if least is not None and high is not None and high < least else "good"
    if (high is not None and high < 0) or (least is not None and least > 0):
        return "doubtful"
    return "unknown"


def is_decision(before: Answer[Action]) -> bool:
    """Return whether some move is known to be worse than the best: in value, in distance or by its margin."""
    least = before.low
    return least is not None and any(each.high is not None and each.high < least for each in before.actions)


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)


def _negated(score: int | None) -> int | None:
    return None if score is None else -score


def _later(score: int | None) -> int | None:
    return None if score is None else one_ply_later(score)
