"""Verifying a book: it has every position and no other, and each score is found again."""

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from noughts.book.file import Book
from noughts.bookmaking.leaves import Solved, leaf_solver, solve_leaves
from noughts.bookmaking.positions import Leaf, Positions
from noughts.capabilities import ResolvedGame
from noughts.errors import counted
from noughts.search.limits import OutOfBudget

__all__ = ["Verified", "verify_book"]


class Verified(NamedTuple):
    """What was verified, and each thing that is wrong, in a line."""

    problems: list[str]
    positions: int
    derived: int
    """How many scores were found again from those of the children."""
    leaves: int
    """How many positions there are at the last ply."""
    solved: int
    """How many of them were solved again."""
    complete: bool
    """Whether everything that was asked for was verified: False if the work was stopped."""
    nodes: int


def verify_book(
    book: Book,
    game: ResolvedGame[Any, Any],
    *,
    sample: int | None = None,
    seed: int | None = None,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Callable[[str], None] = lambda _: None,
    table_mib: float = 256,
    threads: int | None = None,
) -> Verified:
    """Find every score of a book again: from the children, and at the last ply by a search.

    `sample` is how many positions of the last ply are searched, chosen at random; all of them if it is None. Raises
    BadBook if the file is damaged.
    """

    def check() -> None:
        if cancelled():
            raise OutOfBudget("cancelled")

    stored = {row.key: game.scale.score(row.utility, row.distance) for row in book.file.rows()}
    try:
        positions = Positions(
            game, book.header.plies, check, lambda ply, count: progress(f"ply {ply}: {count:,} positions")
        )
    except OutOfBudget:
        return Verified([], len(stored), 0, 0, 0, False, 0)
    problems = _wrong_positions(positions, stored)
    if problems:
        return Verified(problems, len(stored), 0, len(positions.leaves), 0, True, 0)
    derived = 0
    for key, score in positions.rescored(stored):
        derived += 1
        if score != stored[key]:
            problems.append(f"key {key}: its children make it {_said(game, score)}, not {_said(game, stored[key])}")
    leaves = list(positions.leaves.values())
    if sample is not None and sample < len(leaves):
        leaves = Random(seed).sample(leaves, sample)
    solved = nodes = 0

    def done(leaf: Leaf, found: Solved) -> None:
        nonlocal solved, nodes
        solved, nodes = solved + 1, nodes + found.nodes
        progress(f"{solved:,} of {len(leaves):,} leaves verified, {nodes:,} nodes")
        if found.score != stored[leaf.key]:
            moves = " ".join(map(game.action_name, leaf.actions))
            said = f"{_said(game, found.score)}, not {_said(game, stored[leaf.key])}"
            problems.append(f"after {moves}: the search finds {said}")

    complete = not leaves or solve_leaves(leaf_solver(game, table_mib, threads), leaves, done, cancelled, stored)
    return Verified(problems, len(stored), derived, len(positions.leaves), solved, complete, nodes)


def _wrong_positions(positions: Positions, stored: dict[int, int]) -> list[str]:
    """Return what is wrong with the set of positions."""
    keys = positions.keys()
    missing, foreign = len(keys - stored.keys()), len(stored.keys() - keys)
    problems = []
    if missing:
        problems.append(f"{counted(missing, 'position')} missing")
    if foreign:
        problems.append(f"{counted(foreign, 'position')} that the game cannot reach in {positions.plies} plies")
    return problems


def _said(game: ResolvedGame[Any, Any], score: int) -> str:
    """Return a score in words."""
    value = "a win" if score > 0 else "a loss" if score < 0 else "a draw"
    distance = game.scale.distance(score)
    return value if distance is None else f"{value} in {counted(distance, 'ply')}"
