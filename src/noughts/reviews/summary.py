"""What is said about a reviewed game as a whole."""

from typing import Any

from noughts.errors import counted
from noughts.game import MAX
from noughts.reviews.accuracy import Accuracy
from noughts.reviews.review import Review
from noughts.words.reasons import listed

__all__ = ["about_accuracy", "summary"]


def summary(review: Review[Any, Any]) -> str:
    """Return in one sentence how many mistakes the players made.

    >>> import noughts
    >>> from noughts.reviews.review import review
    >>> summary(review(noughts.load("tic-tac-toe"), "5 2 1 9 7"))
    'X made no mistakes, O made 1 mistake.'
    """
    game = review.game
    return (
        ", ".join(f"{game.player_name(player)} made {_wrong(review.accuracy(player))}" for player in (MAX, -MAX)) + "."
    )


def _wrong(accuracy: Accuracy) -> str:
    parts = [
        counted(accuracy.mistakes, "mistake") if accuracy.mistakes else "no mistakes",
        _many(accuracy.inaccuracies, "inaccuracy", "inaccuracies"),
        _many(accuracy.doubtful, "doubtful move", "doubtful moves"),
    ]
    return listed([part for part in parts if part])


def _many(number: int, one: str, many: str) -> str:
    return "" if not number else f"{number} {one if number == 1 else many}"


def about_accuracy(name: str, accuracy: Accuracy) -> str:
    """Return a player's accuracy in words.

    >>> from noughts.reviews.accuracy import accuracy_of
    >>> about_accuracy("X", accuracy_of([("good", True), ("mistake", True), ("unknown", False)]))
    'X: 50% (1 of 2 decisions); 1 move unknown'
    >>> about_accuracy("O", accuracy_of([("good", False)]))
    'O: nothing to decide'
    """
    if accuracy.percent is None:
        said = f"{name}: nothing to decide"
    else:
        said = f"{name}: {accuracy.percent}% ({accuracy.points:g} of {counted(accuracy.decisions, 'decision')})"
    unknown = accuracy.unknown + accuracy.doubtful
    return f"{said}; {counted(unknown, 'move')} unknown" if unknown else said
