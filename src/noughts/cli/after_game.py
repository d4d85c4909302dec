"""After a game at the terminal: its review, and retries of a person's mistakes."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from noughts.cli.retrying import retry_here
from noughts.cli.review import report
from noughts.cli.terminal import EndOfInput, Terminal, live_line
from noughts.cli.tries import Board, Quit
from noughts.engine import Engine, engine_of
from noughts.errors import counted
from noughts.match import Match
from noughts.record import Record
from noughts.reviews.review import Review, review
from noughts.search.limits import Limits

__all__ = ["AfterGame"]

AT_ONCE = 0.2
"""Seconds of the processor that finding out whether a person made mistakes may take before they ask."""

SECONDS = 30.0
"""What a review may take if they ask for it."""


class AfterGame:
    """A match that is over, and the players that people were."""

    def __init__(self, match: Match[Any, Any], position: str, humans: Sequence[int]) -> None:
        self._match, self._humans = match, humans
        self._engine: Engine[Any, Any] = engine_of(match.game)
        self._record = Record.of_match(match, "", position=position)
        self._found: Review[Any, Any] | None = None
        if match.played and self._engine.solve(AT_ONCE):
            self._found = self._reviewed()

    def offer(self) -> str:
        """Return one line that offers a review; empty if there is no reason for one."""
        if not self._match.played:
            return ""
        if self._found is None:
            return "Type review to go through the game, or retry to try again where you went wrong."
        mistakes = sum(each.player in self._humans for each in self._found.mistakes)
        if not mistakes:
            return ""
        who = "You made" if len(self._humans) == 1 else "There were"
        return f"{who} {counted(mistakes, 'mistake')}: type review to see the game, or retry to try again."

    def review(self, terminal: Terminal) -> None:
        """Print the review."""
        if self._match.played:
            terminal.show("\n" + report(self._review()))

    def retry(self, terminal: Terminal, color: str) -> None:
        """Put the mistakes to the person, until all are corrected or they leave."""
        if not self._match.played:
            return
        board = Board(self._match.game.game, terminal, color)
        with suppress(Quit, EndOfInput):
            retry_here(self._engine, self._review(), tuple(self._humans), board)

    def _review(self) -> Review[Any, Any]:
        if self._found is None:
            self._found = self._reviewed()
        return self._found

    def _reviewed(self) -> Review[Any, Any]:
        with live_line() as show:
            return review(
                self._engine,
                self._record,
                limits=Limits(seconds=SECONDS),
                progress=lambda done, of: show(f"reviewing: {done} of {counted(of, 'position')}"),
            )
