"""Faults: killed drivers and workers, full disks, folders that cannot be written, two solves in one folder."""

import errno
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

import noughts
from noughts.solving import solve as module
from noughts.solving.room import LARGEST, PART
from noughts.solving.solve import Stopped
from noughts.tables.writer import PartWriter
from tests.solving.faults import Case, solve_with_kills, wait_until_gone, workers_of
from tests.solving.solved import bytes_of

only_linux = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")


@pytest.fixture
def in_small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Solve tic-tac-toe in plain Python, by many small tasks."""
    monkeypatch.setattr(module, "native_coding", lambda _: None)
    for each in (PART, LARGEST):
        monkeypatch.setitem(each, "interpreted", 24)


def solved_whole(folder: Path) -> dict[str, str]:
    noughts.solve(noughts.load("tic-tac-toe"), folder, notation="tic-tac-toe", engine="local")
    return bytes_of(folder)


@only_linux
def test_killed_again_and_again(tmp_path: Path, in_small_parts: None) -> None:
    done = solve_with_kills(tmp_path / "killed", 6, Random(1), Case())
    assert done == 6
    assert bytes_of(tmp_path / "killed") == solved_whole(tmp_path / "whole")


@only_linux
@pytest.mark.long
@pytest.mark.parametrize(
    ("kills", "case"),
    [(100, Case()), (50, Case(method="native")), (50, Case("examples/dodgem.py", part=100))],
    ids=["interpreted", "native", "cyclic"],
)
def test_killed_200_times(kills: int, case: Case, tmp_path: Path) -> None:
    """Drivers and workers, at random; in all, with plain Python, with compiled rules, and where positions repeat."""
    whole = case.whole(tmp_path / "whole")
    random, done, runs = Random(2), 0, 0
    while done < kills:
        runs += 1
        done += solve_with_kills(tmp_path / f"killed-{runs}", min(10, kills - done), random, case)
        assert bytes_of(tmp_path / f"killed-{runs}") == whole


@only_linux
def test_no_worker_outlives_its_driver(tmp_path: Path) -> None:
    driver = Case("connect:4x4", part=512).begin(tmp_path / "table")
    workers: list[int] = []
    while len(workers) < 2:
        assert driver.poll() is None
        workers = workers_of(driver.pid)
    driver.send_signal(signal.SIGKILL)
    driver.wait()
    wait_until_gone(workers)


DISK = """
import resource, signal, subprocess, sys
from pathlib import Path
import noughts
from noughts.solving import room, solve
from tests.solving.solved import bytes_of

folder, engine, kind = sys.argv[1:]
room.PART["interpreted"] = room.LARGEST["interpreted"] = 24
solve.native_coding = lambda _: None
options = {"notation": "tic-tac-toe", "engine": engine, "workers": 2}
game = noughts.load("tic-tac-toe")

def mount(options):
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], check=True)

def at_most(size):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

def solved():
    noughts.solve(game, f"{folder}/table", **options)

if __name__ == "__main__":
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    if kind == "full":
        mount("size=200k")
    elif kind == "large":
        at_most(600)
    else:
        mount("size=20m")
        calls = iter(range(60))
        try:
            stop = {"engine": "local", "cancelled": lambda: next(calls, None) is None}
            noughts.solve(game, f"{folder}/table", **{**options, **stop})
        except noughts.NoughtsError:
            mount("remount,ro")
    try:
        solved()
    except noughts.NoughtsError as error:
        print(error)
    if kind == "large":
        at_most(resource.RLIM_INFINITY)
    else:
        mount("remount,rw,size=20m")
    solved()
    for name, digest in bytes_of(Path(folder, "table")).items():
        print(name, digest)
"""

APART = ["unshare", "--mount", "--map-root-user"]
"""A command that runs another with mounts of its own, which other processes do not see."""


def may_mount() -> bool:
    """Return whether this user may mount a file system in memory, in a process of its own."""
    if shutil.which("unshare") is None:
        return False
    return subprocess.run([*APART, "mount", "-t", "tmpfs", "tmpfs", "/mnt"], capture_output=True).returncode == 0


@only_linux
@pytest.mark.parametrize(
    ("kind", "engine", "why"),
    [
        ("full", "processes", errno.ENOSPC),
        pytest.param("full", "local", errno.ENOSPC, marks=pytest.mark.long),
        ("read-only", "processes", errno.EROFS),
        pytest.param("large", "processes", errno.EFBIG, marks=pytest.mark.long),
        pytest.param("large", "local", errno.EFBIG, marks=pytest.mark.long),
    ],
)
def test_a_real_disk_that_fails(kind: str, engine: str, why: int, tmp_path: Path, in_small_parts: None) -> None:
    """A small file system that fills up or turns read-only, or files that may not grow; then it is put right.

    Where nobody may mount anything, files that may not grow stand for the others.
    """
    apart = APART if kind != "large" and may_mount() else []
    if not apart:
        kind, why = "large", errno.EFBIG
    done = subprocess.run(
        [*apart, sys.executable, "-c", DISK, str(tmp_path), engine, kind], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    first, *files = done.stdout.splitlines()
    assert first.startswith("cannot write to ")
    assert first.endswith(f": {os.strerror(why)}; nothing is lost, and the same command goes on from here")
    assert dict(line.split() for line in files) == solved_whole(tmp_path / "whole")


def test_a_damaged_work_file_is_written_again(tmp_path: Path, in_small_parts: None) -> None:
    whole = solved_whole(tmp_path / "whole")
    folder = tmp_path / "damaged"
    stop_after(folder, 60)
    for path in sorted((folder / "work").glob("*.leads")):
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 1
        path.write_bytes(content)
    assert solved_whole(folder) == whole


def stop_after(folder: Path, looks: int) -> None:
    """Begin a solve that stops after so many tasks."""
    calls = iter(range(looks))
    with pytest.raises(Stopped, match="nothing is lost"):
        noughts.solve(
            noughts.load("tic-tac-toe"),
            folder,
            notation="tic-tac-toe",
            engine="local",
            cancelled=lambda: next(calls, None) is None,
        )


@pytest.mark.parametrize("looks", [1, 30, 70])
def test_stopped_and_gone_on(looks: int, tmp_path: Path, in_small_parts: None) -> None:
    stop_after(tmp_path / "stopped", looks)
    assert solved_whole(tmp_path / "stopped") == solved_whole(tmp_path / "whole")


@pytest.mark.parametrize(("error", "number"), [(errno.ENOSPC, 3), (errno.EROFS, 40), (errno.EDQUOT, 90)])
def test_a_disk_that_fails(
    error: int, number: int, tmp_path: Path, in_small_parts: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full when some file is written: one clear line, and the same call goes on when there is room."""
    written = 0

    def fsync(_: int) -> None:
        nonlocal written
        written += 1
        if written > number:
            raise OSError(error, os.strerror(error))

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", fsync)
        with pytest.raises(noughts.NoughtsError, match=f"{os.strerror(error)}; nothing is lost") as caught:
            solved_whole(tmp_path / "full")
    assert "\n" not in str(caught.value)
    assert not list((tmp_path / "full").rglob("*.tmp"))
    assert solved_whole(tmp_path / "full") == solved_whole(tmp_path / "whole")


def test_what_a_killed_task_had_begun_is_removed(tmp_path: Path, in_small_parts: None) -> None:
    """Such files are in the folder of the table, and nobody else would remove them."""
    stop_after(tmp_path / "killed", 60)
    begun = PartWriter(str(tmp_path / "killed"), "5-0", 5)
    assert solved_whole(tmp_path / "killed") == solved_whole(tmp_path / "whole")
    begun.discard()


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(noughts.NoughtsError, match="cannot write to"):
        noughts.solve(noughts.load("tic-tac-toe"), tmp_path / "file" / "table")


def test_two_solves_in_one_folder(tmp_path: Path) -> None:
    game: Any = noughts.load("tic-tac-toe")

    def again() -> bool:
        with pytest.raises(noughts.NoughtsError, match="another solve is at work"):
            noughts.solve(game, tmp_path)
        return False

    noughts.solve(game, tmp_path, engine="local", cancelled=again)


def test_work_of_another_game_is_kept(tmp_path: Path, in_small_parts: None) -> None:
    stop_after(tmp_path, 5)
    with pytest.raises(noughts.NoughtsError, match="another game"):
        noughts.solve(noughts.load("misere"), tmp_path)
