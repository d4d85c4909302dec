"""Loads a Python file as a game, and finds the line of it that raised an error."""

import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from noughts.errors import BrokenGame, one_line, shown
from noughts.game import FUNCTIONS, Game, as_game, missing_functions
from noughts.interrupts import was_pressed

__all__ = ["LOADED", "blame", "file_of", "game_from_file", "named_error", "origin"]

LOADED: dict[str, str] = {}
"""The loaded files: maps the path that was given to the full path."""


def game_from_file(path: str) -> Game[Any, Any]:
    """Run a Python file and return the game in it: the file itself, or the one class or object with the six functions.

    Raises BrokenGame with the line of the file that failed.
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
    raise BrokenGame(f"{path} is not a game: it has no function {', '.join(missing)}")


def blame(error: BaseException, path: str | None) -> str | None:
    """Return where in the file an error was raised, as `line n: ErrorName: message`; None if elsewhere."""
    if isinstance(error, SyntaxError) and error.filename == path:
        return f"line {error.lineno}: {error.msg}"
    found = origin(error, path)
    return None if found is None else f"line {found[0]}: {named_error(found[1])}"


def origin(error: BaseException, path: str | None) -> tuple[int, BaseException] | None:
    """Return the innermost line of the file on which an error was raised, and that error; None if elsewhere.

    One error may cause another: a StopIteration inside a generator becomes a RuntimeError.
    """
    chain: list[BaseException] = []
    each: BaseException | None = error
    while each is not None and not any(each is other for other in chain):
        chain.append(each)
        line, trace = None, each.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == path:
                line = trace.tb_lineno
            trace = trace.tb_next
        if line is not None:
            return line, each
        each = each.__cause__ or each.__context__
    return None


def named_error(error: BaseException) -> str:
    """Return the name of any error and its message, on one line.

    >>> named_error(KeyError("a\\nb"))
    "KeyError: 'a\\\\nb'"
    """
    try:
        message = " ".join(one_line(str(error)).split())[:200]
    except Exception:  # an error class of the file whose __str__ fails
        message = ""
    return type(error).__name__ + (f": {message}" if message else "")


def file_of(game: object) -> str | None:
    """Return the path of the file that a game was loaded from by `game_from_file`, or None."""
    home = game if isinstance(game, ModuleType) else sys.modules.get(type(game).__module__)
    path = getattr(home, "__file__", None)
    return path if path in LOADED.values() else None


def _run(path: Path) -> ModuleType:
    spec = None
    try:
        is_file = path.is_file()
    except OSError as error:
        raise BrokenGame(f"{shown(str(path), 60)} cannot be read: {error.strerror}") from None
    if is_file:
        full = str(path.resolve())
        name = f"noughts_game_{abs(hash(full))}"
        spec = spec_from_file_location(name, full, loader=_SourceOnly(name, full) if path.suffix == ".py" else None)
        LOADED[str(path)] = full
    if spec is None or spec.loader is None:
        what = "is a folder" if path.is_dir() else "is not a Python file" if is_file else "does not exist"
        raise BrokenGame(f"{shown(str(path), 200)} {what}; a game is a Python file with {', '.join(FUNCTIONS)}")
    module = module_from_spec(spec)
    sys.modules[name] = module  # where dataclasses and pickle look a class up
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)  # last, so that no file beside it hides a module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:  # also SystemExit, from a file that plays its game and exits
        if was_pressed(error):
            raise
        raise BrokenGame(f"{path} cannot be loaded: {blame(error, full) or named_error(error)}") from None
    return module


class _SourceOnly(SourceFileLoader):
    """Loads a file from its source, never from bytecode, which is stale if the file changes twice within a second."""

    def path_stats(self, path: str) -> Any:
        """Raise OSError: without a modification time, bytecode is neither read nor written."""
        raise OSError(f"the bytecode of {path} is not wanted")


def _games_in(module: ModuleType) -> list[Any]:
    """Return the objects in a module that have the six functions, and its classes that have no such object."""
    found = [thing for name, thing in vars(module).items() if not name.startswith("_") and not missing_functions(thing)]
    objects = [thing for thing in found if not isinstance(thing, type)]
    made_from = {type(thing) for thing in objects}
    classes = [thing for thing in found if isinstance(thing, type) and thing.__module__ == module.__name__]
    return objects + [each for each in classes if each not in made_from]
