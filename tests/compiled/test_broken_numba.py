"""A broken numba counts as missing: the interpreted search answers, and one line says why it is slower."""

import errno
import json
import os
import resource
import subprocess
import sys
import warnings
from pathlib import Path
from types import ModuleType

import pytest

import noughts
from noughts.cli import main
from noughts.compiled import build as building
from noughts.compiled import cache
from noughts.compiled.build import Plan, build
from noughts.engine import Engine
from noughts.errors import NoKernel, NoughtsError
from noughts.notices import SlowerSearch
from noughts.players import computer
from noughts.search.limits import Limits
from noughts.testing import check_game
from noughts.web.handlers import Handlers
from tests.command import Noughts
from tests.compiled.positions import native
from tests.compiled.test_cache import QUESTION, right
from tests.helpers import TIMEOUT

SLOWER = "noughts: the search is interpreted, which is slower: numba is installed but cannot be loaded: "

FAKES = {
    "ImportError": (
        'raise ImportError("Numba needs NumPy 1.0 or less")',
        "ImportError: Numba needs NumPy 1.0 or less\n",
    ),
    "OSError": ('raise OSError("Could not load\\nlibllvmlite.so")', "OSError: Could not load / libllvmlite.so\n"),
    "MemoryError": ("raise MemoryError", "MemoryError\n"),
    "AttributeError": ("import numpy; numpy.no_such_name", "AttributeError: module 'numpy' has no attribute"),
    "SystemError": ('raise SystemError("initialization failed")', "SystemError: initialization failed\n"),
}
"""The content of a fake numba package, and the end of the message about it."""

WITHIN = ("--nodes", "10000")
"""Enough nodes to ask a kernel, few enough for a quick answer without one."""


def with_fake(env: dict[str, str], folder: Path, fake: str = "OSError") -> dict[str, str]:
    """Return an environment in which numba is installed but cannot be imported."""
    (folder / "first" / "numba").mkdir(parents=True)
    (folder / "first" / "numba" / "__init__.py").write_text(FAKES[fake][0], encoding="utf-8")
    path = os.pathsep.join([str(folder / "first"), env.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    return {**env, "PYTHONPATH": path, "NOUGHTS_CACHE": str(folder / "cache")}


@pytest.mark.parametrize("fake", FAKES)
def test_the_interpreted_search_answers_for_a_broken_numba(
    noughts_command: str, clean_env: dict[str, str], tmp_path: Path, fake: str
) -> None:
    """One JSON object on stdout, and one line on stderr."""
    command = Noughts(noughts_command, with_fake(clean_env, tmp_path, fake))
    done = command("analyse", "connect:7x7", *WITHIN, "--json")
    assert done.returncode == 0
    assert done.stderr.startswith(SLOWER + FAKES[fake][1])
    assert done.stderr.count("\n") == 1
    assert json.loads(done.stdout)["method"] in ("alphabeta", "deepening")
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize(
    ("asked", "typed"),
    [
        (["analyse", "connect:7x7", *WITHIN], ""),
        (["explain", "connect:7x7", "--nodes", "40000", "--seconds", "0"], ""),
        (["play", "connect:5x3,3", "--first", "computer", "--plain"], "q\n"),
    ],
)
def test_every_command_answers_and_says_it_once(
    noughts_command: str, clean_env: dict[str, str], tmp_path: Path, asked: list[str], typed: str
) -> None:
    done = Noughts(noughts_command, with_fake(clean_env, tmp_path))(*asked, typed=typed)
    assert [line for line in done.stderr.splitlines() if "slower" in line] == [
        f"{SLOWER}OSError: Could not load / libllvmlite.so"
    ]
    assert "Board:" in done.stdout if typed else done.returncode == 0
    assert "slower" not in done.stdout


def test_a_worker_of_the_server_answers_and_logs_it_once(clean_env: dict[str, str], tmp_path: Path) -> None:
    """Questions about two games, one line in the log."""
    settings = {"nice": 0, "memory_mib": 4096, "retire_mib": 4096, "files": {}, "only": [], "tables": {}}
    worker = subprocess.Popen(
        [sys.executable, "-c", "from noughts.web.worker import main; main()"],
        env=with_fake(clean_env, tmp_path),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert worker.stdin is not None
    assert worker.stdout is not None
    print(json.dumps(settings), file=worker.stdin, flush=True)
    for number, game in enumerate(("connect:7x7", "connect:6x5")):
        values = {"game": game, "position": "", "nodes": 10_000, "seconds": 20.0}
        print(json.dumps({"id": number, "kind": "analyse", "values": values}), file=worker.stdin, flush=True)
        for line in worker.stdout:
            message = json.loads(line)
            if "reply" in message:
                status, body, *_ = message["reply"]
                assert (message["id"], status) == (number, 200)
                assert json.loads(body)["method"] in ("alphabeta", "deepening")
                break
    _, said = worker.communicate(timeout=TIMEOUT)
    assert said == f"{SLOWER}OSError: Could not load / libllvmlite.so\n"


def test_a_kernel_that_is_asked_for_by_name_says_why_it_cannot(
    noughts_command: str, clean_env: dict[str, str], tmp_path: Path
) -> None:
    done = Noughts(noughts_command, with_fake(clean_env, tmp_path))(*QUESTION)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "noughts: numba is installed but cannot be loaded: OSError: Could not load / libllvmlite.so\n"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the system must keep to a limit of memory")
@pytest.mark.parametrize("mib", [250, pytest.param(400, marks=pytest.mark.long)])
def test_a_limit_of_memory(noughts_command: str, clean_env: dict[str, str], tmp_path: Path, mib: int) -> None:
    """With a real limit: too little memory to load the library, or to compile."""
    asked = f"analyse connect:7x7 {' '.join(WITHIN)} --table-mib 1 --json"
    command = f"ulimit -v {mib * 1024}; exec {noughts_command} {asked}"
    env = {**clean_env, "NOUGHTS_CACHE": str(tmp_path), "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(["bash", "-c", command], env=env, capture_output=True, text=True, timeout=TIMEOUT)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["method"] in ("alphabeta", "deepening", "kernel")
    if mib == 250:
        assert done.stderr.startswith(SLOWER)
    assert done.stderr.count("\n") <= 1


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> str:
    """Make numba look broken to this process; return the reason."""
    why = "numba is installed but cannot be loaded: MemoryError"
    monkeypatch.setattr(building, "_broken", why)
    monkeypatch.setattr(Plan, "loaded", None)
    monkeypatch.setattr("noughts.notices._told", set())
    # Engines remember that their kernel is broken: none of those that other tests use may learn it here.
    monkeypatch.setattr("noughts.kept.ATTRIBUTE", "__noughts_with_broken_numba__")
    return why


def test_the_library_warns_once_at_the_line_of_the_caller(broken: str) -> None:
    """A warning, which programs can filter, log, or turn into an error; however many games and questions."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for game in ("connect:7x7", "connect:6x5"):
            answer = noughts.analyse(noughts.load(game), limits=Limits(nodes=10_000))
            assert answer.method in ("alphabeta", "deepening")
        shared = Engine(noughts.load("connect:7x7"))
        for _ in range(2):
            assert shared.ask(shared.game.initial(), Limits(nodes=10_000)).choice
        assert computer("perfect", noughts.load("connect:5x3,3")).choose(noughts.load("connect:5x3,3").initial())
    assert [str(each.message) for each in told] == [f"the search is interpreted, which is slower: {broken}"]
    assert told[0].category is SlowerSearch
    assert told[0].filename == __file__


def test_the_kernel_raises_an_error_of_noughts(broken: str) -> None:
    with pytest.raises(NoKernel, match=broken) as raised:
        noughts.kernel(noughts.load("connect:7x7"))
    assert isinstance(raised.value, NoughtsError)


def test_kernels_are_not_made_ready_where_numba_is_broken(broken: str) -> None:
    """The server compiles kernels in advance, which reports nothing; the first question does."""
    Handlers().compile("connect:7x7")


def test_lint_does_not_blame_the_game(broken: str, tmp_path: Path) -> None:
    source = Path("examples/domineering.py").read_text(encoding="utf-8")
    (tmp_path / "small.py").write_text(source.replace("SIZE = 6", "SIZE = 3"), encoding="utf-8")
    with pytest.warns(SlowerSearch, match="the compiled kernel is not checked: numba is installed but"):
        report = check_game(noughts.load(str(tmp_path / "small.py")))
    assert not report.problems


@pytest.mark.parametrize("error", [MemoryError(), SystemError("bad"), AttributeError("no such"), OSError("no library")])
def test_numba_that_fails_while_it_compiles(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error that is not the game's fault is reported as numba's."""
    tried: list[Path | None] = []

    def load(folder: Path | None, plan: Plan, fresh: bool) -> ModuleType:
        tried.append(folder)
        raise error

    monkeypatch.setattr(building, "_load", load)
    monkeypatch.setattr(Plan, "loaded", None)
    monkeypatch.setattr(building, "tell_once", lambda _: None)
    monkeypatch.setattr(building, "_failed", {})
    for _ in range(2):
        with pytest.raises(NoKernel, match=f"numba does not work here: {type(error).__name__}"):
            build(Plan(native("tic-tac-toe").rules), announce=lambda _: None)
    assert len(tried) == (2 if isinstance(error, OSError) else 1), "nor is it tried again; at first also without files"


def test_no_space_for_the_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The kernel is compiled without files, and one line says that it is not kept."""
    where: list[Path | None] = []

    def load(folder: Path | None, plan: Plan, fresh: bool) -> ModuleType:
        where.append(folder)
        return ModuleType("kernel")

    def full(path: Path, text: str) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setenv("NOUGHTS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(building, "_load", load)
    monkeypatch.setattr(Plan, "loaded", None)
    monkeypatch.setattr("noughts.notices._told", set())
    monkeypatch.setattr(cache, "write", full)
    with pytest.warns(SlowerSearch, match=r"are not kept.*/cache: No space left on device \(the environment variable"):
        build(Plan(native("tic-tac-toe").rules), announce=lambda _: None)
    assert where == [None]
    assert os.listdir(tmp_path / "cache") == []


@pytest.mark.long
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of files")
@pytest.mark.parametrize("most", [4_096, 20_000])
def test_no_space_for_the_cache_with_a_real_limit(
    noughts_command: str, clean_env: dict[str, str], tmp_path: Path, most: int
) -> None:
    """No file may grow: either the sources do not fit, or the compiled code does not."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    env = {**clean_env, "NOUGHTS_CACHE": str(tmp_path / "cache"), "TMPDIR": "/proc"}
    done = subprocess.run(
        [noughts_command, *QUESTION], env=env, capture_output=True, text=True, timeout=TIMEOUT, preexec_fn=limit
    )
    right(done, f"{tmp_path / 'cache'}: File too large (")
    assert os.listdir(tmp_path / "cache") == []


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of memory")
def test_an_llvmlite_that_does_not_fit_in_memory_leaves_the_interpreted_search(
    noughts_command: str, clean_env: dict[str, str]
) -> None:
    """The defect: its OSError ended in "cannot write: None"."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (200 * 2**20, 200 * 2**20))

    done = subprocess.run(
        [noughts_command, "analyse", "connect:7x7", *WITHIN, "--json"],
        env={**clean_env, "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        preexec_fn=limit,
    )
    assert done.returncode == 0
    assert done.stderr.startswith(SLOWER)
    assert done.stderr.count("\n") == 1
    assert json.loads(done.stdout)["method"] == "deepening"


def test_a_game_file_that_disappears_is_not_said_to_be_written(tmp_path: Path) -> None:
    """Its rules are read when the kernel is first needed."""
    path = tmp_path / "gone.py"
    source = Path("examples/domineering.py").read_text(encoding="utf-8")
    path.write_text(f"{source}\nimport os\nif os.path.exists(__file__): os.unlink(__file__)\n", encoding="utf-8")
    code = f"from noughts.cli import main\nimport sys\nsys.exit(main(['analyse', {str(path)!r}, '--nodes', '10000']))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=TIMEOUT)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "cannot be read: No such file or directory" in done.stderr


def test_no_memory_at_all_is_reported_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(_: object) -> int:
        raise MemoryError

    monkeypatch.setattr("noughts.cli.commands.run", run)
    assert main(["games"]) == 1
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert "there is not enough memory for this" in said.err
