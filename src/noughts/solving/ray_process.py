"""The process that talks to Ray: it starts or joins a cluster, and gives it the tasks that it reads.

Ray may end the process that uses it, when the head node is gone; it prints what it likes, and reads the environment.
So it has a process of its own, which reads a line of settings and then a line for each task, and writes a line for each
answer. Every line that it writes says how many tasks it wants to have at once, as `room`.
"""

import json
import os
import sys
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from traceback import format_exc
from typing import Any, BinaryIO

from noughts.errors import NoughtsError, one_line
from noughts.guard import GUARD, kill_descendants
from noughts.solving.ray_node import SOFTWARE, answer_on_node
from noughts.solving.worker import MOST_DEATHS, end_with_parent, killed_too_often

__all__ = ["LOOPBACK", "TaskRunner", "main"]

LOOPBACK = "127.0.0.1"

OBJECT_STORE = 80 << 20
"""Bytes for Ray's object store, about the least that it takes: tasks exchange names of files, and nothing else."""

START = 300.0
"""Seconds for attempts to start Ray: it gives up when some process of its own takes 15 seconds, on a busy machine."""

MOST_LOSSES = 100
"""How often a task may get lost with its node before the solve gives up."""

COUNT_EVERY = 5.0
"""Seconds between two looks at how many processors the cluster has."""

WAIT = 0.1
"""Seconds to wait for an answer, or for a task, before looking for the other."""


def main() -> None:
    """Answer tasks until there are no more to come."""
    end_with_parent(int(os.environ[GUARD]))
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever Ray prints
    settings = json.loads(sys.stdin.buffer.readline())

    def tell(answer: dict[str, Any]) -> None:
        answers.write(json.dumps(answer).encode() + b"\n")
        answers.flush()

    try:
        ray = _connected(settings["address"], settings["workers"], settings["folder"])
        runner = TaskRunner(ray, settings["address"], settings["workers"], settings["mark"])
        tell({"room": runner.room()})
        requests: SimpleQueue[bytes | None] = SimpleQueue()
        Thread(target=_read, args=(sys.stdin.buffer, requests), daemon=True).start()
        while runner.take(requests):
            for answer in runner.answers():
                tell({"room": runner.room(), **answer})
        ray.shutdown()
    except NoughtsError as error:
        tell({"room": 0, "error": type(error).__name__, "message": str(error)})
    except Exception as error:  # whatever Ray raises, which has no class in common
        print(format_exc(), file=sys.stderr)
        tell({"room": 0, "error": "NoughtsError", "message": _explained(error, settings["address"])})
    os._exit(0)  # without waiting for Ray's own threads


def _connected(address: str | None, workers: int, folder: str) -> Any:
    """Return the module ray, connected to a cluster, or to one of its own on this machine that nobody else can use."""
    import ray

    if address is not None:
        ray.init(address=address, log_to_driver=False)
        return ray
    until = monotonic() + START
    while True:
        try:
            ray.init(
                address="local",
                num_cpus=workers,
                num_gpus=0,
                include_dashboard=False,
                log_to_driver=False,
                object_store_memory=OBJECT_STORE,
                _node_ip_address=LOOPBACK,
                _temp_dir=folder,
            )
            break
        except Exception as error:
            if "timed out" not in str(error) or monotonic() > until:
                raise
            kill_descendants()
            ray.shutdown()
    bound = {node["NodeManagerAddress"] for node in ray.nodes()}
    if bound != {LOOPBACK}:
        raise NoughtsError(f"Ray uses the address {', '.join(sorted(bound))}, which others can reach, so it was ended")
    return ray


def _explained(error: Exception, address: str | None) -> str:
    """Return an error of Ray in one line."""
    said = one_line(str(error).strip().partition("\n")[0])[:300] or type(error).__name__
    if type(error).__name__ == "AuthenticationError":
        return f"the Ray cluster at {address} refuses the token; give the right one in RAY_AUTH_TOKEN"
    if address is None:
        return f"Ray cannot be started: {said}"
    if isinstance(error, ConnectionError):  # what Ray raises depends on how far the handshake came
        return f"the Ray cluster at {address} cannot be reached, or refuses the token in RAY_AUTH_TOKEN: {said}"
    return f"the Ray cluster at {address} cannot be used: {said}"


def _read(tasks: BinaryIO, requests: "SimpleQueue[bytes | None]") -> None:
    """Hand on each line, and then None."""
    for line in tasks:
        requests.put(line)
    requests.put(None)


class TaskRunner:
    """Runs tasks on Ray, and again those that were lost with a worker or a node."""

    def __init__(self, ray: Any, address: str | None, workers: int | None, mark: str) -> None:
        self._ray, self._is_own, self._workers, self._mark = ray, address is None, workers, mark
        self._remote = ray.remote(answer_on_node).options(num_cpus=1, max_retries=0)
        self._pending: dict[Any, bytes] = {}
        self._deaths: dict[bytes, int] = {}
        self._losses: dict[bytes, int] = {}
        self._processors, self._counted = 0, -COUNT_EVERY

    def room(self) -> int:
        """Return how many tasks to have at once: enough for all processors, and as many that wait already."""
        if self._workers is not None and not self._is_own:
            return self._workers
        if monotonic() - self._counted >= COUNT_EVERY:
            self._processors = int(self._ray.cluster_resources().get("CPU", 0))
            self._counted = monotonic()
        return max(1, 2 * self._processors)

    def take(self, requests: "SimpleQueue[bytes | None]") -> bool:
        """Submit the tasks that have come, after waiting for one if there is none; return False at their end."""
        with suppress(Empty):
            while True:
                request = requests.get(timeout=0 if self._pending else WAIT)
                if request is None:
                    return False
                self._submit(request)
        return True

    def _submit(self, request: bytes) -> None:
        self._pending[self._remote.remote(request, self._mark, SOFTWARE)] = request

    def answers(self) -> list[dict[str, Any]]:
        """Return the answers that there are, after waiting for one; submit again what was lost."""
        if not self._pending:
            return []
        done, others = self._ray.wait(list(self._pending), num_returns=1, timeout=WAIT)
        if done and others:
            done += self._ray.wait(others, num_returns=len(others), timeout=0)[0]
        found = [(request, self._answer(reference, request)) for reference, request in self._taken(done)]
        return [{"output": json.loads(request)[1][1], **answer} for request, answer in found if answer is not None]

    def _taken(self, references: list[Any]) -> list[tuple[Any, bytes]]:
        return [(reference, self._pending.pop(reference)) for reference in references]

    def _answer(self, reference: Any, request: bytes) -> dict[str, Any] | None:
        """Return the answer to a request; None if it was lost, and has been submitted again."""
        errors = self._ray.exceptions
        try:
            answer: dict[str, Any] = self._ray.get(reference)
            return answer
        except (errors.WorkerCrashedError, errors.OutOfMemoryError):
            counts, most = self._deaths, MOST_DEATHS
        except errors.RayTaskError as error:  # the node could not even begin, or its answer be read
            said = one_line(str(error.cause or error).strip().rpartition("\n")[2])
            message = f"a node of the Ray cluster cannot run tasks of noughts: {said[:300]}"
            return {"error": "NoughtsError", "message": message}
        except errors.RayError as error:
            counts, most = self._losses, MOST_LOSSES
            print(f"lost: {type(error).__name__}: {error}", file=sys.stderr)
        counts[request] = counts.get(request, 0) + 1
        if counts[request] == most:
            return {"error": "NoughtsError", "message": str(killed_too_often())}
        self._submit(request)
        return None
