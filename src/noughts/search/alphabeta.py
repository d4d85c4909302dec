"""Alpha-beta search, fail-soft. Every technique that makes it faster can be switched on or off.

Inside this file a score is either proven or an estimate. Proven scores are scores on the game's scale, times `UNIT`.
Estimates are the game's own guesses at the horizon, and lie between minus `UNIT` and plus `UNIT`. So every proven win
beats every estimate, and every estimate beats every proven loss.
"""

from collections.abc import Generator, Hashable
from typing import Any, Generic, Literal, NamedTuple

from noughts.capabilities import resolve
from noughts.errors import BrokenGame
from noughts.game import MAX, MIN, Action, Game, State, legal_actions, to_move
from noughts.score import whole_utility
from noughts.search.answer import Bound
from noughts.search.limits import Budget
from noughts.search.ordering import Ordering
from noughts.search.repetition import SearchPath
from noughts.search.table import Entry, Table

__all__ = ["NO_HORIZON", "UNIT", "AlphaBeta", "RootScores", "Wanted", "earlier"]

UNIT = 1 << 21
NO_HORIZON = 1 << 62
"""A depth that no game reaches."""

UP_TO_SYMMETRY = -1
"""Marks a key that all symmetric images of a position share. A number, since texts hash differently in each process."""

Wanted = Literal["one", "best", "all"]
"""Which actions need an exact score: one best action, all best actions, or all actions."""


class RootScores(NamedTuple, Generic[Action]):
    """The scores that a search found at its root, for the mover: exact where the flag says so, else upper bounds."""

    scores: list[tuple[Action, int, bool]]
    best: int
    complete: bool
    """Whether no line was cut off at the horizon, so that all scores are proven."""
    depth: int
    """How many plies ahead the search looked."""


class AlphaBeta(Generic[State, Action]):
    """An alpha-beta search of one game, with its table, its move ordering and its budget.

    `symmetry` is the number of plies below the root in which symmetric positions share a table entry. Further down that
    costs more than it saves, unless the game has a cheap `canonical` key. `principal` is principal variation search:
    all actions of a node but the first are searched with a null window first. `hints` uses the game's `utility_bounds`
    and its `preferred` order of actions. Without table, principal, killers, history and hints, this is the textbook's
    alpha-beta.

    `endless` says that positions may repeat. Then every search needs a depth; what it proves does not depend on the
    path, since a repeated position is searched like any other, with the plies that are left.
    """

    def __init__(
        self,
        game: Game[State, Action],
        budget: Budget,
        *,
        table: Table | None = None,
        symmetry: int = 0,
        principal: bool = True,
        killers: bool = True,
        history: bool = True,
        hints: bool = True,
        endless: bool = False,
    ) -> None:
        self.game = offers = resolve(game)
        self.budget = budget
        self._table = table
        self._principal = principal
        self._symmetry = symmetry if offers.has_symmetry else 0
        self._hints = hints
        preferred = offers.preferred if hints else ()
        self._ordering: Ordering[Action] = Ordering(preferred, killers=killers, history=history)
        self._range = offers.utility_range
        self.infinite = (max(map(abs, self._range)) + 3) * (offers.scale.longest + 1) * UNIT
        """Larger than every score and every window of the game; each ply down the tree adds a `UNIT` to a window."""
        self._has_known_limits = not hints or offers.utility_bounds is None
        self._known_limits = {mover: self._limits_within(*self._range, mover) for mover in (MAX, MIN)}
        """The lowest and the highest score that `utility_range` allows each player."""
        self._horizon_hits = 0
        """How often a line was cut off at the horizon, or a stored score was used that rests on such a cut."""
        self._path = SearchPath(offers, repeats=endless)
        self._needs_keys = table is not None or self._path.keeps_keys
        self._end_scores: dict[int, int] = {}
        """The score of each utility that was met, for MAX, one ply before the end."""
        self.partial: list[tuple[Action, int, bool]] = []
        """The scores that the latest call of `root` has found so far, in the order of the search."""

    def root(
        self, state: State, depth: int = NO_HORIZON, wanted: Wanted = "best", known_best: int | None = None
    ) -> RootScores[Action]:
        """Score the actions of an unfinished state, `depth` plies ahead, for the player to move.

        The best score is exact. `wanted` says which actions get an exact score: `one` best action, every `best` action
        (each is tested for a tie), or `all` actions. The other scores are upper bounds. `known_best` is the best score
        if it is already known.
        """
        hits = self._horizon_hits
        mover = to_move(self.game, state)
        actions = legal_actions(self.game, state)
        order = sorted(range(len(actions)), key=self._places(actions, self._first(state)).__getitem__)
        self.partial = []  # first, so that a search which is stopped here does not pass on a shallower one's estimates
        self.budget.visit()
        best, best_action = -self.infinite if known_best is None else known_best - 1, None
        found: dict[int, tuple[int, bool]] = {}
        own = self.game.key(state)
        self._path.enter(own, state)
        for place in order:
            action = actions[place]
            # The lowest score that must be found exactly.
            least = -self.infinite
            if wanted != "all" and best > -self.infinite:
                least = best + (wanted == "one" or best_action is None)
            if least > -self.infinite:
                score = self._child(state, action, mover, least - 1, least, depth, 0)
                if score < least:
                    found[place] = score, False
                    self.partial.append((action, score, False))
                    continue
            score = self._child(state, action, mover, max(least - 1, -self.infinite), self.infinite, depth, 0)
            found[place] = score, True
            self.partial.append((action, score, True))
            if score > best:
                best, best_action = score, action
        self._path.leave(own)
        if best_action is None:
            # `known_best` rested on estimates, and deeper entries of the table have changed them since.
            return self.root(state, depth, wanted)
        complete = self._horizon_hits == hits
        if self._table is not None:
            self._table.put(Entry(own, best, Bound.EXACT, NO_HORIZON if complete else depth, best_action, own))
        return RootScores([(action, *found[place]) for place, action in enumerate(actions)], best, complete, depth)

    def without_search(self, state: State) -> tuple[Action]:
        """Return a legal action, preferably one that the game prefers, when there was no time to search."""
        actions = legal_actions(self.game, state)
        return (next((action for action in self.game.preferred if action in actions), actions[0]),)

    def _places(self, actions: list[Action], first: Action | None) -> list[int]:
        """Return each action's place in the order in which the actions are tried."""
        tried = self._ordering.sorted(actions, first, 0)
        return [tried.index(action) for action in actions]

    def search(self, state: State, mover: int, alpha: int, beta: int, depth: int, ply: int) -> int:
        """Return the score of an unfinished state for `mover`, the player to move.

        Requires alpha < beta. Inside the window (alpha < score < beta) the result is exact. At or below alpha it is an
        upper bound of the true score, at or above beta a lower bound.

        This runs once for each node, so it makes few calls: what it needs of a node is found once and passed on.
        """
        self.budget.visit()
        # 1. Use the bounds that the game states.
        low, high = self._known_limits[mover] if self._has_known_limits else self._limits_of(state, mover)
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        # 2. At the horizon, return an estimate.
        if depth <= 0:
            self._horizon_hits += 1
            return max(low, min(high, self._estimate(state, mover)))
        # 3. Look the position up in the table.
        game, table = self.game, self._table
        first: Action | None = None
        own = game.key(state) if self._needs_keys else None
        key: Hashable = None
        if table is not None:
            key = self._symmetric_key(state, own, ply) if ply and self._symmetry else own
            entry = table.get(key)
            if entry is not None:
                if entry.depth >= depth and self._settles(entry, alpha, beta):
                    self._horizon_hits += entry.depth < NO_HORIZON
                    self._check_distance(entry.score, ply)
                    return entry.score
                first = entry.action if entry.action_key == own else None
        # 4. Try the actions. With principal variation search, test a later action first only for being better.
        hits = self._horizon_hits
        self._path.enter(own, state)
        best, best_action = -self.infinite, None
        floor = max(alpha, low)
        scouts = False
        for action in self._ordering.sorted(legal_actions(game, state), first, ply):
            least = floor if floor > best else best
            if scouts and beta - least > 1:
                score = self._child(state, action, mover, least, least + 1, depth, ply)
                if least < score < beta:
                    score = self._child(state, action, mover, least, beta, depth, ply)
            else:
                score = self._child(state, action, mover, least, beta, depth, ply)
            if score > best:
                best, best_action = score, action
                if best >= beta:
                    self._ordering.cut_off(action, ply, depth)
                    break
                if best >= high:
                    break
                scouts = self._principal
        self._path.leave(own)
        # 5. Store the result in the table.
        if table is not None:
            bound = Bound.UPPER if best <= floor else Bound.LOWER if best >= beta else Bound.EXACT
            reached = NO_HORIZON if self._horizon_hits == hits else depth
            table.put(Entry(key, best, bound, reached, best_action, own))
        return best

    def _child(self, state: State, action: Action, mover: int, alpha: int, beta: int, depth: int, ply: int) -> int:
        """Return the score of an action for the player who takes it, with the same contract as `search`."""
        game = self.game
        child = game.result(state, action)
        if game.terminal(child):
            self.budget.visit()
            utility = game.utility(child)
            score = self._end_scores.get(utility) if type(utility) is int else None
            return mover * (self._end_score(utility) if score is None else score)
        # The window as seen one ply later (see `earlier`), and then the score as seen one ply earlier.
        alpha = alpha + UNIT if alpha >= UNIT else alpha - UNIT if alpha <= -UNIT else alpha
        beta = beta + UNIT if beta >= UNIT else beta - UNIT if beta <= -UNIT else beta
        next_mover = game.player(child)
        if next_mover == mover:
            score = self.search(child, mover, alpha, beta, depth - 1, ply + 1)
        else:
            if next_mover != -mover:
                to_move(game, child)  # raises BrokenGame
            score = -self.search(child, -mover, -beta, -alpha, depth - 1, ply + 1)
        return score - UNIT if score >= UNIT else score + UNIT if score <= -UNIT else score

    def _end_score(self, utility: Any) -> int:
        """Return the score of a utility for MAX, one ply before the end; raise BrokenGame if it is not valid."""
        whole = whole_utility(utility, self._range)
        return self._end_scores.setdefault(whole, self.game.scale.score(whole, 1) * UNIT)

    def is_settled(self, found: RootScores[Action]) -> bool:
        """Return whether a deeper search cannot change the result.

        That is so if no line was cut off, or if the result is a win or a loss within the depth that was searched. A
        deeper win, which only the table can supply, may not be the fastest. Where margins count, there may be a larger
        win.
        """
        if found.complete:
            return True
        low, high = self.game.utility_range
        distance = self.game.scale.distance(found.best // UNIT) if abs(found.best) >= UNIT else None
        return distance is not None and distance <= found.depth and low >= -1 and high <= 1

    def line(self, state: State, score: int, depth: int = NO_HORIZON) -> Generator[Action, None, bool]:
        """Yield the actions of best play from a state whose score is known, to the end of the game or to the horizon.

        The generator's return value says whether the line reaches the end of the game.
        """
        while depth > 0 and not self.game.terminal(state):
            mover = to_move(self.game, state)
            for action in self._ordering.sorted(legal_actions(self.game, state), self._first(state), 0):
                if self._child(state, action, mover, score - 1, score, depth, 0) >= score:
                    break
            else:
                return False  # estimates of different depths disagree: the rest of the line is unknown
            yield action
            child = self.game.result(state, action)
            if not self.game.terminal(child):
                score = earlier(score) * (1 if self.game.player(child) == mover else -1)
            state, depth = child, depth - 1
        return bool(self.game.terminal(state))

    def _estimate(self, state: State, mover: int) -> int:
        if self.game.heuristic is None:
            return 0
        guess = self.game.heuristic(state)
        try:
            return mover * max(2 - UNIT, min(UNIT - 2, int(guess)))
        except (TypeError, ValueError, OverflowError):
            raise BrokenGame(f"heuristic(state) returned {guess!r}; it must be a whole number") from None

    def _limits_of(self, state: State, mover: int) -> tuple[int, int]:
        """Return the lowest and the highest possible score of a state, for the mover."""
        low, high = self.game.bounds_of(state)
        return self._limits_within(low, high, mover)

    def _limits_within(self, low: int, high: int, mover: int) -> tuple[int, int]:
        """Return the lowest and the highest score of a utility from `low` to `high`; without hints, no limits."""
        if not self._hints:
            return -self.infinite, self.infinite
        if mover < 0:
            low, high = -high, -low
        return self._lowest(low), -self._lowest(-high)

    def _check_distance(self, score: int, ply: int) -> None:
        """Raise BrokenGame if the end of the game that a stored score refers to is too far from the root."""
        scale = self.game.scale
        if abs(score) >= UNIT and -(abs(score) // UNIT) % (scale.longest + 1) + ply > scale.longest:
            raise scale.too_long()

    def _lowest(self, low: int) -> int:
        """Return the lowest score for a utility of `low` or more.

        The worst loss is the one at the next move. The distance of a certain win is unknown, so its lowest score is
        just above every score of a smaller utility. For a win by 1 that is among the estimates, which have no distance.
        """
        scale = self.game.scale
        if low <= 0:
            return scale.score(low, 1) * UNIT
        return scale.score(low - 1) * UNIT + UNIT - 1

    def _settles(self, entry: Entry, alpha: int, beta: int) -> bool:
        if entry.bound is Bound.EXACT:
            return True
        return entry.score >= beta if entry.bound is Bound.LOWER else entry.score <= alpha

    def _symmetric_key(self, state: State, own: Hashable, ply: int) -> Hashable:
        """Return a key that all symmetric images of a state share; `own`, its own key, where that costs too much."""
        if self.game.canonical is not None:
            return UP_TO_SYMMETRY, self.game.canonical(state)
        if ply >= self._symmetry or self.game.symmetries is None:
            return own
        keys: list[Any] = []
        for image in self.game.symmetries(state):
            self.budget.check()  # a torus has thousands of images
            keys.append(self.game.key(image))
        return UP_TO_SYMMETRY, min(keys)

    def _first(self, state: State) -> Action | None:
        """Return the best action of a state that is stored in the table, if there is one."""
        if self._table is None:
            return None
        key = self.game.key(state)
        entry = self._table.get(key)
        return entry.action if entry is not None and entry.action_key == key else None


def earlier(score: int) -> int:
    """Return a score or a bound of a window as seen one ply later, when the end is nearer; estimates do not change."""
    if score >= UNIT:
        return score + UNIT
    return score - UNIT if score <= -UNIT else score
