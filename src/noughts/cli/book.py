"""`noughts book`: build an opening book, verify it, or show what it holds."""

import json
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from contextlib import suppress
from time import perf_counter

from noughts.book.file import Book, read_book
from noughts.bookmaking.build import build_book
from noughts.bookmaking.verify import Verified, verify_book
from noughts.capabilities import resolve
from noughts.cli.commands import Parser
from noughts.cli.limits import check_limits, interruptible
from noughts.cli.output import output_file
from noughts.cli.terminal import live_line, wrapped
from noughts.errors import BadBook, NoughtsError, counted, shown, suggest
from noughts.notation import load, normalised
from noughts.wire import books as wire

__all__ = ["run"]

USAGE = """\
usage: noughts book build GAME --plies N -o FILE
       noughts book verify FILE [GAME]
       noughts book show FILE

An opening book is a file with the exact score of every position of a game up to some ply.

  noughts book build    solve the positions at the last ply, and derive all others from them
  noughts book verify   check every score; exit code 1 if anything is wrong
  noughts book show     its game, its last ply, and how many positions it has

  noughts book COMMAND --help   its options, with examples

examples:
  noughts book build connect:5x4 --plies 6 -o connect-5x4.book
  noughts book verify connect-5x4.book --sample 100
"""

EXAMPLES = {
    "build": """\
examples:
  noughts book build connect:5x4 --plies 6 -o connect-5x4.book
  noughts book build connect-four --plies 8 --table-mib 2048 -o four.book

Every position that is solved is written to a file beside the book at once. After an interruption, the same command goes
on from there.
""",
    "verify": """\
examples:
  noughts book verify connect-5x4.book
  noughts book verify connect-four.book --sample 100

Exit code 0: all is well; 1: the book is damaged, or a score is wrong; 2: there is no such file or game.
""",
    "show": "examples:\n  noughts book show connect-5x4.book\n",
}


def run(argv: Sequence[str]) -> int:
    """Run one of the commands about books, and return the exit code."""
    first = argv[0] if argv else "--help"
    if first in ("-h", "--help", "help"):
        print(wrapped(USAGE), end="")
        return 0
    if first not in COMMANDS:
        hint = suggest(first, COMMANDS) or f"; there are: {', '.join(COMMANDS)}"
        raise NoughtsError(f"there is no command {shown(f'book {first}')}{hint}")
    return COMMANDS[first](argv[1:])


def _build(argv: Sequence[str]) -> int:
    """Build a book and write it."""
    parser = _parser("build", "Build the opening book of a game.", "GAME --plies N -o FILE [OPTIONS]")
    parser.add_argument("game", metavar="GAME", help="a game's name, or a path such as ./mygame.py")
    parser.add_argument("--plies", type=int, required=True, metavar="N", help="include positions up to N plies")
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="where to write the book")
    parser.add_argument(
        "--resume",
        metavar="FILE",
        help="read solved positions from this file, and add to it (default: the book's name with .leaves)",
    )
    _add_search(parser)
    args = parser.parse_args(argv)
    _check_search(args)
    if args.plies < 0:
        raise NoughtsError("--plies must be 0 or more")
    if args.resume is not None and not os.path.exists(args.resume):
        raise NoughtsError(f"cannot read {shown(args.resume, 60)}: there is no such file")
    game, notation = resolve(load(args.game)), normalised(args.game)
    checkpoint = args.resume or f"{args.output}.leaves"
    started = perf_counter()
    with output_file(args.output) as write, interruptible() as cancelled, live_line() as show:
        built = build_book(
            game,
            notation,
            args.plies,
            checkpoint,
            cancelled=cancelled,
            progress=show,
            table_mib=args.table_mib,
            threads=args.threads,
        )
        if built.content is not None:
            write(built.content)
    if built.content is not None and args.resume is None:
        with suppress(OSError):
            os.unlink(checkpoint)
    seconds = perf_counter() - started
    if args.json:
        print(json.dumps(wire.built_book(args.output, notation, args.plies, built, seconds)))
    elif built.content is not None:
        size = f"{len(built.content):,} bytes"
        print(f"{args.output}: {counted(built.positions, 'position')} up to ply {args.plies}, {size}")
        print(f"{built.solved:,} of {built.leaves:,} leaves solved now, {built.nodes:,} nodes, {seconds:.1f} s")
    if built.content is None:
        done = f"{built.known + built.solved:,} of {built.leaves:,} leaves are solved"
        print(f"noughts: stopped; {done}; the same command goes on from there", file=sys.stderr)
        return 1
    return 0


def _verify(argv: Sequence[str]) -> int:
    """Verify a book and tell what was found."""
    parser = _parser("verify", "Check every score of an opening book.", "FILE [GAME] [OPTIONS]")
    parser.add_argument("file", metavar="FILE", help="the book")
    parser.add_argument("game", nargs="?", metavar="GAME", help="the game (default: the one that the book names)")
    parser.add_argument("--sample", type=int, metavar="N", help="search only N positions of the last ply, at random")
    parser.add_argument("--seed", type=int, metavar="N", help="choose the same sample for the same number")
    _add_search(parser)
    args = parser.parse_args(argv)
    _check_search(args)
    if args.sample is not None and args.sample < 0:
        raise NoughtsError("--sample must be 0 or more")
    if not os.path.exists(args.file):
        raise NoughtsError(f"cannot read {shown(args.file, 60)}: there is no such file")
    started = perf_counter()
    notation, plies = args.game or "", None
    try:
        file = read_book(args.file)
        notation, plies = normalised(args.game or file.header.game), file.header.plies
        game = resolve(load(notation))
        with interruptible() as cancelled, live_line() as show:
            found = verify_book(
                Book(args.file, game),
                game,
                sample=args.sample,
                seed=args.seed,
                cancelled=cancelled,
                progress=show,
                table_mib=args.table_mib,
                threads=args.threads,
            )
    except BadBook as why:
        found = Verified([str(why)], 0, 0, 0, 0, True, 0)
    seconds = perf_counter() - started
    if args.json:
        print(json.dumps(wire.verified_book(args.file, notation, plies, found, seconds)))
    else:
        print(_told(args.file, found, seconds))
    return 0 if found.complete and not found.problems else 1


MOST_PROBLEMS = 10
"""How many problems are shown."""


def _told(path: str, found: Verified, seconds: float) -> str:
    """Return what a verification found, in lines."""
    lines = [*found.problems[:MOST_PROBLEMS]]
    if len(found.problems) > MOST_PROBLEMS:
        lines.append(f"and {len(found.problems) - MOST_PROBLEMS:,} more problems")
    if not found.complete:
        lines.append("stopped before the end")
    if found.leaves:
        checked = f"{found.derived:,} derived from their children, {found.solved:,} of {found.leaves:,} leaves solved"
        lines.append(f"{path}: {counted(found.positions, 'position')}; {checked} again, {seconds:.1f} s")
    if found.complete and not found.problems:
        lines.append("No problem found.")
    return wrapped("\n".join(lines))


def _show(argv: Sequence[str]) -> int:
    """Show what a book holds."""
    parser = _parser("show", "Show what an opening book holds.", "FILE [OPTIONS]")
    parser.add_argument("file", metavar="FILE", help="the book")
    parser.add_json()
    args = parser.parse_args(argv)
    facts = wire.book(read_book(args.file))
    if args.json:
        print(json.dumps(facts))
    else:
        print(f"game: {facts['game']}\nplies: {facts['plies']}\npositions: {facts['positions']:,}")
        print(f"size: {facts['bytes']:,} bytes\nrules: {facts['rules']}")
    return 0


COMMANDS: dict[str, Callable[[Sequence[str]], int]] = {"build": _build, "verify": _verify, "show": _show}


def _parser(command: str, description: str, usage: str) -> Parser:
    name = f"noughts book {command}"
    return Parser(prog=name, description=description, usage=f"{name} {usage}", epilog=EXAMPLES[command])


def _add_search(parser: Parser) -> None:
    parser.add_argument(
        "--table-mib", type=float, default=256, metavar="M", help="size of the transposition table (default: 256)"
    )
    parser.add_argument("--threads", type=int, metavar="N", help="how many threads search (default: one a core)")
    parser.add_json()


def _check_search(args: Namespace) -> None:
    check_limits(args, "table_mib", "threads")
