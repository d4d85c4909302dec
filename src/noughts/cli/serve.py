"""`noughts serve`: serve the web page and the API."""

import sys
from collections.abc import Sequence

from noughts.cli.commands import Parser
from noughts.cli.terminal import silence
from noughts.errors import NoughtsError

__all__ = ["parser", "run"]

INSTALL = "pip install 'noughts[web]'"

EXAMPLES = f"""\
examples:
  noughts serve                          every game, in your browser
  noughts serve connect-four             only this game
  noughts serve ./mygame.py tic-tac-toe  your own game, and another one
  noughts serve --no-browser --port 0    any free port; the address is printed
  noughts serve connect:4x4 --table ./connect-4x4.table
                                         with a table of all its positions
  noughts serve --host 0.0.0.0           let others on the network play too
  noughts serve --allow-embed https://course.example
                                         let pages of a course embed the page

behind a proxy on this machine, as https://example.org/games/:
  noughts serve --no-browser --allow-host example.org \\
      --trust-proxy 127.0.0.1 --prefix /games

The API is described at /api/openapi.json.
The server needs Starlette and uvicorn: {INSTALL}
"""


def run(argv: Sequence[str]) -> int:
    """Serve until Ctrl-C, and return the exit code."""
    args = parser().parse_args(argv)
    if not 0 <= args.port <= 65535:
        raise NoughtsError("--port must be a number from 0 to 65535; 0 chooses any free port")
    if args.workers is not None and not 1 <= args.workers <= 256:
        raise NoughtsError("--workers must be a number from 1 to 256")
    if args.connections is not None and not 16 <= args.connections <= 100_000:
        raise NoughtsError("--connections must be a number from 16 to 100000")
    try:
        from noughts.web.server import ServeOptions, serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("starlette", "uvicorn"):
            raise
        raise NoughtsError(f"the server needs Starlette and uvicorn: {INSTALL}") from None
    serve(
        ServeOptions(
            games=tuple(args.games),
            host=args.host,
            port=args.port,
            browser=args.browser,
            log=args.log,
            allowed_hosts=tuple(args.allow_host),
            workers=args.workers,
            proxies=tuple(args.trust_proxy),
            prefix=args.prefix,
            connections=args.connections,
            tables=tuple(args.table),
            embedders=tuple(args.allow_embed),
        ),
        say=_say,
    )
    return 0


def _say(line: str) -> None:
    """Print a line to standard output or, if that fails, to standard error."""
    try:
        print(line, flush=True)
    except OSError:
        silence()
        print(line, file=sys.stderr, flush=True)


def parser() -> Parser:
    """Return the parser of the command's options."""
    options = Parser(
        prog="noughts serve",
        description="Play, analyse and watch the search in a browser.",
        usage="noughts serve [GAME ...] [OPTIONS]",
        epilog=EXAMPLES,
    )
    options.add_argument("games", nargs="*", metavar="GAME", help="serve only these games; a path serves your own")
    options.add_argument("--host", default="127.0.0.1", metavar="H", help="address to listen on (default: 127.0.0.1)")
    options.add_argument("--port", type=int, default=8000, metavar="N", help="port (default: 8000; 0: any free one)")
    options.add_argument("--no-browser", dest="browser", action="store_false", help="do not open a browser")
    options.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="accept requests for this host name too, as behind a proxy; may be repeated",
    )
    options.add_argument(
        "--allow-embed",
        action="append",
        default=[],
        metavar="ORIGIN",
        help="let pages of this origin, such as https://course.example, show the page in a frame; may be repeated",
    )
    options.add_argument(
        "--trust-proxy",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="trust X-Forwarded-For from this address or network; may be repeated",
    )
    options.add_argument(
        "--prefix", default="", metavar="PATH", help="public path of the server behind a proxy, such as /games"
    )
    options.add_argument(
        "--connections",
        type=int,
        metavar="N",
        help="limit on open connections; one client may have a quarter of them (default: 1000)",
    )
    options.add_argument(
        "--table",
        action="append",
        default=[],
        metavar="DIR",
        help="look positions up in the table in this folder; may be repeated, for other games",
    )
    options.add_argument("--workers", type=int, metavar="N", help="search processes (default: processor cores minus 1)")
    options.add_argument("--log", action="store_true", help="log each request as a line of JSON on stderr")
    return options
