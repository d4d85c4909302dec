"""Where results go: files are whole or as they were, closed terminals end nothing, and messages tell what happened."""

import fcntl
import os
import pty
import re
import shutil
import signal
import stat
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import mkdtemp

import pytest

from noughts.cli import main
from noughts.cli.output import output_file, write_file
from noughts.cli.terminal import live_line
from noughts.errors import NoughtsError
from tests.command import Noughts
from tests.helpers import TIMEOUT

OLD, NEW = "the old picture\n", "the new picture\n"
NOBODY = 65534

PAGE = ("tree", "tic-tac-toe", "5 1 3 7", "--format", "html", "-o")
"""Writes a file of a hundred thousand bytes and more."""


class Shell:
    """Runs the command from a shell script, in which `"$0" "$@"` is the command and its arguments."""

    def __init__(self, command: str, env: dict[str, str]) -> None:
        self._noughts = Noughts("bash", env)
        self._command = command

    def __call__(self, *args: str, script: str = 'exec "$0" "$@"') -> "subprocess.CompletedProcess[str]":
        return self._noughts("-c", script, self._command, *args)


@pytest.fixture
def noughts(noughts_command: str, clean_env: dict[str, str]) -> Shell:
    return Shell(noughts_command, clean_env)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A file that is there already, alone in its folder."""
    path = tmp_path / "picture.html"
    path.write_text(OLD, encoding="utf-8")
    return path


def unharmed(path: Path) -> bool:
    return path.read_text(encoding="utf-8") == OLD and os.listdir(path.parent) == [path.name]


# Files are written whole or not at all.


def test_a_file_survives_a_full_disk(noughts: Shell, old: Path) -> None:
    """The limit of bytes in a file stands in for the disk: the write fails in the middle of the content."""
    done = noughts(*PAGE, str(old), script='ulimit -f 8; exec "$0" "$@"')
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"noughts: cannot write '{shortened(old)}: File too large\n"
    assert unharmed(old)


def shortened(path: Path) -> str:
    return f"{path}'" if len(str(path)) <= 60 else f"{str(path)[:60]} ...'"


@pytest.mark.parametrize("step", ["write", "fsync", "replace"])
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt(), MemoryError()])
def test_a_file_survives_whatever_fails(
    old: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: BaseException
) -> None:
    def fail(*_: object) -> None:
        raise error

    if step == "write":
        monkeypatch.setattr("builtins.open", partial(Failing, error=error))
    else:
        monkeypatch.setattr(os, step, fail)
    told = isinstance(error, OSError)
    with pytest.raises(NoughtsError if told else type(error), match="No space left" if told else None):
        write_file(str(old), NEW)
    monkeypatch.undo()
    assert unharmed(old)


class Failing:
    """A file of which only the first bytes can be written."""

    def __init__(self, path: str, mode: str, error: BaseException, opener: Callable[[str, int], int]) -> None:
        self._number, self._error = opener(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL), error

    def __enter__(self) -> "Failing":
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._number)

    def write(self, data: bytes) -> None:
        os.write(self._number, data[:3])
        raise self._error


def test_a_file_survives_a_kill_before_its_last_step(old: Path) -> None:
    script = (
        "import os, signal, sys; from noughts.cli.output import write_file\n"
        "os.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        "write_file(sys.argv[1], sys.argv[2])"
    )
    done = subprocess.run([sys.executable, "-c", script, str(old), NEW], timeout=TIMEOUT)
    assert done.returncode == -signal.SIGKILL
    assert old.read_text(encoding="utf-8") == OLD
    write_file(str(old), NEW)
    assert old.read_text(encoding="utf-8") == NEW


def test_a_file_survives_a_search_that_fails(noughts: Shell, old: Path, tmp_path: Path) -> None:
    done = noughts("tree", "connect-four", "--search", "minimax", "--format", "svg", "-o", str(old))
    assert done.returncode == 2
    assert done.stderr.startswith("noughts: plain minimax visits far too many nodes to draw from here")
    assert unharmed(old)


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o444 | 0o222])
def test_a_file_keeps_its_mode(old: Path, mode: int) -> None:
    old.chmod(mode)
    write_file(str(old), NEW)
    assert (stat.S_IMODE(old.stat().st_mode), old.read_text(encoding="utf-8")) == (mode, NEW)


def test_a_new_file_has_the_usual_mode(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_file(str(tmp_path / "new.svg"), NEW)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new.svg").stat().st_mode) == 0o640


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_file_keeps_its_owner(old: Path) -> None:
    os.chown(old, NOBODY, NOBODY)
    write_file(str(old), NEW)
    assert (old.stat().st_uid, old.stat().st_gid) == (NOBODY, NOBODY)


@pytest.mark.parametrize("there", [True, False])
def test_a_link_stays_a_link(tmp_path: Path, there: bool) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    if there:
        (folder / "picture.svg").write_text(OLD, encoding="utf-8")
    (tmp_path / "first.svg").symlink_to("second.svg")
    (tmp_path / "second.svg").symlink_to("elsewhere/picture.svg")
    write_file(str(tmp_path / "first.svg"), NEW)
    assert os.readlink(tmp_path / "first.svg") == "second.svg"
    assert os.readlink(tmp_path / "second.svg") == "elsewhere/picture.svg"
    assert (folder / "picture.svg").read_text(encoding="utf-8") == NEW
    assert os.listdir(folder) == ["picture.svg"]


def test_devices_stay_devices(noughts: Shell) -> None:
    before = os.stat("/dev/null")
    assert noughts(*PAGE, "/dev/null").returncode == 0
    assert os.path.samestat(os.stat("/dev/null"), before)
    done = noughts(*PAGE, "/dev/full")
    assert (done.returncode, done.stderr) == (2, "noughts: cannot write '/dev/full': No space left on device\n")


def test_a_pipe_with_a_name_is_written_to(tmp_path: Path) -> None:
    """It is opened once, when there is something to write: not before the work, which would wait for a reader."""
    pipe = tmp_path / "pipe.svg"
    os.mkfifo(pipe)
    read: list[str] = []
    with output_file(str(pipe)) as write:
        reader = threading.Thread(target=lambda: read.append(pipe.read_text(encoding="utf-8")))
        reader.start()
        write(NEW)
        reader.join(TIMEOUT)
    assert read == [NEW]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_standard_output_by_its_name_is_standard_output(noughts: Shell, old: Path) -> None:
    """A file that the shell appends to is not replaced."""
    tree = noughts("tree", "nim:1,2").stdout
    for name in ("-", "/dev/stdout", "/dev/fd/1", str(old)):
        old.write_text(OLD, encoding="utf-8")
        done = noughts("tree", "nim:1,2", "-o", name, "--format", "text", script=f'exec "$0" "$@" >> {old}')
        assert (done.returncode, done.stderr) == (0, "")
        assert old.read_text(encoding="utf-8") == OLD + tree


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "Is a directory"),
        ("missing/picture.svg", "No such file or directory"),
        ("new/", "No such file or directory"),
        ("new/.", "No such file or directory"),
        ("x" * 300, "File name too long"),
        ("picture.html/more.svg", "Not a directory"),
        ("around", "Too many levels of symbolic links"),
        ("a\0b", "that is not a file name"),
    ],
)
def test_a_file_that_cannot_be_written_gets_one_line_before_the_work(old: Path, name: str, reason: str) -> None:
    (old.parent / "around").symlink_to("around")
    path = f"{old.parent}/{name}"
    for attempt in (lambda: output_file(path).__enter__(), lambda: write_file(path, NEW)):
        with pytest.raises(NoughtsError) as told:
            attempt()
        assert re.fullmatch(rf"cannot write '.*': {reason}", str(told.value))
    assert sorted(os.listdir(old.parent)) == ["around", "picture.html"]
    assert old.read_text(encoding="utf-8") == OLD


@contextmanager
def as_nobody() -> Iterator[None]:
    """Give up what root may do."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.parametrize(
    ("folder_mode", "file_mode", "reason"),
    [
        (0o777, 0o444, "Permission denied"),
        (
            0o555,
            0o666,
            "Permission denied: no new file can be made in its folder, and a file is only replaced as a whole",
        ),
        (0o555, None, "Permission denied"),
    ],
)
def test_what_may_not_be_written_is_left_alone(folder_mode: int, file_mode: int | None, reason: str) -> None:
    folder = Path(mkdtemp())  # pytest's own folders are closed to others
    try:
        file = folder / "picture.svg"
        if file_mode is not None:
            file.write_text(OLD, encoding="utf-8")
            file.chmod(file_mode)
        folder.chmod(folder_mode)
        with as_nobody():
            for attempt in (lambda: output_file(str(file)).__enter__(), lambda: write_file(str(file), NEW)):
                with pytest.raises(NoughtsError) as told:
                    attempt()
                assert str(told.value) == f"cannot write '{file}': {reason}"
        assert unharmed(file) if file_mode is not None else not os.listdir(folder)
    finally:
        folder.chmod(0o777)
        shutil.rmtree(folder)


# A closed terminal does not end an analysis whose output is a file.

WAITING = '''\
"""A count down from 3 that tells when it is being searched, and waits for a word."""
import time
from pathlib import Path
HERE = Path(__file__).parent
def initial(): return 3, 1
def player(state): return state[1]
def actions(state):
    (HERE / "searching").touch()
    for _ in range(30_000):
        if (HERE / "go").exists():
            return [1, 2][:state[0]]
        time.sleep(0.01)
    raise SystemExit("nobody said go")
def result(state, action): return state[0] - action, -state[1]
def terminal(state): return state[0] == 0
def utility(state): return -state[1]
'''


def ends_with_its_terminal(command: list[str], folder: Path, stdout: Path | None, ignored: bool = False) -> int:
    """Start a command at a terminal, close it in the middle of the search, and return the exit code."""
    (folder / "waiting.py").write_text(WAITING, encoding="utf-8")
    master, slave = pty.openpty()

    def take_terminal() -> None:
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        signal.signal(signal.SIGHUP, signal.SIG_IGN if ignored else signal.SIG_DFL)

    with open(stdout or os.devnull, "wb") as file:
        process = subprocess.Popen(
            command,
            stdin=slave,
            stdout=slave if stdout is None else file,
            stderr=slave,
            cwd=folder,
            start_new_session=True,
            preexec_fn=take_terminal,
        )
    os.close(slave)
    try:
        for _ in range(100 * TIMEOUT):
            if (folder / "searching").exists():
                break
            time.sleep(0.01)
        os.close(master)  # the terminal is gone: SIGHUP, and nobody reads what is written to it
        (folder / "go").touch()
        return process.wait(TIMEOUT)
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("to", ["standard output", "-o"])
def test_a_closed_terminal_does_not_end_an_analysis_whose_output_is_a_file(
    noughts_command: str, tmp_path: Path, to: str
) -> None:
    out = tmp_path / "answer.json"
    if to == "-o":
        command = [noughts_command, "tree", "waiting.py", "-o", str(out)]
        assert ends_with_its_terminal(command, tmp_path, None) == 0
    else:
        command = [noughts_command, "analyse", "waiting.py", "--method", "deepening", "--json"]
        assert ends_with_its_terminal(command, tmp_path, out) == 0
    assert out.read_text(encoding="utf-8").startswith('{"game": ' if to == "standard output" else "{")
    assert out.read_text(encoding="utf-8").endswith("}\n")


@pytest.mark.parametrize("ignored", [False, True])
def test_a_closed_terminal_ends_an_analysis_that_is_printed_there(
    noughts_command: str, tmp_path: Path, ignored: bool
) -> None:
    """Unless it was started by `nohup`: then it ends when it finds nobody to print to."""
    command = [noughts_command, "analyse", "waiting.py"]
    assert ends_with_its_terminal(command, tmp_path, None, ignored) == (1 if ignored else -signal.SIGHUP)


def test_progress_stops_when_its_terminal_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter(range(100))
    monkeypatch.setattr("noughts.cli.terminal.perf_counter", lambda: next(now))
    master, slave = pty.openpty()
    with open(slave, "w", encoding="utf-8") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        with live_line() as show:
            os.close(master)
            for _ in range(3):
                show("depth 5")
        monkeypatch.undo()


def test_nothing_depends_on_standard_error(noughts: Shell) -> None:
    """The notes about this tree cannot be written; the tree can."""
    args = ("tree", "tic-tac-toe", "5 1 3 7", "--depth", "4", "--most", "30")
    usual, full = noughts(*args), noughts(*args, script='exec "$0" "$@" 2>/dev/full')
    assert "plies fit; nodes below are counted, not drawn" in usual.stderr
    assert (full.returncode, full.stdout, full.stderr) == (0, usual.stdout, "")
    assert noughts("tree", "chess", script='exec "$0" "$@" 2>/dev/full').returncode == 2


# Messages tell of writing when something could not be written, and only then.


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("args", ["games", "lint examples/matches.py", "tree nim:1,2 --format svg", "--version"])
def test_output_that_cannot_be_written_is_told(noughts: Shell, args: str, unbuffered: str) -> None:
    """Also when all of it is written at the very end, as it is unless PYTHONUNBUFFERED is set."""
    done = noughts(*args.split(), script=f'PYTHONUNBUFFERED={unbuffered} exec "$0" "$@" >/dev/full')
    assert (done.returncode, done.stderr) == (1, "noughts: cannot write: No space left on device\n")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError("libLLVM cannot be loaded"), "noughts: libLLVM cannot be loaded\n"),
        (OSError(24, "Too many open files"), "noughts: Too many open files\n"),
        (FileNotFoundError(2, "No such file", "learn.html"), "noughts: No such file: 'learn.html'\n"),
        (BrokenPipeError(32, "Broken pipe"), "noughts: Broken pipe\n"),
    ],
)
def test_an_error_that_is_not_of_writing_does_not_speak_of_it(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], error: OSError, said: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("noughts.cli.games.run", fail)
    monkeypatch.setattr("noughts.cli.terminal.silence", lambda: None)
    assert main(["games"]) == 1
    assert capfd.readouterr() == ("", said)


def test_a_game_that_prints_is_not_blamed_for_lost_output(noughts: Shell, tmp_path: Path) -> None:
    game = tmp_path / "prints.py"
    shown = WAITING.replace('    (HERE / "searching").touch()\n', "    print('thinking', flush=True)\n")
    game.write_text(shown, encoding="utf-8")
    (tmp_path / "go").touch()
    done = noughts("analyse", str(game), script='exec "$0" "$@" >/dev/full')
    assert (done.returncode, done.stderr) == (1, "noughts: cannot write: No space left on device\n")


def test_an_example_to_copy_is_not_broken(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit):
        main(["book", "build", "--help"])
    examples = capsys.readouterr().out.partition("examples:\n")[2].partition("\n\n")[0].split("\n")
    assert all(line.startswith("  noughts ") for line in examples), examples
