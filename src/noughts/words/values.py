"""Values and distances in words."""

from collections.abc import Callable, Sequence
from typing import Any

from noughts.score import Scale, Value
from noughts.search.answer import Answer

__all__ = ["either", "in_short", "leads_to", "sentence"]


MOST_NAMED = 6
"""Of how many best actions the names are told, if there are more than two beyond."""


def leads_to(value: Value, distance: int | None, margin: int | None = None) -> str:
    """Say what a value means for the player it belongs to; `distance` is in plies, a `margin` of 1 goes unsaid.

    >>> leads_to("win", 1), leads_to("loss", 4), leads_to("draw", None), leads_to("loss", 10, margin=-8)
    ('wins at once', 'loses in 4 plies', 'draws', 'loses by 8 in 10 plies')
    """
    if value in ("unknown", "draw"):
        return "unknown" if value == "unknown" else "draws"
    verb = "wins" if value == "win" else "loses"
    if margin is not None and abs(margin) > 1:
        verb += f" by {abs(margin)}"
    if distance is None:
        return verb
    return f"{verb} at once" if distance == 1 else f"{verb} in {distance} plies"


def in_short(score: int, scale: Scale) -> str:
    """Return a score as W3, D or L4; the end itself has no number, a margin above 1 is added.

    >>> scale = Scale(longest=9)
    >>> [in_short(score, scale) for score in (scale.score(1, 3), 0, scale.score(-1), scale.score(-8, 4))]
    ['W3', 'D', 'L', 'L4 by 8']
    """
    if score == 0:
        return "D"
    margin = abs(scale.utility(score))
    return f"{'W' if score > 0 else 'L'}{scale.distance(score) or ''}" + (f" by {margin}" if margin > 1 else "")


def either(names: Sequence[str]) -> str:
    """Join names as alternatives.

    >>> either(["1"]), either(["1", "3"]), either(["1", "3", "7"])
    ('1', '1 or 3', '1, 3 or 7')
    """
    *most, last = names
    return f"{', '.join(most)} or {last}" if most else last


def sentence(mover: str, answer: Answer[Any], name: Callable[[Any], str]) -> str:
    """Say in one sentence what a position is worth to the player to move, and what they should do.

    >>> import noughts
    >>> game = noughts.load("tic-tac-toe")
    >>> sentence("X", noughts.analyse(game, noughts.replay(game, "1 4 2 5")), str)
    'X wins at once, with 3.'
    >>> sentence("X", noughts.analyse(game), str)
    'X draws, whatever the move.'
    >>> large = noughts.load("mnk:5,5,4")
    >>> sentence("X", noughts.analyse(large, nodes=5), large.action_name)
    'Not known; X does best with c3, as far as was seen.'
    >>> sentence("X", noughts.analyse(large, nodes=5)._replace(best=tuple(range(1, 21))), large.action_name)
    'Not known; X does best with a1, b1, c1, d1, e1, a2 or one of 14 others, as far as was seen.'
    """
    if answer.proven and not answer.best:
        ended = {"win": f"{mover} has won", "loss": f"{mover} has lost"}.get(answer.value, "a draw")
        return f"The game is over: {ended}."
    if not answer.best:
        return "Not known."
    names = [name(action) for action in answer.best]
    if len(names) > MOST_NAMED + 2:
        names[MOST_NAMED:] = [f"one of {len(names) - MOST_NAMED} others"]
    best = either(names)
    if answer.value == "unknown":
        best = "any move" if len(names) > 2 and len(answer.best) == len(answer.actions) else best
        return f"Not known; {mover} does best with {best}, as far as was seen."
    if answer.bound is not None:
        margin = abs(answer.margin or 0)
        verb = ("wins" if answer.value == "win" else "loses") + (f", by at least {margin}" if margin > 1 else "")
        return f"{mover} {verb}; best, as far as was seen, is {best}."
    how = "whatever the move" if len(answer.best) == len(answer.actions) > 2 else f"with {best}"
    return f"{mover} {leads_to(answer.value, answer.distance, answer.margin)}, {how}."
