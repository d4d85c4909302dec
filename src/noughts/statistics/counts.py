"""Counts nodes, positions, positions up to symmetry and games by ply, and the nodes that each search visits."""

from collections.abc import Callable, Hashable, Iterator
from math import perm
from time import perf_counter
from typing import Any, Generic, NamedTuple

from noughts.capabilities import ResolvedGame, resolve
from noughts.engine import Engine, game_of
from noughts.errors import EndlessGame
from noughts.game import Action, Game, State, legal_actions
from noughts.games.lines import LineGame
from noughts.score import whole_utility
from noughts.search.answer import Stopped
from noughts.search.drivers import Options, alphabeta
from noughts.search.limits import Budget, Limits, OutOfBudget
from noughts.search.memo import Memo
from noughts.search.variants import Variant, search_variant
from noughts.symmetry import UpToSymmetry

__all__ = ["Counts", "PlyCount", "SearchCount", "count", "nodes_past_wins", "search_counts"]


NOW_AND_THEN = 1_000
"""How many positions are counted between two calls of `progress`."""


class PlyCount(NamedTuple):
    """The counts of one ply."""

    ply: int
    nodes: int
    """Lines of play that lead to this ply: nodes of the game tree."""
    positions: int
    """Different positions among them."""
    classes: int | None
    """Different positions up to symmetry; None if the game declares no symmetry."""
    won: int
    """Games that end here and that MAX wins."""
    lost: int
    drawn: int

    @property
    def games(self) -> int:
        """Games that end here."""
        return self.won + self.lost + self.drawn


class Counts(NamedTuple):
    """The counts of each ply and in total. A count that was stopped includes whole plies only."""

    plies: tuple[PlyCount, ...]
    positions: int
    """Different positions in total: less than the sum over plies if a position can occur at several of them."""
    classes: int | None
    stopped: Stopped
    endless: bool = False
    """Whether play can go on for ever: these plies have all positions, but there are endless nodes and games."""

    @property
    def complete(self) -> bool:
        """Whether everything was counted; otherwise each total is a lower bound."""
        return self.stopped == "done"

    @property
    def nodes(self) -> int:
        """Nodes of the game tree in total, including the root."""
        return sum(each.nodes for each in self.plies)

    @property
    def games(self) -> int:
        """Games in total."""
        return sum(each.games for each in self.plies)

    @property
    def results(self) -> tuple[int, int, int]:
        """How many games MAX wins, MIN wins, and are drawn."""
        won, lost = sum(each.won for each in self.plies), sum(each.lost for each in self.plies)
        return won, lost, self.games - won - lost


def count(
    game: Game[State, Action] | Engine[State, Action],
    state: State | None = None,
    *,
    limits: Limits = Limits(),  # noqa: B008 - immutable
    progress: Callable[[int, int], None] | None = None,
) -> Counts:
    """Count the tree below a state, the initial one by default.

    The count goes ply by ply. It visits each position of a ply once and keeps the number of lines that lead to it, so a
    tree of millions of nodes costs no more than its positions. `limits.nodes` limits positions, `limits.depth` plies.
    Where play can go on for ever, it stops when it has found every position, unless a number of plies is given.
    `progress` is called now and then with the current ply and the number of positions so far.

    >>> import noughts
    >>> found = count(noughts.load("tic-tac-toe"))
    >>> found.nodes, found.positions, found.classes, found.games
    (549946, 5478, 765, 255168)
    """
    game = game_of(game)
    counter = _Counter(game, Budget(limits), progress or (lambda _, __: None))
    plies: list[PlyCount] = []
    stopped: Stopped = "done"
    endless: bool | None = None
    root = game.state(state)
    layer: _Layer[State] = {counter.offers.key(root): (root, 1)}
    try:
        while layer:
            if limits.depth is not None and len(plies) > limits.depth:
                raise OutOfBudget("depth limit")
            before = counter.positions
            found, layer = counter.take(len(plies), layer)
            if counter.positions == before and endless is None and limits.depth is None:
                endless = counter.can_repeat(root)
                if endless:
                    break
            plies.append(found)
    except OutOfBudget as out:
        stopped = out.stopped
    return Counts(tuple(plies), counter.positions, counter.classes, stopped, bool(endless))


_Layer = dict[Hashable, tuple[State, int]]
"""The positions of a ply by key, each with the number of lines that lead to it."""


class _Counter(Generic[State, Action]):
    """Counts one ply after another, and remembers all positions."""

    def __init__(self, game: Game[State, Action], budget: Budget, progress: Callable[[int, int], None]) -> None:
        self._game, self._budget, self._progress = game, budget, progress
        self.offers: ResolvedGame[State, Action] = resolve(game)
        self._symmetric = (self.offers.symmetries or self.offers.canonical) is not None
        self._seen: set[Hashable] = set()
        self._seen_classes: UpToSymmetry[State, None] = UpToSymmetry(self.offers, budget.check)
        self.positions = 0
        self.classes: int | None = 0 if self._symmetric else None

    def take(self, ply: int, layer: _Layer[State]) -> tuple[PlyCount, _Layer[State]]:
        """Return the counts of a layer, and the next layer. Totals change only when the layer is complete."""
        following: _Layer[State] = {}
        ends = {1: 0, 0: 0, -1: 0}
        for state, lines in layer.values():
            self._budget.visit()
            if self._budget.nodes % NOW_AND_THEN == 0:
                self._progress(ply, self._budget.nodes)
            if self._game.terminal(state):
                utility = whole_utility(self._game.utility(state))
                ends[(utility > 0) - (utility < 0)] += lines
            else:
                self._descend(state, lines, following)
        in_layer = self._classes_in(layer) if self._symmetric else None
        self._remember(layer)
        found = PlyCount(
            ply,
            nodes=sum(lines for _, lines in layer.values()),
            positions=len(layer),
            classes=in_layer,
            won=ends[1],
            lost=ends[-1],
            drawn=ends[0],
        )
        return found, following

    def can_repeat(self, root: State) -> bool:
        """Return whether any line of play from a state repeats a position."""
        key, done = self.offers.key, set[Hashable]()
        path: dict[Hashable, Iterator[State]] = {key(root): self._children(root)}
        while path:
            own, children = next(reversed(path.items()))
            child = next(children, None)
            if child is None:
                done.add(own)
                del path[own]
                continue
            found = key(child)
            if found in path:
                return True
            if found not in done:
                path[found] = self._children(child)
        return False

    def _children(self, state: State) -> Iterator[State]:
        if not self._game.terminal(state):
            for action in legal_actions(self._game, state):
                self._budget.check()
                yield self._game.result(state, action)

    def _descend(self, state: State, lines: int, following: _Layer[State]) -> None:
        for action in legal_actions(self._game, state):
            self._budget.check()  # there may be thousands
            child = self._game.result(state, action)
            key = self.offers.key(child)
            others = following[key][1] if key in following else 0
            following[key] = child, others + lines

    def _remember(self, layer: _Layer[State]) -> None:
        new = [state for key, (state, _) in layer.items() if key not in self._seen]
        if self.classes is not None:
            self.classes += self._new_classes(new, self._seen_classes)
        self._seen.update(layer)
        self.positions = len(self._seen)

    def _classes_in(self, layer: _Layer[State]) -> int:
        return self._new_classes([state for state, _ in layer.values()], UpToSymmetry(self.offers, self._budget.check))

    def _new_classes(self, states: list[State], seen: UpToSymmetry[State, None]) -> int:
        """Return how many symmetry classes of the states are new, and remember them."""
        new = 0
        for state in states:
            self._budget.check()
            if state not in seen:
                seen[state] = None
                new += 1
        return new


def nodes_past_wins(game: Game[Any, Any], state: Any = None) -> int | None:
    """Return how many nodes there would be if a completed line did not end the game; None if that is not known.

    In games of lines where any empty cell can be played, these are all orders of filling the board or part of it.

    >>> import noughts
    >>> nodes_past_wins(noughts.load("tic-tac-toe"))
    986410
    """
    if type(game) is not LineGame:  # not subclasses, which have other rules about where a mark may go
        return None
    root = game.initial() if state is None else state
    empty = game.longest - (root.first | root.second).bit_count()
    return sum(perm(empty, placed) for placed in range(empty + 1))


class SearchCount(NamedTuple):
    """How many nodes a search visits to value a state; a lower bound if it was stopped."""

    search: str
    nodes: int
    stopped: Stopped


EVERYWHERE = 1_000_000
"""The number of plies in which symmetry is used: all of them."""

NAMES: dict[Variant, str] = {
    "alphabeta": "alpha-beta",
    "table": "alpha-beta with a table",
    "symmetry": "alpha-beta with a table and symmetry",
}
"""The searches that are compared, beside minimax, memo and alpha-beta with everything."""


def search_counts(
    game: Game[State, Action],
    state: State | None = None,
    *,
    counts: Counts | None = None,
    limits: Limits = Limits(),  # noqa: B008 - immutable
) -> Iterator[SearchCount]:
    """Run searches of a state to the end of the game, each with one more technique, and yield their node counts.

    Minimax is not run: it visits every node, so nodes are counted instead. The node limit holds for each search, the
    time limit for all of them together, in equal shares. Where play can go on for ever, there is nothing to compare.

    >>> import noughts
    >>> for each in search_counts(noughts.load("tic-tac-toe"), limits=Limits(nodes=10_000)):
    ...     print(f"{each.search}: {each.nodes:,} nodes, {each.stopped}")
    minimax: 549,946 nodes, done
    memo: 5,478 nodes, done
    alpha-beta: 10,000 nodes, node limit
    alpha-beta with a table: 5,481 nodes, done
    alpha-beta with a table and symmetry: 1,308 nodes, done
    alpha-beta with everything: 575 nodes, done
    """
    game = resolve(game)
    root = game.state(state)
    started = perf_counter()
    variants = [variant for variant in NAMES if variant != "symmetry" or game.has_symmetry]

    def share(of: int) -> Limits:
        """Return the limits of the next search: an equal share of the time that is left."""
        if limits.seconds is None:
            return limits
        return limits._replace(seconds=max(0.0, limits.seconds - (perf_counter() - started)) / of)

    counts = counts or count(game, root, limits=share(of=len(variants) + 3))
    if counts.endless:
        return
    try:
        answer = Memo(game).value(root, share(of=len(variants) + 2))
    except EndlessGame:
        return
    yield SearchCount("minimax", counts.nodes, counts.stopped)
    yield SearchCount("memo", answer.nodes, answer.stopped)
    for done, variant in enumerate(variants):
        yield _count_nodes(game, root, variant, share(of=len(variants) + 1 - done))
    answer = alphabeta(game, root, limits=share(of=1), options=Options(symmetry=EVERYWHERE), wanted="one")
    yield SearchCount("alpha-beta with everything", answer.nodes, answer.stopped)


def _count_nodes(game: ResolvedGame[Any, Any], state: Any, variant: Variant, limits: Limits) -> SearchCount:
    """Return how many nodes a search visits; if it is stopped, how many there were by then."""
    budget = Budget(limits)
    stopped: Stopped = "done"
    try:
        search_variant(game, state, variant, budget)
    except OutOfBudget as out:
        stopped = out.stopped
    return SearchCount(NAMES[variant], budget.nodes, stopped)
