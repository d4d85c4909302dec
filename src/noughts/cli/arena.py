"""`noughts arena`: tournaments of computer players, with the statistics of tournament tools."""

import json
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from fractions import Fraction
from functools import partial
from math import isinf
from pathlib import Path
from time import perf_counter

from noughts.arena.exact import Chances, ExactTournament, exact_tournament
from noughts.arena.statistics import Interval, Sprt, Tally
from noughts.arena.tournament import Pairing, Tournament, tournament
from noughts.capabilities import resolve
from noughts.cli.commands import Parser
from noughts.cli.limits import check_limits, interruptible
from noughts.cli.output import output_file
from noughts.cli.records import append, check_appendable
from noughts.cli.terminal import complain, live_line, wrapped
from noughts.errors import NoughtsError, counted, shown
from noughts.notation import load
from noughts.players import COMPUTERS
from noughts.search.limits import Limits
from noughts.wire import arena as wire

__all__ = ["run"]

THINK = 1.0
"""Seconds for a move, unless somebody sets another time."""

MOST_DIGITS = 24
"""A longer fraction is shown as a decimal number only; --json has it in full."""

EXAMPLES = (
    """\
examples:
  noughts arena perfect random
  noughts arena perfect rules random --games 400 --jobs 2
  noughts arena rules random --game connect-four --seed 7 --save games.txt --plot scores.svg
  noughts arena perfect rules --sprt 0,50
  noughts arena perfect random --exact

Both games of a pair begin with the same random opening, with the seats swapped. The same seed gives the same games,
with any number of processes, as long as no player runs out of time. Ctrl-C ends the tournament, and gives what was
played.

players: """
    + ", ".join(COMPUTERS)
    + "\n"
)


def run(argv: Sequence[str]) -> int:
    """Play a tournament, print its results, and return the exit code."""
    args = _parser().parse_args(_joined(argv))
    check_limits(args, "think", "nodes", "games", "jobs")
    if args.opening_moves is not None and args.opening_moves < 0:
        raise NoughtsError("--opening-moves must be 0 or more")
    ending = Path(args.plot or "").suffix
    if ending.lower() not in ("", ".svg"):
        raise NoughtsError(f"cannot write {shown(ending)}: a plot is SVG; end the name in .svg")
    if len(args.players) < 2:
        raise NoughtsError("a tournament needs two players or more; the same player may be named twice")
    return _exact(args) if args.exact else _played(args)


def _exact(args: Namespace) -> int:
    """Work out exact chances, and print them."""
    for option in ("games", "jobs", "plot", "save", "sprt"):
        if getattr(args, option) is not None:
            raise NoughtsError(f"--{option} does not go with --exact, which plays no games")
    title = resolve(load(args.game)).display_title
    with interruptible() as cancelled:
        limits = Limits(args.nodes, args.think or None, cancelled)
        found = exact_tournament(args.game, args.players, opening_moves=args.opening_moves or 0, limits=limits)
    print(json.dumps(wire.exact_tournament(found)) if args.json else "\n".join(_told_exactly(found, title)))
    return 0


def _played(args: Namespace) -> int:
    """Play the games, and print the results."""
    check_appendable(args.save)
    sprt = None if args.sprt is None else _sprt(args.sprt)
    title = resolve(load(args.game)).display_title
    if args.games is not None and args.games % 2:
        complain(f"an opening is played twice, so these are {args.games + 1} games for each two players")
    with ExitStack() as stack:
        write_plot = None if args.plot is None else stack.enter_context(output_file(args.plot))
        cancelled = stack.enter_context(interruptible())
        show = stack.enter_context(live_line())
        show(f"{args.game}: getting ready")
        found = tournament(
            args.game,
            args.players,
            games=args.games,
            seed=args.seed,
            opening_moves=args.opening_moves,
            limits=Limits(args.nodes, args.think or None, cancelled),
            jobs=args.jobs or 1,
            sprt=sprt,
            progress=_teller(show),
            keep=None if args.save is None else partial(append, args.save),
        )
        if not found.played:
            raise NoughtsError("stopped before any two games were played")
        if write_plot is not None:
            from noughts.arena.plot import plot_scores

            write_plot(plot_scores(found, title))
    print(json.dumps(wire.tournament(found)) if args.json else "\n".join(_told(found, title)))
    return 0


def _joined(argv: Sequence[str]) -> list[str]:
    """Return the arguments with the value of --sprt joined to it, since `-5,0` looks like an option.

    >>> _joined(["random", "--sprt", "-5,0"])
    ['random', '--sprt=-5,0']
    """
    found = list(argv)
    if "--sprt" in found[:-1]:
        place = found.index("--sprt")
        found[place : place + 2] = [f"--sprt={found[place + 1]}"]
    return found


def _sprt(typed: str) -> Sprt:
    """Return the test that was typed as `elo0,elo1`."""
    try:
        low, high = map(float, typed.split(","))
    except ValueError:
        raise NoughtsError(f"--sprt needs two differences in Elo, as in --sprt 0,10, not {shown(typed)}") from None
    test = Sprt(low, high)
    test.check()
    return test


def _teller(show: Callable[[str], None]) -> Callable[[Tournament], None]:
    """Return a function that shows progress on the live line."""
    started = perf_counter()

    def tell(found: Tournament) -> None:
        total = found.games * len(found.pairings)
        rate = found.played / max(1e-3, perf_counter() - started)
        bar = "#" * int(20 * found.played / total)
        leader = found.standings[0]
        show(
            f"{found.played:,} of {total:,} games [{bar:20}] {rate:,.1f} a second, "
            f"{leader.player} leads with {100 * leader.tally.mean:.1f} %"
        )

    return tell


# The report.


def _told(found: Tournament, title: str) -> Iterator[str]:
    """Yield the lines of the report."""
    moves = found.setting.opening_moves
    begin = f"after {counted(moves, 'random move')}" if moves else "from the start"
    yield wrapped(f"{title}: {counted(found.played, 'game')}, {begin}, seed {found.setting.seed}.")
    if not found.complete:
        yield wrapped(f"It was stopped: {found.games * len(found.pairings):,} games were to be played.")
    yield ""
    rows: list[tuple[str, ...]] = [("player", "games", "wins", "draws", "losses", "score", "95 %", "Elo", "95 %")]
    for each in found.standings:
        if each.tally.games:
            tally, score = each.tally, each.tally.score
            counts = (f"{number:,}" for number in (tally.games, tally.wins, tally.draws, tally.losses))
            wide = f"{100 * score.low:.1f} to {100 * score.high:.1f}"
            rows.append((each.player, *counts, f"{100 * score.value:.1f} %", wide, *_elo(tally.elo)))
    yield from _aligned(rows)
    for pairing in found.pairings:
        if pairing.tally.games:
            yield from _told_pairing(pairing)
    if found.sprt is not None:
        yield from _told_test(found.sprt, found.pairings[0])
    for player, caveat in found.caveats.items():
        yield wrapped(f"\n{player} fell short of its description in some moves: {caveat}.")
    for player, reasons in found.failures.items():
        yield wrapped(f"\n{player} lost {counted(len(reasons), 'game')} by a failure; the first time: {reasons[0]}.")


def _told_pairing(pairing: Pairing) -> Iterator[str]:
    """Yield the lines about two players."""
    tally, begun, replied = pairing.tally, pairing.begun, pairing.replied
    elo, ratio = _elo(tally.elo), tally.pair_ratio
    normalised = ""
    if tally.normalised_elo is not None:
        value, wide = _elo(tally.normalised_elo)
        normalised = f", normalised {value} ({wide})"
    yield ""
    yield f"{pairing.one} against {pairing.other}"
    yield wrapped(f"  moving first  {_results(begun)}; moving second: {_results(replied)}")
    yield f"  Elo           {elo[0]} ({elo[1]}){normalised}"
    yield f"  superiority   {100 * tally.superiority:.2f} % likely"
    told = "" if ratio is None else f"; {'none lost' if isinf(ratio) else f'{ratio:.2f} won for each lost'}"
    yield f"  pairs         {' '.join(map(str, tally.pairs))} of 0, 0.5, 1, 1.5, 2 points{told}"


def _results(tally: Tally) -> str:
    return f"{counted(tally.wins, 'win')}, {counted(tally.draws, 'draw')}, {tally.losses:,} lost"


def _told_test(test: Sprt, pairing: Pairing) -> Iterator[str]:
    low, high = test.bounds
    decision = test.decision(pairing.tally.pairs)
    said = {
        "elo0": f"accepted: the difference is {test.elo0:g} Elo rather than {test.elo1:g}",
        "elo1": f"accepted: the difference is {test.elo1:g} Elo rather than {test.elo0:g}",
        None: "not decided",
    }[decision]
    ratio = test.ratio(pairing.tally.pairs)
    yield f"  sequential    {ratio:+.2f} between {low:.2f} and {high:.2f} (log-likelihood ratio of pairs)"
    yield f"  test          {said}"


def _elo(interval: Interval) -> tuple[str, str]:
    """Return an estimate in Elo, and its interval.

    >>> _elo(Interval(151.3, 97.8, float("inf")))
    ('+151', '+98 to +inf')
    """
    value, low, high = (f"{each:+.0f}" for each in interval)
    return value, f"{low} to {high}"


def _told_exactly(found: ExactTournament, title: str) -> Iterator[str]:
    """Yield the lines of exact chances."""
    begin = f"after {counted(found.opening_moves, 'random move')}" if found.opening_moves else "from the start"
    yield f"{title}, {begin}: exact chances."
    yield ""
    rows: list[tuple[str, ...]] = [("first", "second", "first wins", "", "draw", "", "second wins", "")]
    for each in found.pairings:
        for first, second, chances in (
            (each.one, each.other, each.begun),
            (each.other, each.one, each.replied.reversed),
        ):
            rows.append((first, second, *_fractions(chances)))
    yield from _aligned(list(dict.fromkeys(rows)), words=2)
    yield ""
    scores: list[tuple[str, ...]] = [("player", "score", "")]
    scores += [(player, *_fraction(score)) for player, score in found.standings]
    yield from _aligned(scores)


def _fractions(chances: Chances) -> list[str]:
    return [word for chance in chances for word in _fraction(chance)]


def _fraction(value: Fraction) -> tuple[str, str]:
    """Return a fraction, and the same in percent; `...` if it is too long.

    >>> _fraction(Fraction(737, 1260)), _fraction(Fraction(1, 10**30 + 1))[0]
    (('737/1260', '58.49 %'), '...')
    """
    told = str(value)
    return told if len(told) <= MOST_DIGITS else "...", f"{100 * float(value):.2f} %"


def _aligned(rows: Sequence[tuple[str, ...]], words: int = 1) -> Iterator[str]:
    """Yield the rows of a table, the first so many columns aligned to the left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = zip(row, widths, strict=True)
        yield "  ".join(
            cell.ljust(width) if place < words else cell.rjust(width) for place, (cell, width) in enumerate(cells)
        ).rstrip()


def _parser() -> Parser:
    parser = Parser(
        prog="noughts arena",
        description="Have computer players play against each other, and say how strong they are.",
        usage="noughts arena PLAYER PLAYER [PLAYER ...] [OPTIONS]",
        epilog=EXAMPLES,
    )
    parser.add_argument("players", nargs="*", metavar="PLAYER", help="a computer player; everybody plays everybody")
    parser.add_argument(
        "--game", default="tic-tac-toe", metavar="GAME", help="a game's name, or a path (default: tic-tac-toe)"
    )
    parser.add_argument("--games", type=int, metavar="N", help="how many games each two play (default: 100)")
    parser.add_argument(
        "--opening-moves", type=int, metavar="N", help="begin after N random moves (default: by the length of the game)"
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="another number gives other games (default: 0)"
    )
    parser.add_argument(
        "--think",
        type=float,
        default=THINK,
        metavar="S",
        help=f"how long a player may think about a move (default: {THINK:g}; 0: no limit)",
    )
    parser.add_argument("--nodes", type=int, metavar="N", help="a move may take no more than N nodes of a search")
    parser.add_argument("--jobs", type=int, metavar="N", help="how many processes play (default: 1)")
    parser.add_argument(
        "--sprt", metavar="ELO0,ELO1", help="stop as soon as it is clear which difference in Elo is nearer"
    )
    parser.add_argument("--exact", action="store_true", help="work out the chances instead, for small games")
    parser.add_argument("--save", metavar="FILE", help="add each game to this file")
    parser.add_argument("--plot", metavar="FILE.svg", help="also draw the scores, as SVG")
    parser.add_json()
    return parser
