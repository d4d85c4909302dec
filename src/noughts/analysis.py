"""The two questions people ask: what is this position worth, and what does each action lead to?"""

from collections.abc import Callable
from typing import Generic

from noughts.game import Action, Game, State, as_game
from noughts.search.alphabeta import Options, Wanted
from noughts.search.answer import Answer
from noughts.search.deepening import Progress, deepening
from noughts.search.limits import Limits
from noughts.search.memo import Memo
from noughts.search.table import Table

__all__ = ["Analyst", "analyse", "value"]

SMALL = 20_000
"""A game of no more positions than this is solved whole, by memo; a larger one is searched."""


class Analyst(Generic[State, Action]):
    """Answers questions about one game by the strongest method at hand, and learns from each for the next."""

    def __init__(self, game: Game[State, Action], table_mib: float = 64) -> None:
        self._game = as_game(game)
        self._memo: Memo[State, Action] = Memo(self._game)
        self._table = Table(table_mib)

    def ask(
        self,
        state: State,
        limits: Limits = Limits(),  # noqa: B008 - immutable
        wanted: Wanted = "all",
        progress: Callable[[Progress], None] | None = None,
    ) -> Answer[Action]:
        """Value a state; `wanted` says of which actions. There is always a legal action in `best`."""
        spent_nodes, spent_seconds = 0, 0.0
        if limits.depth is None:
            # If it comes to nothing, most of the budget must be left for the search.
            nodes = SMALL if limits.nodes is None else min(SMALL, limits.nodes // 4)
            seconds = None if limits.seconds is None else limits.seconds / 4
            whole = self._memo.analyse if wanted == "all" else self._memo.value
            answer = whole(state, limits._replace(nodes=nodes, seconds=seconds))
            if answer.proven:
                return answer
            spent_nodes, spent_seconds = answer.nodes, answer.seconds
        left = limits._replace(
            nodes=None if limits.nodes is None else max(0, limits.nodes - spent_nodes),
            seconds=None if limits.seconds is None else max(0.0, limits.seconds - spent_seconds),
        )
        options = Options(table=self._table)
        answer = deepening(self._game, state, limits=left, options=options, wanted=wanted, progress=progress)
        return answer._replace(nodes=answer.nodes + spent_nodes, seconds=answer.seconds + spent_seconds)


def analyse(
    game: Game[State, Action],
    state: State | None = None,
    *,
    depth: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    cancel: Callable[[], bool] | None = None,
    table_mib: float = 64,
    progress: Callable[[Progress], None] | None = None,
) -> Answer[Action]:
    """Value a state, the initial one by default, with every action, by the strongest method at hand.

    The answer takes the view of the player to move. Within limits it may be "unknown", and says why; it always
    holds a legal action.

    >>> import noughts
    >>> game = noughts.load("tic-tac-toe")
    >>> answer = analyse(game, noughts.replay(game, "5 2"))
    >>> answer.value, answer.distance, answer.best
    ('win', 5, (1, 3, 4, 6, 7, 9))
    >>> analyse(game, nodes=10).stopped
    'node limit'
    """
    game = as_game(game)
    root = game.initial() if state is None else state
    return Analyst(game, table_mib).ask(root, Limits(nodes, seconds, cancel, depth), "all", progress)


def value(
    game: Game[State, Action],
    state: State | None = None,
    *,
    depth: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    cancel: Callable[[], bool] | None = None,
    table_mib: float = 64,
    progress: Callable[[Progress], None] | None = None,
) -> Answer[Action]:
    """Value a state as `analyse` does, with one best action: the cheapest question.

    >>> import noughts
    >>> game = noughts.load("tic-tac-toe")
    >>> value(game, noughts.replay(game, "1 9")).best
    (3,)
    """
    game = as_game(game)
    root = game.initial() if state is None else state
    return Analyst(game, table_mib).ask(root, Limits(nodes, seconds, cancel, depth), "one", progress)
