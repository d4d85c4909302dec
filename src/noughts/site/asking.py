"""Answers the page's questions inside the browser, in Python that runs in a worker."""

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from noughts.capabilities import resolve
from noughts.errors import NoughtsError
from noughts.gamefile import blame, game_from_file, named_error
from noughts.games import GAMES, named
from noughts.testing import check_game
from noughts.web.handlers import Handlers, Reply
from noughts.web.questions import Questions
from noughts.wire.checks import check

__all__ = ["LESSONS_PAGE", "LINT_POSITIONS", "OWN", "STEPS_PAGE", "offered", "start"]

OWN = "own"
"""The name of the reader's own game."""

STEPS_PAGE, LESSONS_PAGE = "steps.html", "learn.html"
LINT = "/api/lint"
LINT_POSITIONS, LINT_SECONDS = 2_000, 4.0
"""How much of a game is checked while its author waits."""

Tell = Callable[[str], object]
Answer = Callable[[str, str, Tell | None], tuple[int, str]]
"""Answers a path and a query with a status and a text, and is told of progress by a line of JSON."""


def offered() -> dict[str, str | None]:
    """Return the games that the site offers to choose from, each with its title."""
    return {name: resolve(named(name)).title for name in (entry.examples[0] for entry in GAMES.values())}


def start(source: str | None = None, folder: str = "/") -> Answer:
    """Return a function that answers questions about all games or, if there is a source, about that game only.

    The source is written to a file in the folder; in a browser that is memory of the worker. Where such a source may
    run, `/api/lint` checks another source, which it gets in place of a query.
    """
    if source is None:
        questions = Questions(Handlers(lessons_page=LESSONS_PAGE), offered())
    else:
        file = Path(folder) / "your_game.py"
        file.write_text(source, encoding="utf-8")
        files = {OWN: (str(file.resolve()), sha256(file.read_bytes()).hexdigest())}
        questions = Questions(Handlers(files, (OWN,), lessons_page=LESSONS_PAGE), {OWN: None}, files)

    def answer(path: str, query: str, tell: Tell | None = None) -> tuple[int, str]:
        if path == LINT and source is not None:
            reply = _lint(query, Path(folder) / "game.py")
        else:
            reply = questions.answer(path, query, None if tell is None else lambda facts: tell(json.dumps(facts)))
        return reply.status, reply.body

    return answer


def _lint(source: str, file: Path) -> Reply:
    """Check a game as `noughts lint --json` does, or say in one line why it cannot be loaded."""
    path = str(file.resolve())
    try:
        file.write_text(source, encoding="utf-8")
        game = game_from_file(path)
        return Reply(200, json.dumps(check(OWN, check_game(game, LINT_POSITIONS, seconds=LINT_SECONDS))))
    except NoughtsError as error:
        return Reply(400, json.dumps({"error": str(error)}))
    except MemoryError:
        raise
    except BaseException as error:  # a game may raise anything
        return Reply(400, json.dumps({"error": blame(error, path) or named_error(error)}))
