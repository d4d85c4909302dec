"""Reasons for games of lines, found in the lines themselves."""

from collections.abc import Callable

from noughts.capabilities import Lineup, ResolvedGame
from noughts.game import Action, State
from noughts.symmetry import do_nothing
from noughts.words.reasons import (
    AllowsFork,
    AllowsWin,
    Blocks,
    Completes,
    ForcesReply,
    Forks,
    Line,
    Poisons,
    Reason,
    Spares,
    Squeezes,
)

__all__ = ["completions", "line_reasons"]

Threats = dict[Action, tuple[Line, ...]]
"""The actions by which a player would complete lines, with those lines."""


def completions(lineup: Lineup[Action], player: int) -> Threats[Action]:
    """Return the actions that would complete lines if it were the player's turn, with those lines."""
    lacking: dict[int, list[Line]] = {}
    own = lineup.held[player]
    for line in lineup.lines:
        missing = [cell for cell in line if cell not in own]
        if len(missing) == 1:
            lacking.setdefault(missing[0], []).append(line)
    return {action: tuple(lacking[cell]) for action, cell in lineup.cells.items() if cell in lacking}


def line_reasons(
    game: ResolvedGame[State, Action], state: State, action: Action, check: Callable[[], None] = do_nothing
) -> list[Reason]:
    """Return the reasons for or against an action that come from the lines; none if the game has no lines.

    It takes long on a large board. `check` is called now and then, and may raise an exception to stop it.
    """
    if game.lineup is None:
        return []
    mover, here = game.to_move(state), game.lineup(state)
    completed = completions(here, mover).get(action)
    if completed:
        return [Completes(completed)]
    child = game.result(state, action)
    theirs_before = completions(here, -mover)
    there = game.lineup(child)
    mine, theirs = completions(there, mover), completions(there, -mover)
    cell = here.cells[action]
    reasons: list[Reason] = []
    if game.misere:
        if action in theirs_before:
            reasons.append(Spares(theirs_before[action]))
        poisoned = {reply: [line for line in lines if cell in line] for reply, lines in mine.items()}
        deadly = tuple(reply for reply, lines in poisoned.items() if lines)
        if deadly:
            reasons.append(Poisons(deadly, tuple(line for lines in poisoned.values() for line in lines)))
        if theirs and len(theirs) == len(there.cells):
            reasons.append(Squeezes())
        return reasons
    if action in theirs_before:
        reasons.append(Blocks(theirs_before[action]))
    if len(mine) > 1:
        reasons.append(Forks(_lines(mine), any(cell in line for line in _lines(mine))))
    elif mine and not theirs:
        reasons.append(ForcesReply(next(iter(mine)), _lines(mine)))
    if theirs:
        opened = any(there.cells[reply] not in here.cells.values() for reply in theirs)
        reasons.append(AllowsWin(tuple(theirs), _lines(theirs), opened))
    else:
        reasons += _allowed_fork(game, child, there, mover, check)
    return reasons


def _allowed_fork(
    game: ResolvedGame[State, Action],
    child: State,
    there: Lineup[Action],
    mover: int,
    check: Callable[[], None],
) -> list[Reason]:
    """Return the first fork that the other can make in reply, unless the mover could then complete a line first."""
    assert game.lineup is not None
    for reply in there.cells:
        check()
        after = game.lineup(game.result(child, reply))
        threats = completions(after, -mover)
        if len(threats) > 1 and not completions(after, mover):
            return [AllowsFork(reply, _lines(threats))]
    return []


def _lines(threats: Threats[Action]) -> tuple[Line, ...]:
    """Return the lines of threats, each once."""
    return tuple(dict.fromkeys(line for lines in threats.values() for line in lines))
