"""Writes a tree as text, as JSON and for Graphviz; `svg_tree` draws it as SVG. All use the same layout.

The caller may limit the time or cancel; NoughtsError is raised then.
"""

from noughts.search.answer import Bound
from noughts.search.limits import Limits
from noughts.trees.labels import KEY, VIEW, Labels
from noughts.trees.layout import Place, plan
from noughts.trees.svg_tree import as_svg
from noughts.trees.tree import Tree, TreeNode

__all__ = ["as_dot", "as_svg", "as_text"]


def as_text(tree: Tree, limits: Limits = Limits()) -> str:  # noqa: B008 - immutable
    """Return a tree as indented lines, one for each node: the action that led to it, its position, value and window."""
    labels = Labels(tree, limits)
    root = tree.root
    marked = "; * is best play" if root.value is not None else ""
    lines = [labels.title(), labels.summary(), f"{KEY}{marked}.", f"{VIEW}.", "", _line(labels, root)]
    waiting = [(iter(_below(labels, root)), "")]
    while waiting:
        below, indent = waiting[-1]
        item = next(below, None)
        if item is None:
            waiting.pop()
            continue
        node, said, last = item
        lines.append(f"{indent}{'└' if last else '├'}{'╌' if node is None else '─'} {said}")
        if node is not None:
            waiting.append((iter(_below(labels, node)), indent + ("   " if last else "│  ")))
    return "\n".join(lines) + "\n"


def _below(labels: Labels, node: TreeNode) -> list[tuple[TreeNode | None, str, bool]]:
    """Return the lines below a node, each with its child if any, and whether it is the last.

    First come the children, then what is not drawn.
    """
    below: list[tuple[TreeNode | None, str]] = [(child, _line(labels, child)) for child in node.children]
    if node.hidden:
        below.append((None, labels.collapsed(node)))
    if node.skipped:
        below.append((None, f"{labels.pruned(node)} ({labels.left_out(node)}): {labels.why_pruned(node)}"))
    return [(child, said, place == len(below)) for place, (child, said) in enumerate(below, 1)]


def _line(labels: Labels, node: TreeNode) -> str:
    heading = f"{'*' if node.principal and node.ply else ''}{labels.heading(node)}"
    parts = [heading, labels.diagram(node), labels.value(node), labels.window(node), labels.note(node)]
    return "  ".join(part for part in parts if part)


def as_dot(tree: Tree, limits: Limits = Limits()) -> str:  # noqa: B008 - immutable
    """Return a tree for Graphviz: `dot` computes its own layout, `neato -n` uses ours."""
    labels = Labels(tree, limits)
    places = plan(tree).places
    lines = [
        "digraph tree {",
        f"  label={_quoted(f'{labels.title()}. {labels.summary()} {KEY}. {VIEW}.')};",
        '  node [shape=box, fontname="monospace"];',
        '  edge [fontname="monospace"];',
    ]
    for place in places:
        lines += _dot_node(labels, place, None if place.parent is None else places[place.parent].node)
    return "\n".join([*lines, "}", ""])


def _dot_node(labels: Labels, place: Place, parent: TreeNode | None) -> list[str]:
    node = place.node
    drawn = labels.offers.draw(node.state) if labels.offers.board is None else labels.diagram(node).replace("/", "\n")
    number = f"node {node.number}" if node.number in labels.named else ""
    said = [drawn, labels.value(node), labels.note(node), number, labels.collapsed(node)]
    width = 3 if node.principal else 1
    style = "solid" if node.value is not None and node.bound is Bound.EXACT else "dashed"
    position = f'pos="{place.column * 110:g},{-place.row * 160:g}"'
    label = _quoted("\n".join(part for part in said if part))
    lines = [
        f"  n{node.number} [label={label}, {position}, penwidth={width}, style={style}, "
        f"tooltip={_quoted(labels.sentence(node))}];"
    ]
    if parent is not None:
        edge = _quoted("\n".join(part for part in (labels.action(node), labels.window(node)) if part))
        lines.append(f"  n{parent.number} -> n{node.number} [label={edge}, penwidth={width}];")
    if place.stub is not None:
        said_cut = _quoted(f"{labels.pruned(node)}\n{labels.left_out(node)}")
        why = _quoted(labels.why_pruned(node))
        at = f'pos="{place.stub * 110:g},{-(place.row + 1) * 160:g}"'
        lines.append(f"  p{node.number} [shape=plaintext, label={said_cut}, {at}, tooltip={why}];")
        lines.append(f"  n{node.number} -> p{node.number} [style=dashed, arrowhead=tee, tooltip={why}];")
    return lines


def _quoted(content: str) -> str:
    """Return a text quoted for Graphviz.

    >>> print(_quoted('a "b"'))
    "a \\"b\\""
    """
    escaped = content.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
