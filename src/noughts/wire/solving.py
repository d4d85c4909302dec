"""Solved games as JSON."""

from noughts.solving.summary import Solved
from noughts.wire.types import SolvedFacts

__all__ = ["solved"]


def solved(found: Solved) -> SolvedFacts:
    """Return what was found by solving a game."""
    return {
        "game": found.game,
        "positions": found.positions,
        "stored": found.stored,
        "value": found.value,
        "distance": found.distance,
        "longest": found.longest,
        "tiers": [
            {
                "tier": each.tier,
                "positions": each.positions,
                "wins": each.wins,
                "draws": each.draws,
                "losses": each.losses,
                "stored": each.stored,
                "ends": each.ends,
                "longest": each.longest,
            }
            for each in found.tiers
        ],
        "directory": found.directory,
        "bytes": found.bytes,
        "seconds": round(found.seconds, 3),
    }
