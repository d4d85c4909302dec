"""`noughts openings`: which opening is best against opponents who make mistakes, as exact probabilities."""

import json
import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from noughts.capabilities import resolve
from noughts.cli.analyse import interruptible
from noughts.cli.commands import Parser, check_limits
from noughts.cli.count import heading
from noughts.cli.terminal import live_line, wrapped
from noughts.errors import NoughtsError, shown
from noughts.game import MAX, Game
from noughts.notation import load, replay
from noughts.score import whole_utility
from noughts.search.limits import Limits
from noughts.statistics.openings import CLAIM, RANDOM, Chances, Measure, Openings, Opponent, claim_holds, openings
from noughts.words.values import either

__all__ = ["run"]

EXAMPLES = """\
examples:
  noughts openings tic-tac-toe
  noughts openings tic-tac-toe 5 --errs 0.3
  noughts openings nim:3,4,5 --json

An error is a move that gives away a win or a draw, as the players easy, medium and hard make them. A perfect player
chooses at random among the best moves. "By luck" is its share of wins if it always chooses the unluckiest of them, and
if it always chooses the luckiest.
"""

CLAIMED = "{} best, {} second, {} weakest".format(*CLAIM)


def run(argv: Sequence[str]) -> int:
    """Compute the chances of each opening, print them, and return the exit code."""
    args = _parser().parse_args(argv)
    check_limits(args, "seconds", "positions")
    rate = _rate(args.errs)
    game = load(args.game)
    position = " ".join(args.position)
    state = replay(game, position)
    if game.terminal(state):
        return _finished(game, args.game, position, state, args.json)
    with interruptible() as cancelled, live_line() as show:
        show("computing the chances of every position")
        limits = Limits(args.positions, args.seconds or None, cancelled)
        found = openings(game, state, rates=(rate,), limits=limits)
    found = _strongest_first(found)
    if args.json:
        print(json.dumps(_facts(args.game, position, game, found)))
    else:
        print(_report(game, heading(game, args.game, position), found))
    return 0


def _finished(game: Game[Any, Any], notation: str, position: str, state: Any, as_json: bool) -> int:
    """Print that the game is over, and who won; return the exit code."""
    utility = whole_utility(game.utility(state))
    first, second = resolve(game).player_names
    winner = None if utility == 0 else first if utility > 0 else second
    by = f" by {abs(utility)}" if abs(utility) > 1 else ""
    said = f"The game is over: {'a draw' if winner is None else f'{winner} has won{by}'}."
    if as_json:
        result = {"winner": winner, "margin": abs(utility), "sentence": said}
        facts: dict[str, Any] = {"to_move": None, "result": result, "measures": [], "safe_replies": []}
        print(json.dumps({"game": notation, "position": position, **facts}))
    else:
        print(f"{heading(game, notation, position)}\n\n{said} There is no move left to compare.")
    return 0


def _rate(word: str) -> Fraction:
    # Exponents are refused: 1e-999999 would make a fraction that fills the memory.
    plain = len(word) <= 20 and re.fullmatch(r"[0-9]*\.?[0-9]+|[0-9]+/0*[1-9][0-9]*", word)
    if not plain or Fraction(word) > 1:
        raise NoughtsError(f"--errs must be a number from 0 to 1, such as 0.1 or 1/3, not {shown(word)}")
    return Fraction(word)


def _strongest_first(found: Openings[Any]) -> Openings[Any]:
    measure = Measure(True, RANDOM)
    openings = sorted(found.openings, key=lambda each: each.chances[measure], reverse=True)
    return found._replace(openings=tuple(openings))


def _measures(found: Openings[Any]) -> list[Measure]:
    """Return the measures in which ties between best moves are random; the others are their bounds."""
    return [measure for measure in found.before if measure.tie_break == "chance"]


def _players(game: Game[Any, Any], found: Openings[Any]) -> tuple[str, str]:
    """Return the names of the player to move and of the opponent."""
    first, second = resolve(game).player_names
    return (first, second) if found.player == MAX else (second, first)


def _named(measure: Measure, own: str, other: str) -> str:
    """Return a description of who plays whom."""
    if not measure.perfect:
        return f"{own} at random, {other} at random"
    return f"{own} perfect, {_opponent(measure.opponent, other)}"


def _opponent(opponent: Opponent, name: str) -> str:
    if opponent == RANDOM:
        return f"{name} at random"
    share = f"{float(opponent.rate * 100):.4g}%"
    if opponent.wilful:
        return f"{name} errs in {share} of the moves where it can"
    return f"{name} plays {share} of its moves at random"


# The printed report.


def _report(game: Game[Any, Any], title: str, found: Openings[Any]) -> str:
    own, other = _players(game, found)
    name = resolve(game).action_name
    labels = [" ".join(map(name, each.actions)) for each in found.openings]
    lines = [title, "", wrapped(_first_sentence(game, found))]
    for measure in _measures(found):
        lines += ["", f"{_named(measure, own, other)}:", *_table(found, measure, labels)]
        holds = claim_holds(game, found, measure)
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


def _first_sentence(game: Game[Any, Any], found: Openings[Any]) -> str:
    own, _ = _players(game, found)
    measure = Measure(True, RANDOM)
    most = found.openings[0].chances[measure].win
    actions = [
        resolve(game).action_name(action)
        for each in found.openings
        if each.chances[measure].win == most
        for action in each.actions
    ]
    holds = {measure: claim_holds(game, found, measure) for measure in _measures(found)}
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
        luck = " to ".join(map(str, _luck(by_measure, measure)))
        rows.append((label, *map(_decimal, fared), str(fared.win), luck))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]


def _luck(by_measure: dict[Measure, Chances], measure: Measure) -> list[Fraction]:
    """Return the shares of wins with the unluckiest and the luckiest choices among best moves; none for random play."""
    if not measure.perfect:
        return []
    return [
        by_measure[measure._replace(tie_break="unluckiest")].win,
        by_measure[measure._replace(tie_break="luckiest")].win,
    ]


def _decimal(chance: Fraction) -> str:
    """Return a chance with four digits. Only certainty is written as 1, and only impossibility as 0.

    >>> _decimal(Fraction(1)), _decimal(Fraction(1, 3)), _decimal(Fraction(99999, 100000)), _decimal(Fraction(0))
    ('1', '0.3333', '0.9999', '0')
    """
    if chance in (0, 1):
        return str(chance)
    return f"{min(max(float(chance), 0.0001), 0.9999):.4f}"


def _facts(notation: str, position: str, game: Game[Any, Any], found: Openings[Any]) -> dict[str, Any]:
    own, other = _players(game, found)
    name = resolve(game).action_name

    def fared(by_measure: dict[Measure, Chances], measure: Measure) -> dict[str, Any]:
        exact = by_measure[measure]._asdict()
        return {
            **{key: str(value) for key, value in exact.items()},
            "win_decimal": float(exact["win"]),
            "win_bounds": [str(each) for each in _luck(by_measure, measure)] or None,
        }

    return {
        "game": notation,
        "position": position,
        "to_move": own,
        "result": None,
        "measures": [
            {
                "players": _named(measure, own, other),
                "perfect": measure.perfect,
                "opponent": {"rate": str(measure.opponent.rate), "wilful": measure.opponent.wilful},
                "claim_holds": claim_holds(game, found, measure),
                "openings": [
                    {"actions": [name(action) for action in each.actions], **fared(each.chances, measure)}
                    for each in found.openings
                ],
                "before": fared(found.before, measure),
            }
            for measure in _measures(found)
        ],
        "safe_replies": [
            {"actions": [name(action) for action in each.actions], "safe": each.safe, "replies": each.replies}
            for each in found.openings
        ],
    }


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
