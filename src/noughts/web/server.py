"""Starting the server, and stopping it: an address, a browser, and clear words where either fails."""

import errno
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import uvicorn

from noughts.errors import NoughtsError, shown
from noughts.games import GAMES, named
from noughts.notation import load
from noughts.web.app import Serving, application
from noughts.web.guard import allowed_hosts
from noughts.web.pool import Pool, Settings

__all__ = ["Wanted", "serve"]

KEEP_ALIVE = 15
LEAVING = 2
"""Seconds that requests still get when the server stops."""
MOST_CONNECTIONS = 2_000


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
    serving = _serving(wanted)
    with _listening(wanted.host, wanted.port) as listener:
        address = _address(wanted.host, listener.getsockname()[1])
        pool = Pool(serving.settings)
        config = uvicorn.Config(
            application(serving, pool),
            http="h11",  # of the two that uvicorn has, the one that bounds what it reads of a request
            ws="none",
            lifespan="on",
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_keep_alive=KEEP_ALIVE,
            timeout_graceful_shutdown=LEAVING,
            limit_concurrency=MOST_CONNECTIONS,
        )
        signal.signal(
            signal.SIGTERM, signal.default_int_handler
        )  # whoever asks it to stop gets it stopped, like Ctrl-C
        _Server(config, pool, lambda: _welcome(wanted, address, say)).run(sockets=[listener])
    say("Stopped.")


class _Server(uvicorn.Server):
    """Tells when it is ready, and takes Ctrl-C for what it is here: the way to stop it."""

    def __init__(self, config: uvicorn.Config, pool: Pool, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._pool = pool
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._pool.dismiss()  # nobody need wait for an answer any more
        await super().shutdown(sockets)

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        with suppress(KeyboardInterrupt):  # raised again once everything is down
            super().run(sockets)


def _serving(wanted: Wanted) -> Serving:
    """Look at what is to be served, before anything else: a wrong name or a broken file is told at once."""
    files: dict[str, str] = {}
    menu: list[str] = []
    digests: dict[str, str] = {}
    for given in wanted.games:
        load(given)  # raises, with words, if it is none
        if Path(given).suffix == ".py":
            name, path = f"./{Path(given).name}", Path(given).resolve()
            if files.get(name, str(path)) != str(path):
                raise NoughtsError(f"two of the files are called {shown(path.name)}; rename one of them")
            files[name] = str(path)
            digests[name] = sha256(path.read_bytes()).hexdigest()
            menu.append(name)
        else:
            named(given)
            menu.append(given.strip().lower())
    only = tuple(dict.fromkeys(menu))
    settings = Settings(files=files, only=only)
    if wanted.workers is not None:
        settings = settings._replace(long_workers=wanted.workers)
    return Serving(
        menu=only or tuple(entry.examples[0] for entry in GAMES.values()),
        digests=digests,
        settings=settings,
        fits=allowed_hosts(wanted.host, wanted.names),
        log=sys.stderr if wanted.log else None,
    )


def _listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens, or raise NoughtsError and say what would be right."""
    try:
        family, _, _, _, address = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (OSError, UnicodeError):
        raise NoughtsError(f"there is no host {shown(host)} on this machine; 127.0.0.1 is always there") from None
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


def _address(host: str, port: int) -> str:
    """Return where a browser on this machine finds the server."""
    name = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{name}:{port}/"


def _welcome(wanted: Wanted, address: str, say: Callable[[str], None]) -> None:
    say(f"noughts is at {address} (Ctrl-C stops it)")
    if wanted.host in ("", "0.0.0.0", "::"):
        say("It listens on every address of this machine: others on the network can reach it.")
    if wanted.browser:
        # In a thread, since some browsers keep whoever starts them waiting.
        threading.Thread(target=_open, args=(address, say), daemon=True).start()


def _open(address: str, say: Callable[[str], None]) -> None:
    """Open a browser; without a screen, one would take over the terminal."""
    screen = sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if not screen or not webbrowser.open(address):
        say("No browser was found here: open that address in one.")
