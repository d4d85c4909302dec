"""What can be asked over HTTP: each question's path and parameters, read from a query, and refused in words."""

import json
import re
from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

from noughts.errors import shown, suggest
from noughts.players import COMPUTERS
from noughts.search.variants import VARIANTS

__all__ = ["MOST_NODES", "QUESTIONS", "Asked", "Parameter", "Question", "Refused"]

MOST_TEXT = 2_000
"""Signs that a game, a position or an action may have: many times what any game here needs."""

MOST_FIELDS = 20


class Refused(Exception):
    """A request that is not answered: its status, and one line that says what was wrong and what would be right."""

    def __init__(self, status: int, error: str, retry_after: int | None = None) -> None:
        super().__init__(error)
        self.status, self.error, self.retry_after = status, error, retry_after


class Parameter(NamedTuple):
    """One parameter of a query."""

    name: str
    about: str
    schema: Mapping[str, Any]
    """As OpenAPI describes it; what does not fit is refused."""
    default: Any = None
    required: bool = False
    example: Any = None

    def read(self, text: str) -> Any:
        """Return the value that a text stands for, or raise Refused."""
        value = _READ[self.schema["type"]](text)
        choices = self.schema.get("enum")
        if choices is not None and value not in choices:
            hint = suggest(text, choices) or f"; there are: {', '.join(choices)}"
            raise Refused(400, f"there is no {self.name} {shown(text)}{hint}")
        if value is None or not self._fits(value):
            raise Refused(400, f"{self.name} is {self._wanted()}, not {shown(text)}")
        return value

    def _fits(self, value: Any) -> bool:
        if isinstance(value, str):
            return bool(self.schema.get("minLength", 0) <= len(value) <= self.schema.get("maxLength", MOST_TEXT))
        above = value > self.schema.get("exclusiveMinimum", value - 1)
        return bool(above and self.schema.get("minimum", value) <= value <= self.schema.get("maximum", value))

    def _wanted(self) -> str:
        kind = self.schema["type"]
        if kind == "boolean":
            return "true or false"
        if kind == "string":
            return f"{self.schema.get('minLength', 0)} to {self.schema.get('maxLength', MOST_TEXT):,} signs"
        number = "a number" if kind == "number" else "a whole number"
        if "exclusiveMinimum" in self.schema:
            return f"{number} above 0, at most {self.schema['maximum']}"
        return f"{number} from {self.schema['minimum']} to {self.schema['maximum']}"


def _number(text: str) -> float | None:
    if not re.fullmatch(r"[+-]?(\d{1,30}(\.\d{0,30})?|\.\d{1,30})([eE][+-]?\d{1,3})?", text, re.ASCII):
        return None
    value = float(text)
    return value if isfinite(value) else None


def _integer(text: str) -> int | None:
    return int(text) if re.fullmatch(r"[+-]?\d{1,18}", text, re.ASCII) else None


_READ: dict[str, Callable[[str], Any]] = {
    "string": str,
    "boolean": {"true": True, "false": False}.get,
    "number": _number,
    "integer": _integer,
}


class Asked(NamedTuple):
    """A question as it was asked: what, and every parameter's value."""

    kind: str
    values: Mapping[str, Any]

    @property
    def key(self) -> str:
        """What equal questions have in common."""
        return json.dumps([self.kind, self.values], sort_keys=True)


class Question(NamedTuple):
    """Something that can be asked, by GET at a path."""

    kind: str
    path: str
    about: str
    parameters: tuple[Parameter, ...]
    streams: bool = False
    """Whether progress can be had as server-sent events."""
    html: bool = False

    def read(self, query: bytes) -> Asked:
        """Return what a query asks, or raise Refused."""
        known = {parameter.name: parameter for parameter in self.parameters}
        given: dict[str, Any] = {}
        for name, text in _fields(query):
            if name not in known:
                hint = suggest(name, known) or f"; there are: {', '.join(known)}"
                raise Refused(400, f"there is no parameter {shown(name)}{hint}")
            if name in given:
                raise Refused(400, f"{name} is given twice; once is enough")
            given[name] = known[name].read(text)
        for parameter in self.parameters:
            if parameter.required and parameter.name not in given:
                raise Refused(400, f"{parameter.name} is missing: {parameter.about}")
            given.setdefault(parameter.name, parameter.default)
        return Asked(self.kind, given)


def _fields(query: bytes) -> list[tuple[str, str]]:
    try:
        return parse_qsl(query.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS)
    except UnicodeDecodeError:
        raise Refused(400, "the query is no text: it must be UTF-8, percent-encoded") from None
    except ValueError:
        raise Refused(400, f"the query has too many parameters; {MOST_FIELDS} are enough") from None


MOST_SECONDS = 10.0
"""What a question may take at most, unless the server is told otherwise."""

GAME = Parameter(
    "game",
    "the game, as on the command line, such as tic-tac-toe or mnk:5,4,4",
    {"type": "string", "minLength": 1, "maxLength": 200},
    required=True,
    example="tic-tac-toe",
)
POSITION = Parameter(
    "position",
    "the moves, such as 5 1 3, or a diagram, such as O.X/.X./..., after which may stand `then` and moves",
    {"type": "string", "maxLength": MOST_TEXT},
    default="",
    example="5 1 3",
)
MOST_NODES = 500_000_000
"""Nodes that a question may take at most; a tree and steps have limits of their own, far below."""

NODES = Parameter(
    "nodes",
    "visit no more than so many nodes",
    {"type": "integer", "minimum": 1, "maximum": MOST_NODES},
    default=MOST_NODES,
)


def _seconds(default: float) -> Parameter:
    about = "take no longer than about so many seconds"
    return Parameter("seconds", about, {"type": "number", "exclusiveMinimum": 0, "maximum": MOST_SECONDS}, default)


def _search(default: str) -> Parameter:
    return Parameter("search", "which search", {"type": "string", "enum": list(VARIANTS)}, default)


QUESTIONS = (
    Question(
        "position",
        "/api/position",
        "The board at a position: its cells, whose turn it is, what can be played, how it ended.",
        (
            GAME,
            POSITION,
            Parameter("after", "also what each action leads to", {"type": "boolean"}, default=False),
        ),
    ),
    Question(
        "analyse",
        "/api/analyse",
        "What a position is worth to the player to move, and what each action leads to: `noughts analyse --json`.",
        (GAME, POSITION, _seconds(3.0), NODES),
        streams=True,
    ),
    Question(
        "explain",
        "/api/explain",
        "Why: the reasons for and against each action, or for one: `noughts explain --json`.",
        (
            GAME,
            POSITION,
            Parameter("action", "explain this action only", {"type": "string", "minLength": 1, "maxLength": 100}),
            _seconds(5.0),
            NODES,
        ),
    ),
    Question(
        "move",
        "/api/move",
        "What a computer player does in a position.",
        (
            GAME,
            POSITION,
            Parameter("player", "which player", {"type": "string", "enum": list(COMPUTERS)}, "perfect"),
            Parameter(
                "seed",
                "chooses among what the player may do; without one it is left to chance, if the player plays by chance",
                {"type": "integer", "minimum": 0, "maximum": 2**53},
            ),
            _seconds(2.0),
            NODES,
        ),
    ),
    Question(
        "tree",
        "/api/tree",
        "The tree that a search goes through: `noughts tree --format json`.",
        (
            GAME,
            POSITION,
            _search("alphabeta"),
            Parameter("depth", "keep so many plies", {"type": "integer", "minimum": 1, "maximum": 100}),
            Parameter("most", "keep no more nodes than this", {"type": "integer", "minimum": 1, "maximum": 2000}, 150),
            Parameter("merge", "keep each position once, turned or not", {"type": "boolean"}, default=False),
            _seconds(MOST_SECONDS),
        ),
    ),
    Question(
        "steps",
        "/steps",
        "A page that goes through a search step by step.",
        (
            GAME,
            POSITION,
            _search("alphabeta"),
            _seconds(MOST_SECONDS),
            Parameter("back", "the query of the page to go back to", {"type": "string", "maxLength": MOST_TEXT}, ""),
        ),
        html=True,
    ),
)
"""All that is answered by searching or by a game's rules."""
