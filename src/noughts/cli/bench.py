"""`noughts bench`: node counts, which show whether a search has changed."""

import json
from collections.abc import Sequence

from noughts.cli.commands import Parser
from noughts.errors import NoughtsError
from noughts.node_counts import node_counts

__all__ = ["run"]

EXAMPLES = """\
examples:
  noughts bench --node-counts
  noughts bench --node-counts | diff tests/search/node_counts.txt -
                               has a search changed?
"""


def run(argv: Sequence[str]) -> int:
    """Print the node counts and return the exit code."""
    parser = Parser(
        prog="noughts bench",
        description="Print the node counts of every search on fixed positions. If they are equal, so is the search.",
        epilog=EXAMPLES,
    )
    parser.add_argument(
        "--node-counts", action="store_true", help="print the node counts, one search and position a line"
    )
    parser.add_json()
    args = parser.parse_args(argv)
    if not args.node_counts:
        raise NoughtsError("say what to measure: noughts bench --node-counts")
    if args.json:
        print(json.dumps({"node_counts": [each._asdict() for each in node_counts()]}))
    else:
        for each in node_counts():
            print(each, flush=True)
    return 0
