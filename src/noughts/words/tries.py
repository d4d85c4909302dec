"""What is said about a move that a person tried and that is not the right one."""

from typing import Any

from noughts.engine import Engine
from noughts.game import Action, State
from noughts.search.answer import ActionValue
from noughts.search.limits import Limits
from noughts.words.explanation import explain
from noughts.words.report import about_try, names_of
from noughts.words.values import leads_to

__all__ = ["about_wrong_try"]

WORDS = Limits(seconds=1.0)
"""What the search for a reason may spend."""


def about_wrong_try(
    engine: Engine[State, Action], state: State, action: Action, best: ActionValue[Any] | None = None
) -> str | None:
    """Return what a move leads to, why, and what the opponent then plays; None if that is not known.

    A better move is not named. If `best` is given, it is said what can be reached, where that is the same but sooner.

    >>> import noughts
    >>> game = noughts.load("tic-tac-toe")
    >>> about_wrong_try(noughts.Engine(game), noughts.replay(game, "5 1 3"), 9)
    'With 9, O loses in 2 moves: it lets X complete 3-5-7 with 7.'
    >>> about_wrong_try(noughts.Engine(game), noughts.replay(game, "5"), 2)
    'With 2, O loses in 6 moves. X plays 1.'
    """
    game = engine.game
    names = names_of(game, state)
    found = explain(engine, state, action, limits=WORDS)
    (asked,) = found.actions
    value = asked.value
    if not value.exact:
        return None
    said = about_try(found, names)
    if best is not None and best.value == value.value != "draw":
        return f"{said}. There is a move that {leads_to(best.value, best.distance, best.margin)}."
    why = ":" in said
    child = game.result(state, action)
    if why or not asked.refutation or game.terminal(child) or game.to_move(child) == game.to_move(state):
        return f"{said}."
    return f"{said}. {names.other} plays {names.action(asked.refutation[0])}."
