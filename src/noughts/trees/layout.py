"""Where the nodes of a tree go: one tidy layout for every format."""

from typing import NamedTuple

from noughts.trees.tree import Tree, TreeNode

__all__ = ["Place", "Plan", "plan"]


class Place(NamedTuple):
    """Where a node is: in columns from the left, which may be half ones, and rows from the top."""

    node: TreeNode
    column: float
    row: int
    parent: int | None
    """The index of its parent's place."""
    stub: float | None = None
    """The column, in the row below, of what was left out here, if anything was."""


class Plan(NamedTuple):
    """The places of a tree's nodes, each after its parent's, and how many columns and rows they take."""

    places: tuple[Place, ...]
    columns: int
    rows: int


def plan(tree: Tree, centred: bool = True) -> Plan:
    """Give each node a row by its ply and a column such that nothing overlaps and parents stand over their children.

    What a cutoff left out takes a column of its own, after the children, as wide as a node. A parent
    stands over the middle of its children if it is `centred`, else over the first.
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
