"""The engine: one object that answers every question about one game, by the cheapest source that can.

What a question costs is what its source costs: an answer that was given before, microseconds; a solved game or a
position that a kernel settles, little more; a search, as long as its limits allow.
"""

import os
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import cached_property, partial, reduce
from itertools import chain
from math import inf
from typing import TYPE_CHECKING, Any, Generic

from noughts.capabilities import ResolvedGame, resolve
from noughts.game import Action, Game, State
from noughts.kept import kept
from noughts.search.alphabeta import Wanted
from noughts.search.answer import Answer, as_known
from noughts.search.deepening import Progress
from noughts.search.limits import Budget, Limits
from noughts.search.table import size_of
from noughts.sources.interpreted import SHARE, AtLeisure, AtOnce, Glance, LookAhead, Proofs, ToTheEnd
from noughts.sources.question import Question, Source
from noughts.sources.solved import SolvedGame

if TYPE_CHECKING:
    from noughts.sources import kernel, kernel_attempts, plain
    from noughts.sources.book import OpeningBook
    from noughts.sources.table import TableSource
    from noughts.sources.theory import TheoryOf
    from noughts.tables.table import Table

__all__ = ["Engine", "analyse", "engine_of", "game_of", "value"]

TABLE_MIB = 64
"""The default size of a search's transposition table, in mebibytes."""

TINY = 6_000
"""A game of no more positions than this is solved rather than its kernel loaded."""

LINE_NODES = 8_000
"""How many nodes an engine visits for each further step of a line of best play, once all values are known.

So the line ends soon after the last ply of a book, where it would take seconds, and the values nothing.
"""

MOST_ANSWERS = 50_000
"""How many complete answers are kept; then the oldest are dropped."""


class Engine(Generic[State, Action]):
    """Answers questions about one game, for as long as you keep it, and learns from each for the next.

    It knows the game's sources (an opening book, a solved game, a theory, a kernel, interpreted search) and asks them
    in order of cost. An attempt that has failed once is not repeated. Threads may share an engine, and a callback of
    one question may ask another: each question has its own budget and path, and what is shared (answers, exact scores,
    tables) is safe to share. A copy, by `copy` or `pickle`, is an engine of the same game that has learnt nothing yet.

    `table_mib` is the size of each search's table. A kernel uses `threads` threads, one for each core by default. A
    `table` is asked first: the one that is given or, by default, one of the game in the user's folder of tables.

    >>> import noughts
    >>> engine = Engine(noughts.load("tic-tac-toe"))
    >>> engine.value().value, engine.analyse().best
    ('draw', (1, 2, 3, 4, 5, 6, 7, 8, 9))
    """

    def __init__(
        self,
        game: Game[State, Action],
        *,
        table_mib: float = TABLE_MIB,
        threads: int | None = None,
        table: "Table[State, Action] | str | os.PathLike[str] | None" = None,
    ) -> None:
        self.game = resolve(game)
        self._table = _table_of(self.game, table)
        self._sizes = table_mib, threads
        self._solved: SolvedGame[State, Action] = SolvedGame(self.game)
        self._book, self._theory = _book_of(self.game), _theory_of(self.game)
        self._proofs: Proofs[State, Action] = Proofs(self.game, table_mib)
        self._at_once = AtOnce(self._proofs)
        in_order = self._book, self._solved, self._theory, self._at_once
        self._at_hand = tuple(each for each in in_order if each is not None)
        """The sources that answer without a long search, in the order in which they are asked."""
        self._answers: dict[tuple[Wanted, Hashable], Answer[Action]] = {}

    @cached_property
    def _searches(self) -> "_Searches[State, Action]":
        """The sources that search; set up when a question first needs one, since a small game needs none."""
        return _Searches(self.game, self._proofs, *self._sizes)

    def __reduce__(self) -> tuple[Any, ...]:
        table_mib, threads = self._sizes
        folder = None if self._table is None else self._table.given
        return partial(Engine, table_mib=table_mib, threads=threads, table=folder), (self.game.game,)

    def use_table(self, table: "Table[State, Action] | str | os.PathLike[str]") -> None:
        """Ask a table first from now on; raise BadTable, naming the file, if it is none of this game."""
        self._table = _table_of(self.game, table)
        self._answers.clear()

    def value(
        self,
        state: State | None = None,
        *,
        limits: Limits = Limits(),  # noqa: B008 - immutable
        progress: Callable[[Progress], None] | None = None,
    ) -> Answer[Action]:
        """Value a state, the initial one by default, with one best action: the cheapest question."""
        return self.ask(self.game.state(state), limits, "one", progress)

    def analyse(
        self,
        state: State | None = None,
        *,
        limits: Limits = Limits(),  # noqa: B008 - immutable
        progress: Callable[[Progress], None] | None = None,
    ) -> Answer[Action]:
        """Value a state, the initial one by default, with every action and a line of best play."""
        return self.ask(self.game.state(state), limits, "all", progress)

    def knows(self, state: State) -> bool:
        """Return whether the values of a state and of its actions are at hand, so that asking costs next to nothing."""
        return (
            ("all", self.game.key(state)) in self._answers
            or (self._table is not None and self._table.has(state))
            or (self._book is not None and self._book.covers(state))
            or (self._theory is not None and self._theory.knows(state))
        )

    def prepare(self, limits: Limits = Limits()) -> None:  # noqa: B008 - immutable
        """Get ready, so that later questions spend their time on searching: compile the kernel if one is needed.

        A game that can be solved whole within the limits needs none. Compiling may take some seconds more. The six
        functions of a game without a kernel are compiled when a long search first needs them; here, what was compiled
        then is loaded.
        """
        if self._table is not None and self._table.is_there():
            return
        if self._solved.solve(inf, Budget(limits).part(SHARE, most_nodes=TINY)):
            return
        for kernel in self._searches.kernels:
            kernel.load(Limits(cancel=limits.cancel))
        if self._searches.plain is not None:
            self._searches.plain.load_kept(limits)

    def solve(self, seconds: float, limits: Limits = Limits()) -> bool:  # noqa: B008 - immutable
        """Solve the whole game if it is small, so that every answer is at hand; return whether it is.

        It may take `seconds` of processor time, and no more than the limits allow.
        """
        if self._table is not None and self._table.is_there():
            return True
        return self._solved.solve(seconds, limits)

    def forget(self) -> None:
        """Drop everything that was learnt from earlier questions."""
        self._answers.clear()
        for source in self._sources():
            source.forget()

    @property
    def bytes(self) -> int:
        """About how much memory it takes to keep what was learnt."""
        return self._bytes_of_answers() + sum(source.bytes for source in self._sources())

    def _bytes_of_answers(self) -> int:
        """Return about how much memory the answers take that are kept, if all take as much as one of the newest."""
        try:
            key, answer = next(reversed(self._answers.items()))
        except (StopIteration, RuntimeError):  # there is none, or a thread has added one just now
            return 0
        return len(self._answers) * (400 + size_of(key) + 150 * len(answer.actions))

    def _sources(self) -> list[Source[State, Action]]:
        """Return the sources that are set up by now."""
        table = () if self._table is None else (self._table,)
        return [*table, *self._at_hand, *(self._searches.in_order if "_searches" in self.__dict__ else ())]

    def _in_order(self) -> Iterable[Source[State, Action]]:
        """Return all sources in the order in which they are asked."""
        searches: _Searches[State, Action] | None = self.__dict__.get("_searches")
        native = None if searches is None else searches.native
        if native is not None and native.is_loaded and not self._solved.is_whole:
            return self._kernel_first
        return self._one_by_one()

    @cached_property
    def _kernel_first(self) -> tuple[Source[State, Action], ...]:
        """The sources without those that solve in Python what a loaded kernel solves more quickly."""
        in_order = self._book, self._theory, *self._searches.in_order
        return tuple(each for each in in_order if each is not None)

    def _one_by_one(self) -> Iterator[Source[State, Action]]:
        """Yield the sources; a search of compiled functions, once it is loaded, comes before those in Python."""
        for source in self._at_hand:
            if source is self._solved and not self._solved.is_whole and self._has_loaded_functions:
                assert self._searches.plain is not None
                yield self._searches.plain
                if self._has_loaded_functions:  # they may have been found broken just now
                    continue
            if source is self._at_once and self._has_loaded_search:
                continue
            yield source
        yield from self._searches.in_order

    @property
    def _has_loaded_functions(self) -> bool:
        """Whether the compiled functions of the game are loaded: a memo would visit thousands of positions in vain."""
        searches: _Searches[State, Action] | None = self.__dict__.get("_searches")
        return searches is not None and searches.plain is not None and searches.plain.is_loaded

    @property
    def _has_loaded_search(self) -> bool:
        """Whether any compiled search is loaded: an interpreted one would only take time from it."""
        searches: _Searches[State, Action] | None = self.__dict__.get("_searches")
        if searches is None:
            return False
        return self._has_loaded_functions or any(kernel.native.is_loaded for kernel in searches.kernels)

    def ask(
        self,
        state: State,
        limits: Limits = Limits(),  # noqa: B008 - immutable
        wanted: Wanted = "all",
        progress: Callable[[Progress], None] | None = None,
        *,
        to_play: bool = False,
    ) -> Answer[Action]:
        """Value a state; `wanted` says of which actions. `value` and `analyse` are the two usual cases.

        Asks one source after the other until everything that is wanted is known, or the limits are reached. With
        `to_play`, only the choice matters: no time is spent on the line of best play, nor on the values of other
        actions if they cannot change the choice.
        """
        if limits.depth is not None:
            question = Question(self.game, state, wanted, limits, progress)
            question.add(self._searches.look_ahead.ask(question))
            return question.answer()
        key = wanted, self.game.key(state)
        known = self._answers.get(key)
        if known is not None:
            if known.nodes or known.seconds:
                known = self._answers[key] = as_known(known)
            return known
        question = Question(self.game, state, wanted, limits, progress, to_play=to_play)
        table = () if self._table is None else (self._table,)
        for source in chain(table, self._in_order()):
            found = source.ask(question)
            if found is not None:
                question.add(found)
                if question.is_settled:
                    break
        answer = question.answer()
        if answer.score is not None and wanted == "all" and not to_play:
            answer = self._with_whole_line(question, answer)
        if question.is_complete and (answer.line_complete or wanted == "one"):
            self._keep(key, answer)
        return answer

    def _with_whole_line(self, question: Question[State, Action], answer: Answer[Action]) -> Answer[Action]:
        """Return a proven answer with its line to the end of the game, as far as the limits and `LINE_NODES` allow."""
        if answer.line_complete:
            return answer
        line, complete, budget = list(answer.line), False, question.budget
        state = reduce(self.game.result, line, question.state)
        while line and not complete and budget.stopped is None:
            limits = budget.part(1, most_nodes=LINE_NODES)
            follows = self.ask(state, limits, "one")  # one action is all that the line needs
            budget.add(follows.nodes)
            if not follows.proven or not follows.line:
                break
            line += follows.line
            state, complete = reduce(self.game.result, follows.line, state), follows.line_complete
        return answer._replace(line=tuple(line), line_complete=complete, nodes=budget.nodes, seconds=budget.seconds)

    def _keep(self, key: tuple[Wanted, Hashable], answer: Answer[Action]) -> None:
        """Keep a complete answer, so that the same question costs nothing next time."""
        if len(self._answers) >= MOST_ANSWERS:
            self._answers.pop(next(iter(self._answers)), None)
        self._answers[key] = answer


def _table_of(
    game: ResolvedGame[State, Action], table: "Table[State, Action] | str | os.PathLike[str] | None"
) -> "TableSource[State, Action] | None":
    """Return the source for a table, or for the user's folder of tables if it has any."""
    if table is None:
        from noughts.tables.places import found_tables

        if not found_tables():
            return None
    from noughts.sources.table import TableSource  # imported here, since most games have no table
    from noughts.tables.table import Table

    if isinstance(table, Table) and table.game.game is not game.game:
        table = table.folder
    if table is None or isinstance(table, Table):
        return TableSource(game, table)
    return TableSource(game, Table(os.fspath(table), game))


def _book_of(game: ResolvedGame[State, Action]) -> "OpeningBook[State, Action] | None":
    if game.book is None:
        return None
    from noughts.sources.book import OpeningBook  # imported here, since most games have no book

    return OpeningBook(game)


def _theory_of(game: ResolvedGame[State, Action]) -> "TheoryOf[State, Action] | None":
    if game.theory is None:
        return None
    from noughts.sources.theory import TheoryOf  # imported here, since most games have no theory

    return TheoryOf(game)


class _Searches(Generic[State, Action]):
    """The sources of a game that search, in the order in which they are asked."""

    def __init__(
        self,
        game: ResolvedGame[State, Action],
        proofs: Proofs[State, Action],
        table_mib: float,
        threads: int | None,
    ) -> None:
        glance: Glance[State, Action] = Glance(game)
        self.look_ahead: LookAhead[State, Action] = LookAhead(game, table_mib)
        self.in_order: list[Source[State, Action]] = [glance, ToTheEnd(proofs), AtLeisure(proofs), self.look_ahead]
        self.kernels: list[kernel_attempts.KernelSearch[State, Action]] = []
        """The compiled searches, to be loaded before a game is played."""
        self.native: kernel.NativeSearch[State, Action] | None = None
        """The kernel, if it is one that solves positions."""
        self.plain: plain.PlainSearch | None = None
        """The compiled functions of a game without a kernel."""
        offered = game.kernel()
        if offered is not None:
            # Imported here, since terminal play of small games must not wait for it.
            from noughts.compiled.build import available
            from noughts.compiled.rules import rules_of
            from noughts.sources.deep import DeepNative, DeepSearch, GlanceBeforeLoading
            from noughts.sources.kernel import NativeSearch
            from noughts.sources.kernel_attempts import KernelAtOnce, KernelSearch

            if not available():
                pass
            elif rules_of(offered).is_deep:
                ahead: DeepNative[State, Action] = DeepNative(game, table_mib, threads)
                deep = DeepSearch(ahead)
                self.kernels.append(deep)
                self.in_order = [GlanceBeforeLoading(ahead), deep, *self.in_order[1:]]
                if game.lineup is not None:
                    from noughts.sources.draws import DrawSearch

                    if DrawSearch.fits(game):
                        self.in_order.insert(1, DrawSearch(game))
            elif not game.has_margins:
                self.native = NativeSearch(game, table_mib, threads)
                solving = KernelSearch(self.native)
                self.kernels.append(solving)
                self.in_order = [KernelAtOnce(self.native), glance, solving, *self.in_order[1:]]
        if game.lineup is not None:
            self._add_lines(game)
        if offered is None and not self.kernels:
            self._add_plain(game, table_mib)

    def _add_lines(self, game: ResolvedGame[State, Action]) -> None:
        """Add the search of large boards of lines by their threats, instead of a first look ahead."""
        from noughts.sources.lines import LineSearch

        if LineSearch.fits(game):
            lines = LineSearch(game, shares=bool(self.kernels))
            self.kernels.append(lines)
            self.in_order = [lines, *self.in_order[1:]]

    def _add_plain(self, game: ResolvedGame[State, Action], table_mib: float) -> None:
        """Add the search by the game's own functions, compiled, before looking further ahead in Python."""
        from noughts.compiled.build import available

        if not available():
            return
        from noughts.sources.plain import PlainNative, PlainSearch

        self.plain = PlainSearch(PlainNative(game, table_mib))
        self.in_order.insert(2, self.plain)


def game_of(game: Game[State, Action] | Engine[State, Action]) -> ResolvedGame[State, Action]:
    """Return the resolved game of a game, or of its engine."""
    return game.game if isinstance(game, Engine) else resolve(game)


def engine_of(game: Game[State, Action] | Engine[State, Action]) -> Engine[State, Action]:
    """Return the engine of a game: one for each game, made when it is first needed and kept while the game lives."""
    if isinstance(game, Engine):
        return game
    found: Engine[State, Action] = kept(game.game if isinstance(game, ResolvedGame) else game, Engine)
    return found


def value(
    game: Game[State, Action] | Engine[State, Action],
    state: State | None = None,
    *,
    limits: Limits = Limits(),  # noqa: B008 - immutable
    progress: Callable[[Progress], None] | None = None,
) -> Answer[Action]:
    """Value a state, the initial one by default, with one best action: the cheapest question.

    The answer takes the view of the player to move. Asks the game's own engine, or the one that is given.

    >>> import noughts
    >>> game = noughts.load("tic-tac-toe")
    >>> value(game, noughts.replay(game, "1 9")).best
    (3,)
    """
    return engine_of(game).value(state, limits=limits, progress=progress)


def analyse(
    game: Game[State, Action] | Engine[State, Action],
    state: State | None = None,
    *,
    limits: Limits = Limits(),  # noqa: B008 - immutable
    progress: Callable[[Progress], None] | None = None,
) -> Answer[Action]:
    """Value a state, the initial one by default, with every action and a line of best play.

    The answer takes the view of the player to move. Within limits it may be "unknown", and says why; `choice` always
    holds a legal action. `method` says how it was found: "table", "book", "memo", "theory", "kernel", "pairings",
    "threats", "alphabeta" or "deepening". Asks the game's own engine, or the one that is given.

    >>> import noughts
    >>> game = noughts.load("tic-tac-toe")
    >>> answer = analyse(game, noughts.replay(game, "5 2"))
    >>> answer.value, answer.distance, answer.best
    ('win', 5, (1, 3, 4, 6, 7, 9))
    >>> large = noughts.load("mnk:5,5,4")
    >>> answer = analyse(large, limits=noughts.Limits(nodes=10))
    >>> answer.stopped, answer.best, len(answer.guess)
    ('node limit', (), 1)
    """
    return engine_of(game).analyse(state, limits=limits, progress=progress)
