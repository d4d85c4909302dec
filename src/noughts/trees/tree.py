"""The tree that a search visited: nodes with windows, values and bounds, and pruned actions."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from noughts.capabilities import ResolvedGame
from noughts.engine import Engine, game_of
from noughts.errors import EndlessGame, NoughtsError, counted
from noughts.game import Game, to_move
from noughts.score import one_ply_later
from noughts.search.answer import Bound
from noughts.search.events import Event, Reason
from noughts.search.limits import Budget, Limits, OutOfBudget
from noughts.search.variants import Variant, search_variant
from noughts.symmetry import symmetry_key

__all__ = ["MOST_SEARCHED", "Tree", "TreeNode", "tree"]

MOST_SEARCHED = 1_000_000
"""Nodes after which plain minimax is stopped."""

TO_THE_END = 30_000
"""Nodes after which other searches stop looking to the end of the game, and use a horizon instead."""

PLIES_AHEAD = 3
"""The default horizon."""

KEPT = 20_000
"""How many nodes are kept while a tree grows; if there are more, the deepest are only counted."""


@dataclass(slots=True)
class TreeNode:
    """A node that a search visited. Scores take the view of the player to move there."""

    number: int
    """In the order of visiting; the root is 0."""
    action: Any
    """The action that led here; None at the root."""
    ply: int
    state: Any
    mover: int
    alpha: int | None
    beta: int | None
    """The window on entering; None means unlimited."""
    value: int | None = None
    """None for a guess at the horizon."""
    bound: Bound | None = None
    reason: Reason | None = None
    children: list["TreeNode"] = field(default_factory=list)
    skipped: tuple[Any, ...] = ()
    """The pruned actions: after a cutoff, or because the game's bounds say that nothing better is possible."""
    hidden: int = 0
    """How many nodes below it are only counted."""
    principal: bool = False
    """Whether it is on a line of best play from the root."""
    same_as: int | None = None
    """The number of the node with the same position: one on the way to this one, or one into which this is merged."""

    def walk(self) -> Iterator["TreeNode"]:
        """Yield the node and all nodes below it, parents first."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))


class Tree(NamedTuple):
    """The nodes that a search visited, as far as they are kept."""

    game: Game[Any, Any]
    root: TreeNode
    search: Variant
    searched: int
    """Nodes visited."""
    depth: int
    """Plies that are kept."""
    horizon: int | None = None
    """How many plies ahead the search looked; None is to the end of the game."""
    endless: bool = False
    """Whether play can go on for ever."""

    def _repr_svg_(self) -> str:
        from noughts.trees.svg_tree import as_svg  # that module imports this one

        return as_svg(self)


def tree(
    game: Game[Any, Any] | Engine[Any, Any],
    state: Any = None,
    *,
    search: Variant = "alphabeta",
    depth: int | None = None,
    most: int = 150,
    merge: bool = False,
    limits: Limits = Limits(),  # noqa: B008 - immutable
) -> Tree:
    """Variant a state, the initial one by default, and return the tree down to `depth` plies.

    As many plies are kept as have no more than `most` nodes; deeper nodes are counted. Where the game is too large to
    search to its end, or play can go on for ever, the search looks only `depth` plies ahead, and values that rest on a
    guess are None. A position that is repeated on the way from the root has no nodes below it. `merge`
    keeps only one node for each position, counting symmetric positions as the same: the nearest to the root. The tree
    of a finished game is its root alone. Raises NoughtsError if not even one ply fits, or if the time limit or
    cancelling stops it. Drawing the tree takes extra time.
    """
    game = game_of(game)
    root = game.state(state)
    budget = Budget(limits._replace(nodes=None))
    builder, searched, horizon, endless = _search(game, root, search, depth, budget)
    found = builder.root
    assert found is not None
    if horizon is not None:
        _doubt(game, found)
        _cut_repetitions(game, found)
    _mark_principal(found)
    if merge:
        try:
            _merge(game, found, budget)
        except OutOfBudget as out:
            raise _stopped(out) from None
    plies = [0] * (1 + max(node.ply for node in found.walk()))
    for node in found.walk():
        plies[node.ply] += 1
    kept = min(len(plies) - 1, builder.depth)
    while kept > 0 and sum(plies[: kept + 1]) > most:
        kept -= 1
    if kept == 0 and len(plies) > 1:
        drawn = sum(plies[:2])
        raise NoughtsError(f"one ply alone has {counted(drawn, 'node')} to draw; allow them", remedy={"most": drawn})
    _collapse(found, kept)
    return Tree(game, found, search, searched, kept, horizon, endless)


def _search(
    game: ResolvedGame[Any, Any], root: Any, search: Variant, depth: int | None, budget: Budget
) -> tuple["_Builder", int, int | None, bool]:
    """Run a search; return its builder, the number of nodes, its horizon, and whether play can go on for ever.

    A horizon of None is the end of the game.
    """
    builder, endless = _Builder(game, depth), False
    try:
        if search == "minimax":  # if alpha-beta takes too long, minimax would too: it visits at least the same nodes
            search_variant(game, root, "alphabeta", _at_most(budget, TO_THE_END))
            return builder, search_variant(game, root, search, _at_most(budget, MOST_SEARCHED), builder), None, False
        return builder, search_variant(game, root, search, _at_most(budget, TO_THE_END), builder), None, False
    except OutOfBudget as out:
        if out.stopped != "node limit":
            raise _stopped(out) from None
        if search == "minimax":
            few = "far too many nodes to draw from here; choose a later position or another search"
            raise NoughtsError(f"plain minimax visits {few}", remedy={"search": "alphabeta"}) from None
    except EndlessGame:
        endless = True
        if search == "minimax":
            why = "plain minimax never ends here, since play can go on for ever; choose another search"
            raise NoughtsError(why, remedy={"search": "alphabeta"}) from None
    horizon = depth or PLIES_AHEAD
    builder = _Builder(game, horizon)
    try:
        within = _at_most(budget, MOST_SEARCHED // 4)
        return builder, search_variant(game, root, search, within, builder, horizon), horizon, endless
    except OutOfBudget as out:
        if out.stopped != "node limit":
            raise _stopped(out) from None
        raise NoughtsError(
            f"{counted(horizon, 'ply')} ahead take more than {MOST_SEARCHED // 4:,} nodes here; choose fewer",
            remedy={"depth": PLIES_AHEAD},
        ) from None


def _at_most(budget: Budget, nodes: int) -> Budget:
    """Return a budget of the time that is left, and of so many nodes."""
    return Budget(budget.left._replace(nodes=nodes))


def _stopped(out: OutOfBudget) -> NoughtsError:
    return NoughtsError(f"the search was stopped before there was a tree to draw: {out.stopped}")


class _Builder:
    """Builds a tree from the events of a search; if it gets too large, its deepest nodes are only counted."""

    def __init__(self, game: Game[Any, Any], depth: int | None) -> None:
        self._game = game
        self.depth = depth if depth is not None else 1 << 30
        self.root: TreeNode | None = None
        self._path: list[TreeNode | None] = []
        """The nodes from the root to the current one; None for those that are only counted."""
        self._entered = 0
        self._kept = 0

    def __call__(self, event: Event[Any, Any]) -> None:
        if event.kind == "enter":
            self._enter(event)
        elif event.kind == "leave":
            node = self._path.pop()
            if node is not None:
                node.value, node.bound, node.reason = event.value, event.bound, event.reason
                node.skipped = event.skipped

    def _enter(self, event: Event[Any, Any]) -> None:
        number = self._entered
        self._entered += 1
        if event.ply > self.depth:
            last = self._path[self.depth]
            assert last is not None
            last.hidden += 1
            self._path.append(None)
            return
        mover = to_move(self._game, event.state)
        node = TreeNode(number, event.action, event.ply, event.state, mover, event.alpha, event.beta)
        if self._path:
            parent = self._path[-1]
            assert parent is not None
            parent.children.append(node)
        else:
            self.root = node
        self._path.append(node)
        self._kept += 1
        if self._kept > KEPT:
            self._forget_deepest()

    def _forget_deepest(self) -> None:
        assert self.root is not None
        on_path = [node for node in self._path if node is not None]
        deepest = max(node.ply for node in self.root.walk())
        self.depth = max(deepest - 1, 1)
        _collapse(self.root, self.depth)
        self._path = [node if node.ply <= self.depth else None for node in on_path]
        self._kept = sum(1 for _ in self.root.walk())


def _collapse(root: TreeNode, depth: int) -> None:
    """Count the nodes deeper than `depth`, and drop them."""
    for node in list(root.walk()):
        if node.ply == depth:
            node.hidden += sum(1 + below.hidden for below in node.walk()) - 1 - node.hidden
            node.children = []


def _doubt(game: ResolvedGame[Any, Any], root: TreeNode) -> None:
    """Weaken values where margins count and the search had a horizon: there may be a larger margin beyond it.

    A win is then only a lower bound, and a loss an upper bound.
    """
    low, high = game.utility_range
    for node in root.walk():
        if (low < -1 or high > 1) and node.value is not None and node.reason != "end":
            known = Bound.LOWER if node.value > 0 else Bound.UPPER
            if node.value == 0 or node.bound not in (Bound.EXACT, known):
                node.value = None
            else:
                node.bound = known


def _cut_repetitions(game: ResolvedGame[Any, Any], root: TreeNode) -> None:
    """Drop the nodes below each position that is repeated on the way from the root."""
    waiting: list[tuple[TreeNode, dict[Hashable, int]]] = [(root, {})]
    while waiting:
        node, above = waiting.pop()
        key = game.key(node.state)
        if key in above:
            node.same_as, node.reason = above[key], "repeated"
            node.children, node.hidden, node.skipped = [], 0, ()
        waiting.extend((child, {**above, key: node.number}) for child in node.children)


def _mark_principal(root: TreeNode) -> None:
    """Mark a line of best play: at each node, a child that gives the node its value."""
    node = root
    node.principal = node.value is not None and node.bound is Bound.EXACT
    if not node.principal:
        return
    while node.children and node.value is not None:
        reaching = [child for child in node.children if _view(child, node.mover) == node.value]
        if not reaching:
            return
        node = next((child for child in reaching if child.bound is Bound.EXACT), reaching[0])
        node.principal = True


def _view(child: TreeNode, mover: int) -> int | None:
    """Return the value of a child as its parent sees it: one ply later, in the view of the parent's player."""
    return None if child.value is None else one_ply_later(child.value if child.mover == mover else -child.value)


def _merge(game: ResolvedGame[Any, Any], root: TreeNode, budget: Budget) -> None:
    """Keep one node of each position, the nearest to the root; the others refer to it and have no children."""
    same = symmetry_key(game, budget.check)
    first: dict[Any, int] = {}
    plies = [root]
    while plies:
        for node in plies:
            budget.check()
            number = first.setdefault(same(node.state), node.number)
            if number != node.number:
                node.same_as = number
                node.children, node.hidden, node.skipped = [], 0, ()
        plies = [child for node in plies for child in node.children]
