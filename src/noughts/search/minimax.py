"""Minimax as in the textbook: the oracle that every other search is tested against. Never optimised."""

from collections.abc import Hashable, Iterator

from noughts.capabilities import ResolvedGame, resolve
from noughts.errors import ENDLESS, BrokenGame, EndlessGame
from noughts.game import Action, Game, State, legal_actions, to_move
from noughts.score import one_ply_later, whole_utility
from noughts.search.answer import Answer, Scored, answer_from, unknown
from noughts.search.events import Observer, entered, left
from noughts.search.limits import Budget, Limits, OutOfBudget

__all__ = ["minimax"]


def minimax(
    game: Game[State, Action],
    state: State | None = None,
    *,
    limits: Limits = Limits(),  # noqa: B008 - immutable
    observer: Observer | None = None,
) -> Answer[Action]:
    """Value a state, the initial one by default, by visiting every node below it.

    Requires a game that ends, in fewer plies than Python's recursion limit allows. The answer takes the view of the
    player to move. It is proven unless a limit stops the search, and its nodes include the state itself.

    >>> import noughts
    >>> game = noughts.load("tic-tac-toe")
    >>> answer = minimax(game, noughts.replay(game, "5 1 3"))
    >>> answer.value, answer.best, answer.nodes
    ('draw', (7,), 933)
    """
    game = resolve(game)
    scale = game.scale
    budget = Budget(limits)

    def search(state: State, ply: int) -> tuple[int, tuple[Action, ...]]:
        """Return MAX's score of the state and one line of best play."""
        if ply > scale.longest:
            raise scale.too_long()
        if game.terminal(state):
            return scale.score(whole_utility(game.utility(state))), ()
        mover = to_move(game, state)
        best = max(outcomes(state, mover, ply), key=lambda scored: scored.score)
        return mover * best.score, (best.action, *best.line)

    def outcomes(state: State, mover: int, ply: int) -> Iterator[Scored[Action]]:
        """Yield the score of every action in the mover's view, so that MAX and MIN share one loop."""
        for action in legal_actions(game, state):
            budget.visit()
            child = game.result(state, action)
            if observer is not None:
                observer(entered(ply + 1, child, action))
            score, line = search(child, ply + 1)
            if observer is not None:
                observer(left(game, ply + 1, child, action, score))
            yield Scored(action, mover * one_ply_later(score), line)

    root = game.state(state)
    mover = to_move(game, root)
    ended, scored = None, []
    try:
        budget.visit()
        if observer is not None:
            observer(entered(0, root, None))
        if game.terminal(root):
            ended = mover * search(root, 0)[0]
        else:
            scored = list(outcomes(root, mover, 0))
        if observer is not None:
            best = max((each.score for each in scored), default=ended)
            assert best is not None
            observer(left(game, 0, root, None, mover * best))
    except RecursionError as error:
        if not _is_ours(error):
            raise
        if _repeats(game, error):
            raise EndlessGame(ENDLESS) from None
        raise BrokenGame("the game is too long for plain minimax, or never ends") from None
    except OutOfBudget as out:
        some = () if game.terminal(root) else tuple(legal_actions(game, root)[:1])
        return unknown("minimax", budget.nodes, budget.seconds, out.stopped, some)
    return answer_from(scored, ended=ended, scale=scale, method="minimax", nodes=budget.nodes, seconds=budget.seconds)


def _repeats(game: ResolvedGame[State, Action], error: RecursionError) -> bool:
    """Return whether a position was repeated on the path that the search had followed."""
    seen: set[Hashable] = set()
    trace = error.__traceback__
    while trace is not None:
        frame = trace.tb_frame
        if frame.f_code.co_filename == __file__ and frame.f_code.co_name == "search":
            key = game.key(frame.f_locals["state"])
            if key in seen:
                return True
            seen.add(key)
        trace = trace.tb_next
    return False


def _is_ours(error: RecursionError) -> bool:
    """Return whether the search went too deep, rather than a function of the game."""
    ours = others = 0
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == __file__:
            ours += 1
        else:
            others += 1
        trace = trace.tb_next
    return ours > others
