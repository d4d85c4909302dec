"""`noughts count`: how large a game is, ply by ply, and how many nodes each search visits."""

import json
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from time import perf_counter
from typing import Any

from noughts.capabilities import ResolvedGame, resolve
from noughts.cli.commands import Parser
from noughts.cli.limits import STOPS, check_limits, interruptible
from noughts.cli.output import output_file
from noughts.cli.terminal import live_line, wrapped
from noughts.errors import NoughtsError, counted, shown
from noughts.notation import Position, load, normalised, read_position
from noughts.search.limits import Limits
from noughts.statistics.counts import Counts, SearchCount, count, nodes_past_wins, search_counts
from noughts.wire import statistics as wire

__all__ = ["heading", "run"]

EXAMPLES = """\
examples:
  noughts count tic-tac-toe
  noughts count tic-tac-toe 5 1
  noughts count connect:4x4 --plot connect.svg

A count that is stopped, also by Ctrl-C, reports whole plies only; the rest is not estimated.
"""


def run(argv: Sequence[str]) -> int:
    """Count the tree below a position, print the counts, and return the exit code."""
    args = _parser().parse_args(argv)
    check_limits(args, "seconds", "positions", "nodes")
    ending = Path(args.plot or "").suffix
    if ending.lower() not in ("", ".svg"):
        raise NoughtsError(f"cannot write {shown(args.plot, 60)}: a plot is SVG; end the name in .svg")
    game = resolve(load(args.game))
    position = read_position(game, " ".join(args.position))
    state = position.state
    title = heading(game, args.game, position)
    with nullcontext() if args.plot is None else output_file(args.plot) as write_plot:
        counts, searches = _count(game, state, args.seconds, args.positions, args.nodes)
        past_wins = nodes_past_wins(game.game, state)
        if write_plot is not None:
            from noughts.statistics.plot import plot

            write_plot(plot(counts, title))
    if args.json:
        print(json.dumps(wire.counts(normalised(args.game), position, game, counts, past_wins, searches)))
    else:
        print(_report(game, title, counts, past_wins, searches))
    return 0


def heading(game: ResolvedGame[Any, Any], notation: str, position: Position[Any, Any]) -> str:
    """Return a heading with the game and the position."""
    text = position.text(game.action_name)
    where = f"after {text}" if text else "from the start"
    return f"{game.title or notation}, {' '.join(where.split())}"


def _count(
    game: ResolvedGame[Any, Any], state: Any, seconds: float, positions: int, nodes: int
) -> tuple[Counts, list[SearchCount]]:
    started = perf_counter()
    with interruptible() as cancelled, live_line() as show:
        counts = count(
            game,
            state,
            limits=Limits(positions, seconds / 2 or None, cancelled),  # the other half is for the searches
            progress=lambda ply, taken: show(f"ply {ply}, {counted(taken, 'position')}"),
        )
        left = max(0.0, seconds - (perf_counter() - started)) if seconds else None
        searches = []
        show("comparing searches")
        for each in search_counts(game, state, counts=counts, limits=Limits(nodes, left, cancelled)):
            searches.append(each)
            show(f"{each.search}: {counted(each.nodes, 'node')}")
    return counts, searches


def _report(
    game: ResolvedGame[Any, Any], title: str, counts: Counts, past_wins: int | None, searches: list[SearchCount]
) -> str:
    rows: list[tuple[str, ...]] = [("ply", "nodes", "positions", "up to symmetry", "games")]
    rows += [
        (str(each.ply), *(_number(value) for value in (each.nodes, each.positions, each.classes, each.games)))
        for each in counts.plies
    ]
    totals = (counts.nodes, counts.positions, counts.classes, counts.games)
    rows.append(("all" if counts.complete else "so far", *map(_number, totals)))
    lines = [title, "", *_aligned([row[:3] + row[4:] if counts.classes is None else row for row in rows]), ""]
    if not counts.complete:
        lines.append(wrapped(f"There is more: the count was stopped by {_stopped_by(counts)}."))
    if counts.games:
        lines.append(wrapped(_games(game, counts)))
    if past_wins is not None:
        lines.append(wrapped(f"If play went on past a completed line, there would be {counted(past_wins, 'node')}."))
    return "\n".join([*lines, "", "Nodes that a search visits to value the position:", *_compared(searches)])


def _stopped_by(counts: Counts) -> str:
    return "--positions" if counts.stopped == "node limit" else STOPS[counts.stopped]


def _games(game: ResolvedGame[Any, Any], counts: Counts) -> str:
    first, second = game.player_names
    won, lost, drawn = counts.results
    so_far = "" if counts.complete else " so far"
    are = "is" if drawn == 1 else "are"
    return f"Of the games{so_far}, {first} wins {won:,}, {second} wins {lost:,}, and {drawn:,} {are} drawn."


def _compared(searches: list[SearchCount]) -> list[str]:
    every = searches[0]
    rows = []
    for each in searches:
        done = each.stopped == "done"
        nodes = f"{each.nodes:,}" if done else f"more than {each.nodes:,}" if each.nodes else "not run"
        saved = every.nodes / each.nodes if done and every.stopped == "done" else 1
        fewer = f"  {_times(saved)} times fewer" if saved >= 1.1 else ""
        rows.append((each.search, nodes, fewer))
    names, widest = max(len(name) for name, _, _ in rows), max(len(nodes) for _, nodes, _ in rows)
    return [f"  {name.ljust(names)}  {nodes.rjust(widest)}{fewer}" for name, nodes, fewer in rows]


def _times(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 9.95 else f"{ratio:.1f}"


def _number(value: int | None) -> str:
    return "" if value is None else f"{value:,}"


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]


def _parser() -> Parser:
    parser = Parser(
        prog="noughts count",
        description="Count nodes, positions and games by ply, and what searches visit.",
        usage="noughts count GAME [POSITION] [OPTIONS]",
        epilog=EXAMPLES,
    )
    parser.add_position()
    parser.add_argument("--plot", metavar="FILE.svg", help="also draw the counts by ply, as SVG")
    parser.add_seconds(30.0)
    parser.add_argument(
        "--positions",
        type=int,
        default=2_000_000,
        metavar="N",
        help="count no more than N positions (default: 2,000,000)",
    )
    parser.add_argument(
        "--nodes",
        type=int,
        default=1_000_000,
        metavar="N",
        help="let no search visit more than N nodes (default: 1,000,000)",
    )
    parser.add_json()
    return parser
