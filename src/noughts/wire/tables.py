"""Tables as JSON."""

from collections import Counter
from typing import Any

from noughts.solving.verify import Verified
from noughts.tables.table import Table
from noughts.wire.types import TableFacts, VerifiedTableFacts

__all__ = ["table", "verified_table"]


def table(opened: Table[Any, Any]) -> TableFacts:
    """Return what a table says about itself."""
    manifest, stored = opened.manifest, Counter[int]()
    for part in manifest.parts:
        stored[part.tier] += part.positions
    return {
        "directory": opened.folder,
        "game": manifest.game,
        "stored": manifest.positions,
        "distances": opened.has_distances,
        "bytes": opened.size,
        "rules": manifest.rules,
        "coding": manifest.coding,
        "tiers": [{"tier": tier, "stored": stored[tier]} for tier in sorted(stored)],
        "summary": manifest.summary,
    }


def verified_table(directory: str, notation: str, found: Verified, seconds: float) -> VerifiedTableFacts:
    """Return what a verification found."""
    return {
        "directory": directory,
        "game": notation,
        "ok": found.complete and not found.problems,
        "complete": found.complete,
        "sampled": found.sampled,
        "stored": found.positions,
        "checked": found.checked,
        "seconds": round(seconds, 3),
        "problems": found.problems,
    }
