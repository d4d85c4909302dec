"""The positions of a game that searches to its end have met, and what is proven about each."""

from collections.abc import Callable, Hashable
from random import Random
from typing import Any, Generic

from noughts.capabilities import ResolvedGame
from noughts.game import MAX, MIN, Action, State, to_move
from noughts.score import whole_utility
from noughts.search.limits import Budget, OutOfBudget
from noughts.search.ordering import Worth
from noughts.search.table import size_of
from noughts.symmetry import do_nothing

__all__ = ["UNFINISHED", "Graph", "Position"]

POSITION_BYTES = 220
"""The memory of a position without its key and its actions: the object, its lists, its place in the dictionary."""

ACTION_BYTES = 20
"""The memory of each of its actions."""

SAMPLED = 4
"""How many games are played at random to see whether all have the same length."""

LONG = 200
"""Games longer than this are not played to their end for that."""


class Position:
    """A position: the proven bounds of its score for `mover`, the player to move, and where its actions lead.

    A finished game has no state. Bounds only become tighter, and lists are replaced, not reordered: threads share it.
    """

    __slots__ = ("high", "low", "mover", "moves", "state")

    def __init__(self, state: Any, mover: int, low: int, high: int) -> None:
        self.state, self.mover, self.low, self.high = state, mover, low, high
        self.moves: tuple[list[Any], list[Position | None]] | None = None
        """The actions, the best first as far as is known, and the positions after them; None where not known."""


UNFINISHED = Position(None, 0, -1, 1)
"""Stands for a position of which no more is known than that it is not finished."""


class Graph(Generic[State, Action]):
    """The positions of a game that are known, each once however many lines lead to it.

    `symmetry` is the number of plies below a root in which symmetric positions are one; all, if the game has a cheap
    `canonical` key.
    """

    def __init__(self, game: ResolvedGame[State, Action], table_mib: float, symmetry: int = 4) -> None:
        self.game = game
        self.by_state: dict[Any, Position] = {}
        """The positions whose states are their own keys, and so can be looked up without making one."""
        self._by_key: dict[Hashable, Position] = {}
        """The others."""
        self._by_symmetry: dict[Hashable, Position] = {}
        """Positions by a key that all symmetric ones share."""
        self._ends: dict[int, Position] = {}
        self._symmetry = symmetry if game.has_symmetry else 0
        self._bytes, self._entry_bytes = table_mib * 2**20, 0
        self._room = 0
        """How many positions fit, once the size of the first is known."""
        self._key = game.key
        low, high = game.utility_range
        self.bounds = {mover: self._bounds_of(low, high, mover) for mover in (MAX, MIN)}
        """The lowest and the highest score of an unfinished position, for each player."""
        self.worth = {mover: Worth(game.preferred) for mover in (MAX, MIN)}
        """Which actions of each player to try first: those that were good enough elsewhere."""
        self._same_length: bool | None = None

    @property
    def bytes(self) -> int:
        """About how much memory the positions take."""
        return (len(self.by_state) + len(self._by_key)) * self._entry_bytes

    @property
    def is_full(self) -> bool:
        """Whether there is no memory for more positions."""
        return max(len(self.by_state), len(self._by_key)) >= self._room > 0

    def has_same_length(self, state: State, budget: Budget) -> bool:
        """Return whether all games seem to take the same number of plies; some are played at random from a state.

        In such a game, actions usually lead to the same position in whatever order they are taken. Then a search should
        try them in the same order everywhere, so that it meets positions that it knows.
        """
        if self._same_length is None:
            random = Random(0)
            first = self._length(state, random, budget)
            others = (self._length(state, random, budget) for _ in range(1, SAMPLED))
            self._same_length = first < LONG and all(each == first for each in others)
        return self._same_length

    def _length(self, state: State, random: Random, budget: Budget) -> int:
        """Return how many plies a random game takes from a state."""
        game, plies = self.game, 0
        while plies < LONG and not game.terminal(state):
            budget.visit()
            state = game.result(state, random.choice(game.legal_actions(state)))
            plies += 1
        return plies

    def root(self, state: State) -> Position:
        """Return the position of an unfinished state that is asked about, with this state and no symmetric one."""
        found = self.at(state, 0)
        if found.state is not state and self.game.key(found.state) != self.game.key(state):
            return Position(state, found.mover, found.low, found.high)
        return found

    def at(self, state: State, ply: int, check: Callable[[], None] = do_nothing) -> Position:
        """Return the position of an unfinished state, and add it if it is new. Raises OutOfBudget if none fits."""
        key = self._key(state)
        positions = self.by_state if key is state else self._by_key
        found = positions.get(key)
        if found is None:
            if len(positions) >= self._room:
                self._make_room(state, key)
            if self._symmetry:
                shared = self._shared_key(state, key, ply, check)
                found = self._by_symmetry.get(shared)
                if found is None:
                    found = self._by_symmetry.setdefault(shared, self._new(state))
            else:
                found = self._new(state)
            found = positions.setdefault(key, found)
        return found

    def end(self, utility: Any) -> Position:
        """Return the position of a finished game with this utility."""
        found = self._ends.get(utility) if type(utility) is int else None
        if found is None:
            whole = whole_utility(utility, self.game.utility_range)
            score = self.game.scale.score(whole)
            found = self._ends.setdefault(whole, Position(None, MAX, score, score))
        return found

    def _new(self, state: State) -> Position:
        game = self.game
        mover = game.player(state)
        if mover is not MAX and mover is not MIN:
            mover = to_move(game, state)
        low, high = self.bounds[mover]
        if game.utility_bounds is not None:
            low, high = self._bounds_of(*game.bounds_of(state), mover)
        return Position(state, mover, low, high)

    def _make_room(self, state: State, key: Hashable) -> None:
        """Find out how many positions fit, from the first one; afterwards raise OutOfBudget, since no more fit."""
        if self._room:
            raise OutOfBudget("node limit")
        # Threads, and a question after one that was interrupted here, may all do this; they find about the same.
        self._entry_bytes = _memory(key) + POSITION_BYTES + ACTION_BYTES * len(self.game.legal_actions(state))
        self._room = max(1, int(self._bytes // self._entry_bytes))

    def _bounds_of(self, low: int, high: int, mover: int) -> tuple[int, int]:
        """Return the bounds of an unfinished position's score that follow from those of its utility, as MAX sees it."""
        if mover < 0:
            low, high = -high, -low
        return self._lowest(low), -self._lowest(-high)

    def _lowest(self, utility: int) -> int:
        """Return the lowest score for a utility of at least this: the loss at the next move, or the slowest win."""
        scale = self.game.scale
        return scale.score(utility, 1 if utility <= 0 else scale.longest)

    def _shared_key(self, state: State, key: Hashable, ply: int, check: Callable[[], None]) -> Hashable:
        """Return a key that all symmetric images of a state share; its own key where that costs too much."""
        game = self.game
        if game.canonical is not None:
            return game.canonical(state)
        if ply >= self._symmetry or game.symmetries is None:
            return None, key
        keys: list[Any] = []
        for image in game.symmetries(state):
            check()  # a torus has thousands of images
            keys.append(game.key(image))
        least: Hashable = min(keys)
        return least


def _memory(key: Hashable) -> int:
    """Return about how much memory a key takes; small numbers take none, since Python has each of them once."""
    if isinstance(key, tuple):
        return size_of(()) + sum(8 + _memory(item) for item in key)
    return 0 if isinstance(key, int) and abs(key) < 256 else size_of(key)
