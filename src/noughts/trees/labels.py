"""Labels for the nodes of a tree: values, windows and reasons in short, and as sentences."""

from collections.abc import Callable
from typing import Any

from noughts.capabilities import ResolvedGame, resolve
from noughts.errors import NoughtsError, counted, one_line
from noughts.game import MAX
from noughts.score import value_of
from noughts.search.answer import Bound
from noughts.search.limits import Budget, Limits, OutOfBudget
from noughts.search.variants import VARIANTS
from noughts.trees.tree import Tree, TreeNode
from noughts.words.values import in_short, leads_to

__all__ = ["KEY", "VIEW", "Labels"]

SIGNS = {Bound.EXACT: "=", Bound.LOWER: "≥", Bound.UPPER: "≤"}
SAID = {Bound.EXACT: "", Bound.LOWER: "at least: ", Bound.UPPER: "at most: "}

KEY = "W3 wins in 3 moves, D draws, L4 loses in 4, ? is a guess; = exact, ≥ at least, ≤ at most"
VIEW = "Each value and window is for the player named at the node, who is to move there"


class Labels:
    """The labels of one tree. Scores take the view of the player to move at their node.

    Drawing a position after the time limit, or after cancelling, raises NoughtsError.
    """

    def __init__(self, tree: Tree, limits: Limits = Limits()) -> None:  # noqa: B008 - immutable
        self.tree = tree
        self.offers = _within(limits, resolve(tree.game))
        self.marks = self.offers.player_names
        self.called = self.offers.display_title
        """The name of the game."""
        low, high = self.offers.utility_range
        self._utilities = (low, high), (-high, -low)
        self.named = frozenset(node.same_as for node in tree.root.walk() if node.same_as is not None)
        """The numbers of the nodes that others refer to."""

    def mark(self, mover: int) -> str:
        """Return the name of a player."""
        return self.offers.player_name(mover)

    def action(self, node: TreeNode) -> str:
        """Return the name of the action that led to a node."""
        return "" if node.action is None else self.offers.action_name(node.action)

    def heading(self, node: TreeNode) -> str:
        """Return the action that led to a node, and the node's number if others refer to it."""
        number = f"[{node.number}]" if node.number in self.named else ""
        return f"{self.action(node)} {number}".strip()

    def short(self, score: int) -> str:
        """Return a score as W3, D or L4."""
        return in_short(score, self.offers.scale)

    def value(self, node: TreeNode) -> str:
        """Return the value of a node with the player it is for: `X = W3`, `O ≥ D`, `X ?`."""
        mark = self.mark(node.mover)
        if node.value is None or node.bound is None:
            return f"{mark} ?"
        return f"{mark} {SIGNS[node.bound]} {self.short(node.value)}"

    def window(self, node: TreeNode) -> str:
        """Return the window with which a node was entered; empty for minimax, which has none."""
        if self.tree.search == "minimax":
            return ""
        low = "−∞" if node.alpha is None else self._limit(node.alpha, node.mover)
        high = "∞" if node.beta is None else self._limit(node.beta, node.mover)
        return f"({low}, {high})"

    def _limit(self, score: int, mover: int) -> str:
        """Return an end of a window: infinite if no score lies beyond; `?` near a draw if the search had a horizon."""
        low, high = (self.offers.scale.score(utility) for utility in self._utilities[mover != MAX])
        if score <= low or score >= high:
            return "−∞" if score <= low else "∞"
        return "?" if self.tree.horizon is not None and abs(score) <= 1 else self.short(score)

    def note(self, node: TreeNode) -> str:
        """Return how a value was found, if not by searching below the node."""
        if node.same_as is not None:
            return f"{'repeats' if node.reason == 'repeated' else '='} node {node.same_as}"
        if node.reason == "bounds":
            return self._known(node)
        return {"end": "the end", "horizon": "not searched", "table": "in the table"}.get(node.reason or "", "")

    def _known(self, node: TreeNode) -> str:
        """Return what the game's bounds say about a position."""
        if node.value == 0 and self.offers.lineup is not None:
            return "no line left"
        possible = {Bound.LOWER: "cannot be worse", Bound.UPPER: "cannot be better"}
        return possible.get(node.bound or Bound.EXACT, "settled")

    def collapsed(self, node: TreeNode) -> str:
        """Return how many nodes below a node are not drawn."""
        return f"+ {node.hidden:,} node{'s' * (node.hidden != 1)}" if node.hidden else ""

    def pruned(self, node: TreeNode) -> str:
        """Return how many actions were pruned."""
        return f"{len(node.skipped)} pruned" if node.skipped else ""

    def left_out(self, node: TreeNode) -> str:
        """Return the names of the pruned actions."""
        return " ".join(self.offers.action_name(action) for action in node.skipped)

    def why_pruned(self, node: TreeNode) -> str:
        """Say why actions were pruned."""
        mover, other = self.mark(node.mover), self.mark(-node.mover)
        if node.reason != "cutoff" or node.beta is None:
            return f"{mover} already has the most that is possible here"
        if node.value is None:
            return f"by its guess, {other} already has as good or better elsewhere"
        return f"{self.short(node.value)} ≥ {self.short(node.beta)}: {other} already has as good or better elsewhere"

    def said(self, score: int) -> str:
        """Return a score in words."""
        scale = self.offers.scale
        if score and not scale.distance(score):
            return "has won" if score > 0 else "has lost"
        return leads_to(value_of(score), scale.distance(score), scale.utility(score))

    def sentence(self, node: TreeNode) -> str:
        """Return everything about a node as sentences, for screen readers."""
        mover = self.mark(node.mover)
        parts = [
            f"Node {node.number}" + (f", after {self.action(node)}" if node.ply else "") + f": {self.diagram(node)}"
        ]
        if node.value is None or node.bound is None:
            parts.append(f"{mover} to move; the value rests on a guess")
        else:
            over = node.reason == "end"
            parts.append(f"{mover} {SAID[node.bound]}{self.said(node.value)}" + ("" if over else f"; {mover} to move"))
        if self.window(node):
            parts.append(f"Window {self.window(node)}")
        if node.principal:
            parts.append("On the best line")
        if self.note(node):
            parts.append(self.note(node).capitalize())
        if node.hidden:
            parts.append(f"{node.hidden:,} more below, not drawn")
        if node.skipped:
            parts.append(f"Pruned: {self.left_out(node)}, since {self.why_pruned(node)}")
        return ". ".join(parts) + "."

    def diagram(self, node: TreeNode) -> str:
        """Return a position in one line."""
        return diagram(self.offers, node.state)

    def title(self) -> str:
        """Return the title of the picture."""
        return f"{self.called}: the tree of {self.tree.search} search"

    def summary(self) -> str:
        """Say what was searched, and how much of it is drawn."""
        tree, root = self.tree, self.tree.root
        mover = self.mark(root.mover)
        worth = "what it is worth is not known"
        if root.value is not None and root.bound is not None:
            worth = f"{mover} {SAID[root.bound]}{self.said(root.value)}"
        ahead = "to the end" if tree.horizon is None else counted(tree.horizon, "ply") + " ahead"
        drawn = sum(1 for _ in root.walk())
        shown = f"{drawn:,} drawn, {counted(tree.depth, 'ply')} deep" if drawn < tree.searched else "all drawn"
        if tree.game.terminal(root.state):
            return f"The game is over: {'a draw' if root.value == 0 else worth}. There is nothing left to search."
        return (
            f"{mover} to move; {worth}. {tree.search} ({VARIANTS[tree.search]}) looks {ahead}: "
            f"{counted(tree.searched, 'node')}, {shown}."
        )


def _within(limits: Limits, offers: ResolvedGame[Any, Any]) -> ResolvedGame[Any, Any]:
    """Return the game's capabilities, with drawing functions that raise NoughtsError once the limits are reached."""
    budget = Budget(limits._replace(nodes=None))

    def limited(draw: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def drawn(state: Any) -> Any:
            try:
                budget.check()
            except OutOfBudget as out:
                if out.stopped == "cancelled":
                    raise NoughtsError("the drawing of the tree was cancelled") from None
                raise NoughtsError(
                    "there was no time to draw the whole tree; draw fewer nodes", remedy={"most": 50}
                ) from None
            return draw(state)

        return drawn

    board = None if offers.board is None else limited(offers.board)
    return offers._replace(draw=limited(offers.draw), board=board)


def diagram(offers: Any, state: Any) -> str:
    """Return a state in one line: the rows of its board without gaps between columns, or else its drawing."""
    if offers.board is None:
        return one_line(offers.draw(state))
    return "/".join("".join(cell.mark or "." for cell in row if not cell.gap) for row in offers.board(state))
