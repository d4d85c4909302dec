"""Questions by path and query, answered without HTTP: what the server and the static site have in common."""

import json
from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any

from noughts.games import named
from noughts.players import COMPUTERS, computer
from noughts.search.variants import VARIANTS
from noughts.web.endpoints import ENDPOINTS, ApiRequest, RequestError
from noughts.web.handlers import Handlers, Reply
from noughts.wire.positions import games
from noughts.wire.types import CatalogFacts

__all__ = ["Questions", "catalog", "compact", "normalised_request", "refuse_query", "spaced"]

PROGRESS_INTERVAL = 0.1
"""Seconds between two reports of progress."""

GAMES = "/api/games"

Told = Callable[[dict[str, Any]], object]


class Questions:
    """Answers questions in this process. `known` are the games to choose from, each with its title."""

    def __init__(self, handlers: Handlers, known: Mapping[str, str | None], files: Mapping[str, Any] | None = None):
        self._handlers = handlers
        self._known = known
        self._files = files or {}
        self._endpoints = {endpoint.path: endpoint for endpoint in ENDPOINTS}

    def answer(self, path: str, query: str, progress: Told | None = None) -> Reply:
        """Answer the question at a path, such as `/api/analyse`, with a query. An error is a reply, too."""
        try:
            if path == GAMES:
                refuse_query(query.encode())
                return Reply(200, compact(catalog(self._known)), kept=True)
            endpoint = self._endpoints.get(path)
            if endpoint is None:
                raise RequestError(404, f"there is no page at {path[:80]}")
            request = normalised_request(endpoint.read(query.encode()), self._files)
        except RequestError as error:
            return Reply(error.status, json.dumps({"error": error.error}))
        told = None if progress is None else spaced(progress)
        return self._handlers.answer(request.kind, request.values, progress=told)


def catalog(known: Mapping[str, str | None]) -> CatalogFacts:
    """Return what there is to choose from: games with these names and titles, players, searches."""
    any_game = named("tic-tac-toe")
    return {
        "games": games(known),
        "players": [{"player": name, "about": computer(name, any_game).description} for name in COMPUTERS],
        "searches": [{"search": search, "about": about} for search, about in VARIANTS.items()],
    }


def compact(data: Any) -> str:
    """Return data as JSON without blanks."""
    return json.dumps(data, separators=(",", ":"))


def refuse_query(query: bytes) -> None:
    """Raise RequestError if there is a query where none is expected."""
    if query:
        raise RequestError(400, "this address takes no parameters; leave out the query")


def normalised_request(request: ApiRequest, files: Mapping[str, Any]) -> ApiRequest:
    """Return a question with its game's name normalised, so that other spellings make the same question.

    The names of `files` are left as they are.
    """
    name = request.values["game"].strip()
    if name not in files:
        name = name.lower()
    return request._replace(values={**request.values, "game": name})


def spaced(tell: Told) -> Told:
    """Return a function that tells of progress, but not more often than every tenth of a second."""
    last = 0.0

    def told(progress: dict[str, Any]) -> None:
        nonlocal last
        if monotonic() - last >= PROGRESS_INTERVAL:
            last = monotonic()
            tell(progress)

    return told
