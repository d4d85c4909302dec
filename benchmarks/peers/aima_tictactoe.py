"""Plain minimax over all of tic-tac-toe in the manner of the book AIMA, written anew from its pseudocode.

The peer is a style, not a package: `max_value` and `min_value` call each other, a game object answers `actions`,
`result`, `is_terminal` and `utility`, and a state is a named tuple around a dictionary of squares, which `result`
copies. As is usual in that style, `result` works out the utility when the move is made.

A node is a call of `max_value` or `min_value`, the root included.
"""

import math
import platform
from typing import NamedTuple

from report import FULL_TREE, best_of, report, rounds_wanted

Square = tuple[int, int]


class State(NamedTuple):
    """Whose move it is, what the state is worth to X, the marks on the board and the squares still free."""

    to_move: str
    utility: int
    board: dict[Square, str]
    moves: list[Square]


class TicTacToe:
    """The rules, with squares as (row, column) counted from 1."""

    def __init__(self, height: int = 3, width: int = 3, in_a_row: int = 3) -> None:
        self.in_a_row = in_a_row
        squares = [(row, column) for row in range(1, height + 1) for column in range(1, width + 1)]
        self.initial = State("X", 0, {}, squares)

    def actions(self, state: State) -> list[Square]:
        """Return the free squares."""
        return state.moves

    def result(self, state: State, move: Square) -> State:
        """Return the state after the move."""
        board = state.board.copy()
        board[move] = state.to_move
        moves = [square for square in state.moves if square != move]
        following = "O" if state.to_move == "X" else "X"
        return State(following, self.compute_utility(board, move, state.to_move), board, moves)

    def is_terminal(self, state: State) -> bool:
        """Return whether somebody has won or the board is full."""
        return state.utility != 0 or not state.moves

    def utility(self, state: State, player: str) -> int:
        """Return what the state is worth to the player."""
        return state.utility if player == "X" else -state.utility

    def compute_utility(self, board: dict[Square, str], move: Square, player: str) -> int:
        """Return 1 if the move wins for X, -1 if it wins for O, else 0."""
        directions = [(0, 1), (1, 0), (1, 1), (1, -1)]
        if any(self.makes_row(board, move, player, direction) for direction in directions):
            return 1 if player == "X" else -1
        return 0

    def makes_row(self, board: dict[Square, str], move: Square, player: str, direction: tuple[int, int]) -> bool:
        """Return whether the player has enough marks in a line through the move."""
        count = -1  # the move itself is met in both directions
        for sign in (1, -1):
            row, column = move
            while board.get((row, column)) == player:
                count += 1
                row, column = row + sign * direction[0], column + sign * direction[1]
        return count >= self.in_a_row


class Minimax:
    """The search, and how many nodes it has visited."""

    def __init__(self, game: TicTacToe) -> None:
        self.game = game
        self.player = "X"
        self.nodes = 0

    def search(self, state: State) -> tuple[float, Square | None]:
        """Return the value of the state to the player to move, and a best move."""
        self.player = state.to_move
        return self.max_value(state)

    def max_value(self, state: State) -> tuple[float, Square | None]:
        """Return the best that the player can reach, and how."""
        self.nodes += 1
        if self.game.is_terminal(state):
            return self.game.utility(state, self.player), None
        value, best = -math.inf, None
        for action in self.game.actions(state):
            reached, _ = self.min_value(self.game.result(state, action))
            if reached > value:
                value, best = reached, action
        return value, best

    def min_value(self, state: State) -> tuple[float, Square | None]:
        """Return the worst that the opponent can do to the player, and how."""
        self.nodes += 1
        if self.game.is_terminal(state):
            return self.game.utility(state, self.player), None
        value, best = math.inf, None
        for action in self.game.actions(state):
            reached, _ = self.max_value(self.game.result(state, action))
            if reached < value:
                value, best = reached, action
        return value, best


def whole_tree() -> tuple[int, float]:
    """Return the nodes of tic-tac-toe and its value to X."""
    game = TicTacToe()
    minimax = Minimax(game)
    value, _ = minimax.search(game.initial)
    return minimax.nodes, value


def main() -> None:
    rounds = rounds_wanted(__doc__)
    (nodes, value), timing = best_of(rounds, whole_tree)
    assert nodes == FULL_TREE, f"{nodes} nodes, not {FULL_TREE}"
    assert value == 0, f"tic-tac-toe is a draw, not {value}"
    report("AIMA-style minimax", f"Python {platform.python_version()}", nodes, timing, value=value, rounds=rounds)


if __name__ == "__main__":
    main()
