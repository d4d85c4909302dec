"""What a node of a Ray cluster does with a task; before the first one it looks whether it sees the same files."""

import json
import os
import zlib
from contextlib import suppress
from functools import lru_cache
from typing import Any

from noughts import __version__
from noughts.capabilities import ResolvedGame
from noughts.compiled.build import available
from noughts.errors import NoughtsError, shown
from noughts.serial import rules_digest
from noughts.solving.files import facts_of
from noughts.solving.tasks import Job
from noughts.solving.worker import answer_to, job_of

__all__ = ["SOFTWARE", "answer_on_node"]

SOFTWARE = f"noughts {__version__} with zlib {zlib.ZLIB_RUNTIME_VERSION}"
"""What the bytes of files depend on."""


def answer_on_node(request: bytes, mark: str, software: str) -> dict[str, Any]:
    """Do a task and return its answer, as a worker does.

    `mark` is the name of a file in the work folder that is there for this run only, and `software` what the driver
    runs: a node that sees another folder, or has another version or another copy of the game's file, would do damage.
    """
    try:
        _check(job_of(json.loads(request)[0]), mark, software)
    except NoughtsError as error:
        return {"error": type(error).__name__, "message": f"on node {_address()}: {error}"}
    return answer_to(request)


@lru_cache(maxsize=4)
def _check(job: Job, mark: str, software: str) -> None:
    """Raise NoughtsError if this node cannot work on a job."""
    if software != SOFTWARE:
        raise NoughtsError(f"there is {SOFTWARE}, and the driver has {software}; all must have the same")
    if not os.path.exists(os.path.join(job.work, mark)):
        raise NoughtsError(f"{shown(job.folder, 60)} is not the driver's folder; all nodes must share it, by this path")
    if job.method == "native" and not available():
        raise NoughtsError("numba is missing; pip install 'noughts[fast]'")
    known = facts_of(os.path.join(job.work, "job"))
    game: ResolvedGame[Any, Any] = job.game.load()
    if known is None or known["rules"] != rules_digest(game):
        raise NoughtsError("the game has other rules than the driver's: its file is another copy, perhaps")


def _address() -> str:
    with suppress(ImportError):
        import ray

        return str(ray.util.get_node_ip_address())
    return "unknown"
