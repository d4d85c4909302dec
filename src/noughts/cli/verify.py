"""`noughts verify`: derive every value of a table again."""

import json
import os
from collections.abc import Sequence
from time import perf_counter

from noughts.cli.commands import Parser
from noughts.cli.limits import check_limits, interruptible
from noughts.cli.terminal import live_line, wrapped
from noughts.errors import BadTable, NoughtsError, counted, shown
from noughts.notation import load, normalised
from noughts.solving.verify import Verified, verify_table
from noughts.tables.manifest import MANIFEST, read_manifest
from noughts.wire.tables import verified_table

__all__ = ["run", "told"]

EXAMPLES = """\
examples:
  noughts verify connect-5x4.table
  noughts verify connect-5x5.table --sample 100000
  noughts verify mygame.table ./mygame.py

Every value is derived from the values of the children, with nothing but the rules of the game. Every position that play
can reach must be in the table, and no other.

Exit code 0: all is well; 1: the table is damaged, or something in it is wrong; 2: there is no such table or game.
"""

MOST_PROBLEMS = 10
"""How many problems are shown."""


def run(argv: Sequence[str]) -> int:
    """Verify a table, tell what was found, and return the exit code."""
    args = _parser().parse_args(argv)
    check_limits(args, "sample", "workers")
    if not os.path.exists(os.path.join(args.directory, MANIFEST)):
        what = "there is no such folder" if not os.path.exists(args.directory) else f"it has no {MANIFEST}"
        raise NoughtsError(f"{shown(args.directory, 60)} is no table: {what}")
    game = None if args.game is None else load(args.game)
    notation = "" if game is None else normalised(args.game)
    started = perf_counter()
    with interruptible() as cancelled, live_line() as show:

        def progress(done: int, total: int) -> None:
            rate = done / max(perf_counter() - started, 1e-9)
            show(f"{done:,} of {counted(total, 'position')} checked, {rate:,.0f} a second")

        try:
            notation = notation or read_manifest(args.directory).game
            found = verify_table(
                args.directory,
                game,
                sample=args.sample,
                seed=args.seed,
                workers=args.workers,
                cancelled=cancelled,
                progress=progress,
            )
        except BadTable as why:
            found = Verified([str(why)], 0, 0, True, args.sample is not None)
    seconds = perf_counter() - started
    if args.json:
        print(json.dumps(verified_table(args.directory, notation, found, seconds)))
    else:
        print(told(args.directory, found, seconds))
    return 0 if found.complete and not found.problems else 1


def told(directory: str, found: Verified, seconds: float) -> str:
    """Return what a verification found, in lines."""
    lines = [*found.problems[:MOST_PROBLEMS]]
    if len(found.problems) > MOST_PROBLEMS:
        lines.append(f"and {counted(len(found.problems) - MOST_PROBLEMS, 'more problem')}")
    if not found.complete:
        lines.append("stopped before the end")
    if found.positions:
        checked = f"{found.checked:,} of {counted(found.positions, 'position')} derived from their children"
        lines.append(f"{directory}: {checked}, {seconds:.1f} s")
    if found.complete and not found.problems:
        whole = "" if found.sampled else ": every value is right, and no position is missing or too many"
        lines.append(f"No problem found{whole}.")
    return wrapped("\n".join(lines))


def _parser() -> Parser:
    parser = Parser(
        prog="noughts verify",
        description="Derive every value of a table again, and check that no position is missing.",
        usage="noughts verify DIR [GAME] [OPTIONS]",
        epilog=EXAMPLES,
    )
    parser.add_argument("directory", metavar="DIR", help="the folder of the table")
    parser.add_argument("game", nargs="?", metavar="GAME", help="the game (default: the one that the table names)")
    parser.add_argument("--sample", type=int, metavar="N", help="check only N positions, from random games")
    parser.add_argument("--seed", type=int, metavar="N", help="choose the same sample for the same number")
    parser.add_argument("--workers", type=int, metavar="N", help="how many processes (default: one a core)")
    parser.add_json()
    return parser
