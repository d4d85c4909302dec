"""`noughts learn`: writes the lessons about minimax as one page."""

from collections.abc import Sequence

from noughts.cli.commands import Parser
from noughts.cli.output import output_file

__all__ = ["run"]

PAGE = "learn.html"

EXAMPLES = """\
examples:
  noughts learn
  noughts learn -o ~/lessons.html
  noughts tree tic-tac-toe 5 1 3 -o steps.html    the search of one position, on the same page
  noughts tree "numbers:((3 12 8) (2 4 6) (14 5 2))" -o steps.html
  noughts serve                                   the lessons are at /learn
"""


def run(argv: Sequence[str]) -> int:
    """Write the page, say where it is, and return the exit code."""
    args = _parser().parse_args(argv)
    from noughts.learn.page import lessons_page  # after the arguments are known to be right

    if args.output == "-":
        print(lessons_page())
        return 0
    with output_file(args.output) as write:
        write(lessons_page())
    print(f"Wrote {args.output}: open it in a browser.")
    return 0


def _parser() -> Parser:
    parser = Parser(
        prog="noughts learn",
        description="Write a page with lessons about minimax and alpha-beta. It is one file, and needs no server and "
        "no network: step through searches line by line, predict what comes next, and search trees of your own.",
        usage="noughts learn [-o FILE]",
        epilog=EXAMPLES,
    )
    parser.add_argument(
        "-o", "--output", default=PAGE, metavar="FILE", help=f"where to write it; - is the terminal (default: {PAGE})"
    )
    return parser
