"""Builds the page of a certificate: one HTML file on which anybody can try to beat the strategy.

It has the typography, the colours and the board of the page that the server shows: `app.css` and the modules of the
board are put into it. It knows no rules: every position that play can reach is in it, with what each move leads to.
"""

import json
import re
from collections.abc import Hashable
from html import escape
from importlib.resources import files
from typing import Any, Generic, TypeVar

from noughts.capabilities import ResolvedGame
from noughts.certificates import checker
from noughts.certificates.certificate import Certificate, opened
from noughts.certificates.sentences import claim_in_words, player_in_words
from noughts.certificates.strategy import name_of, plain
from noughts.errors import NoughtsError, counted
from noughts.notation import Position, is_path
from noughts.pages import embedded, filled, policy
from noughts.web.files import static_files
from noughts.wire.positions import position as position_facts

__all__ = ["MOST_POSITIONS", "page"]

MOST_POSITIONS = 100_000
"""A strategy that can reach more positions is too large for a page."""

MODULES = ("page.js", "values.js", "cells.js", "skins.js", "marks.js", "board.js")
"""The modules of the server's page that make its board."""

STYLES = ("app.css", "board.css", "boards.css")

Thing = TypeVar("Thing", bound=Hashable)


class Numbered(Generic[Thing]):
    """Different things, each with its number."""

    def __init__(self) -> None:
        self._numbers: dict[Thing, int] = {}

    def number(self, thing: Thing) -> int:
        """Return the number of a thing, a new one if it is new."""
        return self._numbers.setdefault(thing, len(self._numbers))

    def things(self) -> list[Thing]:
        """Return the things in the order of their numbers."""
        return list(self._numbers)


def page(game: ResolvedGame[Any, Any], certificate: Certificate) -> str:
    """Return an HTML page on which anybody plays against a strategy, with the certificate in it."""
    claim = claim_in_words(game, certificate)
    other = player_in_words(game, "second" if certificate.player == "first" else "first")
    facts = {
        **_positions(game, certificate),
        "title": game.display_title,
        "game": certificate.game,
        "skins": _skins(),
        "strategy": player_in_words(game, certificate.player),
        "you": other,
        "after": list(certificate.after),
        "moves": certificate.moves,
        "file": f"{re.sub(r'[^a-z0-9]+', '-', game.display_title.lower()).strip('-') or 'certificate'}.txt",
        "certificate": certificate.text,
    }
    parts = {
        "title": escape(f"{game.display_title}: {claim}"),
        "game": escape(game.display_title),
        "claim": escape(f"{claim}."),
        "dare": escape(f"You are {other}. Try to {'draw or win' if certificate.moves else 'win'}."),
        "positions": f"{certificate.positions:,}",
        "needed": escape(f" ./{certificate.game}" if is_path(certificate.game) else ""),
        "facts": embedded(facts),
        "style": "\n".join([*map(_static, STYLES), _own("css")]),
        "script": "\n".join([*map(_module, MODULES), _own("js")]),
        "policy": "%%policy%%",
    }
    whole = filled(_own("html"), parts)
    return whole.replace("%%policy%%", policy(whole), 1)


def _positions(game: ResolvedGame[Any, Any], certificate: Certificate) -> dict[str, Any]:
    """Return every position that play can reach: what it looks like, whose turn it is, and what follows each move."""
    start, player, entries = opened(game, certificate)
    cells, rows, boards = Numbered[Any](), Numbered[Any](), []
    numbers = {game.key(start): 0}
    waiting = [start]
    for state in waiting:  # which grows meanwhile
        told = position_facts("", Position("", (), (state,)), game)
        own = not told["over"] and game.to_move(state) == player
        follow: dict[str, int] = {}
        for action in [] if told["over"] else game.legal_actions(state):
            if own and plain(name_of(game)(action)) not in entries[checker.frozen(state)]:
                continue
            child = game.result(state, action)
            number = follow[game.action_name(action)] = numbers.setdefault(game.key(child), len(waiting))
            if number == len(waiting):
                waiting.append(child)
        board = None
        if told["board"] is not None:
            board = [
                rows.number(
                    tuple(
                        None
                        if cell is None
                        else cells.number((cell["mark"], cell["name"], tuple(cell["actions"]), cell["lit"]))
                        for cell in row
                    )
                )
                for row in told["board"]
            ]
        result = told["result"]
        boards.append(
            {
                "board": board,
                "drawing": told["drawing"] if board is None else "",
                "own": own,
                "follow": follow,
                "elsewhere": told["elsewhere"],
                "result": None if result is None else [player * game.utility(state), result["sentence"]],
                "winner": None if result is None else result["winner"],
            }
        )
        if len(waiting) > MOST_POSITIONS:
            raise NoughtsError(f"play can reach more than {counted(MOST_POSITIONS, 'position')}: too many for a page")
    return {"cells": cells.things(), "rows": rows.things(), "positions": boards}


def _skins() -> dict[str, Any]:
    """Return all skins by name, as the server's page gets them."""
    found: dict[str, Any] = json.loads(static_files()["skins.json"].body)
    return found


def _static(name: str) -> str:
    return files("noughts.web.static").joinpath(name).read_text("utf-8")


def _own(kind: str) -> str:
    return files("noughts.web").joinpath(f"certificate_page.{kind}").read_text("utf-8")


def _module(name: str) -> str:
    """Return a module as part of a larger one, in which only what it exports is visible."""
    text = re.sub(r"^import .*\n", "", _static(name), flags=re.MULTILINE)
    exported = ", ".join(re.findall(r"^export (?:const|function|class) (\w+)", text, flags=re.MULTILINE))
    text = re.sub(r"^export ", "", text, flags=re.MULTILINE)
    return f"const {{ {exported} }} = (() => {{\n{text}return {{ {exported} }};\n}})();"
