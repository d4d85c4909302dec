"""A person's own file as a game."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from noughts.errors import BrokenGame, shown
from noughts.game import FUNCTIONS, Game, as_game, missing_functions

__all__ = ["LOADED", "blame", "game_from_file"]

LOADED: dict[str, str] = {}
"""The files that were loaded: the path as it was given, and in full."""


def game_from_file(path: str) -> Game[Any, Any]:
    """Run a Python file and return the game in it: the file itself, or the one class or object that has the six.

    Every way in which that can fail raises BrokenGame, with the line of the file that is to blame.
    """
    module = _run(Path(path))
    missing = missing_functions(module)
    if not missing:
        return module
    own = _games_in(module)
    if len(own) == 1:
        return as_game(own[0])
    if own:
        raise BrokenGame(f"{path} holds {len(own)} games; leave one of them, or write six functions")
    raise BrokenGame(f"{path} is no game: it has no function {', '.join(missing)}")


def blame(error: BaseException, path: str | None) -> str | None:
    """Return where in the file an error arose, as `line n: ErrorName: message`, or None if it did not."""
    if isinstance(error, SyntaxError) and error.filename == path:
        return f"line {error.lineno}: {error.msg}"
    line, trace = None, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            line = trace.tb_lineno
        trace = trace.tb_next
    if line is None:
        return None
    message = " ".join(str(error).split())[:200]
    return f"line {line}: {type(error).__name__}" + (f": {message}" if message else "")


def _run(path: Path) -> ModuleType:
    spec = None
    try:
        is_file = path.is_file()
    except OSError as error:
        raise BrokenGame(f"{shown(str(path), 60)} cannot be read: {error.strerror}") from None
    if is_file:
        full = str(path.resolve())
        name = f"noughts_game_{abs(hash(full))}"
        spec = spec_from_file_location(name, full)
        LOADED[str(path)] = full
    if spec is None or spec.loader is None:
        what = "is a folder" if path.is_dir() else "is no Python file" if is_file else "does not exist"
        raise BrokenGame(f"{shown(str(path), 200)} {what}; a game is a Python file with {', '.join(FUNCTIONS)}")
    module = module_from_spec(spec)
    sys.modules[name] = module  # where dataclasses and pickle look a class up
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)  # last, so that no neighbour of the file hides a module
    try:
        spec.loader.exec_module(module)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # SystemExit too: a file that plays its own game and leaves
        where = blame(error, full) or f"{type(error).__name__}: {' '.join(str(error).split())}"
        raise BrokenGame(f"{path} cannot be loaded: {where}") from None
    return module


def _games_in(module: ModuleType) -> list[Any]:
    """Return the objects with the six functions in a module; its own classes too, if they have no object there."""
    found = [thing for name, thing in vars(module).items() if not name.startswith("_") and not missing_functions(thing)]
    objects = [thing for thing in found if not isinstance(thing, type)]
    made_from = {type(thing) for thing in objects}
    classes = [thing for thing in found if isinstance(thing, type) and thing.__module__ == module.__name__]
    return objects + [each for each in classes if each not in made_from]
