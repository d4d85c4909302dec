"""Retrying mistakes in the terminal: the position before each of them, until a move is as good as the best."""

import sys
from typing import Any

from noughts.cli.terminal import EndOfInput, Terminal, complain
from noughts.cli.tries import Board, Quit, try_until_right
from noughts.engine import Engine
from noughts.errors import counted
from noughts.reviews.retry import Retry
from noughts.reviews.review import Review, ReviewedMove

__all__ = ["retry", "retry_here"]


def retry(engine: Engine[Any, Any], found: Review[Any, Any], player: int | None, color: str) -> int:
    """Put the mistakes of a game, those of one player if one is given, to a person; return the exit code."""
    terminal = Terminal(sys.stdout)
    try:
        retry_here(engine, found, (player,) if player is not None else (1, -1), Board(found.game.game, terminal, color))
    except Quit:
        terminal.say("Bye.")
    except EndOfInput:
        complain("input ended before the mistakes were corrected")
        return 1
    return 0


def retry_here(engine: Engine[Any, Any], found: Review[Any, Any], players: tuple[int, ...], board: Board) -> None:
    """Put the mistakes of these players to a person; raise Quit or EndOfInput if they leave."""
    mistakes = [each for each in found.mistakes if each.player in players]
    say = board.terminal.say
    if not mistakes:
        who = f" of {found.game.player_name(players[0])}" if len(players) == 1 else ""
        say(f"There is no mistake{who} to retry.")
        return
    say(f"{counted(len(mistakes), 'mistake')} to retry. Type a move, or hint, show or quit.")
    corrected = sum(_one(engine, found, each, board) for each in mistakes)
    say(f"\n{corrected} of {counted(len(mistakes), 'mistake')} corrected.")


def _one(engine: Engine[Any, Any], found: Review[Any, Any], each: ReviewedMove[Any, Any], board: Board) -> bool:
    """Put one mistake to a person; return whether they found a good move."""
    game, say = found.game, board.terminal.say
    mover, played = game.player_name(each.player), game.action_name(each.action)
    say(f"\nMove {each.number}: {mover} played {played}. {_aim(mover, each)}\n")
    board.show(each.state)
    tried = try_until_right(board, Retry(engine, each))
    if tried.shown:
        return False
    name = game.action_name(tried.action)
    say(f"Right: {name}." if each.before.proven else f"{name} is not known to be worse than any other move.")
    return True


def _aim(mover: str, each: ReviewedMove[Any, Any]) -> str:
    """Return what there is to find."""
    if not each.before.proven:
        return "It looks like a mistake. Find a better move."
    if each.before.value == "win":
        distance = each.before.distance
        how = "" if distance is None else " at once" if distance == 1 else f" in {distance} moves"
        return f"{mover} could win{how}."
    return f"{mover} could {'draw' if each.before.value == 'draw' else 'hold out longer'}."
