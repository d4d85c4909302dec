"""The reports of `noughts lint` as JSON."""

from noughts.testing.report import Report
from noughts.wire.types import CheckFacts

__all__ = ["check"]


def check(notation: str, report: Report) -> CheckFacts:
    """Return what a check of a game found."""
    return {
        "game": notation,
        "ok": report.ok,
        "positions": report.positions,
        "complete": report.complete,
        "compared": report.compared,
        "in_time": report.in_time,
        "notes": list(report.notes),
        "problems": [
            {
                "kind": each.kind,
                "message": each.message,
                "advice": each.advice,
                "position": each.position,
                "drawing": each.drawing,
                "fatal": each.fatal,
                "seen": each.seen,
            }
            for each in report.problems
        ],
    }
