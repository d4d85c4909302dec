"""`noughts engine`: plays for another program, which asks for moves on standard input."""

import os
import sys
from collections.abc import Sequence
from typing import Any

from noughts import __version__
from noughts.cli.commands import Parser
from noughts.cli.limits import check_limits
from noughts.cli.terminal import OutputLost
from noughts.errors import NoughtsError
from noughts.notation import load
from noughts.players import COMPUTERS, PROGRAMS, computer
from noughts.search.limits import Limits

__all__ = ["run"]

EXAMPLES = """\
examples:
  noughts engine                           answer the commands of docs/protocol.md on standard input
  noughts engine --player easy             the same, with an opponent that makes mistakes
  noughts engine --protocol gomocup        five in a row for Piskvork and other managers of tournaments
  noughts play --opponent "cmd:noughts engine --player rules"
                                           play against it

players: """ + ", ".join(COMPUTERS)

WITHOUT_SEARCH = ("rules", "random")
"""Players for which no kernel need be compiled."""

THINK = 1.0
"""Seconds for a move, unless the other program sets another time."""


def run(argv: Sequence[str]) -> int:
    """Answer commands until the end of the input, and return the exit code."""
    args = _parser().parse_args(argv)
    check_limits(args, "think")
    if args.player.partition(":")[0] in PROGRAMS:
        raise NoughtsError("--player is one of our own players; another program can be asked directly")
    computer(args.player, load("tic-tac-toe"), args.seed)  # so that a wrong name is told at once
    player = _MakePlayer(args.player, args.seed)
    source, out = _pipes()

    def say(line: str) -> None:
        try:
            out.write(f"{line}{end}".encode(errors="replace"))
        except OSError as error:
            raise OutputLost(error.errno, error.strerror) from None

    if args.protocol == "gomocup":
        from noughts.protocols.gomocup import Gomocup

        end = "\r\n"
        Gomocup(say, player, __version__, args.think or None).run(source)
    else:
        from noughts.protocols.session import Session

        end = "\n"
        Session(say, player, __version__, args.think or None).run(source)
    return 0


class _MakePlayer:
    """Makes the player for each move, with a seed of its own if there is one."""

    def __init__(self, name: str, seed: int | None) -> None:
        self._name, self._seed = name, seed
        self.searches = name not in WITHOUT_SEARCH

    def __call__(self, engine: Any, limits: Limits) -> Any:
        if self._seed is not None:
            self._seed += 1
        return computer(self._name, engine, self._seed, limits=limits)


def _pipes() -> tuple[int, Any]:
    """Return standard input and output, and replace both, so that a game cannot use them."""
    sys.stdout.flush()
    source, out = os.dup(0), os.fdopen(os.dup(1), "wb", buffering=0)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    return source, out


def _parser() -> Parser:
    parser = Parser(
        prog="noughts engine",
        description="Play for another program, which sends commands to standard input and reads standard output. "
        "docs/protocol.md describes the commands.",
        epilog=EXAMPLES,
    )
    parser.add_argument(
        "--protocol",
        choices=("noughts", "gomocup"),
        default="noughts",
        help="the language: our own, or Gomocup's for five in a row (default: noughts)",
    )
    parser.add_argument("--player", default="perfect", metavar="PLAYER", help="who plays (default: perfect)")
    parser.add_argument(
        "--seed", type=int, metavar="N", help="vary the player's choices, the same way for the same number"
    )
    parser.add_argument(
        "--think",
        type=float,
        default=THINK,
        metavar="SECONDS",
        help=f"how long to think about a move if the other program sets no time (default: {THINK:g}; 0: no limit)",
    )
    return parser
