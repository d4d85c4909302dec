"""Codings: how a state becomes the whole number that a table stores its position under.

A code is exact: equal for a state and its symmetric images, different for any other. A manifest describes its coding,
so that the same codes can be computed again from the description, without what wrote the table.
"""

from collections.abc import Callable, Sequence
from typing import Any

from noughts.capabilities import ResolvedGame
from noughts.compiled.all_positions import rules_module, source_of_rules
from noughts.errors import BadTable
from noughts.serial import least_of_images, serial_key

__all__ = ["NO_CODE", "RULES", "SERIAL", "Coding", "coding_of", "numbers_coding"]

Coding = dict[str, Any]
"""A description of a coding: its `kind`, and whatever else that kind needs."""

NO_CODE = -1
"""The code of a state that a coding has no number for, such as a cell with a stone that no play puts there."""

SERIAL: Coding = {"kind": "serial"}
"""The coding of any game: the number that `noughts.serial.serial_key` makes of a state."""

RULES: Coding = {"kind": "rules"}
"""The coding of a game with rules for all its positions: the number that their function `code` returns."""


def numbers_coding(shape: Any, ranges: Sequence[tuple[int, int]]) -> Coding:
    """Return the coding of states that are nested tuples of whole numbers.

    `shape` is a state with 0 in place of each number, and `ranges` has the lowest and the highest value of each.
    """
    return {"kind": "numbers", "shape": shape, "ranges": [list(each) for each in ranges]}


def coding_of(game: ResolvedGame[Any, Any], coding: Coding) -> Callable[[Any], int]:
    """Return the function from states to codes that a manifest describes; raise BadTable if this game has no such."""
    kind = coding.get("kind")
    if kind == "serial":
        return serial_key(game)
    if kind == "rules":
        kernel = game.solver()
        if kernel is not None:
            code, pack = rules_module(source_of_rules(kernel), kernel.rules).code, kernel.pack
            return lambda state: code(pack(state))
    if kind == "numbers":
        return least_of_images(game, _fields(coding["shape"], coding["ranges"]))
    raise BadTable(f"its positions are coded by {kind!r}, which this version of noughts or this game does not have")


def _fields(shape: Any, ranges: Sequence[Sequence[int]]) -> Callable[[Any], int]:
    """Return a function from the number, or the nested tuple of numbers, to the sum of its bit fields.

    The last number is in the lowest bits. Each takes as many bits as the difference of its range's ends.
    """
    widths = [(high - low).bit_length() for low, high in ranges]
    fields = [(low, high, sum(widths[place + 1 :])) for place, (low, high) in enumerate(ranges)]

    def code(value: Any) -> int:
        numbers: list[int] = []
        if not _collect(shape, value, numbers):
            return NO_CODE
        found = 0
        for number, (low, high, place) in zip(numbers, fields, strict=True):
            if not low <= number <= high:
                return NO_CODE
            found |= number - low << place
        return found

    return code


def _collect(shape: Any, value: Any, numbers: list[int]) -> bool:
    """Add the numbers of a value to a list; return whether the value has the shape."""
    if isinstance(shape, (list, tuple)):
        if not isinstance(value, tuple) or len(value) != len(shape):
            return False
        return all(_collect(part, each, numbers) for part, each in zip(shape, value, strict=True))
    if not isinstance(value, int):
        return False
    numbers.append(int(value))
    return True
