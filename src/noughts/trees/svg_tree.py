"""Draws a tree as SVG: boards as nodes, pruned branches marked as such, and a title for each node.

A small tree grows down the page, as in the textbook. One that would be too wide for a screen grows to the right, each
node beside its first child, so that it reads from the top and scrolls in one direction.
"""

from collections.abc import Iterator
from html import escape
from textwrap import wrap

from noughts.search.answer import Bound
from noughts.search.limits import Budget, Limits
from noughts.svg import document, element, text
from noughts.trees.labels import KEY, VIEW, Labels
from noughts.trees.layout import Place, plan
from noughts.trees.svg_board import BOARD_STYLE, Boards
from noughts.trees.tree import Tree, TreeNode

__all__ = ["as_svg"]

STYLE = (
    BOARD_STYLE
    + """\
svg { --edge: #6e7781; }
@media (prefers-color-scheme: dark) { svg { --edge: #8b949e; } }
.edge, .box { fill: none; stroke: var(--ink); stroke-width: 1; }
.edge { stroke: var(--edge); }
.box.bound { stroke-dasharray: 5 3; }
.box.guess { stroke-dasharray: 1.5 3; }
.best { stroke: var(--series-3); stroke-width: 3.5; }
.cut { stroke: var(--series-4); stroke-width: 1.5; stroke-dasharray: 4 3; fill: none; }
.stop { stroke: var(--series-4); stroke-width: 3; }
.more { fill: var(--faint); stroke: var(--ink); }
.middle { text-anchor: middle; }
.head { font-weight: bold; font-size: 15px; }
.action { font-weight: bold; }
.small { font-size: 11px; }
.over { paint-order: stroke; stroke: var(--paper); stroke-width: 4px; }
"""
)

MARGIN = 16
LEAST, MOST = 640, 1500
"""The least width of a picture, and the greatest width at which a tree grows down the page."""
LETTER, SMALL = 7.2, 6.1
"""The width of a letter in labels and in small labels: a little more than in most fonts."""
LINE = 14


def as_svg(tree: Tree, limits: Limits = Limits()) -> str:  # noqa: B008 - immutable
    """Return a tree as an SVG file."""
    budget = Budget(limits)
    down = _Down(tree, limits)
    return (down if down.width <= MOST else _Right(tree, budget.left)).document()


class _Picture:
    """What both directions share: the measurements of a tree, its labels, and the document."""

    width = 0.0
    height = 0.0

    def __init__(self, tree: Tree, limits: Limits, centred: bool) -> None:
        self.tree = tree
        self.labels = labels = Labels(tree, limits)
        self.plan = plan(tree, centred)
        self.places = self.plan.places
        nodes = [place.node for place in self.places]
        self.boards = Boards(labels.offers, [node.state for node in nodes])
        small = [label(node) for node in nodes for label in (labels.window, labels.note, labels.collapsed)]
        self.label = max(
            *(len(said) * SMALL for said in small),
            *(len(labels.value(node)) * LETTER for node in nodes),
            *(len(labels.heading(node)) * LETTER for node in nodes),
        )
        """The width of the widest label of a node."""
        self.last = {place.parent: place.column for place in self.places}
        """The column of the last child of each place that has one, by its parent's index."""

    def document(self) -> str:
        """Return the whole file: a description, the edges, and the nodes above them."""
        labels = self.labels
        said = [labels.summary(), f"{KEY}; {self._drawing()}.", f"{VIEW}."]
        letters = int((min(self.width, 1000) - 2 * MARGIN) / SMALL)
        lines = [line for sentence in said for line in wrap(sentence, letters)]
        body = [text(MARGIN, MARGIN + 12, labels.title(), class_="head")]
        body += [text(MARGIN, MARGIN + 16 + 15 * n, line, class_="small") for n, line in enumerate(lines, 1)]
        top = MARGIN + 30 + 15 * len(lines)
        tree = [*self._edges()]
        tree += [element("g", "".join(self._node(place, index))) for index, place in enumerate(self.places)]
        body.append(element("g", "\n".join(tree), transform=f"translate(0 {top})"))
        description = f"{labels.summary()} {KEY}. {VIEW}."
        size = round(self.width), round(top + self.height + MARGIN)
        return document(*size, labels.title(), description, body, STYLE)

    def _edges(self) -> Iterator[str]:
        """Draw all edges as one path, and those of best play above them."""
        for best, name in ((False, "edge"), (True, "edge best")):
            chosen = [place for place in self.places if place.parent is not None and place.node.principal is best]
            ways = [self.edge(place, self.places[place.parent]) for place in chosen if place.parent is not None]
            if ways:
                yield element("path", d="".join(ways), class_=name)

    def _drawing(self) -> str:
        best = "the thick line is best play, " if self.tree.root.value is not None else ""
        windows = "in brackets the window, " if self.tree.search != "minimax" else ""
        return f"{windows}{best}dashed branches are pruned, triangles hold what is not drawn"

    def _node(self, place: Place, index: int) -> Iterator[str]:
        node = place.node
        yield element("title", escape(self.labels.sentence(node), quote=False))
        left, top = self.corner(place)
        box = {
            "x": left - 3,
            "y": top - 3,
            "width": self.boards.width + 6,
            "height": self.boards.height + 6,
            "rx": 3,
        }
        before = None if place.parent is None else self.places[place.parent].node.state
        yield element("rect", class_="paper", **box)
        yield from self.boards.draw(node.state, before, left, top)
        yield element("rect", class_=_outline(node), **box)
        yield from self.words(place)
        if place.stub is not None:
            why = f"Pruned: {self.labels.left_out(node)}. {self.labels.why_pruned(node)}."
            title = element("title", escape(why, quote=False))
            yield element("g", title + "".join(self.cut(place, place.stub, self.last.get(index))))

    def corner(self, place: Place) -> tuple[float, float]:
        """Return the top left corner of a node's board."""
        raise NotImplementedError

    def edge(self, place: Place, parent: Place) -> str:
        """Return the path from a node's parent to the node."""
        raise NotImplementedError

    def words(self, place: Place) -> Iterator[str]:
        """Yield the labels of a node."""
        raise NotImplementedError

    def cut(self, place: Place, stub: float, last: float | None) -> Iterator[str]:
        """Draw pruned actions as a cut branch, which begins above the last child, if there is one."""
        raise NotImplementedError


class _Down(_Picture):
    """A tree that grows down the page: labels above and below the boards, edges that hang from a bar."""

    drop = 18

    def __init__(self, tree: Tree, limits: Limits) -> None:
        super().__init__(tree, limits, centred=True)
        nodes = [place.node for place in self.places]
        self._step = max(self.boards.width + 8, self.label) + 14
        self._over = LINE * (2 if any(map(self.labels.window, nodes)) else 1) + 6
        self._under = LINE * (2 if any(map(self.labels.note, nodes)) else 1) + 8
        self._row = self.drop + 12 + self._over + self.boards.height + self._under
        self.width = max(LEAST, self.plan.columns * self._step + 2 * MARGIN)
        self._left = (self.width - self.plan.columns * self._step) / 2 + self._step / 2
        last = max(place.row for place in self.places)
        more = any(place.row == last and (place.node.hidden or place.node.skipped) for place in self.places)
        self.height = self._bottom(last) + (62 if more else 0)

    def _x(self, column: float) -> float:
        return self._left + column * self._step

    def _y(self, row: int) -> float:
        return row * self._row + self._over

    def _bottom(self, row: int) -> float:
        return self._y(row) + self.boards.height + self._under

    def corner(self, place: Place) -> tuple[float, float]:
        return self._x(place.column) - self.boards.width / 2, self._y(place.row)

    def _way(self, parent: Place, column: float, end: float) -> str:
        start = self._y(parent.row) + self.boards.height + 2 + LINE + 5
        bar = self._bottom(parent.row) + self.drop - 8
        return f"M{self._x(parent.column):.1f} {start:.1f}V{bar:.1f}H{self._x(column):.1f}V{end:.1f}"

    def edge(self, place: Place, parent: Place) -> str:
        return self._way(parent, place.column, self._y(place.row) - self._over + 2)

    def words(self, place: Place) -> Iterator[str]:
        node, labels = place.node, self.labels
        x, y = self._x(place.column), self._y(place.row)
        below = y + self.boards.height + 2
        for at, said, kind in (
            (y - 7, labels.heading(node), "action over"),
            (y - (7 + LINE if labels.heading(node) else 9), labels.window(node), "small over"),
            (below + LINE, labels.value(node), "over"),
            (below + 2 * LINE, labels.note(node), "small over"),
        ):
            if said:
                yield text(x, at, said, class_=f"middle {kind}")
        if node.hidden:
            bottom = self._bottom(place.row)
            yield element("path", d=f"M{x:.1f} {bottom:.1f}l9 14h-18z", class_="more")
            yield text(x, bottom + 27, labels.collapsed(node), class_="middle small")

    def cut(self, place: Place, stub: float, last: float | None) -> Iterator[str]:
        node, labels = place.node, self.labels
        x, below = self._x(stub), self._bottom(place.row)
        end = below + (36 if node.hidden else self.drop + 12)
        if last is not None:
            bar = f"M{self._x(max(last, place.column)):.1f} {below + self.drop - 8:.1f}H{x:.1f}V{end:.1f}"
            yield element("path", d=bar, class_="cut")
        elif not node.hidden:
            yield element("path", d=self._way(place, stub, end), class_="cut")
        yield element("path", d=f"M{x - 8:.1f} {end:.1f}h16", class_="stop")
        yield text(x, end + 14, labels.pruned(node), class_="middle small")
        if not node.hidden:
            yield text(x, end + 28, _few(labels.left_out(node)), class_="middle small")


class _Right(_Picture):
    """A tree that grows to the right: labels beside the boards."""

    reach = 26

    def __init__(self, tree: Tree, limits: Limits) -> None:
        super().__init__(tree, limits, centred=False)
        self._lines = max(len(self._said(place.node)) for place in self.places)
        self._step = max(self.boards.height + 6, self._lines * LINE) + 12
        self._rank = self.boards.width + 28 + self.label + 2 * self.reach
        ranks = max(place.row + (place.stub is not None) for place in self.places) + 1
        self.width = max(LEAST, ranks * self._rank + 2 * MARGIN)
        self.height = self.plan.columns * self._step

    def _said(self, node: TreeNode) -> list[tuple[str, str]]:
        labels = self.labels
        lines = [
            (labels.heading(node), "action"),
            (labels.value(node), ""),
            (labels.window(node), "small"),
            (labels.note(node), "small"),
            (labels.collapsed(node), "small"),
        ]
        return [(said, kind) for said, kind in lines if said]

    def _widest(self, node: TreeNode) -> float:
        """Return the width of a node's labels."""
        triangle = 14 if node.hidden else 0
        return max(len(said) * (SMALL if kind == "small" else LETTER) for said, kind in self._said(node)) + triangle

    def corner(self, place: Place) -> tuple[float, float]:
        return MARGIN + 4 + place.row * self._rank, place.column * self._step + 4

    def _middle(self, column: float) -> float:
        return column * self._step + 4 + self.boards.height / 2

    def _way(self, parent: Place, column: float, end: float) -> str:
        x, _ = self.corner(parent)
        bar = x + self._rank - self.reach
        start = x + self.boards.width + 14 + self._widest(parent.node)
        return f"M{start:.1f} {self._middle(parent.column):.1f}H{bar:.1f}V{self._middle(column):.1f}H{end:.1f}"

    def edge(self, place: Place, parent: Place) -> str:
        x, _ = self.corner(place)
        return self._way(parent, place.column, x - 3)

    def words(self, place: Place) -> Iterator[str]:
        x, y = self.corner(place)
        x += self.boards.width + 10
        lines = self._said(place.node)
        y = self._middle(place.column) - LINE * len(lines) / 2
        collapsed = self.labels.collapsed(place.node)
        for number, (said, kind) in enumerate(lines, 1):
            line = y + LINE * number - 3
            if said == collapsed:
                yield element("path", d=f"M{x:.1f} {line - 4:.1f}l10 -6v12z", class_="more")
            yield text(x + 14 * (said == collapsed), line, said, class_=f"over {kind}".strip())

    def cut(self, place: Place, stub: float, last: float | None) -> Iterator[str]:
        node, labels = place.node, self.labels
        x, _ = self.corner(place)
        end, y = x + self._rank + 8, self._middle(stub)
        bar = x + self._rank - self.reach
        way = f"M{bar:.1f} {self._middle(last):.1f}V{y:.1f}H{end:.1f}" if last is not None else None
        yield element("path", d=way or self._way(place, stub, end), class_="cut")
        yield element("path", d=f"M{end:.1f} {y - 8:.1f}v16", class_="stop")
        yield text(end + 8, y - 2, labels.pruned(node), class_="small over")
        yield text(end + 8, y + 12, _few(labels.left_out(node), 24), class_="small over")


def _outline(node: TreeNode) -> str:
    """Return the CSS classes of a node's frame: solid, dashed for a bound, dotted for a guess."""
    kind = "guess" if node.value is None else "" if node.bound is Bound.EXACT else "bound"
    return " ".join(word for word in ("box", kind, "best" if node.principal else "") if word)


def _few(names: str, most: int = 12) -> str:
    """Return names, or the first of them and an ellipsis.

    >>> _few("1 2 3"), _few("a1 b1 c1 d1 e1 f1")
    ('1 2 3', 'a1 b1 c1 …')
    """
    return names if len(names) <= most else f"{names[: most - 1].rpartition(' ')[0] or names[:most]} …"
