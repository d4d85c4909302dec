"""Values and distances in words."""

from collections.abc import Sequence

from noughts.score import Value

__all__ = ["either", "leads_to"]


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
