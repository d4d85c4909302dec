"""Compares a game with a reference that is known to be right: both are played side by side, and differences reported.

Actions are matched by name. Where names differ (0-8 and 1-9, pairs of row and column, letters), the check looks for a
correspondence: by the order in which both games list their actions, by the symmetries of a board, and by which actions
decide games together. It takes the one under which the games agree for longest.
"""

import re
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

from noughts.capabilities import ResolvedGame, resolve
from noughts.errors import NoughtsError, counted
from noughts.game import MAX, MIN, Game
from noughts.gamefile import file_of
from noughts.testing.explore import Explorer, Node

__all__ = ["check_like"]

TRIALS = 60
"""How many random games are played to judge a correspondence."""

STATISTICS = 400
"""How many random games are played of each game to find which actions decide games together."""

RESTARTS = 20
"""How often the search for a correspondence by structure restarts."""

MOST_MATCHED = 40
"""With more actions than this at the start, no correspondence by structure is tried."""

POOR = 0.5
"""If the games agree in no more than this share of the positions, the correspondence is called poor."""

LONGEST_GAME = 500
"""Plies after which a random game is abandoned."""

Correspondence = dict[str, str]
"""Maps the name of an action in the checked game to its name in the reference."""


class _Side(NamedTuple):
    """One of the two games."""

    game: Game[Any, Any]
    offers: ResolvedGame[Any, Any]

    def actions(self, state: Any) -> dict[str, Any]:
        """Return the actions of a state by name, in the game's order."""
        return {self.offers.action_name(action): action for action in self.game.actions(state)}


class _Pair(NamedTuple):
    """A position of the checked game, and the one of the reference that should equal it."""

    node: Node
    state: Any
    """The state of the reference."""


def check_like(explorer: Explorer, reference: Game[Any, Any], called: str) -> str:
    """Play a game and a reference side by side, and report the first difference of each kind.

    Returns a description of how they were compared. `called` is the name of the reference in it.
    """
    check = _Comparison(explorer, reference, called)
    return explorer.guarded("the comparison", next(iter(explorer.nodes.values())), check.run)  # type: ignore[no-any-return]


class _Comparison:
    """The two games, how their actions and players correspond, and what was compared."""

    def __init__(self, explorer: Explorer, reference: Game[Any, Any], called: str) -> None:
        self._explorer = explorer
        self._ours = _Side(explorer.game, explorer.offers)
        self._right = _Side(reference, resolve(reference))
        self._called = called
        self._here = "the game" if file_of(explorer.game) is None else "the file"
        self._sign = 1
        """-1 if MAX in one game is MIN in the other."""

    def run(self) -> str:
        """Find how actions correspond, compare the games, and return a description of how that was done."""
        root = Node(self._ours.game.initial(), None, None)
        right = self._right.game.initial()
        pair = _Pair(root, right)
        if not (self._ours.game.terminal(root.state) or self._right.game.terminal(right)):
            self._sign = self._ours.game.player(root.state) * self._right.game.player(right)
            ours, theirs = list(self._ours.actions(root.state)), list(self._right.actions(right))
            if len(ours) != len(theirs) and not set(ours) & set(theirs):
                self._report(
                    "like-actions",
                    root,
                    f"{self._here} has {counted(len(ours), 'action')} ({_few(ours)}), {self._called} has {len(theirs)}"
                    f" ({_few(theirs)}): no correspondence was found",
                    "Compare it with a game on the same board.",
                )
                return f"not compared with {self._called}: no correspondence of actions was found"
            how, self._matched = self._correspondence(pair, ours, theirs)
        else:
            how, self._matched = "by name", {}
        compared, complete = self._walk(pair)
        swapped = "; its MAX is MIN there" if self._sign < 0 else ""
        many = f"{'all ' * (complete and compared > 1)}{counted(compared, 'position')}"
        return f"compared with {self._called} in {many}, actions matched {how}{swapped}"

    # How actions correspond

    def _correspondence(self, pair: _Pair, ours: list[str], theirs: list[str]) -> tuple[str, Correspondence]:
        """Return the name of the correspondence under which the games agree best, and the correspondence."""
        if set(ours) == set(theirs) or len(ours) != len(theirs):
            return "by name", {name: name for name in ours}
        candidates = list(self._candidates(ours, theirs))
        scored = [(self._agreement(pair, matched), how, matched) for how, matched in candidates]
        best = max(score for score, _, _ in scored)
        if best < 1 and len(ours) <= MOST_MATCHED:
            how, matched = "by structure", self._by_structure(ours, theirs)
            scored.append((self._agreement(pair, matched), how, matched))
            best = max(best, scored[-1][0])
        _, how, matched = next(each for each in scored if each[0] == best)
        if best <= POOR:
            how += ", for want of a better correspondence"
        listed = " ".join(f"{name}={other}" for name, other in matched.items() if name != other)
        return f"{how} ({listed})" if listed else how, matched

    def _candidates(self, ours: list[str], theirs: list[str]) -> Iterator[tuple[str, Correspondence]]:
        """Yield likely correspondences with their names: in order, sorted, or with the board turned."""
        yield "by order", dict(zip(ours, theirs, strict=True))
        yield "by sorted order", dict(zip(sorted(ours, key=_natural), theirs, strict=True))
        places = _grid(ours)
        if places is None:
            return
        rows, columns = (1 + max(place[axis] for place in places.values()) for axis in (0, 1))
        for transposed in (False, True):
            for down in (1, -1):
                for right in (1, -1):

                    def turned(name: str) -> tuple[int, int]:
                        row, column = places[name]
                        row = row if down > 0 else rows - 1 - row  # noqa: B023
                        column = column if right > 0 else columns - 1 - column  # noqa: B023
                        return (column, row) if transposed else (row, column)  # noqa: B023

                    yield "by rows and columns", dict(zip(sorted(ours, key=turned), theirs, strict=True))

    def _by_structure(self, ours: list[str], theirs: list[str]) -> Correspondence:
        """Match actions so that those which decide games together in the one game do so in the other."""
        here, there = self._together(self._ours, ours), self._together(self._right, theirs)
        many = len(ours)

        def cost(order: list[int]) -> float:
            return sum(
                abs(here[one][other] - there[order[one]][order[other]]) for one in range(many) for other in range(many)
            )

        def change(order: list[int], one: int, other: int) -> float:
            """Return by how much the cost falls if two actions are swapped."""
            swapped = list(order)
            swapped[one], swapped[other] = order[other], order[one]
            return sum(
                2 * abs(here[place][each] - there[order[place]][order[each]])
                - 2 * abs(here[place][each] - there[swapped[place]][swapped[each]])
                for place in (one, other)
                for each in range(many)
            )

        random = Random(0)
        best, best_cost = list(range(many)), cost(list(range(many)))
        for _ in range(RESTARTS):
            order = random.sample(range(many), many)
            improved = True
            while improved and not self._explorer.late:
                gain, one, other = max((change(order, *pair), *pair) for pair in combinations(range(many), 2))
                improved = gain > 1e-9
                if improved:
                    order[one], order[other] = order[other], order[one]
            if cost(order) < best_cost:
                best, best_cost = order, cost(order)
        return {ours[place]: theirs[to] for place, to in enumerate(best)}

    def _together(self, side: _Side, names: list[str]) -> list[list[float]]:
        """Return how often each pair of actions is played by the player who decides a random game.

        Short games weigh most, since nearly every action of the winner is needed there.
        """
        place = {name: number for number, name in enumerate(names)}
        found = [[0.0] * len(names) for _ in names]
        random = Random(0)
        total = 0.0
        for _ in range(STATISTICS):
            state, played = side.game.initial(), list[tuple[int, str]]()
            while not side.game.terminal(state) and len(played) < LONGEST_GAME:
                actions = side.actions(state)
                name = random.choice(list(actions))
                played.append((side.game.player(state), name))
                state = side.game.result(state, actions[name])
            if not side.game.terminal(state) or not side.game.utility(state):
                continue
            mover = played[-1][0]
            own = [place[name] for player, name in played if player == mover and name in place]
            weight = 1 / len(played) ** 4
            total += weight
            for one in own:
                for other in own:
                    found[one][other] += weight
        return [[each / total if total else 0.0 for each in row] for row in found]

    def _agreement(self, pair: _Pair, matched: Correspondence) -> float:
        """Return the share of positions of random games in which both games agree."""
        self._matched = dict(matched)
        random = Random(0)
        agreed = total = 0
        for _ in range(TRIALS):
            at = pair
            for _ in range(LONGEST_GAME):
                total += 1
                if self._difference(at) is not None:
                    break
                agreed += 1
                children = list(self._children(at))
                if not children:
                    break
                at = random.choice(children)()
        return agreed / total

    # What is compared

    def _walk(self, root: _Pair) -> tuple[int, bool]:
        """Compare positions, nearest first, then in random games; return how many, and whether these were all."""
        explorer = self._explorer
        seen: set[Hashable] = set()
        waiting = deque([root])

        def look(pair: _Pair) -> bool:
            """Compare a pair that was not seen before, and say whether it agrees."""
            key = pair.node.identity, self._right.offers.key(pair.state)
            if key in seen:
                return False
            seen.add(key)
            difference = self._difference(pair)
            if difference is not None:
                self._report(*difference)
            return difference is None

        while waiting and len(seen) <= explorer.limit and not explorer.late:
            pair = waiting.popleft()
            if look(pair):
                waiting.extend(child() for child in self._children(pair))
        complete = not waiting and not explorer.late
        left = 0 if complete else explorer.limit
        while left > 0 and not explorer.late:
            pair = root
            while not explorer.late:
                left -= 1
                children = list(self._children(pair))
                if not children or pair.node.ply > LONGEST_GAME:
                    break
                pair = explorer.random.choice(children)()
                difference = self._difference(pair)
                seen.add((pair.node.identity, self._right.offers.key(pair.state)))
                if difference is not None:
                    self._report(*difference)
                    break
        return len(seen), complete

    def _children(self, pair: _Pair) -> Iterator[Callable[[], _Pair]]:
        """Yield a function that builds each following pair, for the actions that both games have."""
        node, right = pair
        if self._ours.game.terminal(node.state) or self._right.game.terminal(right):
            return
        theirs = self._right.actions(right)
        for name, action in self._ours.actions(node.state).items():
            if self._matched.get(name) in theirs:
                yield lambda action=action, other=theirs[self._matched[name]]: _Pair(  # type: ignore[misc]
                    Node(self._ours.game.result(node.state, action), node, action),
                    self._right.game.result(right, other),
                )

    def _difference(self, pair: _Pair) -> tuple[str, Node, str, str] | None:
        """Return a difference as its kind, node, message and advice; None if the pair agrees."""
        node, right = pair
        over, right_over = bool(self._ours.game.terminal(node.state)), bool(self._right.game.terminal(right))
        if over != right_over:
            says = self._outcome(node.state) if over else "it is not over"
            right_says = self._right_outcome(right) if right_over else "it is not over"
            return (
                "like-terminal",
                node,
                f"{self._here} says {says}, {self._called} says {right_says}",
                "Look at how terminal(state) tells that the game is over, line by line.",
            )
        if over:
            utility, right_utility = self._ours.game.utility(node.state), self._sign * self._right.game.utility(right)
            if utility != right_utility:
                return (
                    "like-utility",
                    node,
                    f"{self._here} says {self._outcome(node.state)}, {self._called} says {self._right_outcome(right)}",
                    f"utility(state) must be {right_utility} here.",
                )
            return None
        mover, right_mover = self._ours.game.player(node.state), self._sign * self._right.game.player(right)
        if mover != right_mover:
            names = {player: self._player(player) for player in (MAX, MIN)}
            return (
                "like-player",
                node,
                f"{self._here} says {names[mover]} is to move, {self._called} says {names[right_mover]} is",
                f"player(state) must be {right_mover:+} here.",
            )
        return self._different_actions(node, right)

    def _different_actions(self, node: Node, right: Any) -> tuple[str, Node, str, str] | None:
        ours, theirs = list(self._ours.actions(node.state)), list(self._right.actions(right))
        known = set(self._matched.values())
        new = [name for name in ours if name not in self._matched]
        new_there = [name for name in theirs if name not in known]
        if len(new) == len(new_there):  # actions that there were none of at the start
            same = set(new) == set(new_there)
            self._matched |= zip(new, new if same else new_there, strict=True)
        more = [name for name in ours if self._matched.get(name) not in theirs]
        expected = {other: name for name, other in self._matched.items()}
        less = [expected.get(name, name) for name in theirs if expected.get(name) not in ours]
        if not more and not less:
            return None
        said = [f"offers {_few(more)}, which is not legal there"] * bool(more)
        said += [f"does not offer {_few(less)}, which is legal there"] * bool(less)
        message = f"compared with {self._called}, {self._here} {' and '.join(said)}"
        return "like-actions", node, message, "Look at actions(state), and at where result(state, action) led before."

    def _report(self, kind: str, node: Node, message: str, advice: str) -> None:
        self._explorer.report(kind, node, message, advice)

    # Words

    def _player(self, player: int) -> str:
        """Return the name of a player in the reference."""
        return self._right.offers.player_names[0 if player * self._sign == MAX else 1]

    def _outcome(self, state: Any) -> str:
        """Say how the checked game ended, by its own utility."""
        return self._ended(self._ours.game.utility(state))

    def _ended(self, utility: Any) -> str:
        if not isinstance(utility, int) or abs(utility) > 1:
            return f"utility is {utility!r}"
        return f"{self._player(utility)} has won" if utility else "it is a draw"

    def _right_outcome(self, right: Any) -> str:
        utility = self._right.game.utility(right)
        said = self._ended(self._sign * utility)
        line = self._winning_line(right) if utility else None
        return f"{said} ({line})" if line else said

    def _winning_line(self, right: Any) -> str | None:
        """Return the cells of a completed line, as the checked game names them; None if no line is completed."""
        lineup = self._right.offers.lineup
        if lineup is None:
            return None
        try:
            found, start = lineup(right), lineup(self._right.game.initial())
        except NoughtsError:
            return None
        ours = {other: name for name, other in self._matched.items()}
        named = {cell: ours.get(self._right.offers.action_name(action)) for action, cell in start.cells.items()}
        for line in found.lines:
            names = [named.get(cell) for cell in line]
            if any(set(line) <= set(held) for held in found.held.values()) and None not in names:
                return (" " if any("-" in str(name) for name in names) else "-").join(map(str, names))
        return None


def _few(names: list[str]) -> str:
    return " ".join(names[:12]) + (" ..." if len(names) > 12 else "")


def _natural(name: str) -> list[tuple[int, int, str]]:
    """Return a sort key that orders numbers inside names by size."""
    parts = re.findall(r"\d+|\D+", name)
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts]


def _grid(names: list[str]) -> dict[str, tuple[int, int]] | None:
    """Return the row and column in each name, counted from 0; None if they do not fill a board.

    >>> _grid(["0-0", "0-1", "1-0", "1-1"]) == _grid(["a1", "a2", "b1", "b2"])  # type: ignore[comparison-overlap]
    False
    >>> _grid(["0-0", "0-1", "1-0", "1-1"])
    {'0-0': (0, 0), '0-1': (0, 1), '1-0': (1, 0), '1-1': (1, 1)}
    >>> _grid(["pass"])
    """
    parts = {name: re.findall(r"\d+|[a-zA-Z]", name) for name in names}
    if any(len(found) != 2 for found in parts.values()):
        return None
    axes = [sorted({found[axis] for found in parts.values()}, key=_natural) for axis in (0, 1)]
    if len(axes[0]) * len(axes[1]) != len(names):
        return None
    return {name: (axes[0].index(found[0]), axes[1].index(found[1])) for name, found in parts.items()}
