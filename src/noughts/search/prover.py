"""Alpha-beta with null windows on a graph of positions: is the score of a position at least this high?

Scores are those of `noughts.score`, on the game's scale, for the player to move. Everything that is found is proven: a
win in more plies has a lower score, and no end is nearer than the next ply. So a search for a win in few plies looks no
further ahead than that, and what it finds holds all the same.

`noughts.plain.search` is the same search at native speed.
"""

from collections.abc import Iterator
from typing import Any, Generic

from noughts.errors import ENDLESS, EndlessGame, one_line
from noughts.game import Action, State
from noughts.search.graph import UNFINISHED, Graph, Position
from noughts.search.limits import Budget
from noughts.search.recursion_limit import STEP, raise_limit

__all__ = ["Prover"]


class Prover(Generic[State, Action]):
    """One question to a graph: its budget, and the path that it is on."""

    def __init__(self, graph: Graph[State, Action], budget: Budget, *, history: bool) -> None:
        self._graph, self._game, self.budget = graph, graph.game, budget
        self._history = history
        self._path: set[Position] = set()
        """The positions from the root to the one that is searched."""
        self._allowed = min(STEP, graph.game.scale.longest)
        """The plies that the recursion limit, and the longest possible game, allow so far."""
        self._unit = graph.game.scale.longest + 1
        self._infinite = (max(map(abs, graph.game.utility_range)) + 2) * self._unit

    def options(self, position: Position) -> Iterator[tuple[Action, Position]]:
        """Yield each action of an unfinished position, the best first as far as is known, with where it leads."""
        actions, children = self.moves(position)
        for number, action in enumerate(actions):
            child = children[number]
            if child is None or child is UNFINISHED:
                self.budget.visit()
                after = self._game.result(position.state, action)
                ended = self._game.terminal(after)
                child = self._graph.end(self._game.utility(after)) if ended else self._graph.at(after, 1)
                children[number] = child
            yield action, child

    def reaches(self, child: Position, mover: int, score: int) -> bool:
        """Return whether moving to a position scores at least this for the player who does."""
        low, high = self.bounds_after(child, mover)
        if low < score <= high:
            aim = self._aim(score)
            if child.mover == mover:
                return self.search(child, aim, 1) >= aim
            return -self.search(child, 1 - aim, 1) >= aim
        return low >= score

    def moves(self, position: Position) -> tuple[list[Any], list[Position | None]]:
        """Return the actions of an unfinished position, and what is known of where they lead."""
        moves = position.moves
        if moves is None:
            actions = self._graph.worth[position.mover].sorted(self._game.legal_actions(position.state))
            moves = position.moves = actions, [None] * len(actions)
        return moves

    def search(self, position: Position, target: int, ply: int = 0) -> int:
        """Return a bound of an open position's score: a lower one, of at least `target`, or else an upper one.

        Requires that `target` is above the known lower bound, and not above the upper one.
        """
        graph, game, visit = self._graph, self._game, self.budget.visit
        state, mover = position.state, position.mover
        if position.moves is not None:
            visit()  # again: a position that is new was counted where it was reached
        actions, children = position.moves or self.moves(position)
        path = self._path
        if position in path or len(path) >= self._allowed:
            self._check_path(position)
        path.add(position)
        # No end is nearer than the next ply, so what an unfinished child can score is known without looking at it.
        least, most = graph.bounds[mover]
        aim = self._aim(target)
        best, through = -self._infinite, UNFINISHED
        for number, action in enumerate(actions):
            child = known = children[number]  # read once: another thread may fill it in meanwhile
            # 1. Find the position after the action, unless it is enough to know that it is not finished.
            if child is None or (child is UNFINISHED and least < aim <= most):
                visit()
                after = game.result(state, action)
                try:
                    child = graph.by_state.get(after)
                except TypeError:  # it cannot be hashed
                    child = None
                if child is None:
                    if known is None and game.terminal(after):
                        child = graph.end(game.utility(after))
                    elif least < aim <= most:
                        child = graph.at(after, ply + 1, self.budget.check)
                    else:
                        child = UNFINISHED
                children[number] = child
            # 2. Find a bound of its score for the player who moves.
            if child is UNFINISHED:
                found = most if aim > most else least
            elif child.mover == mover:
                found = child.low
                if found < aim:
                    found = child.high
                    if found >= aim:
                        found = self.search(child, aim, ply + 1)
            else:
                found = -child.high
                if found < aim:
                    found = -child.low
                    if found >= aim:
                        found = -self.search(child, 1 - aim, ply + 1)
            # 3. Is it enough?
            if found > best:
                best, through = found, child
                if found >= aim:
                    if number:
                        position.moves = _to_front(actions, number), _to_front(children, number)
                    if self._history:
                        graph.worth[mover].add(action, len(actions))
                    break
        path.remove(position)
        # 4. Keep what is proven now.
        if abs(best) % self._unit == 1 and through.low == through.high and abs(through.low) == abs(best):
            # An end as far away as the game allows would be still further from here.
            raise game.scale.too_long()
        if best >= aim:
            score = self._lower(best)
            if score > position.low:
                position.low = score
        else:
            score = -self._lower(-best)
            if score < position.high:
                position.high = score
        return score

    def bounds_after(self, child: Position, mover: int) -> tuple[int, int]:
        """Return the bounds of the score of moving to a position, for the player who does."""
        low, high = (child.low, child.high) if child.mover == mover else (-child.high, -child.low)
        return self._lower(low), -self._lower(-high)

    def _aim(self, target: int) -> int:
        """Return what an action must lead to, for the player who takes it, if it is to score at least `target`.

        A loss by less than a margin is none by that margin, however late.
        """
        return target + 1 if target > 0 else target - (target % self._unit != 0)

    def _lower(self, low: int) -> int:
        """Return a lower bound as seen one ply earlier: a point less for a win, but no other utility.

        The lowest win comes so late that there is no ply before it: it says only that the game is won.
        """
        if low > 0:
            return low - 1 if (low - 1) % self._unit else low
        return low + 1 if low else 0

    def _check_path(self, position: Position) -> None:
        """Refuse a repeated position and a game that is too long; else allow the search to go deeper."""
        game, plies = self._game, len(self._path) + 1
        if position in self._path:
            drawn = one_line(game.draw(position.state))
            raise EndlessGame(f"{ENDLESS}; this position is repeated: {drawn}")
        if plies > game.scale.longest:
            raise game.scale.too_long()
        raise_limit(plies)
        self._allowed = min(plies + STEP, game.scale.longest)


def _to_front(items: list[Any], number: int) -> list[Any]:
    """Return a list with one of its items first."""
    return [items[number], *items[:number], *items[number + 1 :]]
