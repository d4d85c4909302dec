"""The API as OpenAPI describes it: parameters as `questions` has them, and what each answer holds."""

from functools import cache
from typing import Any

from noughts import __version__
from noughts.web.endpoints import QUESTIONS, Parameter, Question

__all__ = ["description"]

TEXT = {"type": "string"}
FLAG = {"type": "boolean"}
COUNT = {"type": "integer", "minimum": 0}
MAYBE_TEXT = {"type": ["string", "null"]}
MAYBE_INTEGER = {"type": ["integer", "null"]}
TEXTS = {"type": "array", "items": TEXT}
VALUE = {"enum": ["win", "draw", "loss", "unknown"]}
STOPPED = {"enum": ["done", "depth limit", "deadline", "node limit", "cancelled"]}
ANYTHING: dict[str, Any] = {}


def _object(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "required": list(fields), "properties": fields}


def _list(item: Any) -> dict[str, Any]:
    return {"type": "array", "items": item}


def _maybe(schema: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [schema, {"type": "null"}]}


SPENT = {"method": TEXT, "nodes": COUNT, "seconds": {"type": "number"}, "stopped": STOPPED}
ACTION = {
    "action": TEXT,
    "value": VALUE,
    "distance": MAYBE_INTEGER,
    "margin": MAYBE_INTEGER,
    "exact": FLAG,
}
CELL = _object(mark=TEXT, name=TEXT, actions=TEXTS, lit=FLAG)
STATE = {
    "to_move": MAYBE_TEXT,
    "over": FLAG,
    "result": _maybe(_object(winner=MAYBE_TEXT, margin=COUNT, sentence=TEXT)),
    "board": _maybe(_list(_list(_maybe(CELL)))),
    "drawing": TEXT,
    "actions": TEXTS,
    "elsewhere": TEXTS,
}
POSITION = {
    "game": TEXT,
    "title": TEXT,
    "position": TEXT,
    "start": TEXT,
    "moves": _list(_object(action=TEXT, by=TEXT)),
    "players": TEXTS,
    "marks": TEXTS,
    **STATE,
}
SCORE = _maybe(_object(score={"type": "integer"}, value=VALUE, distance=MAYBE_INTEGER, margin={"type": "integer"}))
NODE = _object(
    number=COUNT,
    action=MAYBE_TEXT,
    ply=COUNT,
    board=TEXT,
    to_move=TEXT,
    alpha=SCORE,
    beta=SCORE,
    value=SCORE,
    bound=MAYBE_TEXT,
    reason=MAYBE_TEXT,
    skipped=TEXTS,
    why_skipped=MAYBE_TEXT,
    hidden=COUNT,
    principal=FLAG,
    same_as=MAYBE_INTEGER,
    column={"type": "number"},
    row=COUNT,
    children=_list({"$ref": "#/components/schemas/Node"}),
)

SCHEMAS = {
    "Error": _object(error=TEXT),
    "Node": NODE,
    "Games": _object(
        games=_list(
            _object(
                name=TEXT, game=TEXT, title=TEXT, notation=TEXT, summary=TEXT, known=TEXT, sizes=TEXT, examples=TEXTS
            )
        ),
        players=_list(_object(player=TEXT, about=TEXT)),
        searches=_list(_object(search=TEXT, about=TEXT)),
    ),
    "Position": {
        "type": "object",
        "required": list(POSITION),
        "properties": {
            **POSITION,
            "same": {**TEXT, "description": "With `after`: equal for positions that are each other in another guise."},
            "after": {
                "type": "object",
                "description": "If asked for: what each action leads to, by its name.",
                "additionalProperties": _object(**STATE, same=TEXT),
            },
        },
    },
    "Analysis": _object(
        game=TEXT,
        position=TEXT,
        to_move=TEXT,
        value=VALUE,
        distance=MAYBE_INTEGER,
        margin=MAYBE_INTEGER,
        proven=FLAG,
        bound=MAYBE_TEXT,
        sentence=TEXT,
        best=TEXTS,
        line=TEXTS,
        line_complete=FLAG,
        actions=_list(_object(**ACTION)),
        depth=MAYBE_INTEGER,
        **SPENT,
    ),
    "Explanation": _object(
        game=TEXT,
        position=TEXT,
        to_move=TEXT,
        value=VALUE,
        distance=MAYBE_INTEGER,
        proven=FLAG,
        sentence=TEXT,
        actions=_list(
            _object(
                **ACTION,
                text=TEXT,
                reasons=_list(_object(kind=TEXT, text=TEXT)),
                refutation=TEXTS,
                traps=_maybe(_object(mistakes=COUNT, replies=COUNT)),
                examined=FLAG,
            )
        ),
        notes=TEXTS,
        equal=_list(TEXTS),
        trickiest=TEXTS,
        **SPENT,
    ),
    "Move": _object(game=TEXT, position=TEXT, to_move=TEXT, player=TEXT, action=TEXT, caveat=TEXT),
    "Tree": _object(
        game=TEXT,
        search=TEXT,
        about=TEXT,
        players=TEXTS,
        view=TEXT,
        searched=COUNT,
        drawn=COUNT,
        horizon=MAYBE_INTEGER,
        depth=COUNT,
        merged=COUNT,
        columns={"type": "number"},
        rows=COUNT,
        root={"$ref": "#/components/schemas/Node"},
    ),
}
ANSWERS = {
    "position": "Position",
    "analyse": "Analysis",
    "explain": "Explanation",
    "move": "Move",
    "tree": "Tree",
}
"""What answers each question of the API."""

ERRORS = {
    "400": "What was wrong, and what would be right.",
    "403": "The request was sent by a page from elsewhere.",
    "408": "The body did not come.",
    "411": "The body does not state its length.",
    "413": "The body is too large.",
    "414": "The path or the query is too long.",
    "421": "The server does not go by the name in the Host header.",
    "431": "The headers are too long, or too many.",
    "500": "A game file that the server was given is broken.",
    "503": "Too busy: ask again after the seconds that Retry-After says. Without that: the question takes too much.",
}


@cache
def description(prefix: str = "") -> dict[str, Any]:
    """Return the description of the API, which is found below a prefix if the server is."""
    paths = {question.path: {"get": _operation(question)} for question in QUESTIONS if not question.html}
    games = {
        "operationId": "games",
        "summary": "What there is to play, who plays, and which searches there are.",
        "responses": {
            "200": _json("Games", "What there is."),
            **_errors(*(status for status in ERRORS if status < "500"), "503"),
        },
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "noughts",
            "version": __version__,
            "description": "Perfect play for two-player games. Every answer takes the view of the player to move.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        **({"servers": [{"url": prefix}]} if prefix else {}),
        "paths": {"/api/games": {"get": games}, **paths},
        "components": {"schemas": SCHEMAS},
    }


def _operation(question: Question) -> dict[str, Any]:
    answer = _json(ANSWERS[question.kind], question.about)
    if question.streams:
        answer["content"]["text/event-stream"] = {
            "schema": {
                "type": "string",
                "description": "Events `progress`, any number, then `answer` with the same JSON, or `error`.",
            }
        }
    unchanged = {"304": {"description": "What the client has, by its ETag, is still right."}}
    return {
        "operationId": question.kind,
        "summary": question.about,
        "parameters": [_parameter(parameter) for parameter in question.parameters],
        "responses": {"200": answer, **unchanged, **_errors(*ERRORS)},
    }


def _parameter(parameter: Parameter) -> dict[str, Any]:
    schema = dict(parameter.schema)
    if parameter.default is not None:
        schema["default"] = parameter.default
    found = {
        "name": parameter.name,
        "in": "query",
        "description": parameter.about,
        "required": parameter.required,
        "schema": schema,
    }
    if parameter.example is not None:
        found["example"] = parameter.example
    return found


def _errors(*statuses: str) -> dict[str, Any]:
    return {status: _json("Error", ERRORS[status]) for status in statuses}


def _json(schema: str, about: str) -> dict[str, Any]:
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{schema}"}}}
    return {"description": about, "content": content}
