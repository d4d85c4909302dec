"""Answers that are worked out when the site is built, so that play begins while Python is still on its way.

They are answers of the same handlers: what there is to choose from, the pictures of the
home page, the start of every game, and matches against the
perfect player, whoever begins: all of tic-tac-toe, and the first moves of Connect Four, by its opening book.
"""

import json
from functools import cache
from typing import Any
from urllib.parse import urlencode

from noughts.games import GAMES
from noughts.site.asking import offered, start
from noughts.web.files import static_files

__all__ = ["first_answers", "key"]

PLAYER = "perfect"
MATCHES = {"tic-tac-toe": 9, "connect-four": 4}
"""How many moves of each game, both players' counted, are worked out."""


def key(path: str, **parameters: str) -> str:
    """Return what an answer is looked up by: its address, with parameters in alphabetical order and without limits.

    >>> key("/api/position", position="5 1", game="tic-tac-toe")
    '/api/position?game=tic-tac-toe&position=5+1'
    """
    return f"{path}?{urlencode(sorted(parameters.items()))}" if parameters else path


@cache
def first_answers() -> dict[str, str]:
    """Return the texts of the answers, each by its key."""
    found = _Found()
    found.ask("/api/games")
    shown = json.loads(static_files()["gallery.json"].body)
    for name, entry in GAMES.items():
        found.ask("/api/board.svg", game=entry.examples[0], position=shown.get(name, ""))
    for game in offered():
        found.ask("/api/position", game=game, position="")
    for game, moves in MATCHES.items():
        found.match(game, "", moves, person=True)
        found.match(game, "", moves, person=False)
    return found.answers


class _Found:
    """The answers so far."""

    def __init__(self) -> None:
        self._answer = start()
        self.answers: dict[str, str] = {}

    def ask(self, path: str, **parameters: str) -> str:
        """Ask a question, unless it was asked before, and return its answer."""
        known = key(path, **parameters)
        if known not in self.answers:
            status, body = self._answer(path, urlencode(parameters), None)
            assert status == 200, body
            self.answers[known] = body
        return self.answers[known]

    def _facts(self, path: str, **parameters: str) -> Any:
        return json.loads(self.ask(path, **parameters))

    def match(self, game: str, position: str, moves: int, person: bool) -> None:
        """Play every match from a position; `person` says whether the computer waits there for a person's move."""
        here = self._facts("/api/position", game=game, position=position)
        if here["over"] or not moves:
            return
        if person:
            actions = here["actions"]
        else:
            actions = [self._facts("/api/move", game=game, position=position, player=PLAYER)["action"]]
        for action in actions:
            self.match(game, f"{position} {action}".strip(), moves - 1, not person)
