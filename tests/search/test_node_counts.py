"""Node counts are a signature: a change in a search is a visible diff of one file."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from noughts.capabilities import resolve
from noughts.node_counts import POSITIONS, node_counts
from noughts.notation import load, replay

GOLDEN = Path("tests/search/node_counts.txt")


def test_node_counts_have_not_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    """If they should have, `noughts bench --node-counts > tests/search/node_counts.txt` and say so in the commit.

    They hold on every Python, so sizes of objects, which differ between versions, must not matter.
    """
    size = sys.getsizeof
    monkeypatch.setattr(sys, "getsizeof", lambda value: 3 * size(value))
    assert "\n".join(map(str, node_counts())) + "\n" == GOLDEN.read_text(encoding="utf-8")


@pytest.mark.parametrize(("notation", "position"), POSITIONS)
def test_keys_hash_alike_on_every_python(notation: str, position: str) -> None:
    """Numbers and tuples of them do; texts do not, nor does None before Python 3.12."""

    def hashes_alike(key: Any) -> bool:
        return all(map(hashes_alike, key)) if isinstance(key, tuple) else isinstance(key, int)

    game = load(notation)
    key = resolve(game).key
    state = replay(game, position)
    for _ in range(100):
        assert hashes_alike(key(state))
        if game.terminal(state):
            break
        state = game.result(state, next(iter(game.actions(state))))


def pythons() -> dict[str, str]:
    """Return a Python of each supported version that is on this machine, by version."""
    names = [shutil.which(f"python3.{minor}") for minor in range(11, 20)]
    names += map(str, Path.home().glob(".pyenv/versions/3.*/bin/python"))
    found = {}
    script = "import sys; print('%d.%d' % sys.version_info[:2]); sys.exit(sys.version_info < (3, 11))"
    for name in filter(None, names):
        told = subprocess.run([name, "-c", script], capture_output=True, text=True)
        if told.returncode == 0:
            found[told.stdout.strip()] = name
    return found


@pytest.mark.long
def test_node_counts_hold_on_every_python() -> None:
    found = pythons()
    assert found, "not even the Python that runs this"
    for version, python in found.items():
        for seed in ("0", "1"):
            done = subprocess.run(
                [python, "-m", "noughts", "bench", "--node-counts"],
                capture_output=True,
                text=True,
                env=os.environ | {"PYTHONPATH": "src", "PYTHONHASHSEED": seed},
                timeout=600,
            )
            assert done.stdout == GOLDEN.read_text(encoding="utf-8"), f"on Python {version}: {done.stderr}"
