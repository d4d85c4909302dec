"""Scores: whole numbers that rank results by value first and by distance second.

A utility says who won and by how much. A score also says how soon, so that a search that maximises it takes the fastest
win and the longest resistance. On a scale whose longest possible game has 9 plies, a win scores `9 + 1 - plies`:

>>> tic_tac_toe = Scale(longest=9)
>>> tic_tac_toe.score(+1, plies=3), tic_tac_toe.score(-1, plies=4), tic_tac_toe.score(0, plies=5)
(7, -6, 0)

Distances count from the node and not from the root, so a stored score does not depend on the path that led to it. Going
one ply up the tree takes one point off a win and adds one to a loss, whoever moves:

>>> one_ply_later(7), one_ply_later(-6), one_ply_later(0)
(6, -5, 0)

The same formula ranks margins: any win by 2 beats every win by 1, and of two equal margins the faster win is better.

>>> tic_tac_toe.score(2, plies=9) > tic_tac_toe.score(1, plies=0)
True
"""

import operator
from typing import Any, Literal, NamedTuple

from noughts.errors import BrokenGame, counted

__all__ = ["Scale", "Value", "one_ply_earlier", "one_ply_later", "value_of", "whole_utility"]

Value = Literal["win", "draw", "loss", "unknown"]


class Scale(NamedTuple):
    """Converts utilities and distances to scores and back, for a game of at most `longest` plies.

    score = sign(utility) * (|utility| * (longest + 1) - plies)
    """

    longest: int = 999_999

    def score(self, utility: int, plies: int = 0) -> int:
        """Return the score of an end with this utility, `plies` plies away; same view as the utility."""
        if utility > 0:
            return utility * (self.longest + 1) - plies
        if utility < 0:
            return utility * (self.longest + 1) + plies
        return 0

    def utility(self, score: int) -> int:
        """Return the utility of a score; same view as the score."""
        size = -(-abs(score) // (self.longest + 1))
        return size if score > 0 else -size

    def bounds(self, utility: int) -> tuple[int, int]:
        """Return the lowest and the highest score of an unfinished state that is worth this utility.

        >>> Scale(longest=9).bounds(1), Scale(longest=9).bounds(0)
        ((1, 9), (0, 0))
        """
        slowest, fastest = self.score(utility, self.longest), self.score(utility, 1)
        return min(slowest, fastest), max(slowest, fastest)

    def one_ply_later(self, score: int) -> int:
        """Return the score of a state as seen one ply earlier; raise BrokenGame if its distance exceeds `longest`.

        >>> Scale(longest=9).one_ply_later(1)
        Traceback (most recent call last):
        noughts.errors.BrokenGame: a game can take more plies than the 9 that it states as `longest`
        """
        earlier = one_ply_later(score)
        if score and earlier % (self.longest + 1) == 0:
            raise self.too_long()
        return earlier

    def too_long(self) -> BrokenGame:
        """Return the error for a game that takes more than `longest` plies, whose distances do not fit the scale."""
        if self == Scale():
            return BrokenGame(f"a game can take more than {counted(self.longest, 'ply')}; state how many: `longest`")
        return BrokenGame(f"a game can take more plies than the {self.longest:,} that it states as `longest`")

    def distance(self, score: int) -> int | None:
        """Return the plies to the end of the game; None for a draw, which has no distance."""
        if score == 0:
            return None
        return -abs(score) % (self.longest + 1)


def one_ply_later(score: int) -> int:
    """Return the score of a state as seen one ply earlier: the end is then one ply further away."""
    return score - (score > 0) + (score < 0)


def one_ply_earlier(score: int) -> int:
    """Return the score of a state from that score as seen one ply earlier: the end is then one ply nearer."""
    return score + (score > 0) - (score < 0)


def value_of(score: int | None) -> Value:
    """Return whether a score or utility is a win, a draw or a loss, in its own view; None is unknown."""
    if score is None:
        return "unknown"
    return "win" if score > 0 else "loss" if score < 0 else "draw"


def whole_utility(utility: Any, within: tuple[int, int] | None = None) -> int:
    """Return a game's utility as an int; raise BrokenGame if it is not a whole number, or not `within` its range.

    Searches that rely on the range check it; those that visit every end of the game need not.
    """
    try:
        whole = operator.index(utility)
    except TypeError:
        raise BrokenGame(f"utility(state) returned {utility!r}; it must be a whole number") from None
    if within is not None and not within[0] <= whole <= within[1]:
        raise BrokenGame(
            f"utility(state) returned {whole}, which is not within {within}; state utility_range = (lowest, highest)"
        )
    return whole
