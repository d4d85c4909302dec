"""What is said about a move of a review."""

from noughts.capabilities import ResolvedGame
from noughts.engine import Engine
from noughts.errors import counted
from noughts.game import Action, State
from noughts.reviews.marks import Mark
from noughts.search.answer import ActionValue, Answer
from noughts.search.limits import Limits
from noughts.words.explanation import Explained, Explanation, explain
from noughts.words.reasons import Leaves, Reason
from noughts.words.report import about_try, first_sentence, names_of
from noughts.words.threats import line_reasons
from noughts.words.values import bounded_by, some

__all__ = ["said_of"]


def said_of(
    engine: Engine[State, Action],
    state: State,
    before: Answer[Action],
    value: ActionValue[Action],
    mark: Mark,
    limits: Limits,
) -> tuple[str, tuple[Action, ...]]:
    """Return what is to be said about a move, and best play after it if it is not good.

    The reasons for a good move come from the lines on the board, or from the theory of the game, without a search.
    """
    game = engine.game
    names = names_of(game, state)
    action = names.action(value.action)
    if mark == "unknown":
        tells = value.value != "unknown" and (value.value, value.bound) not in (("win", "upper"), ("loss", "lower"))
        known = f" {names.mover} {bounded_by(value)}." if tells else ""
        if value.action in before.choice:
            return f"Not known.{known} It is what looks best{_ahead(before)}.", ()
        return f"Not known.{known} A guess{_ahead(before)}: {some(before.choice, names.action)}.", ()
    if mark == "good":
        good = Explained(value, tuple(_reasons(engine.game, state, value.action)), (), None)
        return f"{about_try(Explanation(state, before, (good,), None, (), value.action), names)}.", ()
    best = some(before.choice, names.action)
    if mark == "doubtful" and value.value != "loss":
        return f"Whether {names.mover} wins with {action} is not known; {names.mover} wins with {best}.", ()
    found = explain(engine, state, value.action, limits=limits)
    (asked,) = found.actions
    found = found._replace(answer=before, actions=(asked._replace(value=value),))
    if mark != "doubtful":
        return first_sentence(found, names), asked.refutation
    more = f"Whether another move holds is not known; a guess{_ahead(before)}: {best}."
    return f"{about_try(found, names)}. {more}", asked.refutation


def _reasons(game: ResolvedGame[State, Action], state: State, action: Action) -> list[Reason]:
    """Return the reasons for a good move that can be seen on the board."""
    child = game.result(state, action)
    theory = None if game.theory is None or game.terminal(child) else game.theory(child)
    return [*line_reasons(game, state, action), *([] if theory is None else [Leaves(theory.about)])]


def _ahead(before: Answer[Action]) -> str:
    """Return how far ahead a guess has looked."""
    return f", looking {counted(before.depth, 'move')} ahead" if before.depth else ""
