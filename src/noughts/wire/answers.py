"""Answers and explanations as JSON."""

from typing import Any, cast

from noughts.capabilities import ResolvedGame
from noughts.notation import Position
from noughts.score import Scale, value_of
from noughts.search.answer import ActionValue, Answer
from noughts.wire.types import (
    ActionFacts,
    Analysis,
    ExplainedFacts,
    ExplanationFacts,
    GroupFacts,
    MoveFacts,
    ReasonFacts,
    ScoreFacts,
)
from noughts.words.explanation import Explained, Explanation
from noughts.words.grouping import Group, groups
from noughts.words.reasons import Names, details
from noughts.words.report import about_action, first_sentence, names_of, notes
from noughts.words.values import sentence

__all__ = ["action", "analysis", "explanation", "move", "score"]


def analysis(notation: str, where: Position[Any, Any], game: ResolvedGame[Any, Any], answer: Answer[Any]) -> Analysis:
    """Return what a position is worth, and what each action leads to."""
    mover = game.mover_name(where.state)
    name = game.action_name
    return {
        "game": notation,
        "position": where.text(name),
        "to_move": mover,
        "value": answer.value,
        "distance": answer.distance,
        "margin": answer.margin,
        "proven": answer.proven,
        "bound": answer.bound,
        "low": score(answer.low, game.scale),
        "high": score(answer.high, game.scale),
        "sentence": sentence(mover, answer, name),
        "best": [name(action) for action in answer.best],
        "guess": [name(action) for action in answer.guess],
        "line": [name(action) for action in answer.line],
        "line_complete": answer.line_complete,
        "endless": answer.endless,
        "actions": [action(each, game) for each in answer.actions],
        "method": answer.method,
        "depth": answer.depth,
        "nodes": answer.nodes,
        "seconds": round(answer.seconds, 6),
        "stopped": answer.stopped,
    }


def score(found: int | None, scale: Scale) -> ScoreFacts | None:
    """Return what a score stands for; None for one that is not known."""
    if found is None:
        return None
    return {"value": value_of(found), "distance": scale.distance(found), "margin": scale.utility(found)}


def action(each: ActionValue[Any], game: ResolvedGame[Any, Any]) -> ActionFacts:
    """Return what is known of an action."""
    return {
        "action": game.action_name(each.action),
        "value": each.value,
        "distance": each.distance,
        "margin": each.margin,
        "exact": each.exact,
        "bound": each.bound,
    }


def explanation(
    notation: str, where: Position[Any, Any], game: ResolvedGame[Any, Any], found: Explanation[Any, Any]
) -> ExplanationFacts:
    """Return why a position is worth what it is: every action with its reasons, as data and in words."""
    answer, names = found.answer, names_of(game, where.state)
    return {
        "game": notation,
        "position": where.text(game.action_name),
        "to_move": names.mover,
        "value": answer.value,
        "distance": answer.distance,
        "proven": answer.proven,
        "sentence": first_sentence(found, names),
        "best": [names.action(action) for action in answer.best],
        "guess": [names.action(action) for action in answer.guess],
        "actions": [_explained(each, game, names, each.value.action in answer.best) for each in found.actions],
        "groups": [_group(each, game, names) for each in groups(found, names)],
        "notes": notes(found, names),
        "equal": [
            [names.action(action) for alike in equal.classes for action in alike.actions] for equal in found.equal or ()
        ],
        "trickiest": [names.action(action) for action in found.trickiest],
        "method": answer.method,
        "depth": answer.depth,
        "nodes": answer.nodes,
        "seconds": round(answer.seconds, 6),
        "stopped": answer.stopped,
    }


def _explained(each: Explained[Any], game: ResolvedGame[Any, Any], names: Names, is_best: bool) -> ExplainedFacts:
    traps = each.traps
    return {
        **action(each.value, game),
        "text": about_action(each, names, is_best),
        "reasons": [cast("ReasonFacts", details(reason, names)) for reason in each.reasons],
        "refutation": [names.action(action) for action in each.refutation],
        "traps": None if traps is None else {"mistakes": traps.mistakes, "replies": traps.replies},
        "examined": each.examined,
    }


def _group(group: Group, game: ResolvedGame[Any, Any], names: Names) -> GroupFacts:
    actions = [names.action(action) for action in group.actions]
    return {**action(group.first.value, game), "actions": actions, "text": group.text}


def move(
    notation: str, where: Position[Any, Any], game: ResolvedGame[Any, Any], player: str, action: Any, caveat: str
) -> MoveFacts:
    """Return what a computer player does in a position."""
    return {
        "game": notation,
        "position": where.text(game.action_name),
        "to_move": game.mover_name(where.state),
        "player": player,
        "action": game.action_name(action),
        "caveat": caveat or None,
    }
