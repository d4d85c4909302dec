"""`noughts analyse`: what a position is worth, and what each action leads to."""

import json
import shlex
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from noughts.capabilities import ResolvedGame, resolve
from noughts.cli.commands import Parser
from noughts.cli.limits import STOPS, check_limits, interruptible
from noughts.cli.records import recorded
from noughts.cli.terminal import drawn, live_line, wrapped
from noughts.compiled.build import available
from noughts.engine import Engine
from noughts.errors import NoughtsError, counted, shown, suggest
from noughts.notation import load, normalised, read_position
from noughts.search.alphabeta import Wanted
from noughts.search.answer import Answer
from noughts.search.deepening import Progress, deepening
from noughts.search.drivers import Options, alphabeta
from noughts.search.limits import Limits
from noughts.search.mcts import mcts
from noughts.search.minimax import minimax
from noughts.search.mtd import mtd
from noughts.search.proof import proof
from noughts.sources.kernel import INSTALL
from noughts.sources.native import native_search
from noughts.wire.answers import analysis
from noughts.words.values import bounded_by, leads_to, listed_rows, sentence

__all__ = ["could_be_faster", "run"]

SECONDS, VALUE_SECONDS = 30, 120
"""Limits of time unless somebody sets one; the value alone is given longer, since people wait for a proof."""

MOST_OF_LINE = 100
"""How many moves of the line are printed."""

METHODS = ("auto", "minimax", "alphabeta", "deepening", "mtd", "proof", "mcts", "kernel")

EXAMPLES = """\
examples:
  noughts analyse tic-tac-toe 5 1 3
  noughts analyse connect-four 4453 --seconds 10
  noughts analyse connect-four --value
  noughts analyse mnk:4,4,4 --method mtd --json
  noughts analyse --from games.txt --game-number 2

methods: minimax, alphabeta, deepening, mtd, proof, mcts, kernel (native speed, for built-in games and games that
bring rules for it), and auto: a table, the opening book or the theory of the game if there is one, memo where
positions are few, else the kernel, else alphabeta or deepening

Ctrl-C ends the search and gives what is known by then.
"""


def run(argv: Sequence[str]) -> int:
    """Analyse a position, print the answer, and return the exit code."""
    parser = _parser()
    args = parser.parse_args(argv)
    if args.game is None and args.file is None:
        parser.error("the following arguments are required: GAME")
    if args.method not in METHODS:
        hint = suggest(args.method, METHODS) or f"; there are: {', '.join(METHODS)}"
        raise NoughtsError(f"there is no method {shown(args.method)}{hint}")
    check_limits(args, "depth", "nodes", "seconds", "table_mib", "threads")
    if args.depth is not None and args.method in ("minimax", "proof", "mcts", "kernel"):
        raise NoughtsError(f"--depth does not go with {args.method}; it does with alphabeta, deepening and mtd")
    if args.table is not None and args.method != "auto":
        raise NoughtsError(f"--table does not go with --method {args.method}, which searches; leave one of them out")
    if args.seconds is None:
        args.seconds = VALUE_SECONDS if args.value else SECONDS
    found = recorded(args)
    if found is None:
        game = resolve(load(args.game))
        position = read_position(game, " ".join(args.position))
    else:
        game = resolve(found.game)
        position = found.record.replayed(game)
        args.game, args.position = found.notation, [position.text(game.action_name)]
    with interruptible() as cancelled:
        limits = Limits(args.nodes, args.seconds or None, cancelled, args.depth)
        answer = _search(args, game, position.state, limits)
    if args.json:
        facts = analysis(normalised(args.game), position, game, answer)
        print(json.dumps({**facts, "peak_mib": peak_mib()}))
    else:
        print(_report(game, position.state, answer))
        for advice in _advice(args, game, answer):
            print(advice, file=sys.stderr)
    return 0


def _advice(args: Namespace, game: ResolvedGame[Any, Any], answer: Answer[Any]) -> Iterator[str]:
    """Yield what to type to learn more, where nothing was proven."""
    if answer.proven:
        return
    if could_be_faster(game):
        yield f"This game has a kernel, which searches it much faster: {INSTALL}"
    if answer.stopped == "deadline":
        words = ["noughts", "analyse", args.game, *args.position]
        method = "" if args.method == "auto" else f" --method {args.method}"
        yield f"To search for as long as it takes: {shlex.join(words)} --value{method} --seconds 0"


def could_be_faster(game: ResolvedGame[Any, Any]) -> bool:
    """Return whether the game has a kernel that cannot run, since numba is not installed."""
    return game.kernel() is not None and not available()


def peak_mib() -> int | None:
    """Return the most memory that the process has taken, where the system tells."""
    try:
        import resource
    except ImportError:  # not on this system
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / (2**20 if sys.platform == "darwin" else 2**10))


def _search(args: Namespace, game: ResolvedGame[Any, Any], state: Any, limits: Limits) -> Answer[Any]:
    options = Options(table_mib=args.table_mib)
    wanted: Wanted = "one" if args.value else "all"
    with live_line() as show:

        def progress(so_far: Progress) -> None:
            speed = so_far.nodes / max(so_far.seconds, 1e-9)
            found = f"so far {' '.join(so_far.line[:12])}"
            if so_far.window:
                worst, best = (leads_to(value, distance) for value, distance in so_far.window)
                found = f"{' '.join([*so_far.line, 'between'])} {worst} and {best}"
            show(f"depth {so_far.depth}, {so_far.nodes:,} nodes, {speed:,.0f} nodes/s, {found}")

        if args.method == "auto":
            engine = Engine(game, table_mib=args.table_mib, threads=args.threads, table=args.table)
            return engine.ask(state, limits, wanted, progress)
        if args.method == "kernel":
            return native_search(game, args.table_mib, args.threads).ask(state, limits, wanted, progress)
        searches: dict[str, Callable[[], Answer[Any]]] = {
            "minimax": partial(minimax, game, state, limits=limits),
            "alphabeta": partial(alphabeta, game, state, limits=limits, options=options, wanted=wanted),
            "deepening": partial(
                deepening, game, state, limits=limits, options=options, wanted=wanted, progress=progress
            ),
            "mtd": partial(mtd, game, state, limits=limits, options=options, wanted=wanted),
            "proof": partial(proof, game, state, limits=limits, table_mib=args.table_mib),
            "mcts": partial(mcts, game, state, limits=limits),
        }
        return searches[args.method]()


def _report(game: ResolvedGame[Any, Any], state: Any, answer: Answer[Any]) -> str:
    lines = [drawn(game, state), "", wrapped(sentence(game.mover_name(state), answer, game.action_name))]
    if answer.actions:
        rows = []
        for each in answer.actions:
            star = "*" if each.action in answer.best else " "
            rows.append((f"{star} {game.action_name(each.action)}", bounded_by(each)))
        width = max(len(name) for name, _ in rows)
        listed, others = listed_rows(rows)
        lines += ["", *(f"{name.ljust(width)}  {said}" for name, said in listed), *([others] if others else [])]
    if answer.line:
        names = [game.action_name(action) for action in answer.line[:MOST_OF_LINE]]
        more = ["..."]
        if len(names) == len(answer.line):
            more = [] if answer.line_complete else ["... and so on for ever"] if answer.endless else more
        lines += ["", wrapped(f"line: {' '.join([*names, *more])}")]
    looked = "to the end" if answer.depth is None else f"{counted(answer.depth, 'ply')} ahead"
    if answer.method in ("proof", "mcts") or (answer.value == "unknown" and not answer.depth):
        looked = "done" if answer.stopped == "done" else "not finished"
    peak = peak_mib()
    lines.append(
        wrapped(
            f"{answer.method}: {looked}, {counted(answer.nodes, 'node')}, {answer.seconds:.2f} s"
            + ("" if peak is None else f", {peak:,} MiB of memory")
            + ("" if answer.stopped == "done" else f", stopped by {STOPS[answer.stopped]}")
        )
    )
    return "\n".join(lines)


def _parser() -> Parser:
    parser = Parser(
        prog="noughts analyse",
        description="Say what a position is worth, and what each action leads to.",
        usage="noughts analyse GAME [POSITION] [OPTIONS]\n       noughts analyse --from FILE [OPTIONS]",
        epilog=EXAMPLES,
    )
    parser.add_position(or_from=True)
    parser.add_from()
    parser.add_argument("--method", default="auto", metavar="METHOD", help="how to search (default: auto)")
    parser.add_argument("--depth", type=int, metavar="N", help="look no more than N plies ahead")
    parser.add_argument("--nodes", type=int, metavar="N", help="visit no more than N nodes")
    parser.add_argument("--value", action="store_true", help="only the value and one best move, which is quicker")
    parser.add_argument(
        "--seconds",
        type=float,
        metavar="S",
        help=f"take no longer than about S seconds (default: {SECONDS}, with --value {VALUE_SECONDS}; 0: no limit)",
    )
    parser.add_argument(
        "--table-mib", type=float, default=64, metavar="M", help="size of the transposition table (default: 64)"
    )
    parser.add_argument("--threads", type=int, metavar="N", help="how many threads a kernel uses (default: one a core)")
    parser.add_table()
    parser.add_json()
    return parser
