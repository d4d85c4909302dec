"""Chooses the command that was typed, and reports errors in one line."""

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, NoReturn

from noughts import __version__
from noughts.cli.terminal import OutputLost, complain, filled, wrapped
from noughts.errors import NoughtsError, one_line, shown, suggest
from noughts.games import GAMES
from noughts.interrupts import was_pressed

__all__ = ["Parser", "run"]

HELP = """\
usage: noughts [COMMAND] [OPTIONS]

Perfect play for two-player games.

  noughts                      play tic-tac-toe against a computer that cannot be beaten
  noughts play [GAME]          play any game; each side is a person or a computer
  noughts analyse GAME         what a position is worth, and what each action leads to
  noughts explain GAME         why: reasons, refutations, traps, in words
  noughts puzzle [GAME]        positions with one right move, to solve; a new one every day
  noughts review RECORD        a game move by move: mistakes, what was better, and why
  noughts count GAME           how large it is, and what each search visits
  noughts openings GAME        which opening is best against opponents who err
  noughts tree GAME            the tree that a search goes through, as text or a picture
  noughts serve                all of it in the browser, and an API
  noughts prove GAME           write a strategy that never loses, for anybody to check
  noughts check FILE           check one, with the rules of the game alone
  noughts solve GAME           value every position, and keep the answers in a table
  noughts verify DIR           derive every value of a table again, and look for what is missing
  noughts table                show a table, or export its positions
  noughts games                the games, their sizes, and what is known of them
  noughts book                 build, verify and show opening books
  noughts lint GAME            find mistakes in a game, such as a file of your own
  noughts bench --node-counts  node counts of every search

  noughts COMMAND --help       the options of a command, with examples
  noughts --version            the version
"""


class _HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Fills paragraphs and keeps indented lines, such as examples."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:  # noqa: ARG002 - argparse says how it is called
        return filled(text, width)


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaint is one line, with a suggestion where one is near."""

    def __init__(self, **options: Any) -> None:
        super().__init__(formatter_class=_HelpFormatter, allow_abbrev=False, **options)
        self.register("type", int, _whole_number)
        self.register("type", float, _number)

    def add_position(self, also: str = "", *, or_from: bool = False) -> None:
        """Add the arguments for a game and a position, which may be left out if they can come from a file."""
        about = "a game's name, or a path such as ./mygame.py"
        if or_from:
            self.add_argument("game", nargs="?", metavar="GAME", help=about)
        else:
            self.add_argument("game", metavar="GAME", help=about)
        moves = f'moves such as 5 1 3, or a diagram "O.X/.X./..."{also}'
        self.add_argument("position", nargs="*", default=[], metavar="POSITION", help=moves)

    def add_from(self) -> None:
        """Add the options that choose a game of a file."""
        self.add_argument("--from", dest="file", metavar="FILE", help="begin where a game of this file ends")
        told = "which game of that file, from 1 (default: the last)"
        self.add_argument("--game-number", type=int, metavar="N", help=told)

    def add_seconds(self, default: float) -> None:
        """Add the option for a time limit."""
        told = f"take no longer than about S seconds (default: {default:g}; 0: no limit)"
        self.add_argument("--seconds", type=float, default=default, metavar="S", help=told)

    def add_table(self) -> None:
        """Take the folder of a table."""
        told = "look positions up in the table in this folder (default: one of the game in your folder of tables)"
        self.add_argument("--table", metavar="DIR", help=told)

    def add_json(self) -> None:
        """Add the option for JSON."""
        self.add_argument("--json", action="store_true", help="one JSON object instead of text")

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and leave with exit code 2."""
        known = [option for action in self._actions for option in action.option_strings]
        wrong = message.removeprefix("unrecognized arguments: ").split("=")[0].split(" ")[0]
        hint = suggest(wrong, known) if message.startswith("unrecognized") else ""
        message = re.sub(r"^argument (\S+): (?=must be )", r"\1 ", message)
        raise NoughtsError(f"{shown(message, 120)[1:-1]}{hint} ({self.prog} --help shows how)")


def _whole_number(typed: str) -> int:
    """Return a whole number that was typed, or raise an error in plain words."""
    try:
        return int(typed)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a whole number, not {shown(typed)}") from None


def _number(typed: str) -> float:
    """Return a number that was typed, or raise an error in plain words."""
    try:
        return float(typed)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a number, not {shown(typed)}") from None


COMMANDS = (
    "play",
    "analyse",
    "explain",
    "puzzle",
    "review",
    "count",
    "openings",
    "tree",
    "serve",
    "prove",
    "check",
    "solve",
    "verify",
    "table",
    "games",
    "book",
    "lint",
    "bench",
)
"""Each is a module of this package with a function `run(argv)`, imported only when it is wanted."""


DIALOGUES = ("play", "puzzle", "serve")
"""Commands that end with their terminal. Any other goes on to its answer if the answer goes to a file."""


def _command(name: str) -> Callable[[Sequence[str]], int]:
    found: Callable[[Sequence[str]], int] = import_module(f"noughts.cli.{name}").run
    return found


def run(argv: Sequence[str]) -> int:
    """Run the command that `argv` names, `play` if it names none."""
    first = argv[0] if argv else "play"
    if first in ("-h", "--help", "help"):
        print(wrapped(HELP), end="")
        return 0
    if first in ("-V", "--version"):
        print(f"noughts {__version__}")
        return 0
    try:
        if first.startswith("-"):
            return _command("play")(argv)
        if first not in COMMANDS:
            raise NoughtsError(f"there is no command {shown(first)}{_hint(first)} (noughts --help lists them)")
        if first in DIALOGUES:
            return _command(first)(argv[1:])
        from noughts.cli.output import outliving_terminal

        with outliving_terminal(sys.stdout):
            return _command(first)(argv[1:])
    except NoughtsError as error:
        complain(error.worded(_flag))
    except BaseException as error:  # a game file may raise anything
        where = None if was_pressed(error) else _in_game_file(error)
        if where is None:
            raise
        complain(one_line(where))
    return 2


def _flag(name: str, value: object) -> str:
    """Return an option as it is typed."""
    return f"--{name.replace('_', '-')} {value}"


def _hint(word: str) -> str:
    """Return what somebody who typed a word in place of a command may have meant."""
    near = suggest(word, COMMANDS)
    if near or not (word.endswith(".py") or word.partition(":")[0].lower() in GAMES):
        return near
    return f"; to play a game: noughts play {shown(word)[1:-1]}"


HANDED_OVER = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError, MemoryError, RuntimeError)
"""What our own code raises if a game file hands it something impossible. RuntimeError includes RecursionError."""


def _in_game_file(error: BaseException) -> str | None:
    """Return where in a game file the error arose, or None if no such file is to blame.

    An error of our own code, too, is the file's if one was loaded and handed us something impossible.
    """
    from noughts.gamefile import LOADED, blame, named_error

    if isinstance(error, OutputLost):  # in a file that prints
        return None
    for path, full in LOADED.items():
        where = blame(error, full)
        if where is not None:
            return f"{path}, {where}"
    if LOADED and isinstance(error, HANDED_OVER):
        return f"{', '.join(LOADED)} cannot be played: {named_error(error)}"
    return None
