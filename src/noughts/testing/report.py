"""The result of a check: problems, each with a line of play that shows it."""

from collections.abc import Callable
from typing import NamedTuple

from noughts.errors import counted

__all__ = ["Problem", "Report"]


LONG_LINE = 30
"""Lines with more actions than this are cut short in text."""


class Problem(NamedTuple):
    """One kind of mistake, with the first position that shows it."""

    kind: str
    """A short name that does not change between versions, such as `dead-end`."""
    message: str
    """What is wrong in that position, on one line."""
    advice: str
    """What would be right, on one line."""
    position: str
    """The actions that lead to the position, as `noughts.replay` reads them."""
    drawing: str
    """The position, drawn."""
    fatal: bool = False
    """Whether the game cannot be played because of it."""
    seen: int = 1
    """In how many of the checked positions the mistake was seen."""

    @property
    def where(self) -> str:
        """The position in words, a long one cut short."""
        if not self.position:
            return "at the start"
        actions = self.position.split(" ")
        cut = f" ... ({len(actions):,} actions)" if len(actions) > LONG_LINE else ""
        return f"after {' '.join(actions[:LONG_LINE])}{cut}"


class Report(NamedTuple):
    """The problems found, and how much of the game was checked.

    `print(report)` shows all of it; `assert report.ok, report` is a test.
    """

    problems: tuple[Problem, ...]
    positions: int
    complete: bool
    """Whether these are all positions of the game."""
    compared: str = ""
    """How it was compared with another game, if it was."""
    in_time: bool = True
    """Whether there was time for all checks."""
    notes: tuple[str, ...] = ()
    """What is no mistake, but good to know, each in one line."""

    @property
    def ok(self) -> bool:
        """Whether no problem was found."""
        return not self.problems

    @property
    def summary(self) -> str:
        """How many problems in how many positions, on one line."""
        many = len(self.problems)
        found = counted(many, "problem") if many else "no problem"
        looked_at = counted(self.positions, "position")
        late = "" if self.in_time else "; there was no time for every check"
        return (f"{found} in all {looked_at}" if self.complete else f"{found} in {looked_at}, not all") + late

    def __str__(self) -> str:
        return self.text()

    def text(self, heading: str = "", wrapped: Callable[[str], str] = str) -> str:
        """Return all of it as text. `wrapped` may break its lines; drawings are left as they are."""
        lines = [wrapped(heading + self.summary)]
        if self.compared:
            lines.append(wrapped(f"({self.compared})"))
        lines += (wrapped(f"Note: {note}.") for note in self.notes)
        for number, problem in enumerate(self.problems, 1):
            seen = f" (seen in {problem.seen:,} positions)" if problem.seen > 1 else ""
            about = [
                f"{number}. {problem.kind}: {problem.message}{seen}",
                f"   {problem.advice}",
                f"   {problem.where}:",
            ]
            lines += ["", *map(wrapped, about), *(f"   {line}" for line in problem.drawing.splitlines())]
        return "\n".join(lines)
