"""Deriving what a table says of a position again from the game's rules, and from what it says of the children.

This knows the rules and the reader of the files, and nothing of how a table is made. It is enough to look one ply ahead
everywhere: an end is worth its utility; a win in n plies needs a child lost in n - 1, and none lost sooner; a loss in n
needs every child won, the last of them in n - 1; a draw needs a drawn child, and no lost one. By induction over the
distance every win and every loss is then right, and so is what is neither, also where play can go on for ever.
"""

from random import Random
from typing import Any, NamedTuple

from noughts.capabilities import ResolvedGame
from noughts.errors import one_line, shown
from noughts.score import value_of
from noughts.tables.table import Found, Table

__all__ = ["Derivation", "Problem", "Walk", "starting_points"]

MOST_MISSING = 10_000
"""How many positions that are missing are followed to what is below them."""
MOST_PROBLEMS = 1_000
"""How many problems are told before a walk gives up."""
LATEST = 100_000
"""Of how many states it is remembered what the table says."""
GROUP = 256
"""How many positions are checked between two reports."""


class Problem(NamedTuple):
    """What is wrong with one position."""

    code: int
    """Under which the table should have it."""
    position: str
    """Its drawing, in one line; any of those that are symmetric."""
    wrong: str

    def __str__(self) -> str:
        return f"the position {self.position} (code {self.code:x}) {self.wrong}"


Child = tuple[Any, Found | None]
"""A state, and what the table says of it."""


class Derivation:
    """Compares single positions with their children."""

    def __init__(self, table: Table[Any, Any]) -> None:
        self._table = table
        self._game: ResolvedGame[Any, Any] = table.game
        self._latest: dict[Any, Found | None] = {}

    def find(self, state: Any) -> Found | None:
        """Return what the table says of a state: the same states are met again soon, on other ways to them."""
        key, latest = self._game.key(state), self._latest
        if key not in latest:
            if len(latest) >= LATEST:
                latest.clear()
            latest[key] = self._table.find(state)
        return latest[key]

    def check(self, state: Any, found: Found | None) -> tuple[list[Problem], list[Child]]:
        """Return what is wrong with a position as it was found, and its children as they were found."""
        game = self._game
        if game.terminal(state):
            if found is None:
                return [self._problem(state, "is missing")], []
            utility = game.to_move(state) * game.utility(state)
            return self._compared(state, found, utility, 0), []
        find = self.find
        results = (game.result(state, action) for action in game.legal_actions(state))
        children = [(child, find(child)) for child in results]
        if found is None:
            return [self._problem(state, "is missing")], children
        return self._derived(state, found, children), children

    def _derived(self, state: Any, found: Found, children: list[Child]) -> list[Problem]:
        """Return what is wrong with a position, as compared with its children; nothing if one of them is missing."""
        mover, rows = self._game.to_move(state), []
        for child, reply in children:
            if reply is None:
                return [self._problem(child, "is missing")]
            rows.append((mover * self._game.to_move(child) * reply.utility, reply.distance))
            if not self._table.has_distances and self._table.tier_of(reply.rank) <= self._table.tier_of(found.rank):
                return [self._problem(state, "has a child whose tier is not higher: values alone prove nothing")]
        utility = max(row[0] for row in rows)
        distances = [distance for margin, distance in rows if margin == utility and distance is not None]
        if not distances:
            distance = None
        elif utility == 0:
            distance = 0
        else:
            distance = 1 + (min(distances) if utility > 0 else max(distances))
        return self._compared(state, found, utility, distance)

    def _compared(self, state: Any, found: Found, utility: int, distance: int | None) -> list[Problem]:
        if found.distance is None:
            distance = None
        if (found.utility, found.distance) == (utility, distance):
            return []
        stored, right = _told(found.utility, found.distance), _told(utility, distance)
        return [self._problem(state, f"is stored as {stored}, and should be {right}")]

    def _problem(self, state: Any, wrong: str) -> Problem:
        return Problem(self._table.code(state), shown(one_line(self._game.draw(state)), 60), wrong)


def _told(utility: int, distance: int | None) -> str:
    far = "" if distance is None or utility == 0 else f" in {distance}"
    margin = f" by {abs(utility)}" if abs(utility) > 1 else ""
    return f"a {value_of(utility)}{margin}{far}"


class Walk:
    """Checks every position that play can reach and that nobody has marked yet, depth first."""

    def __init__(self, table: Table[Any, Any], marks: Any, random: Random) -> None:
        self._table, self._marks, self._random = table, marks, random
        self._derivation = Derivation(table)
        self._missing: set[int] = set()
        self._stack: list[tuple[Any, Found | None]] = []
        self.problems: list[Problem] = []
        """What the latest step has found wrong."""
        self._told = 0

    def start(self, state: Any) -> None:
        """Go on from a state, unless it is marked."""
        self._go_on(state, self._table.find(state))

    def _go_on(self, state: Any, found: Found | None) -> None:
        if found is None:
            code = self._table.code(state)
            if code in self._missing or len(self._missing) >= MOST_MISSING:
                return
            self._missing.add(code)
        elif self._marks[found.rank]:
            return
        else:
            self._marks[found.rank] = 1
        self._stack.append((state, found))

    def step(self) -> int:
        """Check some positions; return how many, 0 if there are no more."""
        done, self.problems = 0, []
        while self._stack and done < GROUP and self._told < MOST_PROBLEMS:
            state, found = self._stack.pop()
            problems, children = self._derivation.check(state, found)
            self.problems += problems
            self._told += len(problems)
            self._random.shuffle(children)  # so that two processes on the same game do not follow each other
            for child, reply in children:
                self._go_on(child, reply)
            done += 1
        return done


def starting_points(game: ResolvedGame[Any, Any], most: int) -> list[Any]:
    """Return about as many states as wanted, nearest to the initial one first; fewer only if there are no more."""
    states = [game.initial()]
    met = {game.key(states[0])}
    for state in states:
        if len(states) >= most:
            break
        if not game.terminal(state):
            for action in game.legal_actions(state):
                child = game.result(state, action)
                if game.key(child) not in met:
                    met.add(game.key(child))
                    states.append(child)
    return states
