"""Connect Four: 7 columns, 6 rows, four in a row."""

from noughts.games.connect import DropGame

__all__ = ["make"]


def make(arguments: str) -> DropGame:
    """Return the game, which takes no arguments."""
    if arguments:
        raise ValueError("connect-four takes no arguments; other sizes are connect:WIDTHxHEIGHT")
    return DropGame("Connect Four", 7, 6, 4)
