"""The files of the page: read once, when the server starts, and sent from memory."""

from gzip import compress
from hashlib import sha256
from importlib.resources import files
from typing import NamedTuple

__all__ = ["File", "page_files"]

KINDS = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}


class File(NamedTuple):
    """A file of the page."""

    kind: str
    """Its content type."""
    body: bytes
    zipped: bytes
    tag: str
    """Its ETag."""


def page_files() -> dict[str, File]:
    """Return all files of the page by name. No other file can be asked for."""
    found = {}
    for each in files("noughts.web").joinpath("static").iterdir():
        ending = each.name.rpartition(".")[2]
        if ending in KINDS:
            body = each.read_bytes()
            tag = f'"{sha256(body).hexdigest()[:20]}"'
            found[each.name] = File(KINDS[ending], body, compress(body, mtime=0), tag)
    return found
