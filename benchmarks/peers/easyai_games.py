"""The games of `benchmarks/own_games.py` for easyAI, each searched to its end by `Negamax` with its table.

They are written for speed, as easyAI recommends: boards are lists, and `unmake_move` takes a move back, so that no game
is copied. In easyAI the players always alternate. A player who moves again does so after the opponent's only move,
`PASS`. A node is a position that `Negamax` visits: the root, and one for each call of `make_move`.
"""

import argparse
from importlib.metadata import version

from easyAI import (  # type: ignore[import-not-found,import-untyped,unused-ignore]
    AI_Player,
    Negamax,
    TranspositionTable,
    TwoPlayerGame,
)
from report import report, timed

PASS = -1
WIN = 100


class Counted(TwoPlayerGame):  # type: ignore[misc,unused-ignore]
    """What the games share: two players, and a count of the moves made."""

    longest = 0

    def __init__(self) -> None:
        self.players = [AI_Player(None), AI_Player(None)]
        self.current_player = 1
        self.made = 0


class Hex(Counted):
    """The player to move is `current_player`; a cell holds 0, 1 or 2."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size
        self.longest = size * size
        self.board = [0] * (size * size)
        self.near = [self.neighbours(cell) for cell in range(size * size)]

    def neighbours(self, cell: int) -> list[int]:
        """Return the cells next to one."""
        size = self.size
        row, column = divmod(cell, size)
        steps = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))
        around = [(row + down, column + right) for down, right in steps]
        return [r * size + c for r, c in around if 0 <= r < size and 0 <= c < size]

    def possible_moves(self) -> list[int]:
        """Return the empty cells."""
        return [cell for cell, who in enumerate(self.board) if who == 0]

    def make_move(self, move: int) -> None:
        """Place a stone."""
        self.made += 1
        self.board[move] = self.current_player

    def unmake_move(self, move: int) -> None:
        """Take the stone away."""
        self.board[move] = 0

    def is_over(self) -> bool:
        """Return whether the player who moved last has joined its edges."""
        board, size, who = self.board, self.size, self.opponent_index
        step, other = (1, size) if who == 1 else (size, 1)
        found = [cell * step for cell in range(size) if board[cell * step] == who]
        for cell in found:
            if cell // other % size == size - 1:
                return True
            for near in self.near[cell]:
                if board[near] == who and near not in found:
                    found.append(near)
        return False

    def scoring(self) -> int:
        """Return the score of the player to move."""
        return -WIN if self.is_over() else 0

    def ttentry(self) -> tuple[int, ...]:
        """Return the key of the position."""
        return (*self.board, self.current_player)


class Isolation(Counted):
    """A square is closed or not; `at` holds where the players are."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size
        self.longest = size * size
        self.closed = [False] * (size * size)
        self.at = [size // 2, size * (size - 1) + (size - 1) // 2]
        self.from_squares: list[int] = []

    def possible_moves(self) -> list[int]:
        """Return the squares that the player to move can reach."""
        size, closed, (first, second) = self.size, self.closed, self.at
        row, column = divmod(self.at[self.current_player - 1], size)
        found = []
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                r, c = row + down, column + right
                while 0 <= r < size and 0 <= c < size:
                    square = r * size + c
                    if closed[square] or square in (first, second):
                        break
                    found.append(square)
                    r += down
                    c += right
        return found

    def make_move(self, move: int) -> None:
        """Move, and close the square that is left."""
        self.made += 1
        here = self.at[self.current_player - 1]
        self.from_squares.append(here)
        self.closed[here] = True
        self.at[self.current_player - 1] = move

    def unmake_move(self, _: int) -> None:
        """Move back."""
        here = self.from_squares.pop()
        self.closed[here] = False
        self.at[self.current_player - 1] = here

    def is_over(self) -> bool:
        """Return whether the player to move cannot."""
        return not self.possible_moves()

    def scoring(self) -> int:
        """Return the score of the player to move."""
        return -WIN if self.is_over() else 0

    def ttentry(self) -> tuple[int, ...]:
        """Return the key of the position."""
        return (*self.closed, *self.at, self.current_player)


class Kalah(Counted):
    """The pits of a player are its houses and then its store."""

    longest = 200

    def __init__(self, houses: int, seeds: int) -> None:
        super().__init__()
        self.houses = houses
        self.pits = ([seeds] * houses + [0]) * 2
        self.again = False
        self.before: list[tuple[list[int], bool]] = []

    def possible_moves(self) -> list[int]:
        """Return the houses of the player to move that hold seeds."""
        if self.again:
            return [PASS]
        start = (self.houses + 1) * (self.current_player - 1)
        return [house for house in range(self.houses) if self.pits[start + house]]

    def make_move(self, move: int) -> None:
        """Sow the seeds of a house."""
        self.made += 1
        self.before.append((self.pits, self.again))
        self.again = False
        if move == PASS:
            return
        houses, pits = self.houses, self.pits[:]
        self.pits = pits
        start = (houses + 1) * (self.current_player - 1)
        other = houses + 1 - start
        pit = start + move
        seeds = pits[pit]
        pits[pit] = 0
        while seeds:
            pit = (pit + 1) % (2 * houses + 2)
            if pit != other + houses:
                pits[pit] += 1
                seeds -= 1
        self.again = pit == start + houses
        if start <= pit < start + houses and pits[pit] == 1:
            opposite = other + houses - 1 - (pit - start)
            if pits[opposite]:
                pits[start + houses] += pits[opposite] + 1
                pits[pit] = pits[opposite] = 0
        for side in (0, houses + 1):
            if not any(pits[side : side + houses]):
                rest = houses + 1 - side
                pits[rest + houses] += sum(pits[rest : rest + houses])
                pits[rest : rest + houses] = [0] * houses

    def unmake_move(self, _: int) -> None:
        """Put the seeds back."""
        self.pits, self.again = self.before.pop()

    def is_over(self) -> bool:
        """Return whether all seeds are in the stores."""
        return self.pits[self.houses] + self.pits[-1] == sum(self.pits)

    def scoring(self) -> int:
        """Return the score of the player to move."""
        if not self.is_over():
            return 0
        first, second = self.pits[self.houses], self.pits[-1]
        score = WIN * ((first > second) - (first < second))
        return score if self.current_player == 1 else -score

    def ttentry(self) -> tuple[int, ...]:
        """Return the key of the position."""
        return (*self.pits, self.again, self.current_player)


class DotsAndBoxes(Counted):
    """`lead` is how many boxes the first player has more."""

    def __init__(self, size: int) -> None:
        super().__init__()
        across = size * (size + 1)
        self.longest = 4 * across
        self.lines = [False] * (2 * across)
        self.lead = 0
        self.again = False
        self.before: list[tuple[int, bool]] = []
        self.boxes = [
            (
                row * size + column,
                (row + 1) * size + column,
                across + row * (size + 1) + column,
                across + row * (size + 1) + column + 1,
            )
            for row in range(size)
            for column in range(size)
        ]

    def possible_moves(self) -> list[int]:
        """Return the lines that are not drawn."""
        return [PASS] if self.again else [line for line, drawn in enumerate(self.lines) if not drawn]

    def make_move(self, move: int) -> None:
        """Draw a line."""
        self.made += 1
        self.before.append((self.lead, self.again))
        self.again = False
        if move == PASS:
            return
        lines = self.lines
        lines[move] = True
        closed = sum(1 for box in self.boxes if move in box and all(lines[side] for side in box))
        self.lead += closed if self.current_player == 1 else -closed
        self.again = closed > 0

    def unmake_move(self, move: int) -> None:
        """Take the line away."""
        if move != PASS:
            self.lines[move] = False
        self.lead, self.again = self.before.pop()

    def is_over(self) -> bool:
        """Return whether all lines are drawn."""
        return all(self.lines)

    def scoring(self) -> int:
        """Return the score of the player to move."""
        if not self.is_over():
            return 0
        score = WIN * ((self.lead > 0) - (self.lead < 0))
        return score if self.current_player == 1 else -score

    def ttentry(self) -> tuple[int, ...]:
        """Return the key of the position."""
        return (*self.lines, self.lead, self.again, self.current_player)


GAMES = {"hex": Hex, "isolation": Isolation, "kalah": Kalah, "dots_and_boxes": DotsAndBoxes}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("sizes", type=int, nargs="+", help="the parameters of the game, such as its size")
    parser.add_argument("--value-only", action="store_true", help="prove who wins, not how fast")
    wanted = parser.parse_args()
    game = GAMES[wanted.game](*wanted.sizes)
    win_score = WIN if wanted.value_only else float("inf")
    algorithm = Negamax(game.longest, win_score=win_score, tt=TranspositionTable())
    _, timing = timed(lambda: algorithm(game))
    value = (algorithm.alpha > 0) - (algorithm.alpha < 0)
    answer = {1: "win", 0: "draw", -1: "loss"}[value]
    report("easyAI Negamax with its table", version("easyAI"), game.made + 1, timing, value=answer)


if __name__ == "__main__":
    main()
