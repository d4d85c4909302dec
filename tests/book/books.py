"""Books for the tests: small ones, built when they are first needed."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import noughts
from noughts.bookmaking.build import Built, build_book
from noughts.capabilities import ResolvedGame
from tests.helpers import without_kernel

__all__ = ["build", "built", "plain", "with_book"]


def plain(notation: str) -> ResolvedGame[Any, Any]:
    """Return a game without its kernel, so that nothing need be compiled."""
    return without_kernel(noughts.load(notation))


def build(game: ResolvedGame[Any, Any], notation: str, plies: int) -> Built:
    """Build a book from nothing."""
    with TemporaryDirectory() as folder:
        return build_book(game, notation, plies, f"{folder}/leaves")


@cache
def built(notation: str, plies: int) -> bytes:
    """Return the file of a book of a game, without its kernel."""
    content = build(plain(notation), notation, plies).content
    assert content is not None
    return content


def with_book(game: ResolvedGame[Any, Any], content: bytes, folder: Path) -> ResolvedGame[Any, Any]:
    """Return a game that has a book."""
    path = folder / "a.book"
    path.write_bytes(content)
    return game._replace(book=str(path))
