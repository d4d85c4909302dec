"""Loading game files: whatever a file does, the server starts, or one line says why it does not."""

import asyncio
import os
import signal
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from noughts.errors import NoughtsError
from noughts.web import loading
from noughts.web.handlers import digest_of
from noughts.web.loading import load_files
from tests.helpers import TIMEOUT, until
from tests.web.serving import offspring, running, runs
from tests.web.test_pool import BORROWED
from tests.web.test_worker_lifetime import HOLDS_THE_LOCK

INNOCENT = BORROWED.format(misdeed="pass")
LOOPS = "while True: pass"


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], str]:
    """Return a function that writes a game file and returns its path."""

    def write(text: str) -> str:
        path = tmp_path / "mygame.py"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


@pytest.fixture
def times_out_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Let the time for a file be over as soon as the statement runs that this returns, however long that takes."""
    begun = tmp_path / "begun"

    @asynccontextmanager
    async def timeout(_: float) -> AsyncIterator[None]:
        async with asyncio.timeout(TIMEOUT) as limit:

            async def end() -> None:
                while not begun.exists():
                    await asyncio.sleep(0.01)
                await asyncio.sleep(0.1)  # so that what the process has written by now is read
                limit.reschedule(asyncio.get_running_loop().time())

            ending = asyncio.create_task(end())
            try:
                yield
            finally:
                ending.cancel()
                begun.unlink(missing_ok=True)

    monkeypatch.setattr(loading, "asyncio", SimpleNamespace(**{**vars(asyncio), "timeout": timeout}))
    return f"open({str(begun)!r}, 'w').close()"


def refusal(path: str, solve: bool = False) -> str:
    before = offspring(os.getpid())  # servers of other tests
    with pytest.raises(NoughtsError) as caught:
        load_files([path], path if solve else None)
    assert offspring(os.getpid()) <= before, "no process is left behind"
    return str(caught.value).replace(path, "mygame.py")


@pytest.mark.parametrize("forever", [LOOPS, HOLDS_THE_LOCK, "import time; time.sleep(10**6)"])
def test_a_game_file_that_never_returns_cannot_hang_serve_at_its_start(
    write: Callable[[str], str], times_out_at_once: str, forever: str
) -> None:
    late = "within 10 s"
    loads_for_ever = refusal(write(f"{INNOCENT}\n{times_out_at_once}\n{forever}\n"))
    assert loads_for_ever == f"mygame.py cannot be served: it did not finish loading {late}"
    first = refusal(write(f"{INNOCENT}\ndef initial():\n    {times_out_at_once}\n    {forever}\n"))
    assert first == f"mygame.py cannot be served: a function of the game did not return {late}"


@pytest.mark.parametrize("function", ["player(s)", "actions(s)", "result(s, a)", "terminal(s)", "utility(s)"])
def test_a_function_that_never_returns_cannot_hang_serve_at_its_start(
    write: Callable[[str], str], times_out_at_once: str, function: str
) -> None:
    """All six functions are called when the server tries to solve the first game."""
    text = f"{INNOCENT}\ndef {function}:\n    {times_out_at_once}\n    {LOOPS}\n"
    assert refusal(write(text), solve=True).endswith("a function of the game did not return within 10 s")


@pytest.mark.parametrize(
    ("misdeed", "said"),
    [
        ("import os; os._exit(0)", "mygame.py cannot be served: it ended the process that loaded it"),
        ("import os; os.abort()", "mygame.py cannot be served: it ended the process that loaded it"),
        ("raise SystemExit(3)", "mygame.py cannot be loaded: line 10: SystemExit: 3"),
        ("raise GeneratorExit", "mygame.py cannot be loaded: line 10: GeneratorExit"),
        ("raise KeyboardInterrupt", "mygame.py cannot be loaded: line 10: KeyboardInterrupt"),
        ("raise MemoryError", "mygame.py cannot be loaded: line 10: MemoryError"),
        ("input()", "mygame.py cannot be loaded: line 10: EOFError: EOF when reading a line"),
    ],
)
def test_a_file_that_ends_its_process_is_reported_in_one_line(
    write: Callable[[str], str], misdeed: str, said: str
) -> None:
    assert refusal(write(f"{INNOCENT}{misdeed}\n")) == said


def test_an_initial_position_that_raises_is_reported_in_one_line(write: Callable[[str], str]) -> None:
    text = f"{INNOCENT}def initial(): raise {{error}}\n"
    assert refusal(write(text.format(error="SystemExit"))) == "mygame.py, line 10: SystemExit"
    assert refusal(write(text.format(error="ValueError('no')"))) == "mygame.py, line 10: ValueError: no"


def test_a_file_that_prints_forks_and_leaves_threads_is_loaded(write: Callable[[str], str]) -> None:
    misdeed = (
        "import os, threading, time; os.fork(); print('{}'); threading.Thread(target=time.sleep, args=[1e6]).start()"
    )
    path = write(f"title = 'Mine'\n{INNOCENT}{misdeed}\n")
    before = offspring(os.getpid())
    (found,) = load_files([path], path)
    assert (found.name, found.path, found.digest) == ("./mygame.py", path, digest_of(path))
    assert found.info == ("Mine", True, True)
    assert offspring(os.getpid()) <= before


def test_the_server_process_itself_runs_no_game_file(
    noughts_command: str, write: Callable[[str], str], tmp_path: Path
) -> None:
    """Each process that runs the file records its pid."""
    ran = tmp_path / "ran"
    path = write(f"import os\nopen({str(ran)!r}, 'a').write(f'{{os.getpid()}} ')\n{INNOCENT}")
    with running(noughts_command, path) as server, server.client() as client:
        assert client.get("/api/games").json()["games"][0]["game"] == "./mygame.py"
        assert client.get("/api/analyse", game="./mygame.py").json()["value"] == "draw"
        assert server.process.pid not in map(int, ran.read_text().split())


def test_ctrl_c_while_a_file_is_loaded_ends_at_once(
    noughts_command: str, write: Callable[[str], str], tmp_path: Path
) -> None:
    begun = tmp_path / "begun"
    path = write(f"import os\nopen({str(begun)!r}, 'w').close()\n{HOLDS_THE_LOCK}\n")
    with subprocess.Popen(
        [noughts_command, "serve", "--no-browser", "--port", "0", path],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        until(begun.exists)
        workers = offspring(process.pid)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=TIMEOUT)
        assert (process.returncode, *said) == (130, "\n", "")
        until(lambda: not any(map(runs, workers)))
