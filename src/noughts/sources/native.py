"""The kernel of a game by name: whichever search its rules are for."""

from collections.abc import Callable

from noughts.capabilities import resolve
from noughts.compiled.rules import rules_of
from noughts.game import Action, Game, State
from noughts.kept import kept
from noughts.search.alphabeta import Wanted
from noughts.search.answer import Answer
from noughts.search.deepening import Progress
from noughts.search.limits import Limits
from noughts.sources.deep import DeepNative
from noughts.sources.kernel import NativeSearch
from noughts.sources.plain import PlainNative

__all__ = ["kernel", "native_search"]


def native_search(
    game: Game[State, Action], table_mib: float = 64, threads: int | None = None
) -> NativeSearch[State, Action]:
    """Return the search at native speed that the rules of a game's kernel are for; without rules, by its functions.

    Raises NoKernel if numba is not installed.
    """
    offered = resolve(game).kernel()
    if offered is None:
        return PlainNative(game, table_mib)
    return (DeepNative if rules_of(offered).is_deep else NativeSearch)(game, table_mib, threads)


def kernel(
    game: Game[State, Action],
    state: State | None = None,
    *,
    limits: Limits = Limits(),  # noqa: B008 - immutable
    wanted: Wanted = "best",
    progress: Callable[[Progress], None] | None = None,
) -> Answer[Action]:
    """Value a state, the initial one by default, at native speed, by the game's kernel, on all cores.

    A game without a kernel is searched by its six functions, if these can be compiled. Raises an error of one line if
    not, and NoKernel if numba is not installed or cannot be loaded.

    >>> import noughts
    >>> game = noughts.load("connect-four")
    >>> answer = kernel(game, noughts.replay(game, "4444445522222"), wanted="one")
    >>> answer.value, answer.distance, answer.method
    ('win', 21, 'kernel')
    """
    resolved = resolve(game)
    native: NativeSearch[State, Action] = kept(resolved.game, native_search)
    return native.ask(resolved.state(state), limits, wanted, progress)
