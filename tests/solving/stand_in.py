"""A module that takes the place of `ray` where Ray is not the subject: it runs tasks at once, in the process that asks.

How tasks are lost can be said beforehand. What Ray itself does is tested with Ray, in test_ray.py.
"""

from collections.abc import Callable, Iterable
from itertools import count
from types import SimpleNamespace
from typing import Any

__all__ = ["StandIn"]


class RayError(Exception):
    """As in Ray."""


class RayTaskError(RayError):
    """As in Ray: the task raised an exception."""

    cause = ModuleNotFoundError("No module named 'noughts'")


class WorkerCrashedError(RayError):
    """As in Ray."""


class OutOfMemoryError(RayError):
    """As in Ray."""


class NodeDiedError(RayError):
    """As in Ray."""


class StandIn:
    """The part of the module `ray` that is used."""

    exceptions = SimpleNamespace(
        RayError=RayError,
        RayTaskError=RayTaskError,
        WorkerCrashedError=WorkerCrashedError,
        OutOfMemoryError=OutOfMemoryError,
    )

    def __init__(self, losses: Iterable[Exception | None] = (), processors: int = 2) -> None:
        self._losses, self._processors = iter(losses), processors
        self._results: dict[int, Callable[[], Any]] = {}
        self._numbers = count()
        self.options: dict[str, Any] = {}

    def init(self, **_: Any) -> None:
        """Do nothing."""

    def shutdown(self) -> None:
        """Do nothing."""

    def nodes(self) -> list[dict[str, str]]:
        """Return the only node."""
        return [{"NodeManagerAddress": "127.0.0.1"}]

    def cluster_resources(self) -> dict[str, float]:
        """Return how many processors there are."""
        return {"CPU": float(self._processors)}

    def remote(self, function: Callable[..., Any]) -> Any:
        """Return what submits tasks."""

        def submit(*arguments: Any) -> int:
            number = next(self._numbers)
            self._results[number] = lambda: function(*arguments)
            return number

        def options(**chosen: Any) -> Any:
            self.options = chosen
            return SimpleNamespace(remote=submit)

        return SimpleNamespace(options=options)

    def wait(self, references: list[int], **_: Any) -> tuple[list[int], list[int]]:
        """Say that the first task is done."""
        return references[:1], references[1:]

    def get(self, reference: int) -> Any:
        """Return the result of a task, or raise the next loss."""
        result = self._results.pop(reference)
        loss = next(self._losses, None)
        if loss is not None:
            raise loss
        return result()
