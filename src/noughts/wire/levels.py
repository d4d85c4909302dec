"""The levels of the players as JSON."""

from noughts.players.calibration import Calibration
from noughts.wire.types import LevelsFacts

__all__ = ["levels"]


def levels(notation: str, found: Calibration) -> LevelsFacts:
    """Return how often each level errs in a game."""
    return {
        "game": notation,
        "complete": found.complete,
        "positions": found.positions,
        "decisions": found.decisions,
        "levels": [
            {
                "level": each.level,
                "player": f"level-{each.level}",
                "errors": each.errors,
                "wins": each.wins,
                "blocks": each.blocks,
            }
            for each in found.rates
        ],
    }
