"""`noughts table`: show what a table holds, or export its positions."""

import csv
import io
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from noughts.cli.commands import Parser
from noughts.cli.terminal import wrapped
from noughts.errors import NoughtsError, shown, suggest
from noughts.notation import load
from noughts.score import value_of
from noughts.tables.places import tables_folder
from noughts.tables.table import Table, open_table
from noughts.wire.tables import table as facts

__all__ = ["run"]

USAGE = """\
usage: noughts table show DIR [GAME]
       noughts table export DIR [GAME] > FILE.csv

A table is a folder with the value, and the distance to the end, of every position of a game.

  noughts table show    of which game it is, and how many positions it has
  noughts table export  every position as a line of CSV: tier, code, value, margin, distance

  noughts table COMMAND --help   what each can do

{where}

examples:
  noughts table show nim.table
  noughts table export nim.table > nim.csv
"""


def run(argv: Sequence[str]) -> int:
    """Run one of the commands about tables, and return the exit code."""
    first = argv[0] if argv else "--help"
    if first in ("-h", "--help", "help"):
        folder = tables_folder()
        where = f"Tables in {folder} are found without --table." if folder else "NOUGHTS_TABLES names no folder."
        print(wrapped(USAGE.format(where=where)), end="")
        return 0
    if first not in COMMANDS:
        hint = suggest(first, COMMANDS) or f"; there are: {', '.join(COMMANDS)}"
        raise NoughtsError(f"there is no command table {shown(first)}{hint}")
    return COMMANDS[first](argv[1:])


def _opened(args: Any) -> Table[Any, Any]:
    return open_table(args.directory, None if args.game is None else load(args.game))


def _show(argv: Sequence[str]) -> int:
    """Show what a table holds."""
    parser = _parser("show", "Show what a table holds.")
    parser.add_json()
    args = parser.parse_args(argv)
    found = facts(_opened(args))
    if args.json:
        print(json.dumps(found))
        return 0
    print(f"game: {found['game']}\nstored: {found['stored']:,} positions, up to symmetry")
    print(f"distances: {'yes' if found['distances'] else 'no'}\nsize: {found['bytes']:,} bytes")
    print(f"tiers: {len(found['tiers'])}\nrules: {found['rules']}")
    return 0


def _export(argv: Sequence[str]) -> int:
    """Export every position as CSV."""
    parser = _parser("export", "Write every position of a table as a line of CSV.")
    for lines in _lines(_opened(parser.parse_args(argv))):
        sys.stdout.write(lines)
    return 0


def _lines(table: Table[Any, Any]) -> Iterator[str]:
    """Yield the lines of the CSV, some at a time; codes are hexadecimal, and a distance that is not known is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("tier", "code", "value", "margin", "distance"))
    for tier, code, utility, distance in table.entries():
        writer.writerow((tier, f"{code:x}", value_of(utility), utility, "" if utility == 0 else distance))
        if text.tell() > 1 << 16:
            yield text.getvalue()
            text.seek(0)
            text.truncate()
    yield text.getvalue()


COMMANDS: dict[str, Callable[[Sequence[str]], int]] = {"show": _show, "export": _export}


def _parser(command: str, description: str) -> Parser:
    name = f"noughts table {command}"
    example = f"examples:\n  {name} connect-4x4.table\n"
    parser = Parser(prog=name, description=description, usage=f"{name} DIR [GAME] [OPTIONS]", epilog=example)
    parser.add_argument("directory", metavar="DIR", help="the folder of the table")
    parser.add_argument("game", nargs="?", metavar="GAME", help="the game (default: the one that the table names)")
    return parser
