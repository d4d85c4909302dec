"""The course of a game as text: who was winning after each move, and where the mistakes were."""

from typing import Any

from noughts.game import MAX
from noughts.reviews.marks import Mark
from noughts.reviews.review import Review

__all__ = ["SIGNS", "course", "value_for_max"]

SIGNS: dict[Mark, str] = {"good": "", "inaccuracy": "?!", "mistake": "?", "doubtful": "(?)", "unknown": ""}
"""What stands behind a move."""

HERE, GUESS = "#", "?"
"""What stands for a position: one whose value is proven, and one that is not known."""


def value_for_max(review: Review[Any, Any], number: int) -> int | None:
    """Return 1 if MAX wins after so many reviewed moves, 0 for a draw, -1 if MIN wins; None if that is not known."""
    answer = review.answers[number]
    if review.drawn and number == len(review.moves):
        return 0
    if answer.value == "unknown" or (answer.bound is not None and not _decided(answer)):
        return None
    worth = {"win": 1, "draw": 0, "loss": -1}[answer.value]
    first = len(review.where.actions) - len(review.moves)
    return worth * (1 if review.game.to_move(review.where.states[first + number]) == MAX else -1)


def _decided(answer: Any) -> bool:
    """Return whether a bound decides who wins, though not how soon."""
    return (answer.value, answer.bound) in (("win", "lower"), ("loss", "upper"))


def course(review: Review[Any, Any], width: int = 80) -> str:
    """Return three rows, for a win of either player and a draw, with a column for each move; in parts if it is long.

    >>> import noughts
    >>> from noughts.reviews.review import review
    >>> print(course(review(noughts.load("tic-tac-toe"), "5 2 1 9 7")))
    X wins         #  #  #  #
    draw     #  #
    O wins
                5  2? 1  9  7
    """
    game = review.game
    labels = [f"{game.player_name(MAX)} wins", "draw", f"{game.player_name(-MAX)} wins"]
    left = max(map(len, labels)) + 2
    moves = [game.action_name(each.action) + SIGNS[each.mark] for each in review.moves]
    column = max(map(len, moves)) + 1
    values = [value_for_max(review, number) for number in range(len(moves) + 1)]
    step = max(1, (width - left) // column - 1)
    parts = []
    for start in range(0, len(moves), step):
        shown, named = values[start : start + step + 1], moves[start : start + step]
        rows = []
        for label, worth in zip(labels, (1, 0, -1), strict=True):
            cells = [HERE if value == worth else GUESS if value is None and not worth else "" for value in shown]
            rows.append((label.ljust(left) + "".join(cell.ljust(column) for cell in cells)).rstrip())
        rows.append((" " * (left + column) + "".join(name.ljust(column) for name in named)).rstrip())
        parts.append("\n".join(rows))
    return "\n\n".join(parts)
