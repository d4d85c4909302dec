"""`noughts games`: list the built-in games."""

import json
from collections.abc import Sequence

from noughts.cli.commands import Parser
from noughts.cli.terminal import wrapped
from noughts.games import GAMES
from noughts.wire.positions import games

__all__ = ["run"]

EXAMPLES = """\
examples:
  noughts games
  noughts games --json
  noughts play connect:5x4,3      play one of them in another size
"""


def run(argv: Sequence[str]) -> int:
    """List the games and return the exit code."""
    parser = Parser(
        prog="noughts games",
        description="List the games: how each is written, its rules in short, its sizes, and which values are known.",
        epilog=EXAMPLES,
    )
    parser.add_json()
    args = parser.parse_args(argv)
    if args.json:
        print(json.dumps({"games": games()}))
        return 0
    for entry in GAMES.values():
        print(wrapped(f"{entry.notation}\n    {entry.summary}"))
        if entry.sizes:
            print(wrapped(f"    sizes: {entry.sizes}"))
        print(wrapped(f"    known: {entry.known}"))
    print("./mygame.py\n    your own game: a file with the six functions")
    return 0
