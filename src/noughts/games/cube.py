"""Tic-tac-toe in space: N in a row in a cube of N x N x N, drawn as N layers, cells numbered layer by layer."""

from itertools import permutations, product

from noughts.games.lines import Line, LineGame, Turn

__all__ = ["cube_lines", "cube_turns", "make"]

LARGEST = 5


def cube_lines(size: int) -> tuple[Line, ...]:
    """Return every straight line of `size` cells: ((size + 2)**3 - size**3) / 2 of them.

    >>> len(cube_lines(3)), len(cube_lines(4))
    (49, 76)
    """
    forward = [step for step in product((-1, 0, 1), repeat=3) if step > (0, 0, 0)]
    lines = []
    for start, step in product(product(range(size), repeat=3), forward):
        run = [tuple(a + i * d for a, d in zip(start, step, strict=True)) for i in range(size)]
        if all(0 <= a < size for a in run[-1]):
            lines.append(tuple(_cell(place, size) for place in run))
    return tuple(lines)


def cube_turns(size: int) -> list[Turn]:
    """Return the 48 symmetries of a cube: its axes in any order, each in either direction."""
    places = list(product(range(size), repeat=3))
    turns = []
    for order, flips in product(permutations(range(3)), product((False, True), repeat=3)):
        moved = (
            tuple(size - 1 - place[axis] if flip else place[axis] for axis, flip in zip(order, flips, strict=True))
            for place in places
        )
        turns.append(tuple(_cell(place, size) for place in moved))
    return turns


def _cell(place: tuple[int, ...], size: int) -> int:
    layer, row, column = place
    return (layer * size + row) * size + column + 1


def make(arguments: str) -> LineGame:
    """Return the game for a size.

    >>> make("3").title
    'Tic-tac-toe in a cube of 3'
    """
    if not arguments.isdecimal() or not 2 <= int(arguments) <= LARGEST:
        raise ValueError(f"give one number, 2 to {LARGEST}")
    size = int(arguments)
    return LineGame(
        f"Tic-tac-toe in a cube of {size}",
        columns=size,
        rows=size * size,
        lines=cube_lines(size),
        turns=cube_turns(size),
        layer=size,
    )
