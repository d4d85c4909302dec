"""What a player sees who looks some moves ahead: the ends of the game within reach, and else how promising it looks."""

import math
from collections.abc import Hashable, Iterator
from statistics import fmean, pstdev
from typing import Generic, NamedTuple

from noughts.capabilities import ResolvedGame, resolve
from noughts.errors import EndlessGame
from noughts.game import Action, Game, State
from noughts.kept import kept
from noughts.players.promising import narrowed
from noughts.score import Scale, whole_utility
from noughts.search.alphabeta import UNIT, AlphaBeta
from noughts.search.limits import Budget, Limits, OutOfBudget
from noughts.search.memo import Memo
from noughts.search.recursion_limit import deep_recursion
from noughts.sources.solved import TINY, within_processor_time

__all__ = ["Seen", "Sight", "sight_of"]

NODES = 60
"""How many nodes a look ahead may visit, times the square of its plies: somebody who looks further sees more of what is
there. A count, not a time, so that the same seed gives the same game anywhere."""

LEAST_NODES = 500
"""How many it may visit in any case."""

SOLVING = 0.5
"""Seconds of processor time that solving a small game may take."""

TRICKS = 2
"""Who looks further ahead than this knows the theory of a game that has one."""

FAR_AWAY = 9
"""How far away a win counts that only a theory knows of, which tells no distances."""

ROOT_WIDTH, INNER_WIDTH = 12, 8
"""How many cells of a large board are thought of: at first, and in what follows."""

MOST = 20_000
"""How many looks are remembered; then all are forgotten."""

SPREAD, MOST_OF_GUESS = 0.1, 0.2
"""What an action is worth more than the average one if it looks better by one standard deviation, and at most."""

TRAP = 0.25
"""What an action is worth more if every reply to it were a mistake; so the share of them counts."""


class Seen(NamedTuple, Generic[Action]):
    """An action as somebody sees it who looks some plies ahead."""

    action: Action
    worth: float
    """From -1 for an immediate loss to 1 for an immediate win; below 0.5, no win or loss is seen, only how it looks."""
    plies: int | None
    """How far away the win or loss is; None if none is seen."""


class _Valued(NamedTuple, Generic[Action]):
    """An action, its score in the units of `AlphaBeta`, and the share of the replies to it that would be mistakes."""

    action: Action
    score: int
    traps: float


class Sight(Generic[State, Action]):
    """Looks some plies ahead in one game, and remembers what was seen. It depends on nothing but the state."""

    def __init__(self, game: ResolvedGame[State, Action]) -> None:
        self._game = game
        self._root = narrowed(game, ROOT_WIDTH) or game
        self._inner = narrowed(game, INNER_WIDTH) or game
        self._known: dict[tuple[Hashable, int], tuple[Seen[Action], ...]] = {}
        self._memo: Memo[State, Action] | None = None if game.theory is not None else Memo(game)
        """The scores of a small game without a theory; None once it has turned out to be large, or endless."""
        self._is_solved = False

    def solution(self, limits: Limits = Limits()) -> Memo[State, Action] | None:  # noqa: B008 - immutable
        """Return the scores of all positions if the game is small and without a theory; else None.

        Raises OutOfBudget if the limits leave no time to find that out.
        """
        if self._memo is None or self._is_solved:
            return self._memo
        within = within_processor_time(SOLVING, limits._replace(nodes=None), TINY)
        try:
            found = self._memo.value(self._game.initial(), within)
        except EndlessGame:
            self._memo = None
            return None
        if found.stopped == "deadline":
            raise OutOfBudget(found.stopped)
        self._is_solved = found.proven
        self._memo = self._memo if found.proven else None
        return self._memo

    def look(self, state: State, plies: int, limits: Limits = Limits()) -> tuple[Seen[Action], ...]:  # noqa: B008
        """Return the actions worth a thought, as somebody sees them who looks `plies` plies ahead.

        With no plies, all look alike. Raises OutOfBudget if the limits leave no time to look as far as that.
        """
        key = self._game.key(state), plies
        found = self._known.get(key)
        if found is None:
            found = tuple(_seen(self._game.scale, self._valued(state, plies, Budget(limits._replace(nodes=None)))))
            if len(self._known) >= MOST:
                self._known.clear()
            self._known[key] = found
        return found

    def _valued(self, state: State, plies: int, budget: Budget) -> list[_Valued[Action]]:
        actions = self._root.legal_actions(state)
        if not plies:
            return [_Valued(action, 0, 0.0) for action in actions]
        solved = self.solution(budget.left)
        if solved is not None and solved.score(state) is not None:
            return [self._looked_up(solved, state, action, plies, budget) for action in actions]
        if self._game.theory is not None and plies > TRICKS:
            known = self._by_theory(state, actions, budget)
            if known:
                return known
        return self._ahead(state, actions, plies, budget.left)

    # A small game: every score is known, but only what ends within the plies is seen.

    def _looked_up(
        self, solved: Memo[State, Action], state: State, action: Action, plies: int, budget: Budget
    ) -> _Valued[Action]:
        budget.check()
        game = self._game
        mover, child = game.to_move(state), game.result(state, action)

        def within(state: State, plies: int) -> int:
            """Return the mover's score of a state, if it is won or lost within some plies; else 0."""
            score = solved.score(state) or 0
            return mover * score * UNIT if score and (game.scale.distance(score) or 0) <= plies else 0

        score = within(child, plies - 1)
        replies = [] if game.terminal(child) or game.player(child) == mover else game.legal_actions(child)
        worse = sum(within(game.result(child, reply), plies - 2) > max(score, 0) for reply in replies)
        return _Valued(action, _one_ply_later(score), worse / len(replies) if replies else 0.0)

    # A game with a theory, such as Nim: somebody who looks far ahead knows it.

    def _by_theory(self, state: State, actions: list[Action], budget: Budget) -> list[_Valued[Action]]:
        game = self._game
        assert game.theory is not None
        mover, found = game.to_move(state), []
        for action in actions:
            budget.check()
            child = game.result(state, action)
            theory = None if game.terminal(child) else game.theory(child)
            if theory is None and not game.terminal(child):
                return []
            utility = game.utility(child) if theory is None else theory.utility
            plies = 1 if theory is None else FAR_AWAY
            found.append(_Valued(action, mover * game.scale.score(utility, plies) * UNIT, 0.0))
        return found

    # Any other game: alpha-beta, as deep as asked for or as the nodes suffice.

    def _ahead(self, state: State, actions: list[Action], plies: int, limits: Limits) -> list[_Valued[Action]]:
        most = max(LEAST_NODES, NODES * plies**2)
        budget = Budget(Limits(None if plies < 3 else most, limits.seconds, limits.cancel))
        # Without a table, which would make a look depend on the hashes of texts, and these differ in each process.
        search: AlphaBeta[State, Action] = AlphaBeta(self._inner, budget, principal=False, endless=True)
        found, before = [self._searched(search, state, action, 1) for action in actions], 1
        with deep_recursion():
            for depth in range(2, plies + 1):
                nodes = budget.nodes
                if depth > 2 and nodes + nodes * nodes // before > most:
                    break
                before = nodes
                try:
                    found = [self._searched(search, state, action, depth) for action in actions]
                except OutOfBudget as out:
                    if out.stopped != "node limit":
                        raise
                    break
        return found

    def _searched(self, search: AlphaBeta[State, Action], state: State, action: Action, depth: int) -> _Valued[Action]:
        """Return the value of an action, looking `depth` plies ahead in all."""
        game = self._game
        mover, child = game.to_move(state), game.result(state, action)
        search.budget.visit()
        if game.terminal(child):
            score = mover * game.scale.score(whole_utility(game.utility(child), game.utility_range)) * UNIT
            return _Valued(action, _one_ply_later(score), 0.0)
        own = 1 if game.to_move(child) == mover else -1
        if depth < 2:
            leaf = search.search(child, own * mover, -search.infinite, search.infinite, 0, 1)
            return _Valued(action, _one_ply_later(own * leaf), 0.0)
        replies = search.root(child, depth - 1, "all")
        score = _one_ply_later(own * replies.best)
        lost = sum(each <= -UNIT for _, each, _ in replies.scores)
        return _Valued(action, score, 0.0 if own > 0 or abs(score) >= UNIT else lost / len(replies.scores))


def _seen(scale: Scale, valued: list[_Valued[Action]]) -> Iterator[Seen[Action]]:
    """Yield the actions as they are seen: how close a win or a loss is, and else how promising they look."""
    unclear = [each.score for each in valued if abs(each.score) < UNIT]
    mean = fmean(unclear) if unclear else 0.0
    deviation = pstdev(unclear, mean) if unclear else 0.0
    for action, score, traps in valued:
        if abs(score) >= UNIT:
            plies = scale.distance(score // UNIT) or 0
            yield Seen(action, math.copysign(_worth_of_end(plies), score), plies)
        else:
            better = (score - mean) / deviation if deviation else 0.0
            guess = max(-MOST_OF_GUESS, min(MOST_OF_GUESS, SPREAD * better))
            yield Seen(action, guess + TRAP * traps, None)


def _worth_of_end(plies: int) -> float:
    """Return what a win is worth that is so far away: the closer the more, and always more than a guess.

    >>> _worth_of_end(1) > _worth_of_end(3) > _worth_of_end(1000) > MOST_OF_GUESS + TRAP
    True
    """
    return 0.5 + 1.5 / (2 + plies)


def _one_ply_later(score: int) -> int:
    """Return a score in the units of `AlphaBeta` as seen one ply earlier; estimates stay as they are."""
    return score if abs(score) < UNIT else score - UNIT if score > 0 else score + UNIT


def sight_of(game: ResolvedGame[State, Action]) -> Sight[State, Action]:
    """Return the sight of a game, made once and kept with the game, so that all players share what was seen."""
    found: Sight[State, Action] = kept(game.game, _new_sight)
    return found


def _new_sight(game: Game[State, Action]) -> Sight[State, Action]:
    return Sight(resolve(game))
