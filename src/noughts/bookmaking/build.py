"""Building a book: its positions, then its leaves by search, then the rest from these."""

from collections.abc import Callable
from typing import Any, NamedTuple

from noughts.book.file import book_bytes
from noughts.bookmaking.checkpoint import Checkpoint
from noughts.bookmaking.leaves import Solved, leaf_solver, solve_leaves
from noughts.bookmaking.positions import Leaf, Positions, row_of
from noughts.capabilities import ResolvedGame
from noughts.search.limits import OutOfBudget
from noughts.serial import rules_digest

__all__ = ["Built", "build_book"]


class Built(NamedTuple):
    """What was built: the content of the file, or None if the work was stopped."""

    content: bytes | None
    positions: int
    leaves: int
    known: int
    """How many leaves the checkpoint had."""
    solved: int
    """How many were solved now."""
    nodes: int


def build_book(
    game: ResolvedGame[Any, Any],
    notation: str,
    plies: int,
    checkpoint_path: str,
    *,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Callable[[str], None] = lambda _: None,
    table_mib: float = 256,
    threads: int | None = None,
) -> Built:
    """Build the book of a game up to some ply. What the checkpoint has is not solved again; what is solved is added."""

    def check() -> None:
        if cancelled():
            raise OutOfBudget("cancelled")

    rules = rules_digest(game)
    checkpoint = Checkpoint(checkpoint_path, game, rules)
    try:
        positions = Positions(game, plies, check, lambda ply, count: progress(f"ply {ply}: {count:,} positions"))
    except OutOfBudget:
        return Built(None, 0, 0, 0, 0, 0)
    scores = checkpoint.read(positions)
    known, nodes = len(scores), 0

    def done(leaf: Leaf, solved: Solved) -> None:
        nonlocal nodes
        checkpoint.add(leaf, solved.score, solved.nodes)
        scores[leaf.key] = solved.score
        nodes += solved.nodes
        progress(f"{len(scores):,} of {len(positions.leaves):,} leaves solved, {nodes:,} nodes")

    todo = [leaf for key, leaf in positions.leaves.items() if key not in scores]
    complete = not todo
    if todo:
        checkpoint.begin()
        complete = solve_leaves(leaf_solver(game, table_mib, threads), todo, done, cancelled)
    content = None
    if complete:
        rows = [row_of(key, score, game) for key, score in (*scores.items(), *positions.derived(scores))]
        content = book_bytes(notation, plies, rules, rows)
    return Built(content, len(positions), len(positions.leaves), known, len(scores) - known, nodes)
