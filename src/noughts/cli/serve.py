"""`noughts serve`: the page and the API."""

import sys
from collections.abc import Sequence

from noughts.cli.commands import Parser
from noughts.cli.terminal import silence
from noughts.errors import NoughtsError

__all__ = ["parser", "run"]

INSTALL = "pip install 'noughts[web]'"

EXAMPLES = f"""\
examples:
  noughts serve                            every game, in the browser
  noughts serve connect-four               just this one
  noughts serve ./mygame.py tic-tac-toe    your own game, and another
  noughts serve --no-browser --port 0      any free port; the address is printed
  noughts serve --host 0.0.0.0             for others on the network too

behind a proxy on this machine that makes it https://example.org/games/:
  noughts serve --no-browser --allow-host example.org --trust-proxy 127.0.0.1 --prefix /games

The API is described at /api/openapi.json. Needs Starlette and uvicorn: {INSTALL}
"""


def run(argv: Sequence[str]) -> int:
    """Serve until Ctrl-C, and return the exit code."""
    args = parser().parse_args(argv)
    if not 0 <= args.port <= 65535:
        raise NoughtsError("--port must be a number from 0 to 65535; 0 is any free one")
    if args.workers is not None and not 1 <= args.workers <= 256:
        raise NoughtsError("--workers must be a number from 1 to 256")
    if args.connections is not None and not 16 <= args.connections <= 100_000:
        raise NoughtsError("--connections must be a number from 16 to 100000")
    try:
        from noughts.web.server import Wanted, serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("starlette", "uvicorn"):
            raise
        raise NoughtsError(f"the server needs Starlette and uvicorn: {INSTALL}") from None
    serve(
        Wanted(
            games=tuple(args.games),
            host=args.host,
            port=args.port,
            browser=args.browser,
            log=args.log,
            names=tuple(args.allow_host),
            workers=args.workers,
            proxies=tuple(args.trust_proxy),
            prefix=args.prefix,
            connections=args.connections,
        ),
        say=_say,
    )
    return 0


def _say(line: str) -> None:
    """Print a line on standard output or, if that cannot be written, on standard error."""
    try:
        print(line, flush=True)
    except OSError:
        silence()
        print(line, file=sys.stderr, flush=True)


def parser() -> Parser:
    """Return what reads the options."""
    options = Parser(
        prog="noughts serve",
        description="Play, analyse and watch the search in a browser.",
        usage="noughts serve [GAME ...] [OPTIONS]",
        epilog=EXAMPLES,
    )
    options.add_argument("games", nargs="*", metavar="GAME", help="serve these games only; a path serves your own")
    options.add_argument("--host", default="127.0.0.1", metavar="H", help="listen at this address (default: 127.0.0.1)")
    options.add_argument("--port", type=int, default=8000, metavar="N", help="at this port (default: 8000; 0: any)")
    options.add_argument("--no-browser", dest="browser", action="store_false", help="do not open a browser")
    options.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="a name by which the server may be called, as behind a proxy; may be repeated",
    )
    options.add_argument(
        "--trust-proxy",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="believe the X-Forwarded-For of a proxy at this address or network; may be repeated",
    )
    options.add_argument(
        "--prefix", default="", metavar="PATH", help="the path below which a proxy makes it found, such as /games"
    )
    options.add_argument(
        "--connections",
        type=int,
        metavar="N",
        help="most connections at once, a quarter by one client (default: 1000)",
    )
    options.add_argument("--workers", type=int, metavar="N", help="processes that search (default: cores less one)")
    options.add_argument("--log", action="store_true", help="one line of JSON for each request, on stderr")
    return options
