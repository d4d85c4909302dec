"""Visits a game's positions, and runs the checks that need only one position at a time.

Positions are compared by everything they contain, never by the game's `key`, since that is checked too.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Hashable, Iterator
from copy import deepcopy
from random import Random
from time import perf_counter
from typing import Any, NoReturn

from noughts.capabilities import ResolvedGame
from noughts.errors import NoughtsError, counted, one_line, shown
from noughts.game import MAX, MIN, Game
from noughts.gamefile import file_of, named_error, origin
from noughts.interrupts import was_pressed
from noughts.keys import contents, is_value
from noughts.score import Scale
from noughts.search.limits import Budget, Limits
from noughts.testing.report import Problem

__all__ = ["Explorer", "Late", "Node", "Stop", "brief", "same", "snapshot"]

ENDLESS = 100_000
"""Plies after which a game that states no `longest` counts as endless."""

LONG_WALK = 2.0
"""Seconds after which a line of more than `LONG` plies counts as endless."""

LONG = 1_000

EXPLORING = 0.6
"""The share of the time for visiting positions; the rest is for comparing them."""

THOROUGH = 2_000
"""In how many positions drawings are checked, and results computed twice."""


class Stop(Exception):
    """Raised when a mistake makes every further finding meaningless."""


class Late(Stop):
    """Raised when time is up."""


class Node:
    """A visited position: its state, the line of play that led to it, and what the game says about it."""

    def __init__(self, state: Any, parent: "Node | None", action: Any) -> None:
        self.state = state
        self.identity = contents(state)
        """The contents of the state when it was reached; positions are compared by it."""
        self.parent = parent
        self.action = action
        self.ply: int = 0 if parent is None else parent.ply + 1
        self.mover: int = MAX
        self.utility: int | None = None
        """MAX's utility if the game is over here, else None."""
        self.actions: list[Any] = []
        self.children: dict[int, Node] = {}
        """The positions that followed, by the index of the action in `actions`."""

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
    """Visits about `limit` positions, or all if there are fewer, and collects problems."""

    def __init__(
        self, game: Game[Any, Any], offers: ResolvedGame[Any, Any], limit: int, seed: int, seconds: float | None
    ) -> None:
        self.game = game
        self.offers = offers
        self.limit = limit
        self._budget = Budget(Limits(seconds=seconds))
        self._exploring = Budget(Limits(seconds=None if seconds is None else seconds * EXPLORING))
        self.random = Random(seed)
        self.nodes: dict[Hashable, Node] = {}
        self.complete = False
        self.problems: dict[str, Problem] = {}
        self.repetition: str = ""
        """A line of play that repeats a position, in words; empty if none was found."""

    def report(self, kind: str, node: Node, message: str, advice: str, fatal: bool = False) -> None:
        """Record a problem: the first of each kind is kept, the others are counted."""
        known = self.problems.get(kind)
        if known is not None:
            self.problems[kind] = known._replace(seen=known.seen + 1)
            return
        position = self.names(node.line)
        self.problems[kind] = Problem(kind, one_line(message), advice, position, self._drawing(node), fatal)

    def names(self, actions: list[Any]) -> str:
        """Return the names of actions, separated by spaces."""
        try:
            return " ".join(self.offers.action_name(action) for action in actions)
        except BaseException as error:  # a broken action_name is reported where actions are checked
            if was_pressed(error):
                raise
            return " ".join(map(str, actions))

    def run(self) -> None:
        """Visit positions, nearest first; if there are more than `limit`, then also play random games."""
        start, again = self.call("initial"), self.call("initial")
        root = Node(start, None, None)
        if contents(start) != contents(again):
            advice = "It must always be the same."
            self.report("unstable-start", root, "initial() returned two different states", advice, fatal=True)
        waiting = deque([root])
        self._enter(root)
        while waiting and self._may_go_on():
            waiting.extend(self._expand(waiting.popleft()))
        self.complete = not waiting and self._may_go_on()
        if not self.complete:
            self._random_games(root)

    def _may_go_on(self) -> bool:
        return len(self.nodes) <= self.limit and self._exploring.left.seconds != 0

    @property
    def limits(self) -> Limits:
        """The time that is left."""
        return self._budget.left

    @property
    def late(self) -> bool:
        """Whether time is up."""
        return self.limits.seconds == 0

    def check(self) -> None:
        """Raise Late if time is up."""
        if self.late:
            raise Late

    def visited(self) -> Iterator[Node]:
        """Yield the visited positions; raise Late when time is up."""
        for node in self.nodes.values():
            self.check()
            yield node

    def call(self, name: str, node: Node | None = None, *more: Any) -> Any:
        """Call one of the six functions. If it raises or changes its state, report that and raise Stop."""
        function = getattr(self.game, name)
        if node is None:
            return self.guarded(f"{name}()", Node(None, None, None), function)
        asked = f"{name}(state, {self.names(list(more))})" if more else f"{name}(state)"

        def answer(state: Any) -> Any:
            found = function(state, *more)
            return list(found) if name == "actions" else found

        return self.unchanged(asked, node, answer)

    def unchanged(self, asked: str, node: Node, function: Callable[[Any], Any]) -> Any:
        """Call a function of a state, as `guarded` does. If it changes the state, report that and raise Stop."""
        before = snapshot(node.state)
        found = self.guarded(asked, node, function, node.state)
        if before is not None and snapshot(node.state) != before:
            self.report(
                "changes-argument",
                node,
                f"{asked} changed the state it was given (drawn below as it is now)",
                "Copy the state first and change the copy: every search needs the old state again.",
                fatal=True,
            )
            raise Stop
        return found

    def guarded(self, asked: str, node: Node, function: Callable[..., Any], *given: Any) -> Any:
        """Call any function of the game. If it raises, report that and raise Stop."""
        if self.nodes:  # the start is always checked
            self.check()
        try:
            return function(*given)
        except Stop:
            raise
        except BaseException as error:
            if was_pressed(error):
                raise
            failure = str(error) if isinstance(error, NoughtsError) else named_error(error)
            found = origin(error, file_of(self.game))
            failure += "" if found is None else f" (line {found[0]})"
        advice = "It must answer in every state play can reach."
        self.report("raises", node, f"{asked} raised {failure}", advice, fatal=True)
        raise Stop

    def endless(self, before: Node, after: Node) -> None:
        """Note that a position repeats; report it if endless play, which counts 0, contradicts what the game states."""
        first = f"the position after {self.names(before.line) or 'the start'}"
        low, high = self.offers.utility_range
        if self.offers.scale != Scale():
            self.report(
                "endless",
                after,
                f"{first} is repeated, so play can take more than the {self.offers.longest:,} plies of longest",
                "Leave longest out: endless play is a draw; or forbid repetition.",
            )
        elif not low <= 0 <= high:
            self.report(
                "endless",
                after,
                f"{first} is repeated, and endless play counts 0, which is outside {low} to {high}",
                "State a utility_range that holds 0, or forbid repetition.",
            )
        else:
            again = self.names(after.line[len(before.line) :])
            self.repetition = self.repetition or f"{first} is repeated by {again}"

    def _too_long(self, node: Node) -> None:
        self.report(
            "endless",
            node,
            f"play still goes on after {counted(node.ply - 1, 'move')}",
            "Play must end or repeat a position; if it ends later, state the longest game: longest = ...",
        )

    def _random_games(self, root: Node) -> None:
        for _ in range(max(5, self.limit // 400)):
            node, seen = root, {root.identity: root}
            while node.utility is None and node.actions and node.ply < LONG:
                child = self._follow(node, self.random.randrange(len(node.actions)))
                if child.identity in seen:
                    self.endless(seen[child.identity], child)
                    break
                if child.ply > self.offers.scale.longest:
                    self._too_long(child)
                    return
                seen[child.identity] = node = child
            if node.ply >= LONG and not self._ends(node):
                return
            if self._exploring.left.seconds == 0:
                return

    def _ends(self, node: Node) -> bool:
        """Follow a long line of play to its end, without other checks; report it if it does not end."""
        longest = min(self.offers.scale.longest, ENDLESS)
        started = perf_counter()
        while not self.call("terminal", node):
            if node.ply > longest or perf_counter() - started > LONG_WALK:
                self._too_long(node)
                return False
            action = self.random.choice(self.guarded("actions(state)", node, self._actions, node.state))
            node = Node(self.guarded("result", node, self.game.result, node.state, action), node, action)
        return True

    def _actions(self, state: Any) -> list[Any]:
        return list(self.game.actions(state))

    def _follow(self, node: Node, index: int) -> Node:
        """Return the position after an action on this line of play, and record it if it is new."""
        child = Node(self._result(node, node.actions[index]), node, node.actions[index])
        known = self.nodes.get(child.identity)
        if known is None:
            self._enter(child)
            self.nodes[node.identity].children[index] = child
        else:
            child.mover, child.utility, child.actions = known.mover, known.utility, known.actions
        return child

    def _expand(self, node: Node) -> Iterator[Node]:
        """Visit the children of a position, and yield the new ones."""
        if node.utility is not None:
            return
        for index, action in enumerate(node.actions):
            new = Node(self._result(node, action), node, action)
            child = self.nodes.get(new.identity)
            if child is None:
                if not self._may_go_on():
                    return
                child = new
                if child.ply > self.offers.scale.longest:
                    self._too_long(child)
                    return
                self._enter(child)
                yield child
            node.children[index] = child

    def _enter(self, node: Node) -> None:
        """Record a new position: ask the game about it, and check the answers."""
        self.nodes[node.identity] = node
        over = self._ask_twice("terminal", node)
        if over is None:
            self.report("terminal", node, "terminal(state) returned None", "It must return True or False.")
        if len(self.nodes) <= THOROUGH:
            self.unchanged("draw(state)", node, self.offers.draw)
        self._check_player(node, bool(over))
        if over:
            self._check_end(node)
        else:
            self._check_actions(node)

    def _ask_twice(self, name: str, node: Node) -> Any:
        """Call a function of a state twice and return its answer. If the answers differ, report that and raise Stop."""
        first, second = self.call(name, node), self.call(name, node)
        if not same(first, second):
            self.unstable(name, node, f"{name}(state) is {brief(first)}, and asked again {brief(second)}")
        return first

    def unstable(self, name: str, node: Node, message: str) -> NoReturn:
        """Report that one of the six functions gives different answers about the same state, and raise Stop."""
        advice = "It must depend on nothing but the state: not on chance, the clock, or what was asked before."
        self.report(f"unstable-{name}", node, message, advice, fatal=True)
        raise Stop

    def sample(self, many: int) -> list[Node]:
        """Return about `many` positions, nearest first, with about the same number from each ply."""
        by_ply: dict[int, list[Node]] = defaultdict(list)
        for node in self.nodes.values():
            by_ply[node.ply].append(node)
        sample: list[Node] = []
        random = Random(0)
        for number, nodes in enumerate(sorted(by_ply.values(), key=len)):
            share = (many - len(sample)) // (len(by_ply) - number)
            sample += nodes if len(nodes) <= share else random.sample(nodes, share)
        return sorted(sample, key=lambda node: node.ply)

    def _check_player(self, node: Node, over: bool) -> None:
        node.mover = self._ask_twice("player", node)
        if node.mover in (MAX, MIN) and not isinstance(node.mover, bool):
            return
        said = f"player(state) returned {node.mover!r}"
        if over:
            node.mover = MAX
            advice = "In a finished game too it must be +1 or -1: whoever would move next."
            self.report("player-at-end", node, said, advice)
        else:
            advice = "It must be +1 for the player who wants a high utility, -1 for the other."
            self.report("player", node, said, advice, fatal=True)
            raise Stop

    def _check_end(self, node: Node) -> None:
        utility = self._ask_twice("utility", node)
        low, high = self.offers.utility_range
        if not hasattr(utility, "__index__") or isinstance(utility, bool):
            advice = "It must be a whole number."
            self.report("utility", node, f"utility(state) returned {utility!r}", advice, fatal=True)
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
        except BaseException as error:  # actions need not work after the end
            if was_pressed(error):
                raise
            left = []
        if left:
            self.report(
                "actions-after-end",
                node,
                f"the game is over, yet actions(state) offers {self.names(left)}",
                "Return no actions when terminal(state) is True.",
            )

    def _check_actions(self, node: Node) -> None:
        node.actions = self.call("actions", node)
        again = self.call("actions", node)
        if not node.actions:
            self.report(
                "dead-end",
                node,
                "there is nothing to play, yet terminal(state) is False",
                "Return True from terminal(state), or offer an action such as a pass.",
                fatal=True,
            )
        elif not same(node.actions, again):
            self.report(
                "unstable-actions",
                node,
                f"actions(state) returned {self.names(node.actions)} and then {self.names(again)}",
                "It must return the same actions in the same order every time.",
            )
        self._check_names(node)

    def _check_names(self, node: Node) -> None:
        names: list[str] = [
            self.guarded(f"the name of the action {action!r}", node, self.offers.action_name, action)
            for action in node.actions
        ]
        twice = next((name for name, times in Counter(names).items() if times > 1), None)
        if twice is not None:
            same = len({contents(action) for action in node.actions}) < len(node.actions)
            self.report(
                "duplicate-actions",
                node,
                f"actions(state) offers {twice} twice" if same else f"two different actions are both named {twice}",
                "Each action must be offered once." if same else "action_name must tell actions apart.",
            )
        unfit = next((name for name in names if name != "".join(name.replace(",", " ").split()) or not name), None)
        if unfit is not None:
            self.report(
                "action-name",
                node,
                f"an action is named {unfit!r}",
                "A name must not be empty, nor hold a space or a comma: they separate actions in a position.",
            )

    def _result(self, node: Node, action: Any) -> Any:
        state = self.call("result", node, action)
        if state is None:
            message = f"result(state, {self.names([action])}) returned None"
            self.report("result", node, message, "It must return the new state.", fatal=True)
            raise Stop
        if len(self.nodes) <= THOROUGH:
            again = self.call("result", node, action)
            if contents(again) != contents(state):
                self.unstable_result(node, action, state, again)
        return state

    def unstable_result(self, node: Node, action: Any, state: Any, again: Any) -> NoReturn:
        """Report that an action led to two different states."""
        which = f"result(state, {self.names([action])}) returned two different states"
        self.unstable("result", node, f"{which}: {brief(state)} and {brief(again)}")

    def _drawing(self, node: Node) -> str:
        if node.state is None:
            return ""
        try:
            return self.offers.draw(node.state)
        except BaseException as error:  # a broken draw must not hide the problem
            if was_pressed(error):
                raise
            return repr(node.state)


def same(one: Any, other: Any) -> bool:
    """Say whether two answers are equal, by `==` or by their contents."""
    try:
        return bool(one == other) or contents(one) == contents(other) or bool(one != one and other != other)  # nan
    except Exception:  # arrays, whose == does not return True or False
        return contents(one) == contents(other)


def brief(found: Any) -> str:
    """Return the repr of something, cut short, on one line.

    >>> brief([1] * 100)
    '[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, ...'
    """
    return shown(repr(found), 60)[1:-1]


def snapshot(state: Any) -> Any:
    """Return a value that shows later whether a state was changed; None if a state of this type cannot change.

    If a class defines `__eq__`, that decides: other attributes, such as a cached list of legal actions, may change.
    """
    if is_value(state):
        return None
    says_what_is_equal = "__eq__" in vars(type(state)) and type(state).__module__ != "builtins"
    return deepcopy(state) if says_what_is_equal else contents(state)
