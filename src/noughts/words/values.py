"""Values and distances in words."""

from collections.abc import Callable, Sequence
from typing import Any

from noughts.errors import counted
from noughts.score import Scale, Value
from noughts.search.answer import ActionValue, Answer

__all__ = ["bounded_by", "either", "in_short", "leads_to", "listed_rows", "sentence", "some"]


MOST_NAMED = 5
"""How many actions are named if there are at least two more."""


def leads_to(value: Value, distance: int | None, margin: int | None = None) -> str:
    """Return a value in words, for the player it belongs to; `distance` is in plies, and a `margin` of 1 is left out.

    >>> leads_to("win", 1), leads_to("loss", 4), leads_to("draw", None), leads_to("loss", 10, margin=-8)
    ('wins at once', 'loses in 4 moves', 'draws', 'loses by 8 in 10 moves')
    """
    if value in ("unknown", "draw"):
        return "unknown" if value == "unknown" else "draws"
    verb = "wins" if value == "win" else "loses"
    if margin is not None and abs(margin) > 1:
        verb += f" by {abs(margin)}"
    if distance is None:
        return verb
    return f"{verb} at once" if distance == 1 else f"{verb} in {distance} moves"


MOST_UNKNOWN = 12
"""How many moves of which nothing is known are listed one by one."""


def listed_rows(rows: Sequence[tuple[str, str]]) -> tuple[list[tuple[str, str]], str]:
    """Return the rows of a list of moves that are worth a line, and a sentence about the others, empty if all are.

    A row is a name, and what is said about it. If that is "unknown" in many rows, they are left out.

    >>> listed_rows([("1", "draws"), ("2", "unknown")])
    ([('1', 'draws'), ('2', 'unknown')], '')
    >>> listed_rows([("1", "draws"), *((str(n), "unknown") for n in range(2, 100))])
    ([('1', 'draws')], 'Nothing is known of the other 98 moves.')
    >>> listed_rows([(str(n), "unknown") for n in range(100)])
    ([], 'Nothing is known of any of the 100 moves.')
    """
    known = [row for row in rows if row[1] != "unknown"]
    unknown = len(rows) - len(known)
    if unknown <= MOST_UNKNOWN:
        return list(rows), ""
    which = f"the other {unknown:,}" if known else f"any of the {unknown:,}"
    return known, f"Nothing is known of {which} moves."


def bounded_by(each: ActionValue[Any]) -> str:
    """Return the value of an action in words; a bound is called "at best" or "at least".

    >>> bounded_by(ActionValue(5, "draw", None, exact=False, bound="upper"))
    'at best draws'
    """
    before = {"upper": "at best ", "lower": "at least "}.get(each.bound or "", "")
    return f"{before}{leads_to(each.value, each.distance, each.margin)}"


def in_short(score: int, scale: Scale) -> str:
    """Return a score as W3, D or L4. A finished game has no number, and a margin above 1 is added.

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
    """Return one sentence about the value of a position for the player to move, and what to play.

    A guess is called a guess, with the depth of the search.

    >>> import noughts
    >>> game = noughts.load("tic-tac-toe")
    >>> sentence("X", noughts.analyse(game, noughts.replay(game, "1 4 2 5")), str)
    'X wins at once, with 3.'
    >>> sentence("X", noughts.analyse(game), str)
    'X draws, whatever the move.'
    >>> large = noughts.load("mnk:5,5,4")
    >>> few = noughts.analyse(noughts.Engine(large), limits=noughts.Limits(nodes=5))
    >>> sentence("X", few, large.action_name)
    'Not known. A guess: c3.'
    >>> sentence("X", few._replace(depth=4, guess=tuple(range(1, 21))), large.action_name)
    'Not known. A guess, looking 4 moves ahead: a1, b1, c1, d1, e1 or one of 15 others.'
    """
    if answer.proven and not answer.best:
        ended = {"win": f"{mover} has won", "loss": f"{mover} has lost"}.get(answer.value, "a draw")
        return f"The game is over: {ended}."
    if not answer.choice:
        return "Not known."
    if answer.proven:
        how = "whatever the move" if len(answer.best) == len(answer.actions) > 2 else f"with {some(answer.best, name)}"
        return f"{mover} {leads_to(answer.value, answer.distance, answer.margin)}, {how}."
    if answer.bound == "lower" and answer.value == "win":
        return f"{_bounded(mover, answer)}, with {some(answer.guess, name)}; there may be a better move."
    many = len(answer.guess) > 2 and len(answer.guess) == len(answer.actions)
    moves = "any move" if many else some(answer.guess, name)
    ahead = f", looking {counted(answer.depth, 'move')} ahead" if answer.depth else ""
    known = "Not known" if answer.bound is None else _bounded(mover, answer)
    return f"{known}. A guess{ahead}: {moves}."


def _bounded(mover: str, answer: Answer[Any]) -> str:
    """Return a value that is only a bound in words."""
    margin = abs(answer.margin or 0)
    by = f" by at least {margin}" if margin > 1 else ""
    if answer.value == "draw":
        return f"{mover} draws or wins" if answer.bound == "lower" else f"{mover} draws or loses"
    soon = "" if answer.distance is None else f" in {counted(answer.distance, 'move')} or fewer"
    return f"{mover} {'wins' if answer.value == 'win' else 'loses'}{by}{soon}"


def some(actions: Sequence[Any], name: Callable[[Any], str]) -> str:
    """Return the names of actions as alternatives; of very many, only the first."""
    names = [name(action) for action in actions]
    if len(names) > MOST_NAMED + 1:
        names[MOST_NAMED:] = [f"one of {len(names) - MOST_NAMED} others"]
    return either(names)
