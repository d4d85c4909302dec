"""The other process of `noughts.testing.again`: loads a game file, and tells what it says after lines of play."""

import datetime
import json
import os
import sys
import time
from typing import Any

from noughts.errors import NoughtsError
from noughts.gamefile import blame, game_from_file, named_error
from noughts.testing.again import outline

__all__ = ["main"]

LATER = 12 * 3600 + 1
"""Seconds to another time of day: the other half of it, and an odd second for an even one."""


class _Clock:
    """The clocks that a game file may look at, which can be put forward."""

    def __init__(self) -> None:
        self.ahead = 0
        for name in ("time", "monotonic", "perf_counter", "process_time"):
            setattr(time, name, self._put_forward(getattr(time, name), 1))
            setattr(time, f"{name}_ns", self._put_forward(getattr(time, f"{name}_ns"), 10**9))
        clock = self

        class Shifted(datetime.datetime):
            """A datetime whose present is that of the clock."""

            @classmethod
            def now(cls, tz: datetime.tzinfo | None = None) -> Any:
                return super().now(tz) + datetime.timedelta(seconds=clock.ahead)

        datetime.datetime = Shifted  # type: ignore[misc]

    def _put_forward(self, clock: Any, unit: int) -> Any:
        return lambda: clock() + self.ahead * unit


def main() -> None:
    """Answer the one question on standard input: lines of play, the last one first, each at two times of day."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a game prints must not get among the answers
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
