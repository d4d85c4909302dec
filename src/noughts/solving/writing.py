"""The table of a solve: its files part by part, and its manifest, which is written last."""

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from noughts.capabilities import ResolvedGame
from noughts.serial import rules_digest
from noughts.solving.files import Facts
from noughts.solving.summary import Solved, TierCount
from noughts.solving.tasks import Job
from noughts.tables.manifest import MANIFEST, Manifest, write_manifest
from noughts.tables.table import open_table
from noughts.tables.writer import FileFacts, Part, PartWriter

__all__ = ["finish_table", "solved_already", "write_part"]


def write_part(
    job: Job, game: ResolvedGame[Any, Any], arguments: dict[str, Any], codes: Any, utilities: Any, distances: Any
) -> Facts:
    """Write a part of the table, and return the facts by which the driver knows it."""
    with PartWriter(job.folder, arguments["name"], arguments["tier"], highest=_highest(game)) as writer:
        writer.add(codes, utilities, distances)
        part = writer.close()
    files = [file._asdict() for file in (part.values, part.distances) if file is not None]
    return {"files": files, "table": [part.tier, part.positions, part.first, part.last]}


def _highest(game: ResolvedGame[Any, Any]) -> int:
    """Return the largest utility of a game, in size."""
    return max(map(abs, game.utility_range))


def _part(facts: Facts) -> Part:
    values, distances = (FileFacts(**file) for file in facts["files"])
    tier, positions, first, last = facts["table"]
    return Part(tier, positions, first, last, values, distances)


def finish_table(job: Job, game: ResolvedGame[Any, Any], notation: str, parts: Iterable[Facts], found: Solved) -> int:
    """Write the manifest, which makes the table whole; return how many bytes the table takes.

    What tasks that were killed had begun to write is removed.
    """
    for path in Path(job.folder).glob(".*.ntb-*.tmp"):
        path.unlink(missing_ok=True)
    summary = {
        "score": found.score,
        "distance": found.distance,
        "positions": found.positions,
        "stored": found.stored,
        "longest": found.longest,
        "tiers": [each._asdict() for each in found.tiers],
    }
    tiers = "depth" if not job.tiered else "plies" if game.tier is None else "tier"
    manifest = Manifest(
        game=notation,
        rules=rules_digest(game),
        coding=json.loads(job.coding),
        tiers=tiers,
        highest=_highest(game),
        parts=tuple(map(_part, parts)),
        summary=summary,
    )
    write_manifest(job.folder, manifest)
    return _bytes(job.folder, manifest)


def _bytes(folder: str, manifest: Manifest) -> int:
    return manifest.bytes + os.path.getsize(os.path.join(folder, MANIFEST))


def solved_already(directory: str, game: ResolvedGame[Any, Any]) -> Solved | None:
    """Return what the table in a folder says, if it is whole and of this game; raise BadTable if it is of another."""
    if not os.path.exists(os.path.join(directory, MANIFEST)):
        return None
    with open_table(directory, game.game) as table:
        manifest = table.manifest
    summary = manifest.summary
    tiers = tuple(TierCount(**each) for each in summary["tiers"])
    size = _bytes(directory, manifest)
    return Solved(directory, manifest.game, summary["score"], summary["distance"], tiers, size, 0.0)
