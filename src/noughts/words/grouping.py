"""Moves of which the same is to be said, in one sentence: "2, 4, 6, 8 and 9 lose in 2 moves: each lets X ..."."""

from typing import Any, NamedTuple

from noughts.words.explanation import Explained, Explanation
from noughts.words.reasons import Names
from noughts.words.report import about_action

__all__ = ["Group", "groups"]

PLURAL = {"wins": "win", "draws": "draw", "loses": "lose", "is": "are"}


class Group(NamedTuple):
    """Actions with the same value for the same reasons."""

    first: Explained[Any]
    """One of them, which stands for all."""
    actions: tuple[Any, ...]
    text: str
    """What there is to say of them, without their names."""


def groups(explanation: Explanation[Any, Any], names: Names) -> list[Group]:
    """Return all actions that were explained, the same ones together, in the order in which they first appear.

    >>> import noughts
    >>> from noughts.words.explanation import explain
    >>> from noughts.words.report import names_of
    >>> game = noughts.load("tic-tac-toe")
    >>> state = noughts.replay(game, "5 1 3")
    >>> for group in groups(explain(game, state), names_of(game, state)):
    ...     print(group.actions, group.text)
    (2, 4, 6, 8, 9) lose in 2 moves: each lets X complete 3-5-7 with 7; refuted by 7
    (7,) draws: blocks 3-5-7; threatens 1-4-7 and so forces 4; is the only move that draws; 4 of 5 replies are mistakes
    """
    alike: dict[tuple[Any, ...], list[Explained[Any]]] = {}
    for each in explanation.actions:
        best = each.value.action in explanation.answer.best
        key = (about_action(each, names, best), best, each.value._replace(action=None))
        alike.setdefault(key, []).append(each)
    return [
        Group(same[0], tuple(each.value.action for each in same), said if len(same) == 1 else _of_several(said))
        for (said, *_), same in alike.items()
    ]


def _of_several(said: str) -> str:
    """Return what is said of one action, said of several: "loses: lets ..." becomes "lose: each lets ..."."""
    value, colon, reasons = said.partition(": ")
    words = [PLURAL.get(word, word) for word in value.split(" ")]
    return " ".join(words) + (f": each {reasons}" if colon else "")
