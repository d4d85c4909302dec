"""The rules of a tiny game, which stand in for real ones in the source of the deep kernel, so that it runs as it is.

Players take one or two matches from a heap of five in turn; whoever takes the last one wins. A position is the matches
left. The functions are those that `noughts.compiled.searches` makes of a game's rules.
"""

__all__ = ["after", "bounds", "evaluate", "is_same_player", "moves_of", "plies_left", "rank", "words_of"]

Position = tuple[int]

longest = 5


def moves_of(position: Position) -> tuple[int]:
    """Return the moves as bits, in words: take one match, or two if they are there."""
    return (0b11 if position[0] > 1 else 0b01,)


def after(position: Position, move: int) -> Position:
    """Return the position after a move, which is the number of a bit."""
    return (position[0] - move - 1,)


def words_of(position: Position) -> tuple[int]:
    """Return the key, in words."""
    return position


def bounds(position: Position) -> tuple[int, int]:
    """Return the score twice if the game is over; else how bad and how good it can be. Plies count from here."""
    if position[0] == 0:
        return -longest - 1, -longest - 1
    return -longest, longest


def rank(position: Position, move: int, child: Position) -> int:  # noqa: ARG001 - the signature that rules have
    """Return how promising a move is: no move is preferred."""
    return 0


def evaluate(position: Position) -> int:  # noqa: ARG001 - the signature that rules have
    """Return a guess who is ahead: nobody."""
    return 0


def plies_left(position: Position) -> int:
    """Return how many plies can follow at most."""
    return position[0]


def is_same_player(position: Position, child: Position) -> bool:  # noqa: ARG001 - the signature that rules have
    """Return whether the same player moves in both positions: never."""
    return False
