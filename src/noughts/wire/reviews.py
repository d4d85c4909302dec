"""Reviews as JSON."""

from typing import Any

from noughts.game import MAX
from noughts.notation import Position
from noughts.reviews.picture import SIGNS, value_for_max
from noughts.reviews.review import Review, ReviewedMove
from noughts.reviews.summary import summary
from noughts.score import value_of
from noughts.wire.answers import action as action_facts
from noughts.wire.answers import score
from noughts.wire.positions import result
from noughts.wire.types import AccuracyFacts, CourseFacts, ReviewedMoveFacts, ReviewFacts

__all__ = ["review"]


def review(notation: str, found: Review[Any, Any]) -> ReviewFacts:
    """Return a game that was reviewed."""
    game, where = found.game, found.where
    over = found.drawn or game.terminal(where.state)
    return {
        "game": notation,
        "position": where.text(game.action_name),
        "players": list(game.player_names),
        "result": result(game, where.state, drawn=found.drawn) if over else None,
        "sentence": summary(found),
        "moves": [_move(found, each) for each in found.moves],
        "accuracy": [_accuracy(found, player) for player in (MAX, -MAX)],
        "course": [_course(found, number) for number in range(len(found.moves) + 1)],
        "seconds": round(found.seconds, 6),
        "stopped": found.stopped,
    }


def _move(found: Review[Any, Any], each: ReviewedMove[Any, Any]) -> ReviewedMoveFacts:
    game, where = found.game, found.where
    before: Position[Any, Any] = Position(where.diagram, where.actions[: each.number - 1], ())
    return {
        "number": each.number,
        "player": game.player_name(each.player),
        "position": before.text(game.action_name),
        "action": game.action_name(each.action),
        "before": score(each.before.score, game.scale),
        "after": action_facts(each.value, game),
        "mark": each.mark,
        "sign": SIGNS[each.mark],
        "decision": each.decision,
        "text": each.text,
        "better": [game.action_name(action) for action in each.better],
        "guess": bool(each.better) and not each.before.proven,
        "refutation": [game.action_name(action) for action in each.refutation],
    }


def _accuracy(found: Review[Any, Any], player: int) -> AccuracyFacts:
    accuracy = found.accuracy(player)
    return {
        "player": found.game.player_name(player),
        "percent": accuracy.percent,
        "decisions": accuracy.decisions,
        "points": accuracy.points,
        "inaccuracies": accuracy.inaccuracies,
        "mistakes": accuracy.mistakes,
        "doubtful": accuracy.doubtful,
        "unknown": accuracy.unknown,
    }


def _course(found: Review[Any, Any], number: int) -> CourseFacts:
    worth, answer = value_for_max(found, number), found.answers[number]
    return {
        "number": number + len(found.where.actions) - len(found.moves),
        "value": value_of(worth),
        "distance": answer.distance if worth and answer.proven else None,
    }
