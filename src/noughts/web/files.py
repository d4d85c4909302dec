"""The static files of the page: read once when the server starts, then sent from memory."""

import json
from gzip import compress
from hashlib import sha256
from importlib.resources import files
from typing import NamedTuple

from noughts.skins import skins

__all__ = ["CONTENT_TYPES", "StaticFile", "static_file", "static_files"]

CONTENT_TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "json": "application/json",
}


class StaticFile(NamedTuple):
    """A file in memory, ready to be sent."""

    content_type: str
    body: bytes
    gzipped: bytes
    etag: str


def static_files() -> dict[str, StaticFile]:
    """Return all files of the page by name. No other file can be requested."""
    found = {}
    for file in files("noughts.web").joinpath("static").iterdir():
        suffix = file.name.rpartition(".")[2]
        if suffix in CONTENT_TYPES:
            found[file.name] = static_file(CONTENT_TYPES[suffix], file.read_bytes())
    found["skins.json"] = static_file(CONTENT_TYPES["json"], _skins())
    return found


def _skins() -> bytes:
    """Return all skins as one JSON object, by name; what is not set is left out."""
    found = {name: {key: value for key, value in skin._asdict().items() if value} for name, skin in skins().items()}
    return json.dumps(found, separators=(",", ":")).encode()


def static_file(content_type: str, body: bytes) -> StaticFile:
    """Return a file with these contents; its ETag is a hash of them."""
    return StaticFile(content_type, body, compress(body, mtime=0), f'"{sha256(body).hexdigest()[:20]}"')
