"""Counts and the chances of openings as JSON."""

from typing import Any

from noughts.capabilities import ResolvedGame
from noughts.notation import Position
from noughts.statistics.counts import Counts, SearchCount
from noughts.statistics.openings import Chances, Measure, Openings, claim_holds, described, luck
from noughts.wire.positions import result
from noughts.wire.types import ChanceFacts, CountFacts, OpeningsFacts

__all__ = ["counts", "openings"]


def counts(
    notation: str,
    where: Position[Any, Any],
    game: ResolvedGame[Any, Any],
    found: Counts,
    past_wins: int | None,
    searches: list[SearchCount],
) -> CountFacts:
    """Return how large a game is below a position, and how many nodes each search visits."""
    won_by_max, won_by_min, drawn = found.results
    return {
        "game": notation,
        "position": where.text(game.action_name),
        "complete": found.complete,
        "stopped": found.stopped,
        "endless": found.endless,
        "nodes": found.nodes,
        "nodes_past_wins": past_wins,
        "positions": found.positions,
        "positions_up_to_symmetry": found.classes,
        "games": found.games,
        "results": {"won_by_max": won_by_max, "won_by_min": won_by_min, "drawn": drawn},
        "plies": [
            {
                "ply": each.ply,
                "nodes": each.nodes,
                "positions": each.positions,
                "positions_up_to_symmetry": each.classes,
                "games": each.games,
            }
            for each in found.plies
        ],
        "searches": [
            {
                "search": each.search,
                "nodes": each.nodes,
                "stopped": each.stopped,
                "complete": each.stopped == "done",
            }
            for each in searches
        ],
    }


def openings(
    notation: str, where: Position[Any, Any], game: ResolvedGame[Any, Any], found: Openings[Any] | None
) -> OpeningsFacts:
    """Return the chances of each opening; None stands for a finished game, which has none."""
    facts: OpeningsFacts = {
        "game": notation,
        "position": where.text(game.action_name),
        "to_move": None,
        "result": None,
        "measures": [],
        "safe_replies": [],
    }
    if found is None:
        facts["result"] = result(game, where.state)
        return facts
    own, other = game.player_name(found.player), game.player_name(-found.player)
    facts["to_move"] = own
    facts["measures"] = [
        {
            "players": described(measure, own, other),
            "perfect": measure.perfect,
            "opponent": {"rate": str(measure.opponent.rate), "wilful": measure.opponent.wilful},
            "claim_holds": claim_holds(game.game, found, measure),
            "openings": [
                {
                    "actions": [game.action_name(action) for action in each.actions],
                    **_chances(each.chances, measure),
                }
                for each in found.openings
            ],
            "before": _chances(found.before, measure),
        }
        for measure in found.measures
    ]
    facts["safe_replies"] = [
        {
            "actions": [game.action_name(action) for action in each.actions],
            "safe": each.safe,
            "replies": each.replies,
        }
        for each in found.openings
    ]
    return facts


def _chances(by_measure: dict[Measure, Chances], measure: Measure) -> ChanceFacts:
    win, draw, loss = by_measure[measure]
    return {
        "win": str(win),
        "draw": str(draw),
        "loss": str(loss),
        "win_decimal": float(win),
        "win_bounds": [str(each) for each in luck(by_measure, measure)] or None,
    }
