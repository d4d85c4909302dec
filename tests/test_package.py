"""What is published: the names, the versions, the wheel, and the two commands of the README."""

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

import noughts
from tests.helpers import TIMEOUT

PROJECT = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))


def test_every_module_states_its_names() -> None:
    for path in Path("src/noughts").rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        if path.name not in ("__init__.py", "__main__.py"):
            assert "\n__all__ = [" in source, f"{path} has no __all__"


def test_the_changelog_knows_this_version() -> None:
    changelog = Path("CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## [{noughts.__version__}]" in changelog


def test_the_wheel_holds_the_package_its_types_and_its_page(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        str(tmp_path),
        ".",
    ]
    subprocess.run(command, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("noughts-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        metadata = next(archive.read(name).decode() for name in names if name.endswith("METADATA"))
    sources = {str(path.relative_to("src")) for path in Path("src/noughts").rglob("*.py")}
    page = {f"noughts/web/static/{path.name}" for path in Path("src/noughts/web/static").iterdir()}
    assert "noughts/web/static/index.html" in page
    books = {str(path.relative_to("src")) for path in Path("src/noughts").rglob("*.book")}
    site = {str(path.relative_to("src")) for path in Path("src/noughts/site").rglob("*.*") if path.suffix != ".pyc"}
    assert "noughts/site/licences/MPL-2.0.txt" in site
    assert sources | page | site | books | {"noughts/py.typed"} <= names
    assert all("extra ==" in line for line in metadata.splitlines() if line.startswith("Requires-Dist"))


def sources() -> set[str]:
    """Return every file of the repository, or of an unpacked source distribution."""
    if Path(".git").exists():
        listed = subprocess.run(["git", "ls-files", "-z"], capture_output=True, text=True, check=True).stdout
        return {name for name in listed.split("\0") if name and Path(name).exists()}
    made = {".venv", "__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis", "dist", "build"}
    files = (path for path in Path().rglob("*") if path.is_file() and not made.intersection(path.parts))
    return {str(path) for path in files} - {"PKG-INFO"}


def build_sdist(folder: Path) -> Path:
    """Build the source distribution, unpack it, and return the folder that it makes."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(folder)]
    subprocess.run(command, check=True, capture_output=True)
    (sdist,) = folder.glob("noughts-*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    return folder / sdist.name.removesuffix(".tar.gz")


def test_the_sdist_holds_every_file_that_its_tests_need(tmp_path: Path) -> None:
    unpacked = build_sdist(tmp_path)
    held = {str(path.relative_to(unpacked)) for path in unpacked.rglob("*") if path.is_file()}
    assert held == sources() | {"PKG-INFO"}
    assert {"conftest.py", "README.md", "CONTRIBUTING.md", ".ci/run", "docs/trees.md", "examples/matches.py"} <= held
    assert os.access(unpacked / ".ci/run", os.X_OK)


@pytest.mark.long
def test_the_sdist_runs_its_own_tests(tmp_path: Path) -> None:
    """All of them are collected, which imports them; those that take seconds and need no browser are run."""
    unpacked = build_sdist(tmp_path)
    env = os.environ | {"PYTHONPATH": str(unpacked / "src")}
    pytest_ = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not long"]
    told = subprocess.run(
        [sys.executable, "-c", "import noughts; print(noughts.__file__)"],
        cwd=unpacked,
        env=env,
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.startswith(str(unpacked)), "the package that is tested is the unpacked one"
    for arguments in (
        ["--collect-only"],
        ["tests/test_package.py", "tests/test_figures.py", "tests/test_playthroughs.py", "tests/test_makefile.py"],
        ["tests/games/test_nim.py", "tests/trees/test_tree.py", "tests/test_notation.py", "docs/own-game.md"],
    ):
        done = subprocess.run([*pytest_, *arguments], cwd=unpacked, env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout[-5000:]


def floors(extra: str) -> dict[str, str]:
    """Return the lowest version that is allowed of each package in an extra."""
    wanted = PROJECT["project"]["optional-dependencies"][extra]
    return dict(re.split(r">=", each) for each in wanted)


def test_extras_have_version_floors_that_are_tested() -> None:
    """`make test-lowest` runs the tests with these very versions, and no others are pinned but what they bring."""
    pinned = dict(line.split("==") for line in Path("constraints-lowest.txt").read_text().splitlines() if "==" in line)
    (backend,) = PROJECT["build-system"]["requires"]
    lowest = floors("fast") | floors("web") | dict([backend.split(">=")])
    assert {name: pinned[name] for name in lowest} == lowest
    assert set(pinned) - set(lowest) == {"llvmlite"}


def test_the_document_shows_the_example_as_it_is() -> None:
    example = Path("examples/matches.py").read_text(encoding="utf-8")
    assert f"```python\n{example}```" in Path("docs/own-game.md").read_text(encoding="utf-8")


def test_the_benchmark_of_the_start_runs() -> None:
    done = subprocess.run(
        [sys.executable, "benchmarks/startup.py", "1"], capture_output=True, text=True, timeout=TIMEOUT, check=True
    )
    assert "| noughts, to the first board |" in done.stdout
