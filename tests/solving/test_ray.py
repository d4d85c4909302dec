"""Solving on Ray itself: on clusters on this machine, whose workers, nodes and heads are killed."""

import os
import re
import secrets
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

import noughts
from noughts.guard import descendants, guarded
from noughts.solving.ray_engine import require_ray
from tests.solving.faults import Case, files_in, wait_until_gone
from tests.solving.solved import bytes_of

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc"),
]

PATIENCE = 300.0
"""Seconds after which something that should happen is taken not to."""

LISTENING = "0A"
LOOPBACK = {"0100007F", "0000000000000000FFFF00000100007F", "00000000000000000000000001000000"}
"""127.0.0.1 in IPv4 and written in IPv6, and ::1, as /proc shows them."""


@pytest.fixture(autouse=True)
def ray_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail where Ray is missing: these tests are for it. Forget what the user has set for Ray."""
    require_ray()
    for name in [name for name in os.environ if name.startswith("RAY_")]:
        monkeypatch.delenv(name)


class Node:
    """A node of a cluster on this machine, with one processor, which ends with everything that it has started."""

    def __init__(self, folder: Path, *options: str) -> None:
        self._life, writing = os.pipe()
        self._writing = writing
        ray = "from ray.scripts.scripts import main; main()"
        start = [sys.executable, "-c", ray, "start", "--block", "--num-cpus=1", "--object-store-memory=80000000"]
        (folder / "node").mkdir(exist_ok=True)
        with open(folder / f"node-{secrets.token_hex(4)}.log", "wb") as log:
            self.guard = subprocess.Popen(
                guarded([*start, "--disable-usage-stats", *options], str(folder / "node"), self._life),
                pass_fds=[self._life],
                stdout=log,
                stderr=log,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(each for each in sys.path if each)},
            )
        self.log = Path(log.name)
        os.close(self._life)

    def end(self) -> None:
        """Kill all its processes at once."""
        if self.guard.poll() is None:
            os.close(self._writing)
            self.guard.wait()

    def await_start(self) -> str:
        """Wait until it says that it has started; return what it printed."""
        until = monotonic() + PATIENCE
        while "Ray runtime started" not in (said := self.log.read_text(errors="replace")):
            assert self.guard.poll() is None, said
            assert monotonic() < until, said
            sleep(0.1)
        return said


class Cluster:
    """A cluster of a head node and others."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.nodes: list[Node] = []
        self.head = self._add("--head", "--port=0", "--include-dashboard=false", f"--temp-dir=/tmp/ray-{os.getpid()}")
        said = self.head.await_start()
        found = re.search(r"--address='?([\d.]+:\d+)", said)
        assert found is not None, said
        self.address = found[1]

    def add(self) -> Node:
        """Return another node, which has started."""
        node = self._add(f"--address={self.address}")
        node.await_start()
        return node

    def _add(self, *options: str) -> Node:
        for _ in range(5):  # on a busy machine, Ray may give up on processes of its own
            node = Node(self._folder, *options)
            try:
                node.await_start()
            except AssertionError:
                node.end()
                continue
            self.nodes.append(node)
            return node
        raise AssertionError(node.log.read_text(errors="replace"))


@pytest.fixture
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cluster]:
    """A cluster with token authentication, whose only node is its head."""
    monkeypatch.setenv("RAY_AUTH_MODE", "token")
    monkeypatch.setenv("RAY_AUTH_TOKEN", secrets.token_hex(32))
    found = Cluster(tmp_path)
    yield found
    for node in found.nodes:
        node.end()


def await_files(folder: Path, files: int, driver: "subprocess.Popen[Any]") -> None:
    """Wait until a solve has so many files of work."""
    until = monotonic() + PATIENCE
    while files_in(folder) < files:
        assert driver.poll() is None, "it has ended too early"
        assert monotonic() < until
        sleep(0.01)


def names(processes: list[int]) -> dict[int, str]:
    """Return the names of processes."""
    found = {}
    for each in processes:
        try:
            found[each] = Path(f"/proc/{each}/cmdline").read_text().replace("\0", " ").strip()
        except OSError:
            continue
    return found


def workers_below(process: int) -> list[int]:
    """Return the workers of Ray that do tasks, or wait for some."""
    return [each for each, name in names(list(descendants(process))).items() if re.match("ray::(answer|IDLE)", name)]


def kill_workers(nodes: list[Node], times: int, folder: Path, driver: "subprocess.Popen[Any]") -> int:
    """Kill a worker, so many times, each some files after the last; return how many were killed."""
    killed = 0
    while killed < times and driver.poll() is None:
        await_files(folder, files_in(folder) + 3, driver)
        for node in nodes:
            for worker in workers_below(node.guard.pid)[:1]:
                os.kill(worker, signal.SIGKILL)
                killed += 1
    return killed


@pytest.mark.parametrize(
    "case",
    [Case("connect:4x4", 512), Case("connect:4x4", 512, method="native"), Case("examples/dodgem.py", 100)],
    ids=["interpreted", "native", "cyclic"],
)
def test_the_same_bytes_on_two_nodes_one_of_which_dies(case: Case, cluster: Cluster, tmp_path: Path) -> None:
    """Workers are killed too; two tasks are done at once, and then one."""
    second = cluster.add()
    folder = tmp_path / "killed"
    driver = case._replace(engine="ray", address=cluster.address, workers=4).begin(folder)
    await_files(folder, 5, driver)
    assert kill_workers(cluster.nodes, 4, folder, driver) >= 4
    assert driver.poll() is None
    second.end()
    assert driver.wait() == 0
    assert bytes_of(folder) == case.whole(tmp_path / "whole")


def test_the_head_dies_and_the_solve_goes_on_elsewhere(cluster: Cluster, tmp_path: Path) -> None:
    case, folder = Case("connect:4x4", 512), tmp_path / "killed"
    driver = case._replace(engine="ray", address=cluster.address).begin(folder, stderr=subprocess.PIPE, text=True)
    await_files(folder, 8, driver)
    cluster.head.end()
    _, said = driver.communicate()
    assert driver.returncode == 1
    assert re.fullmatch(r"(Ray has ended|the Ray cluster at).*\n", said)
    assert case.begin(folder).wait() == 0
    assert bytes_of(folder) == case.whole(tmp_path / "whole")


@pytest.mark.parametrize("token", ["", "wrong" * 8])
def test_a_cluster_refuses_whoever_has_no_token(
    token: str, cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ray refuses it, when `RAY_AUTH_MODE` says that there should be none."""
    monkeypatch.setenv("RAY_AUTH_MODE", "token" if token else "disabled")
    monkeypatch.setenv("RAY_AUTH_TOKEN", token)
    with pytest.raises(noughts.NoughtsError) as caught:
        noughts.solve(
            noughts.load("nim:2,3"), tmp_path / "table", notation="nim:2,3", engine="ray", address=cluster.address
        )
    assert re.search("token|Ray has ended", str(caught.value))
    assert not list((tmp_path / "table" / "work").glob("*.run"))


def listening(processes: set[int]) -> dict[str, int]:
    """Return the addresses at which processes listen, and how many ports there are at each."""
    inodes = set()
    for each in processes:
        for number in Path(f"/proc/{each}/fd").iterdir():
            try:
                inodes.add(os.readlink(number))
            except OSError:
                continue
    found: dict[str, int] = {}
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            words = line.split()
            if words[3] == LISTENING and f"socket:[{words[9]}]" in inodes:
                address = words[1].partition(":")[0]
                found[address] = found.get(address, 0) + 1
    return found


def test_a_cluster_of_our_own(tmp_path: Path) -> None:
    """Only this machine can reach it; with its driver it ends, at once; and the solve goes on from there."""
    case = Case("connect:4x4", 512, engine="ray")
    driver = case.begin(tmp_path / "killed")
    await_files(tmp_path / "killed", 20, driver)
    below = list(descendants(driver.pid))
    assert any("gcs_server" in name for name in names(below).values())
    found = listening({driver.pid, *below})
    assert sum(found.values()) >= 5
    assert set(found) <= LOOPBACK
    raylet = next(each for each, name in names(below).items() if "raylet" in name.split()[0])
    environment = Path(f"/proc/{raylet}/environ").read_text().split("\0")
    assert "RAY_AUTH_MODE=token" in environment
    assert "RAY_USAGE_STATS_ENABLED=0" in environment
    token = next(line for line in environment if line.startswith("RAY_AUTH_TOKEN="))
    assert len(token.partition("=")[2]) == 64
    driver.send_signal(signal.SIGKILL)
    driver.wait()
    wait_until_gone(below, seconds=5)
    assert case.begin(tmp_path / "killed").wait() == 0
    assert bytes_of(tmp_path / "killed") == case.whole(tmp_path / "whole")


def test_ctrl_c_stops_it(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "noughts",
        "solve",
        "connect:5x5",
        "-o",
        str(tmp_path / "t"),
        "--engine",
        "ray",
        "--json",
    ]
    driver = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    await_files(tmp_path / "t", 8, driver)
    below = list(descendants(driver.pid))
    os.killpg(driver.pid, signal.SIGINT)
    out, err = driver.communicate()
    assert (driver.returncode, out) == (2, "")
    assert err == "noughts: stopped; nothing is lost; the same command goes on from there\n"
    wait_until_gone(below, seconds=0)


def test_a_broken_game_is_one_line(tmp_path: Path) -> None:
    """It raises an error in other processes than the driver's, in the middle of the game; Ray prints nothing."""
    path = tmp_path / "broken.py"
    source = Path("examples/dodgem.py").read_text(encoding="utf-8")
    source = source.replace("def result(", "def fails(", 1) + (
        "\n\nimport sys\nCALLS = []\n\n\ndef result(state, action):\n    CALLS.append(1)\n"
        "    if len(CALLS) > 1000 and 'ray' in sys.modules:\n        raise KeyError('no such square')\n"
        "    return fails(state, action)\n"
    )
    path.write_text(source, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "noughts",
        "solve",
        str(path),
        "-o",
        str(tmp_path / "t"),
        "--engine",
        "ray",
        "--json",
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(r"noughts: .*line \d+: KeyError: 'no such square'\n", done.stderr)
