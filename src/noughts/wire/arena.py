"""Tournaments as JSON."""

from math import isfinite

from noughts.arena.exact import Chances, ExactTournament
from noughts.arena.statistics import Interval, Sprt, Tally
from noughts.arena.tournament import Tournament
from noughts.wire.types import ArenaFacts, EstimatedFacts, ExactArenaFacts, OutcomeFacts, SprtFacts, TallyFacts

__all__ = ["exact_tournament", "tournament"]


def tournament(found: Tournament) -> ArenaFacts:
    """Return the results of a tournament as JSON."""
    return {
        "game": found.setting.game,
        "seed": found.setting.seed,
        "opening_moves": found.setting.opening_moves,
        "games": found.games,
        "played": found.played,
        "complete": found.complete,
        "players": [
            {
                "player": each.player,
                "caveat": found.caveats.get(each.player),
                "failures": list(found.failures.get(each.player, ())),
                **_tally(each.tally),
            }
            for each in found.standings
            if each.tally.games
        ],
        "pairings": [
            {"one": each.one, "other": each.other, "begun": list(each.begun[:3]), **_tally(each.tally)}
            for each in found.pairings
            if each.tally.games
        ],
        "sprt": None if found.sprt is None else _sprt(found.sprt, found.pairings[0].tally),
    }


def exact_tournament(found: ExactTournament) -> ExactArenaFacts:
    """Return what players expect of each other as JSON."""
    return {
        "game": found.game,
        "opening_moves": found.opening_moves,
        "players": [
            {"player": player, "score": str(score), "score_decimal": float(score)} for player, score in found.standings
        ],
        "pairings": [
            {"one": each.one, "other": each.other, "begun": _chances(each.begun), "replied": _chances(each.replied)}
            for each in found.pairings
        ],
    }


def _tally(tally: Tally) -> TallyFacts:
    return {
        "games": tally.games,
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "pairs": list(tally.pairs),
        "score": _interval(tally.score),
        "elo": _interval(tally.elo),
        "normalised_elo": None if tally.normalised_elo is None else _interval(tally.normalised_elo),
        "superiority": tally.superiority,
    }


def _interval(interval: Interval) -> EstimatedFacts:
    value, low, high = (each if isfinite(each) else None for each in interval)
    return {"value": value, "low": low, "high": high}


def _sprt(test: Sprt, tally: Tally) -> SprtFacts:
    low, high = test.bounds
    return {
        "elo0": test.elo0,
        "elo1": test.elo1,
        "ratio": test.ratio(tally.pairs),
        "low": low,
        "high": high,
        "decision": test.decision(tally.pairs),
    }


def _chances(found: Chances) -> OutcomeFacts:
    win, draw, loss = map(str, found)
    return {"win": win, "draw": draw, "loss": loss, "score": str(found.score), "score_decimal": float(found.score)}
