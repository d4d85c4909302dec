"""The application: which address is answered by what. It keeps no state that another server would not have too."""

import asyncio
import json
from collections.abc import AsyncIterator, Coroutine, Mapping
from contextlib import asynccontextmanager
from functools import partial
from gzip import compress
from hashlib import sha256
from html import escape
from typing import Any, NamedTuple

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from noughts import __version__, wire
from noughts.games import named
from noughts.players import COMPUTERS, computer
from noughts.trees.stepper import policy
from noughts.trees.tree import SEARCHES
from noughts.web.clients import client_key
from noughts.web.endpoints import QUESTIONS, Asked, Question, Refused
from noughts.web.files import File, page_files
from noughts.web.handlers import Reply
from noughts.web.middleware import Access, App, Door
from noughts.web.openapi import description
from noughts.web.pool import Listed, Pool
from noughts.web.response_cache import Kept, Shelf, matches
from noughts.web.worker_client import Settings

__all__ = ["Serving", "application"]

A_WHILE = "public, max-age=3600"
REVALIDATE = "no-cache"
"""Kept by whoever likes, but asked about each time."""
JSON = "application/json"
HEARTBEAT = 10.0
"""Seconds after which a client who waits is told that it waits."""


class Serving(NamedTuple):
    """What is served."""

    menu: Mapping[str, Listed]
    """The games to choose from, by their names."""
    settings: Settings
    access: Access


def application(serving: Serving, pool: Pool) -> App:
    """Return the application, for uvicorn or any other server of ASGI applications; the pool is started with it."""
    pages = _Pages(serving)
    api = _Api(serving, pool)

    @asynccontextmanager
    async def running(_: Starlette) -> AsyncIterator[None]:
        await pool.start(serving.menu)
        try:
            yield
        finally:
            await pool.stop()

    routes = [
        Route("/", partial(pages.file, name="index.html")),
        Route("/favicon.ico", partial(pages.file, name="icon.svg")),
        Route("/static/{name}", pages.static),
        Route("/api/openapi.json", pages.description),
        Route("/api/games", pages.games),
        *(Route(question.path, partial(api.answer, question=question)) for question in QUESTIONS),
    ]
    app = Starlette(
        routes=routes,
        lifespan=running,
        exception_handlers={HTTPException: _http_error, Refused: _refused},
    )
    app.router.redirect_slashes = False  # an unknown path is unknown, also with a slash too many
    api.shelf = Shelf(app)
    app.state.prefix = serving.access.prefix
    return Door(api.shelf, serving.access)


class _Pages:
    """What is the same for everybody: the page's files, the games, the description of the API."""

    def __init__(self, serving: Serving) -> None:
        self._files = page_files()
        self._description = _json_file(description(serving.access.prefix))
        any_game = named("tic-tac-toe")
        self._games = _json_file(
            {
                "games": wire.games({name: listed.title for name, listed in serving.menu.items()}),
                "players": [{"player": name, "about": computer(name, any_game).description} for name in COMPUTERS],
                "searches": [{"search": search, "about": about} for search, about in SEARCHES.items()],
            }
        )

    async def file(self, request: Request, name: str) -> Response:
        found = self._files.get(name)
        if found is None:
            raise HTTPException(404)
        return _cached(request, found)

    async def static(self, request: Request) -> Response:
        return await self.file(request, request.path_params["name"])

    async def description(self, request: Request) -> Response:
        return _cached(request, self._description)

    async def games(self, request: Request) -> Response:
        if request.scope["query_string"]:
            raise Refused(400, "there are no parameters here")
        return _cached(request, self._games)


class _Api:
    """What is answered by the pool."""

    def __init__(self, serving: Serving, pool: Pool) -> None:
        self._serving = serving
        self._pool = pool
        self.shelf: Shelf

    async def answer(self, request: Request, question: Question) -> Response:
        query = request.scope["query_string"]
        asked = self._by_its_name(question.read(query))
        client = client_key(request.client.host) if request.client else ""
        if question.streams and "text/event-stream" in request.headers.get("accept", ""):
            kept = self.shelf.find(request.scope["path"], query)
            return StreamingResponse(
                self._events(asked, client) if kept is None else _at_once(kept.body.decode()),
                media_type="text/event-stream",
                headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
            )
        headers = self._headers(question, asked)
        if "*" not in request.headers.get("if-none-match", ""):  # who knows the tag has had what does not change
            unchanged = _unchanged(request, headers)
            if unchanged is not None:
                return unchanged
        reply = await _unless_gone(request, self._pool.ask(asked, client))
        if reply is None:  # nobody is there to read it
            return Response(status_code=499)
        if not reply.kept:
            headers["Cache-Control"] = "no-store"
            del headers["ETag"]
        if reply.status != 200:
            return _sorry(request, reply.status, json.loads(reply.body)["error"])
        body = reply.body.encode()
        if question.html and _takes_gzip(request):
            body = await asyncio.to_thread(compress, body, 5)
            headers["Content-Encoding"] = "gzip"
        response = Response(body, reply.status, headers)
        if reply.kept and not question.html:
            kept = Kept(headers["ETag"].encode(), list(response.raw_headers), body)
            self.shelf.keep(request.scope["path"], query, kept)
        return (_unchanged(request, headers) if reply.kept else None) or response

    def _by_its_name(self, asked: Asked) -> Asked:
        """Call a game by one name, so that questions about it are the same question however they are written."""
        name = asked.values["game"].strip()
        if name not in self._serving.settings.files:
            name = name.lower()
        return asked._replace(values={**asked.values, "game": name})

    def _headers(self, question: Question, asked: Asked) -> dict[str, str]:
        """Return what goes with an answer that does not change; the tag follows from the question: servers agree."""
        _, digest = self._serving.settings.files.get(asked.values["game"], ("", ""))
        headers = {
            "ETag": f'W/"{sha256(f"{__version__} {digest} {asked.key}".encode()).hexdigest()[:20]}"',
            "Cache-Control": REVALIDATE if digest else A_WHILE,
            "Content-Type": "text/html; charset=utf-8" if question.html else JSON,
        }
        if question.html:
            headers["Content-Security-Policy"] = f"{policy()}; frame-ancestors 'none'"
        if question.html or question.streams:
            headers["Vary"] = "Accept-Encoding" if question.html else "Accept"
        return headers

    async def _events(self, asked: Asked, client: str) -> AsyncIterator[str]:
        """Yield progress as it comes, then the answer. When the client leaves, the search is cancelled."""
        told: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        task = asyncio.ensure_future(self._pool.ask(asked, client, told.put_nowait))
        task.add_done_callback(lambda _: told.put_nowait(None))
        try:
            yield ": the search has begun\n\n"
            while True:
                try:
                    async with asyncio.timeout(HEARTBEAT):
                        progress = await told.get()
                except TimeoutError:
                    yield ": still there\n\n"
                    continue
                if progress is None:
                    break
                yield _event("progress", json.dumps(progress))
            try:
                reply = task.result()
            except Refused as refused:
                reply = Reply(refused.status, json.dumps({"error": refused.error}))
            if reply.status == 200:
                yield _event("answer", reply.body)
            else:
                yield _event("error", json.dumps({**json.loads(reply.body), "status": reply.status}))
        finally:
            task.cancel()


async def _at_once(body: str) -> AsyncIterator[str]:
    yield _event("answer", body)


def _event(name: str, data: str) -> str:
    return f"event: {name}\ndata: {data}\n\n"


def _json_file(found: Any) -> File:
    body = json.dumps(found).encode()
    return File(JSON, body, compress(body, mtime=0), f'"{sha256(body).hexdigest()[:20]}"')


def _cached(request: Request, file: File) -> Response:
    """Send a file, zipped if the client likes that, or say that it has not changed."""
    headers = {"ETag": file.tag, "Cache-Control": REVALIDATE, "Vary": "Accept-Encoding", "Content-Type": file.kind}
    unchanged = _unchanged(request, headers)
    if unchanged is not None:
        return unchanged
    if _takes_gzip(request):
        return Response(file.zipped, headers={**headers, "Content-Encoding": "gzip"})
    return Response(file.body, headers=headers)


def _takes_gzip(request: Request) -> bool:
    """Say whether the client can unpack what is zipped.

    It names what it takes, with a weight if it likes; a weight of 0 is a no.
    """
    for part in request.headers.get("accept-encoding", "").lower().split(","):
        name, _, weight = part.replace(" ", "").partition(";q=")
        if name == "gzip":
            return weight.strip("0.") != "" or weight == ""
    return False


def _unchanged(request: Request, headers: dict[str, str]) -> Response | None:
    """Return that what the client has is still right, if it says what it has and it is."""
    wanted = request.headers.get("if-none-match")
    if wanted is None or not matches(wanted.encode("latin-1"), headers["ETag"].encode()):
        return None
    # A browser takes the policy that comes with this for the policy of what it has.
    told = ("ETag", "Cache-Control", "Vary", "Content-Security-Policy")
    return Response(status_code=304, headers={name: headers[name] for name in told if name in headers})


async def _unless_gone(request: Request, asking: Coroutine[Any, Any, Reply]) -> Reply | None:
    """Return an answer, or None as soon as the client has left; the question is then taken back."""

    async def gone() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    task, leaving = asyncio.ensure_future(asking), asyncio.ensure_future(gone())
    try:
        await asyncio.wait({task, leaving}, return_when=asyncio.FIRST_COMPLETED)
        return task.result() if task.done() else None
    finally:
        task.cancel()
        leaving.cancel()


SORRY = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>noughts</title>
<link rel="stylesheet" href="{prefix}/static/app.css">
</head>
<body><main><h1>This leads nowhere</h1><p>{error}</p><p><a href="{prefix}/">Start afresh</a></p></main></body>
</html>
"""


def _sorry(
    request: Request, status: int, error: str, retry_after: int | None = None, more: Mapping[str, str] | None = None
) -> Response:
    """Say what was wrong: to a program as JSON, to a person who came here by a link as a page."""
    headers = {**(more or {}), "Cache-Control": "no-store", "Vary": "Accept"}
    if retry_after is not None:
        headers["Retry-After"] = str(retry_after)
    if "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api/"):
        page = SORRY.format(error=escape(error), prefix=request.app.state.prefix)
        return Response(page, status, headers, media_type="text/html")
    return Response(json.dumps({"error": error}), status, headers, media_type=JSON)


async def _refused(request: Request, refused: Exception) -> Response:
    assert isinstance(refused, Refused)
    return _sorry(request, refused.status, refused.error, refused.retry_after)


async def _http_error(request: Request, error: Exception) -> Response:
    """Say in words what Starlette found wrong."""
    assert isinstance(error, HTTPException)
    prefix = request.app.state.prefix
    at = f"{prefix}{request.url.path}"
    said = {
        404: f"there is nothing at {at[:80]}; the API is described at {prefix}/api/openapi.json",
        405: f"{request.method[:20]} is not for this address; GET is",
    }.get(error.status_code, error.detail)
    return _sorry(request, error.status_code, said, more=error.headers)
