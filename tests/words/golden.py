"""Explanations as they are printed, kept in files: `python -m tests.words.golden` rewrites them."""

from pathlib import Path

from noughts.capabilities import resolve
from noughts.notation import load, replay
from noughts.words.explanation import explain
from noughts.words.report import names_of, report

FOLDER = Path(__file__).parent / "golden"

EXAMPLES = (
    "tic-tac-toe",
    "tic-tac-toe 5 1 3",
    "tic-tac-toe 1 9",
    "tic-tac-toe 1 5 9",
    "tic-tac-toe 1 4 2 5",
    "tic-tac-toe 1 3 5 9 6",
    "misere 1 2 5 3 6",
    "misere 1 2 3 4 6 5 8",
    "connect:4x4,3 1 1 2",
    "wild 5x 1o 9o",
    "nim:3,4,5",
    "reversi:4",
    "examples/matches.py",
)
"""Games and positions, as on the command line."""


def file_of(arguments: str) -> Path:
    """Return where the explanation of an example is kept."""
    name = "".join(sign if sign.isalnum() or sign == "-" else "_" for sign in arguments)
    return FOLDER / f"{name}.txt"


def shown(arguments: str) -> str:
    """Return the board and the explanation of an example."""
    notation, _, position = arguments.partition(" ")
    game = load(notation)
    state = replay(game, position)
    return f"{resolve(game).draw(state)}\n\n{report(explain(game, state), names_of(game, state))}\n"


def rewrite() -> None:
    """Write the explanation of every example, and remove those that belong to none."""
    FOLDER.mkdir(exist_ok=True)
    for stale in set(FOLDER.iterdir()) - set(map(file_of, EXAMPLES)):
        stale.unlink()
    for arguments in EXAMPLES:
        file_of(arguments).write_text(shown(arguments), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    rewrite()
    print(f"wrote {len(EXAMPLES)} explanations to {FOLDER}")
