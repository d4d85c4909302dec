"""The engine for Ray, without Ray: what it asks for, what it refuses, and what is done again."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError
from itertools import repeat
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

import noughts
from noughts.cli import main
from noughts.guard import guarded
from noughts.solving import ray_engine, ray_node
from noughts.solving.files import write_work
from noughts.solving.ray_engine import RayEngine, environment_for
from noughts.solving.ray_node import SOFTWARE, answer_on_node
from noughts.solving.ray_process import TaskRunner
from noughts.solving.room import LARGEST, PART
from noughts.solving.solve import solve
from noughts.solving.sources import GameSource
from noughts.solving.tasks import Job, Task
from noughts.solving.worker import MOST_DEATHS, request_of
from tests.solving.faults import wait_until_gone
from tests.solving.solved import bytes_of
from tests.solving.stand_in import NodeDiedError, RayTaskError, StandIn, WorkerCrashedError

MODULE = """
import sys
from tests.solving.stand_in import StandIn
stand_in = StandIn(processors=2)
stand_in.util = stand_in
stand_in.get_node_ip_address = lambda: "10.0.0.7"
sys.modules["ray"] = stand_in
"""


@pytest.fixture
def without_ray(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a stand-in take the place of Ray in other processes."""
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules" / "ray.py").write_text(MODULE)
    monkeypatch.syspath_prepend(str(tmp_path / "modules"))
    monkeypatch.setattr(ray_engine, "version", lambda _: "2.60.0")
    for each in (PART, LARGEST):
        monkeypatch.setitem(each, "interpreted", 40)


@pytest.mark.parametrize("address", [None, "auto"])
def test_the_same_bytes(
    address: str | None, tmp_path: Path, without_ray: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAY_AUTH_TOKEN", "secret")
    game = noughts.load("tic-tac-toe")
    solve(game, tmp_path / "ray", notation="tic-tac-toe", engine="ray", address=address, workers=2)
    solve(game, tmp_path / "local", notation="tic-tac-toe", engine="local")
    assert bytes_of(tmp_path / "ray") == bytes_of(tmp_path / "local")


def test_an_error_of_the_game_is_one_line(tmp_path: Path, without_ray: None) -> None:
    source = Path("examples/dodgem.py").read_text(encoding="utf-8")
    path = tmp_path / "broken.py"
    path.write_text(source + "\n\nimport sys\nif type(sys.modules.get('ray')).__name__ == 'StandIn':\n    1 / 0\n")
    with pytest.raises(noughts.BrokenGame, match=r"on node 10\.0\.0\.7: .*ZeroDivisionError") as caught:
        solve(noughts.load(str(path)), tmp_path / "table", notation=str(path), engine="ray", workers=1)
    assert "\n" not in str(caught.value)


def test_what_ray_cannot_do_is_one_line(tmp_path: Path, without_ray: None) -> None:
    """Here the process that talks to Ray ends, with a last line of its own."""
    (tmp_path / "modules" / "ray.py").write_text("import os\nos.write(2, b'gone\\nthe head\\n')\nos._exit(1)\n")
    with pytest.raises(noughts.NoughtsError, match=r"Ray has ended \('the head'\); the same command goes on from here"):
        solve(noughts.load("nim:2,2"), tmp_path / "table", notation="nim:2,2", engine="ray")


def test_ray_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(ray_engine, "version", missing)
    folder = tmp_path / "table"
    assert main(["solve", "nim:1,2", "-o", str(folder), "--engine", "ray"]) == 2
    assert capsys.readouterr().err == "noughts: --engine ray needs the package ray; pip install 'noughts[cluster]'\n"
    assert not folder.exists()


@pytest.mark.parametrize("found", ["2.53.9", "1.13.0", "2.9.3"])
def test_old_versions_are_refused(found: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_engine, "version", lambda _: found)
    with pytest.raises(noughts.NoughtsError, match=f"Ray {found} has known security holes: 2.54 or newer is needed"):
        RayEngine()


@pytest.mark.parametrize("found", ["2.54.0", "2.100.0", "3.0.0rc1"])
def test_new_versions_are_accepted(found: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_engine, "version", lambda _: found)
    RayEngine().close()


def test_an_address_is_for_ray(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "nim:1,2", "-o", str(tmp_path), "--address", "auto"]) == 2
    assert capsys.readouterr().err == "noughts: --address is for --engine ray\n"
    with pytest.raises(noughts.NoughtsError, match="choose the engine ray"):
        solve(noughts.load("nim:1,2"), tmp_path, address="auto")


def test_a_cluster_of_our_own_has_a_new_token() -> None:
    first, second = (environment_for(None, {}) for _ in range(2))
    assert first["RAY_AUTH_MODE"] == "token"
    assert len(first["RAY_AUTH_TOKEN"]) == 64
    assert first["RAY_AUTH_TOKEN"] != second["RAY_AUTH_TOKEN"]
    assert first["RAY_USAGE_STATS_ENABLED"] == "0"


def test_what_the_user_says_about_tokens_stays() -> None:
    assert "RAY_AUTH_TOKEN" not in environment_for(None, {"RAY_AUTH_MODE": "disabled"})
    assert "RAY_AUTH_TOKEN" not in environment_for(None, {"RAY_AUTH_TOKEN_PATH": "token"})
    assert environment_for("auto", {"RAY_AUTH_TOKEN": "mine"})["RAY_AUTH_TOKEN"] == "mine"
    assert environment_for("auto", {"RAY_AUTH_MODE": "disabled"})["RAY_AUTH_MODE"] == "disabled"


def test_joining_a_cluster_needs_a_token(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(noughts.NoughtsError, match="there is no token for the Ray cluster"):
        environment_for("auto", {})
    (tmp_path / ".ray").mkdir()
    (tmp_path / ".ray" / "auth_token").write_text("a token")
    assert environment_for("auto", {})["RAY_AUTH_MODE"] == "token"


def job_in(folder: Path) -> Job:
    """Return a job whose work file is there, with the mark of a run."""
    job = Job(GameSource("nim:2,2"), str(folder), str(folder), "interpreted", 9, 9, '{"kind": "serial"}', True)
    write_work(str(folder / "job"), {"rules": "the digest", "way": []})
    (folder / "mark").touch()
    return job


def request(folder: Path, number: int = 0, job: Job | None = None) -> bytes:
    output = str(folder / f"{number}.leads")
    return request_of(job or job_in(folder), Task("seed", output, {"run": str(folder / f"{number}.run")}, 0))


@pytest.fixture
def same_rules(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let every game have the rules of the job."""
    monkeypatch.setattr(ray_node, "rules_digest", lambda _: "the digest")
    monkeypatch.setattr(ray_node, "_address", lambda: "10.0.0.7")
    yield
    ray_node._check.cache_clear()


def test_a_node_that_has_everything(tmp_path: Path, same_rules: None) -> None:
    assert "facts" in answer_on_node(request(tmp_path), "mark", SOFTWARE)


def test_a_node_with_another_folder(tmp_path: Path, same_rules: None) -> None:
    answer = answer_on_node(request(tmp_path), "another", SOFTWARE)
    assert "is not the driver's folder; all nodes must share it" in answer["message"]


def test_a_node_with_another_version(tmp_path: Path, same_rules: None) -> None:
    answer = answer_on_node(request(tmp_path), "mark", "noughts 0.0.1 with zlib 1")
    assert "and the driver has noughts 0.0.1 with zlib 1; all must have the same" in answer["message"]


def test_a_node_with_another_game(tmp_path: Path, same_rules: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_node, "rules_digest", lambda _: "another digest")
    answer = answer_on_node(request(tmp_path), "mark", SOFTWARE)
    assert "the game has other rules than the driver's" in answer["message"]


def test_a_node_without_the_file_of_the_game(tmp_path: Path, same_rules: None) -> None:
    job = job_in(tmp_path)._replace(game=GameSource(str(tmp_path / "gone.py")))
    answer = answer_on_node(request(tmp_path, job=job), "mark", SOFTWARE)
    assert answer["message"].startswith("on node 10.0.0.7: ")
    assert "gone.py' does not exist" in answer["message"]


def test_a_node_without_numba(tmp_path: Path, same_rules: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_node, "available", lambda: False)
    job = job_in(tmp_path)._replace(method="native")
    assert "numba is missing" in answer_on_node(request(tmp_path, job=job), "mark", SOFTWARE)["message"]


def answers(ray: Any, requests: list[bytes], workers: int | None = None) -> list[dict[str, Any]]:
    """Return the answers of a runner to requests."""
    runner = TaskRunner(ray, "auto", workers, "mark")
    queue: SimpleQueue[bytes | None] = SimpleQueue()
    for each in requests:
        queue.put(each)
    assert runner.take(queue)
    found: list[dict[str, Any]] = []
    while len(found) < len(requests):
        found += runner.answers()
    return found


def test_what_is_lost_is_done_again(tmp_path: Path, same_rules: None) -> None:
    losses = iter([WorkerCrashedError(), NodeDiedError(), None, WorkerCrashedError()])
    ray = StandIn(losses)
    requests = [request(tmp_path, number) for number in range(3)]
    found = answers(ray, requests)
    assert {Path(each["output"]).name for each in found} == {"0.leads", "1.leads", "2.leads"}
    assert all("facts" in each for each in found)
    assert ray.options == {"num_cpus": 1, "max_retries": 0}


def test_what_kills_its_worker_always_is_given_up(tmp_path: Path, same_rules: None) -> None:
    (found,) = answers(StandIn(repeat(WorkerCrashedError())), [request(tmp_path)])
    assert f"killed {MOST_DEATHS} times at the same work" in found["message"]


def test_nodes_may_die_more_often(tmp_path: Path, same_rules: None) -> None:
    (found,) = answers(StandIn(iter([NodeDiedError()] * 4 * MOST_DEATHS)), [request(tmp_path)])
    assert "facts" in found


def test_a_node_that_cannot_begin(tmp_path: Path) -> None:
    (found,) = answers(StandIn(iter([RayTaskError("a\nlong\ntraceback")])), [request(tmp_path)])
    assert found["message"] == "a node of the Ray cluster cannot run tasks of noughts: No module named 'noughts'"


@pytest.mark.parametrize(("workers", "room"), [(None, 14), (3, 3)])
def test_room_for_tasks(workers: int | None, room: int) -> None:
    assert TaskRunner(StandIn(processors=7), "auto", workers, "mark").room() == room


FAMILY = """
import os, subprocess, sys, time
child = [sys.executable, "-c", "import time; time.sleep(1000)"]
print(os.getpid())
for session in (False, True):
    print(subprocess.Popen(child, start_new_session=session).pid)
leave = f"import subprocess; print(subprocess.Popen({child!r}, start_new_session=True).pid, flush=True)"
subprocess.run([sys.executable, "-c", leave])
print("done", flush=True)
time.sleep(1000 if sys.argv[1] == "stay" else 0)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="orphans are found in /proc")
@pytest.mark.parametrize("end", ["stay", "leave"])
def test_a_guard_leaves_no_process_behind(end: str, tmp_path: Path) -> None:
    """When the driver ends, and when the process that is guarded does: not even those that left the family."""
    (tmp_path / "folder").mkdir()
    reading, writing = os.pipe()
    command = guarded([sys.executable, "-c", FAMILY, end], str(tmp_path / "folder"), reading)
    guard = subprocess.Popen(command, pass_fds=[reading], stdout=subprocess.PIPE, text=True)
    assert guard.stdout is not None
    found = [int(line) for line in iter(guard.stdout.readline, "done\n")]
    assert len(found) == 4
    guard.send_signal(signal.SIGINT)  # Ctrl-C is for the driver
    if end == "stay":
        os.close(writing)
    guard.wait()
    guard.stdout.close()
    wait_until_gone(found, seconds=0)
    assert not (tmp_path / "folder").exists()


def test_requests_are_lines() -> None:
    job = Job(GameSource("nim:2,2"), "a\nfolder", "work", "native", 1, 2, "null", False)
    assert json.loads(request_of(job, Task("merge", "b", {}, 0)))[1][1] == "b"
    assert request_of(job, Task("merge", "b", {}, 0)).count(b"\n") == 1
