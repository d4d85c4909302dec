"""An explanation as text: a summary in one sentence, then every action."""

from collections.abc import Iterator
from textwrap import wrap
from typing import Any

from noughts.capabilities import resolve
from noughts.game import Game
from noughts.words.explanation import Equal, Explained, Explanation
from noughts.words.reasons import (
    AllowsFork,
    AllowsWin,
    Completes,
    ForcedSequence,
    Forks,
    Leaves,
    Names,
    Poisons,
    Spares,
    Squeezes,
    Symmetric,
    listed,
)
from noughts.words.replies import Traps
from noughts.words.values import bounded_by, either, leads_to, listed_rows, sentence

__all__ = ["about_action", "about_try", "first_sentence", "names_of", "notes", "report"]

WIDTH = 80
"""Lines are wrapped to this many columns."""

MOST_PLIES = 12
"""How many moves of a refutation are shown."""


def names_of(game: Game[Any, Any], state: Any) -> Names:
    """Return the names that an explanation of a state uses."""
    game = resolve(game)
    mover = game.to_move(state)
    return Names(game.action_name, game.line_name, game.player_name(mover), game.player_name(-mover), game.misere)


def first_sentence(explanation: Explanation[Any, Any], names: Names) -> str:
    """Return one sentence about the value of the position, or of the action that was asked about, and the reason.

    >>> import noughts
    >>> from noughts.words.explanation import explain
    >>> game = noughts.load("tic-tac-toe")
    >>> state = noughts.replay(game, "5 1 3")
    >>> first_sentence(explain(game, state), names_of(game, state))
    'O draws, with 7: it blocks 3-5-7.'
    >>> first_sentence(explain(game, state, 9), names_of(game, state))
    'With 9, O loses in 2 moves: it lets X complete 3-5-7 with 7; better is 7, which draws.'
    """
    answer = explanation.answer
    if explanation.asked is not None:
        return _about_asked(explanation, names)
    said = sentence(names.mover, answer, names.action).removesuffix(".")
    if explanation.trickiest:
        if len(explanation.trickiest) == len(answer.best):
            return f"{said}."
        verb = "sets" if len(explanation.trickiest) == 1 else "set"
        return f"{said}; {_names(explanation.trickiest, names)} {verb} the most traps."
    first = next((each for each in explanation.actions if each.value.action in answer.best[:1]), None)
    why = None if first is None else _main_reason(first, names)
    if why is None:
        return f"{said}."
    if answer.value == "loss":
        return f"{said}: even {names.action(answer.best[0])} {why}."
    return f"{said}: {'it' if len(answer.best) == 1 else names.action(answer.best[0])} {why}."


def report(explanation: Explanation[Any, Any], names: Names) -> str:
    """Return the whole text: the summary, every action, equal actions, and those that set the most traps."""
    best = explanation.answer.best
    width = max((len(names.action(each.value.action)) for each in explanation.actions), default=0)
    lines = wrap(first_sentence(explanation, names), WIDTH)
    if explanation.actions:
        lines.append("")
    rows = []
    for each in explanation.actions:
        star = "*" if each.value.action in best else " "
        head = f"{star} {names.action(each.value.action).ljust(width)}  "
        rows.append((head, about_action(each, names, each.value.action in best)))
    listed, others = listed_rows(rows)
    for head, said in listed:
        lines += wrap(f"{head}{said}", WIDTH, subsequent_indent=" " * len(head))
    lines += [others] if others else []
    said_at_the_end = notes(explanation, names)
    if said_at_the_end:
        lines.append("")
    for note in said_at_the_end:
        lines += wrap(note, WIDTH, subsequent_indent="  ")
    return "\n".join(lines)


def notes(explanation: Explanation[Any, Any], names: Names) -> list[str]:
    """Return sentences about equal actions, about traps, and about what there was no time for."""
    symmetry = explanation.has_symmetry
    equal = [note for each in explanation.equal or () for note in _about_equal(each, names, symmetry)]
    return [*equal, *_about_traps(explanation, names), *_not_examined(explanation)]


def _not_examined(explanation: Explanation[Any, Any]) -> Iterator[str]:
    """Yield sentences about what was not examined within the limits."""
    missing = sum(not each.examined for each in explanation.actions)
    if missing == len(explanation.actions) == 1:
        yield "There was no time to look for reasons."
    elif missing:
        which = "any move" if missing == len(explanation.actions) else f"{missing} of {len(explanation.actions)} moves"
        yield f"There was no time to look for the reasons of {which}."
    if explanation.equal is None:
        yield "There was no time to look for moves that are equal."


def about_try(explanation: Explanation[Any, Any], names: Names) -> str:
    """Return what the action that was asked about leads to and why, without naming a better one.

    >>> import noughts
    >>> from noughts.words.explanation import explain
    >>> game = noughts.load("tic-tac-toe")
    >>> state = noughts.replay(game, "5 1 3")
    >>> about_try(explain(game, state, 9), names_of(game, state))
    'With 9, O loses in 2 moves: it lets X complete 3-5-7 with 7'
    """
    (asked,) = explanation.actions
    said = f"With {names.action(asked.value.action)}, {names.mover} {bounded_by(asked.value)}"
    why = _main_reason(asked, names)
    return said if why is None else f"{said}: it {why}"


def _about_asked(explanation: Explanation[Any, Any], names: Names) -> str:
    (asked,) = explanation.actions
    answer = explanation.answer
    value = asked.value
    if value.value == "unknown":
        return f"What {names.action(value.action)} leads to is not known."
    said = about_try(explanation, names)
    if answer.proven and value.action not in answer.best:
        better = either([names.action(action) for action in answer.best])
        said = f"{said}; better is {better}, which {leads_to(answer.value, answer.distance, answer.margin)}"
    return f"{said}."


def about_action(each: Explained[Any], names: Names, is_best: bool) -> str:
    """Return an action's value, reasons and refutation in words; for a best action, how many replies are mistakes."""
    said = bounded_by(each.value)
    reasons = [reason.text(names) for reason in each.reasons if not isinstance(reason, Symmetric)]
    parts = [f"{said}: {'; '.join(reasons)}" if reasons else said]
    if each.refutation:
        refuted = "refuted" if each.value.value == "loss" else "met"
        plies = " ".join(map(names.action, each.refutation[:MOST_PLIES]))
        parts.append(f"{refuted} by {plies}{' ...' if len(each.refutation) > MOST_PLIES else ''}")
    if is_best and each.traps is not None and each.traps.mistakes:
        mistakes, replies = each.traps
        parts.append(f"{mistakes} of {replies} replies {'is a mistake' if mistakes == 1 else 'are mistakes'}")
    return "; ".join(parts)


def _main_reason(each: Explained[Any], names: Names) -> str | None:
    """Return the reason that explains the value of an action, or another that does not contradict it."""
    accounting: tuple[type, ...] = {
        "win": (Completes, Squeezes, Forks, Leaves, ForcedSequence),
        "loss": (Completes, AllowsWin, AllowsFork, Leaves),
    }.get(each.value.value, ())
    explaining = [reason for reason in each.reasons if isinstance(reason, accounting)]
    if not explaining and each.value.value != "loss":
        explaining = [reason for reason in each.reasons if not isinstance(reason, Symmetric | Spares | Poisons)]
    return explaining[0].text(names) if explaining else None


def _about_equal(equal: Equal[Any], names: Names, has_symmetry: bool) -> Iterator[str]:
    """Yield sentences about actions that are the same by symmetry, and about others of equal value.

    A game that declares no symmetry may have some, so nothing is said about symmetry then.
    """
    for alike in equal.classes:
        if len(alike.actions) > 1:
            same = "lead to the same position" if alike.identical else "are the same by symmetry"
            yield f"{_names(alike.actions, names)} {same}."
    if len(equal.classes) > 1:
        first = tuple(alike.actions[0] for alike in equal.classes)
        verb, _, rest = leads_to(equal.value, equal.distance, equal.margin).partition(" ")
        value = {"wins": "win", "draws": "draw", "loses": "lose"}[verb] + (f" {rest}" if rest else "")
        both = "both" if len(first) == 2 else "all"
        how = "are not symmetric, but equal" if has_symmetry else "are equal"
        yield f"{_names(first, names)} {how}: {both} {value}."


def _about_traps(explanation: Explanation[Any, Any], names: Names) -> Iterator[str]:
    if not explanation.trickiest:
        return
    # After each of them the same number of replies are mistakes, but the number of replies may differ.
    alike: dict[Traps, list[Any]] = {}
    for each in explanation.actions:
        if each.value.action in explanation.trickiest and each.traps is not None:
            alike.setdefault(each.traps, []).append(each.value.action)
    counts = []
    for (mistakes, replies), actions in alike.items():
        count = f"{mistakes} of {replies} replies {'loses' if mistakes == 1 else 'lose'}"
        counts.append(count if len(alike) == 1 else f"{count} after {_names(tuple(actions), names)}")
    verb = "sets" if len(explanation.trickiest) == 1 else "set"
    said = f"Of the moves that draw, {_names(explanation.trickiest, names)} {verb} the most traps"
    yield f"{said}: {'; '.join(counts)}."


def _names(actions: tuple[Any, ...], names: Names) -> str:
    return listed([names.action(action) for action in actions])
