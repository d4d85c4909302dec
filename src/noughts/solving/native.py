"""The tasks of a solve on arrays of codes: for games whose rules are compiled."""

import json
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from noughts.capabilities import ResolvedGame
from noughts.errors import BrokenGame
from noughts.score import Scale
from noughts.solving.above import Above
from noughts.solving.files import Facts, WorkFile, read_work, write_work
from noughts.solving.ranges import Range
from noughts.solving.rules import NativeRules
from noughts.solving.tasks import Job
from noughts.solving.writing import write_part

__all__ = ["Native"]

STEP = 4096
"""How many codes there are from one mark of a run to the next, at most."""

SECTION = 1 << 14
"""How many codes of a run are read at once, at least."""

CHUNK = 1 << 21
"""How many children are found at once on the way up, about."""

FAMILIES = 1 << 18
"""How many children are looked up at once, where there is room for all positions of the tiers above."""

ABOVE = 12
"""How many words of memory there are for the positions of the tiers above, for each position of the largest part."""

Array = Any
"""An array of numpy; without its stubs, mypy knows no more."""


class Native:
    """Does the tasks of a job on arrays of codes."""

    def __init__(self, job: Job, game: ResolvedGame[Any, Any]) -> None:
        self._job, self._game = job, game
        self._rules = NativeRules(game, json.loads(job.coding))
        self._sweep = self._rules.module
        self._rules.compare()
        self._above = Above(self._sweep, _numbers, ABOVE * job.largest)
        self._buffers: dict[str, Array] = {}

    def _buffer(self, name: str, size: int) -> Array:
        """Return an array of so many numbers, whatever they are; the system need not clear it for each task anew."""
        if len(self._buffers.get(name, ())) < size:
            self._buffers[name] = np.empty(size, dtype=np.int64)
        return self._buffers[name][:size]

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
        codes = _unique(np.concatenate([_within(run, within) for run in arguments["runs"]]))
        size = len(codes)
        for part in arguments["known"]:
            codes = np.setdiff1d(codes, _within(part, within), assume_unique=True)
        facts: Facts = {"count": len(codes), "met": size - len(codes), "last": int(codes[-1]) if len(codes) else -1}
        return _write_codes(output, facts, codes, lasting=True)

    def forward(self, output: str, arguments: dict[str, Any]) -> Facts:
        """Write the runs of the children of a part, one for each tier."""
        tier, stem = arguments["tier"], arguments["runs"]
        codes = _wide(_numbers(arguments["part"]))
        pieces: dict[int, list[Array]] = {}
        number = 0
        for found, tiers in self._children(codes, tier):
            number += len(found)
            for to, some in _by_tier(found, tiers, tier + 1):
                pieces.setdefault(to, []).append(_unique(_narrow(some)))
        if self._rules.wider is not None:
            return {"wider": self._rules.wider}
        if min(pieces, default=tier + 1) <= tier:
            raise BrokenGame(f"an action leads from tier {tier} to tier {min(pieces)}; every action must raise it")
        runs = [self._write_run(f"{stem}-to-{to}.run", to, _union(pieces[to])) for to in sorted(pieces)]
        facts = {"runs": runs, "children": number}
        write_work(output, facts)
        return facts

    def _children(self, codes: Array, tier: int) -> Iterator[tuple[Array, Array | None]]:
        """Yield the children of some positions, as often as they are met, some at a time; and their tiers.

        These are None if all children are one tier up.
        """
        fits = min(CHUNK, len(codes) * self._rules.choices) + self._rules.choices
        results, start = np.zeros(1, dtype=np.int64), 0
        children = self._buffer("children", fits)
        tiers = np.full(fits, tier + 1, dtype=np.int64) if self._tiered else None
        while start < len(codes):
            found = self._rules.expand(codes, start, children, len(children), tiers, None, results)
            if results[0] == start:  # the children of one position do not fit
                children = self._buffer("children", 2 * len(children))
                tiers = None if tiers is None else np.full(len(children), tier + 1)
            start = int(results[0])
            yield children[:found], None if tiers is None else tiers[:found]

    @property
    def _tiered(self) -> bool:
        """Whether the tier of a child is more than a step up."""
        return self._job.tiered and self._rules.has_tiers

    def backward(self, output: str, arguments: dict[str, Any]) -> Facts:
        """Write the scores of a part's positions, and its part of the table."""
        codes = _wide(_numbers(arguments["part"]))
        size, base = len(codes), Scale(arguments["span"] + 1).longest + 1
        best, utilities, distances = (self._buffer(name, size) for name in ("best", "utilities", "distances"))
        tally = np.zeros(len(TALLY), dtype=np.int64)
        tally[TALLY.index("longest")] = -1
        start = number = 0
        for children, parents, results in self._families(codes, arguments):
            some = slice(start, start + len(results) // 2)
            start, number = some.stop, number + len(children)
            self._look_up(children, parents, results, arguments["above"], best[some], base)
            arrays = best[some], results, utilities[some], distances[some], tally
            addresses = [array.ctypes.data for array in arrays]
            self._sweep.tell(*addresses[:2], len(best[some]), base, *addresses[2:])
        if start != size or number != arguments["children"]:
            raise BrokenGame("the game's rules for all positions do not always say the same")
        counted = dict(zip(TALLY, tally.tolist(), strict=True))
        facts = {
            "count": size,
            "tally": _tally(size, counted),
            "root": [int(utilities[0]), int(distances[0]) if utilities[0] else None],
            **write_part(self._job, self._game, arguments, codes, utilities, distances),
        }
        kept = next(kind for kind in ("<i1", "<i2", "<i4", "<i8") if counted["largest"] <= np.iinfo(kind).max)
        write_work(output, {**facts, "kind": kept}, [best.astype(kept)])
        return facts

    def _families(self, codes: Array, arguments: dict[str, Any]) -> Iterator[tuple[Array, Array, Array]]:
        """Yield the children of some positions, to which of these they belong, and their results, some at a time.

        That is all of them at once where looking them up reads positions that are not kept: each is then read once.
        """
        number, most = max(1, arguments["children"]), len(codes)
        if self._above.is_roomy(arguments["above"]):
            number, most = min(number, FAMILIES), min(most, FAMILIES)
        children, parents = self._buffer("children", number), self._buffer("parents", number)
        results = self._buffer("results", 1 + 2 * most)
        start = 0
        while start < len(codes):
            end = min(len(codes), start + most)
            found = self._rules.expand(codes[:end], start, children, number, None, parents, results)
            count = int(results[0]) - start
            if not count:
                raise BrokenGame("the game's rules for all positions do not always say the same")
            yield children[:found], parents[:found], results[: 1 + 2 * count]
            start += count

    def _look_up(
        self, children: Array, parents: Array, results: Array, above: list[Facts], best: Array, base: int
    ) -> None:
        """Find what positions are worth from their children, as the scores that `look_up` speaks of."""
        self._sweep.start(results.ctypes.data, len(best), base, best.ctypes.data)
        number, settled = len(children), 0
        for group in self._above.groups(above, children) if number else ():
            settled += group.settle(self._sweep, children, parents, number, best)
            if settled == number:
                break
        if settled != number:
            raise BrokenGame("a position that the game's rules lead to is missing")

    def _write_run(self, path: str, tier: int, codes: Array) -> Facts:
        """Write a run, and return what the driver needs to know of it."""
        step = max(1, min(STEP, self._job.part // 8))
        _write_codes(path, {"tier": tier}, codes)
        return {"tier": tier, "count": len(codes), "file": path, "step": step, "marks": codes[::step].tolist()}


TALLY = ("positions", "wins", "draws", "losses", "ends", "unknown", "longest", "largest")
"""What `look_up.tell` counts."""


def _tally(stored: int, counted: dict[str, int]) -> Facts:
    """Return the counts of a part, as `Tally` has them."""
    known = {name: None if counted["unknown"] else counted[name] for name in TALLY[:5]}
    return {"stored": stored, **known, "longest": None if counted["longest"] < 0 else counted["longest"]}


def _by_tier(children: Array, tiers: Array | None, usual: int) -> Iterator[tuple[int, Array]]:
    """Yield children tier by tier; all are of the usual one if no tiers are given."""
    if tiers is None:
        if len(children):
            yield usual, children
        return
    lowest, highest = (int(tiers.min()), int(tiers.max())) if len(tiers) else (0, -1)
    for to in range(lowest, highest + 1):
        some = children if lowest == highest else children[tiers == to]
        if len(some):
            yield to, some


def _unique(codes: Array) -> Array:
    """Return codes in order, each once; the array itself is sorted."""
    codes.sort()
    if len(codes) < 2:
        return codes
    kept = np.empty(len(codes), dtype=bool)
    kept[0] = True
    np.not_equal(codes[1:], codes[:-1], out=kept[1:])
    return codes[kept]


def _union(pieces: list[Array]) -> Array:
    """Return the codes of arrays each of which is in order, in order, each once."""
    return pieces[0] if len(pieces) == 1 else _unique(np.concatenate(pieces))


def _narrow(codes: Array) -> Array:
    """Return a copy of codes, in as few bytes each as they need; negative ones stay as they are."""
    fits = not len(codes) or (codes.min() >= 0 and codes.max() < 1 << 32)
    return codes.astype("<u4" if fits else "<i8")


def _write_codes(path: str, facts: Facts, codes: Array, *, lasting: bool = False) -> Facts:
    """Write codes in order, in as many bytes each as they need; return the facts, with where each section begins."""
    codes = codes.astype("<u4" if not len(codes) or codes[-1] < 1 << 32 else "<i8", copy=False)
    sections = [codes[begin : begin + SECTION] for begin in range(0, len(codes), SECTION)]
    facts = {**facts, "kind": codes.dtype.str, "starts": codes[::SECTION].tolist()}
    write_work(path, facts, sections, lasting=lasting)
    return facts


def _opened(path: str, choose: Callable[[Facts], range] | None = None) -> WorkFile:
    """Return a work file that must be there, or some of its sections."""
    found = read_work(path, choose)
    if found is None:
        raise FileNotFoundError(2, "a work file is damaged", path)
    return found


def _numbers(path: str, choose: Callable[[Facts], range] | None = None) -> Array:
    """Return the codes of a run or a part, or the scores of a part, as they are in the file."""
    file = _opened(path, choose)
    kind = file.facts["kind"]
    pieces = [np.frombuffer(section, dtype=kind) for section in file.sections]
    return pieces[0] if len(pieces) == 1 else np.concatenate([np.empty(0, dtype=kind), *pieces])


def _wide(codes: Array) -> Array:
    """Return codes as numbers of 64 bits."""
    return codes.astype(np.int64)


def _within(path: str, within: Range) -> Array:
    """Return those codes of a run or a part that are within a range."""
    codes = _numbers(path, lambda facts: _sections_within(facts["starts"], within))
    most = np.iinfo(codes.dtype).max
    low, high = (
        end if limit is None else len(codes) if limit > most else int(np.searchsorted(codes, codes.dtype.type(limit)))
        for limit, end in ((within.low, 0), (within.high, len(codes)))
    )
    return codes[low:high]


def _sections_within(starts: list[int], within: Range) -> range:
    """Return which sections have codes within a range; given where each begins."""
    low = 0 if within.low is None else max(0, bisect_right(starts, within.low) - 1)
    return range(low, len(starts) if within.high is None else max(low, bisect_left(starts, within.high)))
