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
) -> MatchFacts:
    """Return a match: what was played, by whom, and the result if the game is over.

    `drawn` says that it was ended as a draw by repetition.
    """
    over = drawn or game.terminal(where.state)
    return {
        "game": notation,
        "position": where.text(game.action_name),
        "players": list(players),
        "result": result(game, where.state, drawn=drawn) if over else None,
    }
