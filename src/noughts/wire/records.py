"""Records of games as JSON."""

from noughts.record.record import Record
from noughts.wire.types import RecordFacts

__all__ = ["record"]


def record(played: Record) -> RecordFacts:
    """Return a recorded game as JSON."""
    first, second = played.players
    return {
        "game": played.game,
        "position": played.position,
        "first": first,
        "second": second,
        "moves": [{"action": move.name, "comment": move.comment} for move in played.moves],
        "result": played.result,
        "margin": played.margin,
        "comment": played.comment,
        "tags": dict(played.tags),
    }
