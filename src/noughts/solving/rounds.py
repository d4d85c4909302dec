"""The driver of a solve for a game in which positions repeat, or are met at several depths.

The way up is the same, with plies from the start as tiers. Then all positions are valued in rounds, each of which
values the parts that lead to positions whose scores have changed in the round before.
"""

import os
import re
from contextlib import suppress
from typing import NamedTuple

from noughts.solving.driver import Driver, Upwards
from noughts.solving.files import Facts, facts_of, write_work
from noughts.solving.tasks import Task

__all__ = ["RoundsDriver"]


class _Round(NamedTuple):
    """What a round left."""

    number: int
    scores: list[str]
    """For each part, the file with its latest scores."""
    changed: list[int]
    """The parts whose scores it has changed."""


class RoundsDriver(Driver):
    """Values positions without tiers that order them."""

    def downwards(self, found: Upwards) -> dict[int, list[Facts]]:
        """Value every position; return the facts of the parts of each tier."""
        self._done = 0
        parts = [part for tier in sorted(found.parts) for part in found.parts[tier]]
        stems = [part["leads"].removesuffix(".leads") for part in parts]
        listed = [
            {"codes": part["file"], "first": part["first"], "last": part["last"], "count": part["count"]}
            for part in parts
        ]
        links = [f"{stem}.links" for stem in stems]
        tasks = [
            Task("link", link, {"leads": part["leads"], "parts": listed}, 0)
            for link, part in zip(links, parts, strict=True)
        ]
        refers = [set(facts["refers"]) for facts in self._run("valuing", 0, None, tasks)]
        last = self._last_round() or _Round(0, links, list(range(len(parts))))
        while last.changed:
            last = self._next_round(last, parts, stems, refers)
        return self._settled(found, parts, stems, last)

    def _next_round(self, last: _Round, parts: list[Facts], stems: list[str], refers: list[set[int]]) -> _Round:
        """Run the next round, and return what it left; remove the files that are not needed any more."""
        number, changed = last.number + 1, set(last.changed)
        stale = [part for part, others in enumerate(refers) if others & changed]
        tasks = [
            Task(
                "round",
                f"{stems[part]}.round-{number}",
                {
                    "links": f"{stems[part]}.links",
                    "own": last.scores[part],
                    "scores": {str(other): last.scores[other] for other in sorted(refers[part])},
                },
                parts[part]["count"],
            )
            for part in stale
        ]
        scores, new = list(last.scores), []
        for part, task, facts in zip(stale, tasks, self._run("valuing", number, None, tasks), strict=True):
            if facts["changed"]:
                scores[part] = task.output
                new.append(part)
        write_work(self._path(f"round-{number}"), {"number": number, "scores": scores, "changed": new}, lasting=True)
        superseded = {*last.scores, *(task.output for task in tasks), self._path(f"round-{last.number}")}
        for path in superseded.difference(scores):
            if not path.endswith(".links"):
                with suppress(OSError):
                    os.unlink(path)
        return _Round(number, scores, new)

    def _last_round(self) -> _Round | None:
        """Return what the last round of an earlier run left, or None if it had finished none."""
        done = [int(found[1]) for each in os.listdir(self._job.work) if (found := re.fullmatch(r"round-(\d+)", each))]
        for number in sorted(done, reverse=True):
            facts = facts_of(self._path(f"round-{number}"))
            if facts is not None and all(os.path.exists(path) for path in facts["scores"]):
                return _Round(**facts)
        return None

    def _settled(self, found: Upwards, parts: list[Facts], stems: list[str], last: _Round) -> dict[int, list[Facts]]:
        """Write the table; return the facts of the parts of each tier."""
        self._done = 0
        tasks = []
        for part, stem, scores in zip(parts, stems, last.scores, strict=True):
            name = os.path.basename(stem).removeprefix("tier-")
            arguments = {
                "tier": part["tier"],
                "name": name,
                "part": part["file"],
                "leads": part["leads"],
                "scores": scores,
            }
            tasks.append(Task("settle", f"{stem}.scores", arguments, part["count"]))
        total = sum(part["count"] for part in parts)
        settled = iter(self._run("valuing", last.number, total, tasks))
        return {tier: [next(settled) for _ in found.parts[tier]] for tier in sorted(found.parts)}
