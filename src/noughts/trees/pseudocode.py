"""The searches as textbook pseudocode, and which events belong to each line."""

from typing import NamedTuple

from noughts.search.variants import Variant

__all__ = ["REMEMBERING", "Line", "pseudocode"]

REMEMBERING: frozenset[Variant] = frozenset({"table", "symmetry", "principal", "bounds"})
"""The searches with a table."""


class Line(NamedTuple):
    """A line of pseudocode, and when it is highlighted: at these kinds of event, or reasons for leaving a node."""

    text: str
    at: tuple[str, ...] = ()


def pseudocode(search: Variant) -> tuple[Line, ...]:
    """Return the pseudocode of a search, written for the player to move.

    >>> for line in pseudocode("minimax"):
    ...     print(line.text)
    value(state):
        if the game is over: return its score
        best = -infinity
        for each action:
            best = max(best, -value(result(state, action)))
        return best
    """
    over = Line("    if the game is over: return its score", ("end",))
    start, loop = Line("    best = -infinity"), Line("    for each action:")
    if search == "minimax":
        call = Line("        best = max(best, -value(result(state, action)))")
        return Line("value(state):", ("enter",)), over, start, loop, call, Line("    return best", ("searched",))
    lines = [
        Line("value(state, alpha, beta):", ("enter",)),
        over,
    ]
    if search == "bounds":
        lines.append(Line("    if the game states the outcome: return that", ("bounds",)))
    if search in REMEMBERING:
        lines.append(Line("    if the table knows enough: return that", ("table",)))
    lines += [start, loop, Line("        low = max(alpha, best)")]
    if search in ("principal", "bounds"):
        lines.append(Line("        after the first: go on only if it beats low"))
    lines += [
        Line("        best = max(best, -value(result(state, action), -beta, -low))"),
        Line("        if best >= beta: stop, a cutoff", ("cutoff",)),
    ]
    if search == "bounds":
        lines.append(Line("        if nothing better is possible: stop", ("enough",)))
    if search in REMEMBERING:
        lines.append(Line("    keep best in the table", ("searched", "enough", "left by cutoff")))
    return *lines, Line("    return best", ("searched", "enough", "left by cutoff"))
