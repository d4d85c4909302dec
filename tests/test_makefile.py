"""`make play`, as a new user types it: in a copy of the repository where nothing is set up."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pexpect
import pytest

from tests.helpers import TIMEOUT

NOT_COPIED = shutil.ignore_patterns(".git", ".venv", "*_cache", "__pycache__", ".hypothesis", "dist")


def make(folder: Path, target: str, **changes: str) -> "subprocess.CompletedProcess[str]":
    env = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS", "VIRTUAL_ENV"))}
    return subprocess.run(
        ["make", target],
        cwd=folder,
        env=env | changes,
        input="5\nquit\n",
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_make_play_sets_up_once_and_plays(tmp_path: Path) -> None:
    folder = tmp_path / "a folder with blanks"
    shutil.copytree(".", folder, ignore=NOT_COPIED)
    first = make(folder, "play")
    assert first.returncode == 0, first.stderr
    assert "Setting up .venv (once) ..." in first.stdout
    assert "The computer plays 1." in first.stdout
    assert first.stdout.endswith("Bye.\n")
    made = {path: path.stat().st_mtime_ns for path in (folder / ".venv").rglob("*.stamp")}
    second = make(folder, "play")
    assert second.stdout.startswith("Tic-tac-toe: you are X"), "nothing is set up again"
    assert made == {path: path.stat().st_mtime_ns for path in (folder / ".venv").rglob("*.stamp")}
    three_games(folder)
    command = [str(folder / ".venv/bin/noughts"), "lint", "examples/matches.py"]
    lint = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=TIMEOUT)
    assert lint.stdout == "examples/matches.py: no problem in all 20 positions\n"


def three_games(folder: Path) -> None:
    """In a terminal: lose one, draw one on the other side, draw one again, and leave the terminal as it was."""
    script = 'before=$(stty -a); make play; [ "$before" = "$(stty -a)" ] && echo AS BEFORE'
    child = pexpect.spawn("bash", ["-c", script], cwd=str(folder), encoding="utf-8", timeout=TIMEOUT)
    for moves, result, wish in (
        ("532", "computer wins", "swap"),
        ("5348", "a draw", "swap"),
        ("59247", "a draw", "no"),
    ):
        for move in moves:
            child.expect("Your move")
            child.sendline(move)
        child.expect(result)
        child.expect("Play again")
        child.sendline(wish)
    child.expect("AS BEFORE")
    child.close()


def test_make_alone_says_what_there_is() -> None:
    done = make(Path(), "help")
    assert done.returncode == 0
    for target in ("play", "site", "test", "test-long", "test-lowest", "bench", "format", "lock", "clean"):
        assert f"make {target}" in done.stdout


class Machine:
    """A machine with next to nothing on it, where `apt-get` and `sudo` only note what they were asked for."""

    def __init__(self, folder: Path, user: int = 0) -> None:
        self.folder = folder
        for name in ("make", "sh", "bash", "env", "touch", "chmod"):
            found = shutil.which(name)
            assert found is not None
            (folder / name).symlink_to(found)
        self.noted = folder / "noted.txt"
        self.add("id", f"echo {user}")

    def add(self, name: str, script: str) -> None:
        path = self.folder / name
        path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        path.chmod(0o755)

    def make_browser(self) -> "subprocess.CompletedProcess[str]":
        return make(Path(), "browser", PATH=str(self.folder))

    def asked(self) -> list[str]:
        return self.noted.read_text(encoding="utf-8").splitlines() if self.noted.exists() else []


@pytest.mark.parametrize("name", ["chromium", "chromium-browser", "google-chrome"])
def test_a_browser_that_is_there_is_taken(tmp_path: Path, name: str) -> None:
    machine = Machine(tmp_path)
    machine.add(name, "exit 1")
    machine.add("apt-get", 'echo "apt-get $*" >> "$(dirname "$0")/noted.txt"')
    done = machine.make_browser()
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert machine.asked() == []


@pytest.mark.parametrize("user", [0, 1000])
def test_a_missing_browser_is_installed(tmp_path: Path, user: int) -> None:
    machine = Machine(tmp_path, user)
    machine.add("apt-get", f'echo "apt-get $*" >> {machine.noted}')
    machine.add("sudo", f'echo "sudo $1" >> {machine.noted}; exec "$@"')
    done = machine.make_browser()
    assert done.returncode == 0, done.stderr
    assert done.stdout == "Installing Chromium for the browser tests (once) ...\n"
    update, install = "apt-get update -qq", "apt-get install -y -qq --no-install-recommends chromium fonts-liberation"
    assert machine.asked() == ([update, install] if user == 0 else ["sudo apt-get", update, "sudo env", install])


@pytest.mark.parametrize("apt", ["exit 1", None])
def test_a_browser_that_cannot_be_installed_is_asked_for_in_words(tmp_path: Path, apt: str | None) -> None:
    machine = Machine(tmp_path, user=1000)
    if apt is not None:
        machine.add("apt-get", apt)
    done = machine.make_browser()
    assert done.returncode == 2
    assert "the browser tests need Chromium: install it" in done.stderr


def test_the_tests_see_to_it_that_there_is_a_browser() -> None:
    makefile = Path("Makefile").read_text(encoding="utf-8")
    assert "\ntest: browser " in makefile
    assert "\ntest-long: browser " in makefile


def test_everything_is_installed_with_the_versions_that_are_tested() -> None:
    """`make play` and `make serve` included; the peers of the benchmarks have pinned requirements of their own."""
    installs = re.findall(r"install (?:\\\n\s*)?(-.*)", Path("Makefile").read_text(encoding="utf-8"))
    python = [each for each in installs if "-y" not in each and each != "-e '.[dev,cluster]'"]
    assert len(python) == 6
    assert all(each.startswith(("-c constraints", "-r $<")) for each in python)


def test_the_long_tests_include_the_lowest_versions() -> None:
    makefile = Path("Makefile").read_text(encoding="utf-8")
    assert "$(MAKE) test-lowest" in makefile.partition("\ntest-long: ")[2].partition("\n\n")[0]


def test_ci_runs_the_same_command_as_the_readme() -> None:
    assert Path(".ci/run").read_text(encoding="utf-8").rstrip().endswith("exec make test")


@pytest.mark.parametrize(("types", "tests"), [(0, 0), (1, 0), (0, 1)])
def test_make_test_reports_types_and_tests_and_fails_if_either_does(tmp_path: Path, types: int, tests: int) -> None:
    """The two run at the same time. The tools are stubs here."""
    programs = tmp_path / ".venv/bin"
    programs.mkdir(parents=True)
    for name, script in {
        "python": "exit 0",
        "ruff": "exit 0",
        "mypy": f"while [ ! -e begun ]; do sleep 0.01; done; echo types: {types}; exit {types}",
        "pytest": f"touch begun; echo tests: {tests}; exit {tests}",
        "chromium": "exit 0",
        "npm": "exit 0",
    }.items():
        (programs / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (programs / name).chmod(0o755)
    shutil.copy("Makefile", tmp_path)
    for name in ("pyproject.toml", "constraints.txt", ".venv/dev.stamp"):
        (tmp_path / name).touch()
    done = make(tmp_path, "test", PATH=f"{programs}{os.pathsep}{os.environ['PATH']}")
    assert (done.returncode == 0) == (types == tests == 0)
    assert f"tests: {tests}\n\n.venv/bin/mypy\ntypes: {types}\n" in done.stdout


def test_the_files_that_are_started_first_exist() -> None:
    text = Path("conftest.py").read_text(encoding="utf-8").partition("LONGEST = (")[2].partition("\n)")[0]
    named = re.findall(r'"([^"]+)"', text)
    assert len(named) > 10
    assert all(Path(name).is_file() for name in named)
