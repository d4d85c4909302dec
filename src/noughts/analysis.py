"""The two questions people ask: what is this position worth, and what does each action lead to?"""

from collections.abc import Callable
from functools import partial, reduce
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any, Generic

from noughts.capabilities import resolve
from noughts.errors import NoKernel
from noughts.game import Action, Game, State, as_game
from noughts.notices import tell_once
from noughts.search.alphabeta import Wanted
from noughts.search.answer import Answer, Stopped
from noughts.search.deepening import Progress, deepening
from noughts.search.drivers import Options, alphabeta
from noughts.search.limits import Limits, OutOfBudget
from noughts.search.memo import Memo
from noughts.search.table import Table

if TYPE_CHECKING:
    from noughts.compiled.answers import KernelAnalyst

__all__ = ["Analyst", "analyse", "value"]

SMALL = 20_000
"""A game of no more positions than this is solved whole, by memo."""

GLANCE = 4
"""Plies to look ahead before anything that takes long, so that there is something to say when it is stopped."""

MIDDLING = 400_000
"""A game that takes no more nodes than this is searched to its end at once; a larger one ply by ply."""


FEW = 10_000
"""With fewer nodes to spend than this, a kernel is not worth loading."""


class Analyst(Generic[State, Action]):
    """Answers questions about one game by the strongest method at hand, and learns from each for the next.

    Threads may share one, and callbacks of a question may ask it another. Each question has its own budget, path and
    order of actions. Shared are: the memo, whose scores are exact and never change; the table, whose entries are
    immutable and hold whole keys; the kernel, of which `noughts.compiled.table` says why it is safe. A copy, by `copy`
    or `pickle`, is an analyst of the same game who has learned nothing yet.

    A kernel uses as many `threads` as there are cores, unless told otherwise. A `patient` analyst has it compiled
    before the first question that needs it, however little time there is for the answer.
    """

    def __init__(
        self,
        game: Game[State, Action],
        table_mib: float = 64,
        *,
        threads: int | None = None,
        patient: bool = False,
    ) -> None:
        self._game = as_game(game)
        self._memo: Memo[State, Action] = Memo(self._game)
        self._options = Options(table=Table(table_mib))
        self._table_mib, self._threads, self._patient = table_mib, threads, patient
        self._kernels: list[KernelAnalyst[State, Action] | None] = []

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(Analyst, threads=self._threads, patient=self._patient), (self._game, self._table_mib)

    @property
    def _kernel(self) -> "KernelAnalyst[State, Action] | None":
        """The game's kernel, if it has one and numba is installed; the same for all who ask."""
        if not self._kernels:
            self._kernels.append(self._new_kernel())  # by several at once perhaps: all take the first
        return self._kernels[0]

    def _new_kernel(self) -> "KernelAnalyst[State, Action] | None":
        if resolve(self._game).kernel() is None:
            return None
        from noughts.compiled.answers import KernelAnalyst, has_no_margins
        from noughts.compiled.build import available

        if not available() or not has_no_margins(resolve(self._game).utility_range):
            return None
        return KernelAnalyst(self._game, self._table_mib, self._threads)

    @property
    def bytes(self) -> int:
        """About how much memory it takes to keep what was learnt."""
        kernel, table = self._kernels[0] if self._kernels else None, self._options.table
        return self._memo.bytes + (0 if table is None else table.bytes) + (0 if kernel is None else kernel.bytes)

    def solves_all(self, seconds: float, limits: Limits = Limits()) -> bool:  # noqa: B008 - immutable
        """Solve the whole game, so that every answer is at hand; say whether it is small enough for that.

        It may take so many seconds of the processor, whatever else runs on it, and no more than the limits allow.
        """
        end = process_time() + seconds

        def over() -> bool:
            return process_time() > end or (limits.cancel is not None and limits.cancel())

        return self._memo.value(self._game.initial(), limits._replace(nodes=SMALL, cancel=over)).proven

    def ask(
        self,
        state: State,
        limits: Limits = Limits(),  # noqa: B008 - immutable
        wanted: Wanted = "all",
        progress: Callable[[Progress], None] | None = None,
    ) -> Answer[Action]:
        """Value a state; `wanted` says of which actions. There is always a legal action in `best`.

        A game of few positions is solved whole. Else its kernel searches it to the end, if it has one and there is time
        to load it. Without, it is searched to the end if that is quick, and else ever further ahead.
        """
        nodes, seconds = 0, 0.0
        tried_natively = False

        def left(share: float = 1.0, most: int | None = None) -> Limits:
            nodes_left = None if limits.nodes is None else max(0, int((limits.nodes - nodes) * share))
            return limits._replace(
                nodes=most if nodes_left is None else nodes_left if most is None else min(most, nodes_left),
                seconds=None if limits.seconds is None else max(0.0, (limits.seconds - seconds) * share),
            )

        def whole_game() -> Answer[Action]:
            memo = self._memo
            return (memo.value if wanted == "one" else memo.analyse)(state, left(0.25, SMALL))

        def glance() -> Answer[Action]:
            # With a table of its own: what looks best so near misleads a search to the end.
            limits = left(0.25)._replace(depth=GLANCE)
            return deepening(self._game, state, limits=limits, options=Options(table_mib=1), wanted=wanted)

        def to_the_end() -> Answer[Action] | None:
            if tried_natively:
                return None
            limits = left(0.25, MIDDLING)
            return alphabeta(self._game, state, limits=limits, options=self._options, wanted=wanted)

        def ever_further() -> Answer[Action]:
            return deepening(self._game, state, limits=left(), options=self._options, wanted=wanted, progress=progress)

        def natively() -> Answer[Action] | None:
            nonlocal seconds, tried_natively
            kernel = self._kernel
            if kernel is None or (limits.nodes is not None and limits.nodes < FEW):
                return None
            if limits.cancel is not None and limits.cancel():
                return None
            to_load = left()
            if self._patient:
                to_load = to_load._replace(seconds=None)
            started = perf_counter()
            try:
                if to_load.seconds is not None and kernel.seconds_to_start > to_load.seconds:
                    return None
                kernel.load(to_load)
            except OutOfBudget:
                return None
            except NoKernel as why:
                tell_once(f"the search is interpreted, which is slower: {why}")
                return None
            finally:
                seconds += 0.0 if to_load.seconds is None else perf_counter() - started
            # Something is left for looking ahead, in case it does not come to the end.
            tried_natively = True
            return kernel.ask(state, left(0.75), wanted, progress)

        attempts: list[Callable[[], Answer[Action] | None]] = [ever_further]
        if limits.depth is None:
            attempts = [whole_game, glance, natively, to_the_end, ever_further]
        best = None
        stopped: Stopped = "done"
        for attempt in attempts:
            answer = attempt()
            if answer is None:
                continue
            stopped = answer.stopped
            nodes, seconds = nodes + answer.nodes, seconds + answer.seconds
            further = best is None or (not best.bound and (answer.depth or 0) >= (best.depth or 0))
            if answer.proven or answer.bound or further:
                best = answer
            if answer.proven or (answer.stopped == "cancelled" and best is not None and best.best):
                break
        assert best is not None
        if best.proven and not best.line_complete and best.line:
            # What is left goes into the rest of the line.
            end = reduce(self._game.result, best.line, state)
            rest = left()
            if rest.nodes != 0 and rest.seconds != 0 and not (rest.cancel is not None and rest.cancel()):
                follows = self.ask(end, rest, "one")
                nodes, seconds = nodes + follows.nodes, seconds + follows.seconds
                if follows.proven:
                    line = (*best.line, *follows.line)
                    best = best._replace(line=line, line_complete=follows.line_complete)
        return best._replace(nodes=nodes, seconds=seconds, stopped=stopped)


def analyse(
    game: Game[State, Action],
    state: State | None = None,
    *,
    depth: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    cancel: Callable[[], bool] | None = None,
    table_mib: float = 64,
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Answer[Action]:
    """Value a state, the initial one by default, with every action, by the strongest method at hand.

    The answer takes the view of the player to move. Within limits it may be "unknown", and says why; it always
    holds a legal action. `method` says how it was found: "memo", "kernel", "alphabeta" or "deepening".

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
    return Analyst(game, table_mib, threads=threads).ask(root, Limits(nodes, seconds, cancel, depth), "all", progress)


def value(
    game: Game[State, Action],
    state: State | None = None,
    *,
    depth: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    cancel: Callable[[], bool] | None = None,
    table_mib: float = 64,
    threads: int | None = None,
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
    return Analyst(game, table_mib, threads=threads).ask(root, Limits(nodes, seconds, cancel, depth), "one", progress)
