"""The engine: one object that answers every question about one game, by the cheapest source that can.

What a question costs is what its source costs: an answer that was given before, microseconds; a solved game or a
position that a kernel settles, little more; a search, as long as its limits allow.
"""

import os
from collections.abc import Callable, Hashable
from functools import partial, reduce
from typing import TYPE_CHECKING, Any, Generic

from noughts.capabilities import ResolvedGame, resolve
from noughts.errors import EndlessGame
from noughts.game import Action, Game, State
from noughts.kept import kept
from noughts.search.alphabeta import Wanted
from noughts.search.answer import Answer, as_known
from noughts.search.deepening import Progress
from noughts.search.limits import Limits
from noughts.search.table import size_of
from noughts.sources.in_order import Sources
from noughts.sources.question import Question

if TYPE_CHECKING:
    from noughts.tables.table import Table

__all__ = ["Engine", "analyse", "engine_of", "game_of", "value"]

TABLE_MIB = 64
"""The default size of a search's transposition table, in mebibytes."""

LINE_NODES = 8_000
"""How many nodes an engine visits for each further step of a line of best play, once all values are known.

So the line ends soon after the last ply of a book, where it would take seconds, and the values nothing.
"""

MOST_ANSWERS = 50_000
"""How many complete answers are kept; then the oldest are dropped."""


class Engine(Generic[State, Action]):
    """Answers questions about one game, for as long as you keep it, and learns from each for the next.

    It knows the game's sources (a table, an opening book, a solved game, a theory, a kernel, interpreted search), and
    asks them in order of cost. An attempt that has failed once is not repeated. Threads may share an engine, and a
    callback of one question may ask another: each question has its own budget and path, and what is shared (answers,
    exact scores, tables) is safe to share. A copy, by `copy` or `pickle`, is an engine of the same game that has
    learnt nothing yet.

    `table_mib` is the size of each search's table. A kernel uses `threads` threads, one for each core by default. A
    `table` of the whole game, or the folder of one, is asked first; by default one in the user's folder of tables.

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
        self._sizes = table_mib, threads
        self._sources: Sources[State, Action] = Sources(self.game, table_mib, threads)
        if table is not None:
            self._sources.use_table(table)
        self._answers: dict[tuple[Wanted, Hashable], Answer[Action]] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        table_mib, threads = self._sizes
        table = self._sources.table
        folder = None if table is None else table.given
        return partial(Engine, table_mib=table_mib, threads=threads, table=folder), (self.game.game,)

    def use_table(self, table: "Table[State, Action] | str | os.PathLike[str]") -> None:
        """Ask a table of the whole game first from now on; raise BadTable if it is damaged or of another game."""
        self._sources.use_table(table)
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
        if ("all", self.game.key(state)) in self._answers:
            return True
        return any(source.knows(state) for source in self._sources.set_up)

    def prepare(self, limits: Limits = Limits()) -> None:  # noqa: B008 - immutable
        """Get ready, so that later questions spend their time on searching: compile the kernel if one is needed.

        A game that can be solved whole within the limits needs none. Compiling may take some seconds more. The six
        functions of a game without a kernel are compiled when a long search first needs them; here, what was compiled
        then is loaded. A game in which positions repeat is solved, if that takes no more than some seconds.
        """
        try:
            self._prepare(limits)
        except EndlessGame:
            self._sources.expect_endless_play()
            self._prepare(limits)

    def _prepare(self, limits: Limits) -> None:
        for source in self._sources:
            if source.prepare(limits):
                return

    def solve(self, seconds: float, limits: Limits = Limits()) -> bool:  # noqa: B008 - immutable
        """Solve the whole game if it is small, so that every answer is at hand; return whether it is.

        It may take `seconds` of processor time, and no more than the limits allow.
        """
        table = self._sources.table
        if table is not None and table.prepare(limits):
            return True
        try:
            return self._sources.solved.solve(seconds, limits)
        except EndlessGame:
            self._sources.expect_endless_play()
            return self._sources.solved.solve(seconds, limits)

    def forget(self) -> None:
        """Drop everything that was learnt from earlier questions."""
        self._answers.clear()
        for source in self._sources.set_up:
            source.forget()

    @property
    def bytes(self) -> int:
        """About how much memory it takes to keep what was learnt."""
        return self._bytes_of_answers() + sum(source.bytes for source in self._sources.set_up)

    def _bytes_of_answers(self) -> int:
        """Return about how much memory the answers take that are kept, if all take as much as one of the newest."""
        try:
            key, answer = next(reversed(self._answers.items()))
        except (StopIteration, RuntimeError):  # there is none, or a thread has added one just now
            return 0
        return len(self._answers) * (400 + size_of(key) + 150 * len(answer.actions))

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
            question.add(self._sources.look_ahead.ask(question))
            return question.answer()
        key = wanted, self.game.key(state)
        known = self._answers.get(key)
        if known is not None:
            if known.nodes or known.seconds:
                known = self._answers[key] = as_known(known)
            return known
        question = Question(self.game, state, wanted, limits, progress, to_play=to_play)
        was_endless = self._sources.is_endless
        try:
            self._put(question)
        except EndlessGame:
            if was_endless:
                raise
            self._sources.expect_endless_play()
            self._put(question)
        answer = question.answer()
        if answer.score is not None and wanted == "all" and not to_play:
            answer = self._with_whole_line(question, answer)
        if question.is_complete and (answer.line_complete or answer.endless or wanted == "one"):
            self._keep(key, answer)
        return answer

    def _put(self, question: Question[State, Action]) -> None:
        """Put a question to one source after the other, until nothing more is to be asked."""
        for source in self._sources:
            found = source.ask(question)
            if found is not None:
                question.add(found)
                if question.is_settled:
                    break

    def _with_whole_line(self, question: Question[State, Action], answer: Answer[Action]) -> Answer[Action]:
        """Return a proven answer with its line to the end of the game, as far as the limits and `LINE_NODES` allow.

        A line that never ends stops where a position is repeated.
        """
        if answer.line_complete or answer.endless:
            return answer
        line, complete, budget = list(answer.line), False, question.budget
        state = reduce(self.game.result, line, question.state)
        seen = {self.game.key(question.state)}
        while line and not complete and budget.stopped is None:
            key = self.game.key(state)
            if key in seen:
                answer = answer._replace(endless=True)
                break
            seen.add(key)
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
    "threats", "retrograde", "alphabeta" or "deepening". Asks the game's own engine, or the one that is given.

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
