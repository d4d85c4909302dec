"""`make play`, as a new user types it: in a copy of the repository where nothing is set up."""

import os
import shutil
import subprocess
from pathlib import Path

import pexpect

NOT_COPIED = shutil.ignore_patterns(".git", ".venv", "*_cache", "__pycache__", ".hypothesis", "dist")


def make(folder: Path, target: str) -> "subprocess.CompletedProcess[str]":
    env = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS", "VIRTUAL_ENV"))}
    return subprocess.run(
        ["make", target], cwd=folder, env=env, input="5\nquit\n", capture_output=True, text=True, timeout=300
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
    lint = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)
    assert lint.stdout == "examples/matches.py: no problem in all 20 positions\n"


def three_games(folder: Path) -> None:
    """In a terminal: lose one, draw one on the other side, draw one again, and leave the terminal as it was."""
    script = 'before=$(stty -a); make play; [ "$before" = "$(stty -a)" ] && echo AS BEFORE'
    child = pexpect.spawn("bash", ["-c", script], cwd=str(folder), encoding="utf-8", timeout=60)
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
    for target in ("play", "test", "test-long", "bench", "format", "lock", "clean"):
        assert f"make {target}" in done.stdout


def test_ci_runs_the_same_command_as_the_readme() -> None:
    assert Path(".ci/run").read_text(encoding="utf-8").rstrip().endswith("exec make test")
