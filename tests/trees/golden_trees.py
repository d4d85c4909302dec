"""Trees as they are drawn, kept in files: `python -m tests.trees.golden_trees` rewrites them."""

import json
from collections.abc import Callable
from pathlib import Path

import noughts
from noughts.capabilities import resolve
from noughts.notation import Position, load, read_position, replay
from noughts.search.limits import Limits
from noughts.trees.pictures import as_dot, as_svg, as_text
from noughts.trees.tree import Tree
from noughts.wire.trees import tree as facts

FOLDER = Path(__file__).parent / "golden"


def as_json(found: Tree, limits: Limits = Limits(), position: str = "") -> str:  # noqa: B008 - immutable
    """Return a tree as `noughts tree --json` prints it, for a game called `game`."""
    resolved = resolve(found.game)
    where = Position("", read_position(resolved, position).actions, (found.root.state,))
    return json.dumps(facts("tic-tac-toe", where, resolved, found, limits), ensure_ascii=False, indent=1) + "\n"


DRAW: dict[str, Callable[[Tree], str]] = {".txt": as_text, ".svg": as_svg, ".dot": as_dot, ".json": as_json}


def small() -> Tree:
    """Return a tree with values, bounds, cutoffs and collapsed nodes, on one page."""
    game = load("tic-tac-toe")
    return noughts.tree(game, replay(game, "5 1 3 7 4"), depth=2)


def merged() -> Tree:
    """Return a tree in which many nodes are the same."""
    return noughts.tree(load("tic-tac-toe"), search="symmetry", depth=2, merge=True)


def guessed() -> Tree:
    """Return a tree of a game too large to search to its end."""
    game = load("connect-four")
    return noughts.tree(game, replay(game, "44"), depth=2)


def drawn_by_the_game() -> Tree:
    """Return a tree of a game that has no board."""
    return noughts.tree(load("nim:2,2"), search="principal")


EXAMPLES = {
    "small.txt": small,
    "small.svg": small,
    "small.dot": small,
    "small.json": small,
    "merged.txt": merged,
    "guessed.txt": guessed,
    "guessed.svg": guessed,
    "nim.txt": drawn_by_the_game,
    "nim.dot": drawn_by_the_game,
}


def shown(name: str) -> str:
    """Return what the file of an example holds."""
    if name == "small.json":
        return as_json(small(), position="5 1 3 7 4")
    return DRAW[Path(name).suffix](EXAMPLES[name]())


def rewrite() -> None:
    """Write the file of every example, and remove those that belong to none."""
    FOLDER.mkdir(exist_ok=True)
    for stale in {path.name for path in FOLDER.iterdir()} - set(EXAMPLES):
        (FOLDER / stale).unlink()
    for name in EXAMPLES:
        (FOLDER / name).write_text(shown(name), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    rewrite()
    print(f"wrote {len(EXAMPLES)} trees to {FOLDER}")
