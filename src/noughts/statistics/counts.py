"""How large a game is: nodes, positions, positions up to symmetry and games, by ply; and what each search visits."""

from collections.abc import Callable, Hashable, Iterator
from math import perm
from time import perf_counter
from types import SimpleNamespace
from typing import Any, Generic, NamedTuple

from noughts.capabilities import ResolvedGame, resolve
from noughts.engine import Engine, game_of
from noughts.errors import EndlessGame, counted
from noughts.game import Action, Game, State, as_game, legal_actions
from noughts.games.lines import LineGame
from noughts.score import Scale, whole_utility
from noughts.search.answer import Stopped
from noughts.search.drivers import Options, alphabeta
from noughts.search.limits import Budget, Limits, OutOfBudget
from noughts.search.memo import Memo
from noughts.symmetry import UpToSymmetry

__all__ = ["Counts", "PlyCount", "SearchCount", "count", "nodes_past_wins", "search_counts"]


NOW_AND_THEN = 1_000
"""Positions from one word on how far the count has come to the next."""


class PlyCount(NamedTuple):
    """What there is so many plies below the root."""

    ply: int
    nodes: int
    """Lines of play that lead here: nodes of the game tree."""
    positions: int
    """Different positions among them."""
    classes: int | None
    """Different positions up to symmetry; None if the game states none."""
    won: int
    """Games that end here and that MAX wins."""
    lost: int
    drawn: int

    @property
    def games(self) -> int:
        """Games that end here."""
        return self.won + self.lost + self.drawn


class Counts(NamedTuple):
    """What there is at each ply, as far as was counted, and in all. Whoever stops early counts whole plies only."""

    plies: tuple[PlyCount, ...]
    positions: int
    """Different positions in all: fewer than the sum over the plies where one can come about at several of them."""
    classes: int | None
    stopped: Stopped

    @property
    def complete(self) -> bool:
        """Whether everything was counted; else each total is a lower bound."""
        return self.stopped == "done"

    @property
    def nodes(self) -> int:
        """Nodes of the game tree in all, the root included."""
        return sum(each.nodes for each in self.plies)

    @property
    def games(self) -> int:
        """Games in all."""
        return sum(each.games for each in self.plies)


def count(
    game: Game[State, Action] | Engine[State, Action],
    state: State | None = None,
    *,
    limits: Limits = Limits(),  # noqa: B008 - immutable
    progress: Callable[[int, int], None] | None = None,
) -> Counts:
    """Count what lies below a state, the initial one by default.

    Goes ply by ply and takes each position of a ply once, with the number of lines that lead to it, so that a tree
    of millions of nodes costs no more than its positions. `limits.nodes` is of positions, `limits.depth` of plies.
    `progress` is told now and then at which ply the count is, and how many positions it has taken.

    >>> import noughts
    >>> found = count(noughts.load("tic-tac-toe"))
    >>> found.nodes, found.positions, found.classes, found.games
    (549946, 5478, 765, 255168)
    """
    game = game_of(game)
    counter = _Counter(game, Budget(limits), progress or (lambda _, __: None))
    plies: list[PlyCount] = []
    stopped: Stopped = "done"
    root = game.state(state)
    layer: _Layer[State] = {counter.offers.key(root): (root, 1)}
    try:
        while layer:
            if limits.depth is not None and len(plies) > limits.depth:
                raise OutOfBudget("depth limit")
            found, layer = counter.take(len(plies), layer)
            plies.append(found)
    except OutOfBudget as out:
        stopped = out.stopped
    return Counts(tuple(plies), counter.positions, counter.classes, stopped)


_Layer = dict[Hashable, tuple[State, int]]
"""The positions of a ply by key, each with how many lines of play lead to it."""


class _Counter(Generic[State, Action]):
    """Counts one ply after the other, and remembers the positions of all of them."""

    def __init__(self, game: Game[State, Action], budget: Budget, progress: Callable[[int, int], None]) -> None:
        self._game, self._budget, self._progress = game, budget, progress
        self.offers: ResolvedGame[State, Action] = resolve(game)
        self._symmetric = (self.offers.symmetries or self.offers.canonical) is not None
        self._seen: set[Hashable] = set()
        self._seen_classes: UpToSymmetry[State, None] = UpToSymmetry(self.offers, budget.check)
        self.positions = 0
        self.classes: int | None = 0 if self._symmetric else None

    def take(self, ply: int, layer: _Layer[State]) -> tuple[PlyCount, _Layer[State]]:
        """Return what there is in a layer, and the next one; totals only change once the layer is done."""
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
        if ply >= len(self._seen):  # a line that is longer than there are positions has met one of them twice
            raise EndlessGame(f"the game can go on for ever: a position repeats within {counted(ply, 'move')}")
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
        """Return how many classes of the states have not been seen, and take note of them."""
        new = 0
        for state in states:
            self._budget.check()
            if state not in seen:
                seen[state] = None
                new += 1
        return new


def nodes_past_wins(game: Game[Any, Any], state: Any = None) -> int | None:
    """Return how many nodes there would be if a completed line did not end the game; None where nobody can tell.

    In games of lines where any empty cell can be played, that is every order of filling the board, or part of it.

    >>> import noughts
    >>> nodes_past_wins(noughts.load("tic-tac-toe"))
    986410
    """
    if type(game) is not LineGame:  # not those made from it: there, other rules say where a mark may go
        return None
    root = game.initial() if state is None else state
    empty = game.longest - (root.first | root.second).bit_count()
    return sum(perm(empty, placed) for placed in range(empty + 1))


class SearchCount(NamedTuple):
    """How many nodes a search visits to value a state; it takes more than these if it was stopped."""

    search: str
    nodes: int
    stopped: Stopped


BARE = Options(table_mib=0, symmetry=0, principal=False, killers=False, history=False)
"""Alpha-beta as the textbook has it."""

EVERYWHERE = 1_000_000
"""Plies for which symmetry is looked for: all of them."""


def search_counts(
    game: Game[State, Action],
    state: State | None = None,
    *,
    counts: Counts | None = None,
    limits: Limits = Limits(),  # noqa: B008 - immutable
) -> Iterator[SearchCount]:
    """Run searches that take one means more each, from the same state to the end of the game, and yield their nodes.

    Minimax is not run: it visits every node, and those are counted. The limit of nodes holds for each search, that of
    time for all of them together, in equal shares.

    >>> import noughts
    >>> for each in search_counts(noughts.load("tic-tac-toe"), limits=Limits(nodes=10_000)):
    ...     print(f"{each.search}: {each.nodes:,} nodes, {each.stopped}")
    minimax: 549,946 nodes, done
    memo: 5,478 nodes, done
    alpha-beta: 10,000 nodes, node limit
    alpha-beta with a table: 4,535 nodes, done
    alpha-beta with a table and symmetry: 1,029 nodes, done
    alpha-beta with all it has: 575 nodes, done
    """
    game = as_game(game)
    root = game.initial() if state is None else state
    started = perf_counter()

    def share(of: int) -> Limits:
        """Return the limits of the next of so many searches, each of which may use what those before it left over."""
        if limits.seconds is None:
            return limits
        return limits._replace(seconds=max(0.0, limits.seconds - (perf_counter() - started)) / of)

    variants = list(_alphabetas(game))
    counts = counts or count(game, root, limits=share(of=len(variants) + 2))
    yield SearchCount("minimax", counts.nodes, counts.stopped)
    answer = Memo(game).value(root, share(of=len(variants) + 1))
    yield SearchCount("memo", answer.nodes, answer.stopped)
    for done, (name, searched, options) in enumerate(variants):
        limits_here = share(of=len(variants) - done)
        answer = alphabeta(searched, root, limits=limits_here, options=options, wanted="one")
        yield SearchCount(name, answer.nodes, answer.stopped)


def _alphabetas(game: Game[State, Action]) -> Iterator[tuple[str, Game[State, Action], Options]]:
    """Yield alpha-beta with ever more means: what it is called, the game as it sees it, and its options."""
    plain = _without_hints(game)
    yield "alpha-beta", plain, BARE
    yield "alpha-beta with a table", plain, BARE._replace(table_mib=64)
    offers = resolve(game)
    if (offers.symmetries or offers.canonical) is not None:
        yield "alpha-beta with a table and symmetry", plain, BARE._replace(table_mib=64, symmetry=EVERYWHERE)
    yield "alpha-beta with all it has", game, Options(symmetry=EVERYWHERE)


def _without_hints(game: Game[State, Action]) -> Game[State, Action]:
    """Return a game that states keys and symmetries, but no bounds and no order of its actions."""
    offers = resolve(game)
    bare: Any = SimpleNamespace(
        initial=game.initial,
        player=game.player,
        actions=game.actions,
        result=game.result,
        terminal=game.terminal,
        utility=game.utility,
        key=offers.key,
        symmetries=offers.symmetries,
        canonical=offers.canonical,
        utility_range=offers.utility_range,
    )
    if offers.scale != Scale():
        bare.longest = offers.scale.longest
    known: Game[State, Action] = bare
    return known
