"""What is published: the names, the versions, the wheel, and the two commands of the README."""

import ast
import subprocess
import sys
import zipfile
from pathlib import Path

import noughts


def test_public_names() -> None:
    """What `from noughts import *` gives; a change here is a change of what others rely on."""
    assert set(noughts.__all__) == {
        *("MAX", "MIN", "Game", "Answer", "ActionValue"),
        *("load", "replay", "analyse", "value", "show"),
        *("minimax", "alphabeta", "deepening", "mtd", "proof", "mcts", "kernel"),
        *("NoughtsError", "IllegalAction", "UnknownGame", "BadPosition", "BrokenGame"),
    }
    for name in noughts.__all__:
        assert hasattr(noughts, name)


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
    assert sources | page | {"noughts/py.typed"} <= names
    assert all("extra ==" in line for line in metadata.splitlines() if line.startswith("Requires-Dist"))


def test_the_document_shows_the_example_as_it_is() -> None:
    example = Path("examples/matches.py").read_text(encoding="utf-8")
    assert f"```python\n{example}```" in Path("docs/own-game.md").read_text(encoding="utf-8")


INWARDS = [
    *(
        "errors",
        "notices",
        "game",
        "score",
        "board",
        "bits",
        "keys",
        "capabilities",
        "games",
        "gamefile",
        "notation",
        "search",
        "compiled",
        "analysis",
    ),
    *("explain", "players", "match", "arena", "presentation", "testing", "signature", "web", "cli"),
]
"""The rooms, each of which may know those before it."""


def test_imports_point_inwards() -> None:
    """The model knows nothing of what stands on it, and nobody knows the shell."""
    package = Path("src/noughts")
    for path in package.rglob("*.py"):
        room = path.relative_to(package).parts[0].removesuffix(".py")
        if room in ("__init__", "__main__"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("noughts."):
                imported = (node.module or "").split(".")[1]
                assert INWARDS.index(imported) <= INWARDS.index(room), f"{path} imports {imported}"


def test_the_benchmark_of_the_start_runs() -> None:
    done = subprocess.run(
        [sys.executable, "benchmarks/startup.py", "1"], capture_output=True, text=True, timeout=60, check=True
    )
    assert "| noughts, to the first board |" in done.stdout
