"""A person's own games, six plain functions each, compared with the same games in easyAI, in one run.

The games are in `examples`. Every row asks `noughts.value` in a process of its own, with nothing known yet and without
numba, and then the native search of the same functions, which is loaded before the time is taken.
easyAI searches with its table, once for the same proof, which includes how fast the game is won, and once only for who
wins. Times are CPU seconds of the question, without the start of the process and its imports. Values are checked first.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent

GAMES: list[tuple[str, dict[str, int], str | None]] = [
    ("hex", {"SIZE": 4}, "win"),
    ("isolation", {"SIZE": 4}, "loss"),
    ("kalah", {"HOUSES": 4, "SEEDS": 3}, "win"),
    ("dots_and_boxes", {"SIZE": 2}, "win"),
    ("isolation", {"SIZE": 5}, None),
]
"""The file of each game, its constants, and its value if it is known. The last takes both programs minutes."""

PATIENCE = 600
"""Seconds after which a peer is given up."""

ASK = """
import json, sys, time
import noughts
game, value = noughts.load(sys.argv[1]), noughts.value  # which imports the engine
before = time.process_time()
answer = value(game)
seconds = time.process_time() - before
print(json.dumps({"cpu_seconds": seconds, "nodes": answer.nodes, "value": answer.value, "distance": answer.distance}))
"""


ASK_NATIVE = """
import json, sys, time
import noughts
from noughts.sources.native import native_search
game = noughts.load(sys.argv[1])
native = native_search(game)
native.load(noughts.Limits())
before = time.process_time()
answer = native.ask(game.initial(), wanted="one")
seconds = time.process_time() - before
print(json.dumps({"cpu_seconds": seconds, "nodes": answer.nodes, "value": answer.value, "distance": answer.distance}))
"""

WITHOUT_NUMBA = {**os.environ, "NUMBA_DISABLE_JIT": "1"}


def output(command: list[str], environment: dict[str, str] | None = None) -> dict[str, Any] | None:
    """Return the JSON object that a command prints; None if it takes too long."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE, env=environment)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed: {done.stderr.strip()}")
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


def with_constants(name: str, constants: dict[str, int], folder: str) -> Path:
    """Return the file of a game with other values for its constants."""
    source = (HERE.parent / "examples" / f"{name}.py").read_text(encoding="utf-8")
    lines = source.splitlines()
    names, values = ", ".join(constants), ", ".join(map(str, constants.values()))
    place = next(place for place, line in enumerate(lines) if line.startswith(f"{names} = "))
    lines[place] = f"{names} = {values}"
    path = Path(folder, f"{name}_{'_'.join(map(str, constants.values()))}.py")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def row(python: str, name: str, constants: dict[str, int], value: str | None, folder: str) -> str:
    path = with_constants(name, constants, folder)
    native = output([sys.executable, "-c", ASK_NATIVE, str(path)])
    assert native is not None, f"{path.stem}: more than {PATIENCE} s"
    assert value in (None, native["value"]), f"{path.stem}: {native}"
    cells = [path.stem, f"{native['value']}, distance {native['distance']}"]
    searches = [("native", native)]
    interpreted = output([sys.executable, "-c", ASK, str(path)], WITHOUT_NUMBA)
    if interpreted is not None:
        same = all(interpreted[name] == native[name] for name in ("value", "distance"))
        assert same, f"{path.stem}: {interpreted} and {native}"
        searches.insert(0, ("interpreted", interpreted))
        cells.append(f"{interpreted['cpu_seconds']:.3f} s, {interpreted['nodes']:,} nodes")
    else:
        cells.append(f"more than {PATIENCE} s")
    cells.append(f"{native['cpu_seconds']:.4f} s, {native['nodes']:,} nodes")
    for options in ([], ["--value-only"]):
        sizes = map(str, constants.values())
        theirs = output([python, str(HERE / "peers" / "easyai_games.py"), name, *sizes, *options])
        if theirs is None:
            cells.append(f"more than {PATIENCE} s")
            continue
        assert theirs["value"] == native["value"], f"{path.stem}: {theirs}"
        ratios = (f"{name} {theirs['cpu_seconds'] / ours['cpu_seconds']:,.1f}" for name, ours in searches)
        cells.append(f"{theirs['cpu_seconds']:.3f} s, {theirs['nodes']:,} nodes, ratios: {', '.join(ratios)}")
    return f"| {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("python", help="the Python in which easyAI is installed")
    parser.add_argument("--quick", action="store_true", help="leave out the game that takes minutes")
    wanted = parser.parse_args()
    print("| game | value | noughts, interpreted | noughts, native | easyAI, same proof | easyAI, only who wins |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, constants, value in GAMES[: -1 if wanted.quick else None]:
            print(row(wanted.python, name, constants, value, folder), flush=True)


if __name__ == "__main__":
    main()
