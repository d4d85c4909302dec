"""Large boards of lines as a source: wins and losses proven by threats, else a guess by a search of few moves."""

from functools import cached_property
from typing import Any

from noughts.capabilities import Lineup, ResolvedGame
from noughts.compiled.build import available
from noughts.compiled.line_board import centrality
from noughts.compiled.line_solver import LineFound, LineSolver, line_modules
from noughts.compiled.modules import Modules
from noughts.game import MAX, MIN, Action, State
from noughts.search.answer import ActionValue, Answer, action_between, answer_between, unknown
from noughts.sources.kernel import NativeSearch
from noughts.sources.kernel_attempts import KernelSearch
from noughts.sources.question import Question

__all__ = ["LineSearch"]

SHARE = 0.95
"""The share of what is left that it may spend; the rest is for looking ahead in all lines of play."""

SHARE_TO_PLAY = 0.8
"""The share in play if the game has a kernel, too."""

SHARE_TO_PROVE, NODES_TO_PROVE = 0.25, 60_000
"""The share, and the most nodes, if there are others that prove more: it proves what is near, and soon."""

SMALLEST = 32
"""The fewest cells of a board that is searched by threats; on a smaller one, searches to the end prove more."""


class LineNative(NativeSearch[State, Action]):
    """The compiled search of boards of lines, loaded when it is first needed."""

    def __init__(self, cells: int, lines: list[list[int]]) -> None:
        self._shape = cells, lines
        self._sizes = 0, None
        self._solver: Any = None

    @cached_property
    def _plan(self) -> Modules:
        return line_modules()

    def _new_solver(self, *_: Any) -> Any:
        return LineSolver(*self._shape, native=True)


class LineSearch(KernelSearch[State, Action]):
    """Searches a game of lines by its threats: compiled, or interpreted if there is no numba or no time to load it."""

    native: LineNative[State, Action]

    def __init__(self, game: ResolvedGame[State, Action], *, shares: bool = False) -> None:
        """Set up the search of a game; `shares` says that a kernel will be asked after it."""
        assert game.lineup is not None
        self._game, self._lineup = game, game.lineup
        self._shares = shares
        start = game.lineup(game.initial())
        cells = sorted({cell for line in start.lines for cell in line} | set(start.cells.values()))
        self._number = {cell: number for number, cell in enumerate(cells)}
        lines = [[self._number[cell] for cell in line] for line in start.lines]
        super().__init__(LineNative(len(cells), lines))
        self._interpreted = LineSolver(len(cells), lines, native=False)
        central = centrality(len(cells), lines)
        self._centre = central.index(max(central))

    @staticmethod
    def fits(game: ResolvedGame[State, Action]) -> bool:
        """Return whether a game is one of lines of equal length on a large board, whose cells are taken in turn."""
        if game.lineup is None:
            return False
        lineup = game.lineup(game.initial())
        return lineup.is_free and len(lineup.cells) >= SMALLEST and len({len(line) for line in lineup.lines}) == 1

    def ask(self, question: Question[State, Action]) -> Answer[Action] | None:
        """Return what is proven, and else a guess; None if the game is over."""
        game, state = self._game, question.state
        if game.terminal(state):
            return None
        lineup = self._lineup(state)
        stones = [0] * len(self._number)
        for player, stone in ((MAX, 1), (MIN, 2)):
            for cell in lineup.held[player]:
                stones[self._number[cell]] = stone
        if question.to_play and not any(stones):
            question.is_clear = True
            return unknown("threats", 0, 0.0, "done", self._named(lineup, self._centre))._replace(depth=1)
        question.native = available() and self._ready(question)
        solver: Any = self.native.solver if question.native else self._interpreted
        if not self._shares:
            limits = question.budget.part(SHARE)
        elif question.to_play:
            limits = question.budget.part(SHARE_TO_PLAY)
        else:
            limits = question.budget.part(SHARE_TO_PROVE, most_nodes=NODES_TO_PROVE)
        found = solver.ask(stones, 0 if game.to_move(state) == MAX else 1, limits)
        answer = self._answer(found, lineup, state)
        open_cells = sum(not found.distances[self._number[cell]] for cell in lineup.cells.values())
        question.is_clear = answer.proven or found.forced_win is not None or open_cells == 1
        if answer.best and (question.wanted == "one" or (question.to_play and answer.value == "loss")):
            # If all lose, the others lose as soon, and look worse.
            chosen = answer.best[:1] if answer.value == "win" else self._named(lineup, found.best)
            return answer._replace(best=chosen, line=chosen)
        return answer

    def _answer(self, found: LineFound, lineup: Lineup[Action], state: State) -> Answer[Action]:
        """Return the answer: the proven distances as scores, and the guess."""
        scale = self._game.scale
        won = max(found.distances)
        rows: list[ActionValue[Action]] = []
        for action in self._game.legal_actions(state):
            number = self._number[lineup.cells[action]]
            distance = found.distances[number]
            low = high = None
            if distance:
                low = high = scale.score(1 if distance > 0 else -1, abs(distance))
            else:
                if found.forced_win is not None and found.forced_win[0] == number:
                    low = scale.score(1, found.forced_win[1])
                if 0 < won <= found.examined:  # then it does not win that fast
                    high = scale.score(1, won + 2)
            rows.append(action_between(action, low, high, scale))
        return answer_between(
            rows,
            None,
            None,
            scale=scale,
            method="threats",
            nodes=found.nodes,
            seconds=0.0,
            stopped=found.stopped,
            guess=self._named(lineup, found.best if found.forced_win is None else found.forced_win[0]),
            depth=max(1, found.depth),
        )

    def _named(self, lineup: Lineup[Action], number: int) -> tuple[Action]:
        """Return the action that takes a cell."""
        return (next(action for action, cell in lineup.cells.items() if self._number[cell] == number),)

    def forget(self) -> None:
        """Drop what is remembered of earlier positions."""
        self._interpreted.forget()
        self.native.forget()

    @property
    def bytes(self) -> int:
        """About how much memory it takes."""
        return self._interpreted.bytes + self.native.bytes
