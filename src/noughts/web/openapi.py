"""The OpenAPI description of the API: parameters from `endpoints`, answers from the types of `noughts.wire`."""

from functools import cache
from typing import Any

from noughts import __version__
from noughts.web.endpoints import ENDPOINTS, Endpoint, Parameter
from noughts.wire.schema import REFERENCE, schemas
from noughts.wire.types import (
    Analysis,
    CatalogFacts,
    ErrorFacts,
    ExplanationFacts,
    MoveFacts,
    PositionFacts,
    PuzzlesFacts,
    RecordTextFacts,
    ReviewFacts,
    TreeFacts,
)

__all__ = ["description"]

ANSWERS: dict[str, type] = {
    "position": PositionFacts,
    "analyse": Analysis,
    "explain": ExplanationFacts,
    "move": MoveFacts,
    "review": ReviewFacts,
    "puzzle": PuzzlesFacts,
    "record": RecordTextFacts,
    "tree": TreeFacts,
}
"""The type of the answer to each question."""

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
    paths = {endpoint.path: {"get": _operation(endpoint)} for endpoint in ENDPOINTS if not endpoint.html}
    games = {
        "operationId": "games",
        "summary": "What there is to play, who plays, and which searches there are.",
        "responses": {
            "200": _json(CatalogFacts, "What there is."),
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
        "components": {"schemas": schemas(*ANSWERS.values(), CatalogFacts, ErrorFacts)},
    }


def _operation(endpoint: Endpoint) -> dict[str, Any]:
    if endpoint.content != "json":
        kind = {"svg": "image/svg+xml", "png": "image/png"}[endpoint.content]
        answer: dict[str, Any] = {"description": endpoint.about, "content": {kind: {"schema": {"type": "string"}}}}
    else:
        answer = _json(ANSWERS[endpoint.kind], endpoint.about)
    if endpoint.streams:
        answer["content"]["text/event-stream"] = {
            "schema": {
                "type": "string",
                "description": "Events `progress`, any number, then `answer` with the same JSON, or `error`.",
            }
        }
    unchanged = {"304": {"description": "What the client has, by its ETag, is still right."}}
    return {
        "operationId": endpoint.kind,
        "summary": endpoint.about,
        "parameters": [_parameter(parameter) for parameter in endpoint.parameters],
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
    return {status: _json(ErrorFacts, ERRORS[status]) for status in statuses}


def _json(kind: type, about: str) -> dict[str, Any]:
    content = {"application/json": {"schema": {"$ref": f"{REFERENCE}{kind.__name__}"}}}
    return {"description": about, "content": content}
