"""Visiting a game's positions while checking, at each, what can be seen there alone.

Positions are told apart by all they contain and never by the game's own `key`, which is on trial too.
"""

from collections import deque
from collections.abc import Hashable, Iterator
from random import Random
from typing import Any

from noughts.capabilities import contents
from noughts.errors import NoughtsError
from noughts.game import MAX, MIN, Game
from noughts.testing.report import Problem

__all__ = ["Explorer", "Node", "Stop"]

FOR_EVER = 10_000
"""Plies after which a game that states no `longest` is taken to go on for ever."""


class Stop(Exception):
    """Raised when a mistake makes every further finding meaningless."""


class Node:
    """A position that was visited: its state, how play came to it, and what the game says of it."""

    def __init__(self, state: Any, parent: "Node | None", action: Any) -> None:
        self.state = state
        self.parent = parent
        self.action = action
        self.ply: int = 0 if parent is None else parent.ply + 1
        self.mover: int = MAX
        self.utility: int | None = None
        """MAX's utility if the game is over here, else None."""
        self.actions: list[Any] = []
        self.children: list[Node] = []

    @property
    def path(self) -> list["Node"]:
        """The positions from the start to this one."""
        path: list[Node] = []
        node: Node | None = self
        while node is not None:
            path.append(node)
            node = node.parent
        return path[::-1]

    @property
    def line(self) -> list[Any]:
        """The actions that lead here."""
        return [node.action for node in self.path[1:]]


class Explorer:
    """Visits up to `limit` positions, all of them if there are no more, and keeps the problems it meets."""

    def __init__(self, game: Game[Any, Any], offers: Any, limit: int, seed: int) -> None:
        self.game = game
        self.offers = offers
        self.limit = limit
        self.random = Random(seed)
        self.nodes: dict[Hashable, Node] = {}
        self.complete = False
        self.problems: dict[str, Problem] = {}

    def report(self, kind: str, node: Node, message: str, advice: str) -> None:
        """Keep the first problem of each kind, and count the others of that kind."""
        known = self.problems.get(kind)
        if known is not None:
            self.problems[kind] = known._replace(seen=known.seen + 1)
            return
        self.problems[kind] = Problem(kind, message, advice, self.names(node.line), self._drawing(node))

    def names(self, actions: list[Any]) -> str:
        """Name a line of play."""
        try:
            return " ".join(self.offers.name(action) for action in actions)
        except Exception:  # a broken action_name is reported where actions are checked
            return " ".join(map(str, actions))

    def run(self) -> None:
        """Visit positions, nearest first; in a game with more than `limit`, finish with games of chance."""
        start = self.call("initial")
        again = self.call("initial")
        root = Node(start, None, None)
        if contents(start) != contents(again):
            self.report(
                "unstable-start",
                root,
                "initial() returned two different states",
                "It must always be the same.",
            )
        waiting = deque([root])
        self._enter(root)
        while waiting and len(self.nodes) < self.limit:
            for child in self._expand(waiting.popleft()):
                waiting.append(child)
        self.complete = not waiting
        if waiting:
            self._games_of_chance(root)

    def _games_of_chance(self, root: Node) -> None:
        longest = min(self.offers.scale.longest, FOR_EVER)
        for _ in range(max(5, self.limit // 400)):
            node, seen = root, {contents(root.state): root}
            while node.utility is None and node.actions:
                action = self.random.choice(node.actions)
                child = Node(self._result(node, action), node, action)
                found = contents(child.state)
                if found in seen:
                    self.endless(seen[found], child)
                    break
                if child.ply > longest:
                    self._too_long(child)
                    return
                seen[found] = child
                if found not in self.nodes:
                    self._enter(child)
                    node.children.append(child)
                known = self.nodes[found]
                child.mover, child.utility, child.actions = known.mover, known.utility, known.actions
                node = child

    def endless(self, before: Node, after: Node) -> None:
        """Report that a position comes back."""
        self.report(
            "endless",
            after,
            f"the position after {self.names(before.line) or 'the start'} comes back, so play can go on for ever",
            "Every line of play must end: forbid repetition, or count it in the state and call it a draw.",
        )

    def _too_long(self, node: Node) -> None:
        self.report(
            "endless",
            node,
            f"play still goes on after {node.ply - 1:,} plies",
            "Every line of play must end; if it does later, state the longest game: longest = ...",
        )

    def _expand(self, node: Node) -> Iterator[Node]:
        """Visit the children of a position, and yield those that are new."""
        if node.utility is not None:
            return
        for action in node.actions:
            state = self._result(node, action)
            found = contents(state)
            child = self.nodes.get(found)
            if child is None:
                child = Node(state, node, action)
                if child.ply > self.offers.scale.longest:
                    self._too_long(child)
                    return
                self._enter(child)
                yield child
            node.children.append(child)

    def _enter(self, node: Node) -> None:
        """Take a new position in: ask the game about it, and check the answers."""
        self.nodes[contents(node.state)] = node
        node.mover = self.call("player", node)
        if node.mover not in (MAX, MIN) or isinstance(node.mover, bool):
            self.report(
                "player",
                node,
                f"player(state) returned {node.mover!r}",
                "It must be +1 for the player who wants a high utility, -1 for the other.",
            )
            raise Stop
        over = self.call("terminal", node)
        if over is None:
            self.report("terminal", node, "terminal(state) returned None", "It must return True or False.")
        if over:
            self._check_end(node)
        else:
            self._check_actions(node)

    def _check_end(self, node: Node) -> None:
        utility = self.call("utility", node)
        low, high = self.offers.utility_range
        if not hasattr(utility, "__index__") or isinstance(utility, bool):
            self.report("utility", node, f"utility(state) returned {utility!r}", "It must be a whole number.")
            raise Stop
        node.utility = int(utility)
        if not low <= node.utility <= high:
            self.report(
                "utility-range",
                node,
                f"utility(state) is {node.utility}, outside {low} to {high}",
                "Return 1, 0 or -1; if margins are meant, state them: utility_range = (lowest, highest).",
            )
        try:
            left = list(self.game.actions(node.state))
        except Exception:  # nobody asks for actions after the end
            left = []
        if left:
            self.report(
                "actions-after-end",
                node,
                f"the game is over, yet actions(state) offers {self.names(left)}",
                "Return no actions when terminal(state) is True.",
            )

    def _check_actions(self, node: Node) -> None:
        before = contents(node.state)
        offered = self.call("actions", node)
        actions = list(offered)
        again = list(self.call("actions", node))
        self._unchanged(node, before, "actions(state)")
        if not actions:
            self.report(
                "dead-end",
                node,
                "there is nothing to play, yet terminal(state) is False",
                "Return True from terminal(state), or offer an action such as a pass.",
            )
        elif actions != again:
            self.report(
                "unstable-actions",
                node,
                f"actions(state) returned {self.names(actions)} and then {self.names(again)}",
                "It must return the same actions in the same order every time.",
            )
        names = [self.offers.name(action) for action in actions]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            same = len({contents(action) for action in actions}) < len(actions)
            self.report(
                "duplicate-actions",
                node,
                f"actions(state) offers {twice} twice" if same else f"two different actions are both named {twice}",
                "Each action must be offered once." if same else "action_name must tell actions apart.",
            )
        node.actions = actions

    def _result(self, node: Node, action: Any) -> Any:
        before = contents(node.state)
        state = self.call("result", node, action)
        self._unchanged(node, before, f"result(state, {self.names([action])})")
        if state is None:
            self.report(
                "result",
                node,
                f"result(state, {self.names([action])}) returned None",
                "It must return the new state.",
            )
            raise Stop
        return state

    def _unchanged(self, node: Node, before: Hashable, what: str) -> None:
        if contents(node.state) != before:
            self.report(
                "changes-argument",
                node,
                f"{what} changed the state it was given (drawn below as it is now)",
                "Copy the state first and change the copy: every search needs the old state again.",
            )
            raise Stop

    def call(self, name: str, node: Node | None = None, *more: Any) -> Any:
        """Call one of the six functions; whatever it raises is a finding, and the end of the search for more."""
        given = () if node is None else (node.state, *more)
        try:
            answer = getattr(self.game, name)(*given)
            return list(answer) if name == "actions" else answer
        except NoughtsError as error:
            failure = str(error)
        except Exception as error:
            failure = f"{type(error).__name__}: {error}".strip().rstrip(":")
        shown = "" if node is None else f"state, {self.names(list(more))}" if more else "state"
        place = node or Node(None, None, None)
        self.report(
            "raises",
            place,
            f"{name}({shown}) raised {failure}",
            "It must answer in every state play can reach.",
        )
        raise Stop

    def _drawing(self, node: Node) -> str:
        if node.state is None:
            return ""
        try:
            drawn: str = self.offers.draw(node.state)
            return drawn
        except Exception:  # a broken draw must not hide the finding
            return repr(node.state)
