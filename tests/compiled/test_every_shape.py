"""Every built-in board that has a kernel: its rules return the same compiled, interpreted, and on checked numbers."""

import functools
import operator
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import noughts
from noughts.capabilities import resolve
from noughts.games.cube import make as make_cube
from noughts.games.mnk import make as make_board
from noughts.search.memo import Memo
from noughts.sources.kernel import NativeSearch
from tests.compiled.parametric import Asked, Family, line_of_play
from tests.compiled.positions import exact, kernel_score, random_states

POSITIONS, CHECKED, CROWDED = 5, 2, 5
"""In how many positions of each board compiled and interpreted rules are compared, and on checked numbers; and in how
many that play cannot reach, in which a player has nearly all cells, so that the longest shifts matter."""


def crowded(full: tuple[int, ...], random: Random) -> Asked:
    """Return a position in which the first set has nearly all cells, and each of the others as many as may be."""
    cells = [1 << place for place in range(63) if functools.reduce(operator.or_, full) >> place & 1]
    missing = [random.randrange(3), *(random.choice([0, 3, len(cells) // 2, len(cells)]) for _ in full[1:])]
    position = tuple(sum(cells) - sum(random.sample(cells, min(number, len(cells)))) for number in missing)
    return Asked(position, random.choice(cells), random.randint(-9, 9))


def compare(family: Family, parameters: dict[str, Any], seed: int) -> None:
    """Compare a board's rules in a random game: at the start, at the end, and in some positions between."""
    random = Random(seed)
    namespace = family.board(parameters)
    asked = list(line_of_play(namespace, random))
    middle = random.sample(asked[1:-1], min(len(asked[1:-1]), POSITIONS - 2))
    sample = [asked[0], *middle, asked[-1]]
    interpreted = [family.interpreted(namespace, each) for each in sample]
    assert family.compiled(namespace, sample) == interpreted, parameters
    if parameters:
        crowd = [crowded(asked[-1].position, random) for _ in range(CROWDED)]
        assert family.compiled(namespace, crowd) == [family.interpreted(namespace, each) for each in crowd], parameters
    for each, said in zip(sample[-CHECKED:], interpreted[-CHECKED:], strict=True):
        assert family.checked(namespace, each) == said, parameters
    for _, key, low, high, moves, *_ in interpreted:
        assert 0 <= key < 1 << namespace["key_bits"], parameters
        assert -namespace["longest"] - 1 <= low <= high <= namespace["longest"] + 1, parameters
        assert 0 <= moves < 1 << 63, parameters
        assert moves.bit_count() <= namespace["choices"], parameters


SAMPLED_OR_ALL = pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.long)])
"""Every fifth board in the usual run, and all of them in the long one."""


@SAMPLED_OR_ALL
def test_every_connect_board(step: int) -> None:
    """All widths, heights and lengths of a line, of which 105 shift by 64 or more."""
    kernel = noughts.load("connect-four").kernel()  # type: ignore[attr-defined]
    family = Family(kernel)
    shapes = [
        (columns, rows, in_a_row)
        for columns in range(1, 13)
        for rows in range(1, 13)
        for in_a_row in range(1, 13)
        if columns * (rows + 1) <= 63
    ]
    assert len(shapes) > 1_000
    assert sum((in_a_row - 1) * (rows + 2) >= 64 for _, rows, in_a_row in shapes) > 100
    for seed, (columns, rows, in_a_row) in list(enumerate(shapes))[::step]:
        compare(family, {"COLUMNS": columns, "ROWS": rows, "IN_A_ROW": in_a_row}, seed)


def line_boards() -> Iterator[Any]:
    """Yield every board of lines that has a kernel: all sizes and lengths, torus or not; and the cubes."""
    yield make_cube("2")
    yield make_cube("3")
    for columns in range(1, 20):
        for rows in range(1, 31 // columns + 1):
            for in_a_row in range(1, max(columns, rows) + 1 if rows < 20 else 1):
                for torus in ("", ",torus"):
                    yield make_board(f"{columns},{rows},{in_a_row}{torus}")


@SAMPLED_OR_ALL
def test_every_board_of_lines(step: int) -> None:
    """Each board, with and without misère."""
    families = {
        kernel.rules: Family(kernel)
        for kernel in (resolve(noughts.load(name)).kernel() for name in ("tic-tac-toe", "mnk:4,4,4"))
        if kernel is not None
    }
    boards = list(enumerate(line_boards()))
    for seed, game in boards[::step]:
        kernel = game.kernel()
        for misere in (0, 1):
            compare(families[kernel.rules], {**kernel.parameters, "MISERE": misere}, seed)
    assert len(boards) > 500


def test_the_example_in_the_documents() -> None:
    kernel = resolve(noughts.load("examples/domineering.py")).kernel()
    assert kernel is not None
    family = Family(kernel)
    for seed in range(40):
        compare(family, {}, seed)


EXTREME = {"connect:9x6,9": 8}  # 63 bits, and shifts by up to 64
"""The largest boards that have a kernel, and how many empty cells a position may have on each.

With many empty cells, a memo would need gigabytes; there the lines are short, and deepening sees the end soon.
"""

MORE = {
    "connect:7x8,8": 8, "connect:12x4,12": 8,
    "connect:1x12,9": 9, "connect:12x1,2": 9, "connect:10x5,10": 8, "connect:5x11,5": 8, "connect:9x6,12": 8,
    "connect:4x12,11": 8, "connect:3x12,2": 34, "connect:12x1,3": 9, "connect:8x6,9": 8, "connect:6x9,7": 8,
    "mnk:15,2,2": 28, "mnk:1,16,16": 9, "mnk:5,6,6,torus": 8, "mnk:10,3,9,misere": 8, "mnk:2,15,15,torus,misere": 8,
}  # fmt: skip


@pytest.mark.parametrize(
    ("notation", "left"),
    [*EXTREME.items(), *(pytest.param(*each, marks=pytest.mark.long) for each in MORE.items())],
)
def test_extreme_boards_as_they_are_compiled(notation: str, left: int) -> None:
    """With constants compiled in, as in normal use, late positions have the values that a plain search finds."""
    kernel: NativeSearch[Any, Any] = NativeSearch(noughts.load(notation), table_mib=1, threads=1)
    value = Memo(kernel.game).value if left < 10 else functools.partial(noughts.deepening, kernel.game)
    longest = kernel.rules.longest
    for state in random_states(kernel.game, 20, 3, longest - left, longest - 1):
        truth = kernel_score(kernel, state, value(state))
        assert exact(kernel.solver, kernel.pack(state)) == truth, state
