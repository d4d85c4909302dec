"""Draws of boards of lines as a source: proven by a breaker that stops every line of a player."""

from functools import cached_property
from typing import Any

from noughts.capabilities import Lineup, ResolvedGame
from noughts.compiled.breaker_lines import MOST_CELLS
from noughts.compiled.breaker_solver import BreakerSolver, breaker_modules
from noughts.compiled.modules import Modules
from noughts.game import MAX, Action, State
from noughts.search.answer import Answer, action_between, answer_between
from noughts.search.limits import Limits
from noughts.sources.kernel import NativeSearch
from noughts.sources.kernel_attempts import KernelSearch
from noughts.sources.question import Question

__all__ = ["DrawSearch"]

SHARE = 0.4
"""The share of what is left that one proof may spend."""

MOST_NODES = 4_000_000
"""A proof that takes more nodes is given up, also if there is no limit."""


class DrawNative(NativeSearch[State, Action]):
    """The compiled search for such proofs, loaded when it is first needed."""

    def __init__(self, *shape: Any) -> None:
        self._shape = shape
        self._sizes = 0, None
        self._solver: Any = None

    @cached_property
    def _plan(self) -> Modules:
        return breaker_modules()

    def _new_solver(self, *_: Any) -> Any:
        return BreakerSolver(*self._shape)


class DrawSearch(KernelSearch[State, Action]):
    """Proves that neither player can complete a line, or that one of them cannot."""

    native: DrawNative[State, Action]

    def __init__(self, game: ResolvedGame[State, Action]) -> None:
        assert game.lineup is not None
        self._game, self._lineup = game, game.lineup
        start = game.lineup(game.initial())
        cells = sorted({cell for line in start.lines for cell in line})
        numbers = {cell: number for number, cell in enumerate(cells)}
        self._bit = {cell: 1 << number for cell, number in numbers.items()}
        lines = [[numbers[cell] for cell in line] for line in start.lines]
        super().__init__(DrawNative(len(cells), lines, _turns(game, start, numbers)))

    @staticmethod
    def fits(game: ResolvedGame[State, Action]) -> bool:
        """Return whether a game is one of lines whose cells are taken in turn, and fit in a number."""
        if game.lineup is None:
            return False
        lineup = game.lineup(game.initial())
        return lineup.is_free and len(lineup.cells) <= MOST_CELLS

    def ask(self, question: Question[State, Action]) -> Answer[Action] | None:
        """Return what is proven: at most a draw, at least a draw, or both; None if nothing is.

        If only the choice matters, it does not help: after such a proof, all actions are as good.
        """
        game, state = self._game, question.state
        if question.to_play or game.terminal(state) or not self._ready(question):
            return None
        held = self._lineup(state).held
        mover = game.to_move(state)
        mine, theirs = (sum(self._bit.get(cell, 0) for cell in held[player]) for player in (mover, -mover))
        high = 0 if self._holds(question, mine, theirs) else None
        # If the other cannot complete a line even after a pass, every action is safe: it only adds a stone.
        low = 0 if self._holds(question, theirs, mine) else None
        if low is None and high is None:
            return None
        actions = game.legal_actions(state)
        likely = next((action for action in game.preferred if action in actions), actions[0])
        found = answer_between(
            [action_between(action, low, high, game.scale) for action in actions],
            low,
            high,
            scale=game.scale,
            method="pairings",
            nodes=0,
            seconds=0.0,
            stopped="done",
            guess=(likely,),
            depth=0,
        )
        if found.proven and question.wanted == "one":
            found = found._replace(best=(likely,), line=(likely,))
        return found._replace(score=None)  # as a theory's: it says nothing about the line of play

    def _holds(self, question: Question[State, Action], maker: int, other: int) -> bool:
        solver: Any = self.native.solver
        holds, _ = solver.holds(maker, other, question.budget.part(SHARE, most_nodes=MOST_NODES))
        question.budget.add(solver.nodes)
        return bool(holds)

    def prepare(self, limits: Limits) -> bool:  # noqa: ARG002
        """Do nothing, and return False: it is loaded for the first question that it can answer."""
        return False


def _turns(game: ResolvedGame[Any, Any], start: Lineup[Any], numbers: dict[int, int]) -> list[list[int]]:
    """Return where the symmetries of the game move each cell, as far as they keep the lines.

    It follows the first stone on each cell through the symmetric images, which the game lists in a fixed order.
    """
    assert game.lineup is not None
    if game.symmetries is None or len(numbers) < len(start.cells):
        return []
    moved: list[list[int]] = []
    for action, cell in start.cells.items():
        images = game.symmetries(game.result(game.initial(), action))
        places = [numbers[min(game.lineup(image).held[MAX])] for image in images]
        moved.append([numbers[cell], *places])
    if len({len(each) for each in moved}) > 1:
        return []
    moved.sort()
    lines = {frozenset(numbers[cell] for cell in line) for line in start.lines}
    turns = [list(turn) for turn in zip(*(each[1:] for each in moved), strict=True)]
    return [turn for turn in turns if {frozenset(turn[cell] for cell in line) for line in lines} == lines]
