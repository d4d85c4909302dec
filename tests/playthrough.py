"""One game of chance through each game, written out in full: `python -m tests.playthrough` rewrites the files.

Whatever a change does to rules, names, drawings or the order of actions shows as a difference in these files.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from noughts.capabilities import resolve
from noughts.game import MAX, Game
from noughts.games import GAMES
from noughts.notation import load

FOLDER = Path(__file__).parent / "playthroughs"


class Step(NamedTuple):
    """A state of a game of chance, and the action chosen in it; None at the end."""

    state: Any
    action: Any


def examples() -> list[str]:
    """Return the notation of every example of every game."""
    return [notation for entry in GAMES.values() for notation in entry.examples]


def file_of(notation: str) -> Path:
    """Return where the playthrough of an example is kept."""
    return FOLDER / f"{notation.replace(':', '_').replace(',', '-')}.txt"


def steps(game: Game[Any, Any], seed: int = 0) -> Iterator[Step]:
    """Play one game of chance, always the same."""
    random = Random(seed)
    state = game.initial()
    while not game.terminal(state):
        action = random.choice(list(game.actions(state)))
        yield Step(state, action)
        state = game.result(state, action)
    yield Step(state, None)


def line_of(game: Game[Any, Any]) -> str:
    """Return the game of chance as notation."""
    name = resolve(game).action_name
    return " ".join(name(step.action) for step in steps(game) if step.action is not None)


def playthrough(notation: str) -> str:
    """Return the facts of a game, then one game of chance, position by position."""
    game = load(notation)
    offers = resolve(game)
    marks = offers.marks or ("First", "Second")
    low, high = offers.utility_range
    images = "none listed" if offers.symmetries is None else len(list(offers.symmetries(game.initial())))
    parts = [
        f"game: {notation}\n"
        f"title: {offers.title}\n"
        f"marks: {marks[0]} and {marks[1]}\n"
        f"longest: {offers.scale.longest} plies\n"
        f"utility: {low} to {high}\n"
        f"misere: {'yes' if offers.misere else 'no'}\n"
        f"symmetric images of the start: {images}\n"
    ]
    for ply, (state, action) in enumerate(steps(game)):
        drawing = f"ply {ply}\n{offers.draw(state)}\n"
        if game.terminal(state):
            parts.append(f"{drawing}the end, utility: {game.utility(state)}\n")
        else:
            mover = marks[0] if game.player(state) == MAX else marks[1]
            legal = " ".join(map(offers.action_name, game.actions(state)))
            parts.append(f"{drawing}to move: {mover}\nlegal: {legal}\nchosen: {offers.action_name(action)}\n")
    parts.append(f"line: {line_of(game)}\n")
    return "\n".join(parts)


def rewrite() -> None:
    """Write the playthrough of every example, and remove those that belong to none."""
    FOLDER.mkdir(exist_ok=True)
    for stale in set(FOLDER.iterdir()) - set(map(file_of, examples())):
        stale.unlink()
    for notation in examples():
        file_of(notation).write_text(playthrough(notation), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    rewrite()
    print(f"wrote {len(examples())} playthroughs to {FOLDER}")
