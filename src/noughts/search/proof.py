"""Depth-first proof-number search: proves the value of a position, and searches first where least is left to prove.

Every position has two numbers: how many leaves below it must still be settled to prove a claim, and how many to
disprove it. The claim is always "MAX can reach at least this utility". Distances are not computed.
"""

from collections.abc import Callable, Hashable
from typing import Generic, NamedTuple

from noughts.capabilities import resolve
from noughts.game import MAX, Action, Game, State, legal_actions, to_move
from noughts.score import value_of, whole_utility
from noughts.search.answer import Answer, unknown
from noughts.search.limits import Budget, Limits, OutOfBudget
from noughts.search.recursion_limit import deep_recursion
from noughts.search.repetition import SearchPath
from noughts.search.table import size_of

__all__ = ["proof"]

NEVER = 1 << 60
"""Infinity for proof numbers: the claim has been settled the other way."""


class Numbers(NamedTuple):
    """The proof number and the disproof number of a position."""

    to_prove: int = 1
    to_disprove: int = 1


PROVEN, DISPROVEN = Numbers(0, NEVER), Numbers(NEVER, 0)


class Claim(Generic[State, Action]):
    """The claim that MAX reaches a utility of at least `least`, and the numbers of the positions searched to settle it.

    They take at most `table_mib` of memory. The oldest are dropped first, and computed again if they are needed.
    """

    def __init__(self, game: Game[State, Action], least: int, budget: Budget, table_mib: float) -> None:
        self._game = resolve(game)
        self._least = least
        self._budget = budget
        self._bytes = int(table_mib * 2**20)
        self._known: dict[Hashable, Numbers] = {}
        self._path = SearchPath(self._game)

    def holds(self, state: State) -> bool:
        """Return whether the claim is true of a state."""
        numbers = self._at_once(state)
        if numbers is None:
            numbers = self._look(state, NEVER, NEVER)
        return numbers.to_prove == 0

    def _at_once(self, state: State) -> Numbers | None:
        """Return the numbers of a state that is settled without a search, else None."""
        if self._game.terminal(state):
            reached = whole_utility(self._game.utility(state), self._game.utility_range) >= self._least
            return PROVEN if reached else DISPROVEN
        if self._game.utility_bounds is not None:
            low, high = self._game.utility_bounds(state)
            if low >= self._least or high < self._least:
                return PROVEN if low >= self._least else DISPROVEN
        return None

    def _look(self, state: State, prove_limit: int, disprove_limit: int) -> Numbers:
        """Search below an unfinished state until one of its numbers reaches its limit, and return both.

        For MAX it takes one proven child to prove the claim, and all children to disprove it; for MIN it is the other
        way round. One loop serves both: `own` is the index of the number for which one child suffices.
        """
        self._budget.visit()
        key = self._game.key(state)
        self._path.enter(key, state)
        own = 0 if to_move(self._game, state) == MAX else 1
        limits = (prove_limit, disprove_limit)
        children, numbers = [], []
        for action in legal_actions(self._game, state):
            self._budget.check()  # there may be thousands
            child = self._game.result(state, action)
            children.append(child)
            numbers.append(self._at_once(child) or self._known.get(self._game.key(child), Numbers()))
        while True:
            order = sorted(range(len(numbers)), key=lambda child: numbers[child][own])
            easiest = order[0]
            total = min(NEVER, sum(each[1 - own] for each in numbers))
            least = numbers[easiest][own]
            if least >= limits[own] or total >= limits[1 - own] or least == 0 or total == 0:
                break
            second = numbers[order[1]][own] if len(order) > 1 else NEVER
            child_limits = [0, 0]
            child_limits[own] = min(limits[own], second + 1)
            child_limits[1 - own] = min(NEVER, limits[1 - own] - total + numbers[easiest][1 - own])
            # Plain arguments: a call with * would use the C stack, which deep games exhaust.
            numbers[easiest] = self._look(children[easiest], child_limits[0], child_limits[1])
        found = Numbers(least, total) if own == 0 else Numbers(total, least)
        self._path.leave(key)
        self._keep(key, found)
        return found

    def _keep(self, key: Hashable, found: Numbers) -> None:
        self._known.pop(key, None)
        self._known[key] = found
        if len(self._known) * (200 + size_of(key)) > self._bytes:
            del self._known[next(iter(self._known))]


def proof(
    game: Game[State, Action],
    state: State | None = None,
    *,
    limits: Limits = Limits(),  # noqa: B008 - immutable
    table_mib: float = 64,
) -> Answer[Action]:
    """Prove the value of a state, the initial one by default, for the player to move.

    `best` is one action that keeps the value. Distances are not computed, so `distance` is None and a win need not be
    the fastest.

    >>> import noughts
    >>> answer = proof(noughts.load("mnk:4,3,3"))
    >>> answer.value, answer.proven, answer.distance
    ('win', True, None)
    """
    game = resolve(game)
    root = game.state(state)
    budget = Budget(limits)
    mover = to_move(game, root)

    def claim(least: int) -> Claim[State, Action]:
        return Claim(game, least, budget, table_mib)

    try:
        with deep_recursion():
            low, high = game.utility_range
            while low < high:
                middle = -(-(low + high) // 2)
                if claim(middle).holds(root):
                    low = middle
                else:
                    high = middle - 1
            best = () if game.terminal(root) else (_keeper(game, root, mover, low, claim),)
    except OutOfBudget as out:
        return unknown("proof", budget.nodes, budget.seconds, out.stopped, tuple(legal_actions(game, root)[:1]))
    margin = mover * low
    ended = 0 if margin and game.terminal(root) else None
    return unknown("proof", budget.nodes, budget.seconds, "done")._replace(
        best=best,
        line=best,
        value=value_of(margin),
        distance=ended,
        margin=margin,
        proven=True,
        line_complete=bool(game.terminal(game.result(root, best[0]) if best else root)),
    )


def _keeper(
    game: Game[State, Action], root: State, mover: int, utility: int, claim: Callable[[int], Claim[State, Action]]
) -> Action:
    """Return the first action that keeps the utility: at least this for MAX, at most this for MIN."""
    keeps = claim(utility) if mover == MAX else claim(utility + 1)
    return next(
        action for action in legal_actions(game, root) if keeps.holds(game.result(root, action)) == (mover == MAX)
    )
