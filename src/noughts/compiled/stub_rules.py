"""The rules of a tiny game, which stand in for real ones in the source of the kernel, so that it runs as it is.

Players take one or two matches from a heap of five in turn; whoever takes the last one wins. A position is (matches
left, plies played), and a move is the number of matches to take, which is a bit.
"""

__all__ = ["expand", "finish", "foresee", "initial", "key", "order", "play", "plies", "score_bounds"]

Position = tuple[int, int]

longest = 5


def initial() -> Position:
    """Return the whole heap."""
    return 5, 0


def expand(position: Position) -> int:
    """Return the moves: one match, or two if they are there."""
    return 0b11 if position[0] > 1 else 0b01


def play(position: Position, move: int) -> Position:
    """Return the position after a move."""
    return position[0] - move, position[1] + 1


def plies(position: Position) -> int:
    """Return how many moves were played."""
    return position[1]


def key(position: Position) -> int:
    """Return a number that no other position has."""
    return position[0] << 3 | position[1]


def score_bounds(position: Position) -> tuple[int, int]:
    """Return the score twice if the game is over; else how bad and how good it can be."""
    if position[0] == 0:
        return position[1] - longest - 1, position[1] - longest - 1
    return -longest, longest


def order(position: Position, move: int) -> int:  # noqa: ARG001 - the signature that rules have
    """Return how promising a move is: no move is preferred."""
    return 0


def foresee(position: Position, beta: int) -> tuple[int, int]:  # noqa: ARG001 - the signature that rules have
    """Return closer bounds, which take longer to find: there are none."""
    return -longest - 1, longest + 1


def finish(position: Position) -> int:  # noqa: ARG001 - the signature that rules have
    """Return a best move where the bounds are equal: none, since the game is over there."""
    return 0
