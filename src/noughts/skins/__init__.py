"""Skins: how the board of each game looks. A skin is a file of data, which the page and the pictures share."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from noughts.notation import normalised

__all__ = ["PLAIN", "Skin", "skin_of", "skins"]

PLAIN = "plain"
"""The skin of games that have none of their own."""

Shape = tuple[str, Mapping[str, Any]]
"""An SVG element in a square of 100 by 100: its name and its attributes, whose colours are names of the skin's."""


class Skin(NamedTuple):
    """How the board of a game looks."""

    name: str
    about: str
    games: tuple[str, ...]
    """The games that wear it, by the part of their notation before the colon."""
    layout: str
    """What is around the marks: lines, squares, frame, crossings, layers or heaps."""
    players: Mapping[str, str]
    """What the players are called, where that differs from the name that the rules give them."""
    colours: Mapping[str, tuple[str, str]]
    """Each colour by name, on light and on dark backgrounds."""
    tints: Mapping[str, str]
    """The colour of each player in text and lines."""
    marks: Mapping[str, tuple[Shape, ...]]
    """The shapes of each mark. A mark without shapes is shown as text."""
    motion: str
    """How a new mark appears: draw, fall, turn or appear."""
    parts: str = ""
    """What a completed line does to its part of the board: `won` covers it with a large mark, `dead` greys it."""
    counted: bool = False
    """Whether the marks of each player are counted."""
    from_columns: int = 0
    """The fewest columns of a board that wears it."""


@cache
def skins() -> dict[str, Skin]:
    """Return every skin by name.

    >>> skins()["discs"].players
    {'X': 'Red', 'O': 'Yellow'}
    """
    found = {}
    for file in sorted(files("noughts.skins").iterdir(), key=lambda file: file.name):
        name, _, suffix = file.name.rpartition(".")
        if suffix == "json":
            found[name] = _skin(name, json.loads(file.read_text(encoding="utf-8")))
    return found


def _skin(name: str, data: dict[str, Any]) -> Skin:
    colours = {colour: (light, dark) for colour, (light, dark) in data.pop("colours").items()}
    marks = {mark: tuple((tag, shape) for tag, shape in shapes) for mark, shapes in data.pop("marks").items()}
    return Skin(name=name, colours=colours, marks=marks, games=tuple(data.pop("games")), **data)


def skin_of(notation: str, columns: int) -> Skin:
    """Return the skin of a game on a board of this many columns.

    >>> skin_of("mnk:5,5,4", 5).name, skin_of("mnk:15,15,5", 15).name, skin_of("./mygame.py", 3).name
    ('strokes', 'stones', 'plain')
    """
    family = normalised(notation).partition(":")[0]
    fitting = [skin for skin in skins().values() if family in skin.games and columns >= skin.from_columns]
    return max(fitting, key=lambda skin: skin.from_columns, default=skins()[PLAIN])
