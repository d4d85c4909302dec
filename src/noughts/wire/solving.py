"""Solved games as JSON, and estimates of what solving takes."""

from math import ceil, floor

from noughts.solving.estimate import Estimate
from noughts.solving.size import Range
from noughts.solving.summary import Solved
from noughts.wire.types import EstimateFacts, RangeFacts, SolvedFacts

__all__ = ["estimated", "solved"]


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


def estimated(found: Estimate) -> EstimateFacts:
    """Return what solving a game will take."""
    size = found.size
    return {
        "game": found.game,
        "exact": size.exact,
        "positions": None if size.positions is None else _range(size.positions),
        "stored": _range(size.stored),
        "tiers": [
            {
                "tier": each.tier,
                "positions": None if each.positions is None else round(each.positions),
                "stored": round(each.stored),
                "counted": place < size.counted,
            }
            for place, each in enumerate(size.tiers)
        ],
        "populations": size.populations,
        "method": found.method,
        "workers": found.workers,
        "seconds": None if found.seconds is None else _range(found.seconds),
        "table_bytes": None if found.table is None else _range(found.table),
        "disk_bytes": None if found.disk is None else _range(found.disk),
        "memory_bytes": found.memory,
        "free_bytes": found.free,
        "took": round(found.took, 3),
    }


def _range(found: Range) -> RangeFacts:
    """Return the limits of a number, the lower one rounded down and the upper one up."""
    return {
        "low": floor(found.low),
        "likely": None if found.likely is None else round(found.likely),
        "high": None if found.high is None else ceil(found.high),
    }
