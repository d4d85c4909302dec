"""`noughts tree`: draws the tree that a search visits."""

import json
import sys
from argparse import Namespace
from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

from noughts.capabilities import ResolvedGame, resolve
from noughts.cli.commands import Parser
from noughts.cli.limits import check_limits
from noughts.cli.output import output_file
from noughts.cli.terminal import complain, wrapped
from noughts.errors import NoughtsError, counted, shown, suggest
from noughts.notation import Position, load, normalised, read_position
from noughts.search.limits import Budget, Limits
from noughts.search.recursion_limit import deep_recursion
from noughts.search.variants import VARIANTS
from noughts.trees.pictures import as_dot, as_svg, as_text
from noughts.trees.tree import Tree, tree
from noughts.wire.trees import tree as facts

__all__ = ["run"]

FORMATS = ("text", "svg", "dot", "json", "html")
ENDINGS = {".txt": "text", ".svg": "svg", ".dot": "dot", ".gv": "dot", ".json": "json", ".html": "html", ".htm": "html"}
MOST = 150
PLAIN = {"├": "|", "│": "|", "└": "`", "─": "-", "╌": ".", "≥": ">=", "≤": "<=", "−": "-", "∞": "inf"}
"""Replacements for terminals that can only show ASCII."""

EXAMPLES = """\
examples:
  noughts tree tic-tac-toe 5 1 3 6 7 4 --depth 2
  noughts tree tic-tac-toe 5 1 3 -o tree.svg
  noughts tree connect-four 44 --depth 4 -o tree.svg
  noughts tree tic-tac-toe --search minimax --depth 2 --merge
  noughts tree nim:3,4,5 --search symmetry --format dot | dot -Tpdf -o nim.pdf
  noughts tree tic-tac-toe 5 1 3 -o steps.html

searches:
""" + "\n".join(f"  {name:10} {about}" for name, about in VARIANTS.items())


def run(argv: Sequence[str]) -> int:
    """Search a position, draw the tree, and return the exit code."""
    args = _parser().parse_args(argv)
    search = _one_of("search", args.search, VARIANTS)
    form = _format("json" if _wants_json(args) else args.format, args.output)
    check_limits(args, "depth", "most", "seconds")
    game = resolve(load(args.game))
    position = read_position(game, " ".join(args.position))
    to_file = args.output not in (None, "-")
    with output_file(args.output) if to_file else nullcontext(partial(_print, form=form)) as write:
        write(_picture(args, game, position, search, form))
    return 0


def _picture(
    args: Namespace, game: ResolvedGame[Any, Any], position: Position[Any, Any], search: Any, form: str
) -> str:
    if form == "html":
        for option, given in (("depth", args.depth), ("most", args.most), ("merge", args.merge or None)):
            if given is not None:
                raise NoughtsError(f"--{option} does not go with html, which shows the whole search step by step")
    budget = Budget(Limits(seconds=args.seconds or None))
    if form == "html":
        return _page(game, position, search, normalised(args.game), budget.left)
    grown = tree(
        game,
        position.state,
        search=search,
        depth=args.depth,
        most=args.most or MOST,
        merge=args.merge,
        limits=budget.left,
    )
    with deep_recursion(grown.depth):
        if form == "json":
            picture = json.dumps(
                facts(normalised(args.game), position, game, grown, budget.left), ensure_ascii=False, indent=1
            )
            picture += "\n"
        else:
            draw = {"text": as_text, "svg": as_svg, "dot": as_dot}[form]
            picture = draw(grown, budget.left)
    for note in _notes(grown, args.depth):
        complain(note)
    return picture


def _page(
    game: ResolvedGame[Any, Any], position: Position[Any, Any], search: Any, notation: str, limits: Limits
) -> str:
    from noughts.learn.page import page  # only for this format

    text = position.text(game.action_name)
    return page(game, position.state, search=search, notation=notation, position=text, limits=limits)


def _notes(tree: Tree, depth: int | None) -> list[str]:
    """Return notes about what a picture leaves out."""
    notes = []
    if tree.horizon is not None:
        why = "play can go on for ever" if tree.endless else "the game is too large to search to its end"
        notes.append(f"{why}, so the search looks {counted(tree.horizon, 'ply')} ahead")
    wanted = depth if depth is not None else tree.horizon
    if wanted is not None and tree.depth < wanted and any(node.hidden for node in tree.root.walk()):
        drawn = counted(tree.depth, "ply")
        notes.append(f"only the first {drawn} fit; nodes below are counted, not drawn; --most N allows N nodes")
    return notes


def _one_of(what: str, given: str, known: Any) -> Any:
    if given not in known:
        hint = suggest(given, known) or f"; there are: {', '.join(known)}"
        raise NoughtsError(f"there is no {what} {shown(given)}{hint}")
    return given


def _wants_json(args: Namespace) -> bool:
    """Say whether --json was given; raise NoughtsError if something else asks for another format."""
    if args.json:
        ending = Path(args.output or "").suffix.lower()
        if args.format not in (None, "json"):
            raise NoughtsError(
                f"--json and --format {shown(args.format)[1:-1]} do not go together; leave one of them out"
            )
        if ENDINGS.get(ending, "json") != "json":
            raise NoughtsError(
                f"--json and a file that ends in {shown(ending)} do not go together; leave one of them out"
            )
    return bool(args.json)


def _format(given: str | None, output: str | None) -> str:
    """Return the format that was asked for, or the one that fits the name of the file."""
    if given is not None:
        return str(_one_of("format", given, FORMATS))
    ending = Path(output or "").suffix.lower()
    if ending and ending not in ENDINGS:
        raise NoughtsError(f"no format ends in {shown(ending)}; name one: --format {'|'.join(FORMATS)}")
    return ENDINGS.get(ending, "text")


def _print(picture: str, form: str) -> None:
    """Print a picture: text in characters that the terminal supports, other formats as they would be in a file."""
    if form == "text":
        try:
            picture.encode(sys.stdout.encoding or "ascii")
        except UnicodeEncodeError:
            for sign, plain in PLAIN.items():
                picture = picture.replace(sign, plain)
        heading, gap, drawing = picture.partition("\n\n")
        print(wrapped(heading), drawing, sep=gap, end="")
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(picture.encode("utf-8", "backslashreplace"))
        sys.stdout.buffer.flush()


def _parser() -> Parser:
    parser = Parser(
        prog="noughts tree",
        description="Draw the tree that a search visits: boards, values and bounds, windows, pruned moves.",
        usage="noughts tree GAME [POSITION] [OPTIONS]",
        epilog=EXAMPLES,
    )
    parser.add_position()
    parser.add_argument("--search", default="alphabeta", metavar="SEARCH", help="which search (default: alphabeta)")
    parser.add_argument("--depth", type=int, metavar="N", help="draw N plies (default: as many as fit)")
    parser.add_argument(
        "--most",
        type=int,
        metavar="N",
        help=f"draw no more than N nodes (default: {MOST}); deeper nodes are counted",
    )
    parser.add_seconds(30.0)
    parser.add_argument("--merge", action="store_true", help="draw each position once, symmetric ones as the same")
    parser.add_argument(
        "--format", metavar="FORMAT", help=f"{', '.join(FORMATS)} (default: what FILE ends in, else text)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object, as --format json")
    parser.add_argument("-o", "--output", metavar="FILE", help="write to a file")
    return parser
