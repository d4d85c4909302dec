"""Ctrl-C at any time while a kernel is compiled, loaded or run."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import noughts
from noughts.compiled import threads as threads_module
from noughts.compiled.solver import Solver
from tests.compiled.positions import exact, native
from tests.helpers import TIMEOUT

SCRIPT = """
import os, signal, sys, threading, time
import noughts
signal.signal(signal.SIGINT, signal.default_int_handler)
threading.Timer(float(sys.argv[1]), os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    for name in ("misere", "mnk:4,3,3", "mnk:4,4,4"):
        noughts.kernel(noughts.load(name), wanted="one")
    time.sleep(10)
    print("swallowed")
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize("seconds", [0.2, 0.7, 1.5, 2.3])
def test_ctrl_c_while_a_kernel_is_compiled_is_not_swallowed(seconds: float, tmp_path: Path) -> None:
    """The defect: callbacks of the compiler printed the exception and went on."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(seconds)],
        env={**os.environ, "NOUGHTS_CACHE": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
    )
    assert (done.stdout, done.stderr) == ("interrupted\n", "")


class PressedAtStart(threading.Thread):
    """A thread that is started while Ctrl-C is pressed."""

    def start(self) -> None:
        """Start, with a Ctrl-C before and after."""
        os.kill(os.getpid(), signal.SIGINT)
        super().start()
        os.kill(os.getpid(), signal.SIGINT)


@pytest.fixture
def usual_handler() -> Iterator[None]:
    """Make Ctrl-C raise KeyboardInterrupt, even if the tests run in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("usual_handler")
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_while_a_thread_is_started(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The defect: "cannot join thread before it is started"."""
    kernel = native("connect-four")
    solver = Solver(kernel.rules, table_mib=16, threads=threads)
    start = kernel.pack(kernel.game.initial())
    before = threading.active_count()
    with monkeypatch.context() as patched:
        patched.setattr(threads_module, "Thread", PressedAtStart)
        with pytest.raises(KeyboardInterrupt):
            solver.solve(start)
    assert threading.active_count() == before
    solver.forget()  # waits until no search runs
    late = kernel.pack(noughts.replay(kernel.game, "171466613341436771"))
    assert exact(solver, late) == exact(kernel.solver, late)


@pytest.mark.usefixtures("usual_handler")
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_at_any_moment_leaves_a_solver_that_answers(threads: int) -> None:
    kernel = native("connect-four")
    solver = Solver(kernel.rules, table_mib=16, threads=threads)
    late = kernel.pack(noughts.replay(kernel.game, "171466613341436771"))
    score = exact(kernel.solver, late)
    start = kernel.pack(kernel.game.initial())
    before = threading.active_count()
    for delay in range(40):
        timer = threading.Timer(delay * 0.0007, os.kill, (os.getpid(), signal.SIGINT))
        _interrupted(solver, start, timer)
        timer.join()
        solver.forget()
        assert exact(solver, late) == score
        assert threading.active_count() == before


def _interrupted(solver: Solver, position: Any, timer: threading.Timer) -> None:
    """Ask until the timer presses Ctrl-C."""
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012 - it may come at any moment
        timer.start()
        while True:
            solver.solve(position)
