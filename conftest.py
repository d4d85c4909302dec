"""Where tests keep kernels; and the examples in README and docs: Python as doctests, console blocks as commands."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from doctest import ELLIPSIS, OutputChecker
from pathlib import Path

import pytest
from sybil import Example, Sybil
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser

ROOT = Path(__file__).parent
SET_UP_ELSEWHERE = ("make play", "make serve", "make site", "make test")
"""Commands that are this very run, or set up what it runs in, or go on and on; tests/test_makefile.py looks at them."""


LONGEST = (
    *("tests/test_makefile.py", "tests/web/test_page.py", "tests/web/test_analysis_on_the_page.py"),
    *("tests/games/test_line_games.py", "tests/test_check_game.py", "tests/web/test_pool.py"),
    *("tests/search/test_differential.py", "tests/trees/test_tree.py", "tests/web/test_lessons_in_browser.py"),
    *("tests/compiled/test_cache.py", "tests/web/test_serve_command.py", "tests/web/test_accessibility.py"),
    *("tests/web/test_api.py", "tests/compiled/test_deep.py", "tests/test_play_pipes.py", "tests/test_kernel_lint.py"),
)
"""Files that take longest; they are started first, so that no process is left alone with one of them at the end."""


def run_console(example: Example) -> str | None:
    """Run each `$ command` of a block and compare what it prints with what stands below it.

    Where nothing stands below a command, it only has to succeed, with `quit` typed at whatever it asks.
    """
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for part in f"\n{example.parsed}".split("\n$ ")[1:]:
        command, _, expected = part.partition("\n")
        if command in SET_UP_ELSEWHERE:
            continue
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=ROOT,
            env={**os.environ, "PATH": path, "NO_COLOR": "1"},
            input="quit\n",
            capture_output=True,
            text=True,
            timeout=300,
        )
        if done.returncode != 0:
            return f"{command!r} exited with {done.returncode}: {done.stderr}"
        if expected and not OutputChecker().check_output(f"{expected.rstrip()}\n", done.stdout, ELLIPSIS):
            return f"{command!r} printed\n{done.stdout}\nand not\n{expected}"
    return None


def pytest_configure(config: pytest.Config) -> None:
    """Keep compiled kernels in one place for the whole run, all its processes included: never in the user's own.

    Ctrl-C is tested too, so it must not be ignored, as it is in the background jobs of a shell.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if not hasattr(config, "workerinput"):  # workers inherit it
        os.environ["NOUGHTS_TABLES"] = ""  # none, also where the user has some
        os.environ["NOUGHTS_CACHE"] = str(Path(tempfile.mkdtemp(prefix="noughts-tests-")) / "kernels")


def pytest_unconfigure(config: pytest.Config) -> None:
    """Throw them away again."""
    if not hasattr(config, "workerinput"):
        shutil.rmtree(Path(os.environ["NOUGHTS_CACHE"]).parent, ignore_errors=True)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the files that take longest first."""
    order = {ROOT / name: number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: order.get(item.path, len(order)))


@pytest.fixture(autouse=True, scope="session")
def at_the_root() -> None:
    """Examples name files as seen from the root of the repository."""
    os.chdir(ROOT)


pytest_collect_file = Sybil(
    parsers=[
        PythonCodeBlockParser(doctest_optionflags=ELLIPSIS),
        CodeBlockParser(language="console", evaluator=run_console),
    ],
    patterns=["README.md", "docs/*.md"],
    fixtures=["at_the_root"],
).pytest()
