"""`noughts games`: what there is to play."""

import json
from collections.abc import Sequence

from noughts.cli.commands import Parser
from noughts.games import GAMES
from noughts.wire import games

__all__ = ["run"]


def run(argv: Sequence[str]) -> int:
    """List the games and return the exit code."""
    parser = Parser(prog="noughts games", description="List the games, how they are written, and what is known.")
    parser.add_json()
    args = parser.parse_args(argv)
    if args.json:
        print(json.dumps({"games": games()}))
        return 0
    for entry in GAMES.values():
        print(f"{entry.notation}\n    {entry.summary}\n    {entry.known}")
    print("./mygame.py\n    a file of your own with the six functions")
    return 0
