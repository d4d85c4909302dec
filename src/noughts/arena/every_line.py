"""Plays one player against every possible sequence of replies."""

from collections.abc import Hashable
from typing import Generic, NamedTuple

from noughts.capabilities import resolve
from noughts.errors import EndlessGame
from noughts.game import Action, Game, State, to_move
from noughts.players.base import Player

__all__ = ["AllLines", "against_everyone"]


class AllLines(NamedTuple, Generic[Action]):
    """How all lines of play ended for a player, and the lines that it lost."""

    wins: int
    draws: int
    losses: int
    lost_lines: tuple[tuple[Action, ...], ...]


def against_everyone(
    game: Game[State, Action], player: Player[State, Action], seat: int, start: State | None = None
) -> AllLines[Action]:
    """Play every line that can arise when `player` is MAX or MIN, as `seat` says, and the opponent may play anything.

    If the player has several candidates, all of them are tried.

    >>> import noughts
    >>> from noughts.players import computer
    >>> game = noughts.load("tic-tac-toe")
    >>> against_everyone(game, computer("perfect", game), noughts.MAX).losses
    0
    """
    game = resolve(game)
    key = game.key
    choices: dict[Hashable, tuple[Action, ...]] = {}
    ends = {1: 0, 0: 0, -1: 0}
    lost: list[tuple[Action, ...]] = []
    waiting: list[tuple[State, tuple[Action, ...], frozenset[Hashable]]] = []
    waiting.append((game.state(start), (), frozenset()))
    while waiting:
        state, line, before = waiting.pop()
        if game.terminal(state):
            won = seat * game.utility(state)
            ends[(won > 0) - (won < 0)] += 1
            if won < 0:
                lost.append(line)
            continue
        state_key = key(state)
        if state_key in before:
            raise EndlessGame(f"the position is repeated after {line}, so this game need not end")
        if state_key not in choices:
            own = to_move(game, state) == seat
            choices[state_key] = tuple(player.candidates(state) if own else game.actions(state))
        seen = before | {state_key}
        waiting.extend((game.result(state, action), (*line, action), seen) for action in choices[state_key])
    return AllLines(ends[1], ends[0], ends[-1], tuple(sorted(lost, key=repr)))
