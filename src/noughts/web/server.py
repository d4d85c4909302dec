"""Starting and stopping the server: options, the listening socket, the browser, and clear errors if one fails."""

import asyncio
import errno
import os
import re
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, process_time
from types import FrameType
from typing import NamedTuple

import uvicorn
from uvicorn.server import HANDLED_SIGNALS

from noughts.capabilities import resolve
from noughts.engine import Engine
from noughts.errors import NoughtsError, shown
from noughts.games import GAMES
from noughts.notation import is_path, load
from noughts.web.app import AppConfig, create_app
from noughts.web.clients import Proxies
from noughts.web.connections import BACKLOG, ConnectionLimits, Connections, accept
from noughts.web.handlers import A_MOMENT
from noughts.web.loading import load_files, table_of
from noughts.web.log import write_line
from noughts.web.middleware import AccessRules, host_check, is_wildcard, normalise_host, normalise_origin
from noughts.web.pool import GameInfo, WorkerPool
from noughts.web.protocol import Connection
from noughts.web.worker_client import PoolSettings

__all__ = ["ServeOptions", "serve"]

KEEP_ALIVE_SECONDS = 15
SHUTDOWN_SECONDS = 2
"""Seconds that requests in progress still get when the server stops."""
CLIENT_TIMEOUT, SHORT_CLIENT_TIMEOUT = 20.0, 5.0
"""Seconds in which a client must send a whole request, or read some more of a response; the short timeout applies when
there are nearly too many connections."""

PREFIX = re.compile(r"(/[\w.~-]+)*", re.ASCII)


class ServeOptions(NamedTuple):
    """The options of `noughts serve`."""

    games: tuple[str, ...] = ()
    """Names or paths of the games to serve; if empty, all built-in games."""
    host: str = "127.0.0.1"
    port: int = 8000
    browser: bool = True
    log: bool = False
    allowed_hosts: tuple[str, ...] = ()
    """Further host names that clients may use for the server."""
    workers: int | None = None
    proxies: tuple[str, ...] = ()
    """Addresses and networks of proxies whose X-Forwarded-For header is trusted."""
    prefix: str = ""
    """The public path of the server, such as /games."""
    connections: int | None = None
    """How many connections may be open at once."""
    tables: tuple[str, ...] = ()
    """Folders with tables of these games."""
    embedders: tuple[str, ...] = ()
    """Origins whose pages may embed the page, such as https://course.example."""


def serve(options: ServeOptions, say: Callable[[str], None] = print) -> None:
    """Serve until the process is told to stop. Raises NoughtsError if the server cannot be started."""
    games, files = _games(options.games)
    tables = dict(table_of(folder, files) for folder in options.tables)
    for name in options.allowed_hosts:
        if normalise_host(name) is None:
            raise NoughtsError(f"{shown(name)} is not a host name; write one like games.example")
    options = options._replace(prefix=_prefix(options.prefix))
    embedders = _origins(options.embedders)
    proxies = Proxies(options.proxies)
    with _listen(options.host, options.port) as listener:
        address, port = listener.getsockname()[:2]
        settings = PoolSettings(files=files, only=tuple(games) if options.games else (), tables=tables)
        if options.workers is not None:
            settings = settings._replace(long_workers=options.workers)
        limits = ConnectionLimits.choose(options.connections, processes=settings.long_workers + 2)
        access = AccessRules(
            host_check(options.host, address, options.allowed_hosts),
            sys.stderr if options.log else None,
            proxies,
            limits.per_client,
            options.prefix,
            embedders,
        )
        pool = WorkerPool(settings)
        config = uvicorn.Config(
            create_app(AppConfig(games, settings, access), pool),
            ws="none",
            lifespan="on",
            log_level="error",  # a bad request is reported to its sender, not logged
            access_log=False,
            server_header=False,
            proxy_headers=False,  # the middleware handles X-Forwarded-For
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        )
        connections = Connections(limits, proxies)
        _Server(config, pool, connections, lambda: _announce(options, address, port, say)).run([listener])
    say("Stopped.")


class _Server(uvicorn.Server):
    """A uvicorn server that limits its connections, closes stalled ones, and stops at Ctrl-C or SIGTERM.

    It calls `on_ready` when it accepts connections.
    """

    def __init__(
        self, config: uvicorn.Config, pool: WorkerPool, connections: Connections, on_ready: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._pool = pool
        self._on_ready = on_ready
        self._connections = connections
        self._accepting: list[asyncio.Task[None]] = []
        self._last_progress: dict[Connection, tuple[Hashable, float]] = {}
        """The last known progress of each connection that waits for its client, and when it was made."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup([])  # without sockets, since it would accept any number of connections
        if self.should_exit:
            return
        for listener in sockets or []:
            self._accepting.append(asyncio.create_task(accept(listener, self._connections, self._connect)))
        try:
            self._on_ready()
        except BaseException:
            await self.shutdown(sockets)
            raise

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for task in self._accepting:
            task.cancel()
        await asyncio.gather(*self._accepting, return_exceptions=True)
        self._pool.cancel_all()  # so that no request in progress delays the shutdown
        await super().shutdown(sockets)

    async def _connect(self, found: socket.socket, client: str) -> None:
        """Start the HTTP protocol on a connection that was admitted."""
        connection = Connection(self.config, self.server_state, self.lifespan.state, self._connections, client)
        try:
            await asyncio.get_running_loop().connect_accepted_socket(lambda: connection, found)
        except OSError:  # the client has already disconnected
            found.close()
            if connection not in self._connections:
                self._connections.release(client)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if not self.should_exit:  # a second signal must not force an unclean exit
            super().handle_exit(sig, frame)

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        before = {each: signal.signal(each, self.handle_exit) for each in HANDLED_SIGNALS}
        try:
            super().run(sockets)
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Do nothing: `run` handles the signals, from before the event loop starts until it is closed."""
        yield

    async def on_tick(self, counter: int) -> bool:
        if counter % 10 == 0:  # about once a second
            self._close_stalled()
            report = self._connections.report()
            if report is not None:
                write_line(report)
        return await super().on_tick(counter)

    def _close_stalled(self) -> None:
        """Close connections whose client takes too long to send a request or to read more of a response."""
        now, before = monotonic(), self._last_progress
        self._last_progress = {}
        for connection in self._connections:
            self._connections.update(connection)  # no event says that a response was read to its end
            if not connection.unsent_bytes and connection.is_answering:
                continue
            progress = connection.unsent_bytes, id(connection.cycle)
            last, since = before.get(connection, (progress, now))
            if last != progress:
                since = now
            self._last_progress[connection] = progress, since
            timeout = SHORT_CLIENT_TIMEOUT if self._connections.nearly_full(connection) else CLIENT_TIMEOUT
            if now - since > timeout:
                connection.transport.abort()


def _prefix(given: str) -> str:
    """Return a prefix without its final slash; raise NoughtsError if it is not a valid path."""
    prefix = given.rstrip("/")
    if PREFIX.fullmatch(prefix) and not {".", ".."} & set(prefix.split("/")):
        return prefix
    raise NoughtsError(f"{shown(given)} is not a path for --prefix; write one like /games")


def _origins(given: tuple[str, ...]) -> tuple[str, ...]:
    """Return the origins that may embed the page; raise NoughtsError for a text that is not one."""
    found = tuple(map(normalise_origin, given))
    for text, origin in zip(given, found, strict=True):
        if origin is None:
            raise NoughtsError(
                f"{shown(text)} is not an origin for --allow-embed; write one like https://course.example"
            )
    return tuple(filter(None, found))


def _games(given: tuple[str, ...]) -> tuple[dict[str, GameInfo], dict[str, tuple[str, str]]]:
    """Return the games to serve by name and, for those in files, the path and the hash of each file.

    All games are loaded before the server starts, so that a wrong name or a broken file is reported at once. For the
    first game, which the page shows first, this also finds out whether it is small.
    """
    wanted = given or tuple(entry.examples[0] for entry in GAMES.values())
    first = wanted[0]
    built_in = {each: _built_in(each, each == first) for each in wanted if not is_path(each)}
    paths = [each for each in wanted if is_path(each)]
    game_files = dict(zip(paths, load_files(paths, solve=first), strict=True))
    games: dict[str, GameInfo] = {}
    files: dict[str, tuple[str, str]] = {}
    for each in wanted:
        if each in built_in:
            games[each.strip().lower()] = built_in[each]
            continue
        name, path, digest, info = game_files[each]
        if files.get(name, (path, ""))[0] != path:
            raise NoughtsError(f"two of the files are called {shown(Path(each).name)}; rename one of them")
        files[name] = path, digest
        games[name] = info
    return games, files


def _built_in(name: str, solve: bool) -> GameInfo:
    started = process_time()
    game = load(name)
    light = process_time() - started < A_MOMENT
    try:
        small = solve and Engine(game).solve(A_MOMENT)
    except NoughtsError:  # a game that may go on for ever
        small = False
    return GameInfo(resolve(game).title, light, small)


def _listen(host: str, port: int) -> socket.socket:
    """Return a listening socket; raise NoughtsError with a suggestion if there cannot be one."""
    host = host.strip("[]")
    try:
        found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise NoughtsError(f"unknown host {shown(host)}; 127.0.0.1 always works") from None
    family, _, _, _, address = found[0]
    # asyncio turns off Nagle's delay of small packets only for sockets whose protocol is given as TCP.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise NoughtsError(_listen_error(error, host, port)) from None
    return listener


def _listen_error(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        other = port + 1 if port < 65535 else 8000
        return f"port {port} is in use; choose another, such as --port {other}, or any free one with --port 0"
    if error.errno == errno.EACCES:
        return f"port {port} needs special permission; choose one above 1023, such as --port 8000"
    if error.errno == errno.EADDRNOTAVAIL:
        return f"{shown(host)} is not an address of this machine; 127.0.0.1 always works"
    return f"cannot listen on {host}, port {port}: {error.strerror}"


def _announce(options: ServeOptions, address: str, port: int, say: Callable[[str], None]) -> None:
    """Print the address of the page and open it in a browser."""
    name = options.host.strip("[]") or address
    if is_wildcard(address):
        name = "127.0.0.1" if "." in address else "::1"
    url = f"http://{f'[{name}]' if ':' in name else name}:{port}{options.prefix}/"
    say(f"noughts is running at {url} (press Ctrl-C to stop)")
    if is_wildcard(address):
        say("Others on the network can reach it: it listens on every address of this machine.")
    if options.browser:
        # In a thread, because some browsers block the program that opens them.
        threading.Thread(target=_open_browser, args=(url, say), daemon=True).start()


def _open_browser(url: str, say: Callable[[str], None]) -> None:
    """Open a browser, unless there is no display: then a text browser would take over the terminal."""
    display = sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if not display or not webbrowser.open(url):
        say("Could not open a browser; open the address yourself.")
