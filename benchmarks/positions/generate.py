"""Write the Connect Four positions that `make bench` solves, by random play from a fixed seed.

Run by the interpreter of the peers' environment: `python benchmarks/positions/generate.py [KNOWN ...]`. Each KNOWN is a
file of positions and scores; those with the right number of stones come first, and random ones fill the rest. With
the committed files as KNOWN, it writes them again unchanged.

A random position comes from legal columns chosen at random. It is passed over if the game is over in it, if the
player to move can win at once, or if it is there already. Every score, known or not, is worked out by BitBully.
"""

import random
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "peers"))

from bitbully_connect import Solver, board_after, read_positions  # noqa: E402

SEED = 4
COLUMNS, ROWS = "1234567", 6
FILES = [
    ("connect_four_end.txt", 200, range(28, 35)),
    ("connect_four_middle.txt", 200, range(14, 28)),
    ("connect_four_opening.txt", 20, range(8, 14)),
]
HEADER = """\
# Connect Four. Columns: the moves so far (columns of the board, 1 to 7), and the score for the player to move, which is
# 22 less the number of stones the winner will have placed, negative for a loss, 0 for a draw. Made by generate.py:
# some from a list of positions with known scores, the rest by random play. All scores are BitBully's.
"""


def random_moves(stones: int, chance: random.Random) -> str | None:
    """Return so many random moves, or None if they end the game or let the player to move win at once."""
    moves = ""
    for _ in range(stones):
        moves += chance.choice([column for column in COLUMNS if moves.count(column) < ROWS])
        if board_after(moves).hasWin():
            return None
    return None if board_after(moves).canWin() else moves


def main() -> None:
    known = [position for path in sys.argv[1:] for position in read_positions(Path(path))]
    solver = Solver()
    for name, count, stones in FILES:
        chance = random.Random(SEED)
        chosen = [position.moves for position in known if len(position.moves) in stones][:count]
        while len(chosen) < count:
            moves = random_moves(chance.choice(stones), chance)
            if moves is not None and moves not in chosen:
                chosen.append(moves)
        scores = {moves: solver.solve(moves) for moves in chosen}
        for moves, score in known:
            assert scores.get(moves, score) == score, f"BitBully scores {moves} as {scores[moves]}, not {score}"
        lines = [f"{moves} {score}\n" for moves, score in scores.items()]
        HERE.joinpath(name).write_text(HEADER + "".join(lines))


if __name__ == "__main__":
    main()
