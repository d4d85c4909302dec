"""Builds the pages that step through searches: the lessons, and the search of one position."""

from collections.abc import Mapping
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from noughts import pages
from noughts.capabilities import resolve
from noughts.game import Game
from noughts.learn.lessons import LESSONS, Example
from noughts.learn.positions import MOST_POSITIONS, Positions, positions
from noughts.notation import load, replay
from noughts.pages import embedded, filled
from noughts.search.limits import Limits
from noughts.search.variants import Variant

__all__ = ["lessons_page", "page", "policy"]

SCRIPTS = (
    *("search", "steps", "code", "values", "words", "numbers", "boards", "picture"),
    *("questions", "panels", "app", "address", "controls"),
)
"""The parts of the page's script, in order."""


def page(
    game: Game[Any, Any],
    state: Any,
    *,
    search: Variant = "alphabeta",
    notation: str = "",
    position: str = "",
    most: int = MOST_POSITIONS,
    home: str = "",
    lessons: str = "",
    limits: Limits = Limits(),  # noqa: B008 - immutable
) -> str:
    """Return an HTML page that steps through the search of a state, line by line.

    `notation` and `position` appear in its heading. Where the game is too large, the search looks only as many plies
    ahead as `most` positions allow. The page links to `home`, the address of the board, and to `lessons`.
    """
    game = resolve(game)
    found = positions(game, state, most=most, limits=limits)
    called = game.title or notation or "a game"
    title = called + (f" after {position}" if position else "")
    view = "textbook" if search in ("minimax", "alphabeta") else "negamax"
    example = {"label": title, "search": search, "view": view, "beside": "", "tree": 0}
    lesson = {"name": "", "title": title, "text": [], "examples": [example], "questions": [], "summary": []}
    return _page(title, [lesson], [found], home, lessons)


def lessons_page(*, home: str = "") -> str:
    """Return an HTML page with all lessons, which stands alone. It links to `home`, the address of the board.

    >>> "What the end is worth" in lessons_page()
    True
    """
    lessons, trees = _lessons()
    return _page("Learn minimax", lessons, trees, home, "")


@cache
def policy() -> str:
    """Return the content security policy of all these pages: only their own style and script may run.

    It is part of the page; a server should also send it as a header.
    """
    return pages.policy(_template())


@cache
def _lessons() -> tuple[list[dict[str, Any]], list[Positions]]:
    """Return the lessons as data, and the trees that their examples refer to."""
    trees: list[Positions] = []
    places: dict[tuple[str, str, int | None], int] = {}

    def tree(example: Example) -> int:
        key = example.game, example.position, example.depth
        if key not in places:
            game = load(example.game)
            places[key] = len(trees)
            trees.append(positions(game, replay(game, example.position), depth=example.depth))
        return places[key]

    told = []
    for lesson in LESSONS:
        examples = [
            {
                "label": each.label,
                "search": each.search,
                "view": each.view,
                "beside": each.beside,
                "tree": tree(each),
            }
            for each in lesson.examples
        ]
        told.append(
            {**lesson._asdict(), "examples": examples, "questions": [each._asdict() for each in lesson.questions]}
        )
    return told, trees


def _page(title: str, lessons: list[dict[str, Any]], trees: list[Positions], home: str, more: str) -> str:
    links: Mapping[str, str] = {"Back to the board": home, "Lessons": more}
    parts = {
        "policy": policy(),
        "title": escape(title),
        "links": "".join(f'<a href="{escape(address)}">{words}</a>' for words, address in links.items() if address),
        "lessons": embedded(lessons),
        "trees": embedded(trees),
    }
    return filled(_template(), parts)


@cache
def _template() -> str:
    """Return the page without its data: the markup with its style and script."""
    folder = files("noughts.learn").joinpath("assets")
    style = folder.joinpath("learn.css").read_text("utf-8")
    script = "\n".join(folder.joinpath(f"{name}.js").read_text("utf-8") for name in SCRIPTS)
    markup = folder.joinpath("learn.html").read_text("utf-8")
    return markup.replace("/* style */", style).replace("/* script */", f'"use strict";\n{script}')
