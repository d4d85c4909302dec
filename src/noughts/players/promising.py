"""Large boards of lines, narrowed to the cells that a person would think of: those near the action."""

from collections.abc import Callable
from typing import Any

from noughts.capabilities import ResolvedGame
from noughts.game import Action, State

__all__ = ["narrowed"]

SMALLEST = 32
"""The fewest cells of a board that is narrowed."""


def narrowed(game: ResolvedGame[State, Action], width: int) -> ResolvedGame[State, Action] | None:
    """Return a game of lines with only the `width` most promising cells as actions; None if there is no need.

    A cell is as promising as the lines through it: those of either side, the more stones they have the more.
    """
    if game.lineup is None:
        return None
    start = game.lineup(game.initial())
    if not start.is_free or len(start.cells) < SMALLEST:
        return None
    worth = _worth(game)

    def actions(state: State) -> list[Action]:
        found = list(game.actions(state))
        if len(found) <= width:
            return found
        of = worth(state)
        return sorted(found, key=lambda action: -of[action])[:width]

    return game._replace(actions=actions)


def _worth(game: ResolvedGame[Any, Any]) -> Callable[[Any], dict[Any, int]]:
    """Return a function that says how promising each action of a state is."""
    # Imported here, since tic-tac-toe does without.
    from noughts.compiled.line_board import WEIGHTS, centrality

    assert game.lineup is not None
    start = game.lineup(game.initial())
    lines = [(sum(1 << cell for cell in line), line) for line in start.lines]
    most = max(cell for line in start.lines for cell in line) + 1
    central = centrality(most, start.lines)

    def worth(state: Any) -> dict[Any, int]:
        assert game.lineup is not None
        lineup, mover = game.lineup(state), game.to_move(state)
        mine, theirs = (sum(1 << cell for cell in lineup.held[player]) for player in (mover, -mover))
        sums = [0] * most
        for mask, line in lines:
            own, other = (mask & mine).bit_count(), (mask & theirs).bit_count()
            if own and other:
                continue
            need = len(line) - own - other
            weight = (5 if own else 4) * WEIGHTS[need] if need < len(WEIGHTS) else 0
            for cell in line:
                sums[cell] += weight
        return {action: 1024 * sums[cell] + central[cell] for action, cell in lineup.cells.items()}

    return worth
