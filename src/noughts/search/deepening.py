"""Iterative deepening: look one ply ahead, then two, and so on, with an answer at hand whenever time runs out."""

from collections.abc import Callable
from itertools import count
from typing import NamedTuple

from noughts.game import Action, Game, State, legal_actions
from noughts.search.alphabeta import INFINITE, AlphaBeta, Options, RootScores, Wanted, answer_at_root, run
from noughts.search.answer import Answer, Stopped, unknown
from noughts.search.limits import Limits, OutOfBudget

__all__ = ["Progress", "deepening"]


class Progress(NamedTuple):
    """How far a search has come."""

    depth: int
    nodes: int
    seconds: float
    line: tuple[str, ...]
    """The best line so far, by the names of its actions."""


def deepening(
    game: Game[State, Action],
    state: State | None = None,
    *,
    limits: Limits = Limits(),  # noqa: B008 - immutable
    options: Options = Options(),  # noqa: B008
    wanted: Wanted = "best",
    progress: Callable[[Progress], None] | None = None,
) -> Answer[Action]:
    """Value a state, the initial one by default, by alpha-beta to ever greater depth, until it is proven or limits stop.

    There is always a legal action in `best`. When stopped, the answer is that of the last depth that was finished.
    Once the value is proven and `all` actions are wanted, what is left of the budget goes to the others.

    >>> import noughts
    >>> game = noughts.load("connect-four")
    >>> answer = deepening(game, noughts.replay(game, "444441 32"), limits=Limits(depth=6))
    >>> answer.value, answer.distance, answer.best
    ('unknown', None, (3,))
    """

    def search(alpha_beta: AlphaBeta[State, Action], root: State) -> Answer[Action]:
        last: tuple[RootScores[Action], int] | None = None
        stopped: Stopped = "depth limit"
        name = alpha_beta.offers.name
        try:
            for depth in count(1) if limits.depth is None else range(1, limits.depth + 1):
                found = alpha_beta.root(root, depth, "best" if wanted == "all" else wanted)
                last = found, depth
                if progress is not None:
                    best = answer_at_root(alpha_beta, root, found, depth, "done")
                    budget = alpha_beta.budget
                    progress(Progress(depth, budget.nodes, budget.seconds, tuple(map(name, best.line))))
                if alpha_beta.is_settled(found):
                    stopped = "done"
                    break
            if stopped == "done" and wanted == "all":
                last = alpha_beta.root(root, limits.depth or INFINITE, "all"), limits.depth or INFINITE
        except OutOfBudget as out:
            if stopped != "done":
                stopped = out.stopped
        if last is None:
            actions = legal_actions(alpha_beta.game, root)
            first = next((action for action in alpha_beta.offers.preferred if action in actions), actions[0])
            return unknown("", 0, 0.0, stopped)._replace(best=(first,), line=(first,), depth=0)
        return answer_at_root(alpha_beta, root, *last, stopped)

    return run(game, state, limits, options, "deepening", search)
