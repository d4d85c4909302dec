"""Reasons that apply to any game: only moves, only replies and traps, found in the answers of the search."""

from typing import NamedTuple

from noughts.game import Action
from noughts.score import Value
from noughts.search.answer import ActionValue, Answer
from noughts.words.reasons import OnlyReply

__all__ = ["Traps", "is_only_best", "is_worse", "only_reply", "traps_in"]

WORTH = {"loss": 0, "draw": 1, "win": 2}
"""The order of the values."""


class Traps(NamedTuple):
    """How many of the opponent's replies are mistakes: they give away a win or a draw."""

    mistakes: int
    replies: int


def only_reply(answer: Answer[Action]) -> OnlyReply | None:
    """Return the only good reply in a state, according to the answer about it; None if there is not exactly one."""
    if len(answer.actions) == 1:
        return OnlyReply(answer.actions[0].action, "legal")
    if not answer.proven or len(answer.best) != 1 or not answer.actions:
        return None
    best = answer.best[0]
    others = [each for each in answer.actions if each.action != best]
    if answer.value == "win":
        return OnlyReply(best, "wins") if all(is_worse(each, "win") for each in others) else None
    if answer.distance != 2 and all((each.value, each.distance) == ("loss", 2) for each in others):
        return OnlyReply(best, "lose at once")
    return OnlyReply(best, "draws") if all(is_worse(each, answer.value) for each in others) else None


def is_worse(each: ActionValue[Action], value: Value) -> bool:
    """Return whether an action is proven to be worse than a value; a value that is not exact is an upper bound."""
    return each.value != "unknown" and value != "unknown" and WORTH[each.value] < WORTH[value]


def is_only_best(value: ActionValue[Action], answer: Answer[Action]) -> bool:
    """Return whether an action does not lose and every other action is proven to be worse."""
    others = (each for each in answer.actions if each.action != value.action)
    return value.exact and value.value in ("win", "draw") and all(is_worse(each, value.value) for each in others)


def traps_in(after: Answer[Action]) -> Traps | None:
    """Count the replies that are worse than the best; None if the values of some are unknown."""
    if not after.actions or any(each.value == "unknown" for each in after.actions):
        return None
    if any(not each.exact and each.value == after.value for each in after.actions):
        return None
    return Traps(sum(is_worse(each, after.value) for each in after.actions), len(after.actions))
