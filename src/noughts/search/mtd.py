"""MTD(f): finds the value by a series of null-window alpha-beta searches, each of which tests one bound."""

from noughts.game import Action, Game, State, to_move
from noughts.search.alphabeta import NO_HORIZON, AlphaBeta, Wanted
from noughts.search.answer import Answer, Stopped
from noughts.search.drivers import Options, answer_at_root, answer_when_stopped, run
from noughts.search.limits import Limits, OutOfBudget

__all__ = ["mtd"]


def mtd(
    game: Game[State, Action],
    state: State | None = None,
    *,
    limits: Limits = Limits(),  # noqa: B008 - immutable
    options: Options = Options(),  # noqa: B008
    wanted: Wanted = "best",
    guess: int = 0,
) -> Answer[Action]:
    """Value a state, the initial one by default; the closer the first `guess` of the score, the fewer searches.

    A driver of alpha-beta with the same answers. It needs the table: without one, each search repeats the work of the
    last.

    >>> import noughts
    >>> mtd(noughts.load("cube:3")).value
    'win'
    """

    def search(alpha_beta: AlphaBeta[State, Action], root: State) -> Answer[Action]:
        depth = min(limits.depth or NO_HORIZON, NO_HORIZON)
        mover = to_move(alpha_beta.game, root)
        low, high, score = -alpha_beta.infinite, alpha_beta.infinite, guess
        try:
            while low < high:
                beta = score + 1 if score == low else score
                score = alpha_beta.search(root, mover, beta - 1, beta, depth, 0)
                if score < beta:
                    high = score
                else:
                    low = score
            found = alpha_beta.root(root, depth, wanted, known_best=score)
        except OutOfBudget as out:
            if depth < NO_HORIZON:  # the bounds rest on estimates
                low, high = -alpha_beta.infinite, alpha_beta.infinite
            return answer_when_stopped(alpha_beta, root, depth, out.stopped, low, high)
        stopped: Stopped = "done" if found.complete or depth == NO_HORIZON else "depth limit"
        return answer_at_root(alpha_beta, root, found, depth, stopped)

    return run(game, state, limits, options, "mtd", search)
