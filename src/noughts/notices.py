"""Notices to the user that are not errors: Python warnings, each given once. The command prints them as lines."""

import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from noughts.errors import one_line

__all__ = ["SlowerSearch", "tell_once", "told_in_lines"]

_told: set[str] = set()


class SlowerSearch(UserWarning):
    """A search is slower than it could be; the text says why, and what would help."""


def tell_once(text: str) -> None:
    """Give a warning once in this process, attributed to the line of the user's program."""
    if text in _told:
        return
    _told.add(text)
    warnings.warn(one_line(text), SlowerSearch, stacklevel=_callers_level())


def _callers_level() -> int:
    """Return the stack level, as `warnings.warn` counts it, of the first caller outside this package."""
    package = os.path.dirname(__file__) + os.sep
    level = found = 1
    frame = sys._getframe(1).f_back
    while frame is not None:
        level += 1
        if frame.f_code.co_filename.startswith(package):
            found = level
        frame = frame.f_back
    return found + 1


def _print_line(message: object) -> None:
    print(f"noughts: {message}", file=sys.stderr, flush=True)


@contextmanager
def told_in_lines(tell: Callable[[object], None] | None = None) -> Iterator[None]:
    """Pass such warnings to `tell`, by default as one line on standard error; leave other warnings as they are."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", SlowerSearch)
        show = warnings.showwarning

        def print_line(
            message: Warning | str,
            category: type[Warning],
            filename: str,
            lineno: int,
            file: TextIO | None = None,
            line: str | None = None,
        ) -> None:
            if issubclass(category, SlowerSearch):
                (tell or _print_line)(message)
            else:
                show(message, category, filename, lineno, file, line)

        warnings.showwarning = print_line
        yield
