"""Memoised minimax: every position below a state is valued once, however many lines lead to it.

For games of up to some hundred thousand positions this solves the whole game. It has its own stack, so that long games
do not reach Python's recursion limit, and it detects a position that is repeated on the current path.
"""

import sys
from collections.abc import Hashable, Iterator
from typing import Any, Generic, NamedTuple

from noughts.capabilities import resolve
from noughts.errors import ENDLESS, EndlessGame
from noughts.game import Action, Game, State, legal_actions, to_move
from noughts.score import whole_utility
from noughts.search.answer import Answer, Scored, answer_from, unknown
from noughts.search.limits import Budget, Limits, OutOfBudget
from noughts.search.table import size_of

__all__ = ["Memo"]

SCORE_BYTES = 32
"""The memory that a score takes."""


class Memo(Generic[State, Action]):
    """Exact scores of a game's positions, computed when needed and kept for later questions.

    Threads may share it: a score is exact when it is stored and never changes, and each question has its own path.
    """

    def __init__(self, game: Game[State, Action]) -> None:
        self._game = resolve(game)
        self._scores: dict[Hashable, int] = {}
        """MAX's score of each position that is completely searched, by key."""

    @property
    def bytes(self) -> int:
        """The approximate memory of the scores, estimated from the size of one key."""
        key = next(iter(self._scores), None)
        return sys.getsizeof(self._scores) + len(self._scores) * (size_of(key) + SCORE_BYTES)

    def knows(self, state: State) -> bool:
        """Return whether the score of a state is known, so that valuing it takes no search."""
        return self._game.key(state) in self._scores

    def score(self, state: State) -> int | None:
        """Return MAX's score of a state if it is known; then the scores of all states that can follow are, too."""
        return self._scores.get(self._game.key(state))

    def analyse(self, state: State, limits: Limits = Limits()) -> Answer[Action]:  # noqa: B008
        """Value a state and every action, in the view of the player to move; unknown if a limit stops the search."""
        return self._answer(state, limits, every_action=True)

    def value(self, state: State, limits: Limits = Limits()) -> Answer[Action]:  # noqa: B008
        """Value a state as `analyse` does, with one best action only."""
        return self._answer(state, limits, every_action=False)

    def _answer(self, state: State, limits: Limits, every_action: bool) -> Answer[Action]:
        budget = Budget(limits)
        mover = to_move(self._game, state)
        try:
            score = mover * self._search(state, budget)
            scored = [] if self._game.terminal(state) else self._scored(state, mover, budget, every_action)
        except OutOfBudget as out:
            return unknown("memo", budget.nodes, budget.seconds, out.stopped)
        answer = answer_from(
            scored,
            ended=score,
            scale=self._game.scale,
            method="memo",
            nodes=budget.nodes,
            seconds=budget.seconds,
        )
        return answer if every_action else answer._replace(actions=())

    def _scored(self, state: State, mover: int, budget: Budget, every_action: bool) -> list[Scored[Action]]:
        """Return every action, or one best action, with its score for the mover and the best play after it."""
        children = [(action, child, self._into(child, mover, budget)) for action, child in self._children(state)]
        if not every_action:
            children = [max(children, key=lambda each: each[2])]
        return [Scored(action, score, tuple(self._line(child, budget))) for action, child, score in children]

    def _children(self, state: State) -> Iterator[tuple[Action, State]]:
        if not self._game.terminal(state):
            for action in legal_actions(self._game, state):
                yield action, self._game.result(state, action)

    def _into(self, child: State, mover: int, budget: Budget) -> int:
        """Return the score of moving to a child, for the player who moves: a look-up, unless its key varies."""
        return mover * self._game.scale.one_ply_later(self._search(child, budget))

    def _line(self, state: State, budget: Budget) -> Iterator[Action]:
        """Yield the first best action of each position to the end of the game."""
        while not self._game.terminal(state):
            mover = to_move(self._game, state)
            scored = ((action, child, self._into(child, mover, budget)) for action, child in self._children(state))
            action, state, _ = max(scored, key=lambda each: each[2])
            yield action

    def _search(self, root: State, budget: Budget) -> int:
        """Return MAX's score of the root. Afterwards the scores of all positions below it are known."""
        scores, game = self._scores, self._game
        root_key = game.key(root)
        if root_key in scores:
            return scores[root_key]
        budget.visit()
        if game.terminal(root):
            return self._end(root, root_key)
        path: dict[Hashable, Any] = {}
        """The positions from the root to the current one, by key, and the action that led to each."""
        above: list[_Frame[State, Action]] = []
        current = self._enter(path, root, root_key, None)
        while True:
            # 1. Visit the children of the current position, until one of them must be searched itself.
            state, key, mover, best, actions = current
            for action in actions:
                child = game.result(state, action)
                child_key = game.key(child)
                score = scores.get(child_key)
                if score is None:
                    if child_key in path:
                        raise self._endless(path, child_key, action)
                    budget.visit()
                    if not game.terminal(child):
                        above.append(_Frame(state, key, mover, best, actions))
                        current = self._enter(path, child, child_key, action)
                        break
                    score = self._end(child, child_key)
                score = mover * game.scale.one_ply_later(score)
                if best is None or score > best:
                    best = score
            else:
                # 2. The current position is finished. Go on with the one above it.
                assert best is not None
                scores[key] = mover * best
                del path[key]
                if not above:
                    return scores[key]
                current = above.pop()
                score = current.mover * game.scale.one_ply_later(mover * best)
                if current.best is None or score > current.best:
                    current = current._replace(best=score)

    def _enter(self, path: dict[Hashable, Any], state: State, key: Hashable, action: Any) -> "_Frame[State, Action]":
        """Add an unfinished state to the path, and return what is known of it."""
        if len(path) >= self._game.scale.longest:
            raise self._game.scale.too_long()
        path[key] = action
        actions = iter(legal_actions(self._game, state))
        return _Frame(state, key, to_move(self._game, state), None, actions)

    def _end(self, state: State, key: Hashable) -> int:
        """Return the score of a finished game for MAX, and keep it."""
        self._scores[key] = score = self._game.scale.score(whole_utility(self._game.utility(state)))
        return score

    def _endless(self, path: dict[Hashable, Any], again: Hashable, action: Any) -> EndlessGame:
        _, *actions = path.values()  # no action led to the root
        names = [self._game.action_name(each) for each in (*actions, action)]
        before, after = " ".join(names[: list(path).index(again)]), " ".join(names)
        which = f"the position after {before}" if before else "the position asked about"
        return EndlessGame(f"{ENDLESS}; {which} is repeated after {after}")


class _Frame(NamedTuple, Generic[State, Action]):
    """A position on the path: the mover, the best score so far for the mover, and the actions not yet tried."""

    state: State
    key: Hashable
    mover: int
    best: int | None
    actions: Iterator[Action]
