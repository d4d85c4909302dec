"""Builds the stepper: one self-contained HTML page that steps forward and back through a search, with boards."""

from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import Any

from noughts import pages
from noughts.capabilities import resolve
from noughts.game import MAX, Game
from noughts.pages import embedded, filled
from noughts.search.limits import Limits
from noughts.search.recursion_limit import deep_recursion
from noughts.search.variants import VARIANTS, Variant
from noughts.trees.compare import COMPARED, Effort, compare
from noughts.trees.layout import Plan, plan
from noughts.trees.pseudocode import REMEMBERING, pseudocode
from noughts.trees.steps import MOST_STEPS, steps
from noughts.trees.tree import Tree, TreeNode

__all__ = ["page", "policy", "steps"]

COUNTING = 2.0
"""Seconds for comparing the searches by default; small games need a tenth of a second."""

NAMES: dict[Variant, str] = {
    "minimax": "Minimax",
    "alphabeta": "Alpha-beta",
    "table": "Alpha-beta with a table",
    "symmetry": "Alpha-beta with a table and symmetry",
    "principal": "Principal variation search",
    "bounds": "Principal variation search with bounds",
}


def page(
    game: Game[Any, Any],
    state: Any,
    *,
    search: Variant = "alphabeta",
    notation: str = "",
    position: str = "",
    most: int = MOST_STEPS,
    truncate: bool = False,
    counts: Sequence[Effort] | None = None,
    home: str = "",
    searches: Mapping[Variant, str] | None = None,
    limits: Limits = Limits(),  # noqa: B008 - immutable
) -> str:
    """Return an HTML page that steps through the search of a state, event by event.

    `notation` and `position` appear in its heading. Raises NoughtsError if the search has more than `most` events; with
    `truncate`, the page shows the first of them instead, and says so.

    The page compares the cost of the searches. `counts` is the result of `compare`, if the caller already has it; an
    empty list leaves the comparison out; None runs `compare` within the `limits`.

    The page links to `home`, the address of the board, and to `searches`, the addresses of such pages for other
    searches.
    """
    game = resolve(game)
    half = limits if limits.seconds is None else limits._replace(seconds=limits.seconds / 2)
    told = steps(game, state, search=search, most=most, truncate=truncate, limits=half)
    is_part = told[-1]["node"] != 0 or told[-1]["kind"] != "leave"
    if counts is None:
        seconds = COUNTING if half.seconds is None else half.seconds
        counts = compare(game, state, limits=limits._replace(nodes=limits.nodes or COMPARED, seconds=seconds))
    places = _places(game, search, told)
    facts = {
        "lines": [line.text for line in pseudocode(search)],
        "window": search != "minimax",
        "table": search in REMEMBERING,
        "part": is_part,
        "efforts": [
            {
                "name": NAMES[each.search],
                "current": each.search == search,
                "complete": each.complete,
                "nodes": each.nodes,
                "cutoffs": None if each.search == "minimax" else each.cutoffs,
                "hits": each.hits if each.search in REMEMBERING else None,
            }
            for each in counts
        ],
        "places": [[place.column, place.row, place.parent] for place in places.places],
        "columns": places.columns,
        "rows": max(place.row for place in places.places) + 1,
    }
    called = game.title or notation or "a game"
    title = f"{NAMES[search]}: {called}" + (f" after {position}" if position else "")
    parts = {
        "policy": policy(),
        "links": _links(search, home, searches or {}),
        "part": _part(len(told), next((each for each in counts if each.search == search), None)) if is_part else "",
        "title": escape(title),
        "about": escape(VARIANTS[search][0].upper() + VARIANTS[search][1:]),
        "last": str(len(told) - 1),
        "facts": embedded(facts),
        "events": embedded(told),
    }
    return filled(_template(), parts)


def policy() -> str:
    """Return the content security policy of all these pages: only their own style and script may run.

    It is part of the page; a server should also send it as a header.
    """
    return pages.policy(_template())


def _places(game: Game[Any, Any], search: Variant, told: list[dict[str, Any]]) -> Plan:
    """Return the places of the nodes that these steps enter."""
    nodes: list[TreeNode] = []
    for step in told:
        if step["kind"] == "enter":
            nodes.append(TreeNode(step["node"], step["action"], step["ply"], None, MAX, None, None))
            if step["parent"] is not None:
                nodes[step["parent"]].children.append(nodes[-1])
        elif step["kind"] == "leave":
            nodes[step["node"]].skipped = tuple(step["skipped"])
    depth = max(node.ply for node in nodes)
    with deep_recursion(depth):
        return plan(Tree(game, nodes[0], search, len(nodes), depth))


def _part(shown_steps: int, effort: Effort | None) -> str:
    """Return a note that says how much of a long search the page shows."""
    there_are = ""
    if effort is not None:
        there_are = (
            f" of {effort.events:,}" if effort.complete else f" of more than {max(effort.events, shown_steps):,}"
        )
    return f"<p>The first {shown_steps:,}{there_are} steps: the page ends there, the search does not.</p>"


def _links(search: Variant, home: str, searches: Mapping[Variant, str]) -> str:
    """Return links to the board and to the pages of all searches."""
    links = [f'<li><a href="{escape(home)}">Back to the board</a></li>'] if home else []
    for each, address in searches.items():
        current = ' aria-current="page"' if each == search else ""
        links.append(f'<li><a href="{escape(address)}"{current}>{escape(NAMES[each])}</a></li>')
    return f'<nav aria-label="The board, and other searches of it"><ul>{"".join(links)}</ul></nav>' if links else ""


def _template() -> str:
    return files("noughts.trees").joinpath("stepper.html").read_text("utf-8")
