"""Limits on the command line: checking what was typed, Ctrl-C as a way to stop, and words for what stopped a search."""

import argparse
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import isfinite
from typing import Any

from noughts.errors import NoughtsError
from noughts.interrupts import CtrlC

__all__ = ["STOPS", "check_limits", "interruptible"]

STOPS = {
    "deadline": "the time limit (--seconds 0 sets none)",
    "node limit": "the node limit",
    "depth limit": "the depth limit",
    "cancelled": "Ctrl-C",
}
"""What stopped a search, in words; "done" is not among them."""


TIMES = ("seconds", "think")
"""The options that are times."""


def check_limits(args: argparse.Namespace, *options: str) -> None:
    """Raise NoughtsError for an invalid limit; a time of 0 sets no limit."""
    for option in options:
        value = getattr(args, option)
        if value is not None and (not isfinite(value) or value < 0 or (value == 0 and option not in TIMES)):
            or_none = "0, which sets no limit, or " if option in TIMES else ""
            raise NoughtsError(f"--{option.replace('_', '-')} must be {or_none}a number above 0")


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Turn Ctrl-C, while a search runs, into a flag that stops it; a second Ctrl-C leaves as usual."""
    pressed: list[int] = []
    before = signal.getsignal(signal.SIGINT)

    def note(number: int, _: Any) -> None:
        if pressed:
            raise CtrlC
        pressed.append(number)

    signal.signal(signal.SIGINT, note)
    try:
        yield lambda: bool(pressed)
    finally:
        signal.signal(signal.SIGINT, before)
