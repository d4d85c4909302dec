"""The endpoints of the HTTP API: their paths and parameters, and the reading and validation of queries."""

import json
import re
from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any, Literal, NamedTuple
from urllib.parse import parse_qsl

from noughts.errors import shown, suggest
from noughts.players import COMPUTERS
from noughts.search.variants import VARIANTS

__all__ = ["ENDPOINTS", "MOST_NODES", "ApiRequest", "Endpoint", "Parameter", "RequestError"]

MOST_TEXT = 2_000
"""The most characters of a game, a position or an action: many times what any game here needs."""

MOST_FIELDS = 20
"""The most parameters that a query may have."""


class RequestError(Exception):
    """A request that gets an error response: its status, and one line that says what is wrong and what is expected."""

    def __init__(self, status: int, error: str, retry_after: int | None = None) -> None:
        super().__init__(error)
        self.status, self.error, self.retry_after = status, error, retry_after


class Parameter(NamedTuple):
    """A parameter of a query: how it is described, read and validated."""

    name: str
    about: str
    schema: Mapping[str, Any]
    """The JSON schema of its value, as in the OpenAPI description; values that do not fit it are rejected."""
    default: Any = None
    required: bool = False
    example: Any = None

    def read(self, text: str) -> Any:
        """Convert the text of a parameter to its value, or raise RequestError."""
        value = _READ[self.schema["type"]](text)
        choices = self.schema.get("enum")
        if choices is not None and value not in choices:
            hint = suggest(text, choices) or f"; there are: {', '.join(choices)}"
            raise RequestError(400, f"there is no {self.name} {shown(text)}{hint}")
        if value is None or not self._fits(value):
            raise RequestError(400, f"{self.name} is {self._wanted()}, not {shown(text)}")
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
            return f"{self.schema.get('minLength', 0)} to {self.schema.get('maxLength', MOST_TEXT):,} characters"
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


class ApiRequest(NamedTuple):
    """A validated request to an endpoint, with the value of every parameter."""

    kind: str
    """The `kind` of its endpoint."""
    values: Mapping[str, Any]

    @property
    def key(self) -> str:
        """A text that is the same for equal requests and different for others."""
        return json.dumps([self.kind, self.values], sort_keys=True)


class Endpoint(NamedTuple):
    """An endpoint that answers GET requests."""

    kind: str
    """Its name, by which the handler is found."""
    path: str
    about: str
    parameters: tuple[Parameter, ...]
    streams: bool = False
    """Whether it can send its progress as server-sent events."""
    content: Literal["json", "html", "svg", "png"] = "json"
    """What it answers with: JSON, a page or a picture."""

    @property
    def html(self) -> bool:
        """Whether it answers with a page."""
        return self.content == "html"

    def read(self, query: bytes) -> ApiRequest:
        """Parse and validate a query; raise RequestError if it is not valid."""
        known = {parameter.name: parameter for parameter in self.parameters}
        given: dict[str, Any] = {}
        for name, text in _fields(query):
            if name not in known:
                hint = suggest(name, known) or f"; there are: {', '.join(known)}"
                raise RequestError(400, f"there is no parameter {shown(name)}{hint}")
            if name in given:
                raise RequestError(400, f"{name} is given twice; once is enough")
            given[name] = known[name].read(text)
        for parameter in self.parameters:
            if parameter.required and parameter.name not in given:
                raise RequestError(400, f"{parameter.name} is missing: {parameter.about}")
            given.setdefault(parameter.name, parameter.default)
        return ApiRequest(self.kind, given)


def _fields(query: bytes) -> list[tuple[str, str]]:
    try:
        return parse_qsl(query.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS)
    except UnicodeDecodeError:
        raise RequestError(400, "the query is not text: it must be percent-encoded UTF-8") from None
    except ValueError:
        raise RequestError(400, f"the query has too many parameters; {MOST_FIELDS} are enough") from None


MOST_SECONDS = 10.0
"""The time limit of a request, unless the server was started with another."""

GAME = Parameter(
    "game",
    "the game, as on the command line, such as tic-tac-toe or mnk:5,4,4",
    {"type": "string", "minLength": 1, "maxLength": 200},
    required=True,
    example="tic-tac-toe",
)
POSITION = Parameter(
    "position",
    "the moves, such as 5 1 3; or a diagram, such as O.X/.X./..., which `then` and more moves may follow",
    {"type": "string", "maxLength": MOST_TEXT},
    default="",
    example="5 1 3",
)
MOST_NODES = 500_000_000
"""The node limit of a request. Trees and step-by-step pages have their own limits, which are far lower."""

NODES = Parameter(
    "nodes",
    "visit at most this many nodes",
    {"type": "integer", "minimum": 1, "maximum": MOST_NODES},
    default=MOST_NODES,
)


def _seconds(default: float) -> Parameter:
    about = "take at most about this many seconds"
    return Parameter("seconds", about, {"type": "number", "exclusiveMinimum": 0, "maximum": MOST_SECONDS}, default)


def _search(default: str) -> Parameter:
    return Parameter("search", "which search", {"type": "string", "enum": list(VARIANTS)}, default)


ENDPOINTS = (
    Endpoint(
        "position",
        "/api/position",
        "The board of a position: its cells, whose turn it is, the legal moves, and the result.",
        (
            GAME,
            POSITION,
            Parameter("after", "include the position after each action", {"type": "boolean"}, default=False),
        ),
    ),
    Endpoint(
        "analyse",
        "/api/analyse",
        "The value of a position for the player to move, and of each action: `noughts analyse --json`.",
        (GAME, POSITION, _seconds(3.0), NODES),
        streams=True,
    ),
    Endpoint(
        "explain",
        "/api/explain",
        "The reasons for and against each action, or one action: `noughts explain --json`.",
        (
            GAME,
            POSITION,
            Parameter("action", "explain this action only", {"type": "string", "minLength": 1, "maxLength": 100}),
            _seconds(5.0),
            NODES,
        ),
    ),
    Endpoint(
        "move",
        "/api/move",
        "The move that a computer player chooses in a position.",
        (
            GAME,
            POSITION,
            Parameter("player", "which player", {"type": "string", "enum": list(COMPUTERS)}, "perfect"),
            Parameter(
                "seed",
                "makes a random choice repeatable; without it, the player may choose differently each time",
                {"type": "integer", "minimum": 0, "maximum": 2**53},
            ),
            _seconds(1.0),
            NODES,
        ),
    ),
    Endpoint(
        "review",
        "/api/review",
        "A game move by move: mistakes, what was better and why, accuracy: `noughts review --json`.",
        (GAME, POSITION, _seconds(MOST_SECONDS), NODES),
    ),
    Endpoint(
        "puzzle",
        "/api/puzzle",
        "Positions in which exactly one move is right: `noughts puzzle --json`.",
        (
            GAME,
            Parameter(
                "seed",
                "which puzzle; without it, that of the day",
                {"type": "integer", "minimum": 0, "maximum": 2**53},
            ),
            Parameter("date", "the day, such as 2026-01-31; today if empty", {"type": "string", "maxLength": 10}, ""),
            Parameter("kind", "to win, to save, or any", {"type": "string", "enum": ["any", "win", "save"]}, "any"),
            Parameter(
                "moves", "its length in moves of both players", {"type": "integer", "minimum": 1, "maximum": 100}
            ),
            Parameter("level", "how hard it is", {"type": "integer", "minimum": 1, "maximum": 5}),
            Parameter("count", "how many", {"type": "integer", "minimum": 1, "maximum": 10}, 1),
            _seconds(MOST_SECONDS),
        ),
    ),
    Endpoint(
        "tree",
        "/api/tree",
        "The tree that a search visits: `noughts tree --format json`.",
        (
            GAME,
            POSITION,
            _search("alphabeta"),
            Parameter("depth", "include this many plies", {"type": "integer", "minimum": 1, "maximum": 100}),
            Parameter("most", "include at most N nodes", {"type": "integer", "minimum": 1, "maximum": 2000}, 150),
            Parameter(
                "merge",
                "include each position once, up to symmetry",
                {"type": "boolean"},
                default=False,
            ),
            _seconds(MOST_SECONDS),
        ),
    ),
    Endpoint(
        "record",
        "/api/record",
        "A game as text, written from its moves; or the game that a text tells.",
        (
            GAME,
            POSITION,
            Parameter("first", "who plays first, for the record", {"type": "string", "maxLength": 60}, ""),
            Parameter("second", "who plays second", {"type": "string", "maxLength": 60}, ""),
            Parameter("text", "a record of the game, to read", {"type": "string", "maxLength": MOST_TEXT}, ""),
        ),
    ),
    Endpoint(
        "steps",
        "/steps",
        "A page that shows a search step by step.",
        (
            GAME,
            POSITION,
            _search("alphabeta"),
            _seconds(MOST_SECONDS),
            Parameter("back", "the query of the page to go back to", {"type": "string", "maxLength": MOST_TEXT}, ""),
        ),
        content="html",
    ),
    Endpoint(
        "board",
        "/api/board.svg",
        "A picture of a position, as SVG.",
        (GAME, POSITION),
        content="svg",
    ),
    Endpoint(
        "preview",
        "/api/board.png",
        "A picture of a position, as PNG, of the size that is shown beside links: 1200 x 630.",
        (GAME, POSITION),
        content="png",
    ),
)
"""All endpoints that a worker answers."""
