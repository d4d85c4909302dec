"""Checking game files before they are served, each in a separate process.

The server itself never runs a game file: it may loop for ever, print, fork, or end its process.
"""

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from noughts.errors import BadTable, NoughtsError, shown, shown_path
from noughts.notation import is_path, load, normalised
from noughts.tables.manifest import read_manifest
from noughts.tables.table import Table
from noughts.web.pool import GameInfo
from noughts.web.worker_client import OutOfMemory, PoolSettings, WorkerClient

__all__ = ["LOAD_TIMEOUT", "GameFile", "load_files", "table_of"]

LOAD_TIMEOUT = 10.0
"""Seconds in which a file must load and its functions must return."""


class GameFile(NamedTuple):
    """A game that is defined in a file."""

    name: str
    """The name under which the API serves it."""
    path: str
    digest: str
    """A hash of its contents."""
    info: GameInfo


def load_files(paths: list[str], solve: str | None = None) -> list[GameFile]:
    """Load each file and try its functions; raise NoughtsError for the first one that cannot be served.

    The file named by `solve` is also solved, if its game is small.
    """
    return asyncio.run(_load_all(paths, solve)) if paths else []


async def _load_all(paths: list[str], solve: str | None) -> list[GameFile]:
    tasks = [asyncio.create_task(_load(path, path == solve)) for path in paths]
    try:
        return [await task for task in tasks]
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _load(path: str, solve: bool) -> GameFile:
    loaded = False

    def on_progress(_: dict[str, Any]) -> None:
        nonlocal loaded
        loaded = True

    try:
        worker = await WorkerClient.start(PoolSettings(), nice=0)
    except (TimeoutError, EOFError, OSError):
        raise NoughtsError(f"could not start a process to load {shown(path, 200)}") from None
    try:
        async with asyncio.timeout(LOAD_TIMEOUT):
            found = await worker.run("load", {"path": path, "solve": solve}, on_progress)
    except TimeoutError:
        late = "a function of the game did not return" if loaded else "it did not finish loading"
        raise NoughtsError(f"{path} cannot be served: {late} within {LOAD_TIMEOUT:g} s") from None
    except OutOfMemory:
        raise NoughtsError(
            f"{path} cannot be served: it needs more than {PoolSettings().memory_mib} MiB of memory"
        ) from None
    except EOFError:
        raise NoughtsError(f"{path} cannot be served: it ended the process that loaded it") from None
    finally:
        await worker.kill()
    if "error" in found:
        raise NoughtsError(found["error"])
    info = GameInfo(found["title"], found["light"], found["small"])
    return GameFile(f"./{Path(path).name}", str(Path(path).resolve()), found["digest"], info)


def table_of(folder: str, files: Mapping[str, tuple[str, str]]) -> tuple[str, str]:
    """Return the name of the game that a table is of, and its folder; raise BadTable if it is of none that is served.

    Whether a table fits the rules of a game file is found out by the workers.
    """
    named = read_manifest(folder).game
    if not is_path(named):
        Table(folder, load(named)).close()
        return normalised(named), os.path.abspath(folder)
    for name, (path, _) in files.items():
        if os.path.realpath(path) == os.path.realpath(named):
            return name, os.path.abspath(folder)
    raise BadTable(f"the table {shown_path(folder)} is of {shown(named, 60)}, which is not served")
