"""`noughts openings`: which opening is best against opponents who make mistakes, as exact probabilities."""

import json
import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from noughts.capabilities import ResolvedGame, resolve
from noughts.cli.commands import Parser
from noughts.cli.count import heading
from noughts.cli.limits import check_limits, interruptible
from noughts.cli.terminal import live_line, wrapped
from noughts.errors import NoughtsError, shown
from noughts.notation import load, normalised, read_position
from noughts.search.limits import Limits
from noughts.statistics.openings import CLAIM, RANDOM, Measure, Openings, claim_holds, described, luck, openings
from noughts.wire import statistics as wire
from noughts.words.values import either

__all__ = ["run"]

EXAMPLES = """\
examples:
  noughts openings tic-tac-toe
  noughts openings tic-tac-toe 5 --errs 0.3
  noughts openings nim:3,4,5 --json

An error is a move that gives away a win or a draw. A perfect player chooses at random among
the best moves. "By luck" is its share of wins if it always chooses the unluckiest of them, and if it always chooses the
luckiest.
"""

CLAIMED = "{} best, {} second, {} weakest".format(*CLAIM)


def run(argv: Sequence[str]) -> int:
    """Compute the chances of each opening, print them, and return the exit code."""
    args = _parser().parse_args(argv)
    check_limits(args, "seconds", "positions")
    rate = _rate(args.errs)
    game = resolve(load(args.game))
    position = read_position(game, " ".join(args.position))
    found = None
    if not game.terminal(position.state):
        with interruptible() as cancelled, live_line() as show:
            show("weighing every position")
            limits = Limits(args.positions, args.seconds or None, cancelled)
            found = openings(game, position.state, rates=(rate,), limits=limits).strongest_first()
    facts = wire.openings(normalised(args.game), position, game, found)
    title = heading(game, args.game, position)
    if args.json:
        print(json.dumps(facts))
    elif found is None:
        ended = facts["result"]
        assert ended is not None
        by = f" by {ended['margin']}" if ended["margin"] > 1 else ""
        who = "a draw" if ended["winner"] is None else f"{ended['winner']} has won{by}"
        print(f"{title}\n\nThe game is over: {who}. There is no move left to compare.")
    else:
        print(_report(game, title, found))
    return 0


def _rate(word: str) -> Fraction:
    # Exponents are refused: 1e-999999 would make a fraction that fills the memory.
    plain = len(word) <= 20 and re.fullmatch(r"[0-9]*\.?[0-9]+|[0-9]+/0*[1-9][0-9]*", word)
    if not plain or Fraction(word) > 1:
        raise NoughtsError(f"--errs must be a number from 0 to 1, such as 0.1 or 1/3, not {shown(word)}")
    return Fraction(word)


def _players(game: ResolvedGame[Any, Any], found: Openings[Any]) -> tuple[str, str]:
    """Return the names of the player to move and of the opponent."""
    return game.player_name(found.player), game.player_name(-found.player)


# The printed report.


def _report(game: ResolvedGame[Any, Any], title: str, found: Openings[Any]) -> str:
    own, other = _players(game, found)
    name = game.action_name
    labels = [" ".join(map(name, each.actions)) for each in found.openings]
    lines = [title, "", wrapped(_first_sentence(game, found))]
    for measure in found.measures:
        lines += ["", f"{described(measure, own, other)}:", *_table(found, measure, labels)]
        holds = claim_holds(game.game, found, measure)
        if holds is not None:
            lines.append(f'  "{CLAIMED}" {"holds" if holds else "does not hold"}')
    replies = [
        f"after {label}, {each.safe} of {each.replies}"
        for label, each in zip(labels, found.openings, strict=True)
        if each.replies
    ]
    if replies:
        lines += ["", wrapped(f"Replies that give nothing away: {'; '.join(replies)}.")]
    return "\n".join(lines)


def _first_sentence(game: ResolvedGame[Any, Any], found: Openings[Any]) -> str:
    own, _ = _players(game, found)
    measure = Measure(True, RANDOM)
    most = found.openings[0].chances[measure].win
    actions = [
        game.action_name(action)
        for each in found.openings
        if each.chances[measure].win == most
        for action in each.actions
    ]
    holds = {measure: claim_holds(game.game, found, measure) for measure in found.measures}
    share = "every game" if most == 1 else f"{_decimal(most)} of the games"
    said = f"Against a random opponent, {own} wins most often with {either(actions)}: {share}."
    if None in holds.values():
        return said
    by = f"by {sum(map(bool, holds.values()))} of these {len(holds)} measures"
    return f'{said}\nThat the openings go "{CLAIMED}" holds {by}.'


def _table(found: Openings[Any], measure: Measure, labels: Sequence[str]) -> list[str]:
    rows: list[tuple[str, ...]] = [
        ("opening", "wins", "draws", "loses", "wins exactly", "by luck" if measure.perfect else "")
    ]
    every = [(label, each.chances) for label, each in zip(labels, found.openings, strict=True)]
    every.sort(key=lambda each: each[1][measure], reverse=True)
    every.append(("any best" if measure.perfect else "any", found.before))
    for label, by_measure in every:
        fared = by_measure[measure]
        lucky = " to ".join(map(str, luck(by_measure, measure)))
        rows.append((label, *map(_decimal, fared), str(fared.win), lucky))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]


def _decimal(chance: Fraction) -> str:
    """Return a chance with four digits. Only certainty is written as 1, and only impossibility as 0.

    >>> _decimal(Fraction(1)), _decimal(Fraction(1, 3)), _decimal(Fraction(99999, 100000)), _decimal(Fraction(0))
    ('1', '0.3333', '0.9999', '0')
    """
    if chance in (0, 1):
        return str(chance)
    return f"{min(max(float(chance), 0.0001), 0.9999):.4f}"


def _parser() -> Parser:
    parser = Parser(
        prog="noughts openings",
        description="Compare the openings against opponents who make mistakes, with exact chances.",
        usage="noughts openings GAME [POSITION] [OPTIONS]",
        epilog=EXAMPLES,
    )
    parser.add_position()
    parser.add_argument("--errs", default="0.1", metavar="P", help="how often an opponent errs, 0 to 1 (default: 0.1)")
    parser.add_seconds(30.0)
    parser.add_argument(
        "--positions",
        type=int,
        default=200_000,
        metavar="N",
        help="visit at most N positions, up to symmetry (default: 200,000)",
    )
    parser.add_json()
    return parser
