"""The trees of searches as JSON."""

from typing import Any

from noughts.capabilities import ResolvedGame
from noughts.notation import Position
from noughts.search.limits import Limits
from noughts.search.variants import VARIANTS
from noughts.trees.labels import Labels
from noughts.trees.layout import Place, plan
from noughts.trees.tree import Tree
from noughts.wire.answers import score
from noughts.wire.types import NodeFacts, NodeScoreFacts, TreeFacts

__all__ = ["tree"]


def tree(
    notation: str,
    where: Position[Any, Any],
    game: ResolvedGame[Any, Any],
    found: Tree,
    limits: Limits = Limits(),  # noqa: B008 - immutable
) -> TreeFacts:
    """Return the tree of a search: what was searched, and the root with its children inside it.

    Scores take the view of the player to move at their node. Raises NoughtsError when a limit of time is reached.
    """
    labels = Labels(found, limits)
    layout = plan(found)
    nodes = [_node(labels, place) for place in layout.places]
    for place, facts in zip(layout.places, nodes, strict=True):
        if place.parent is not None:
            nodes[place.parent]["children"].append(facts)
    return {
        "game": notation,
        "position": where.text(game.action_name),
        "title": game.display_title,
        "search": found.search,
        "about": VARIANTS[found.search],
        "players": list(game.player_names),
        "view": "the player to move at each node",
        "searched": found.searched,
        "drawn": len(nodes),
        "horizon": found.horizon,
        "depth": found.depth,
        "merged": sum(1 for node in found.root.walk() if node.same_as is not None),
        "columns": layout.columns,
        "rows": layout.rows,
        "root": nodes[0],
    }


def _node(labels: Labels, place: Place) -> NodeFacts:
    node = place.node
    return {
        "number": node.number,
        "action": labels.action(node) if node.ply else None,
        "ply": node.ply,
        "board": labels.diagram(node),
        "to_move": labels.mark(node.mover),
        "alpha": _score(labels, node.alpha),
        "beta": _score(labels, node.beta),
        "value": _score(labels, node.value),
        "bound": None if node.value is None or node.bound is None else node.bound.value,
        "reason": node.reason,
        "skipped": [labels.offers.action_name(action) for action in node.skipped],
        "why_skipped": labels.why_pruned(node) if node.skipped else None,
        "hidden": node.hidden,
        "principal": node.principal,
        "same_as": node.same_as,
        "column": place.column,
        "row": place.row,
        "children": [],
    }


def _score(labels: Labels, found: int | None) -> NodeScoreFacts | None:
    facts = score(found, labels.offers.scale)
    return None if facts is None or found is None else {**facts, "score": found}
