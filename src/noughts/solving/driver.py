"""The driver of a solve: tier after tier upwards to find every position, and downwards to value it.

A tier is a whole number that every action raises. So when the tiers below a tier have been expanded, all of its
positions are known; and when the tiers above it have been valued, it can be valued.

1. Upwards, for each tier: merge the runs that lead to it into parts, and expand these, which leaves runs for others.
2. Downwards, for each tier: value its parts, and write their files of the table.

What is done is known by the work files that are there and valid. The same steps in the same order lead to the same
files, so a run that was killed goes on where it was, whatever engine does the tasks.
"""

import os
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from noughts.solving.engines import TaskEngine
from noughts.solving.files import Facts, facts_of, write_work
from noughts.solving.ranges import ranges_of
from noughts.solving.room import MOST_PARTS
from noughts.solving.tasks import Job, Task

__all__ = ["Driver", "Progress", "Upwards", "Wider"]


class Progress(NamedTuple):
    """How far a solve is."""

    phase: str
    """`finding` positions, or `valuing` them."""
    tier: int
    done: int
    """Positions done in this phase; those that an earlier run had done are left out."""
    total: int | None
    """Positions of this phase in all, as far as is known."""


class Upwards(NamedTuple):
    """What the way up found."""

    parts: dict[int, list[Facts]]
    """The parts of each tier, in the order of their codes; each with the `tiers` to which its positions lead."""
    met: int
    """How often an action led back to a position of an earlier tier, where tiers are plies from the start."""


class Wider(Exception):
    """Codes must have room for other numbers than those seen before; the argument is the coding that has it."""


class Driver:
    """Runs the tasks of a job on an engine."""

    def __init__(self, job: Job, engine: TaskEngine, progress: Callable[[Progress], None] = lambda _: None) -> None:
        self._job, self._engine, self._progress = job, engine, progress
        self._done = 0

    def upwards(self) -> Upwards:
        """Find every position; return the parts of each tier."""
        (seed,) = self._run(
            "finding", 0, None, [Task("seed", self._path("seed.leads"), {"run": self._path("seed.run")}, 0)]
        )
        waiting: dict[int, list[Facts]] = {}
        for run in seed["runs"]:
            waiting.setdefault(run["tier"], []).append(run)
        found: dict[int, list[Facts]] = {}
        met = 0
        while waiting:
            tier = min(waiting)
            runs = waiting.pop(tier)
            parts = self._merged(tier, runs, found)
            met += sum(part["met"] for part in parts)
            parts = [part for part in parts if part["count"]]
            if met and not self._job.tiered and self._job.method == "native":
                break  # plies from the start are no tiers, which compiled rules need
            if not parts:
                continue
            for part, facts in zip(parts, self._expanded(tier, parts), strict=True):
                part["tiers"] = [run["tier"] for run in facts["runs"]]
                part["children"] = facts["children"]
                for run in facts["runs"]:
                    waiting.setdefault(run["tier"], []).append(run)
            found[tier] = parts
        return Upwards(found, met)

    def _merged(self, tier: int, runs: list[Facts], found: dict[int, list[Facts]]) -> list[Facts]:
        """Return the parts of a tier, merged from its runs, which are removed once all parts are there."""
        marker = self._path(f"tier-{tier}.parts")
        known = facts_of(marker)
        if known is not None and all(os.path.exists(part["file"]) for part in known["parts"]):
            return list(known["parts"])
        earlier = [] if self._job.tiered else [part["file"] for parts in found.values() for part in parts]
        total = sum(run["count"] for run in runs)
        ranges = ranges_of(runs, max(self._job.part, min(self._job.largest, total // MOST_PARTS)))
        tasks = [
            Task(
                "merge",
                self._path(f"tier-{tier}-{number}.codes"),
                {"range": each, "runs": [run["file"] for run in runs], "known": earlier},
                0,
            )
            for number, each in enumerate(ranges)
        ]
        facts = self._run("finding", tier, None, tasks)
        parts = [{**each, "file": task.output, "tier": tier} for task, each in zip(tasks, facts, strict=True)]
        for part in parts:
            starts = part.pop("starts")
            part["first"] = starts[0] if starts else -1
        write_work(marker, {"parts": parts}, lasting=True)
        for run in runs:
            with suppress(OSError):
                os.unlink(run["file"])
        return parts

    def _expanded(self, tier: int, parts: list[Facts]) -> list[Facts]:
        """Return where the parts of a tier lead."""
        tasks = []
        for number, part in enumerate(parts):
            stem = self._path(f"tier-{tier}-{number}")
            arguments = {"tier": tier, "part": part["file"], "runs": stem}
            tasks.append(Task("forward", f"{stem}.leads", arguments, part["count"]))
            part["leads"] = f"{stem}.leads"
        return self._run("finding", tier, None, tasks)

    def downwards(self, found: Upwards) -> dict[int, list[Facts]]:
        """Value every position; return the facts of the parts of each tier."""
        self._done = 0
        total = sum(part["count"] for parts in found.parts.values() for part in parts)
        valued: dict[int, list[Facts]] = {}
        for tier in sorted(found.parts, reverse=True):
            tasks = [self._backward(tier, number, part, found) for number, part in enumerate(found.parts[tier])]
            valued[tier] = self._run("valuing", tier, total, tasks)
        return valued

    def _backward(self, tier: int, number: int, part: Facts, found: Upwards) -> Task:
        above = [
            {
                "tier": to,
                "codes": each["file"],
                "scores": self._path(f"tier-{to}-{place}.scores"),
                "first": each["first"],
                "last": each["last"],
                "count": each["count"],
            }
            for to in part["tiers"]
            for place, each in enumerate(found.parts[to])
        ]
        arguments = {
            "tier": tier,
            "name": f"{tier}-{number}",
            "part": part["file"],
            "leads": part["leads"],
            "children": part["children"],
            "above": above,
            "span": max(found.parts) - min(found.parts),
        }
        return Task("backward", self._path(f"tier-{tier}-{number}.scores"), arguments, part["count"])

    def _run(self, phase: str, tier: int, total: int | None, tasks: list[Task]) -> list[Facts]:
        """Return the facts of tasks that do not depend on each other: those not done yet are run."""
        facts = {task.output: self._known(task) for task in tasks}
        for task, told in self._engine.run(self._job, [task for task in tasks if facts[task.output] is None]):
            facts[task.output] = told
            self._done += task.positions
            self._progress(Progress(phase, tier, self._done, total))
        done = [found for task in tasks if (found := facts[task.output]) is not None]
        wider = [found["wider"] for found in done if "wider" in found]
        if wider:
            raise Wider(_union(wider))
        return done

    def _known(self, task: Task) -> Facts | None:
        """Return the facts of a task that an earlier run has done, if all it wrote is still there and valid."""
        found = facts_of(task.output)
        if found is None:
            return None
        for run in found.get("runs", ()):
            merged = os.path.exists(self._path(f"tier-{run['tier']}.parts"))
            if not merged and facts_of(run["file"]) is None:
                return None
        return None if any(not self._is_written(file) for file in found.get("files", ())) else found

    def _is_written(self, file: Facts) -> bool:
        """Return whether a file of the table is there, with its size."""
        with suppress(OSError):
            return bool(os.stat(os.path.join(self._job.folder, file["name"])).st_size == file["size"])
        return False

    def _path(self, name: str) -> str:
        return os.path.join(self._job.work, name)


def _union(codings: list[Facts]) -> Facts:
    """Return the coding with room for the numbers of several codings, and for some more."""
    ranges = []
    for each in zip(*(coding["ranges"] for coding in codings), strict=True):
        low, high = min(low for low, _ in each), max(high for _, high in each)
        ranges.append([low, low + (1 << (high - low).bit_length()) - 1])
    return {**codings[0], "ranges": ranges}
