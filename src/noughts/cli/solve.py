"""`noughts solve`: value every position of a game, and keep the answers in a table."""

import json
import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter

from noughts.capabilities import resolve
from noughts.cli.commands import Parser
from noughts.cli.limits import interruptible
from noughts.cli.output import output_file
from noughts.cli.terminal import live_line, wrapped
from noughts.errors import NoughtsError, counted, shown
from noughts.notation import is_path, load, normalised
from noughts.solving.driver import Progress
from noughts.solving.room import read_size
from noughts.solving.solve import Stopped, solve
from noughts.solving.summary import Solved
from noughts.wire import solving as wire

__all__ = ["run"]

EXAMPLES = """\
examples:
  noughts solve tic-tac-toe
  noughts solve connect:5x4 -o connect-5x4.table --plot connect.svg
  noughts solve ./mygame.py --workers 4
  noughts solve connect:6x5 -o /shared/connect-6x5.table --engine ray --address auto

The table is a folder. Ctrl-C, a power cut or a full disk lose nothing: the same command goes on from there.
"""


def run(argv: Sequence[str]) -> int:
    """Solve a game, print what was found, and return the exit code."""
    args = _parser().parse_args(argv)
    ending = Path(args.plot or "").suffix
    if ending.lower() not in ("", ".svg"):
        raise NoughtsError(f"cannot write {shown(ending)}: a plot is SVG; end the name in .svg")
    if args.workers is not None and args.workers < 1:
        raise NoughtsError("--workers must be 1 or more")
    if args.address is not None and args.engine != "ray":
        raise NoughtsError("--address is for --engine ray")
    game, notation = load(args.game), normalised(args.game)
    directory = args.output or _folder_for(notation)
    with ExitStack() as stack:
        write_plot = None if args.plot is None else stack.enter_context(output_file(args.plot))
        cancelled = stack.enter_context(interruptible())
        show = stack.enter_context(live_line())
        try:
            found = solve(
                game,
                directory,
                notation=os.path.abspath(notation) if is_path(notation) else notation,
                engine=args.engine,
                workers=args.workers,
                memory=None if args.memory is None else read_size(args.memory),
                address=args.address,
                progress=_teller(show),
                cancelled=cancelled,
            )
        except Stopped as stopped:
            show("")
            raise NoughtsError(f"{stopped}; the same command goes on from there") from None
        if write_plot is not None:
            from noughts.statistics.plot_solved import plot_solved

            write_plot(plot_solved(found, resolve(game).display_title))
    if args.json:
        print(json.dumps(wire.solved(found)))
    else:
        print(_report(found, resolve(game).display_title))
    return 0


def _folder_for(notation: str) -> str:
    """Return the folder of a game's table, beside the user.

    >>> _folder_for("connect:5x4"), _folder_for("../mygame.py")
    ('connect-5x4.table', 'mygame.table')
    """
    name = Path(notation).stem if is_path(notation) else notation
    return "".join(sign if sign.isalnum() or sign in "-_" else "-" for sign in name) + ".table"


def _teller(show: Callable[[str], None]) -> Callable[[Progress], None]:
    """Return a function that shows progress on the live line: tier, positions, how fast, and how long it will take."""
    started, phase = perf_counter(), ""

    def tell(progress: Progress) -> None:
        nonlocal started, phase
        if progress.phase != phase:
            started, phase = perf_counter(), progress.phase
        rate = progress.done / max(1e-3, perf_counter() - started)
        text = f"{phase} positions, tier {progress.tier}: {progress.done:,}"
        if progress.total is not None:
            share = progress.done / max(1, progress.total)
            bar = "#" * int(20 * share)
            left = (progress.total - progress.done) / max(rate, 1e-9)
            text = f"{text} of {progress.total:,} [{bar:20}] {told_time(left)} left"
        show(f"{text}, {rate:,.0f} a second")

    return tell


def told_time(seconds: float) -> str:
    """Return a time in words, as short as it can be.

    >>> told_time(7.4), told_time(150), told_time(8000)
    ('7 s', '2 min 30 s', '2 h 13 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600:,} h {whole % 3600 // 60} min"


def _report(found: Solved, title: str) -> str:
    """Return what was found, in lines."""
    rows: list[tuple[str, ...]] = [("tier", "positions", "wins", "draws", "losses", "stored", "longest win")]
    rows += [
        (
            str(each.tier),
            *map(_number, (each.positions, each.wins, each.draws, each.losses, each.stored, each.longest)),
        )
        for each in found.tiers
    ]
    total = [_number(sum(getattr(each, name) or 0 for each in found.tiers)) for name in ("wins", "draws", "losses")]
    if found.positions is None:
        total = ["", "", ""]
    rows.append(("all", _number(found.positions), *total, _number(found.stored), _number(found.longest)))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    table = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    distance = "" if found.distance is None else f" in {counted(found.distance, 'ply')}"
    lines = [
        f"{title}: a {found.value} for the player who begins{distance}.",
        f"{found.directory}: {counted(found.stored, 'position')} stored, {found.bytes:,} bytes; {found.seconds:.1f} s.",
    ]
    return "\n".join([*table, "", *map(wrapped, lines)])


def _number(value: int | None) -> str:
    return "" if value is None else f"{value:,}"


def _parser() -> Parser:
    parser = Parser(
        prog="noughts solve",
        description="Value every position of a game, and keep the answers in a table.",
        usage="noughts solve GAME [OPTIONS]",
        epilog=EXAMPLES,
    )
    parser.add_argument("game", metavar="GAME", help="a game's name, or a path such as ./mygame.py")
    parser.add_argument("-o", "--output", metavar="DIR", help="the folder of the table (default: the game's name)")
    parser.add_argument("--workers", type=int, metavar="N", help="how many processes work (default: one a processor)")
    parser.add_argument("--memory", metavar="SIZE", help="let all processes together take no more than SIZE, as in 2G")
    parser.add_argument(
        "--engine",
        choices=("processes", "local", "ray"),
        default="processes",
        help="what runs the work: several processes, this one alone, or Ray (default: processes)",
    )
    parser.add_argument(
        "--address", metavar="ADDRESS", help="join the Ray cluster there: auto, host:port or ray://host:port"
    )
    parser.add_argument("--plot", metavar="FILE.svg", help="also draw positions by tier, as SVG")
    parser.add_json()
    return parser
