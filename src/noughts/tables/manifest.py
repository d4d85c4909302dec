"""The manifest of a table: what the table is of, and every file that belongs to it with its size and digest."""

import json
import os
from typing import Any, NamedTuple

from noughts.errors import BadTable, shown_path
from noughts.tables.layout import FILE_DIGEST_BYTES, digest
from noughts.tables.writer import FileFacts, Part, replace_file

__all__ = ["FORMAT", "MANIFEST", "VERSION", "Manifest", "read_manifest", "write_manifest"]

MANIFEST = "manifest.json"
FORMAT, VERSION = "noughts table", 1
LARGEST = 1 << 28
"""No manifest is larger than this."""


class Manifest(NamedTuple):
    """What a table says about itself."""

    game: str
    """The notation of the game."""
    rules: str
    """The digest of the game's rules; the table is for no others."""
    coding: dict[str, Any]
    """How states become codes: `kind`, and what that kind of coding needs."""
    tiers: str
    """Where the tier of a state comes from: `plies` or `tier`, a function of the game; `depth`; or `none`."""
    highest: int
    """The largest utility, in size."""
    parts: tuple[Part, ...]
    """In the order of their tiers and codes."""
    summary: dict[str, Any]
    """What the solver counted."""

    @property
    def positions(self) -> int:
        """How many positions are stored."""
        return sum(part.positions for part in self.parts)

    @property
    def bytes(self) -> int:
        """How many bytes all files take but the manifest."""
        files = [file for part in self.parts for file in (part.values, part.distances) if file is not None]
        return sum(file.size for file in files)


def write_manifest(folder: str, manifest: Manifest) -> str:
    """Write the manifest of a table whose other files are all there, and return its digest."""
    facts = _facts(manifest)
    found = _digest(facts)
    text = json.dumps({**facts, "digest": found}, indent=1, sort_keys=True) + "\n"
    replace_file(os.path.join(folder, MANIFEST), text.encode())
    return found


def _facts(manifest: Manifest) -> dict[str, Any]:
    parts = [
        {
            "tier": part.tier,
            "positions": part.positions,
            "first": f"{part.first:x}",
            "last": f"{part.last:x}",
            "values": part.values._asdict(),
            "distances": None if part.distances is None else part.distances._asdict(),
        }
        for part in manifest.parts
    ]
    return {"format": FORMAT, "version": VERSION, **manifest._asdict(), "parts": parts}


def _digest(facts: dict[str, Any]) -> str:
    """Return the digest of a manifest's facts, however they are spaced and ordered in the file."""
    plain = json.dumps(facts, sort_keys=True, separators=(",", ":"))
    return digest(plain.encode(), FILE_DIGEST_BYTES).hex()


def read_manifest(folder: str) -> Manifest:
    """Read the manifest of a table; raise BadTable if there is none, or it is damaged or newer than this version."""
    path = os.path.join(folder, MANIFEST)
    facts = _read(folder, path)
    if not isinstance(facts, dict) or facts.get("format") != FORMAT:
        raise BadTable(f"{shown_path(path)} is not the manifest of a table")
    version = facts.get("version")
    if isinstance(version, int) and version > VERSION:
        raise BadTable(f"{shown_path(path)} is of a newer version, {version}; this noughts reads version {VERSION}")
    stated = facts.pop("digest", None)
    if stated != _digest(facts):
        raise BadTable(f"{shown_path(path)} is damaged: it does not match its digest")
    del facts["format"], facts["version"]
    return Manifest(**{**facts, "parts": tuple(_part(each) for each in facts["parts"])})


def _read(folder: str, path: str) -> Any:
    try:
        with open(path, "rb") as file:
            return json.loads(file.read(LARGEST))
    except FileNotFoundError:
        if not os.path.exists(folder):
            raise BadTable(f"there is no table {shown_path(folder)}: there is no such folder") from None
        raise BadTable(f"{shown_path(folder)} is not a table, or not a whole one: it has no {MANIFEST}") from None
    except NotADirectoryError:
        raise BadTable(f"{shown_path(folder)} is not a table: a table is a folder") from None
    except (ValueError, RecursionError):
        raise BadTable(f"{shown_path(path)} is damaged: it is not JSON") from None
    except OSError as error:
        raise BadTable(f"cannot read {shown_path(path)}: {error.strerror or error}") from None


def _part(facts: dict[str, Any]) -> Part:
    distances = facts["distances"]
    return Part(
        facts["tier"],
        facts["positions"],
        int(facts["first"], 16),
        int(facts["last"], 16),
        FileFacts(**facts["values"]),
        None if distances is None else FileFacts(**distances),
    )
