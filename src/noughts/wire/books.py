"""Opening books as JSON."""

from noughts.book.file import BookFile
from noughts.bookmaking.build import Built
from noughts.bookmaking.verify import Verified
from noughts.wire.types import BookFacts, BuiltBookFacts, VerifiedBookFacts

__all__ = ["book", "built_book", "verified_book"]


def book(file: BookFile) -> BookFacts:
    """Return what a book says about itself."""
    header = file.header
    return {
        "file": file.path,
        "game": header.game,
        "plies": header.plies,
        "positions": header.positions,
        "bytes": file.size,
        "rules": header.rules,
    }


def built_book(path: str, notation: str, plies: int, built: Built, seconds: float) -> BuiltBookFacts:
    """Return what was built, and what it took."""
    return {
        "file": path,
        "game": notation,
        "plies": plies,
        "complete": built.content is not None,
        "positions": built.positions,
        "leaves": built.leaves,
        "known": built.known,
        "solved": built.solved,
        "nodes": built.nodes,
        "seconds": round(seconds, 3),
        "bytes": None if built.content is None else len(built.content),
    }


def verified_book(path: str, notation: str, plies: int | None, found: Verified, seconds: float) -> VerifiedBookFacts:
    """Return what a verification found."""
    return {
        "file": path,
        "game": notation,
        "plies": plies,
        "ok": found.complete and not found.problems,
        "complete": found.complete,
        "positions": found.positions,
        "derived": found.derived,
        "leaves": found.leaves,
        "solved": found.solved,
        "nodes": found.nodes,
        "seconds": round(seconds, 3),
        "problems": found.problems,
    }
