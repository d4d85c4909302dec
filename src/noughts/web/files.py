"""The static files of the page: read once when the server starts, then sent from memory."""

from gzip import compress
from hashlib import sha256
from importlib.resources import files
from typing import NamedTuple

__all__ = ["CONTENT_TYPES", "StaticFile", "static_file", "static_files"]

CONTENT_TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
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
    return found


def static_file(content_type: str, body: bytes) -> StaticFile:
    """Return a file with these contents; its ETag is a hash of them."""
    return StaticFile(content_type, body, compress(body, mtime=0), f'"{sha256(body).hexdigest()[:20]}"')
