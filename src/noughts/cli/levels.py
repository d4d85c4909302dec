"""`noughts levels`: how often players of each level err in a game, and how that was measured."""

import json
from collections.abc import Sequence

from noughts.capabilities import resolve
from noughts.cli.commands import Parser
from noughts.cli.limits import check_limits, interruptible
from noughts.cli.terminal import live_line, wrapped
from noughts.errors import NoughtsError
from noughts.notation import load, normalised
from noughts.players.calibration import SAMPLE, Calibration, calibrate
from noughts.search.limits import Limits, OutOfBudget
from noughts.wire.levels import levels as facts_of

__all__ = ["run"]

EXAMPLES = f"""\
examples:
  noughts levels tic-tac-toe
  noughts levels connect-four --sample {SAMPLE // 2}
  noughts levels reversi:6 --json

An error is a move that gives away a win or a draw. The probability of an error is computed for each position, and the
table shows the average. docs/players.md explains how the levels choose.
"""


def run(argv: Sequence[str]) -> int:
    """Measure the levels, print a table, and return the exit code."""
    args = _parser().parse_args(argv)
    check_limits(args, "seconds", "sample")
    game = resolve(load(args.game))
    with interruptible() as cancelled, live_line() as show:
        show("measuring the levels")
        try:
            limits = Limits(seconds=args.seconds or None, cancel=cancelled)
            found = calibrate(game, sample=args.sample, seed=args.seed, limits=limits)
        except OutOfBudget as out:
            if out.stopped == "cancelled":
                raise NoughtsError("stopped before the levels were measured") from None
            advice = "raise --seconds, or lower --sample"
            raise NoughtsError(f"it takes more than {args.seconds:g} seconds; {advice}") from None
    notation = normalised(args.game)
    print(json.dumps(facts_of(notation, found)) if args.json else report(game.display_title, found))
    return 0


def report(title: str, found: Calibration) -> str:
    """Return the table as text, and how it was measured."""
    rows: list[tuple[str, ...]] = [("level", "errs", "wins at once", "blocks")]
    rows += [(str(each.level), *map(_share, each[1:])) for each in found.rates]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    table = [
        "  " + "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]
    return "\n".join([title, "", *table, "", wrapped(_measured(found))])


def _measured(found: Calibration) -> str:
    if found.complete:
        which = f"all {found.positions:,} positions, symmetric ones counted once"
    else:
        which = f"a sample of {found.positions:,} positions from games of level 4, judged by a longer look ahead"
    return f"Measured on {which}; in {found.decisions:,} of them a player can err."


def _share(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"


def _parser() -> Parser:
    parser = Parser(
        prog="noughts levels",
        description="Show how often players of each level err.",
        usage="noughts levels GAME [OPTIONS]",
        epilog=EXAMPLES,
    )
    parser.add_argument("game", metavar="GAME", help="a game's name, or a path such as ./mygame.py")
    parser.add_argument(
        "--sample", type=int, default=SAMPLE, metavar="N", help=f"positions of a large game (default: {SAMPLE})"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="which sample is taken (default: 0)")
    parser.add_seconds(120.0)
    parser.add_json()
    return parser
