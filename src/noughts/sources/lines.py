"""Large boards of lines as a source: wins and losses proven by threats, else a guess by a search of few moves."""

from typing import Generic

from noughts.capabilities import Lineup, ResolvedGame
from noughts.compiled.line_solver import LineFound, LineSolver
from noughts.errors import NoKernel
from noughts.game import MAX, MIN, Action, State
from noughts.search.answer import ActionValue, Answer, action_between, answer_between, unknown
from noughts.search.limits import Limits
from noughts.sources.question import Question

__all__ = ["LineSearch"]

SHARE = 0.9
"""The share of what is left that it may spend; the rest is for looking ahead if it finds nothing."""

FEW_CELLS = 16
"""With no more empty cells than this, every action is worth valuing even if the choice is clear."""


class LineSearch(Generic[State, Action]):
    """Searches a game of lines by its threats. Without numba it searches interpreted, which finds less in the time."""

    def __init__(self, game: ResolvedGame[State, Action]) -> None:
        assert game.lineup is not None
        self._game = game
        self._lineup = game.lineup
        start = game.lineup(game.initial())
        cells = sorted({cell for line in start.lines for cell in line} | set(start.cells.values()))
        self._number = {cell: number for number, cell in enumerate(cells)}
        lines = [[self._number[cell] for cell in line] for line in start.lines]
        self._solver = LineSolver(len(cells), lines)
        self._centre = cells[_centre(len(cells), lines)]

    @staticmethod
    def fits(game: ResolvedGame[State, Action]) -> bool:
        """Return whether a game is one of lines of equal length, in which players take any empty cell in turn."""
        if game.lineup is None:
            return False
        lineup = game.lineup(game.initial())
        return lineup.is_free and len({len(line) for line in lineup.lines}) == 1

    def load(self, limits: Limits) -> None:
        """Load the compiled search, and compile it if need be; without numba do nothing."""
        if limits.cancel is not None and limits.cancel():
            return
        try:
            self._solver.load()
        except NoKernel:
            return

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
        player = 0 if game.to_move(state) == MAX else 1
        if not any(stones):
            question.is_clear = question.limits != Limits()  # without limits, somebody wants a proof
            guess = tuple(action for action, cell in lineup.cells.items() if cell == self._centre)
            return unknown("threats", 0, 0.0, "done", guess)._replace(depth=1)
        found = self._solver.ask(stones, player, question.budget.part(SHARE))
        question.native = self._solver.is_ready
        answer = self._answer(found, lineup, state)
        clear = answer.proven or sum(not found.distances[self._number[cell]] for cell in lineup.cells.values()) == 1
        question.is_clear = clear and (question.wanted != "all" or len(lineup.cells) > FEW_CELLS)
        return answer

    def _answer(self, found: LineFound, lineup: Lineup[Action], state: State) -> Answer[Action]:
        """Return the answer: the proven distances as scores, and the guess."""
        scale = self._game.scale
        won = max(found.distances)
        rows: list[ActionValue[Action]] = []
        others: list[Action] = []
        for action in self._game.legal_actions(state):
            number = self._number[lineup.cells[action]]
            distance = found.distances[number]
            low = high = None
            if distance:
                low = high = scale.score(1 if distance > 0 else -1, abs(distance))
            else:
                others.append(action)
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
            guess=self._guess(found, lineup, others),
            depth=found.depth or 1,
        )

    def _guess(self, found: LineFound, lineup: Lineup[Action], others: list[Action]) -> tuple[Action, ...]:
        """Return the action that looks best; it is not known to lose, unless all are."""
        chosen = found.forced_win[0] if found.forced_win is not None else found.best
        for action, cell in lineup.cells.items():
            if self._number[cell] == chosen:
                return (action,)
        some = others or list(lineup.cells)
        return (next((action for action in self._game.preferred if action in some), some[0]),)

    def forget(self) -> None:
        """Drop what is remembered of earlier positions."""
        self._solver.forget()

    @property
    def bytes(self) -> int:
        """About how much memory it takes."""
        return self._solver.bytes


def _centre(cells: int, lines: list[list[int]]) -> int:
    """Return the cell in the middle: with most lines to cells with most lines, and so on."""
    weights = [1] * cells
    for _ in range(8):
        sums = [0] * cells
        for line in lines:
            total = sum(weights[cell] for cell in line)
            for cell in line:
                sums[cell] += total
        weights = sums
    return max(range(cells), key=weights.__getitem__)
