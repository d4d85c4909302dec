"""Alpha-beta to the end of a game or to a given depth, and what all drivers of alpha-beta share."""

from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple

from noughts.capabilities import resolve
from noughts.game import Action, Game, State, to_move
from noughts.score import value_of, whole_utility
from noughts.search.alphabeta import NO_HORIZON, UNIT, AlphaBeta, RootScores, Wanted, earlier
from noughts.search.answer import ActionValue, Answer, Stopped, action_value, answer_between, answer_from
from noughts.search.events import Observer
from noughts.search.limits import Budget, Limits, OutOfBudget
from noughts.search.recursion_limit import deep_recursion
from noughts.search.table import Table
from noughts.search.traced import TracedAlphaBeta

__all__ = ["Options", "alphabeta", "answer_at_root", "answer_when_stopped", "run"]


class Options(NamedTuple):
    """How to search. None of the options changes an answer; they change the time and memory that it takes."""

    table_mib: float = 64
    """Size of the transposition table; 0 for no table."""
    table: Table | None = None
    """A table to use instead of a new one of `table_mib`."""
    symmetry: int = 4
    """The number of plies in which symmetric positions share an entry; this and the rest as in `AlphaBeta`."""
    principal: bool = True
    killers: bool = True
    history: bool = True
    observer: Observer | None = None
    """Called with each event of the search."""
    endless: bool = False
    """Whether to look ahead although positions may repeat; with a limit of depth, that is so in any case."""


def run(
    game: Game[State, Action],
    state: State | None,
    limits: Limits,
    options: Options,
    method: str,
    search: Callable[[AlphaBeta[State, Action], State], Answer[Action]],
) -> Answer[Action]:
    """Set up alpha-beta and return the answer of `search(alpha_beta, root)`; a finished game needs no search."""
    game = resolve(game)
    root = game.state(state)
    budget = Budget(limits)
    table = options.table
    if table is None and options.table_mib:
        table = Table(options.table_mib)
    parts: dict[str, Any] = {
        "table": table,
        "symmetry": 0 if table is None else options.symmetry,
        "principal": options.principal,
        "killers": options.killers,
        "history": options.history,
        "endless": options.endless or limits.depth is not None,
    }
    alpha_beta: AlphaBeta[State, Action]
    if options.observer is None:
        alpha_beta = AlphaBeta(game, budget, **parts)
    else:
        alpha_beta = TracedAlphaBeta(game, budget, options.observer, **parts)
    if game.terminal(root):
        ended = alpha_beta.game.scale.score(to_move(game, root) * whole_utility(game.utility(root)))
        return answer_from([], ended=ended, scale=alpha_beta.game.scale, method=method, nodes=1, seconds=0.0)
    with deep_recursion():
        answer = search(alpha_beta, root)
    return answer._replace(method=method, nodes=budget.nodes, seconds=budget.seconds)


def answer_at_root(
    alpha_beta: AlphaBeta[State, Action],
    state: State,
    found: RootScores[Action],
    depth: int,
    stopped: Stopped,
) -> Answer[Action]:
    """Build the answer from the scores at the root, and claim no more than they prove.

    A search to the end proves everything. A search that met the horizon proves wins and losses, since neither rests on
    an estimate; where margins count, these are bounds. Everything else is unknown, and `guess` is what looks best.
    """
    scale = alpha_beta.game.scale
    proven = alpha_beta.is_settled(found)
    score = found.best // UNIT if found.complete or abs(found.best) >= UNIT else None
    bound: Literal["lower", "upper"] | None = None
    if score is not None and not proven:
        bound = "lower" if score > 0 else "upper"

    best = tuple(action for action, score, exact in found.scores if exact and score == found.best)
    # The table can hold an end of the game beyond the depth asked for.
    line_depth = NO_HORIZON if found.complete else max(depth, (score and scale.distance(score)) or 0)
    line, line_complete = _line(alpha_beta, state, best[0], found.best, line_depth)
    return Answer(
        value=value_of(score),
        distance=None if score is None or not proven else scale.distance(score),
        margin=None if score is None else scale.utility(score),
        score=score if proven else None,
        best=best if proven else (),
        line=line,
        actions=tuple(_rows(alpha_beta, found)),
        proven=proven,
        bound=bound,
        depth=None if found.complete else depth,
        method="",
        nodes=0,
        seconds=0.0,
        stopped=stopped,
        line_complete=line_complete,
        guess=() if proven else best,
        low=score if proven or bound == "lower" else None,
        high=score if proven or bound == "upper" else None,
    )


def answer_when_stopped(
    alpha_beta: AlphaBeta[State, Action],
    state: State,
    depth: int,
    stopped: Stopped,
    low: int | None = None,
    high: int | None = None,
) -> Answer[Action]:
    """Build the answer of a search that was stopped: the bounds that it had proven, and a guess.

    `low` and `high` are proven bounds of the root in the units of `AlphaBeta`; plus or minus infinite is no bound.
    """
    found = RootScores(alpha_beta.partial, 0, complete=depth == NO_HORIZON, depth=depth)
    known = {each.action: each for each in _rows(alpha_beta, found)}
    scale = alpha_beta.game.scale
    rows = [known.get(each) or action_value(each, None, scale) for each in alpha_beta.game.legal_actions(state)]
    wins = [each for each in rows if each.exact and each.value == "win"]
    guess = (max(wins, key=lambda each: each.low or 0).action,) if wins else alpha_beta.without_search(state)
    return answer_between(
        rows if known else (),
        None if low is None or low <= -alpha_beta.infinite else -(-low // UNIT),
        None if high is None or high >= alpha_beta.infinite else high // UNIT,
        scale=scale,
        method="",
        nodes=0,
        seconds=0.0,
        stopped=stopped,
        guess=guess,
        depth=0,
    )


def _rows(alpha_beta: AlphaBeta[State, Action], found: RootScores[Action]) -> Iterator[ActionValue[Action]]:
    """Yield the proven value of each action that was searched; a score that rests on an estimate is unknown."""
    for action, score, exact in found.scores:
        certain = found.complete or alpha_beta.is_settled(found._replace(best=score))
        yield action_value(action, score // UNIT if certain else None, alpha_beta.game.scale, exact)


def _line(
    alpha_beta: AlphaBeta[State, Action], state: State, action: Action, score: int, depth: int
) -> tuple[tuple[Action, ...], bool]:
    """Return best play from the root, as far as the budget allows, and whether it reaches the end of the game."""
    game = alpha_beta.game
    child = game.result(state, action)
    if game.terminal(child):
        return (action,), True
    same = game.player(child) == game.player(state)
    found = [action]
    line = alpha_beta.line(child, earlier(score) * (1 if same else -1), depth - 1)
    try:
        while True:
            found.append(next(line))
    except StopIteration as end:
        return tuple(found), end.value
    except OutOfBudget:
        return tuple(found), False


def alphabeta(
    game: Game[State, Action],
    state: State | None = None,
    *,
    limits: Limits = Limits(),  # noqa: B008 - immutable
    options: Options = Options(),  # noqa: B008
    wanted: Wanted = "best",
) -> Answer[Action]:
    """Value a state, the initial one by default, by alpha-beta to the end of the game, or to `limits.depth`.

    The answer takes the view of the player to move. `best` holds every best action, or a single one if only `one` is
    wanted. The other actions have exact values if `all` are wanted, else upper bounds.

    >>> import noughts
    >>> game = noughts.load("mnk:4,3,3")
    >>> answer = alphabeta(game)
    >>> answer.value, answer.distance, [game.action_name(cell) for cell in answer.best]
    ('win', 7, ['b1', 'c1', 'b2', 'c2', 'b3', 'c3'])
    """

    def search(alpha_beta: AlphaBeta[State, Action], root: State) -> Answer[Action]:
        depth = min(limits.depth or NO_HORIZON, NO_HORIZON)
        try:
            found = alpha_beta.root(root, depth, wanted)
        except OutOfBudget as out:
            return answer_when_stopped(alpha_beta, root, depth, out.stopped)
        stopped: Stopped = "done" if found.complete or depth == NO_HORIZON else "depth limit"
        return answer_at_root(alpha_beta, root, found, depth, stopped)

    return run(game, state, limits, options, "alphabeta", search)
