"""The ASGI application: its routes, caching headers, event streams and error pages.

It keeps no state that another instance of the server would not have too.
"""

import asyncio
import json
from base64 import b64decode
from collections.abc import AsyncIterator, Coroutine, Mapping
from contextlib import asynccontextmanager
from functools import partial
from gzip import compress
from hashlib import sha256
from html import escape
from http import HTTPStatus
from typing import Any, NamedTuple

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from noughts import __version__
from noughts.learn.page import lessons_page, policy
from noughts.web.clients import client_key
from noughts.web.endpoints import ENDPOINTS, ApiRequest, Endpoint, RequestError
from noughts.web.files import CONTENT_TYPES, StaticFile, static_file, static_files
from noughts.web.handlers import Reply
from noughts.web.middleware import AccessRules, App, SecurityMiddleware
from noughts.web.openapi import description
from noughts.web.pool import GameInfo, WorkerPool
from noughts.web.preview import with_preview
from noughts.web.questions import catalog, compact, normalised_request, refuse_query
from noughts.web.response_cache import CachedResponse, ResponseCache, matches
from noughts.web.worker_client import PoolSettings

__all__ = ["AppConfig", "create_app"]

ONE_HOUR = "public, max-age=3600"
REVALIDATE = "no-cache"
"""Any cache may store the response, but must revalidate it before each use."""
JSON = "application/json"
NO_HEADERS: Mapping[str, str] = {}
PAGE_POLICY = f"{policy()}; frame-ancestors 'none'"
"""The content security policy of the pages that step through a search."""
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
"""The policy of a picture that is opened as a page of its own; its style is in the file."""
HEARTBEAT = 10.0
"""Seconds between two comments in an event stream that has nothing else to send, so that it is not closed as dead."""


class AppConfig(NamedTuple):
    """What the application serves, and to whom."""

    games: Mapping[str, GameInfo]
    """The games that the page offers, by name."""
    settings: PoolSettings
    access: AccessRules


def create_app(config: AppConfig, pool: WorkerPool) -> App:
    """Return the ASGI application, which starts and stops the pool with its lifespan."""
    static = _StaticRoutes(config)
    api = _ApiRoutes(config, pool)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await pool.start(config.games)
        try:
            yield
        finally:
            await pool.stop()

    routes = [
        Route("/", static.page),
        Route("/favicon.ico", partial(static.file, name="icon.svg")),
        Route("/static/{name}", static.static),
        Route("/learn", static.lessons),
        Route("/api/openapi.json", static.description),
        Route("/api/games", static.games),
        *(Route(endpoint.path, partial(api.answer, endpoint=endpoint)) for endpoint in ENDPOINTS),
    ]
    app = Starlette(
        routes=routes,
        lifespan=lifespan,
        exception_handlers={HTTPException: _http_error, RequestError: _request_error},
    )
    app.router.redirect_slashes = False  # an unknown path with an extra slash is still unknown
    api.cache = ResponseCache(app)
    app.state.prefix = config.access.prefix
    return SecurityMiddleware(api.cache, config.access)


class _StaticRoutes:
    """Routes whose responses never change while the server runs: files, the list of games, the OpenAPI description."""

    def __init__(self, config: AppConfig) -> None:
        self._files = static_files()
        self._lessons: StaticFile | None = None
        self._config = config
        self._description = _json_file(description(config.access.prefix))
        self._games = _json_file(catalog({name: info.title for name, info in config.games.items()}))

    async def page(self, request: Request) -> Response:
        """Return the page, with what a link to it shows where links are previewed."""
        page, query = self._files["index.html"].body, dict(request.query_params)
        titles = {name: info.title or name for name, info in self._config.games.items()}
        home = f"{request.url.scheme}://{request.headers.get('host', '')}{self._config.access.prefix}/"
        file = static_file(CONTENT_TYPES["html"], with_preview(page, query, titles, home))
        # All servers send the same ETag for the same query, whatever their hosts are called.
        etag = static_file("", with_preview(page, query, titles, "/")).etag
        return _file_response(request, file._replace(etag=etag))

    async def file(self, request: Request, name: str) -> Response:
        found = self._files.get(name)
        if found is None:
            raise HTTPException(404)
        return _file_response(request, found)

    async def static(self, request: Request) -> Response:
        return await self.file(request, request.path_params["name"])

    async def lessons(self, request: Request) -> Response:
        if request.scope["query_string"]:
            raise RequestError(400, "this address takes no parameters; leave out the query")
        if self._lessons is None:  # it takes half a second to make, so nobody waits for it at the start
            self._lessons = await asyncio.to_thread(_lessons_file)
        return _file_response(request, self._lessons, {"Content-Security-Policy": PAGE_POLICY})

    async def description(self, request: Request) -> Response:
        return _file_response(request, self._description)

    async def games(self, request: Request) -> Response:
        refuse_query(request.scope["query_string"])
        return _file_response(request, self._games)


class _ApiRoutes:
    """Routes that the worker pool answers."""

    def __init__(self, config: AppConfig, pool: WorkerPool) -> None:
        self._config = config
        self._pool = pool
        self.cache: ResponseCache

    async def answer(self, request: Request, endpoint: Endpoint) -> Response:
        query = request.scope["query_string"]
        api_request = normalised_request(endpoint.read(query), self._config.settings.files)
        client = client_key(request.client.host) if request.client else ""
        if endpoint.streams and "text/event-stream" in request.headers.get("accept", ""):
            cached = self.cache.get(request.scope["path"], query)
            return StreamingResponse(
                self._events(api_request, client) if cached is None else _answer_event(cached.body.decode()),
                media_type="text/event-stream",
                headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
            )
        headers = self._headers(endpoint, api_request)
        # A client that sends the ETag already has the answer. "*" says nothing about what the client has.
        if "*" not in request.headers.get("if-none-match", ""):
            not_modified = _not_modified(request, headers)
            if not_modified is not None:
                return not_modified
        reply = await _until_disconnect(request, self._pool.ask(api_request, client))
        if reply is None:  # the client has disconnected
            return Response(status_code=499)
        if not reply.kept:
            headers["Cache-Control"] = "no-store"
            del headers["ETag"]
        if reply.status != 200:
            return _error_response(request, reply.status, json.loads(reply.body)["error"])
        body = b64decode(reply.body) if endpoint.content == "png" else reply.body.encode()
        if endpoint.html and _accepts_gzip(request):
            body = await asyncio.to_thread(compress, body, 5)
            headers["Content-Encoding"] = "gzip"
        response = Response(body, reply.status, headers)
        if reply.kept and not endpoint.html:
            cached = CachedResponse(headers["ETag"].encode(), list(response.raw_headers), body)
            self.cache.add(request.scope["path"], query, cached)
        return (_not_modified(request, headers) if reply.kept else None) or response

    def _headers(self, endpoint: Endpoint, api_request: ApiRequest) -> dict[str, str]:
        """Return the headers of an answer that never changes.

        The ETag is a hash of the question, so that all servers send the same one.
        """
        _, digest = self._config.settings.files.get(api_request.values["game"], ("", ""))
        headers = {
            "ETag": f'W/"{sha256(f"{__version__} {digest} {api_request.key}".encode()).hexdigest()[:20]}"',
            "Cache-Control": REVALIDATE if digest else ONE_HOUR,
            "Content-Type": CONTENT_TYPES[endpoint.content],
        }
        if endpoint.html:
            headers["Content-Security-Policy"] = PAGE_POLICY
        if endpoint.content == "svg":
            headers["Content-Security-Policy"] = PICTURE_POLICY
        if endpoint.html or endpoint.streams:
            headers["Vary"] = "Accept-Encoding" if endpoint.html else "Accept"
        return headers

    async def _events(self, api_request: ApiRequest, client: str) -> AsyncIterator[str]:
        """Yield progress events, then the answer. When the client disconnects, the search is cancelled."""
        events: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        task = asyncio.ensure_future(self._pool.ask(api_request, client, events.put_nowait))
        task.add_done_callback(lambda _: events.put_nowait(None))
        try:
            yield ": search started\n\n"
            while True:
                try:
                    async with asyncio.timeout(HEARTBEAT):
                        progress = await events.get()
                except TimeoutError:
                    yield ": still searching\n\n"
                    continue
                if progress is None:
                    break
                yield _event("progress", json.dumps(progress))
            try:
                reply = task.result()
            except RequestError as error:
                reply = Reply(error.status, json.dumps({"error": error.error}))
            if reply.status == 200:
                yield _event("answer", reply.body)
            else:
                yield _event("error", json.dumps({**json.loads(reply.body), "status": reply.status}))
        finally:
            task.cancel()


async def _answer_event(body: str) -> AsyncIterator[str]:
    yield _event("answer", body)


def _event(name: str, data: str) -> str:
    return f"event: {name}\ndata: {data}\n\n"


def _json_file(data: Any) -> StaticFile:
    return static_file(JSON, compact(data).encode())


def _lessons_file() -> StaticFile:
    return static_file(CONTENT_TYPES["html"], lessons_page(home="./").encode())


def _file_response(request: Request, file: StaticFile, more: Mapping[str, str] = NO_HEADERS) -> Response:
    """Return a file, compressed if the client accepts that, or 304 if the client has it already."""
    headers = {
        **more,
        "ETag": file.etag,
        "Cache-Control": REVALIDATE,
        "Vary": "Accept-Encoding",
        "Content-Type": file.content_type,
    }
    not_modified = _not_modified(request, headers)
    if not_modified is not None:
        return not_modified
    if _accepts_gzip(request):
        return Response(file.gzipped, headers={**headers, "Content-Encoding": "gzip"})
    return Response(file.body, headers=headers)


def _accepts_gzip(request: Request) -> bool:
    """Return whether the client's Accept-Encoding header allows gzip; an encoding with a weight of 0 is not allowed."""
    for part in request.headers.get("accept-encoding", "").lower().split(","):
        name, _, weight = part.replace(" ", "").partition(";q=")
        if name == "gzip":
            return weight.strip("0.") != "" or weight == ""
    return False


def _not_modified(request: Request, headers: dict[str, str]) -> Response | None:
    """Return a 304 response if the client's If-None-Match header names this ETag, else None."""
    if_none_match = request.headers.get("if-none-match")
    if if_none_match is None or not matches(if_none_match.encode("latin-1"), headers["ETag"].encode()):
        return None
    # A browser applies the policy of the 304 response to the page that it has cached.
    sent = ("ETag", "Cache-Control", "Vary", "Content-Security-Policy")
    return Response(status_code=304, headers={name: headers[name] for name in sent if name in headers})


async def _until_disconnect(request: Request, asking: Coroutine[Any, Any, Reply]) -> Reply | None:
    """Return the reply; if the client disconnects first, cancel the question and return None."""

    async def disconnected() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    task, disconnect = asyncio.ensure_future(asking), asyncio.ensure_future(disconnected())
    try:
        await asyncio.wait({task, disconnect}, return_when=asyncio.FIRST_COMPLETED)
        return task.result() if task.done() else None
    finally:
        task.cancel()
        disconnect.cancel()


ERROR_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title} · noughts</title>
<link rel="stylesheet" href="{prefix}/static/app.css">
</head>
<body><main><h1>{title}</h1><p>{error}</p><p><a href="{prefix}/">All games</a></p></main></body>
</html>
"""

TITLES = {400: "This link does not work", 404: "Page not found", 503: "The server is busy"}


def _error_response(
    request: Request, status: int, error: str, retry_after: int | None = None, more: Mapping[str, str] | None = None
) -> Response:
    """Return an error response: JSON for a program, an HTML page for a person who followed a link."""
    headers = {**(more or {}), "Cache-Control": "no-store", "Vary": "Accept"}
    if retry_after is not None:
        headers["Retry-After"] = str(retry_after)
    if "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api/"):
        title = TITLES.get(status) or HTTPStatus(status).phrase
        page = ERROR_PAGE.format(title=title, error=escape(error), prefix=request.app.state.prefix)
        return Response(page, status, headers, media_type="text/html")
    return Response(json.dumps({"error": error}), status, headers, media_type=JSON)


async def _request_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestError)
    return _error_response(request, error.status, error.error, error.retry_after)


async def _http_error(request: Request, error: Exception) -> Response:
    """Return the error response for an exception that Starlette raised."""
    assert isinstance(error, HTTPException)
    prefix = request.app.state.prefix
    path = f"{prefix}{request.url.path}"
    message = {
        404: f"there is no page at {path[:80]}; the API is described at {prefix}/api/openapi.json",
        405: f"{request.method[:20]} is not supported here; use GET",
    }.get(error.status_code, error.detail)
    return _error_response(request, error.status_code, message, more=error.headers)
