"""The other process of `repeatability`: loads a game file, and returns its answers after lines of play."""

import datetime
import json
import os
import sys
import time
from typing import Any

from noughts.errors import NoughtsError
from noughts.gamefile import blame, game_from_file, named_error
from noughts.testing.repeatability import outline

__all__ = ["main"]

LATER = 12 * 3600 + 1
"""Seconds to another time of day: half a day, plus one so that even seconds become odd."""


class _Clock:
    """Replacements of the clocks that a game file may read. They can be set forward."""

    def __init__(self) -> None:
        self.ahead = 0
        for name in ("time", "monotonic", "perf_counter", "process_time"):
            setattr(time, name, self._put_forward(getattr(time, name), 1))
            setattr(time, f"{name}_ns", self._put_forward(getattr(time, f"{name}_ns"), 10**9))
        clock = self

        class Shifted(datetime.datetime):
            """A datetime whose `now` follows the clock."""

            @classmethod
            def now(cls, tz: datetime.tzinfo | None = None) -> Any:
                return super().now(tz) + datetime.timedelta(seconds=clock.ahead)

        datetime.datetime = Shifted  # type: ignore[misc]

    def _put_forward(self, clock: Any, unit: int) -> Any:
        return lambda: clock() + self.ahead * unit


def main() -> None:
    """Read lines of play from standard input, and write the outline of each at two times of day.

    The last line is played first, so that answers which depend on the order of the questions differ.
    """
    out = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # so that what a game prints does not mix with the answers
    asked = json.load(sys.stdin)
    sys.path[:] = asked["search_path"]
    clock = _Clock()
    found: list[Any] = []
    reply: Any = found
    try:
        game = game_from_file(asked["path"])
        for line in reversed(asked["lines"]):
            outlines = []
            for clock.ahead in (0, LATER):
                outlines.append(outline(game, line))
            found.append(outlines)
        found.reverse()
    except BaseException as error:
        where = str(error) if isinstance(error, NoughtsError) else blame(error, asked["path"]) or named_error(error)
        reply = {"error": where}
    json.dump(reply, out)
    out.close()
