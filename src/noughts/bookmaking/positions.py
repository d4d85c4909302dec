"""The positions of a book: those in which a search is needed, and those whose score follows from their children."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from noughts.book.file import Row
from noughts.capabilities import ResolvedGame
from noughts.errors import EndlessGame
from noughts.score import whole_utility
from noughts.serial import serial_key

__all__ = ["Leaf", "Positions", "row_of"]


class Leaf(NamedTuple):
    """A position at the last ply of a book, with one sequence of actions that leads to it."""

    key: int
    state: Any
    actions: tuple[Any, ...]


class _Child(NamedTuple):
    """A child of a position: the key of an unfinished one, or the score of a finished one, for the parent's mover."""

    key: int | None
    sign: int
    """-1 if the other player is to move in the child, 1 if the same."""
    score: int = 0


class Positions:
    """Every unfinished position that takes at most `plies` plies to reach, up to symmetry.

    `check` is called for each position and may raise an exception to stop. `progress` is called once for each ply,
    with the ply and how many positions it has.
    """

    def __init__(
        self,
        game: ResolvedGame[Any, Any],
        plies: int,
        check: Callable[[], None],
        progress: Callable[[int, int], None],
    ) -> None:
        self.plies = plies
        self._game = game
        self._scale = game.scale
        self.key = serial_key(game)
        self._children: dict[int, list[_Child]] = {}
        """The children of every position above the last ply, by its key."""
        self.leaves: dict[int, Leaf] = {}
        """The positions at the last ply."""
        start = game.initial()
        level = {} if game.terminal(start) else {self.key(start): Leaf(self.key(start), start, ())}
        for ply in range(plies):
            progress(ply, len(level))
            level = self._expand(level, check)
        progress(plies, len(level))
        self.leaves = level

    def __len__(self) -> int:
        return len(self._children) + len(self.leaves)

    def keys(self) -> set[int]:
        """Return the keys of all positions."""
        return {*self._children, *self.leaves}

    def _expand(self, level: dict[int, Leaf], check: Callable[[], None]) -> dict[int, Leaf]:
        """Store the children of one ply's positions; return those that no earlier ply has."""
        game = self._game
        known = self._children
        known.update((key, []) for key in level)
        below: dict[int, Leaf] = {}
        for parent in level.values():
            check()
            mover = game.to_move(parent.state)
            for action in game.legal_actions(parent.state):
                state = game.result(parent.state, action)
                sign = mover * game.to_move(state)
                if game.terminal(state):
                    utility = mover * whole_utility(game.utility(state), game.utility_range)
                    known[parent.key].append(_Child(None, sign, self._scale.score(utility, 1)))
                    continue
                key = self.key(state)
                known[parent.key].append(_Child(key, sign))
                if key not in known and key not in below:
                    below[key] = Leaf(key, state, (*parent.actions, action))
        return below

    def derived(self, scores: Mapping[int, int]) -> Iterator[tuple[int, int]]:
        """Yield the key and the score of every position above the last ply, given the scores of the leaves.

        A position can be reached in more than one number of plies, so a child may come before its parent. Raises
        EndlessGame if play can go on for ever.
        """
        found, waiting = dict(scores), list(reversed(self._children.items()))
        while waiting:
            later = []
            for key, children in waiting:
                if all(child.key is None or child.key in found for child in children):
                    found[key] = max(self._into(child, found) for child in children)
                    yield key, found[key]
                else:
                    later.append((key, children))
            if len(later) == len(waiting):
                raise EndlessGame("the game can go on for ever, so there is no book of it")
            waiting = later

    def rescored(self, scores: Mapping[int, int]) -> Iterator[tuple[int, int]]:
        """Yield the key and the score of every position above the last ply, each from its children's given scores."""
        for key, children in self._children.items():
            yield key, max(self._into(child, scores) for child in children)

    def _into(self, child: _Child, scores: Mapping[int, int]) -> int:
        """Return the score of moving to a child, for the player who moves."""
        if child.key is None:
            return child.score
        return child.sign * self._scale.one_ply_later(scores[child.key])


def row_of(key: int, score: int, game: ResolvedGame[Any, Any]) -> Row:
    """Return the row of a book for a score on the game's scale."""
    return Row(key, game.scale.utility(score), game.scale.distance(score) or 0)
