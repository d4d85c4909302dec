"""Ranges of codes: how a tier is divided into parts of about equal size, the same whoever does the work."""

from collections.abc import Iterable
from typing import Any, NamedTuple

__all__ = ["Range", "ranges_of"]


class Range(NamedTuple):
    """The codes from `low` up to `high`, which is left out; None is no limit."""

    low: int | None = None
    high: int | None = None

    def has(self, code: int) -> bool:
        """Return whether a code is within the range."""
        return (self.low is None or code >= self.low) and (self.high is None or code < self.high)

    def meets(self, first: int, last: int) -> bool:
        """Return whether any code from `first` to `last` may be within the range."""
        return (self.low is None or last >= self.low) and (self.high is None or first < self.high)


def ranges_of(runs: Iterable[dict[str, Any]], most: int) -> list[Range]:
    """Return ranges that divide the codes of some runs, each with at most about `most` of them.

    Each run says its `count`, and its `marks`: every so many codes, by `step`, one of them.

    >>> ranges_of([{"count": 8, "step": 2, "marks": [10, 20, 30, 40]}], 4)
    [Range(low=None, high=30), Range(low=30, high=None)]
    """
    weighed: list[tuple[int, int]] = []
    for run in runs:
        left = run["count"]
        for mark in run["marks"]:
            weighed.append((mark, min(left, run["step"])))
            left -= run["step"]
    weighed.sort()
    cuts: list[int] = []
    held = 0
    for mark, weight in weighed:
        if held and held + weight > most and (not cuts or mark > cuts[-1]):
            cuts.append(mark)
            held = 0
        held += weight
    return [Range(low, high) for low, high in zip([None, *cuts], [*cuts, None], strict=True)]
