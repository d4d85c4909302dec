"""`noughts lint`: find mistakes in a game."""

import json
from collections.abc import Sequence

from noughts.capabilities import resolve
from noughts.cli.commands import Parser
from noughts.cli.limits import check_limits
from noughts.cli.terminal import wrapped
from noughts.notation import load, normalised
from noughts.testing import check_game
from noughts.wire.checks import check

__all__ = ["run"]

EXAMPLES = """\
examples:
  noughts lint ./mygame.py         is my game correct?
  noughts lint ./mygame.py --like tic-tac-toe
                                   does it play like tic-tac-toe?
  noughts lint ./mygame.py --native
                                   can its functions be searched at native speed?
  noughts lint tic-tac-toe --json

Actions are compared by name. Where names differ, the best correspondence is used and shown.
Without --seconds, a file is also run in a second process, to check that its answers are the same there.

Exit code 0: no problem found; 1: problems found; 2: there is no such game, or it cannot be loaded.
"""


def run(argv: Sequence[str]) -> int:
    """Check a game, print what was found, and return the exit code."""
    parser = Parser(
        prog="noughts lint",
        description="Find mistakes in a game, and show each on a line of play.",
        epilog=EXAMPLES,
    )
    parser.add_argument("game", metavar="GAME", help="a game's name, or a path such as ./mygame.py")
    parser.add_argument(
        "--positions",
        type=int,
        default=20_000,
        metavar="N",
        help="check at most N positions (default: 20,000)",
    )
    parser.add_argument(
        "--seconds", type=float, metavar="S", help="stop after about S seconds (default, and 0: no limit)"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="choose other positions of a large game")
    parser.add_argument("--like", metavar="GAME", help="compare with this game, which is known to be correct")
    parser.add_argument(
        "--native",
        action="store_true",
        help="only say whether its six functions are compiled, and searched at native speed, or why not",
    )
    parser.add_json()
    args = parser.parse_args(argv)
    check_limits(args, "positions", "seconds")
    if args.native:
        return _native(args.game, args.json)
    report = check_game(load(args.game), args.positions, args.seed, args.seconds or None, args.like)
    if args.json:
        print(json.dumps(check(normalised(args.game), report)))
    else:
        print(report.text(f"{args.game}: ", wrapped))
    return 0 if report.ok else 1


def _native(name: str, as_json: bool) -> int:
    """Say in one line whether a game is searched at native speed; return the exit code."""
    from noughts.sources.plain import why_not_native  # imported here, since it is slow to import

    game = load(name)
    if resolve(game).kernel() is not None:
        why, said = None, "it has rules for native speed"
    else:
        why = why_not_native(game)
        said = "its functions are compiled, and searched at native speed" if why is None else f"not compiled: {why}"
    if as_json:
        print(json.dumps({"game": normalised(name), "native": why is None, "reason": why}))
    else:
        print(f"{name}: {said}")
    return 0 if why is None else 1
