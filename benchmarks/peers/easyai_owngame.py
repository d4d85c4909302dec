"""A game of one's own with easyAI: Domineering, searched by `Negamax` from the empty board to a fixed depth.

The players take turns to place dominoes, the first vertically and the second horizontally; who cannot move loses.
The only scores are a loss and 0, so the search needs no judgement but the rules.

A node is a position that `Negamax` visits: the root, and one for each call of `make_move`. There is no transposition
table. The game is written twice: as easyAI's own Connect Four is, with its board in a numpy array and nothing to take
a move back, so that the game is copied for each node; and, with `--tuned`, with plain lists and the `unmake_move` that
easyAI recommends for speed.
"""

import argparse
import importlib
from importlib.metadata import version

from easyAI import (  # type: ignore[import-not-found,import-untyped,unused-ignore]
    AI_Player,
    Negamax,
    TwoPlayerGame,
)
from report import add_number, best_of, report

numpy = importlib.import_module("numpy")

Square = tuple[int, int]


class Domineering(TwoPlayerGame):  # type: ignore[misc,unused-ignore]
    """The rules for easyAI: a move is the upper or left square of a domino."""

    def __init__(self, size: int) -> None:
        self.players = [AI_Player(None), AI_Player(None)]
        self.size = size
        self.taken = [[False] * size for _ in range(size)]
        self.current_player = 1
        self.moves_made = 0

    def other_half(self, move: Square) -> Square:
        """Return the second square of the domino that the player to move would place."""
        row, column = move
        return (row + 1, column) if self.current_player == 1 else (row, column + 1)

    def possible_moves(self) -> list[Square]:
        """Return where the player to move can place a domino."""
        size, taken = self.size, self.taken
        if self.current_player == 1:
            return [
                (row, column)
                for row in range(size - 1)
                for column in range(size)
                if not taken[row][column] and not taken[row + 1][column]
            ]
        return [
            (row, column)
            for row in range(size)
            for column in range(size - 1)
            if not taken[row][column] and not taken[row][column + 1]
        ]

    def make_move(self, move: Square) -> None:
        """Place a domino of the player to move."""
        self.moves_made += 1
        self.mark(move, True)

    def unmake_move(self, move: Square) -> None:
        """Take the domino away again."""
        self.mark(move, False)

    def mark(self, move: Square, taken: bool) -> None:
        """Mark both squares of a domino as taken or free."""
        for row, column in (move, self.other_half(move)):
            self.taken[row][column] = taken

    def is_over(self) -> bool:
        """Return whether the player to move cannot move."""
        return not self.possible_moves()

    def scoring(self) -> int:
        """Return the score of the player to move."""
        return -100 if self.is_over() else 0


class Plain(TwoPlayerGame):  # type: ignore[misc,unused-ignore]
    """The same rules as easyAI's examples are written: a numpy array, and no way to take a move back."""

    nodes = 1

    def __init__(self, size: int) -> None:
        self.players = [AI_Player(None), AI_Player(None)]
        self.size = size
        self.taken = numpy.zeros((size, size), dtype=int)
        self.current_player = 1

    def possible_moves(self) -> list[Square]:
        """Return where the player to move can place a domino."""
        down, right = (1, 0) if self.current_player == 1 else (0, 1)
        return [
            (row, column)
            for row in range(self.size - down)
            for column in range(self.size - right)
            if not self.taken[row, column] and not self.taken[row + down, column + right]
        ]

    def make_move(self, move: Square) -> None:
        """Place a domino of the player to move."""
        Plain.nodes += 1
        row, column = move
        down, right = (1, 0) if self.current_player == 1 else (0, 1)
        self.taken[row, column] = self.taken[row + down, column + right] = 1

    def is_over(self) -> bool:
        """Return whether the player to move cannot move."""
        return not self.possible_moves()

    def scoring(self) -> int:
        """Return the score of the player to move."""
        return -100 if self.is_over() else 0


def search(size: int, depth: int, tuned: bool) -> tuple[int, float]:
    """Return how many nodes easyAI visits from the empty board, and the value it finds."""
    algorithm = Negamax(depth)
    if tuned:
        game = Domineering(size)
        algorithm(game)
        return game.moves_made + 1, float(algorithm.alpha)
    Plain.nodes = 1
    algorithm(Plain(size))
    return Plain.nodes, float(algorithm.alpha)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_number(parser, "--size", 6, "rows and columns of the board")
    add_number(parser, "--depth", 5, "how many moves to look ahead")
    add_number(parser, "--rounds", 3, "report the best of so many")
    parser.add_argument("--tuned", action="store_true", help="written for speed")
    wanted = parser.parse_args()
    (nodes, value), timing = best_of(wanted.rounds, lambda: search(wanted.size, wanted.depth, wanted.tuned))
    report(
        "easyAI Negamax, Domineering" + ", tuned" * wanted.tuned,
        version("easyAI"),
        nodes,
        timing,
        size=wanted.size,
        depth=wanted.depth,
        winner={1: "first player", 0: None, -1: "second player"}[(value > 0) - (value < 0)],
        rounds=wanted.rounds,
    )


if __name__ == "__main__":
    main()
