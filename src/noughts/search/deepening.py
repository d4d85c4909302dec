"""Iterative deepening: search one ply ahead, then two, and so on, so that there is an answer whenever time runs out."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from noughts.game import Action, Game, State
from noughts.score import Value
from noughts.search.alphabeta import NO_HORIZON, AlphaBeta, Wanted
from noughts.search.answer import Answer, Stopped, refined
from noughts.search.drivers import Options, answer_at_root, answer_when_stopped, run
from noughts.search.limits import Limits, OutOfBudget

__all__ = ["Progress", "deepening"]

FURTHEST = 100_000
"""How many plies ahead a search looks where positions may repeat, so that it ends even if there is no other limit."""


class Progress(NamedTuple):
    """The progress of a search."""

    depth: int
    nodes: int
    seconds: float
    line: tuple[str, ...]
    """The names of the actions in the best line so far; for a kernel, the action that it is searching."""
    window: tuple[tuple[Value, int | None], ...] = ()
    """For a kernel: the worst and the best result still possible in the position that it is searching."""


def deepening(
    game: Game[State, Action],
    state: State | None = None,
    *,
    limits: Limits = Limits(),  # noqa: B008 - immutable
    options: Options = Options(),  # noqa: B008
    wanted: Wanted = "best",
    progress: Callable[[Progress], None] | None = None,
) -> Answer[Action]:
    """Value a state, the initial one by default, by alpha-beta to greater and greater depth, until proven or stopped.

    There is always a legal action in `choice`. When a limit stops the search, the answer is that of the last finished
    depth. If `all` actions are wanted and the value is proven, the rest of the budget goes to the other actions.

    >>> import noughts
    >>> game = noughts.load("connect-four")
    >>> answer = deepening(game, noughts.replay(game, "4443"), limits=Limits(depth=3))
    >>> answer.value, answer.distance, answer.depth, len(answer.line)
    ('unknown', None, 3, 3)
    """

    def search(alpha_beta: AlphaBeta[State, Action], root: State) -> Answer[Action]:
        last: Answer[Action] | None = None
        endless, all_too = options.endless, False
        deepest = min(limits.depth or NO_HORIZON, FURTHEST if endless else NO_HORIZON)
        stopped: Stopped = "depth limit"
        name, budget = alpha_beta.game.action_name, alpha_beta.budget
        try:
            for depth in _depths(deepest):
                found = alpha_beta.root(root, depth, "best" if wanted == "all" and not all_too else wanted)
                last = answer_at_root(alpha_beta, root, found, depth, "done")
                if progress is not None:
                    progress(Progress(depth, budget.nodes, budget.seconds, tuple(map(name, last.line))))
                if alpha_beta.is_settled(found):
                    if endless and wanted == "all" and not all(each.exact for each in last.actions):
                        all_too = True  # without a horizon the other actions may take for ever
                        continue
                    stopped = "done"
                    break
            if stopped == "done" and wanted == "all" and not endless:
                last = answer_at_root(alpha_beta, root, alpha_beta.root(root, deepest, "all"), deepest, "done")
        except OutOfBudget as out:
            if last is None:
                return answer_when_stopped(alpha_beta, root, 1, out.stopped)
            if stopped == "done" or all_too:  # stopped while valuing the other actions
                partial = answer_when_stopped(alpha_beta, root, depth if endless else deepest, out.stopped)
                last = last._replace(actions=refined(last.actions, partial.actions, alpha_beta.game.scale))
            stopped = out.stopped
        assert last is not None
        return last._replace(stopped=stopped)

    return run(game, state, limits, options, "deepening", search)


def _depths(deepest: int) -> Iterator[int]:
    """Yield 1, 2, 3 and so on. Steps grow with the depth, or a long game with few choices would take for ever."""
    depth = 1
    while depth < deepest:
        yield depth
        depth += 1 + depth // 32
    yield deepest
