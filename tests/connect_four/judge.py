"""BitBully, a Connect Four solver in C++, as an exact judge and as an opponent; and opponents that look a little ahead.

Columns are counted from 1, as noughts names its actions. A position is the columns played so far.
"""

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from bitbully import BitBully, Board

__all__ = ["OPPONENTS", "Judge", "Moves", "Opponent", "Record", "judged_game"]

COLUMNS, ROWS = 7, 6
FROM_THE_CENTRE = (4, 3, 5, 2, 6, 1, 7)

Moves = list[int]
Opponent = Callable[[Moves], int]
"""Chooses a column after the moves so far."""


class Judge:
    """Scores every column of a position exactly: higher is better for the player to move, distance included."""

    def __init__(self) -> None:
        self._solver = BitBully(opening_book="12-ply-dist")

    def scores(self, moves: Moves) -> dict[int, int]:
        """Return the score of each column that has room: positive wins, 0 draws, and the sooner a win the higher."""
        found = self._solver.score_all_moves(Board([column - 1 for column in moves]))
        return {column + 1: score for column, score in found.items()}


class Stones(NamedTuple):
    """The stones of the player to move and of the other, seven bits a column, the lowest row first."""

    mine: int
    theirs: int

    def drop(self, column: int) -> "Stones | None":
        """Return the stones after a move, as the other player sees them; None if the column is full."""
        bottom = 1 << (ROWS + 1) * (column - 1)
        full = bottom * ((1 << ROWS) - 1)
        cell = ((self.mine | self.theirs) & full) + bottom
        return Stones(self.theirs, self.mine | cell) if cell & full else None

    @property
    def has_lost(self) -> bool:
        """Whether the other player has four in a row."""
        for step in (1, ROWS, ROWS + 1, ROWS + 2):
            pairs = self.theirs & self.theirs >> step
            if pairs & pairs >> 2 * step:
                return True
        return False


def stones_after(moves: Moves) -> Stones:
    """Return the stones after some legal moves."""
    stones = Stones(0, 0)
    for column in moves:
        after = stones.drop(column)
        assert after is not None, f"column {column} is full after {moves}"
        stones = after
    return stones


def fortune(stones: Stones, plies: int, low: int, high: int) -> int:
    """Return how the player to move fares within some plies: 0 is open, and a sooner win is higher; fail-soft."""
    if stones.has_lost:
        return -plies - 1
    children = [child for child in map(stones.drop, FROM_THE_CENTRE) if child is not None]
    if not plies or not children:
        return 0
    best = -plies - 1
    for child in children:
        best = max(best, -fortune(child, plies - 1, -high, -max(low, best)))
        if best >= high:
            break
    return best


def best_of(scores: dict[int, int], chance: Random) -> int:
    """Return one of the columns with the highest score."""
    best = max(scores.values())
    return chance.choice([column for column, score in scores.items() if score == best])


def at_random(chance: Random, _: Judge) -> Opponent:
    """Return an opponent that plays anything."""
    return lambda moves: chance.choice([column for column in FROM_THE_CENTRE if moves.count(column) < ROWS])


def looking_ahead(plies: int) -> Callable[[Random, Judge], Opponent]:
    """Return a maker of opponents that see who wins within some plies; among equal columns they choose at random."""

    def make(chance: Random, _: Judge) -> Opponent:
        def choose(moves: Moves) -> int:
            stones = stones_after(moves)
            after = {column: stones.drop(column) for column in FROM_THE_CENTRE}
            return best_of(
                {
                    column: -fortune(child, plies - 1, -plies - 1, plies + 1)
                    for column, child in after.items()
                    if child is not None
                },
                chance,
            )

        return choose

    return make


OPPONENTS: dict[str, Callable[[Random, Judge], Opponent]] = {
    "random": at_random,
    "greedy": looking_ahead(2),
    "four plies": looking_ahead(4),
    "eight plies": looking_ahead(8),
    "BitBully": lambda chance, judge: lambda moves: best_of(judge.scores(moves), chance),
}
"""Opponents by name. The greedy one takes a win, or else stops one, and looks no further."""


class Record(NamedTuple):
    """A finished game and what the judge says of it."""

    moves: Moves
    result: int
    """1 if the player who was judged has won, -1 if he has lost, 0 for a draw."""
    mistakes: list[str]
    """Each of his moves that gave up a value or a distance, in words."""
    is_spoilt: bool
    """Whether the result is worse than the judge's scores of his positions, the empty board included."""

    @property
    def faults(self) -> list[str]:
        """What a perfect player would not have done."""
        return [*self.mistakes, *([f"a result of {self.result} after {self.moves}"] if self.is_spoilt else [])]


def judged_game(player: Opponent, opponent: Opponent, judge: Judge, *, begins: bool) -> Record:
    """Play a game from the empty board, and judge every move of the player."""
    moves: Moves = []
    mistakes, due = list[str](), -COLUMNS * ROWS
    while not stones_after(moves).has_lost and len(moves) < COLUMNS * ROWS:
        if (len(moves) % 2 == 0) != begins:
            moves.append(opponent(list(moves)))
            continue
        scores = judge.scores(moves)
        best = max(scores.values())
        due = max(due, best)
        column = player(list(moves))
        if scores[column] < best:
            mistakes.append(f"{column} after {''.join(map(str, moves))}: {scores}")
        moves.append(column)
    last_is_his = (len(moves) % 2 == 1) == begins
    result = (1 if last_is_his else -1) if stones_after(moves).has_lost else 0
    return Record(moves, result, mistakes, result < (due > 0) - (due < 0))
