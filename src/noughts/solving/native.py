"""The tasks of a solve on arrays of codes: for games whose rules are compiled."""

import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from noughts.capabilities import ResolvedGame
from noughts.errors import BrokenGame
from noughts.score import Scale
from noughts.solving.files import Facts, WorkFile, read_work, write_work
from noughts.solving.look_up import GOES_ON
from noughts.solving.ranges import Range
from noughts.solving.rules import NativeRules
from noughts.solving.tasks import Job
from noughts.solving.writing import write_part

__all__ = ["Native"]

STEP = 4096
"""How many codes there are from one mark of a run to the next, at most."""

CHUNK = 1 << 20
"""How many children are found at once on the way up, about."""

Array = Any
"""An array of numpy; without its stubs, mypy knows no more."""


class Native:
    """Does the tasks of a job on arrays of codes."""

    def __init__(self, job: Job, game: ResolvedGame[Any, Any]) -> None:
        self._job, self._game = job, game
        self._rules = NativeRules(game, json.loads(job.coding))
        self._sweep = self._rules.module
        self._rules.compare()

    def seed(self, output: str, arguments: dict[str, Any]) -> Facts:
        """Write the run that has the initial position alone."""
        if self._rules.wider is not None:
            return {"wider": self._rules.wider}
        state = self._game.initial()
        tier_of = (self._game.tier or self._game.plies) if self._rules.has_tiers else None
        codes = np.array([self._rules.begin()], dtype=np.int64)
        run = self._write_run(arguments["run"], tier_of(state) if tier_of else 0, codes)
        write_work(output, {"runs": [run]})
        return {"runs": [run]}

    def merge(self, output: str, arguments: dict[str, Any]) -> Facts:
        """Write the positions of a part, each once."""
        within = Range(*arguments["range"])
        codes = _unique(np.concatenate([_within(_codes(run), within) for run in arguments["runs"]]))
        size = len(codes)
        for part in arguments["known"]:
            codes = np.setdiff1d(codes, _within(_codes(part), within), assume_unique=True)
        facts: Facts = {"count": len(codes), "met": size - len(codes), "starts": [], "last": -1}
        if len(codes):
            facts |= {"starts": [int(codes[0])], "last": int(codes[-1])}
        _write_codes(output, facts, codes)
        return facts

    def forward(self, output: str, arguments: dict[str, Any]) -> Facts:
        """Write the runs of the children of a part, one for each tier."""
        tier, stem = arguments["tier"], arguments["runs"]
        codes = _wide(_codes(arguments["part"]))
        pieces: dict[int, list[Array]] = {}
        number = 0
        for found, tiers in self._children(codes, tier):
            number += len(found)
            for to in np.unique(tiers).tolist():
                pieces.setdefault(to, []).append(_unique(found[tiers == to]))
        if self._rules.wider is not None:
            return {"wider": self._rules.wider}
        if min(pieces, default=tier + 1) <= tier:
            raise BrokenGame(f"an action leads from tier {tier} to tier {min(pieces)}; every action must raise it")
        runs = [
            self._write_run(f"{stem}-to-{to}.run", to, _unique(np.concatenate(pieces[to]))) for to in sorted(pieces)
        ]
        facts = {"runs": runs, "children": number}
        write_work(output, facts)
        return facts

    def _children(self, codes: Array, tier: int) -> Iterator[tuple[Array, Array]]:
        """Yield the children of some positions and their tiers, as often as they are met, some at a time."""
        fits = min(CHUNK, len(codes) * self._rules.choices) + self._rules.choices
        results, start = np.zeros(1, dtype=np.int64), 0
        children, tiers = np.empty(fits, dtype=np.int64), np.full(fits, tier + 1, dtype=np.int64)
        while start < len(codes):
            found = self._rules.expand(
                codes, start, children, len(children), tiers if self._tiered else None, None, results
            )
            if results[0] == start:  # the children of one position do not fit
                children, tiers = np.empty(2 * len(tiers), dtype=np.int64), np.full(2 * len(tiers), tier + 1)
            start = int(results[0])
            yield children[:found], tiers[:found]

    @property
    def _tiered(self) -> bool:
        """Whether the tier of a child is more than a step up."""
        return self._job.tiered and self._rules.has_tiers

    def backward(self, output: str, arguments: dict[str, Any]) -> Facts:
        """Write the scores of a part's positions, and its part of the table."""
        codes = _wide(_codes(arguments["part"]))
        size, number = len(codes), arguments["children"]
        children, parents = np.empty(max(1, number), dtype=np.int64), np.empty(max(1, number), dtype=np.int64)
        results = np.empty(1 + 2 * size, dtype=np.int64)
        found = self._rules.expand(codes, 0, children, number, None, parents, results)
        if found != number or results[0] != size:
            raise BrokenGame("the game's rules for all positions do not always say the same")
        ends, images = results[1::2], results[2::2]
        span = Scale(arguments["span"] + 1)
        is_end = ends != GOES_ON
        best = np.full(size, -(1 << 60), dtype=np.int64)
        best[is_end] = ends[is_end] * (span.longest + 1)
        settled = sum(self._settle(children, parents, number, part, best) for part in arguments["above"])
        if settled != number:
            raise BrokenGame("a position that the game's rules lead to is missing")
        utilities = np.sign(best) * (-(-np.abs(best) // (span.longest + 1)))
        distances = np.where(best == 0, 0, -np.abs(best) % (span.longest + 1))
        facts = {
            "count": size,
            "tally": _tally(utilities, distances, images, is_end),
            "root": [int(utilities[0]), int(distances[0]) if utilities[0] else None],
            **write_part(self._job, self._game, arguments, codes, utilities, distances),
        }
        kept = next(kind for kind in ("<i1", "<i2", "<i4", "<i8") if np.abs(best).max() <= np.iinfo(kind).max)
        write_work(output, {**facts, "kind": kept}, [best.astype(kept)])
        return facts

    def _write_run(self, path: str, tier: int, codes: Array) -> Facts:
        """Write a run, and return what the driver needs to know of it."""
        step = max(1, min(STEP, self._job.part // 8))
        _write_codes(path, {"tier": tier}, codes)
        return {"tier": tier, "count": len(codes), "file": path, "step": step, "marks": codes[::step].tolist()}

    def _settle(self, children: Array, parents: Array, number: int, part: dict[str, Any], best: Array) -> int:
        """Raise the scores of parents from those children that are in a part of the tier above."""
        codes = _wide(_codes(part["codes"]))
        file = _opened(part["scores"])
        scores = np.frombuffer(file.sections[0], dtype=file.facts["kind"]).astype(np.int64)
        shift = max(0, int(codes[-1] - codes[0]).bit_length() - len(codes).bit_length())
        size = (int(codes[-1] - codes[0]) >> shift) + 1
        places = np.empty(size + 1, dtype=np.int64)
        self._sweep.index(codes.ctypes.data, len(codes), places.ctypes.data, size, shift)
        found: int = self._sweep.settle(
            children.ctypes.data,
            parents.ctypes.data,
            number,
            codes.ctypes.data,
            len(codes),
            places.ctypes.data,
            shift,
            scores.ctypes.data,
            best.ctypes.data,
        )
        return found


def _tally(utilities: Array, distances: Array, images: Array, is_end: Array) -> Facts:
    """Return the counts of a part, as `Tally` has them."""
    known = bool((images > 0).all())
    wins, losses = utilities > 0, utilities < 0
    counted = {
        "positions": images.sum(),
        "wins": images[wins].sum(),
        "draws": images[utilities == 0].sum(),
        "losses": images[losses].sum(),
        "ends": images[is_end].sum(),
    }
    return {
        "stored": len(utilities),
        **{name: int(number) if known else None for name, number in counted.items()},
        "longest": int(distances[wins].max()) if wins.any() else None,
    }


def _unique(codes: Array) -> Array:
    """Return codes in order, each once; the array itself is sorted."""
    codes.sort()
    if len(codes) < 2:
        return codes
    kept = np.empty(len(codes), dtype=bool)
    kept[0] = True
    np.not_equal(codes[1:], codes[:-1], out=kept[1:])
    return codes[kept]


def _write_codes(path: str, facts: Facts, codes: Array) -> None:
    """Write codes, in as many bytes each as they need."""
    kind = "<u4" if not len(codes) or codes[-1] < 1 << 32 else "<i8"
    write_work(path, {**facts, "kind": kind}, [codes.astype(kind)])


def _opened(path: str) -> WorkFile:
    """Return a work file that must be there."""
    found = read_work(path)
    if found is None:
        raise FileNotFoundError(2, "a work file is damaged", path)
    return found


def _codes(path: str) -> Array:
    """Return the codes of a run or a part, as they are in the file."""
    file = _opened(path)
    return np.frombuffer(file.sections[0], dtype=file.facts["kind"])


def _wide(codes: Array) -> Array:
    """Return codes as numbers of 64 bits."""
    return codes.astype(np.int64)


def _within(codes: Array, within: Range) -> Array:
    """Return the codes within a range, as numbers of 64 bits."""
    low = 0 if within.low is None else int(np.searchsorted(codes, within.low))
    high = len(codes) if within.high is None else int(np.searchsorted(codes, within.high))
    return _wide(codes[low:high])
