"""The tasks of a solve on arrays of codes: for games whose rules are compiled."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from noughts.capabilities import ResolvedGame
from noughts.errors import BrokenGame
from noughts.score import Scale
from noughts.solve.files import Facts, WorkFile, read_work, write_work
from noughts.solve.ranges import Range
from noughts.solve.rules import NativeRules
from noughts.solve.tasks import Job

__all__ = ["Native"]

STEP = 4096
"""How many codes there are from one mark of a run to the next."""

CHUNK = 1 << 20
"""How many children are found at once on the way up, about."""

GOES_ON = 1 << 40
"""The result of a position in which the game is not over, as `sweep` has it."""

Array = Any
"""An array of numpy; without its stubs, mypy knows no more."""


class Native:
    """Does the tasks of a job on arrays of codes."""

    def __init__(self, job: Job, game: ResolvedGame[Any, Any]) -> None:
        self._job, self._game = job, game
        self._rules = NativeRules(game)
        self._sweep = self._rules.module

    def seed(self, output: str, arguments: dict[str, Any]) -> Facts:
        """Write the run that has the initial position alone."""
        codes = np.array([self._sweep.begin()], dtype=np.int64)
        run = _write_run(arguments["run"], 0, codes)
        write_work(output, {"runs": [run]})
        return {"runs": [run]}

    def merge(self, output: str, arguments: dict[str, Any]) -> Facts:
        """Write the positions of a part, each once."""
        within = Range(*arguments["range"])
        codes = _unique(np.concatenate([_within(_codes(run), within) for run in arguments["runs"]]))
        facts: Facts = {"count": len(codes), "met": 0, "starts": [], "last": -1}
        if len(codes):
            facts |= {"starts": [int(codes[0])], "last": int(codes[-1])}
        _write_codes(output, facts, codes)
        return facts

    def forward(self, output: str, arguments: dict[str, Any]) -> Facts:
        """Write the run of the children of a part."""
        tier = arguments["tier"]
        codes = _wide(_codes(arguments["part"]))
        pieces, children = [], 0
        for found in self._children(codes):
            children += len(found)
            pieces.append(_unique(found))
        found = _unique(np.concatenate(pieces)) if len(pieces) > 1 else pieces[0]
        runs = [_write_run(f"{arguments['runs']}-to-{tier + 1}.run", tier + 1, found)] if len(found) else []
        facts = {"runs": runs, "children": children}
        write_work(output, facts)
        return facts

    def _children(self, codes: Array) -> Iterator[Array]:
        """Yield the children of some positions, as often as they are met, some at a time."""
        fits = min(CHUNK, len(codes) * self._rules.choices) + self._rules.choices
        children, results = np.empty(fits, dtype=np.int64), np.zeros(1, dtype=np.int64)
        start = 0
        while start < len(codes):
            found = self._sweep.expand(
                codes.ctypes.data, start, len(codes), children.ctypes.data, fits, 0, results.ctypes.data
            )
            start = int(results[0])
            yield children[:found].copy()

    def backward(self, output: str, arguments: dict[str, Any]) -> Facts:
        """Write the scores of a part's positions, and its part of the table."""
        codes = _wide(_codes(arguments["part"]))
        size, number = len(codes), arguments["children"]
        children, parents = np.empty(max(1, number), dtype=np.int64), np.empty(max(1, number), dtype=np.int64)
        results = np.empty(1 + 2 * size, dtype=np.int64)
        found = self._sweep.expand(
            codes.ctypes.data, 0, size, children.ctypes.data, number, parents.ctypes.data, results.ctypes.data
        )
        if found != number or results[0] != size:
            raise BrokenGame("the game's rules for all positions do not always say the same")
        ends, images = results[1::2], results[2::2]
        span = Scale(arguments["span"] + 1)
        is_end = ends != GOES_ON
        best = np.full(size, -(1 << 60), dtype=np.int64)
        best[is_end] = ends[is_end] * (span.longest + 1)
        settled = sum(self._settle(children, parents, number, part) for part in arguments["above"])
        if settled != number:
            raise BrokenGame("a position that the game's rules lead to is missing")
        utilities = np.sign(best) * (-(-np.abs(best) // (span.longest + 1)))
        distances = np.where(best == 0, 0, -np.abs(best) % (span.longest + 1))
        facts = {
            "count": size,
            "tally": _tally(utilities, distances, images, is_end),
            "root": [int(utilities[0]), int(distances[0]) if utilities[0] else None],
        }
        kept = next(kind for kind in ("<i1", "<i2", "<i4", "<i8") if np.abs(best).max() <= np.iinfo(kind).max)
        write_work(output, {**facts, "kind": kept}, [best.astype(kept)])
        return facts

    def _settle(self, children: Array, parents: Array, number: int, part: dict[str, Any]) -> int:
        """Raise the scores of parents from those children that are in a part of the tier above."""
        codes = _wide(_codes(part["codes"]))
        file = _opened(part["scores"])
        scores = np.frombuffer(file.sections[0], dtype=file.facts["kind"]).astype(np.int64)
        return 0
