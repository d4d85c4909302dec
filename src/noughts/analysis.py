"""The two questions people ask: what is this position worth, and what does each action lead to?"""

from collections.abc import Callable

from noughts.game import Action, Game, State, as_game
from noughts.search.answer import Answer
from noughts.search.limits import Limits
from noughts.search.memo import Memo

__all__ = ["analyse", "value"]


def analyse(
    game: Game[State, Action],
    state: State | None = None,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    cancel: Callable[[], bool] | None = None,
) -> Answer[Action]:
    """Value a state, the initial one by default, with every action, by the strongest method at hand.

    The answer takes the view of the player to move. Within limits it may be "unknown", and says why.

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
    return Memo(game).analyse(root, Limits(nodes, seconds, cancel))


def value(
    game: Game[State, Action],
    state: State | None = None,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    cancel: Callable[[], bool] | None = None,
) -> Answer[Action]:
    """Value a state as `analyse` does, with one best action: the cheapest question.

    >>> import noughts
    >>> game = noughts.load("tic-tac-toe")
    >>> value(game, noughts.replay(game, "1 9")).best
    (3,)
    """
    game = as_game(game)
    root = game.initial() if state is None else state
    return Memo(game).value(root, Limits(nodes, seconds, cancel))
