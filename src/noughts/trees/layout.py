"""Computes where the nodes of a tree go: one layout for every format."""

from typing import NamedTuple

from noughts.trees.tree import Tree, TreeNode

__all__ = ["Place", "Plan", "plan"]


class Place(NamedTuple):
    """Where a node is: its column from the left, which may be fractional, and its row from the top."""

    node: TreeNode
    column: float
    row: int
    parent: int | None
    """The index of its parent's place."""
    stub: float | None = None
    """The column, in the row below, for the pruned actions, if there are any."""


class Plan(NamedTuple):
    """The places of a tree's nodes, parents first, and the number of columns and rows."""

    places: tuple[Place, ...]
    columns: int
    rows: int


def plan(tree: Tree, centred: bool = True) -> Plan:
    """Return places in which nothing overlaps: the row of a node is its ply, and parents are above their children.

    Pruned actions take one column after the children, as wide as a node. A parent is above the middle of its
    children if `centred`, else above the first.
    """
    places: list[Place] = []
    taken = 0

    def put(node: TreeNode, parent: int | None) -> float:
        nonlocal taken
        index = len(places)
        places.append(Place(node, 0.0, node.ply, parent))
        columns = [put(child, index) for child in node.children]
        stub = float(taken) if node.skipped else None
        if node.skipped or not columns:
            columns.append(float(taken))
            taken += 1
        column = (columns[0] + columns[-1]) / 2 if centred else columns[0]
        places[index] = places[index]._replace(column=column, stub=stub)
        return column

    put(tree.root, None)
    rows = max(place.row + bool(place.node.skipped or place.node.hidden) for place in places) + 1
    return Plan(tuple(places), taken, rows)
