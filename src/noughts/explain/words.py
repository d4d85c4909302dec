"""Values and distances in words."""

from collections.abc import Callable, Sequence
from typing import Any

from noughts.score import Value
from noughts.search.answer import Answer

__all__ = ["either", "leads_to", "sentence"]


def leads_to(value: Value, distance: int | None) -> str:
    """Say what a value means for the player it belongs to; `distance` is in plies.

    >>> leads_to("win", 1), leads_to("loss", 4), leads_to("draw", None)
    ('wins at once', 'loses in 4 plies', 'draws')
    """
    if value == "unknown":
        return "leads to nobody knows what"
    if value == "draw":
        return "draws"
    verb = "wins" if value == "win" else "loses"
    return f"{verb} at once" if distance == 1 else f"{verb} in {distance} plies"


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
    """
    if not answer.best:
        return {"win": f"The game is over: {mover} has won.", "loss": f"The game is over: {mover} has lost."}.get(
            answer.value, "The game is over: a draw."
        )
    best = either([name(action) for action in answer.best])
    if answer.value == "unknown":
        return f"Not known; {mover} does best with {best}, as far as was seen."
    margin = f" by {abs(answer.margin)}" if answer.margin is not None and abs(answer.margin) > 1 else ""
    least = "at least " if answer.bound else ""
    verb = {"win": f"wins{margin and ' ' + least + margin.strip()}", "draw": "draws", "loss": f"loses{margin}"}[
        answer.value
    ]
    soon = ""
    if answer.distance is not None:
        soon = " at once" if answer.distance == 1 else f" in {answer.distance} plies"
    return f"{mover} {verb}{soon}, with {best}."
