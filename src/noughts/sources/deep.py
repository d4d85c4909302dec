"""The deep kernel of a game as a source: it looks as far ahead as the limits allow, and proves what it can."""

from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import Any, Generic, NamedTuple

from noughts.capabilities import resolve
from noughts.compiled.build import available
from noughts.compiled.deep_layout import FULL, HIGH, LOW, UNIT
from noughts.compiled.deep_root import Child, RootSearch
from noughts.compiled.deep_solver import DeepSolver, Run
from noughts.compiled.rules import Position, rules_of
from noughts.errors import BrokenGame, NoKernel
from noughts.game import Action, Game, State
from noughts.score import Scale, one_ply_earlier, whole_utility
from noughts.search.alphabeta import Wanted
from noughts.search.answer import Answer, Scored, Stopped, action_between, answer_between, answer_from, unknown
from noughts.search.deepening import Progress
from noughts.search.limits import Limits, OutOfBudget
from noughts.sources.interpreted import Glance
from noughts.sources.kernel import INSTALL, NativeSearch
from noughts.sources.kernel_attempts import KernelSearch
from noughts.sources.question import Question

__all__ = ["DeepNative", "DeepQuestion", "DeepSearch", "GlanceBeforeLoading"]


class DeepNative(NativeSearch[State, Action]):
    """Searches one game by its deep kernel, and keeps its table from one question to the next. Threads may share it."""

    def __init__(self, game: Game[State, Action], table_mib: float = 64, threads: int | None = None) -> None:
        self.game = resolve(game)
        offered = self.game.kernel()
        if offered is None:
            raise BrokenGame("the game has no kernel; docs/own-game.md says how to write one")
        if not available():
            raise NoKernel(f"a kernel needs numba: {INSTALL}")
        self.pack = offered.pack
        self.rules = rules_of(offered)
        self.order = {action: number for number, action in enumerate(self.game.preferred)}
        self._sizes = table_mib, threads
        self._solver: Any = None

    def _new_solver(self, table_mib: float, threads: int | None) -> Any:
        return DeepSolver(self.rules, table_mib, threads=threads)

    def ask(
        self,
        state: State,
        limits: Limits = Limits(),  # noqa: B008 - immutable
        wanted: Wanted = "all",
        progress: Callable[[Progress], None] | None = None,
    ) -> Answer[Action]:
        """Value a state; `wanted` says for which actions. If a limit stops it, the answer holds what is proven."""
        started = perf_counter()
        if self._solver is None:
            try:
                self.load(limits)
            except OutOfBudget as out:
                some = () if self.game.terminal(state) else tuple(self.game.legal_actions(state)[:1])
                return unknown("kernel", 0, 0.0, out.stopped, some)._replace(depth=0)
            if limits.seconds is not None:
                limits = limits._replace(seconds=max(0.0, limits.seconds - (perf_counter() - started)))
        with self._run(limits) as run:
            return self._question(run, state, progress).answer(wanted, unlimited=limits[:2] == (None, None))

    def _run(self, limits: Limits) -> Run:
        return Run(self._solver, limits)

    def _question(
        self, run: Run, state: State, progress: Callable[[Progress], None] | None
    ) -> "DeepQuestion[State, Action]":
        return DeepQuestion(self, run, state, progress)


class _Option(NamedTuple, Generic[State, Action]):
    """An action, the state after it, and that as a child of the root."""

    action: Action
    state: State
    child: Child


class DeepQuestion(Generic[State, Action]):
    """One question to a deep kernel. Scores are the game's: plies count from the position."""

    def __init__(
        self,
        native: DeepNative[State, Action],
        run: Run,
        state: State,
        progress: Callable[[Progress], None] | None,
    ) -> None:
        self._native, self._game, self._run = native, native.game, run
        self._state = state
        self._progress = progress
        self._stopped: Stopped = "done"
        self._scale = Scale(native.rules.longest)
        """The scale of the rules; the game's own may be another."""

    def answer(self, wanted: Wanted, *, unlimited: bool) -> Answer[Action]:
        """Return what is wanted, as far as the limits allow."""
        game, state = self._game, self._state
        if game.terminal(state):
            ended = game.scale.score(self._utility(state))
            return answer_from([], scale=game.scale, method="kernel", nodes=0, seconds=0.0, ended=ended)
        options = self._options(state)
        plies_left = getattr(self._native.rules.functions, "plies_left", None)
        left = self._native.rules.longest if plies_left is None else plies_left(self._native.pack(state))
        root = self._root([option.child for option in options], left)
        report = partial(self._report, root, options)
        try:
            root.search(wanted, report, self._native.rules.longest, unlimited=unlimited)
        except OutOfBudget as out:
            self._stopped = out.stopped
        found = self._one(root, options) if wanted == "one" and root.is_settled("one") else self._every(root, options)
        stopped: Stopped = "done" if root.is_settled(wanted) else self._stopped
        return found._replace(nodes=self._run.nodes, seconds=self._run.seconds, stopped=stopped)

    def _root(self, children: list[Child], plies_left: int) -> RootSearch:
        return RootSearch(self._run, children, self._native.solver.most, plies_left)

    def _one(self, root: RootSearch, options: list[_Option[State, Action]]) -> Answer[Action]:
        """Return the proven answer with one best action."""
        option = next(each for each, low in zip(options, root.low, strict=True) if low == root.least)
        scored = [Scored(option.action, self._on_scale(root.least), (), self._game.terminal(option.state))]
        found = answer_from(scored, scale=self._game.scale, method="kernel", nodes=0, seconds=0.0)
        return found._replace(actions=())

    def _every(self, root: RootSearch, options: list[_Option[State, Action]]) -> Answer[Action]:
        """Return the answer with what is proven about each action, and what looks best if that is not enough."""
        game = self._game
        bounds: dict[Action, tuple[int | None, int | None]] = {}
        for option, low, high in zip(options, root.low, root.high, strict=True):
            # A bound that the rules have in any position says nothing, unless it excludes a result or a best action.
            least, most = option.child.bounds
            bounds[option.action] = (
                None if least == low < min(0, high) else self._on_scale(low),
                None if most == high > max(0, low) and high >= root.least else self._on_scale(high),
            )
        rows = [action_between(action, *bounds[action], game.scale) for action in game.legal_actions(self._state)]
        likely = options[self._likely(root)]
        found = answer_between(
            rows,
            None,
            None,
            scale=game.scale,
            method="kernel",
            nodes=0,
            seconds=0.0,
            stopped=self._stopped,
            guess=(likely.action,),
            depth=root.depth,
        )
        if not found.proven:
            return found._replace(line=(likely.action, *self._guessed_line(likely.state)))
        best = next(option for option in options if option.action == found.best[0])
        line, complete = self._best_line(best, root.least)
        return found._replace(line=(best.action, *line), line_complete=complete)

    def _likely(self, root: RootSearch) -> int:
        """Return which action to take: a proven win if there is one, else what looks best and is not proven worse."""
        if root.high[root.best] >= root.least and root.least <= 0:
            return root.best
        return root.low.index(root.least)

    def _options(self, state: State) -> list[_Option[State, Action]]:
        """Return the actions of a state, the most promising first, and where they lead."""
        game, order, pack = self._game, self._native.order, self._native.pack
        actions = game.legal_actions(state)
        if order:
            actions.sort(key=lambda action: order.get(action, len(order)))
        mover = game.to_move(state)
        options = []
        for action in actions:
            after = game.result(state, action)
            same = game.to_move(after) == mover
            if game.terminal(after):
                score = self._scale.score(self._utility(after))
                child = Child(None, same, score, score)
            else:
                position = pack(after)
                child = Child(position, same, *self._native.rules.bounds(position))
            options.append(_Option(action, after, child))
        return options

    def _utility(self, state: State) -> int:
        """Return the utility of a finished state, in the view of the player who would move."""
        return self._game.to_move(state) * whole_utility(self._game.utility(state), self._game.utility_range)

    def _best_line(self, option: _Option[State, Action], score: int) -> tuple[list[Action], bool]:
        """Return best play after an action that reaches a proven score, and whether it goes to the end of the game."""
        line: list[Action] = []
        try:
            while option.child.position is not None:
                score = one_ply_earlier(score if option.child.same_player else -score)
                options = self._options(option.state)
                option = next(each for each in self._hinted(option.child.position, options) if self._is(each, score))
                line.append(option.action)
        except OutOfBudget:
            return line, False
        return line, True

    def _is(self, option: _Option[State, Action], score: int) -> bool:
        """Return whether an action reaches a score, which no action of the state exceeds."""
        position, same_player, low, high = option.child
        wanted = one_ply_earlier(score if same_player else -score)
        if position is None or low == high or not low <= wanted <= high:
            return low == high == wanted
        if same_player:
            found = self._run.value(position, wanted * UNIT - 1, wanted * UNIT, FULL)
            return bool(found.sure & LOW) and found.value >= wanted * UNIT
        found = self._run.value(position, wanted * UNIT, wanted * UNIT + 1, FULL)
        return bool(found.sure & HIGH) and found.value <= wanted * UNIT

    def _guessed_line(self, state: State) -> list[Action]:
        """Return how play may go on, as far as the table knows."""
        line: list[Action] = []
        while not self._game.terminal(state) and len(line) < self._native.rules.longest:
            position = self._native.pack(state)
            if self._run.known_move(position) is None:
                break
            option = self._hinted(position, self._options(state))[0]
            line.append(option.action)
            state = option.state
        return line

    def _hinted(self, position: Position, options: list[_Option[State, Action]]) -> list[_Option[State, Action]]:
        """Return the actions with the one first that the table holds to be best."""
        move = self._run.known_move(position)
        if move is None:
            return options
        functions = self._native.rules.functions
        single = not isinstance(functions.expand(position), tuple)
        after = functions.play(position, 1 << move if single else move)
        return sorted(options, key=lambda option: option.child.position != after)

    def _on_scale(self, score: int) -> int:
        """Return a score of the rules on the game's scale."""
        return self._game.scale.score(self._scale.utility(score), self._scale.distance(score) or 0)

    def _report(self, root: RootSearch, options: list[_Option[State, Action]]) -> None:
        """Report the progress of the search."""
        if self._progress is not None:
            line = (self._game.action_name(options[root.best].action),)
            self._progress(Progress(root.depth, self._run.nodes, self._run.seconds, line))


class GlanceBeforeLoading(Glance[State, Action]):
    """Looks a few plies ahead if a deep kernel must be loaded first, so that there is a guess if it takes too long."""

    def __init__(self, native: DeepNative[State, Action]) -> None:
        super().__init__(native.game)
        self._native = native

    def ask(self, question: Question[State, Action]) -> Answer[Action] | None:
        """Return a guess, or a proof if the end is near; None if the kernel is loaded, or no limit will stop it."""
        if self._native.is_loaded or question.limits == Limits():
            return None
        return super().ask(question)


class DeepSearch(KernelSearch[State, Action]):
    """A deep kernel, loaded if need be, and asked for as long as the limits allow."""

    def ask(self, question: Question[State, Action]) -> Answer[Action] | None:
        """Return the answer, proven or a guess; None if there is no time to load the kernel."""
        if not self._ready(question):
            return None
        question.native = True
        return self.native.ask(question.state, question.budget.left, question.wanted, question.progress)
