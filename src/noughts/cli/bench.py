"""`noughts bench`: node counts that must not change unawares."""

from collections.abc import Sequence

from noughts.cli.commands import Parser
from noughts.errors import NoughtsError
from noughts.signature import signature

__all__ = ["run"]


def run(argv: Sequence[str]) -> int:
    """Print the signature and return the exit code."""
    parser = Parser(
        prog="noughts bench",
        description="Print the node counts of every search on fixed positions: equal counts, equal searches.",
    )
    parser.add_argument(
        "--signature", action="store_true", help="print the node counts, one search and position a line"
    )
    if not parser.parse_args(argv).signature:
        raise NoughtsError("say what to measure: noughts bench --signature")
    for line in signature():
        print(line, flush=True)
    return 0
