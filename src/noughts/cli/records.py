"""Records of games on the command line: choosing one of a file, and adding games to a file."""

import argparse
import os
import stat
from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple

from noughts.errors import BadRecord, NoughtsError, shown_path
from noughts.game import Game
from noughts.match import Match
from noughts.notation import is_path, load, normalised
from noughts.record import Record, built_in, read_record, read_record_file

__all__ = ["Recorded", "append", "check_appendable", "played_here", "recorded"]


class Recorded(NamedTuple):
    """A game of a file, with the notation under which its rules were loaded."""

    notation: str
    game: Game[Any, Any]
    record: Record


def recorded(args: argparse.Namespace) -> Recorded | None:
    """Return the game that `--from` chooses; None without it. A file of Python is run only if it was typed as GAME."""
    if args.file is None:
        if args.game_number is not None:
            raise NoughtsError("--game-number is for --from FILE")
        return None
    if args.position:
        raise NoughtsError("--from does not go with a position; leave one of them out")
    typed = args.game
    used: list[str] = []

    def load_named(notation: str) -> Game[Any, Any]:
        if typed is not None and is_path(typed) != is_path(notation):
            raise NoughtsError(f"the game is {notation}, not {typed}")
        if typed is not None and not is_path(typed) and normalised(typed) != normalised(notation):
            raise NoughtsError(f"the game is {normalised(notation)}, not {typed}")
        used[:] = [typed if typed is not None and is_path(typed) else notation]
        return load(used[0]) if typed is not None else built_in(notation)

    text = read_record_file(args.file)
    try:
        record = read_record(text, args.game_number, load_named)
    except NoughtsError as error:
        raise BadRecord(f"{shown_path(args.file)[1:-1]}, {error}") from None
    return Recorded(normalised(used[0]), load(used[0]), record)


def played_here(
    match: Match[Any, Any],
    game: str,
    position: str,
    players: Mapping[int, str],
    seed: int | None,
    before: Record | None,
) -> Record:
    """Return the record of a match that ends now, and which may go on from an older record, with its comments."""
    comments = {} if before is None else {0: before.comment}
    for number, (action, move) in enumerate(zip(match.played, before.moves if before else (), strict=False), 1):
        if match.game.action_name(action) != move.name:
            break
        comments[number] = move.comment
    tags = [("Date", date.today().isoformat()), *([] if seed is None else [("Seed", str(seed))])]
    return Record.of_match(match, game, position=position, players=players, tags=tags, comments=comments)


def check_appendable(path: str | None) -> None:
    """Raise NoughtsError if no game can be added to a file; changes nothing."""
    if path is None:
        return
    try:
        there = os.stat(path)
    except FileNotFoundError:
        folder = os.path.dirname(path) or "."
        if not os.path.isdir(folder) or not os.access(folder, os.W_OK):
            raise NoughtsError(f"cannot write {shown_path(path)}: there is no folder to write in") from None
        return
    except (OSError, ValueError) as error:
        raise NoughtsError(f"cannot write {shown_path(path)}: {getattr(error, 'strerror', '') or error}") from None
    if stat.S_ISDIR(there.st_mode) or not os.access(path, os.W_OK):
        raise NoughtsError(f"cannot write {shown_path(path)}: it is a folder, or may not be written")
    if stat.S_ISREG(there.st_mode) and there.st_size:
        with open(path, "rb") as file:
            start = file.read(100)
        if not start.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"[Game"):
            raise NoughtsError(f"cannot add a game to {shown_path(path)}: it is not a file of games")


def append(path: str, record: Record) -> None:
    """Add a game to the end of a file."""
    try:
        with open(path, "ab") as file:
            file.write((("\n" if file.tell() else "") + str(record)).encode())
    except OSError as error:
        raise NoughtsError(f"cannot write {shown_path(path)}: {error.strerror}") from None
