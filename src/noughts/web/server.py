"""Starting the server, and stopping it: an address, a browser, and clear words where either fails."""

import errno
import os
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
from typing import Any, NamedTuple

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import HANDLED_SIGNALS

from noughts.analysis import Analyst
from noughts.capabilities import capabilities
from noughts.errors import NoughtsError, shown
from noughts.games import GAMES
from noughts.notation import is_path, load
from noughts.web.answers import A_MOMENT
from noughts.web.app import Serving, application
from noughts.web.guard import allowed_hosts, everywhere, plain_host
from noughts.web.loading import load_files
from noughts.web.pool import Listed, Pool
from noughts.web.process import Settings

__all__ = ["Wanted", "serve"]

KEEP_ALIVE = 15
LEAVING = 2
"""Seconds that requests still get when the server stops."""
MOST_CONNECTIONS = 1_000
PATIENCE = 20.0
"""Seconds that a client may take over sending a request, or over reading any more of an answer."""


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


def serve(wanted: Wanted, say: Callable[[str], None] = print) -> None:
    """Serve until somebody stops it. Raises NoughtsError if that cannot be begun."""
    menu, files = _games(wanted.games)
    for name in wanted.names:
        if plain_host(name) is None:
            raise NoughtsError(f"{shown(name)} is no name of a host; one is written like games.example")
    with _listening(wanted.host, wanted.port) as listener:
        address, port = listener.getsockname()[:2]
        settings = Settings(files=files, only=tuple(menu) if wanted.games else ())
        if wanted.workers is not None:
            settings = settings._replace(long_workers=wanted.workers)
        fits = allowed_hosts(wanted.host, address, wanted.names)
        pool = Pool(settings)
        config = uvicorn.Config(
            application(Serving(menu, settings, fits, sys.stderr if wanted.log else None), pool),
            http="h11",  # of the two that uvicorn has, the one that bounds what it reads of a request
            ws="none",
            lifespan="on",
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,  # anybody could claim to be anybody
            timeout_keep_alive=KEEP_ALIVE,
            timeout_graceful_shutdown=LEAVING,
            limit_concurrency=_most_connections(),
        )
        _Server(config, pool, lambda: _welcome(wanted, address, port, say)).run([listener])
    say("Stopped.")


class _Server(uvicorn.Server):
    """Tells when it is ready, lets go of clients who keep it waiting, and stops at Ctrl-C or SIGTERM."""

    def __init__(self, config: uvicorn.Config, pool: Pool, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._pool = pool
        self._ready = ready
        self._seen: dict[Any, tuple[Hashable, float]] = {}
        """What each connection waits for, and since when."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.should_exit:
            return
        try:
            self._ready()
        except BaseException:
            await self.shutdown(sockets)
            raise

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._pool.dismiss()  # nobody need wait for an answer any more
        await super().shutdown(sockets)

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
        return await super().on_tick(counter)

    def _let_go(self) -> None:
        """End connections whose client has long begun a request and not finished it, or not read any of an answer."""
        now, before = monotonic(), self._seen
        self._seen = {}
        for connection in list(self.server_state.connections):
            assert isinstance(connection, H11Protocol)
            cycle, transport = connection.cycle, connection.transport
            unsent = transport.get_write_buffer_size()
            if not unsent and cycle is not None and not cycle.response_complete:
                continue  # we are at work
            waits_for = unsent, id(cycle)
            known, since = before.get(connection, (waits_for, now))
            if known != waits_for:
                since = now
            self._seen[connection] = waits_for, since
            if now - since > PATIENCE:
                transport.abort()


def _most_connections() -> int:
    """Return how many connections there may be: fewer than files may be open, if the system says."""
    try:
        import resource
    except ImportError:  # not on this system
        return MOST_CONNECTIONS
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_CONNECTIONS if files == resource.RLIM_INFINITY else max(16, min(MOST_CONNECTIONS, files - 64))


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
        small = solve and Analyst(game).solves_all(A_MOMENT)
    except NoughtsError:  # it need not end
        small = False
    return Listed(capabilities(game).title, light, small)


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
        listener.listen(1024)
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
    url = f"http://{f'[{name}]' if ':' in name else name}:{port}/"
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
