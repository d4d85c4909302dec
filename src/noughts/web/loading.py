"""Games given as files, loaded and tried in a process of their own before they are served.

The server never runs what is in them: a file may take for ever, print, fork, or end its process.
"""

import asyncio
from pathlib import Path
from typing import Any, NamedTuple

from noughts.errors import NoughtsError, shown
from noughts.web.pool import Listed
from noughts.web.worker_client import OutOfMemory, Settings, Worker

__all__ = ["LOADING", "GameFile", "load_files"]

LOADING = 10.0
"""Seconds that a file may take to be loaded, and its functions to be tried."""


class GameFile(NamedTuple):
    """A game that is in a file."""

    name: str
    """What it is called where games are named."""
    path: str
    digest: str
    """What its contents are known by."""
    listed: Listed


def load_files(paths: list[str], solve: str | None = None) -> list[GameFile]:
    """Load each of the files and try it; raise NoughtsError for the first that cannot be served.

    The one to `solve` is solved, if it is small.
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

    def tell(_: dict[str, Any]) -> None:
        nonlocal loaded
        loaded = True

    try:
        worker = await Worker.start(Settings(), nice=0)
    except (TimeoutError, EOFError, OSError):
        raise NoughtsError(f"no process could be started to load {shown(path, 200)} in") from None
    try:
        async with asyncio.timeout(LOADING):
            found = await worker.have("load", {"path": path, "solve": solve}, tell)
    except TimeoutError:
        late = "a function of the game did not return" if loaded else "it did not finish loading"
        raise NoughtsError(f"{path} cannot be served: {late} within {LOADING:g} s") from None
    except OutOfMemory:
        raise NoughtsError(
            f"{path} cannot be served: it takes more than {Settings().memory_mib} MiB of memory"
        ) from None
    except EOFError:
        raise NoughtsError(f"{path} cannot be served: it ended the process that loaded it") from None
    finally:
        await worker.end()
    if "error" in found:
        raise NoughtsError(found["error"])
    listed = Listed(found["title"], found["light"], found["small"])
    return GameFile(f"./{Path(path).name}", str(Path(path).resolve()), found["digest"], listed)
