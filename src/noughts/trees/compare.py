"""Compares what the searches cost on the same state: nodes, cutoffs and table hits."""

from time import perf_counter
from typing import Any, NamedTuple, get_args

from noughts.capabilities import ResolvedGame, resolve
from noughts.game import Game
from noughts.search.answer import Stopped
from noughts.search.events import Event
from noughts.search.limits import Budget, Limits, OutOfBudget
from noughts.search.variants import Variant, search_variant
from noughts.statistics.counts import count

__all__ = ["COMPARED", "Effort", "compare"]

COMPARED = 20_000
"""Nodes after which a search is stopped by default: well under a second in small games."""


class Effort(NamedTuple):
    """The cost of a search; a lower bound if it was stopped."""

    search: Variant
    nodes: int
    cutoffs: int
    hits: int
    """How often the table had a sufficient entry."""
    events: int
    """How many steps the search has in the stepper."""
    stopped: Stopped

    @property
    def complete(self) -> bool:
        """Whether the search finished."""
        return self.stopped == "done"


def compare(
    game: Game[Any, Any],
    state: Any = None,
    *,
    limits: Limits = Limits(nodes=COMPARED),  # noqa: B008 - immutable
) -> list[Effort]:
    """Run every search of a state, the initial one by default, to the end of the game, and return the cost of each.

    Minimax is not run: it visits every node, so nodes are counted instead. The node limit holds for each search, the
    time limit for all of them together, in equal shares.

    >>> import noughts
    >>> for each in compare(noughts.load("tic-tac-toe"), limits=Limits(nodes=10_000)):
    ...     print(f"{each.search}: {each.nodes:,} nodes, {each.cutoffs:,} cutoffs, {each.hits:,} hits, {each.stopped}")
    minimax: 549,946 nodes, 0 cutoffs, 0 hits, done
    alphabeta: 10,000 nodes, 3,655 cutoffs, 0 hits, node limit
    table: 5,481 nodes, 1,642 cutoffs, 1,729 hits, done
    symmetry: 1,308 nodes, 347 cutoffs, 421 hits, done
    principal: 1,238 nodes, 392 cutoffs, 407 hits, done
    bounds: 603 nodes, 202 cutoffs, 148 hits, done
    """
    game = resolve(game)
    root = game.state(state)
    searches: tuple[Variant, ...] = get_args(Variant)
    started = perf_counter()
    found: list[Effort] = []
    for search in searches:
        share = limits
        if limits.seconds is not None:  # time left over by earlier searches is shared by the later ones
            left = max(0.0, limits.seconds - (perf_counter() - started))
            share = limits._replace(seconds=left / (len(searches) - len(found)))
        found.append(_minimax(game, root, share) if search == "minimax" else _effort(game, root, search, share))
    whole, pruned = found[:2]
    # Minimax visits every node that alpha-beta visits, so its count is at least as high.
    if not whole.complete and pruned.nodes > whole.nodes:
        found[0] = whole._replace(nodes=pruned.nodes, events=2 * pruned.nodes)
    return found


def _minimax(game: ResolvedGame[Any, Any], state: Any, limits: Limits) -> Effort:
    counts = count(game, state, limits=limits)
    nodes = counts.nodes
    if counts.stopped == "node limit":  # the limit is of positions, and each has at least one node
        nodes = max(nodes, limits.nodes or 0)
    return Effort("minimax", nodes, 0, 0, 2 * nodes, counts.stopped)  # each node is entered and left


def _effort(game: ResolvedGame[Any, Any], state: Any, search: Variant, limits: Limits) -> Effort:
    budget = Budget(limits)
    counts = {"enter": 0, "cutoff": 0, "table": 0, "leave": 0}

    def observe(event: Event[Any, Any]) -> None:
        if event.kind == "enter":
            budget.visit()
        counts[event.kind] += 1

    stopped: Stopped = "done"
    try:
        search_variant(game, state, search, Budget(limits._replace(nodes=None)), observe)
    except OutOfBudget as out:
        stopped = out.stopped
    return Effort(search, counts["enter"], counts["cutoff"], counts["table"], sum(counts.values()), stopped)
