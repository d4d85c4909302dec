"""Compiled kernels are kept for the next process. Whatever happens to the files, the answers are right."""

import ctypes
import importlib
import json
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pexpect
import pytest

import noughts
from noughts.capabilities import Kernel
from noughts.compiled.build import Plan, build
from noughts.compiled.cache import cache_folder
from noughts.compiled.rules import Rules
from tests.command import Noughts
from tests.compiled.positions import native
from tests.helpers import TIMEOUT

QUESTION = ("analyse", "tic-tac-toe", "5 2", "--method", "kernel", "--seconds", "0", "--json")
ANSWER = ("win", 5, ["1", "3", "4", "6", "7", "9"], "kernel", True)
COMPILING = "Compiling the search for"


NOT_KEPT = "noughts: compiled searches are not kept, and each start takes some seconds longer: "


def ask(command: str, env: dict[str, str], not_kept: str = "") -> None:
    """Ask a question in a new process; check the answer, and that only `not_kept` is printed on stderr."""
    right(Noughts(command, env)(*QUESTION), not_kept)


def right(done: "subprocess.CompletedProcess[str]", not_kept: str = "") -> None:
    assert done.returncode == 0
    if not_kept:
        assert done.stderr.startswith(f"{NOT_KEPT}{not_kept}")
        assert done.stderr.count("\n") == 1
    else:
        assert done.stderr == ""
    facts = json.loads(done.stdout)
    assert tuple(facts[name] for name in ("value", "distance", "best", "method", "proven")) == ANSWER


def contents(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """Return every file below a folder, with its inode, its modification time and its bytes."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {
        str(path.relative_to(folder)): (path.stat().st_ino, path.stat().st_mtime_ns, path.read_bytes())
        for path in files
    }


@pytest.fixture(scope="module")
def made(kernel_cache: Path) -> Path:
    """The folder of tic-tac-toe's compiled kernel."""
    kernel = native("tic-tac-toe")
    assert kernel.solver.bytes
    folder = Plan(kernel.rules).folder
    assert folder.parent == kernel_cache
    return folder


@pytest.fixture
def env(clean_env: dict[str, str], tmp_path: Path) -> dict[str, str]:
    """An environment with an empty cache."""
    return {**clean_env, "NOUGHTS_CACHE": str(tmp_path / "cache")}


@pytest.fixture
def kept(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the compiled kernel in a separate cache."""
    monkeypatch.setenv("NOUGHTS_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "cache" / made.name
    shutil.copytree(made, folder)
    assert plan().folder == folder
    return folder


def plan() -> Plan:
    return Plan(native("tic-tac-toe").rules)


def test_two_processes_compile_at_once_and_the_next_loads(
    noughts_command: str, env: dict[str, str], tmp_path: Path
) -> None:
    """One kernel is left, closed to others. The next process changes no file; numba writes one whenever it compiles."""
    new = {**env, "NOUGHTS_CACHE": str(tmp_path / "new" / "cache")}
    umask = os.umask(0)
    try:
        processes = [
            subprocess.Popen(
                [noughts_command, *QUESTION], env=new, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
            for _ in range(2)
        ]
        for process in processes:
            out, err = process.communicate(timeout=TIMEOUT)
            right(subprocess.CompletedProcess(process.args, process.returncode, out, err))
    finally:
        os.umask(umask)
    for path in (tmp_path / "new", *(tmp_path / "new").rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path
    (tmp_path / "new" / "cache").rename(tmp_path / "cache")
    before = contents(tmp_path / "cache")
    assert any(name.endswith(".nbc") for name in before)
    assert any(name.endswith("checksums.json") for name in before)
    assert len(list((tmp_path / "cache").iterdir())) == 1, "what is left half-made is taken away"
    ask(noughts_command, env)
    assert contents(tmp_path / "cache") == before


def test_a_kernel_is_loaded_once_a_process(made: Path) -> None:
    said: list[str] = []
    assert build(plan(), said.append) is build(plan(), said.append)
    assert plan().loaded is build(plan())
    assert said == []


def test_the_environment_chooses_the_cache_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NOUGHTS_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path
    monkeypatch.delenv("NOUGHTS_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "xdg"))
    assert cache_folder() == tmp_path / "xdg" / "noughts"
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    if sys.platform != "win32":
        assert cache_folder() == tmp_path / "home" / ".cache" / "noughts"


def test_different_rules_have_different_kernels(tmp_path: Path) -> None:
    """A change of the rules' text, or of a constant, changes the digest; the same text elsewhere does not."""
    rules = native("tic-tac-toe").rules
    source = rules.path.read_text(encoding="utf-8")
    copy, changed = tmp_path / "board.py", tmp_path / "changed" / "board.py"
    changed.parent.mkdir()
    copy.write_text(source, encoding="utf-8")
    changed.write_text(f"{source}\nCHANGED = 1\n", encoding="utf-8")

    def digest(path: Path, **parameters: int | tuple[int, ...]) -> str:
        return Plan(Rules(Kernel(str(path), tuple, parameters))).digest

    assert digest(copy) == digest(rules.path)
    assert len({digest(copy), digest(changed), digest(copy, MISERE=1), digest(copy, longest=8)}) == 4
    names = ["tic-tac-toe", "misere", "connect-four", "connect:6x7", "connect:7x6,5", "mnk:4,4,4", "mnk:4,4,4,torus"]
    kernels = [noughts.load(name).kernel() for name in names]  # type: ignore[attr-defined]
    assert len({Plan(Rules(kernel)).digest for kernel in kernels}) == len(names)


def files_of(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def flip(path: Path, place: float) -> None:
    content = bytearray(path.read_bytes())
    content[int(place * (len(content) - 1))] ^= 0x10
    path.write_bytes(content)


def truncate(path: Path, place: float) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: int(place * (len(content) - 1))])


@pytest.mark.parametrize("damage", [flip, truncate])
def test_any_damage_is_noticed(kept: Path, damage: Callable[[Path, float], None]) -> None:
    """A changed bit, a truncated file or a missing file makes the folder invalid; undoing it makes it valid again."""
    assert plan().is_kept()
    names = [path.relative_to(kept) for path in files_of(kept)]
    assert len(names) >= 7
    for path in (kept / name for name in names):
        whole, stat = path.read_bytes(), path.stat()
        for place in (0, 0.3, 0.7, 1):
            damage(path, place)
            assert not plan().is_kept(), (path, place)
            path.write_bytes(whole)
        path.unlink()
        assert not plan().is_kept(), path
        path.write_bytes(whole)
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
        assert plan().is_kept()


GARBAGE = {
    "empty": "",
    "no JSON": "{oops",
    "no text": "\udcff\udcfe",
    "a list": '["rules.py", "kernel.py"]',
    "an empty list": "[]",
    "nothing in it": "{}",
    "null": "null",
    "a number": "3",
    "a truth": "true",
    "a text": '"rules.py kernel.py"',
    "numbers for sums": '{"rules.py": 1, "kernel.py": 2}',
    "a folder": '{"rules.py": "", "kernel.py": "", "__pycache__": ""}',
    "not a path": '{"rules.py": "", "kernel.py": "", "\\u0000": ""}',
}


@pytest.mark.parametrize("garbage", GARBAGE)
def test_invalid_checksums(kept: Path, garbage: str) -> None:
    (kept / "checksums.json").write_bytes(GARBAGE[garbage].encode("utf-8", "surrogateescape"))
    assert not plan().is_kept()


def rebuilt(command: str, env: dict[str, str], kept: Path) -> None:
    """Ask twice: both answers are right, and after the first the folder is valid."""
    assert not plan().is_kept()
    ask(command, env)
    assert plan().is_kept()
    before = contents(kept)
    ask(command, env)
    assert contents(kept) == before


def on_a_terminal(command: str, env: dict[str, str], *args: str) -> str:
    child = pexpect.spawn(command, list(args), env=env, encoding="utf-8", timeout=TIMEOUT, dimensions=(40, 120))
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    said: str = child.before or ""
    assert "Traceback" not in said
    return said


def test_damaged_machine_code_is_rebuilt_and_announced_once(
    noughts_command: str, env: dict[str, str], kept: Path
) -> None:
    """Every compiled file is damaged: bits of one, the end of the other. On a terminal, this is announced on stderr.

    So it is with --json, where only the answer goes to stdout.
    """
    for number, path in enumerate(path for path in files_of(kept) if path.suffix in (".nbc", ".nbi")):
        (flip if number % 2 else truncate)(path, 0.5)
    assert not plan().is_kept()
    told = on_a_terminal(
        "/bin/sh", env, "-c", f"{noughts_command} {' '.join(QUESTION)} | sed 's/^/out: /'"
    ).splitlines()
    assert len([line for line in told if COMPILING in line]) == 1, told
    (out,) = (line for line in told if line.startswith("out: "))
    right(subprocess.CompletedProcess(QUESTION, 0, out.removeprefix("out: "), ""))
    assert plan().is_kept()
    before = contents(kept)
    again = on_a_terminal(noughts_command, env, *QUESTION[:-1])
    assert COMPILING not in again
    assert "wins in 5 moves" in again
    assert contents(kept) == before


@pytest.mark.long
def test_a_folder_without_checksums_is_rebuilt(noughts_command: str, env: dict[str, str], kept: Path) -> None:
    """As a killed process would leave it, if it worked in this folder."""
    (kept / "checksums.json").unlink()
    flip(next(kept.rglob("*.nbc")), 0.4)
    rebuilt(noughts_command, env, kept)


@pytest.mark.long
@pytest.mark.parametrize("garbage", GARBAGE)
def test_a_folder_with_garbage_for_checksums_is_rebuilt(
    noughts_command: str, env: dict[str, str], kept: Path, garbage: str
) -> None:
    (kept / "checksums.json").write_bytes(GARBAGE[garbage].encode("utf-8", "surrogateescape"))
    rebuilt(noughts_command, env, kept)


@pytest.mark.long
@pytest.mark.parametrize("damage", [flip, truncate])
@pytest.mark.parametrize("name", ["rules.py", "kernel.py", "*.nbc", "*.nbi"])
def test_each_kind_of_file_damaged(
    noughts_command: str, env: dict[str, str], kept: Path, damage: Callable[[Path, float], None], name: str
) -> None:
    for path in kept.rglob(name):
        damage(path, 0.6)
    rebuilt(noughts_command, env, kept)


@pytest.mark.long
def test_a_file_where_the_folder_should_be(noughts_command: str, env: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("not a folder", encoding="utf-8")
    ask(noughts_command, env, f"{tmp_path / 'cache'}: Not a directory (")
    assert (tmp_path / "cache").read_text(encoding="utf-8") == "not a folder"


@pytest.mark.long
def test_a_file_where_the_kernel_should_be(noughts_command: str, env: dict[str, str], kept: Path) -> None:
    shutil.rmtree(kept)
    kept.write_text("not a folder", encoding="utf-8")
    ask(noughts_command, env)


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder that nobody can write to")
def test_a_cache_that_nobody_can_write_to(noughts_command: str, env: dict[str, str]) -> None:
    ask(noughts_command, {**env, "NOUGHTS_CACHE": "/proc/noughts"}, "/proc/noughts: No such file or directory (")


def give_up_root() -> None:
    """Make file modes apply to this process and its children even if it is root."""
    ctypes.CDLL(None).prctl(24, 1, 0, 0, 0)  # PR_CAPBSET_DROP, CAP_DAC_OVERRIDE


RUN = f"from noughts.cli import main; import sys; sys.exit(main({list(QUESTION)!r}))"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="modes of folders, for root too")
@pytest.mark.parametrize("full", [pytest.param(False, marks=pytest.mark.long), True])
def test_a_read_only_cache(made: Path, env: dict[str, str], tmp_path: Path, full: bool) -> None:
    """The cache is empty, or holds the kernel, as an administrator would install it; the home is read-only too."""
    cache = tmp_path / "cache"
    if full:
        shutil.copytree(made, cache / made.name)
    else:
        cache.mkdir()
    before = contents(cache)
    folders = [cache, *(path for path in cache.rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o555)
    closed = {**env, "HOME": str(cache), "XDG_CACHE_HOME": str(cache), "NUMBA_CACHE_DIR": ""}
    try:
        done = subprocess.run(
            [sys.executable, "-c", RUN],
            env=closed,
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            preexec_fn=give_up_root,
        )
    finally:
        for folder in folders:
            folder.chmod(0o755)
    right(done, "" if full else f"{cache}: Permission denied (")
    assert contents(cache) == before


def test_no_home_at_all(env: dict[str, str]) -> None:
    """No variable names the cache, and the system does not know the user."""
    nobody = "import os, pwd\ndef unknown(uid): raise KeyError(uid)\npwd.getpwuid = unknown\n"
    left = {name: value for name, value in env.items() if name not in ("HOME", "NOUGHTS_CACHE", "XDG_CACHE_HOME")}
    done = subprocess.run(
        [sys.executable, "-c", nobody + RUN], env=left, capture_output=True, text=True, timeout=TIMEOUT, check=False
    )
    right(done, "/dev/null/noughts: Not a directory (the environment variable NOUGHTS_CACHE can name another folder)")


def test_an_interrupted_compilation_is_started_again(env: dict[str, str]) -> None:
    """Ctrl-C in the middle of compiling, in a process that goes on and asks again."""
    code = """
import noughts
from noughts.sources.kernel import NativeSearch
from numba.core.dispatcher import Dispatcher

compile = Dispatcher.compile

def interrupted(dispatcher, signature):
    if dispatcher.py_func.__name__ == "grow":
        raise KeyboardInterrupt
    return compile(dispatcher, signature)

game = noughts.load("tic-tac-toe")
Dispatcher.compile = interrupted
try:
    NativeSearch(game).solver
    print("too late")
except KeyboardInterrupt:
    Dispatcher.compile = compile
    answer = NativeSearch(game).ask(noughts.replay(game, "5 2"))
    print(answer.value, answer.distance)
"""
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=TIMEOUT)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "win 5\n"


def test_a_constant_from_another_file_makes_another_kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every value that is compiled in is part of the digest."""
    source = Path("examples/domineering.py").read_text(encoding="utf-8")
    rules = tmp_path / "rules.py"
    rules.write_text(source.replace("SIZE = 6", "from sizes_of_boards import SIZE"), encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    digests = set()
    for size in (3, 4):
        monkeypatch.delitem(sys.modules, "sizes_of_boards", raising=False)
        (tmp_path / "sizes_of_boards.py").write_text(f"SIZE = {size}  #{'#' * size}", encoding="utf-8")
        importlib.invalidate_caches()
        digests.add(Plan(Rules(Kernel(str(rules), tuple))).digest)
    assert len(digests) == 2
