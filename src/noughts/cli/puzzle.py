"""`noughts puzzle`: positions with one right move, to solve in the terminal."""

import argparse
import json
import sys
from collections.abc import Sequence
from datetime import date
from itertools import islice
from typing import Any

from noughts.cli.commands import Parser
from noughts.cli.limits import check_limits, interruptible
from noughts.cli.terminal import EndOfInput, Terminal, complain, live_line
from noughts.cli.tries import Board, Quit, try_until_right
from noughts.engine import Engine
from noughts.errors import NoughtsError, counted
from noughts.notation import Position, load, normalised
from noughts.puzzles.find import Puzzle, Wanted, day_of, find, today
from noughts.puzzles.solving import Solving, goal
from noughts.search.limits import Limits

__all__ = ["run"]

EXAMPLES = """\
examples:
  noughts puzzle                            today's puzzle of tic-tac-toe
  noughts puzzle connect-four               today's puzzle of another game
  noughts puzzle connect-four --seed 7      another one
  noughts puzzle --kind save --count 5      five positions to save
  noughts puzzle connect-four --moves 7     longer; without --moves, most are of 5 moves at most
  noughts puzzle ./mygame.py --level 4      your own game, and harder
  noughts puzzle --date 2026-01-31 --json   the puzzle of a day, as JSON

Type a move to try it. A wrong one is answered with the reason. hint narrows the choice, show tells the move.
Moves count both players: a win in 3 moves is a move, any reply, and the winning move.
"""

SECONDS = 30.0
MOST = 100
"""The most puzzles at once."""


def run(argv: Sequence[str]) -> int:
    """Show puzzles until all are solved; return the exit code."""
    args = _parser().parse_args(argv)
    check_limits(args, "seconds")
    wanted, source = _wanted(args), _source(args)
    engine = Engine(load(args.game))
    with interruptible() as cancelled, live_line() as show:
        limits = Limits(seconds=args.seconds or None, cancel=cancelled)
        found = find(
            engine,
            source,
            wanted,
            limits=limits,
            progress=lambda games: show(f"looking for a puzzle: {counted(games, 'game')} so far"),
        )
        puzzles = list(islice(found, args.count))
    if len(puzzles) < args.count:
        complain(f"{counted(len(puzzles), 'puzzle')} found, not {args.count}")
    if args.json:
        from noughts.wire.puzzles import puzzles as facts

        print(json.dumps(facts(normalised(args.game), engine.game, source, puzzles)))
        return 0
    return _solve(args, engine, source, puzzles)


def _solve(
    args: argparse.Namespace, engine: Engine[Any, Any], source: int | date, puzzles: Sequence[Puzzle[Any, Any]]
) -> int:
    terminal = Terminal(sys.stdout)
    board = Board(engine.game.game, terminal, args.color)
    which = f"seed {source}" if isinstance(source, int) else f"{source:%Y-%m-%d}"
    terminal.say(f"{engine.game.display_title}, {which}. Type a move, or hint, show or quit.")
    try:
        for number, each in enumerate(puzzles, 1):
            if len(puzzles) > 1:
                terminal.say(f"\nPuzzle {number} of {len(puzzles)}")
            _one(board, engine, each)
    except Quit:
        terminal.say("Bye.")
    except EndOfInput:
        complain("input ended before the puzzle was solved")
        return 1
    return 0


def _one(board: Board, engine: Engine[Any, Any], puzzle: Puzzle[Any, Any]) -> None:
    """Show a puzzle, and ask for its moves."""
    say, name = board.terminal.say, engine.game.action_name
    solving = Solving(engine, puzzle)
    failing = puzzle.failing
    verb = "fails" if failing == 1 else "fail"
    say(f"\n{goal(engine.game, puzzle)} (Level {puzzle.level}: {counted(failing, 'plausible move')} {verb}.)")
    say(f"Position: {Position('', puzzle.played, ()).text(name) or 'the start'}\n")
    board.show(puzzle.state)
    wrong, told = 0, False
    while not solving.done:
        tried = try_until_right(board, solving)
        wrong, told = wrong + tried.wrong, told or tried.shown
        before = solving.state
        replies = solving.play(tried.action)
        if replies:
            who = engine.game.player_name(-engine.game.to_move(before))
            plays = " ".join(map(name, replies))
            say(f"{'' if tried.shown else 'Right. '}{who} plays {plays}.\n")
        if not solving.done:
            board.show(solving.state)
    if puzzle.kind == "win":
        say()
        board.show(solving.state)
    if told:
        say("That was it.")
    else:
        say("Solved, without a mistake." if not wrong else f"Solved, after {counted(wrong, 'wrong move')}.")


def _wanted(args: argparse.Namespace) -> Wanted:
    """Return which puzzles are wanted; raise NoughtsError for what cannot be."""
    if args.moves is not None and args.moves < 1:
        raise NoughtsError("--moves must be a whole number above 0")
    if args.level is not None and not 1 <= args.level <= 5:
        raise NoughtsError("--level must be a whole number from 1 to 5")
    if not 1 <= args.count <= MOST:
        raise NoughtsError(f"--count must be a whole number from 1 to {MOST}")
    return Wanted(args.kind, args.moves, args.level)


def _source(args: argparse.Namespace) -> int | date:
    """Return the seed, or the day."""
    if args.seed is not None:
        if args.date is not None:
            raise NoughtsError("--seed and --date exclude each other; leave one of them out")
        seed: int = args.seed
        return seed
    return today() if args.date is None else day_of(args.date)


def _parser() -> Parser:
    parser = Parser(
        prog="noughts puzzle",
        description="Positions with exactly one right move, proven, to solve: today's, or any number of others.",
        usage="noughts puzzle [GAME] [OPTIONS]",
        epilog=EXAMPLES,
    )
    parser.add_argument(
        "game",
        nargs="?",
        default="tic-tac-toe",
        metavar="GAME",
        help="a game's name, or a path such as ./mygame.py (default: tic-tac-toe)",
    )
    parser.add_argument("--seed", type=int, metavar="N", help="the puzzle with this number, instead of today's")
    parser.add_argument("--date", metavar="DAY", help="the puzzle of a day, such as 2026-01-31 (default: today, UTC)")
    parser.add_argument(
        "--kind", choices=("win", "save"), help="one move wins, or one move does not lose (default: either)"
    )
    parser.add_argument("--moves", type=int, metavar="N", help="won, or lost by a wrong move, in N moves")
    parser.add_argument("--level", type=int, metavar="N", help="how hard, from 1 to 5 (default: 2 or more)")
    parser.add_argument("--count", type=int, default=1, metavar="N", help="so many puzzles (default: 1)")
    parser.add_seconds(SECONDS)
    parser.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="colour (default: auto, which honours NO_COLOR)",
    )
    parser.add_json()
    return parser
