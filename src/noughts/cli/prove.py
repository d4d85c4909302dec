"""`noughts prove`: write a strategy that never loses, or always wins, for anybody to check."""

import json
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter
from typing import Any

from noughts.capabilities import ResolvedGame, resolve
from noughts.certificates.certificate import Certificate, name_for, prove, start_of
from noughts.certificates.estimate import SAMPLE, Estimate, Layer, estimate
from noughts.certificates.sentences import claim_in_words
from noughts.certificates.strategy import Building, Cancelled
from noughts.cli.commands import Parser
from noughts.cli.limits import check_limits, interruptible
from noughts.cli.output import output_file
from noughts.cli.terminal import complain, live_line, wrapped
from noughts.engine import engine_of
from noughts.errors import NoughtsError, counted, shown, suggest
from noughts.notation import load
from noughts.search.limits import Limits
from noughts.wire import certificates as wire

__all__ = ["run"]

FORMATS = ("text", "html")
SECONDS = 600.0
"""How long the work may take by default."""

EXAMPLES = """\
examples:
  noughts prove tic-tac-toe --for O -o never-loses.txt
  noughts prove mnk:4,3,3 --for first -o wins.txt
  noughts prove connect-four 44444 2 --for second --estimate
  noughts prove tic-tac-toe --for O -o try-to-beat-me.html
  noughts check never-loses.txt

Without -o, the certificate is printed. As HTML, it is a page on which anybody can try to beat the strategy.
"""


def run(argv: Sequence[str]) -> int:
    """Write a certificate, and return the exit code."""
    args = _parser().parse_args(argv)
    check_limits(args, "seconds", "samples")
    form = _format(args)
    game = resolve(load(args.game))
    started = perf_counter()
    with ExitStack() as stack:
        write = None
        if args.output not in (None, "-") and not args.estimate:
            write = stack.enter_context(output_file(args.output))
        cancelled = stack.enter_context(interruptible())
        show = stack.enter_context(live_line())
        limits = Limits(seconds=args.seconds or None, cancel=cancelled)
        try:
            if args.estimate:
                return _estimate(args, game, limits, show)
            certificate = prove(
                game,
                args.player,
                " ".join(args.position),
                notation=name_for(args.game),
                limits=limits,
                progress=lambda built: show(_progress(built)),
            )
            content = certificate.text
            if form == "html":
                from noughts.web.certificate_page import page

                content = page(game, certificate)
        except Cancelled as stopped:
            show("")
            complain(f"{stopped}; nothing was written")
            return 130
        if write is not None:
            write(content)
        elif not args.json:
            sys.stdout.write(content)
    seconds = perf_counter() - started
    file = None if write is None else args.output
    if args.json:
        print(json.dumps(wire.proved(certificate, file, len(content.encode()), seconds)))
    elif file is not None:
        print(wrapped(_report(game, certificate, file, len(content.encode()), seconds)))
    return 0


def _estimate(args: Namespace, game: ResolvedGame[Any, Any], limits: Limits, show: Callable[[str], None]) -> int:
    """Print how large a certificate would be, and return the exit code."""
    start = start_of(game, args.player, " ".join(args.position))

    def progress(layer: Layer) -> None:
        show(f"move {layer.plies + 1}: about {layer.positions:,.0f} positions, {layer.followed:,} looked at")

    found = estimate(
        engine_of(game),
        start.state,
        start.player,
        sample=args.samples,
        seed=args.seed,
        limits=limits,
        progress=progress,
    )
    if args.json:
        print(json.dumps(wire.estimated(name_for(args.game), start, found)))
    else:
        show("")
        print(wrapped(_estimated(found)))
    return 0


def _estimated(found: Estimate) -> str:
    """Return an estimate in words, and how sure it is."""
    took = f"{counted(found.asked, 'question')} to the engine, {found.seconds:.1f} s"
    if found.exact:
        return f"{counted(found.positions, 'position')}, all of them counted; {took}."
    low, high = found.sizes[0], found.sizes[-1]
    known = sum(1 for layer in found.samples[0] if layer.followed >= layer.positions)
    return (
        f"About {found.positions:,} positions: {low:,.0f} to {high:,.0f} by {len(found.samples)} samples; {took}.\n"
        f"All positions of the first {counted(known, 'move')} are counted, and later ones estimated: "
        "rather too many than too few if there are far more of them than a sample has."
    )


def _format(args: Namespace) -> str:
    """Return the format that was asked for, by name or by the ending of the file."""
    if args.format not in (None, *FORMATS):
        hint = suggest(args.format, FORMATS) or f"; there are: {', '.join(FORMATS)}"
        raise NoughtsError(f"there is no format {shown(args.format)}{hint}")
    ending = Path(args.output or "").suffix.lower()
    return args.format or ("html" if ending in (".html", ".htm") else "text")


def _progress(built: Building) -> str:
    rate = built.positions / max(built.seconds, 1e-9)
    return f"{counted(built.positions, 'move')} chosen, {rate:,.0f} a second; {built.waiting:,} positions waiting"


def _report(game: ResolvedGame[Any, Any], certificate: Certificate, file: str, size: int, seconds: float) -> str:
    """Return what was proved, in lines."""
    return (
        f"{game.display_title}: {claim_in_words(game, certificate)}.\n"
        f"{file}: {counted(certificate.positions, 'position')} with their moves, {size:,} bytes; {seconds:.1f} s."
    )


def _parser() -> Parser:
    parser = Parser(
        prog="noughts prove",
        description="Write a strategy that never loses, or always wins, for anybody to check.",
        usage="noughts prove GAME [POSITION] --for PLAYER [OPTIONS]",
        epilog=EXAMPLES,
    )
    parser.add_argument("game", metavar="GAME", help="a game's name, or a path such as ./mygame.py")
    parser.add_argument("position", nargs="*", default=[], metavar="POSITION", help="moves before, such as 5 1 3")
    parser.add_argument("--for", dest="player", required=True, metavar="PLAYER", help="first, second, or a mark: X, O")
    parser.add_argument("-o", "--output", metavar="FILE", help="where to write it (default: print it)")
    parser.add_argument("--format", metavar="FORMAT", help="text or html (default: by the ending of FILE, else text)")
    parser.add_seconds(SECONDS)
    parser.add_argument("--estimate", action="store_true", help="only estimate how large it will be, by sampling")
    parser.add_argument(
        "--samples", type=int, default=SAMPLE, metavar="N", help=f"look at N positions of each move (default: {SAMPLE})"
    )
    parser.add_argument("--seed", type=int, metavar="N", help="choose the same sample for the same number")
    parser.add_json()
    return parser
