"""Games that were played as JSON."""

from collections.abc import Iterable
from typing import Any

from noughts.capabilities import ResolvedGame
from noughts.notation import Position
from noughts.wire.positions import result
from noughts.wire.types import MatchFacts, SeatFacts

__all__ = ["match"]


def match(
    notation: str,
    where: Position[Any, Any],
    game: ResolvedGame[Any, Any],
    players: Iterable[SeatFacts],
    *,
    drawn: bool = False,
    lost_by_fault: tuple[str, str] | None = None,
) -> MatchFacts:
    """Return a match: what was played, by whom, and the result if the game is over.

    `drawn` says that it was ended as a draw by repetition; `lost_by_fault` has the mark and the fault of a program that
    failed.
    """
    seats = list(players)
    ended = result(game, where.state, drawn=drawn) if drawn or game.terminal(where.state) else None
    if lost_by_fault is not None:
        loser, fault = lost_by_fault
        winner = next(seat["mark"] for seat in seats if seat["mark"] != loser)
        ended = {"winner": winner, "margin": 1, "sentence": f"{winner} wins: {loser} {fault}."}
    return {
        "game": notation,
        "position": where.text(game.action_name),
        "players": seats,
        "result": ended,
    }
