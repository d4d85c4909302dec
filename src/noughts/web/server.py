"""Starting the server, and stopping it: an address, a browser, and clear words where either fails."""

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
from noughts.web.app import Serving, application
from noughts.web.clients import Proxies
from noughts.web.connections import BACKLOG, Connections, Limits, accept
from noughts.web.handlers import A_MOMENT
from noughts.web.loading import load_files
from noughts.web.log import write_line
from noughts.web.middleware import Access, allowed_hosts, everywhere, plain_host
from noughts.web.pool import Listed, Pool
from noughts.web.protocol import Connection
from noughts.web.worker_client import Settings

__all__ = ["Wanted", "serve"]

KEEP_ALIVE = 15
LEAVING = 2
"""Seconds that requests still get when the server stops."""
PATIENCE, LITTLE_PATIENCE = 20.0, 5.0
"""Seconds that a client may take over sending a request, or over reading any more of an answer; the second when there
are nearly too many connections."""

PREFIX = re.compile(r"(/[\w.~-]+)*", re.ASCII)


class Wanted(NamedTuple):
    """What somebody wants served."""

    games: tuple[str, ...] = ()
    """Names or paths; none is every game there is."""
    host: str = "127.0.0.1"
    port: int = 8000
    browser: bool = True
    log: bool = False
    names: tuple[str, ...] = ()
    """Other names the server goes by."""
    workers: int | None = None
    proxies: tuple[str, ...] = ()
    """Addresses and networks whose word is taken for who the client is."""
    prefix: str = ""
    """The path below which people find the server."""
    connections: int | None = None
    """How many connections there may be at once."""


def serve(wanted: Wanted, say: Callable[[str], None] = print) -> None:
    """Serve until somebody stops it. Raises NoughtsError if that cannot be begun."""
    menu, files = _games(wanted.games)
    for name in wanted.names:
        if plain_host(name) is None:
            raise NoughtsError(f"{shown(name)} is no name of a host; one is written like games.example")
    wanted = wanted._replace(prefix=_prefix(wanted.prefix))
    proxies = Proxies(wanted.proxies)
    with _listening(wanted.host, wanted.port) as listener:
        address, port = listener.getsockname()[:2]
        settings = Settings(files=files, only=tuple(menu) if wanted.games else ())
        if wanted.workers is not None:
            settings = settings._replace(long_workers=wanted.workers)
        limits = Limits.choose(wanted.connections, processes=settings.long_workers + 2)
        access = Access(
            allowed_hosts(wanted.host, address, wanted.names),
            sys.stderr if wanted.log else None,
            proxies,
            limits.each,
            wanted.prefix,
        )
        pool = Pool(settings)
        config = uvicorn.Config(
            application(Serving(menu, settings, access), pool),
            ws="none",
            lifespan="on",
            log_level="error",  # what is wrong with a request is told to whoever sent it
            access_log=False,
            server_header=False,
            proxy_headers=False,  # `access` knows whom to believe
            timeout_keep_alive=KEEP_ALIVE,
            timeout_graceful_shutdown=LEAVING,
        )
        connections = Connections(limits, proxies)
        _Server(config, pool, connections, lambda: _welcome(wanted, address, port, say)).run([listener])
    say("Stopped.")


class _Server(uvicorn.Server):
    """Accepts connections as `connections` allows, tells when it is ready, lets go of clients who keep it waiting, and
    stops at Ctrl-C or SIGTERM.
    """

    def __init__(self, config: uvicorn.Config, pool: Pool, connections: Connections, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._pool = pool
        self._ready = ready
        self._connections = connections
        self._accepting: list[asyncio.Task[None]] = []
        self._seen: dict[Connection, tuple[Hashable, float]] = {}
        """What each connection waits for, and since when."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup([])  # it would accept any number of connections
        if self.should_exit:
            return
        for listener in sockets or []:
            self._accepting.append(asyncio.create_task(accept(listener, self._connections, self._connect)))
        try:
            self._ready()
        except BaseException:
            await self.shutdown(sockets)
            raise

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for task in self._accepting:
            task.cancel()
        await asyncio.gather(*self._accepting, return_exceptions=True)
        self._pool.dismiss()  # nobody need wait for an answer any more
        await super().shutdown(sockets)

    async def _connect(self, found: socket.socket, client: str) -> None:
        """Speak HTTP on a connection that was admitted."""
        connection = Connection(self.config, self.server_state, self.lifespan.state, self._connections, client)
        try:
            await asyncio.get_running_loop().connect_accepted_socket(lambda: connection, found)
        except OSError:  # it was gone before it began
            found.close()
            if connection not in self._connections:
                self._connections.leave(client)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if not self.should_exit:  # it is on its way: to ask again makes it no faster
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
        """Leave the signals alone: they are handled from before the event loop runs until it is closed."""
        yield

    async def on_tick(self, counter: int) -> bool:
        if counter % 10 == 0:  # about once a second
            self._let_go()
            news = self._connections.news()
            if news is not None:
                write_line(news)
        return await super().on_tick(counter)

    def _let_go(self) -> None:
        """End connections whose client has long begun a request and not finished it, or not read any of an answer."""
        now, before = monotonic(), self._seen
        self._seen = {}
        for connection in self._connections:
            self._connections.note(connection)  # nothing else tells that an answer was read to its end
            if not connection.unsent and connection.at_work:
                continue
            waits_for = connection.unsent, id(connection.cycle)
            known, since = before.get(connection, (waits_for, now))
            if known != waits_for:
                since = now
            self._seen[connection] = waits_for, since
            if now - since > (LITTLE_PATIENCE if self._connections.crowded(connection) else PATIENCE):
                connection.transport.abort()


def _prefix(given: str) -> str:
    """Return a prefix without a slash at its end; raise NoughtsError if it is none."""
    prefix = given.rstrip("/")
    if PREFIX.fullmatch(prefix) and not {".", ".."} & set(prefix.split("/")):
        return prefix
    raise NoughtsError(f"{shown(given)} is no path for --prefix; one is written like /games")


def _games(given: tuple[str, ...]) -> tuple[dict[str, Listed], dict[str, tuple[str, str]]]:
    """Return the games to serve by their names, and of those that are files what the workers need.

    They are set up before anything else, so that a wrong name or a broken file is told at once. Of the first game, the
    one that the page shows at first, it is found out whether it is small.
    """
    wanted = given or tuple(entry.examples[0] for entry in GAMES.values())
    first = wanted[0]
    built_in = {each: _built_in(each, each == first) for each in wanted if not is_path(each)}
    paths = [each for each in wanted if is_path(each)]
    in_files = dict(zip(paths, load_files(paths, solve=first), strict=True))
    menu: dict[str, Listed] = {}
    files: dict[str, tuple[str, str]] = {}
    for each in wanted:
        if each in built_in:
            menu[each.strip().lower()] = built_in[each]
            continue
        name, path, digest, listed = in_files[each]
        if files.get(name, (path, ""))[0] != path:
            raise NoughtsError(f"two of the files are called {shown(Path(each).name)}; rename one of them")
        files[name] = path, digest
        menu[name] = listed
    return menu, files


def _built_in(name: str, solve: bool) -> Listed:
    started = process_time()
    game = load(name)
    light = process_time() - started < A_MOMENT
    try:
        small = solve and Engine(game).solve(A_MOMENT)
    except NoughtsError:  # it need not end
        small = False
    return Listed(resolve(game).title, light, small)


def _listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens, or raise NoughtsError and say what would be right."""
    host = host.strip("[]")
    try:
        found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise NoughtsError(f"there is no host {shown(host)} on this machine; 127.0.0.1 is always there") from None
    family, _, _, _, address = found[0]
    # Only for sockets that say they are TCP, asyncio turns off the delay with which small packets are sent.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise NoughtsError(_cannot(error, host, port)) from None
    return listener


def _cannot(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        other = port + 1 if port < 65535 else 8000
        return f"port {port} is taken; choose another, such as --port {other}, or any free one: --port 0"
    if error.errno == errno.EACCES:
        return f"port {port} is not for everybody; choose one above 1023, such as --port 8000"
    if error.errno == errno.EADDRNOTAVAIL:
        return f"{shown(host)} is no address of this machine; 127.0.0.1 always is"
    return f"cannot listen at {host}, port {port}: {error.strerror}"


def _welcome(wanted: Wanted, address: str, port: int, say: Callable[[str], None]) -> None:
    name = wanted.host.strip("[]") or address
    if everywhere(address):
        name = "127.0.0.1" if "." in address else "::1"
    url = f"http://{f'[{name}]' if ':' in name else name}:{port}{wanted.prefix}/"
    say(f"noughts is at {url} (Ctrl-C stops it)")
    if everywhere(address):
        say("It listens on every address of this machine: others on the network can reach it.")
    if wanted.browser:
        # In a thread, since some browsers keep whoever starts them waiting.
        threading.Thread(target=_open, args=(url, say), daemon=True).start()


def _open(address: str, say: Callable[[str], None]) -> None:
    """Open a browser; without a screen, one would take over the terminal."""
    screen = sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if not screen or not webbrowser.open(address):
        say("No browser was found here: open that address in one.")
