"""All of tic-tac-toe with easyAI's `Negamax`, the game written as easyAI's own example writes it.

`Negamax` always prunes, and it has no switch for that. It is therefore run in two ways:

- With scores that are numbers in every respect, except that none is ever at least another: `Negamax` asks that
  before each cut, so it never cuts and visits the whole tree of 549,946 nodes, as plain minimax does. These are the
  figures `nodes` and `cpu_seconds`. The arithmetic of such scores costs a little; what it costs shows in the speeds.
- As anybody would use it: the figures that begin with `alphabeta`.

A node is a position that `Negamax` visits: the root, and one for each call of `make_move`. The game has the
`unmake_move` that easyAI recommends for speed; without it, easyAI makes a deep copy for each move.
"""

from importlib.metadata import version

from easyAI import (  # type: ignore[import-not-found,import-untyped,unused-ignore]
    AI_Player,
    Negamax,
    TwoPlayerGame,
)
from report import FULL_TREE, best_of, report, rounds_wanted

LINES = [[1, 2, 3], [4, 5, 6], [7, 8, 9], [1, 4, 7], [2, 5, 8], [3, 6, 9], [1, 5, 9], [3, 5, 7]]
DEPTH = 9


class TicTacToe(TwoPlayerGame):  # type: ignore[misc,unused-ignore]
    """The rules for easyAI: squares 1 to 9 hold 0 or the number of a player."""

    def __init__(self) -> None:
        self.players = [AI_Player(None), AI_Player(None)]
        self.board = [0] * 9
        self.current_player = 1
        self.moves_made = 0

    def possible_moves(self) -> list[int]:
        """Return the free squares."""
        return [square + 1 for square, mark in enumerate(self.board) if mark == 0]

    def make_move(self, move: int) -> None:
        """Mark the square for the player to move."""
        self.moves_made += 1
        self.board[move - 1] = self.current_player

    def unmake_move(self, move: int) -> None:
        """Take the mark back."""
        self.board[move - 1] = 0

    def lose(self) -> bool:
        """Return whether the opponent of the player to move has three in a row."""
        return any(all(self.board[square - 1] == self.opponent_index for square in line) for line in LINES)

    def is_over(self) -> bool:
        """Return whether somebody has won or the board is full."""
        return not self.possible_moves() or self.lose()

    def scoring(self) -> float:
        """Return the score of the player to move."""
        return -100 if self.lose() else 0


class Uncut(float):
    """A score that never causes a cut: it is not at least anything."""

    def __ge__(self, other: object) -> bool:
        return False

    def __neg__(self) -> "Uncut":
        return Uncut(-float(self))

    def __mul__(self, factor: float) -> "Uncut":
        return Uncut(float(self) * factor)


def search(algorithm: Negamax) -> tuple[int, float]:
    """Return how many nodes easyAI visits from the empty board, and the value it finds."""
    game = TicTacToe()
    algorithm(game)
    return game.moves_made + 1, float(algorithm.alpha)


def main() -> None:
    rounds = rounds_wanted(__doc__)
    plain = Negamax(DEPTH, scoring=lambda game: Uncut(game.scoring()))
    (nodes, value), timing = best_of(rounds, lambda: search(plain))
    (pruned, pruned_value), pruned_timing = best_of(rounds, lambda: search(Negamax(DEPTH)))
    assert nodes == FULL_TREE, f"{nodes} nodes, not {FULL_TREE}"
    assert value == pruned_value == 0, f"tic-tac-toe is a draw, not {value} or {pruned_value}"
    report(
        "easyAI Negamax",
        version("easyAI"),
        nodes,
        timing,
        value=int(value),
        rounds=rounds,
        alphabeta_nodes=pruned,
        alphabeta_cpu_seconds=pruned_timing.cpu,
        alphabeta_nodes_per_second=pruned / pruned_timing.cpu,
    )


if __name__ == "__main__":
    main()
