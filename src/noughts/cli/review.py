"""`noughts review`: a game move by move, with its mistakes, what was better, and retries."""

import argparse
import json
import os
from collections.abc import Sequence
from textwrap import wrap
from typing import Any

from noughts.cli.commands import Parser
from noughts.cli.limits import STOPS, check_limits, interruptible
from noughts.cli.output import output_file
from noughts.cli.records import recorded
from noughts.cli.retrying import retry
from noughts.cli.terminal import live_line
from noughts.engine import Engine
from noughts.errors import NoughtsError, counted, shown_path
from noughts.game import MAX
from noughts.games import GAMES
from noughts.notation import is_path, load, normalised, read_position
from noughts.reviews.picture import course
from noughts.reviews.plot import plot
from noughts.reviews.review import Review, Reviewable, ReviewedMove, review
from noughts.reviews.summary import about_accuracy, summary
from noughts.search.limits import Limits
from noughts.words.values import in_short

__all__ = ["report", "run"]

SECONDS = 30.0
WIDTH = 80
"""The columns of the report."""

EXAMPLES = """\
examples:
  noughts review games.txt                      the last game of a file
  noughts review games.txt --game-number 3      another game of it
  noughts review tic-tac-toe 5 2 1 9 7          a game by its moves
  noughts review games.txt --retry              try again where mistakes were made
  noughts review games.txt --retry --for X      only those of X
  noughts review games.txt --plot game.svg      who was winning, as a picture
  noughts review ./mygame.py --from games.txt   a game of your own file
  noughts review connect-four 44453226 --json   all of it as JSON

The value of a position is that for the player to move: W3 is a win in 3 moves, D a draw, L4 a loss in 4 moves.
Accuracy: of the decisions, positions in which some move is worse than the best, how many points were scored.
A good move scores 1, an inaccuracy a half, a mistake nothing. What is not proven is called doubtful or unknown.
"""


def run(argv: Sequence[str]) -> int:
    """Review a game and print it; with --retry, put its mistakes to the person; return the exit code."""
    args = _parser().parse_args(argv)
    check_limits(args, "seconds")
    if args.player is not None and not args.retry:
        raise NoughtsError("--for is for --retry")
    if args.retry and args.json:
        raise NoughtsError("--retry and --json exclude each other; leave one of them out")
    notation, engine, moves = _game(args)
    player = _player(engine, args.player)
    if args.plot is None:
        found = _reviewed(engine, moves, args)
    else:
        with output_file(args.plot) as write:
            found = _reviewed(engine, moves, args)
            write(plot(found))
    if args.json:
        from noughts.wire.reviews import review as facts

        print(json.dumps(facts(notation, found)))
        return 0
    if args.retry:
        return retry(engine, found, player, args.color)
    print(report(found))
    return 0


def _game(args: argparse.Namespace) -> tuple[str, Engine[Any, Any], Reviewable]:
    """Return the notation of the game, its engine, and what was played."""
    if args.file is None and args.game is not None and _is_file(args.game):
        if args.position:
            raise NoughtsError(f"{shown_path(args.game)} is a file of games; --game-number N chooses one of them")
        args.game, args.file = None, args.game
    if args.game is None and args.file is None:
        raise NoughtsError("what is to be reviewed? A file of games, or a game and its moves, as in: tic-tac-toe 5 1 3")
    found = recorded(args)
    if found is not None:
        return found.notation, Engine(found.game, table=args.table), found.record
    game = load(args.game)
    return normalised(args.game), Engine(game, table=args.table), read_position(game, " ".join(args.position))


def _is_file(word: str) -> bool:
    """Return whether a word is the path of a file of games, not of a game, nor its name."""
    if word.endswith(".py") or word.partition(":")[0].strip().lower() in GAMES:
        return False
    return is_path(word) or "." in word or os.path.exists(word)


def _player(engine: Engine[Any, Any], name: str | None) -> int | None:
    """Return the player with a name; raise NoughtsError if there is none."""
    if name is None:
        return None
    names = engine.game.player_names
    for player, own in zip((MAX, -MAX), names, strict=True):
        if name.lower() == own.lower():
            return player
    raise NoughtsError(f"there is no player {name!r}; choose {' or '.join(names)}")


def _reviewed(engine: Engine[Any, Any], moves: Reviewable, args: argparse.Namespace) -> Review[Any, Any]:
    with interruptible() as cancelled, live_line() as show:

        def progress(done: int, of: int) -> None:
            show(f"reviewing: {done} of {counted(of, 'position')}")

        limits = Limits(seconds=args.seconds or None, cancel=cancelled)
        return review(engine, moves, limits=limits, progress=progress)


def report(found: Review[Any, Any]) -> str:
    """Return a review as text: every move, the course of the game, and the accuracy of both players."""
    game = found.game
    names = [game.player_name(each.player) for each in found.moves]
    moves = [game.action_name(each.action) for each in found.moves]
    values = [f"{_short(found, each.before.score)} -> {_after(found, each)}" for each in found.moves]
    number_width = len(str(found.moves[-1].number))
    lines = [f"{game.display_title}: {_ended(found)}{summary(found)}", ""]
    for each, name, move, value in zip(found.moves, names, moves, values, strict=True):
        head = f"{each.number:>{number_width}}  {name.ljust(max(map(len, names)))} {move.ljust(max(map(len, moves)))}"
        head = f"{head}  {value.ljust(max(map(len, values)))}  "
        said = each.text if each.mark in ("good", "unknown") else f"{each.mark}: {each.text}"
        lines += wrap(f"{head}{said}", WIDTH, subsequent_indent=" " * len(head))
    lines += ["", course(found, WIDTH), ""]
    lines += [about_accuracy(game.player_name(player), found.accuracy(player)) for player in (MAX, -MAX)]
    if found.stopped != "done":
        why = f"Not everything is proven: the review was stopped by {STOPS[found.stopped]}."
        lines += ["", *wrap(why, WIDTH)]
    return "\n".join(lines)


def _short(found: Review[Any, Any], score: int | None) -> str:
    return "?" if score is None else in_short(score, found.game.scale)


def _after(found: Review[Any, Any], each: ReviewedMove[Any, Any]) -> str:
    """Return what a move led to, for its player; a finished game has no number of moves."""
    if not each.value.exact:
        return "?"
    score = each.value.low
    assert score is not None
    return (
        {"win": "won", "loss": "lost"}.get(each.value.value, "D") if each.value.distance == 1 else _short(found, score)
    )


def _ended(found: Review[Any, Any]) -> str:
    game, state = found.game, found.where.state
    if found.drawn:
        return "a draw by repetition. "
    if not game.terminal(state):
        return "not finished. "
    utility = game.utility(state)
    if not utility:
        return "a draw. "
    by = f" by {abs(utility)}" if abs(utility) > 1 else ""
    return f"{game.player_name(MAX if utility > 0 else -MAX)} won{by}. "


def _parser() -> Parser:
    parser = Parser(
        prog="noughts review",
        description="Go through a game move by move: what each move was worth, the mistakes, and what was better.",
        usage="noughts review RECORD [OPTIONS]\n       noughts review GAME MOVE ... [OPTIONS]",
        epilog=EXAMPLES,
    )
    parser.add_argument("game", nargs="?", metavar="RECORD|GAME", help="a file of games; or a game, before its moves")
    parser.add_argument("position", nargs="*", default=[], metavar="MOVE", help="the moves, such as 5 1 3")
    parser.add_argument(
        "--from", dest="file", metavar="FILE", help="the file of games, where GAME is a file of your own"
    )
    parser.add_argument("--game-number", type=int, metavar="N", help="the game of the file (default: the last)")
    parser.add_argument("--retry", action="store_true", help="try again where mistakes were made")
    parser.add_argument("--for", dest="player", metavar="PLAYER", help="with --retry: only the mistakes of X, or of O")
    parser.add_argument("--plot", metavar="FILE.svg", help="also write a picture of who was winning")
    parser.add_seconds(SECONDS)
    parser.add_table()
    parser.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="colour of boards (default: auto, which honours NO_COLOR)",
    )
    parser.add_json()
    return parser
