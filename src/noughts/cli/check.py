"""`noughts check`: follow a certificate's strategy against every reply."""

import json
import sys
from collections.abc import Sequence
from time import perf_counter
from typing import Any

from noughts.capabilities import ResolvedGame, resolve
from noughts.certificates.certificate import MOST_BYTES, Checked, check
from noughts.certificates.sentences import claim_in_words, refutation
from noughts.certificates.strategy import Cancelled
from noughts.cli.commands import Parser
from noughts.cli.limits import interruptible
from noughts.cli.terminal import complain, live_line, wrapped
from noughts.errors import NoughtsError, counted
from noughts.notation import load
from noughts.wire import certificates as wire

__all__ = ["run"]

EXAMPLES = """\
examples:
  noughts check never-loses.txt
  noughts check dodgem.txt examples/dodgem.py

The check relies on the rules of the game alone. It is a module of its own, without anything else of noughts:
noughts/certificates/checker.py. A game file is only loaded if you name it, never because a certificate does.

Exit code 0: the claim holds; 1: it is refuted, by the line of play that is shown; 2: the file cannot be used.
"""


def run(argv: Sequence[str]) -> int:
    """Check a certificate, tell what was found, and return the exit code."""
    args = _parser().parse_args(argv)
    given = _typed() if args.file == "-" else args.file
    started = perf_counter()
    game = None if args.game is None else load(args.game)
    with interruptible() as cancelled, live_line() as show:

        def watch() -> bool:
            show(f"checking, {perf_counter() - started:.0f} s")
            return cancelled()

        try:
            found = check(given, game, cancelled=watch)
        except Cancelled as stopped:
            show("")
            complain(stopped)
            return 130
    seconds = perf_counter() - started
    if args.json:
        print(json.dumps(wire.checked(args.file, found, seconds)))
    else:
        print(wrapped(told(resolve(load(found.game) if game is None else game), found, seconds)))
    return 0 if found.holds else 1


def _typed() -> bytes:
    """Return all of standard input, if it is not too large."""
    content = sys.stdin.buffer.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise NoughtsError(f"a certificate of more than {MOST_BYTES:,} bytes is not read")
    return content


def told(game: ResolvedGame[Any, Any], found: Checked, seconds: float) -> str:
    """Return what a check found, in lines."""
    claim = f"{game.display_title}: {claim_in_words(game, found)}"
    if not found.holds:
        return f"{claim}.\nNo: {refutation(found)}."
    through = f"{counted(found.positions or 0, 'move')} of the strategy, {counted(found.reached or 0, 'position')}"
    return f"{claim}.\nThe claim holds, against every reply: {through}, {seconds:.1f} s."


def _parser() -> Parser:
    parser = Parser(
        prog="noughts check",
        description="Check a certificate: follow its strategy against every reply.",
        usage="noughts check FILE [GAME] [OPTIONS]",
        epilog=EXAMPLES,
    )
    parser.add_argument("file", metavar="FILE", help="the certificate; - is standard input")
    parser.add_argument(
        "game", nargs="?", metavar="GAME", help="the game (default: the one that the certificate names)"
    )
    parser.add_json()
    return parser
